import { IDENTITY } from '#features/site/web/questions.ts';
import { lazyPage, type Page } from '#platform/web/pages.tsx';

export const privacyPages: readonly Page[] = [
  {
    path: '/politique-confidentialite',
    title: 'Politique de confidentialité',
    isRendered: true,
    Component: lazyPage(async () => (await import('./legal/PrivacyPage.tsx')).PrivacyPage),
    server: import.meta.env.SSR && {
      module: 'features/privacy/web/legal/PrivacyPage.tsx',
      description: 'Les données que ce site garde, pourquoi, combien de temps, et vos droits.',
      isIndexed: true,
      questions: () => [IDENTITY],
    },
  },
  {
    path: '/politique-photos',
    title: 'Politique photos',
    isRendered: true,
    Component: lazyPage(async () => (await import('./legal/PhotoPolicyPage.tsx')).PhotoPolicyPage),
    server: import.meta.env.SSR && {
      module: 'features/privacy/web/legal/PhotoPolicyPage.tsx',
      description: 'Comment les photos des séjours sont vérifiées, montrées, puis effacées.',
      isIndexed: true,
      questions: () => [IDENTITY],
    },
  },
];
