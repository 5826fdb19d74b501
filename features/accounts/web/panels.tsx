import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const accountsPanels: readonly Panel[] = [
  {
    key: 'administrateurs',
    group: 'Réglages et santé',
    label: 'Administrateurs',
    words:
      'compte utilisateur droit accès donner droits autoriser collègue inviter invitation nouveau ajouter supprimer mot de passe mdp perdu oublié permission rôle portail secrétaire bloqué',
    place: 300,
    Component: lazyPage(async () => (await import('./AdminsPanel.tsx')).AdminsPanel),
  },
  {
    key: 'compte',
    group: 'Réglages et santé',
    rights: 'all',
    label: 'Mon compte',
    words:
      'clé d’accès passkey moi mien nouveau supprimer fermer compte empreinte visage double authentification second facteur 2FA code de secours téléphone perdu changer mon mot de passe mdp oublié identifiant connexion appareil déconnecter profil nom d’utilisateur sécurité',
    place: 305,
    Component: lazyPage(async () => (await import('./OwnAccountPanel.tsx')).OwnAccountPanel),
  },
];
