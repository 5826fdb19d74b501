import { ADMINISTRATION, lazyPage, type Panel } from '#platform/web/pages.tsx';

export const accountsPanels: readonly Panel[] = [
  {
    key: 'administrateurs',
    group: ADMINISTRATION,
    label: 'Administrateurs',
    place: 300,
    Component: lazyPage(async () => (await import('./AdminsPanel.tsx')).AdminsPanel),
  },
];
