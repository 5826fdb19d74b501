import { type LazyPage, lazyPage } from '#app/web/lazyPage.tsx';
import type { ItemKind } from '#features/content/shared/kind.ts';
import { benefits, employees, events, featured, news } from '#features/content/shared/kinds.ts';
import { panelAddress } from '#platform/web/portal.ts';

/** A panel of the portal. Its key is in the address, `/portail?panneau=…`, and must not change. */
interface Panel {
  key: string;
  group: string;
  label: string;
  Component: LazyPage;
}

const STAFF = 'Équipe';
const CONTENT = 'Contenus';
const STAYS = 'Séjours et familles';
const ADMINISTRATION = 'Administration';

function creation(key: string, kind: ItemKind, label: string, group = CONTENT): Panel {
  const Component = lazyPage(async () => {
    const { CreatePanel } = await import('#features/content/web/editing/CreatePanel.tsx');
    return () => <CreatePanel kind={kind} title={label} />;
  });
  return { key, group, label, Component };
}

function modification(key: string, kind: ItemKind, label: string, creator: Panel): Panel {
  const Component = lazyPage(async () => {
    const { ModifyPanel } = await import('#features/content/web/editing/ModifyPanel.tsx');
    const first = { to: panelAddress(creator.key), label: creator.label };
    return () => <ModifyPanel kind={kind} title={label} creation={first} />;
  });
  return { key, group: creator.group, label, Component };
}

const CREATE_EMPLOYEE = creation('employe-creer', employees, 'Ajouter un employé', STAFF);
const CREATE_EVENT = creation('evenement-creer', events, 'Créer un événement');
const CREATE_NEWS = creation('actualite-creer', news, 'Créer une actualité');
const CREATE_FEATURED = creation('une-creer', featured, 'Créer un élément «\u00a0À LA UNE\u00a0»');
const CREATE_BENEFIT = creation('avantage-creer', benefits, 'Créer un avantage');

