import { type ItemPage, lazyPage, type Page } from '#platform/web/pages.tsx';
import { CHART_QUESTION } from './questions.ts';

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
      questions: () => [CHART_QUESTION],
    },
  },
];

export const memberItemPages: readonly ItemPage[] = [
  { path: '/employe-modify/:id', title: 'Modifier un employé' },
];
