import { lazyPage, type Page } from '#platform/web/pages.tsx';

export const accountsPages: readonly Page[] = [
  {
    path: '/connexion-portail',
    title: 'Connexion au portail',
    isRendered: true,
    Component: lazyPage(async () => (await import('./SignIn.tsx')).PortalSignInPage),
    server: import.meta.env.SSR && {
      module: 'features/accounts/web/SignIn.tsx',
      description: 'Connexion des administrateurs.',
      isIndexed: false,
    },
  },
  {
    path: '/invitation',
    title: 'Invitation',
    isRendered: true,
    Component: lazyPage(async () => (await import('./SignIn.tsx')).InvitationPage),
    server: import.meta.env.SSR && {
      module: 'features/accounts/web/SignIn.tsx',
      description: 'Choix du mot de passe par une personne invitée au portail.',
      isIndexed: false,
    },
  },
];
