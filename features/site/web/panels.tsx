import { ADMINISTRATION, lazyPage, type Panel } from '#platform/web/pages.tsx';

export const sitePanels: readonly Panel[] = [
  {
    key: 'messages',
    group: ADMINISTRATION,
    label: 'Messages de contact',
    place: 280,
    Component: lazyPage(async () => (await import('./ContactPanel.tsx')).ContactPanel),
  },
  {
    key: 'reglages',
    group: ADMINISTRATION,
    label: 'Réglages',
    place: 310,
    Component: lazyPage(async () => (await import('./SettingsPanel.tsx')).SettingsPanel),
  },
];
