import { STAYS_GROUP } from '#features/stays/web/stays.ts';
import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const importsPanels: readonly Panel[] = [
  {
    key: 'sejours-importer',
    group: STAYS_GROUP,
    label: 'Importer des séjours',
    words: 'CSV Excel fichier',
    place: 150,
    Component: lazyPage(async () => (await import('./ImportPanel.tsx')).StayImportPanel),
  },
  {
    key: 'familles-importer',
    group: STAYS_GROUP,
    label: 'Importer des familles',
    words: 'CSV Excel fichier enfants inscriptions',
    place: 160,
    Component: lazyPage(async () => (await import('./ImportPanel.tsx')).FamilyImportPanel),
  },
];
