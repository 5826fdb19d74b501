import type { ReplyOf } from '#platform/shared/call.ts';
import { panelAddress } from '#platform/web/portal.ts';
import type { AskedQuestion } from '#platform/web/questions.ts';
import type { Viewer } from './sessions.ts';
import type { CountedStay } from './stays.ts';

/** Queries about one stay: for staff without `as`, else for who signed in to it or looks at it as a family. */

export type ManagedStay = Extract<ReplyOf<'GET /stages/:id'>, { version: number }>;

/** Interval in ms at which a page checks again whether the stay is still open to its viewer. */
export const STILL_OPEN = { every: () => 5 * 60_000 };

export function stayQuestion(id: number | string, as?: Viewer) {
  return { key: 'GET /stages/:id', params: { id }, ...(as && { as }) } as const satisfies AskedQuestion;
}

export function bookletsQuestion(as?: Viewer) {
  return { key: 'GET /livrets', ...(as && { as }) } as const satisfies AskedQuestion;
}

export function childrenQuestion(id: number, as?: Viewer) {
  const question = { key: 'GET /get-stagiaires/:id', params: { id }, ...(as && { as }) } as const;
  return question satisfies AskedQuestion;
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

export const STAYS_ADDRESS = panelAddress('sejours');

/** The page of a stay as its families see it. */
export function familyViewAddress(id: number): string {
  return `/stage-details/${id}`;
}

/** « 12 enfants, 1 directeur »; zero is worded as well. */
export function peopleOf({ familles, directeurs }: Pick<CountedStay, 'familles' | 'directeurs'>): string {
  const count = (number: number, none: string, one: string) =>
    number === 0 ? none : `${number} ${one}${number > 1 ? 's' : ''}`;
  const children = count(familles, 'aucun enfant', 'enfant');
  return `${children}, ${count(directeurs, 'aucun directeur', 'directeur')}`;
}
