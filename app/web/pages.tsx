import { matchPath } from 'react-router';
import { accountsPages } from '#features/accounts/web/pages.ts';
import { contentItemPages, contentPages } from '#features/content/web/pages.ts';
import { memberItemPages, membersPages } from '#features/members/web/pages.ts';
import { privacyPages } from '#features/privacy/web/pages.ts';
import { sitePages } from '#features/site/web/pages.ts';
import { photoItemPages, photosPages } from '#features/stayPages/web/pages.ts';
import { staysPages } from '#features/stays/web/pages.ts';
import { type ItemPage, lazyPage, type Page, type Place } from '#platform/web/pages.tsx';

/** Every page except the not-found page. */
export const PAGES: readonly Page[] = [
  ...contentPages,
  ...sitePages,
  ...privacyPages,
  ...membersPages,
  ...accountsPages,
  ...staysPages,
  ...photosPages,
  portalPage({ path: '/portail', title: 'Portail administrateur' }),
  ...[...contentItemPages, ...memberItemPages, ...photoItemPages].map(portalPage),
];

function portalPage(page: ItemPage): Page {
  return {
    ...page,
    isRendered: false,
    hasOwnBar: true,
    Component: lazyPage(async () => (await import('./portal/PortalPage.tsx')).PortalPage),
    server: import.meta.env.SSR && {
      module: 'app/web/portal/PortalPage.tsx',
      description: 'Le portail des administrateurs.',
      isIndexed: false,
    },
  };
}

const NOT_FOUND: Page = {
  path: '*',
  title: 'Page non trouvée',
  isRendered: true,
  Component: lazyPage(async () => (await import('./NotFoundPage.tsx')).NotFoundPage),
  server: import.meta.env.SSR && {
    module: 'app/web/NotFoundPage.tsx',
    description: 'Cette page n’existe pas.',
    isIndexed: false,
  },
};

/** Finds the page of an address, and its path and query parameters; the not-found page when there is none. */
export function pageAt(pathname: string, search: string): PageAt {
  if (last.pathname !== pathname || last.search !== search)
    last = { pathname, search, found: findPage(pathname, search) };
  return last.found;
}

interface PageAt {
  page: Page;
  place: Place;
  isFound: boolean;
}

/** The last result, cached because every part of a page's frame asks for it. */
let last: { pathname?: string; search?: string; found: PageAt } = {
  found: { page: NOT_FOUND, place: {}, isFound: false },
};

function findPage(pathname: string, search: string): PageAt {
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const page of PAGES) {
    const match = matchPath(page.path, pathname);
    if (!match || (page.query !== undefined && query[page.query] === undefined)) continue;
    return { page, place: { ...query, ...match.params }, isFound: true };
  }
  return { page: NOT_FOUND, place: {}, isFound: false };
}
