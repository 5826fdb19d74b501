import { GROUPS, lazyPage, type Panel } from '#platform/web/pages.tsx';

export const accountsPanels: readonly Panel[] = [
  {
    key: 'administrateurs',
    group: GROUPS.administration,
    label: 'Administrateurs',
    place: 300,
    Component: lazyPage(async () => (await import('./AdminsPanel.tsx')).AdminsPanel),
  },
];
