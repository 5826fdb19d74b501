import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
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
    const place = order.findIndex((photo) => photo.id === id);
    const next = order[nextPlace(event.key, place, days, order.length)];
    if (!next) return;
    event.preventDefault();
    reveal(next.id);
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
  group: GridGroup;
  /** Place of its first photo among all. */
  from: number;
  laid: Rows;
}

/** Place of the photo that a key leads to from another one; -1 for other keys, or when there is no such photo. */
function nextPlace(key: string, place: number, days: readonly Day[], count: number): number {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined)
    return { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: count - 1 }[key] ?? -1;
  // Above or below its middle.
  const rows = days.flatMap(({ from, laid }) =>
    laid.rows.map((row) => ({ ...row, first: from + row.first })),
  );
  const at = rowOf(rows, place);
  const [row, beside] = [rows[at], rows[at + step]];
  const tile = row?.tiles[place - row.first];
  return tile && beside ? placeAt(beside, tile.left + tile.width / 2) : -1;
}

interface GridDayProps extends GridSlots, Day {
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
  useLayoutEffect(
    () => () => {
      const { first } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
      if (first) focused.current = Number(first);
    },
    [focused],
  );
  return (
    <DaySection group={group}>
      <FirstRows photos={group.photos} nameOf={nameOf} onOpen={onOpen} />
    </DaySection>
  );
}

/** A day with its sticky heading and its introduction. */
function DaySection({ group, children }: { group: GridGroup; children: ReactNode }) {
  const titleId = `jour-${group.id}`;
  return (
    <section aria-labelledby={titleId} className="photo-day">
      <div className="photo-day-bar">
        <h3 id={titleId} tabIndex={-1} className="photo-day-title">
          {group.title}
        </h3>
        {group.actions}
      </div>
      {group.intro}
      {children}
    </section>
  );
}

/** A day of the grid, with the photos near the window. */
const GridDay = memo(function GridDay({ group, laid, ...rest }: GridDayProps) {
  const list = useRef<HTMLUListElement>(null);
  const windowed = useWindowed(list, laid.rows, rest.from === 0);
  const { id, photos } = group;
  return (
    <DaySection group={group}>
      {/* biome-ignore lint/a11y/noRedundantRoles: without its marks, a list is none for some screen readers */}
      <ul ref={list} role="list" data-day={id} className="relative" style={{ height: laid.height }}>
        {rowsToDraw(laid.rows, windowed, photos, rest.entry).flatMap((row) =>
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
    </DaySection>
  );
});

/** The rows near the window, and the one of the photo that Tab leads to. */
function rowsToDraw(
  rows: readonly Row[],
  { first, end }: { first: number; end: number },
  photos: readonly Photo[],
  entry: number | undefined,
): Row[] {
  const near = rows.slice(first, end);
  const place = entry === undefined ? -1 : photos.findIndex(({ id }) => id === entry);
  const at = place < 0 ? -1 : rowOf(rows, place);
  const row = rows[at];
  if (!row || near.includes(row)) return near;
  return at < first ? [row, ...near] : [...near, row];
}

/** Calls `measure` in the frame after one of these events of the window; returns a function that stops it. */
function afterEach(events: readonly ('scroll' | 'resize')[], measure: () => void): () => void {
  let frame = 0;
  const later = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      measure();
    });
  };
  // Of the page, or of the element with `data-scroller` that holds the grid: that one does not bubble.
  const anyScroll = { passive: true, capture: true };
  for (const event of events) window.addEventListener(event, later, anyScroll);
  return () => {
    cancelAnimationFrame(frame);
    for (const event of events) window.removeEventListener(event, later, anyScroll);
  };
}

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
    const measure = () => {
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const { innerHeight } = window;
      const next = inSteps(rowsBetween(rows, -innerHeight - top, 2 * innerHeight - top));
      setRange((known) => (known.first === next.first && known.end === next.end ? known : next));
    };
    // With the next frame, whose layout is computed anyway; the first screen is drawn by then.
    const frame = requestAnimationFrame(() => startTransition(measure));
    const stop = afterEach(['scroll', 'resize'], measure);
    return () => {
      cancelAnimationFrame(frame);
      stop();
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

/** Height, in pixels, covered at the top of the window by the bar of the site and the heading of the day. */
const COVERED = 120;

/**
 * Keeps the photo at the top of the window in place when photos before it come or go, or the rows change. The scroll
 * anchoring of browsers is not enough: it does not know which photo is which.
 */
function useKeptPlace(
  root: RefObject<HTMLElement | null>,
  days: readonly Day[],
  order: readonly Photo[],
): void {
  const kept = useRef<{ id: number; top: number } | undefined>(undefined);
  const before = useRef(order);

  useLayoutEffect(() => {
    const grid = root.current;
    if (!grid) return;
    const place = kept.current;
    const target =
      place &&
      nearestLeft(
        place.id,
        before.current.map(({ id }) => id),
        order,
      );
    const top = target === undefined ? undefined : topOf(grid, days, target);
    if (place && top !== undefined && top !== place.top)
      (grid.closest('[data-scroller]') ?? window).scrollBy({ top: top - place.top, behavior: 'instant' });
    before.current = order;

    const measure = () => {
      kept.current = placeInSight(grid, days);
    };
    // As nothing is kept yet, the layout of the next frame is soon enough.
    let frame = 0;
    if (kept.current) measure();
    else frame = requestAnimationFrame(measure);
    const stop = afterEach(['scroll'], measure);
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [root, days, order]);
}

/** The photo at the top of the window, `top` in pixels; undefined while the beginning of the grid is in sight. */
function placeInSight(grid: HTMLElement, days: readonly Day[]): { id: number; top: number } | undefined {
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

function topOf(grid: HTMLElement, days: readonly Day[], id: number): number | undefined {
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

/** The photo itself if it is still there, else the nearest after it that is, else the nearest before it. */
export function nearestLeft(
  id: number,
  before: readonly number[],
  left: readonly Photo[],
): number | undefined {
  const there = new Set(left.map((photo) => photo.id));
  const place = Math.max(0, before.indexOf(id));
  return [...before.slice(place), ...before.slice(0, place).reverse()].find((one) => there.has(one));
}
