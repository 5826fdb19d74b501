import { type ItemPanel, lazyPage, type Panel, type PanelGroup } from '#platform/web/pages.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { benefits, events, featured, type ItemKind, minutes, news, partners } from '../shared/kinds.ts';

export function creation(
  place: number,
  key: string,
  kind: ItemKind,
  label: string,
  group: PanelGroup = 'Contenus',
): Panel {
  const Component = lazyPage(async () => {
    const { CreatePanel } = await import('./editing/ItemPanels.tsx');
    return () => <CreatePanel kind={kind} title={label} />;
  });
  return { key, group, label, place, Component };
}

/** The panel that chooses an item of a kind to be modified; links to `creator` while there is none. */
export function modification(
  place: number,
  key: string,
  kind: ItemKind,
  label: string,
  creator: Panel,
): Panel {
  const Component = lazyPage(async () => {
    const { ModifyPanel } = await import('./editing/ItemPanels.tsx');
    const first = { to: panelAddress(creator.key), label: creator.label };
    return () => <ModifyPanel kind={kind} title={label} creation={first} />;
  });
  return { key, group: creator.group, label, place, Component };
}

export function itemForm(kind: ItemKind, panel: string): ItemPanel {
  const Component = lazyPage(async () => {
    const { ModifyPage } = await import('./editing/ItemPanels.tsx');
    return () => <ModifyPage kind={kind} />;
  });
  return { path: kind.byId.page, panel, Component };
}

const CREATE_EVENT = creation(40, 'evenement-creer', events, 'Créer un événement');
const CREATE_NEWS = creation(60, 'actualite-creer', news, 'Créer une actualité');
const CREATE_FEATURED = creation(80, 'une-creer', featured, 'Créer un élément «\u00a0À LA UNE\u00a0»');
const CREATE_BENEFIT = creation(100, 'avantage-creer', benefits, 'Créer un avantage');

export const contentPanels: readonly Panel[] = [
  CREATE_EVENT,
  modification(50, 'evenement-modifier', events, 'Modifier un événement', CREATE_EVENT),
  CREATE_NEWS,
  modification(70, 'actualite-modifier', news, 'Modifier une actualité', CREATE_NEWS),
  CREATE_FEATURED,
  modification(90, 'une-modifier', featured, 'Modifier un élément «\u00a0À LA UNE\u00a0»', CREATE_FEATURED),
  CREATE_BENEFIT,
  modification(110, 'avantage-modifier', benefits, 'Modifier un avantage', CREATE_BENEFIT),
  {
    key: 'logos',
    group: 'Contenus',
    label: 'Logos partenaires',
    words: 'sponsors',
    place: 120,
    Component: lazyPage(async () => (await import('./editing/CollectionPanels.tsx')).PartnersPanel),
  },
  {
    key: 'documents',
    group: 'Contenus',
    label: 'Comptes rendus',
    words: 'réunions procès-verbaux PV PDF',
    place: 130,
    Component: lazyPage(async () => (await import('./editing/CollectionPanels.tsx')).MinutesPanel),
  },
  {
    key: 'corbeille',
    group: 'Contenus',
    label: 'Corbeille',
    words: 'restaurer supprimé récupérer annuler',
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
