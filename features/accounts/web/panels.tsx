import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const accountsPanels: readonly Panel[] = [
  {
    key: 'administrateurs',
    group: 'Réglages et santé',
    // One’s own password, second factor and sign-ins are there too.
    rights: 'all',
    label: 'Administrateurs',
    words:
      'compte mot de passe perdu double authentification second facteur 2FA code de secours téléphone perdu changer mon mot de passe',
    place: 300,
    Component: lazyPage(async () => (await import('./AdminsPanel.tsx')).AdminsPanel),
  },
];
