/*
 * The order of the photos of a day: by `rang`, an instant written as ISO text, then by `id`. The server and the page that
 * moves photos compute it alike, so that a photo is in its new place before the answer has come.
 */

export interface Ranked {
  id: number;
  rang: string;
}

/**
 * Moves photos of a day right before another one, or to its end when `before` is null; returns the photos whose `rang`
 * changes, none when all stand there already. `day`: its photos in order, among them `before`, which is not moved. The
 * moved ones come 1 ms after the photo before them; those after them are pushed by 1 ms only where they would collide, as
 * photos that are still on their way find their place by when they were taken.
 */
export function placeBefore(
  day: readonly Ranked[],
  moved: readonly number[],
  before: number | null,
): Ranked[] {
  const found = new Map(day.map((photo) => [photo.id, photo]));
  const placed = [...new Set(moved)].flatMap((id) => found.get(id) ?? []);
  const isMoved = new Set(placed);
  const others = day.filter((photo) => !isMoved.has(photo));
  const at = before === null ? others.length : others.findIndex(({ id }) => id === before);
  const order = [...others.slice(0, at), ...placed, ...others.slice(at)];
  if (order.every((photo, place) => photo === day[place])) return [];
  const changed: Ranked[] = [];
  let last = others[at - 1]?.rang ?? shifted((others[0] ?? (day[0] as Ranked)).rang, -placed.length - 1);
  for (const { id, rang } of order.slice(at)) {
    if (changed.length >= placed.length && rang > last) break;
    last = shifted(last, 1);
    changed.push({ id, rang: last });
  }
  return changed;
}

function shifted(rang: string, ms: number): string {
  return new Date(Date.parse(rang) + ms).toISOString();
}
