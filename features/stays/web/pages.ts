import { lazyPage, type Page } from '#platform/web/pages.tsx';

export const staysPages: readonly Page[] = [
  {
    path: '/connexion',
    title: 'Photos des séjours',
    isRendered: true,
    Component: lazyPage(async () => (await import('./StaySignInPage.tsx')).StaySignInPage),
    server: import.meta.env.SSR && {
      module: 'features/stays/web/StaySignInPage.tsx',
      description: 'Connexion des familles et des directeurs de séjour.',
      isIndexed: false,
    },
  },
  {
    path: '/acces',
    title: 'Photos des séjours',
    isRendered: true,
    Component: lazyPage(async () => (await import('./StaySignInPage.tsx')).LinkPage),
    server: import.meta.env.SSR && {
      module: 'features/stays/web/StaySignInPage.tsx',
      description: 'Le séjour qu’ouvre le lien d’un e-mail.',
      isIndexed: false,
    },
  },
  {
    path: '/soir',
    title: 'Photos des séjours',
    isRendered: true,
    Component: lazyPage(async () => (await import('./StaySignInPage.tsx')).StopPage),
    server: import.meta.env.SSR && {
      module: 'features/stays/web/StaySignInPage.tsx',
      description: 'Ne plus recevoir le message du soir.',
      isIndexed: false,
    },
  },
];
