import { type ItemPage, lazyPage, type Page } from '#platform/web/pages.tsx';

export const membersPages: readonly Page[] = [
  {
    path: '/membres',
    title: 'Notre équipe',
    isRendered: true,
    Component: lazyPage(async () => (await import('./OrgChartPage.tsx')).OrgChartPage),
    server: import.meta.env.SSR && {
      module: 'features/members/web/OrgChartPage.tsx',
      description: 'L’organigramme\u202f: qui fait quoi, et comment joindre chaque personne.',
      isIndexed: true,
      questions: () => [{ key: 'GET /employe/orgchart' }],
    },
  },
];

export const memberItemPages: readonly ItemPage[] = [
  { path: '/employe-modify/:id', title: 'Modifier un employé' },
];
