import { lazyPage, type Page, type PageContent } from '#platform/web/pages.tsx';

export const staysPages = [
  {
    path: '/connexion',
    title: 'Photos des séjours',
    isRendered: true,
    module: 'features/stays/web/StaySignInPage.tsx',
    Component: lazyPage(async () => (await import('./StaySignInPage.tsx')).StaySignInPage),
  },
] as const satisfies readonly Page[];

/** The content of each page that only the server needs. */
export const staysContents: Record<(typeof staysPages)[number]['module'], PageContent> = {
  'features/stays/web/StaySignInPage.tsx': {
    description: 'Connexion des familles et des directeurs de séjour.',
    isIndexed: false,
  },
};
