import { MINUTES_ACCESS } from '#features/site/web/questions.ts';
import { type ItemPage, lazyPage, type Page, type PageContent, type Place } from '#platform/web/pages.tsx';
import {
  aboutItem,
  BENEFITS_QUESTION,
  benefitQuestion,
  eventQuestion,
  featuredQuestion,
  HOME_QUESTIONS,
  INSTEAD_QUESTIONS,
  neighboursQuestion,
  newsQuestion,
  PAGED,
  type Paged,
  pageQuestion,
  readPageNumber,
  titleOfPage,
} from './pages/questions.ts';

/** What asks for one item, and for others to show in the place of one that is gone, by the path of its calls. */
const ITEMS = {
  actualites: [newsQuestion, INSTEAD_QUESTIONS.news],
  alaune: [featuredQuestion, INSTEAD_QUESTIONS.featured],
  events: [eventQuestion, INSTEAD_QUESTIONS.events],
  avantage: [benefitQuestion, INSTEAD_QUESTIONS.benefits],
} as const;

function itemContent(description: string, file: string, list: keyof typeof ITEMS): PageContent {
  const [question, instead] = ITEMS[list];
  const idOf = ({ id, actualite }: Place) => id ?? actualite ?? '';
  return {
    module: `features/content/web/pages/${file}.tsx`,
    description,
    isIndexed: true,
    questions: (place) => [question(idOf(place)), neighboursQuestion(list, idOf(place))],
    about: (place, answers) => aboutItem(question(idOf(place)), answers),
    questionsIfAbsent: [instead],
  };
}

function pagedContent(description: string, file: string, list: Paged): PageContent {
  return {
    module: `features/content/web/pages/${file}.tsx`,
    description,
    isIndexed: true,
    firstAddress: list === 'page' ? '/Evenements' : `/?${list}=1`,
    numberedBy: list,
    questions: (place) => [pageQuestion(list, readPageNumber(place[list]))],
    about: (place, answers) => {
      const title = titleOfPage(list, place[list], answers);
      return title === undefined ? undefined : { title, description };
    },
  };
}

const ALL = {
  path: '/',
  isRendered: true,
  Component: lazyPage(async () => (await import('./pages/AllItemsPage.tsx')).AllItemsPage),
};

export const contentPages: readonly Page[] = [
  {
    path: '/',
    query: 'actualite',
    title: 'Actualité',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/NewsPage.tsx')).NewsPage),
    server:
      import.meta.env.SSR &&
      itemContent('Une actualité du comité social et économique.', 'NewsPage', 'actualites'),
  },
  {
    ...ALL,
    query: 'actualites',
    title: PAGED.actualites.title,
    server:
      import.meta.env.SSR &&
      pagedContent('Les actualités du comité social et économique.', 'AllItemsPage', 'actualites'),
  },
  {
    ...ALL,
    query: 'unes',
    title: PAGED.unes.title,
    server:
      import.meta.env.SSR &&
      pagedContent(
        'À la une du comité social et économique, le plus récent d’abord.',
        'AllItemsPage',
        'unes',
      ),
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
    server:
      import.meta.env.SSR &&
      itemContent('À la une du comité social et économique.', 'FeaturedPage', 'alaune'),
  },
  {
    path: '/Evenements',
    title: PAGED.page.title,
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/EventsPage.tsx')).EventsPage),
    server:
      import.meta.env.SSR &&
      pagedContent('Les événements du comité social et économique, à venir et passés.', 'EventsPage', 'page'),
  },
  {
    path: '/event-detail/:id',
    title: 'Événement',
    isRendered: true,
    Component: lazyPage(async () => (await import('./pages/EventPage.tsx')).EventPage),
    server:
      import.meta.env.SSR &&
      itemContent('Un événement du comité social et économique.', 'EventPage', 'events'),
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
    server:
      import.meta.env.SSR &&
      itemContent('Un avantage du comité social et économique.', 'BenefitPage', 'avantage'),
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
