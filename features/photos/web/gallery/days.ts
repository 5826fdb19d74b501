import type { Photo } from '#features/photos/calls.ts';

export interface Day {
  jour: string;
  /** What the directors tell of it; blank when they told nothing. */
  mot: string;
  photos: readonly Photo[];
}

/** The photos by day, the latest first, as they come; with `words`, days of which there are words alone too. */
export function daysOf(photos: readonly Photo[], words: ReadonlyMap<string, string>, isAll: boolean): Day[] {
  const byDay = new Map<string, Photo[]>();
  for (const photo of photos) {
    const list = byDay.get(photo.jour);
    if (list) list.push(photo);
    else byDay.set(photo.jour, [photo]);
  }
  const told = isAll ? [...words.keys()].filter((jour) => words.get(jour)) : [];
  return [...new Set([...byDay.keys(), ...told])]
    .sort()
    .reverse()
    .map((jour) => ({ jour, mot: words.get(jour) ?? '', photos: byDay.get(jour) ?? [] }));
}
