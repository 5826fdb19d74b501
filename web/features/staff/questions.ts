import type { Question } from '../../../shared/page.ts';

export const CHART_QUESTION = { key: 'GET /employe/orgchart' } as const satisfies Question;
