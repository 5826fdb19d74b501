import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { askedWords, wordsOf } from '#platform/shared/fold.ts';
import type { ChartNode } from '../calls.ts';

export function useChart(chart: readonly ChartNode[]) {
  const places = useMemo(() => placesIn(chart), [chart]);
  const [folded, setFolded] = useState(() => foldedAtFirst(places));
  const [search, setSearch] = useState('');
  // An object, so that going to the same person twice is a change.
  const [current, setCurrent] = useState<{ id: number }>();
  const asked = useMemo(() => askedWords(search), [search]);
  const found = useMemo(() => matching(places, asked), [places, asked]);
  const at = found.findIndex(({ person }) => person.id === current?.id);
  const { hash } = useLocation();
  const begin = useCallback(() => setFolded(foldedAtFirst(places)), [places]);

  useEffect(() => {
    const id = Number(/^#employe-(\d+)$/.exec(hash)?.[1]);
    const named = places.filter(({ person }) => person.id === id);
    if (named.length === 0) return;
    setFolded((old) => without(old, named));
    setCurrent({ id });
  }, [hash, places]);

  useEffect(() => {
    if (!current) return;
    document.getElementById(anchorOf(current))?.scrollIntoView({ block: 'center', inline: 'center' });
  }, [current]);

  return {
    folded,
    search,
    asked,
    found,
    isFound: (person: ChartNode) => found.some((one) => one.person === person),
    /** Index in `found` of the current person; -1 when there is none. */
    at,
    current: current?.id,
    /** Unfolds what hides the people found, and goes to the first of them. */
    lookFor(text: string) {
      const matches = matching(places, askedWords(text));
      setSearch(text);
      setCurrent(matches[0] && { id: matches[0].person.id });
      setFolded(without(folded, matches));
    },
    /** Goes to the next person found, or to the one before; after the last comes the first. */
    goOn(by: 1 | -1) {
      const next = found.at((Math.max(at, 0) + by) % found.length);
      if (!next) return;
      setFolded(without(folded, [next]));
      setCurrent({ id: next.person.id });
    },
    toggle(id: number) {
      const rest = new Set(folded);
      if (!rest.delete(id)) rest.add(id);
      setFolded(rest);
    },
    unfoldAll: () => setFolded(new Set()),
    foldAll: () => setFolded(withTeam(places)),
    begin,
    /** Folds the teams of the lowest level that is shown; false when only the highest is left. */
    foldLowest(): boolean {
      const shown = places.filter(({ above }) => !above.some((id) => folded.has(id)));
      const open = shown.filter(({ person }) => person.children.length > 0 && !folded.has(person.id));
      const lowest = Math.max(0, ...open.map(({ above }) => above.length));
      if (open.length === 0 || (lowest === 0 && chart.length === 1)) return false;
      setFolded(new Set([...folded, ...withTeam(open.filter(({ above }) => above.length === lowest))]));
      return true;
    },
  };
}

export type Chart = ReturnType<typeof useChart>;

/** The id of a person’s element, used as an anchor in addresses. */
export function anchorOf({ id }: { id: number }): string {
  return `employe-${id}`;
}

/** The teams that stay folded when these people have to be visible. */
function without(folded: ReadonlySet<number>, seen: readonly Place[]): ReadonlySet<number> {
  const open = new Set(seen.flatMap(({ above }) => above));
  return new Set([...folded].filter((id) => !open.has(id)));
}

/** A person of the chart, and the ids of the managers above, the highest first. */
interface Place {
  person: ChartNode;
  above: readonly number[];
}

/** All people, in the reading order of the chart. */
function placesIn(nodes: readonly ChartNode[], above: readonly number[] = []): Place[] {
  return nodes.flatMap((person) => [{ person, above }, ...placesIn(person.children, [...above, person.id])]);
}

/** A chart with more people than this shows only its first two levels at first. */
const MOST_OPEN = 40;
const FIRST_LEVELS = 2;

function foldedAtFirst(places: readonly Place[]): ReadonlySet<number> {
  const isLarge = places.length > MOST_OPEN;
  return withTeam(places.filter(({ above }) => isLarge && above.length >= FIRST_LEVELS - 1));
}

function withTeam(places: readonly Place[]): ReadonlySet<number> {
  return new Set(places.flatMap(({ person }) => (person.children.length > 0 ? [person.id] : [])));
}

export function nameOf({ prenom, nom }: ChartNode): string {
  return `${prenom} ${nom}`;
}

/** The people who have every word of `asked` in their name or their post. */
function matching(places: readonly Place[], asked: readonly string[]): Place[] {
  if (asked.length === 0) return [];
  return places.filter(({ person }) => {
    const words = wordsOf(`${nameOf(person)} ${person.poste}`);
    return asked.every((one) => words.some((word) => word.includes(one)));
  });
}
