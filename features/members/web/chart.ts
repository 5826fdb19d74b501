import type { ChartNode } from '#features/members/calls.ts';
import { wordsOf } from '#platform/shared/fold.ts';

/** A person of the chart, and the ids of those above, the highest first. */
export interface Place {
  person: ChartNode;
  above: readonly number[];
}

/** Everybody in the order in which the chart is read. */
export function placesIn(nodes: readonly ChartNode[], above: readonly number[] = []): Place[] {
  return nodes.flatMap((person) => [{ person, above }, ...placesIn(person.children, [...above, person.id])]);
}

/** A chart of more people than these shows its first two levels only. */
const MOST_OPEN = 40;
const FIRST_LEVELS = 2;

/** Whose teams are not shown when the page comes. */
export function foldedAtFirst(places: readonly Place[]): ReadonlySet<number> {
  const isLarge = places.length > MOST_OPEN;
  return withTeam(places.filter(({ above }) => isLarge && above.length >= FIRST_LEVELS - 1));
}

/** The ids of those who have a team. */
export function withTeam(places: readonly Place[]): ReadonlySet<number> {
  return new Set(places.flatMap(({ person }) => (person.children.length > 0 ? [person.id] : [])));
}

export function nameOf({ prenom, nom }: ChartNode): string {
  return `${prenom} ${nom}`;
}

/** Those who have every word of `asked` in their name or their post. */
export function matching(places: readonly Place[], asked: readonly string[]): Place[] {
  if (asked.length === 0) return [];
  return places.filter(({ person }) => {
    const words = wordsOf(`${nameOf(person)} ${person.poste}`);
    return asked.every((one) => words.some((word) => word.includes(one)));
  });
}
