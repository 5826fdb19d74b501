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
    module: 'features/home/NewsPage.tsx',
    Component: lazyPage(async () => (await import('../features/home/NewsPage.tsx')).NewsPage),
  },
  {
    path: '/',
    query: 'actualites',
    title: 'Toutes les actualités',
    isRendered: true,
    module: 'features/home/AllNewsPage.tsx',
    Component: lazyPage(async () => (await import('../features/home/AllNewsPage.tsx')).AllNewsPage),
  },
  {
    path: '/',
    title: '',
    isRendered: true,
    module: 'features/home/HomePage.tsx',
    Component: lazyPage(async () => (await import('../features/home/HomePage.tsx')).HomePage),
  },
  {
    path: '/une-details/:id',
    title: 'À la Une',
    isRendered: true,
    module: 'features/home/FeaturedPage.tsx',
    Component: lazyPage(async () => (await import('../features/home/FeaturedPage.tsx')).FeaturedPage),
  },
  {
    path: '/Evenements',
    title: 'Nos événements',
    isRendered: true,
    module: 'features/events/EventsPage.tsx',
    Component: lazyPage(async () => (await import('../features/events/EventsPage.tsx')).EventsPage),
  },
  {
    path: '/event-detail/:id',
    title: 'Événement',
    isRendered: true,
    module: 'features/events/EventPage.tsx',
    Component: lazyPage(async () => (await import('../features/events/EventPage.tsx')).EventPage),
  },
  {
    path: '/avantages',
    title: 'Vos avantages CSE',
    isRendered: true,
    module: 'features/benefits/BenefitsPage.tsx',
    Component: lazyPage(async () => (await import('../features/benefits/BenefitsPage.tsx')).BenefitsPage),
  },
  {
    path: '/avantage-detail/:id',
    title: 'Avantage',
    isRendered: true,
    module: 'features/benefits/BenefitPage.tsx',
    Component: lazyPage(async () => (await import('../features/benefits/BenefitPage.tsx')).BenefitPage),
  },
  {
    path: '/a-propos',
    title: 'Nos Missions',
    isRendered: true,
    module: 'features/legal/AboutPage.tsx',
    Component: lazyPage(async () => (await import('../features/legal/AboutPage.tsx')).AboutPage),
  },
  {
    path: '/mentions-legales',
    title: 'Mentions légales',
    isRendered: true,
    module: 'features/legal/LegalNoticePage.tsx',
    Component: lazyPage(async () => (await import('../features/legal/LegalNoticePage.tsx')).LegalNoticePage),
  },
  {
    path: '/politique-confidentialite',
    title: 'Politique de confidentialité',
    isRendered: true,
    module: 'features/legal/PrivacyPage.tsx',
    Component: lazyPage(async () => (await import('../features/legal/PrivacyPage.tsx')).PrivacyPage),
  },
  {
    path: '/politique-photos',
    title: 'Politique photos',
    isRendered: true,
    module: 'features/legal/PhotoPolicyPage.tsx',
    Component: lazyPage(async () => (await import('../features/legal/PhotoPolicyPage.tsx')).PhotoPolicyPage),
  },
  {
    path: '/accessibilite',
    title: 'Accessibilité',
    isRendered: true,
    module: 'features/legal/AccessibilityPage.tsx',
    Component: lazyPage(
      async () => (await import('../features/legal/AccessibilityPage.tsx')).AccessibilityPage,
    ),
  },
  {
    path: '/membres',
    title: 'Notre équipe',
    isRendered: true,
    module: 'features/staff/OrgChartPage.tsx',
    Component: lazyPage(async () => (await import('../features/staff/OrgChartPage.tsx')).OrgChartPage),
  },
  {
    path: '/connexion-portail',
    title: 'Connexion au portail',
    isRendered: true,
    module: 'features/auth/PortalSignInPage.tsx',
    Component: lazyPage(async () => (await import('../features/auth/PortalSignInPage.tsx')).PortalSignInPage),
  },
  {
    path: '/connexion',
    title: 'Photos des séjours',
    isRendered: true,
    module: 'features/auth/StaySignInPage.tsx',
    Component: lazyPage(async () => (await import('../features/auth/StaySignInPage.tsx')).StaySignInPage),
  },
  {
    path: '/compte-rendus',
    title: 'Comptes rendus',
    isRendered: true,
    module: 'features/minutes/MinutesPage.tsx',
    Component: lazyPage(async () => (await import('../features/minutes/MinutesPage.tsx')).MinutesPage),
  },
  {
    path: '/stage-details/:id',
    title: 'Photos du séjour',
    isRendered: false,
    module: 'features/stay/StayPage.tsx',
    Component: lazyPage(async () => (await import('../features/stay/StayPage.tsx')).StayPage),
  },
  {
    path: '/formateur',
    title: 'Espace des directeurs',
    isRendered: false,
    module: 'features/stay/DirectorPage.tsx',
    Component: lazyPage(async () => (await import('../features/stay/DirectorPage.tsx')).DirectorPage),
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
    module: 'app/portal/PortalPage.tsx',
    Component: lazyPage(async () => (await import('./portal/PortalPage.tsx')).PortalPage),
  };
}

const NOT_FOUND: Page = {
  path: '*',
  title: 'Page non trouvée',
  isRendered: true,
  module: 'app/NotFoundPage.tsx',
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
