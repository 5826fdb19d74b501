import { matchPath } from 'react-router';
import type { PageModule, Place } from './contents.ts';
import { type LazyPage, lazyPage } from './lazyPage.tsx';

/** A page: its address, its name, and where it is drawn. What only the server asks of it is in `contents.ts`. */
export interface Page {
  path: string;
  /** The name of the query that tells it from another page of the same path. */
  query?: string;
  /** Its name, until its answers know a better one. */
  title: string;
  /** False for what stands behind a sign-in: the server knows nobody's token, the browser draws it. */
  isRendered: boolean;
  /** Its source, by its place in the web folder, so that the server can name its chunk. */
  module: PageModule;
  Component: LazyPage;
}

/** Every page but the one of addresses that name none. */
export const PAGES: readonly Page[] = [
  {
    path: '/',
    query: 'actualite',
    title: 'Actualité',
    isRendered: true,
    module: 'features/content/web/pages/NewsPage.tsx',
    Component: lazyPage(async () => (await import('#features/content/web/pages/NewsPage.tsx')).NewsPage),
  },
  {
    path: '/',
    query: 'actualites',
    title: 'Toutes les actualités',
    isRendered: true,
    module: 'features/content/web/pages/AllNewsPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/content/web/pages/AllNewsPage.tsx')).AllNewsPage,
    ),
  },
  {
    path: '/',
    title: '',
    isRendered: true,
    module: 'features/content/web/pages/HomePage.tsx',
    Component: lazyPage(async () => (await import('#features/content/web/pages/HomePage.tsx')).HomePage),
  },
  {
    path: '/une-details/:id',
    title: 'À la Une',
    isRendered: true,
    module: 'features/content/web/pages/FeaturedPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/content/web/pages/FeaturedPage.tsx')).FeaturedPage,
    ),
  },
  {
    path: '/Evenements',
    title: 'Nos événements',
    isRendered: true,
    module: 'features/content/web/pages/EventsPage.tsx',
    Component: lazyPage(async () => (await import('#features/content/web/pages/EventsPage.tsx')).EventsPage),
  },
  {
    path: '/event-detail/:id',
    title: 'Événement',
    isRendered: true,
    module: 'features/content/web/pages/EventPage.tsx',
    Component: lazyPage(async () => (await import('#features/content/web/pages/EventPage.tsx')).EventPage),
  },
  {
    path: '/avantages',
    title: 'Vos avantages CSE',
    isRendered: true,
    module: 'features/content/web/pages/BenefitsPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/content/web/pages/BenefitsPage.tsx')).BenefitsPage,
    ),
  },
  {
    path: '/avantage-detail/:id',
    title: 'Avantage',
    isRendered: true,
    module: 'features/content/web/pages/BenefitPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/content/web/pages/BenefitPage.tsx')).BenefitPage,
    ),
  },
  {
    path: '/a-propos',
    title: 'Nos Missions',
    isRendered: true,
    module: 'features/site/web/legal/AboutPage.tsx',
    Component: lazyPage(async () => (await import('#features/site/web/legal/AboutPage.tsx')).AboutPage),
  },
  {
    path: '/mentions-legales',
    title: 'Mentions légales',
    isRendered: true,
    module: 'features/site/web/legal/LegalNoticePage.tsx',
    Component: lazyPage(
      async () => (await import('#features/site/web/legal/LegalNoticePage.tsx')).LegalNoticePage,
    ),
  },
  {
    path: '/politique-confidentialite',
    title: 'Politique de confidentialité',
    isRendered: true,
    module: 'features/privacy/web/legal/PrivacyPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/privacy/web/legal/PrivacyPage.tsx')).PrivacyPage,
    ),
  },
  {
    path: '/politique-photos',
    title: 'Politique photos',
    isRendered: true,
    module: 'features/privacy/web/legal/PhotoPolicyPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/privacy/web/legal/PhotoPolicyPage.tsx')).PhotoPolicyPage,
    ),
  },
  {
    path: '/accessibilite',
    title: 'Accessibilité',
    isRendered: true,
    module: 'features/site/web/legal/AccessibilityPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/site/web/legal/AccessibilityPage.tsx')).AccessibilityPage,
    ),
  },
  {
    path: '/membres',
    title: 'Notre équipe',
    isRendered: true,
    module: 'features/members/web/OrgChartPage.tsx',
    Component: lazyPage(async () => (await import('#features/members/web/OrgChartPage.tsx')).OrgChartPage),
  },
  {
    path: '/connexion-portail',
    title: 'Connexion au portail',
    isRendered: true,
    module: 'features/accounts/web/PortalSignInPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/accounts/web/PortalSignInPage.tsx')).PortalSignInPage,
    ),
  },
  {
    path: '/connexion',
    title: 'Photos des séjours',
    isRendered: true,
    module: 'features/stays/web/StaySignInPage.tsx',
    Component: lazyPage(async () => (await import('#features/stays/web/StaySignInPage.tsx')).StaySignInPage),
  },
  {
    path: '/compte-rendus',
    title: 'Comptes rendus',
    isRendered: true,
    module: 'features/content/web/minutes/MinutesPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/content/web/minutes/MinutesPage.tsx')).MinutesPage,
    ),
  },
  {
    path: '/stage-details/:id',
    title: 'Photos du séjour',
    isRendered: false,
    module: 'features/photos/web/stay/StayPage.tsx',
    Component: lazyPage(async () => (await import('#features/photos/web/stay/StayPage.tsx')).StayPage),
  },
  {
    path: '/formateur',
    title: 'Espace des directeurs',
    isRendered: false,
    module: 'features/photos/web/stay/DirectorPage.tsx',
    Component: lazyPage(
      async () => (await import('#features/photos/web/stay/DirectorPage.tsx')).DirectorPage,
    ),
  },
  portalPage('/portail', 'Portail administrateur'),
  portalPage('/actu-modify/:id', 'Modifier une actualité'),
  portalPage('/une-modify/:id', 'Modifier un élément À la Une'),
  portalPage('/employe-modify/:id', 'Modifier un employé'),
  portalPage('/event-modify/:id', 'Modifier un événement'),
  portalPage('/avantage-modify/:id', 'Modifier un avantage'),
  portalPage('/photos-modify/:id', 'Photos du séjour'),
];

function portalPage(path: string, title: string): Page {
  return {
    path,
    title,
    isRendered: false,
    module: 'app/web/portal/PortalPage.tsx',
    Component: lazyPage(async () => (await import('./portal/PortalPage.tsx')).PortalPage),
  };
}

const NOT_FOUND: Page = {
  path: '*',
  title: 'Page non trouvée',
  isRendered: true,
  module: 'app/web/NotFoundPage.tsx',
  Component: lazyPage(async () => (await import('./NotFoundPage.tsx')).NotFoundPage),
};

/** The page of an address and what the address says beside; the not-found page when there is none. */
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

/** Kept, as every part of a page's frame asks for it. */
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
