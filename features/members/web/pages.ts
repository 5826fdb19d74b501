import { type ItemPage, lazyPage, type Page, type PageContent } from '#platform/web/pages.tsx';
import { CHART_QUESTION } from './questions.ts';

export const membersPages = [
  {
    path: '/membres',
    title: 'Notre équipe',
    isRendered: true,
    module: 'features/members/web/OrgChartPage.tsx',
    Component: lazyPage(async () => (await import('./OrgChartPage.tsx')).OrgChartPage),
  },
] as const satisfies readonly Page[];

export const memberItemPages: readonly ItemPage[] = [
  { path: '/employe-modify/:id', title: 'Modifier un employé' },
];

/** What only the server needs to know of each page, so that browsers do not load it. */
export const membersContents: Record<(typeof membersPages)[number]['module'], PageContent> = {
  'features/members/web/OrgChartPage.tsx': {
    description: 'L’organigramme\u202f: qui fait quoi, et comment joindre chaque personne.',
    isIndexed: true,
    questions: () => [CHART_QUESTION],
  },
};
