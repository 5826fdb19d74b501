import type { QueryClient } from '@tanstack/react-query';
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
  newsQuestion,
  readPageNumber,
} from '#features/content/web/pages/questions.ts';
import { CHART_QUESTION } from '#features/members/web/useChart.ts';
import { IDENTITY } from '#features/site/web/legal/LegalPage.tsx';
import type { About, Question } from '#platform/shared/page.ts';

/*
 * What only the server asks of a page: it is kept out of browsers, which would fetch it with every page. Keyed by
 * the page's source.
 */

/** What the address says beside the page: parts of its path, and its query. */
export type Place = Record<string, string | undefined>;

interface PageContent {
  description: string;
  isIndexed: boolean;
  /** Where it begins, when its address has a part that changes and it is nobody's page in particular. */
  firstAddress?: string;
  /** The calls whose answers it shows. */
  questions?(place: Place): readonly Question[];
  /** What the answers make of it; undefined when they say that there is no such page, which is then a 404. */
  about?(place: Place, answers: QueryClient): About | undefined;
}

const CONTENTS = {
  'features/content/web/pages/NewsPage.tsx': {
    description: 'Une actualité du comité social et économique.',
    isIndexed: true,
    questions: ({ actualite = '' }) => [newsQuestion(actualite)],
    about: ({ actualite = '' }, answers) => aboutNews(actualite, answers),
  },
  'features/content/web/pages/AllNewsPage.tsx': {
    description: 'Les actualités du comité social et économique.',
    isIndexed: true,
    firstAddress: '/?actualites=1',
    questions: ({ actualites = '' }) => {
      const page = readPageNumber(actualites);
      return page === undefined ? [] : [allNewsQuestion(page)];
    },
    about: ({ actualites = '' }, answers) => aboutAllNews(actualites, answers),
  },
  'features/content/web/pages/HomePage.tsx': {
    description: 'Actualités, avantages, événements et partenaires du comité social et économique.',
    isIndexed: true,
    questions: () => Object.values(HOME_QUESTIONS),
  },
  'features/content/web/pages/FeaturedPage.tsx': {
    description: 'À la une du comité social et économique.',
    isIndexed: true,
    questions: ({ id = '' }) => [featuredQuestion(id)],
    about: ({ id = '' }, answers) => aboutFeatured(id, answers),
  },
  'features/content/web/pages/EventsPage.tsx': {
    description: 'Les événements du comité social et économique, à venir et passés.',
    isIndexed: true,
    questions: () => [EVENTS_QUESTION],
  },
  'features/content/web/pages/EventPage.tsx': {
    description: 'Un événement du comité social et économique.',
    isIndexed: true,
    questions: ({ id = '' }) => [eventQuestion(id)],
    about: ({ id = '' }, answers) => aboutEvent(id, answers),
  },
  'features/content/web/pages/BenefitsPage.tsx': {
    description: 'Les avantages que le comité social et économique a négociés pour vous.',
    isIndexed: true,
    questions: () => [BENEFITS_QUESTION],
  },
  'features/content/web/pages/BenefitPage.tsx': {
    description: 'Un avantage du comité social et économique.',
    isIndexed: true,
    questions: ({ id = '' }) => [benefitQuestion(id)],
    about: ({ id = '' }, answers) => aboutBenefit(id, answers),
  },
  'features/site/web/legal/AboutPage.tsx': {
    description: 'Ce que fait le comité social et économique, avec quels moyens, et qui y siège.',
    isIndexed: true,
  },
  'features/site/web/legal/LegalNoticePage.tsx': {
    description: 'Qui publie ce site, qui l’héberge, et comment écrire au comité social et économique.',
    isIndexed: true,
    questions: () => [IDENTITY],
  },
  'features/privacy/web/legal/PrivacyPage.tsx': {
    description: 'Les données que ce site garde, pourquoi, combien de temps, et vos droits.',
    isIndexed: true,
    questions: () => [IDENTITY],
  },
  'features/privacy/web/legal/PhotoPolicyPage.tsx': {
    description: 'Comment les photos des séjours sont vérifiées, montrées, puis effacées.',
    isIndexed: true,
    questions: () => [IDENTITY],
  },
  'features/site/web/legal/AccessibilityPage.tsx': {
    description: 'Déclaration d’accessibilité du site, et que faire quand une page vous résiste.',
    isIndexed: true,
    questions: () => [IDENTITY],
  },
  'features/members/web/OrgChartPage.tsx': {
    description: 'L’organigramme\u202f: qui fait quoi, et comment joindre chaque personne.',
    isIndexed: true,
    questions: () => [CHART_QUESTION],
  },
  'features/accounts/web/PortalSignInPage.tsx': {
    description: 'Connexion des administrateurs.',
    isIndexed: false,
  },
  'features/stays/web/StaySignInPage.tsx': {
    description: 'Connexion des familles et des directeurs de séjour.',
    isIndexed: false,
  },
  'features/photos/web/stay/StayPage.tsx': {
    description: 'Les photos d’un séjour, pour ses familles.',
    isIndexed: false,
  },
  'features/photos/web/stay/DirectorPage.tsx': {
    description: 'Un séjour, pour ses directeurs.',
    isIndexed: false,
  },
  'features/content/web/minutes/MinutesPage.tsx': {
    description: 'Les comptes rendus des réunions du comité social et économique.',
    isIndexed: false,
  },
  'app/web/portal/PortalPage.tsx': {
    description: 'Le portail des administrateurs.',
    isIndexed: false,
  },
  'app/web/NotFoundPage.tsx': {
    description: 'Cette page n’existe pas.',
    isIndexed: false,
  },
} satisfies Record<string, PageContent>;

export type PageModule = keyof typeof CONTENTS;

export function contentOf(module: PageModule): PageContent {
  return CONTENTS[module];
}
