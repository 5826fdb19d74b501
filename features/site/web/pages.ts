import { lazyPage, type Page, type PageContent } from '#platform/web/pages.tsx';
import { IDENTITY } from './legal/LegalPage.tsx';

export const sitePages = [
  {
    path: '/a-propos',
    title: 'Nos Missions',
    isRendered: true,
    module: 'features/site/web/legal/AboutPage.tsx',
    Component: lazyPage(async () => (await import('./legal/AboutPage.tsx')).AboutPage),
  },
  {
    path: '/contact',
    title: 'Contact',
    isRendered: true,
    module: 'features/site/web/ContactPage.tsx',
    Component: lazyPage(async () => (await import('./ContactPage.tsx')).ContactPage),
  },
  {
    path: '/mentions-legales',
    title: 'Mentions légales',
    isRendered: true,
    module: 'features/site/web/legal/LegalNoticePage.tsx',
    Component: lazyPage(async () => (await import('./legal/LegalNoticePage.tsx')).LegalNoticePage),
  },
  {
    path: '/accessibilite',
    title: 'Accessibilité',
    isRendered: true,
    module: 'features/site/web/legal/AccessibilityPage.tsx',
    Component: lazyPage(async () => (await import('./legal/AccessibilityPage.tsx')).AccessibilityPage),
  },
] as const satisfies readonly Page[];

/** What only the server needs to know of each page, so that browsers do not load it. */
export const siteContents: Record<(typeof sitePages)[number]['module'], PageContent> = {
  'features/site/web/legal/AboutPage.tsx': {
    description: 'Ce que fait le comité social et économique, avec quels moyens, et qui y siège.',
    isIndexed: true,
  },
  'features/site/web/ContactPage.tsx': {
    description: 'Écrire au comité social et économique\u202f: une question, une idée, une difficulté.',
    isIndexed: true,
  },
  'features/site/web/legal/LegalNoticePage.tsx': {
    description: 'Qui publie ce site, qui l’héberge, et comment écrire au comité social et économique.',
    isIndexed: true,
    questions: () => [IDENTITY],
  },
  'features/site/web/legal/AccessibilityPage.tsx': {
    description: 'Déclaration d’accessibilité du site, et que faire quand une page vous résiste.',
    isIndexed: true,
    questions: () => [IDENTITY],
  },
};
