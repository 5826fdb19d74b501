import { GROUPS, lazyPage, type Panel } from '#platform/web/pages.tsx';

export const importsPanels: readonly Panel[] = [
  {
    key: 'sejours-importer',
    group: GROUPS.stays,
    label: 'Importer des séjours',
    place: 150,
    Component: lazyPage(async () => (await import('./ImportPanel.tsx')).StayImportPanel),
  },
  {
    key: 'familles-importer',
    group: GROUPS.stays,
    label: 'Importer des familles',
    place: 160,
    Component: lazyPage(async () => (await import('./ImportPanel.tsx')).FamilyImportPanel),
  },
];
