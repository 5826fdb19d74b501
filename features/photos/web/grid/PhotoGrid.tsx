import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type Ref,
  type RefObject,
  startTransition,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useIsRendered } from '#platform/web/ui/inBrowser.tsx';
import type { Photo } from '../../calls.ts';
import { FirstRows } from './FirstRows.tsx';
import { GridTile } from './GridTile.tsx';
import {
  type GridGroup,
  type GridSlots,
  heightWanted,
  layFor,
  placeAt,
  type Row,
  type Rows,
  rowOf,
  rowsBetween,
} from './layout.ts';
import { useLongPress } from './useLongPress.ts';

/** Methods that a page can call on its grid. */
export interface GridHandle {
  /** Scrolls a photo into the window and focuses it. */
  reveal(id: number): void;
}

interface PhotoGridProps extends GridSlots {
  groups: readonly GridGroup[];
  onOpen(photo: Photo): void;
  /** If given, a press ticks a photo instead of opening it; with Shift, all photos since the last one pressed. */
  ticking?:
    | { ticked: ReadonlySet<number>; onTick(ids: readonly number[], isTicked: boolean): void }
    | undefined;
  /** If given, called with the photo on which a finger rests. */
  onHold?: ((id: number) => void) | undefined;
  handle?: Ref<GridHandle>;
  /** Wanted height of rows, in pixels, in a grid of this width; the same function each time. */
  rowHeight?: (width: number) => number;
}

/**
 * Photos in rows that fill the width; only rows near the window are rendered. Positions come from the photo sizes, so
 * nothing moves when pictures load; when photos come or go, what is in sight stays where it is.
 */
export function PhotoGrid({
  groups,
  onOpen,
  onHold,
  ticking,
  handle,
  rowHeight = heightWanted,
  ...slots
}: PhotoGridProps) {
  const root = useRef<HTMLDivElement>(null);
  // The rows of the server stay until those of the grid are ready.
  const isRendered = useIsRendered();
  const width = useGridWidth(root, isRendered);
  const days = useMemo(() => {
    let from = 0;
    return groups.map((group) => {
      const day = { group, from, laid: layFor(group.photos, width, rowHeight) };
      from += group.photos.length;
      return day;
    });
  }, [groups, width, rowHeight]);
  const order = useMemo(() => groups.flatMap(({ photos }) => photos), [groups]);
  useKeptPlace(root, days, order);
  useLongPress(root, onHold);

  /** The photo that had the focus last. */
  const [focused, setFocused] = useState<number>();
  /** The photo to focus as soon as it is drawn. */
  const wanted = useRef<number>(undefined);
  const entryPlace = Math.max(
    0,
    order.findIndex(({ id }) => id === focused),
  );
  const reveal = useCallback((id: number) => {
    wanted.current = id;
    setFocused(id);
    takeFocus(root.current, wanted);
  }, []);
  useLayoutEffect(() => takeFocus(root.current, wanted));
  useImperativeHandle(handle, () => ({ reveal }), [reveal]);

  const lastTicked = useRef<number>(undefined);
  const latest = useRef({ onOpen, ticking, order });
  useLayoutEffect(() => {
    latest.current = { onOpen, ticking, order };
  });
  const press = useCallback((photo: Photo, { shiftKey }: MouseEvent) => {
    const { onOpen, ticking, order } = latest.current;
    setFocused(photo.id);
    if (!ticking) return onOpen(photo);
    const from = shiftKey ? lastTicked.current : undefined;
    lastTicked.current = photo.id;
    ticking.onTick(idsBetween(order, from, photo.id), !ticking.ticked.has(photo.id));
  }, []);

  const openFirst = useCallback((photo: Photo) => latest.current.onOpen(photo), []);

  const onKeyDown = (event: KeyboardEvent) => {
    const id = Number((event.target as HTMLElement).dataset.photo);
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextPlace(event.key, id, days);
    if (next === undefined) return;
    event.preventDefault();
    reveal(next);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys move between the buttons inside
    <div ref={root} className="photo-grid" onKeyDown={onKeyDown}>
      {isRendered && width === 0 && days[0] && (
        <FirstDay group={days[0].group} nameOf={slots.nameOf} onOpen={openFirst} focused={wanted} />
      )}
      {width > 0 &&
        days.map(({ group, from, laid }) => (
          <GridDay
            key={group.id}
            group={group}
            from={from}
            laid={laid}
            entry={group.photos[entryPlace - from]?.id}
            {...slots}
            ticked={ticking?.ticked}
            onPress={press}
          />
        ))}
    </div>
  );
}

