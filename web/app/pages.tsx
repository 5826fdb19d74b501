import type { ComponentType } from 'react';
import { matchPath } from 'react-router';
import type { Question } from '../../shared/page.ts';
import { HomePage } from '../features/home/HomePage.tsx';
import { HOME_QUESTIONS } from '../features/home/questions.ts';
import { NotFoundPage } from './NotFoundPage.tsx';

/** A public page: its address, what it says of itself, and the calls it needs. */
interface Page {
  path: string;
  title: string;
  description: string;
  isIndexed: boolean;
  questions: readonly Question[];
  Component: ComponentType;
}

const PAGES: readonly Page[] = [
  {
    path: '/',
    title: '',
    description: 'Actualités, avantages, événements et partenaires du comité social et économique.',
    isIndexed: true,
    questions: Object.values(HOME_QUESTIONS),
    Component: HomePage,
  },
];

const NOT_FOUND: Page = {
  path: '*',
  title: 'Page non trouvée',
  description: 'Cette page n’existe pas.',
  isIndexed: false,
  questions: [],
  Component: NotFoundPage,
};

export const ROUTES: readonly Page[] = [...PAGES, NOT_FOUND];

/** The page of an address; the not-found page when there is none. */
export function pageAt(pathname: string): { page: Page; isFound: boolean } {
  const page = PAGES.find((one) => matchPath(one.path, pathname));
  return { page: page ?? NOT_FOUND, isFound: page !== undefined };
}
