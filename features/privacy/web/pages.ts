import { IDENTITY } from '#features/site/web/questions.ts';
import { lazyPage, type Page, type PageContent } from '#platform/web/pages.tsx';

export const privacyPages = [
  {
    path: '/politique-confidentialite',
    title: 'Politique de confidentialité',
    isRendered: true,
    module: 'features/privacy/web/legal/PrivacyPage.tsx',
    Component: lazyPage(async () => (await import('./legal/PrivacyPage.tsx')).PrivacyPage),
  },
  {
    path: '/politique-photos',
    title: 'Politique photos',
    isRendered: true,
    module: 'features/privacy/web/legal/PhotoPolicyPage.tsx',
    Component: lazyPage(async () => (await import('./legal/PhotoPolicyPage.tsx')).PhotoPolicyPage),
  },
] as const satisfies readonly Page[];

/** Contents of each page that only the server needs. */
export const privacyContents: Record<(typeof privacyPages)[number]['module'], PageContent> = {
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
};