function takeFocus(root: HTMLElement | null, wanted: { current: number | undefined }): void {
  if (wanted.current === undefined) return;
  const button = root?.querySelector<HTMLElement>(`[data-photo="${wanted.current}"]`);
  if (!button) return;
  wanted.current = undefined;
  button.focus();
}

function idsBetween(order: readonly Photo[], from: number | undefined, to: number): number[] {
  const places = [from ?? to, to].map((id) => order.findIndex((photo) => photo.id === id));
  const [first = -1, last = -1] = places.toSorted((one, other) => one - other);
  if (first < 0) return [to];
  return order.slice(first, last + 1).map(({ id }) => id);
}

/**
 * Width of an element in whole pixels, kept up to date; 0 until it is rendered. `isRendered`: the server has rendered
 * something in its place, so that what needs the width may be rendered in slices.
 */
function useGridWidth(element: RefObject<HTMLElement | null>, isRendered: boolean): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    let known = 0;
    const measure = () => {
      const measured = Math.floor(watched.clientWidth);
      if (measured === known) return;
      const isFirst = known === 0;
      known = measured;
      if (isFirst && isRendered) startTransition(() => setWidth(measured));
      else setWidth(measured);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element, isRendered]);
  return width;
}

interface Day {
  group: { photos: readonly Photo[] };
  laid: Rows;
}

/** Id of the photo that a key leads to from another one; undefined for other keys, or when there is no such photo. */
function nextPlace(key: string, id: number, days: readonly Day[]): number | undefined {
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

/** Id of the photo above or below the middle of another one, in the adjacent day when its own day ends there. */
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

interface GridDayProps extends GridSlots {
  group: GridGroup;
  laid: Rows;
  /** Place of its first photo among all. */
  from: number;
  /** The photo that Tab leads to, if it is in this day; it is drawn even when far from the window. */
  entry: number | undefined;
  ticked: ReadonlySet<number> | undefined;
  onPress(photo: Photo, event: MouseEvent): void;
}

interface FirstDayProps extends Pick<GridSlots, 'nameOf'> {
  group: GridGroup;
  onOpen(photo: Photo): void;
  /** Set to the photo that has the focus when this gives way to the grid. */
  focused: { current: number | undefined };
}

/** The first day as the server renders it, before the width of the grid is known. */
function FirstDay({ group, nameOf, onOpen, focused }: FirstDayProps) {
  const { id, title, photos, actions, intro } = group;
  useLayoutEffect(
    () => () => {
      const { first } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
      if (first) focused.current = Number(first);
    },
    [focused],
  );
  return (
    <section aria-labelledby={`jour-${id}`} className="photo-day">
      <div className="photo-day-bar">
        <h3 id={`jour-${id}`} tabIndex={-1} className="photo-day-title">
          {title}
        </h3>
        {actions}
      </div>
      {intro}
      <FirstRows photos={photos} nameOf={nameOf} onOpen={onOpen} />
    </section>
  );
}

/** A day of the grid: its sticky heading, its introduction, and the photos near the window. */
const GridDay = memo(function GridDay({ group, laid, ...rest }: GridDayProps) {
  const list = useRef<HTMLUListElement>(null);
  const windowed = useWindowed(list, laid.rows, rest.from === 0);
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
                left={left}
                width={width}
                place={place}
                top={row.top}
                height={row.height}
                nominal={row.nominal}
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
      {group.outro}
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

/** Of the page, or of the element with `data-scroller` that holds the grid: that one does not bubble. */
const ANY_SCROLL = { passive: true, capture: true };

/** Number of rows drawn together, so that a scroll by one row draws nothing. */
const STEP = 4;

/**
 * Range of the rows to draw: those at most one window height away from the window. `isFirst`: no day stands before it, so
 * that its first rows are drawn at once.
 */
function useWindowed(
  list: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  isFirst: boolean,
): { first: number; end: number } {
  const [range, setRange] = useState(() =>
    isFirst ? inSteps(rowsBetween(rows, 0, window.innerHeight)) : { first: 0, end: 0 },
  );
  useLayoutEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const { innerHeight } = window;
      const next = inSteps(rowsBetween(rows, -innerHeight - top, 2 * innerHeight - top));
      setRange((known) => (known.first === next.first && known.end === next.end ? known : next));
    };
    const later = () => {
      frame ||= requestAnimationFrame(measure);
    };
    // With the next frame, whose layout is computed anyway; the first screen is drawn by then.
    frame = requestAnimationFrame(() => startTransition(measure));
    window.addEventListener('scroll', later, ANY_SCROLL);
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', later, ANY_SCROLL);
      window.removeEventListener('resize', later);
    };
  }, [list, rows]);
  return range;
}

