import { EVERY_RIGHT } from '#platform/shared/roles.ts';
import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const takeoverPanels: readonly Panel[] = [
  {
    key: 'emporter',
    group: 'Réglages et santé',
    label: 'Emporter le site',
    words:
      'export exporter tout télécharger quitter partir archive CSV JSON portabilité réversibilité sauvegarde',
    place: 325,
    rights: EVERY_RIGHT,
    Component: lazyPage(async () => (await import('./ExportPanel.tsx')).ExportPanel),
  },
];
