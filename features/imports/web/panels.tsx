import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const importsPanels: readonly Panel[] = [
  {
    key: 'sejours-importer',
    group: 'Séjours',
    label: 'Importer des séjours',
    words: 'CSV Excel fichier tableau tableur liste colo camp charger ajouter plusieurs planning calendrier',
    place: 150,
    within: 'sejours',
    Component: lazyPage(async () => (await import('./ImportPanel.tsx')).StayImportPanel),
  },
  {
    key: 'familles-importer',
    group: 'Familles et directeurs',
    label: 'Importer des familles',
    words: 'CSV Excel fichier tableau tableur liste enfant inscription inscrit inscrire participant parent',
    place: 160,
    within: 'familles',
    Component: lazyPage(async () => (await import('./ImportPanel.tsx')).FamilyImportPanel),
  },
  {
    key: 'direction-importer',
    group: 'Familles et directeurs',
    label: 'Importer des directeurs',
    words: 'CSV Excel fichier tableau tableur liste formateur animateur charger ajouter plusieurs',
    place: 175,
    within: 'directeurs',
    Component: lazyPage(async () => (await import('./ImportPanel.tsx')).DirectorImportPanel),
  },
];