/**
 * The same rows and those beside them, in steps of `STEP`. At least one more after them than there may be rows: one that a
 * move of photos adds is then drawn at once.
 */
function inSteps({ first, end }: { first: number; end: number }) {
  if (first === end) return { first: 0, end: 0 };
  return { first: first - (first % STEP), end: Math.ceil((end + 1) / STEP) * STEP };
}

interface KeptDay {
  group: { id: string; photos: readonly Photo[] };
  laid: Rows;
}

/** Height, in pixels, covered at the top of the window by the bar of the site and the heading of the day. */
const COVERED = 120;

/**
 * Keeps the photo at the top of the window in place when photos before it come or go, or the rows change. The scroll
 * anchoring of browsers is not enough: it does not know which photo is which.
 */
function useKeptPlace(
  root: RefObject<HTMLElement | null>,
  days: readonly KeptDay[],
  order: readonly Photo[],
): void {
  const kept = useRef<{ id: number; top: number } | undefined>(undefined);
  const before = useRef(order);

  useLayoutEffect(() => {
    const grid = root.current;
    if (!grid) return;
    const place = kept.current;
    const [target] = place ? survivors(place.id, before.current, order) : [];
    const top = target === undefined ? undefined : topOf(grid, days, target);
    if (place && top !== undefined && top !== place.top)
      (grid.closest('[data-scroller]') ?? window).scrollBy({ top: top - place.top, behavior: 'instant' });
    before.current = order;

    let frame = 0;
    const measure = () => {
      frame = 0;
      kept.current = placeInSight(grid, days);
    };
    const later = () => {
      frame ||= requestAnimationFrame(measure);
    };
    // As nothing is kept yet, the layout of the next frame is soon enough.
    if (kept.current) measure();
    else later();
    window.addEventListener('scroll', later, ANY_SCROLL);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', later, ANY_SCROLL);
    };
  }, [root, days, order]);
}

/** The photo at the top of the window, `top` in pixels; undefined while the beginning of the grid is in sight. */
function placeInSight(grid: HTMLElement, days: readonly KeptDay[]): { id: number; top: number } | undefined {
  if (grid.getBoundingClientRect().top > 0) return undefined;
  for (const { group, laid } of days) {
    const list = listOf(grid, group.id);
    if (!list) continue;
    const { top, bottom } = list.getBoundingClientRect();
    if (bottom < COVERED) continue;
    const { first } = rowsBetween(laid.rows, COVERED - top, Number.POSITIVE_INFINITY);
    const row = laid.rows[first];
    const photo = row && group.photos[row.first];
    return photo && { id: photo.id, top: top + row.top };
  }
  return undefined;
}

function topOf(grid: HTMLElement, days: readonly KeptDay[], id: number): number | undefined {
  for (const { group, laid } of days) {
    const place = group.photos.findIndex((photo) => photo.id === id);
    if (place < 0) continue;
    const row = laid.rows[rowOf(laid.rows, place)];
    const list = listOf(grid, group.id);
    return row && list ? list.getBoundingClientRect().top + row.top : undefined;
  }
  return undefined;
}

function listOf(grid: HTMLElement, day: string): HTMLElement | null {
  return grid.querySelector(`[data-day="${CSS.escape(day)}"]`);
}

/** Ids still present: the photo itself and those after it, then those before it, the nearest first. */
function survivors(id: number, before: readonly Photo[], after: readonly Photo[]): number[] {
  const there = new Set(after.map((photo) => photo.id));
  const place = before.findIndex((photo) => photo.id === id);
  const candidates = [...before.slice(place), ...before.slice(0, Math.max(0, place)).reverse()];
  return candidates.flatMap((photo) => (there.has(photo.id) ? [photo.id] : []));
}
