import { lazyPage, type Page } from '#platform/web/pages.tsx';

export const eveningsPages: readonly Page[] = [
  {
    path: '/soir',
    title: 'Message du soir',
    isRendered: true,
    Component: lazyPage(async () => (await import('./StopPage.tsx')).StopPage),
    server: import.meta.env.SSR && {
      module: 'features/evenings/web/StopPage.tsx',
      description: 'Ne plus recevoir le message du soir.',
      isIndexed: false,
    },
  },
];
