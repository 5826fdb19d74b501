import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import type { ChartNode } from '#features/members/calls.ts';
import { askedWords, wordsOf } from '#platform/shared/fold.ts';
import type { Question } from '#platform/shared/page.ts';

/** State of the chart: which teams are folded, the search, and the current person. */
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
    /** Index in `found` of the current person; -1 when there is none. */
    at,
    current: current?.id,
    lookFor(text: string) {
      setSearch(text);
      setCurrent(undefined);
      setFolded(without(folded, matching(places, askedWords(text))));
    },
    goToNext() {
      const next = found[(at + 1) % found.length];
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

/** The ids of people whose teams are folded when the page opens. */
function foldedAtFirst(places: readonly Place[]): ReadonlySet<number> {
  const isLarge = places.length > MOST_OPEN;
  return withTeam(places.filter(({ above }) => isLarge && above.length >= FIRST_LEVELS - 1));
}

/** The ids of the people who have a team. */
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

export const CHART_QUESTION = { key: 'GET /employe/orgchart' } as const satisfies Question;
