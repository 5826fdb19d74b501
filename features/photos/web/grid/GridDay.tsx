import { type MouseEvent, memo, useRef } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { GridTile } from './GridTile.tsx';
import { type GridGroup, type GridSlots, type Row, type Rows, rowOf } from './layout.ts';
import { useWindowed } from './useWindowed.ts';

interface GridDayProps extends GridSlots {
  group: GridGroup;
  laid: Rows;
  /** Place of its first photo among all. */
  from: number;
  /** The photo that Tab leads to, when it is one of these; it is drawn wherever the window is. */
  entry: number | undefined;
  ticked: ReadonlySet<number> | undefined;
  onPress(photo: Photo, event: MouseEvent): void;
}

/** A day of the grid: its heading, which stays in sight, what comes before its photos, and those that are near. */
export const GridDay = memo(function GridDay({ group, laid, ...rest }: GridDayProps) {
  const list = useRef<HTMLUListElement>(null);
  const windowed = useWindowed(list, laid.rows);
  const { id, title, photos } = group;
  const titleId = `jour-${id}`;
  return (
    <section aria-labelledby={titleId} className="photo-day">
      <div className="photo-day-bar">
        <h3 id={titleId} tabIndex={-1} className="photo-day-title">
          {title}
        </h3>
        {group.actions}
      </div>
      {group.intro}
      {/* biome-ignore lint/a11y/noRedundantRoles: without its marks, a list is none for some screen readers */}
      <ul ref={list} role="list" data-day={id} className="relative" style={{ height: laid.height }}>
        {rowsToDraw(laid.rows, windowed, entryRow(rest.entry, photos, laid.rows)).flatMap((row) =>
          row.tiles.map(({ left, width }, column) => {
            const place = row.first + column;
            const photo = photos[place];
            if (!photo) return null;
            return (
              <GridTile
                key={photo.id}
                photo={photo}
                name={rest.nameOf(photo, rest.from + place)}
                {...{ left, width, place }}
                top={row.top}
                height={row.height}
                count={photos.length}
                isEntry={photo.id === rest.entry}
                isTicked={rest.ticked?.has(photo.id)}
                overlay={rest.overlay}
                actions={rest.actions}
                onPress={rest.onPress}
              />
            );
          }),
        )}
      </ul>
    </section>
  );
});

function entryRow(
  entry: number | undefined,
  photos: readonly Photo[],
  rows: readonly Row[],
): number | undefined {
  const place = entry === undefined ? -1 : photos.findIndex(({ id }) => id === entry);
  return place < 0 ? undefined : rowOf(rows, place);
}

function rowsToDraw(
  rows: readonly Row[],
  { first, end }: { first: number; end: number },
  entry: number | undefined,
): Row[] {
  const near = rows.slice(first, end);
  const row = entry === undefined ? undefined : rows[entry];
  if (!row || near.includes(row)) return near;
  return (entry ?? 0) < first ? [row, ...near] : [...near, row];
}
