import { type ItemPanel, lazyPage, type Panel, type PanelGroup } from '#platform/web/pages.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { benefits, events, featured, type ItemKind, minutes, news, partners } from '../shared/kinds.ts';

/** What people call it to add a thing to the site, and to change one that is there. */
const CREATES = 'ajouter nouveau nouvelle publier annoncer rédiger écrire mettre en ligne proposer saisir';
const MODIFIES =
  'changer corriger rectifier actualiser mettre à jour supprimer enlever retirer effacer annuler dépublier masquer archiver date texte image photo brouillon faute erreur';

/** The address and the label of a panel of a kind. */
type Named = readonly [key: string, label: string];

interface KindPanels {
  kind: ItemKind;
  group?: PanelGroup;
  place: number;
  /** What else people call it. */
  words: string;
  /** Key of the list. */
  list: string;
  create: Named;
  /** Chooses an item by its name, to be modified or deleted. */
  choose: Named;
}

/** The panels of a kind: its list, which the menu shows; the form of a new item, and the specification's two steps. */
export function panelsOf({ kind, group = 'Contenus', place, words, list, create, choose }: KindPanels) {
  const [createKey, createLabel] = create;
  const [chooseKey, title] = choose;
  const creation = { to: panelAddress(createKey), label: createLabel };
  const panels = () => import('./editing/ItemPanels.tsx');
  return [
    {
      key: list,
      group,
      label: kind.plural,
      place,
      words: `${MODIFIES} ${words}`,
      Component: lazyPage(async () => {
        const { ListPanel } = await panels();
        return () => <ListPanel kind={kind} creation={creation} />;
      }),
    },
    {
      key: createKey,
      group,
      label: createLabel,
      words: `${CREATES} ${words}`,
      place,
      within: list,
      Component: lazyPage(async () => {
        const { CreatePanel } = await panels();
        return () => <CreatePanel kind={kind} title={createLabel} />;
      }),
    },
    {
      key: chooseKey,
      group,
      // The list does all that it does: the search finds it by its own name only.
      label: title,
      place,
      within: list,
      Component: lazyPage(async () => {
        const { ChoosePanel } = await panels();
        return () => <ChoosePanel kind={kind} title={title} creation={creation} />;
      }),
    },
  ] satisfies Panel[];
}

export function itemForm(kind: ItemKind, panel: string): ItemPanel {
  const Component = lazyPage(async () => {
    const { ModifyPage } = await import('./editing/ItemPanels.tsx');
    return () => <ModifyPage kind={kind} />;
  });
  return { path: kind.byId.page, panel, Component };
}

export const contentPanels: readonly Panel[] = [
  ...panelsOf({
    kind: events,
    place: 40,
    words:
      'sortie fête soirée spectacle voyage agenda calendrier animation Noël rendez-vous date inscription manifestation atelier repas',
    list: 'evenements',
    create: ['evenement-creer', 'Créer un événement'],
    choose: ['evenement-modifier', 'Modifier un événement'],
  }),
  ...panelsOf({
    kind: news,
    place: 60,
    words: 'actu news article nouvelle information info annonce brève communiqué publication',
    list: 'actualites',
    create: ['actualite-creer', 'Créer une actualité'],
    choose: ['actualite-modifier', 'Modifier une actualité'],
  }),
  ...panelsOf({
    kind: featured,
    place: 80,
    words: 'mettre en avant page d’accueil bandeau carrousel vedette important diaporama',
    list: 'unes',
    create: ['une-creer', 'Créer un élément «\u00a0À LA UNE\u00a0»'],
    choose: ['une-modifier', 'Modifier un élément «\u00a0À LA UNE\u00a0»'],
  }),
  ...panelsOf({
    kind: benefits,
    place: 100,
    words:
      'réduction remise billet billetterie cinéma chèque vacances cadeau tarif prix offre subvention ticket parc piscine sport loisir code promo bon',
    list: 'avantages',
    create: ['avantage-creer', 'Créer un avantage'],
    choose: ['avantage-modifier', 'Modifier un avantage'],
  }),
  ...panelsOf({
    kind: partners,
    place: 120,
    words: 'sponsor partenariat image bannière changer ajouter supprimer remplacer lien site prestataire',
    list: 'logos',
    create: ['logo-creer', 'Ajouter un logo partenaire'],
    choose: ['logo-supprimer', 'Supprimer un logo'],
  }),
  ...panelsOf({
    kind: minutes,
    place: 130,
    words:
      'CR réunion procès-verbal assemblée générale ordre du jour procès-verbaux PV PDF document ajouter déposer publier supprimer séance',
    list: 'documents',
    create: ['document-creer', 'Ajouter un compte rendu'],
    choose: ['document-supprimer', 'Supprimer un compte rendu'],
  }),
  {
    key: 'corbeille',
    group: 'Contenus',
    label: 'Corbeille',
    words:
      'restaurer supprimé récupérer supprimer suppression retrouver annuler poubelle effacé par erreur perdu disparu vider',
    place: 330,
    Component: lazyPage(async () => (await import('./BinPanel.tsx')).BinPanel),
  },
];

export const contentItemPanels: readonly ItemPanel[] = [
  itemForm(news, 'actualite-modifier'),
  itemForm(featured, 'une-modifier'),
  itemForm(events, 'evenement-modifier'),
  itemForm(benefits, 'avantage-modifier'),
  itemForm(partners, 'logos'),
  itemForm(minutes, 'documents'),
];
