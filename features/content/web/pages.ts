import { MINUTES_ACCESS } from '#features/site/web/questions.ts';
import { type ItemPage, lazyPage, type Page } from '#platform/web/pages.tsx';
import {
  aboutAllNews,
  aboutBenefit,
  aboutEvent,
  aboutFeatured,
  aboutNews,
  allNewsQuestion,
  BENEFITS_QUESTION,
  benefitQuestion,
  EVENTS_QUESTION,
  eventQuestion,
  featuredQuestion,
  HOME_QUESTIONS,
  INSTEAD_QUESTIONS,
  neighboursQuestion,
  newsQuestion,
  readPageNumber,
} from './pages/questions.ts';

export const contentPages: readonly Page[] = [
  {
    path: '/',
    query: 'actualite',
    title: 'Actualité',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/NewsPage.tsx')).NewsPage),
    server: import.meta.env.SSR && {
      module: 'features/content/web/pages/NewsPage.tsx',
      description: 'Une actualité du comité social et économique.',
      isIndexed: true,
      questions: ({ actualite = '' }) => [
        newsQuestion(actualite),
        neighboursQuestion('actualites', actualite),
      ],
      about: ({ actualite = '' }, answers) => aboutNews(actualite, answers),
      questionsIfAbsent: [INSTEAD_QUESTIONS.news],
    },
  },
  {
    path: '/',
    query: 'actualites',
    title: 'Toutes les actualités',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/AllNewsPage.tsx')).AllNewsPage),
    server: import.meta.env.SSR && {
      module: 'features/content/web/pages/AllNewsPage.tsx',
      description: 'Les actualités du comité social et économique.',
      isIndexed: true,
      firstAddress: '/?actualites=1',
      questions: ({ actualites = '' }) => {
        const page = readPageNumber(actualites);
        return page === undefined ? [] : [allNewsQuestion(page)];
      },
      about: ({ actualites = '' }, answers) => aboutAllNews(actualites, answers),
    },
  },
  {
    path: '/',
    title: '',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/HomePage.tsx')).HomePage),
    server: import.meta.env.SSR && {
      module: 'features/content/web/pages/HomePage.tsx',
      description: 'Actualités, avantages, événements et partenaires du comité social et économique.',
      isIndexed: true,
      questions: () => Object.values(HOME_QUESTIONS),
    },
  },
  {
    path: '/une-details/:id',
    title: 'À la Une',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/FeaturedPage.tsx')).FeaturedPage),
    server: import.meta.env.SSR && {
      module: 'features/content/web/pages/FeaturedPage.tsx',
      description: 'À la une du comité social et économique.',
      isIndexed: true,
      questions: ({ id = '' }) => [featuredQuestion(id), neighboursQuestion('alaune', id)],
      about: ({ id = '' }, answers) => aboutFeatured(id, answers),
      questionsIfAbsent: [INSTEAD_QUESTIONS.featured],
    },
  },
  {
    path: '/Evenements',
    title: 'Nos événements',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/EventsPage.tsx')).EventsPage),
    server: import.meta.env.SSR && {
      module: 'features/content/web/pages/EventsPage.tsx',
      description: 'Les événements du comité social et économique, à venir et passés.',
      isIndexed: true,
      questions: () => [EVENTS_QUESTION],
    },
  },
  {
    path: '/event-detail/:id',
    title: 'Événement',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/EventPage.tsx')).EventPage),
    server: import.meta.env.SSR && {
      module: 'features/content/web/pages/EventPage.tsx',
      description: 'Un événement du comité social et économique.',
      isIndexed: true,
      questions: ({ id = '' }) => [eventQuestion(id), neighboursQuestion('events', id)],
      about: ({ id = '' }, answers) => aboutEvent(id, answers),
      questionsIfAbsent: [INSTEAD_QUESTIONS.events],
    },
  },
  {
    path: '/avantages',
    title: 'Vos avantages CSE',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/BenefitsPage.tsx')).BenefitsPage),
    server: import.meta.env.SSR && {
      module: 'features/content/web/pages/BenefitsPage.tsx',
      description: 'Les avantages que le comité social et économique a négociés pour vous.',
      isIndexed: true,
      questions: () => [BENEFITS_QUESTION],
    },
  },
  {
    path: '/avantage-detail/:id',
    title: 'Avantage',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/BenefitPage.tsx')).BenefitPage),
    server: import.meta.env.SSR && {
      module: 'features/content/web/pages/BenefitPage.tsx',
      description: 'Un avantage du comité social et économique.',
      isIndexed: true,
      questions: ({ id = '' }) => [benefitQuestion(id), neighboursQuestion('avantage', id)],
      about: ({ id = '' }, answers) => aboutBenefit(id, answers),
      questionsIfAbsent: [INSTEAD_QUESTIONS.benefits],
    },
  },
  {
    path: '/compte-rendus',
    title: 'Compte rendus',
    isRendered: true,
    Component: lazyPage(async () => (await import('./minutes/MinutesPage.tsx')).MinutesPage),
    server: import.meta.env.SSR && {
      module: 'features/content/web/minutes/MinutesPage.tsx',
      description: 'Les comptes rendus des réunions du comité social et économique.',
      isIndexed: false,
      questions: () => [MINUTES_ACCESS],
    },
  },
];

export const contentItemPages: readonly ItemPage[] = [
  { path: '/actu-modify/:id', title: 'Modifier une actualité' },
  { path: '/une-modify/:id', title: 'Modifier un élément À la Une' },
  { path: '/event-modify/:id', title: 'Modifier un événement' },
  { path: '/avantage-modify/:id', title: 'Modifier un avantage' },
  { path: '/logo-modify/:id', title: 'Modifier un logo partenaire' },
  { path: '/compte-rendu-modify/:id', title: 'Modifier un compte rendu' },
];
