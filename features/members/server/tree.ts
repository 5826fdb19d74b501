import { illustrationsOf } from '#features/content/server/items/files.ts';
import type { ChartNode } from '#features/members/calls.ts';
import { byName } from '#platform/server/byName.ts';
import type { EmployeeRow } from './store.ts';

/** Who stands above whom. */

/** Levels of the chart at most. */
export const MAX_LEVELS = 20;

/** A person as far as their place goes. */
export type Placed = Pick<EmployeeRow, 'id' | 'manager_id'>;

function byRank(a: EmployeeRow, b: EmployeeRow): number {
  return Number(b.role === 'Responsable') - Number(a.role === 'Responsable') || byName(a, b);
}

/** The chart as visitors see it, of rows that are not in the bin. */
export function chartOf(rows: readonly EmployeeRow[]): ChartNode[] {
  const teams = Map.groupBy([...rows].sort(byRank), (row) => row.manager_id);
  const team = (id: number | null): ChartNode[] =>
    (teams.get(id) ?? []).map((row) => ({
      id: row.id,
      nom: row.nom,
      prenom: row.prenom,
      poste: row.poste,
      role: row.role,
      email: row.email_public ? row.email || null : null,
      telephone: row.telephone_public ? row.telephone || null : null,
      photo: row.photo_public ? row.photo : null,
      illustrations: row.photo_public ? illustrationsOf(row) : [],
      cadrage_x: row.cadrage_x,
      cadrage_y: row.cadrage_y,
      children: team(row.id),
    }));
  return team(null);
}

/** Whoever stands above a person, nearest first. */
export function above<P extends Placed>(people: ReadonlyMap<number | null, P>, person: Placed): P[] {
  const found: P[] = [];
  let next = people.get(person.manager_id);
  // No further than a chart goes: a circle, which only another program could have written, must end as well.
  while (next && found.length < MAX_LEVELS) {
    found.push(next);
    next = people.get(next.manager_id);
  }
  return found;
}

/** True when somebody stands deeper than the chart may go. */
export function isTooDeep(people: readonly Placed[]): boolean {
  const byId = new Map<number | null, Placed>(people.map((one) => [one.id, one]));
  return people.some((person) => above(byId, person).length >= MAX_LEVELS);
}
