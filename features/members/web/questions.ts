import type { Question } from '#platform/shared/page.ts';

export const CHART_QUESTION = { key: 'GET /employe/orgchart' } as const satisfies Question;
