import type { Viewer } from '#features/stays/web/sessions.ts';
import type { AskedQuestion } from '#platform/web/questions.ts';

/** Interval in ms at which a page checks again whether the stay is still open to its viewer. */
export const STILL_OPEN = { every: () => 5 * 60_000 };

export function stayQuestion(id: number, as: Viewer) {
  return { key: 'GET /stages/:id', params: { id }, as } as const satisfies AskedQuestion;
}

export function bookletsQuestion(as: Viewer) {
  return { key: 'GET /livrets', as } as const satisfies AskedQuestion;
}

export function childrenQuestion(id: number) {
  return { key: 'GET /get-stagiaires/:id', params: { id }, as: 'stay' } as const satisfies AskedQuestion;
}

export function directorsQuestion(id: number) {
  return { key: 'GET /formateurs/by-stage/:id', params: { id }, as: 'stay' } as const satisfies AskedQuestion;
}

export function reviewQuestion(id: number) {
  return { key: 'GET /stages/:id/bilan', params: { id }, as: 'stay' } as const satisfies AskedQuestion;
}

export function evaluationQuestion(id: number) {
  return { key: 'GET /stages/:id/evaluation', params: { id }, as: 'stay' } as const satisfies AskedQuestion;
}

export function dayWordsQuestion(id: number, as: Viewer = 'stay') {
  return { key: 'GET /stages/:id/jours', params: { id }, as } as const satisfies AskedQuestion;
}