/** In the order of the menu; the first one is where the portal opens. */
export const PANELS: readonly Panel[] = [
  {
    key: 'accueil',
    group: '',
    label: 'Accueil du portail',
    Component: lazyPage(async () => (await import('#features/dashboard/web/HomePanel.tsx')).HomePanel),
  },
  CREATE_EMPLOYEE,
  modification('employe-modifier', employees, 'Modifier un employé', CREATE_EMPLOYEE),
  CREATE_EVENT,
  modification('evenement-modifier', events, 'Modifier un événement', CREATE_EVENT),
  CREATE_NEWS,
  modification('actualite-modifier', news, 'Modifier une actualité', CREATE_NEWS),
  CREATE_FEATURED,
  modification('une-modifier', featured, 'Modifier un élément «\u00a0À LA UNE\u00a0»', CREATE_FEATURED),
  CREATE_BENEFIT,
  modification('avantage-modifier', benefits, 'Modifier un avantage', CREATE_BENEFIT),
  {
    key: 'logos',
    group: CONTENT,
    label: 'Logos partenaires',
    Component: lazyPage(
      async () => (await import('#features/content/web/editing/CollectionPanels.tsx')).PartnersPanel,
    ),
  },
  {
    key: 'documents',
    group: CONTENT,
    label: 'Comptes rendus',
    Component: lazyPage(
      async () => (await import('#features/content/web/editing/CollectionPanels.tsx')).MinutesPanel,
    ),
  },
  {
    key: 'sejours',
    group: STAYS,
    label: 'Séjours',
    Component: lazyPage(async () => (await import('#features/stays/web/StaysPanel.tsx')).StaysPanel),
  },
  {
    key: 'sejours-importer',
    group: STAYS,
    label: 'Importer des séjours',
    Component: lazyPage(async () => (await import('#features/imports/web/ImportPanel.tsx')).StayImportPanel),
  },
  {
    key: 'familles-importer',
    group: STAYS,
    label: 'Importer des familles',
    Component: lazyPage(
      async () => (await import('#features/imports/web/ImportPanel.tsx')).FamilyImportPanel,
    ),
  },
  {
    key: 'directeurs',
    group: STAYS,
    label: 'Directeurs',
    Component: lazyPage(
      async () => (await import('#features/stays/web/directors/DirectorsPanel.tsx')).DirectorsPanel,
    ),
  },
  {
    key: 'sejours-affecter',
    group: STAYS,
    label: 'Affecter des séjours',
    Component: lazyPage(
      async () => (await import('#features/stays/web/directors/AssignPanel.tsx')).AssignPanel,
    ),
  },
  {
    key: 'familles',
    group: STAYS,
    label: 'Familles',
    Component: lazyPage(
      async () => (await import('#features/stays/web/families/FamiliesPanel.tsx')).FamiliesPanel,
    ),
  },
  {
    key: 'mots-de-passe',
    group: STAYS,
    label: 'Mots de passe',
    Component: lazyPage(async () => (await import('#features/stays/web/PasswordsPanel.tsx')).PasswordsPanel),
  },
  {
    key: 'codes-envoyer',
    group: STAYS,
    label: 'Envoyer les codes',
    Component: lazyPage(async () => (await import('#features/mails/web/SendCodesPanel.tsx')).SendCodesPanel),
  },
  {
    key: 'etiquettes',
    group: STAYS,
    label: 'Étiquettes à imprimer',
    Component: lazyPage(async () => (await import('#features/mails/web/SlipsPanel.tsx')).SlipsPanel),
  },
  {
    key: 'livrets',
    group: STAYS,
    label: 'Livrets',
    Component: lazyPage(
      async () => (await import('#features/stays/web/booklets/BookletsPanel.tsx')).BookletsPanel,
    ),
  },
  {
    key: 'rapport',
    group: STAYS,
    label: 'Rapport d’un séjour',
    Component: lazyPage(async () => (await import('#features/stays/web/ReportPanel.tsx')).ReportPanel),
  },
  {
    key: 'photos',
    group: STAYS,
    label: 'Photos d’un séjour',
    Component: lazyPage(async () => (await import('#features/photos/web/shelf/PhotosPanel.tsx')).PhotosPanel),
  },
  {
    key: 'ecrire',
    group: ADMINISTRATION,
    label: 'Écrire un e-mail',
    Component: lazyPage(async () => (await import('#features/mails/web/WritePanel.tsx')).WritePanel),
  },
  {
    key: 'envois',
    group: ADMINISTRATION,
    label: 'E-mails envoyés',
    Component: lazyPage(async () => (await import('#features/mails/web/MailingsPanel.tsx')).MailingsPanel),
  },
  {
    key: 'messages',
    group: ADMINISTRATION,
    label: 'Messages de contact',
    Component: lazyPage(async () => (await import('#features/site/web/ContactPanel.tsx')).ContactPanel),
  },
  {
    key: 'donnees',
    group: ADMINISTRATION,
    label: 'Données personnelles',
    Component: lazyPage(async () => (await import('#features/privacy/web/PersonalPanel.tsx')).PersonalPanel),
  },
  {
    key: 'administrateurs',
    group: ADMINISTRATION,
    label: 'Administrateurs',
    Component: lazyPage(async () => (await import('#features/accounts/web/AdminsPanel.tsx')).AdminsPanel),
  },
  {
    key: 'reglages',
    group: ADMINISTRATION,
    label: 'Réglages',
    Component: lazyPage(async () => (await import('#features/site/web/SettingsPanel.tsx')).SettingsPanel),
  },
  {
    key: 'journal',
    group: ADMINISTRATION,
    label: 'Journal',
    Component: lazyPage(async () => (await import('#features/dashboard/web/JournalPanel.tsx')).JournalPanel),
  },
  {
    key: 'corbeille',
    group: ADMINISTRATION,
    label: 'Corbeille',
    Component: lazyPage(async () => (await import('#features/content/web/BinPanel.tsx')).BinPanel),
  },
];

function itemForm(kind: ItemKind & { byId: object }, panel: string) {
  const Component = lazyPage(async () => {
    const { ModifyPage } = await import('#features/content/web/editing/ModifyPanel.tsx');
    return () => <ModifyPage kind={kind} />;
  });
  return { path: kind.byId.page, panel, Component };
}

/** The forms of one item, on pages of their own; `panel` is the one of the menu that leads there. */
export const ITEM_PANELS: readonly { path: string; panel: string; Component: LazyPage }[] = [
  itemForm(news, 'actualite-modifier'),
  itemForm(featured, 'une-modifier'),
  itemForm(employees, 'employe-modifier'),
  itemForm(events, 'evenement-modifier'),
  itemForm(benefits, 'avantage-modifier'),
  {
    path: '/photos-modify',
    panel: 'photos',
    Component: lazyPage(async () => (await import('#features/photos/web/shelf/PhotosPage.tsx')).PhotosPage),
  },
];
