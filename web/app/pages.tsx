import type { QueryClient } from '@tanstack/react-query';
import { matchPath } from 'react-router';
import type { Question } from '../../shared/page.ts';
import {
  aboutFeatured,
  aboutNews,
  featuredQuestion,
  HOME_QUESTIONS,
  newsQuestion,
} from '../features/home/questions.ts';
import { type LazyPage, lazyPage } from './lazyPage.tsx';

/** What the address says beside the page: parts of its path, and its query. */
export type Place = Record<string, string | undefined>;

/** A page: its address, what it says of itself, and the calls it needs. */
export interface Page {
  path: string;
  /** The name of the query that tells it from another page of the same path. */
  query?: string;
  title: string;
  description: string;
  isIndexed: boolean;
  /** False for what stands behind a sign-in: the server knows nobody's token, the browser draws it. */
  isRendered: boolean;
  /** Its source, by its place in the web folder, so that the server can name its chunk. */
  module: string;
  Component: LazyPage;
  questions(place: Place): readonly Question[];
  /** Title and description made from the answers; undefined when the thing does not exist. */
  about?(place: Place, answers: QueryClient): { title: string; description: string } | undefined;
}

const PAGES: readonly Page[] = [
  {
    path: '/',
    query: 'actualite',
    title: 'Actualité',
    description: 'Une actualité du comité social et économique.',
    isIndexed: true,
    isRendered: true,
    module: 'features/home/NewsPage.tsx',
    Component: lazyPage(async () => (await import('../features/home/NewsPage.tsx')).NewsPage),
    questions: ({ actualite = '' }) => [newsQuestion(actualite)],
    about: ({ actualite = '' }, answers) => aboutNews(actualite, answers),
  },
  {
    path: '/',
    title: '',
    description: 'Actualités, avantages, événements et partenaires du comité social et économique.',
    isIndexed: true,
    isRendered: true,
    module: 'features/home/HomePage.tsx',
    Component: lazyPage(async () => (await import('../features/home/HomePage.tsx')).HomePage),
    questions: () => Object.values(HOME_QUESTIONS),
  },
  {
    path: '/une-details/:id',
    title: 'À la Une',
    description: 'À la une du comité social et économique.',
    isIndexed: true,
    isRendered: true,
    module: 'features/home/FeaturedPage.tsx',
    Component: lazyPage(async () => (await import('../features/home/FeaturedPage.tsx')).FeaturedPage),
    questions: ({ id = '' }) => [featuredQuestion(id)],
    about: ({ id = '' }, answers) => aboutFeatured(id, answers),
  },
  {
    path: '/connexion-portail',
    title: 'Connexion au portail',
    description: 'Connexion des administrateurs.',
    isIndexed: false,
    isRendered: true,
    module: 'features/auth/PortalSignInPage.tsx',
    Component: lazyPage(async () => (await import('../features/auth/PortalSignInPage.tsx')).PortalSignInPage),
    questions: () => [],
  },
  portalPage('/portail', 'Portail administrateur'),
  portalPage('/actu-modify/:id', 'Modifier une actualité'),
  portalPage('/une-modify/:id', 'Modifier un élément À la Une'),
];

function portalPage(path: string, title: string): Page {
  return {
    path,
    title,
    description: 'Le portail des administrateurs.',
    isIndexed: false,
    isRendered: false,
    module: 'app/portal/PortalPage.tsx',
    Component: lazyPage(async () => (await import('./portal/PortalPage.tsx')).PortalPage),
    questions: () => [],
  };
}

const NOT_FOUND: Page = {
  path: '*',
  title: 'Page non trouvée',
  description: 'Cette page n’existe pas.',
  isIndexed: false,
  isRendered: true,
  module: 'app/NotFoundPage.tsx',
  Component: lazyPage(async () => (await import('./NotFoundPage.tsx')).NotFoundPage),
  questions: () => [],
};

/** The paths of all pages, for the router. */
export const PATHS: readonly string[] = [...new Set([...PAGES, NOT_FOUND].map(({ path }) => path))];

/** The page of an address and what the address says beside; the not-found page when there is none. */
export function pageAt(pathname: string, search: string): { page: Page; place: Place; isFound: boolean } {
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const page of PAGES) {
    const match = matchPath(page.path, pathname);
    if (!match || (page.query !== undefined && query[page.query] === undefined)) continue;
    return { page, place: { ...query, ...match.params }, isFound: true };
  }
  return { page: NOT_FOUND, place: {}, isFound: false };
}
