import type { ReplyOf } from '#platform/shared/call.ts';

/** Employees as one chooses among them. */

export const EMPLOYEES = { key: 'GET /employes' } as const;
export type Employee = ReplyOf<'GET /employes'>[number];

/** Said where a superior would stand. */
export const NOBODY = 'Personne (en haut de l’organigramme)';

/** Each followed by those below, without `left` and everyone under them. */
export function inTreeOrder(
  people: readonly Employee[],
  left: number | undefined,
  manager: number | null = null,
  depth = 0,
): { person: Employee; depth: number }[] {
  return people
    .filter(({ id, manager_id }) => manager_id === manager && id !== left)
    .flatMap((person) => [{ person, depth }, ...inTreeOrder(people, left, person.id, depth + 1)]);
}
