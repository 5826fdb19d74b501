import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const accountsPanels: readonly Panel[] = [
  {
    key: 'administrateurs',
    group: 'Réglages et santé',
    label: 'Administrateurs',
    words: 'comptes droits utilisateurs mot de passe perdu',
    place: 300,
    Component: lazyPage(async () => (await import('./AdminsPanel.tsx')).AdminsPanel),
  },
  {
    key: 'compte',
    group: 'Réglages et santé',
    rights: 'all',
    label: 'Mon compte',
    words:
      'clé d’accès passkey empreinte visage double authentification second facteur 2FA code de secours téléphone perdu changer mon mot de passe connexions appareils',
    place: 305,
    Component: lazyPage(async () => (await import('./OwnAccountPanel.tsx')).OwnAccountPanel),
  },
];
