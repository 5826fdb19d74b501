import type { Photo } from '#features/photos/calls.ts';
import { placeAt, type Row, type Rows, rowOf } from './layout.ts';

interface Day {
  group: { photos: readonly Photo[] };
  laid: Rows;
}

/** The photo that a key leads to from another one; undefined: the key is none of ours, or there is no such photo. */
export function nextPlace(key: string, id: number, days: readonly Day[]): number | undefined {
  const dayPlace = days.findIndex(({ group }) => group.photos.some((photo) => photo.id === id));
  const day = days[dayPlace];
  if (!day) return undefined;
  const place = day.group.photos.findIndex((photo) => photo.id === id);
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    return verticalFrom(days, dayPlace, place, key === 'ArrowDown' ? 1 : -1);
  }
  const order = days.flatMap(({ group }) => group.photos);
  const overall = order.findIndex((photo) => photo.id === id);
  const next = { ArrowRight: overall + 1, ArrowLeft: overall - 1, Home: 0, End: order.length - 1 }[key];
  return next === undefined ? undefined : order[next]?.id;
}

/** The photo over, or under, the middle of another, in the day beside where its own day ends. */
function verticalFrom(
  days: readonly Day[],
  dayPlace: number,
  place: number,
  step: 1 | -1,
): number | undefined {
  const rows = days[dayPlace]?.laid.rows ?? [];
  const here = rowOf(rows, place);
  const row = rows[here];
  const tile = row?.tiles[place - row.first];
  if (!tile) return undefined;
  const [day, target] = besideRow(days, dayPlace, here + step, step);
  return target && day?.group.photos[placeAt(target, tile.left + tile.width / 2)]?.id;
}

function besideRow(days: readonly Day[], dayPlace: number, rowPlace: number, step: 1 | -1): [Day?, Row?] {
  const day = days[dayPlace];
  const row = day?.laid.rows[rowPlace];
  if (row) return [day, row];
  const other = days[dayPlace + step];
  return [other, step > 0 ? other?.laid.rows[0] : other?.laid.rows.at(-1)];
}
