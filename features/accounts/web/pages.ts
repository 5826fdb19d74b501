import { lazyPage, type Page, type PageContent } from '#platform/web/pages.tsx';

export const accountsPages = [
  {
    path: '/connexion-portail',
    title: 'Connexion au portail',
    isRendered: true,
    module: 'features/accounts/web/PortalSignInPage.tsx',
    Component: lazyPage(async () => (await import('./PortalSignInPage.tsx')).PortalSignInPage),
  },
] as const satisfies readonly Page[];

/** What only the server needs to know of each page, so that browsers do not load it. */
export const accountsContents: Record<(typeof accountsPages)[number]['module'], PageContent> = {
  'features/accounts/web/PortalSignInPage.tsx': {
    description: 'Connexion des administrateurs.',
    isIndexed: false,
  },
};
