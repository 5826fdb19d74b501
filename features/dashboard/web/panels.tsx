import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const dashboardPanels: readonly Panel[] = [
  {
    key: 'accueil',
    group: 'Accueil',
    label: 'Accueil du portail',
    words: 'tableau de bord santé du site alertes',
    place: 10,
    Component: lazyPage(async () => (await import('./HomePanel.tsx')).HomePanel),
  },
  {
    key: 'sante',
    group: 'Réglages et santé',
    label: 'Santé du site',
    words: 'version sauvegardes disque base de données état technique panne',
    place: 315,
    Component: lazyPage(async () => (await import('./HomePanel.tsx')).HealthPanel),
  },
  {
    key: 'journal',
    group: 'Réglages et santé',
    label: 'Journal',
    words: 'historique qui a fait quoi traces',
    place: 320,
    Component: lazyPage(async () => (await import('./JournalPanel.tsx')).JournalPanel),
  },
];
