import type { ReplyOf } from '#platform/shared/call.ts';
import type { Question } from '#platform/shared/page.ts';
import { panelAddress } from '#platform/web/portal.ts';
import type { CountedStay } from './stays.ts';

/** Queries about stays for the panels of staff. */

export type ManagedStay = Extract<ReplyOf<'GET /stages/:id'>, { version: number }>;

export function stayQuestion(id: string) {
  return { key: 'GET /stages/:id', params: { id } } as const satisfies Question;
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
