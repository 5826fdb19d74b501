import { EVERY_RIGHT } from '#platform/shared/roles.ts';
import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const takeoverPanels: readonly Panel[] = [
  {
    key: 'emporter',
    group: 'Réglages et santé',
    label: 'Emporter le site',
    words:
      'export exporter extraction changer serveur hébergeur tout télécharger quitter partir déménager archive copie CSV Excel JSON portabilité réversibilité sauvegarde récupérer données',
    place: 325,
    rights: EVERY_RIGHT,
    Component: lazyPage(async () => (await import('./ExportPanel.tsx')).ExportPanel),
  },
];
