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

/** What the server asks of each page, and browsers need not know. */
export const accountsContents: Record<(typeof accountsPages)[number]['module'], PageContent> = {
  'features/accounts/web/PortalSignInPage.tsx': {
    description: 'Connexion des administrateurs.',
    isIndexed: false,
  },
};
