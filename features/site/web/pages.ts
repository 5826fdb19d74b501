import { askedWords } from '#platform/shared/fold.ts';
import { lazyPage, type Page } from '#platform/web/pages.tsx';
import { IDENTITY, MINUTES_ACCESS, readAsked, SEARCH_PATH, siteQuestion } from './questions.ts';

export const sitePages: readonly Page[] = [
  {
    path: '/a-propos',
    title: 'Nos Missions',
    isRendered: true,
    Component: lazyPage(async () => (await import('./legal/AboutPage.tsx')).AboutPage),
    server: import.meta.env.SSR && {
      module: 'features/site/web/legal/AboutPage.tsx',
      description:
        'Ce que le comité social et économique fait pour vous, ce que la loi lui confie, et qui y siège.',
      isIndexed: true,
      questions: () => [IDENTITY],
    },
  },
  {
    path: '/contact',
    title: 'Contact',
    isRendered: true,
    Component: lazyPage(async () => (await import('./ContactPage.tsx')).ContactPage),
    server: import.meta.env.SSR && {
      module: 'features/site/web/ContactPage.tsx',
      description: 'Écrire au comité social et économique\u202f: une question, une idée, une difficulté.',
      isIndexed: true,
    },
  },
  {
    path: SEARCH_PATH,
    title: 'Recherche',
    isRendered: true,
    Component: lazyPage(async () => (await import('./search/SearchPage.tsx')).SearchPage),
    server: import.meta.env.SSR && {
      module: 'features/site/web/search/SearchPage.tsx',
      description: 'Chercher dans les actualités, les événements, les avantages et l’organigramme.',
      isIndexed: false,
      questions: ({ q = '' }) => {
        const asked = readAsked(q);
        return askedWords(asked).length > 0 ? [siteQuestion(asked), MINUTES_ACCESS] : [];
      },
    },
  },
  {
    path: '/mentions-legales',
    title: 'Mentions légales',
    isRendered: true,
    Component: lazyPage(async () => (await import('./legal/LegalNoticePage.tsx')).LegalNoticePage),
    server: import.meta.env.SSR && {
      module: 'features/site/web/legal/LegalNoticePage.tsx',
      description: 'Qui publie ce site, qui l’héberge, et comment écrire au comité social et économique.',
      isIndexed: true,
      questions: () => [IDENTITY],
    },
  },
  {
    path: '/accessibilite',
    title: 'Accessibilité',
    isRendered: true,
    Component: lazyPage(async () => (await import('./legal/AccessibilityPage.tsx')).AccessibilityPage),
    server: import.meta.env.SSR && {
      module: 'features/site/web/legal/AccessibilityPage.tsx',
      description: 'Déclaration d’accessibilité du site, et que faire si une page vous pose problème.',
      isIndexed: true,
      questions: () => [IDENTITY],
    },
  },
];
