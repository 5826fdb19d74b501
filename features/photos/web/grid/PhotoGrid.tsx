import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
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
import { type Day, useGridWidth, useKeptPlace, useWindowed } from './inSight.ts';
import { type GridGroup, type GridSlots, heightWanted, layFor, placeAt, type Row, rowOf } from './layout.ts';

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

/** Time, in ms, for which a finger rests on a photo, as on the pictures of telephones; and how far it may stray, in pixels. */
const REST_MS = 450;
const STRAY = 10;

/**
 * Calls `onHold` with the id of the photo on which a finger rests: neither the menu of the browser nor a press follows.
 * Mouse and keyboard are left alone.
 */
function useLongPress(root: RefObject<HTMLElement | null>, onHold: ((id: number) => void) | undefined): void {
  const hold = useEffectEvent((id: number) => onHold?.(id));
  const isOn = onHold !== undefined;
  useEffect(() => {
    const grid = root.current;
    if (!grid || !isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let from = { x: 0, y: 0 };
    let isTouched = false;
    const cancel = () => clearTimeout(timer);
    const swallow = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const onDown = (event: PointerEvent) => {
      cancel();
      isTouched = event.pointerType === 'touch';
      const tile = event.target instanceof Element && event.target.closest<HTMLElement>('[data-photo]');
      if (!isTouched || !event.isPrimary || !tile) return;
      from = { x: event.clientX, y: event.clientY };
      timer = setTimeout(() => {
        // The press that ends with this touch; without one, nothing of a later touch is swallowed.
        grid.addEventListener('click', swallow, { capture: true, once: true });
        document.addEventListener('pointerdown', () => grid.removeEventListener('click', swallow, true), {
          capture: true,
          once: true,
        });
        navigator.vibrate?.(10);
        hold(Number(tile.dataset.photo));
      }, REST_MS);
    };
    const onMove = ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - from.x, clientY - from.y) > STRAY) cancel();
    };
    const onMenu = (event: Event) => {
      if (isTouched) event.preventDefault();
    };
    const listening = new AbortController();
    const { signal } = listening;
    grid.addEventListener('pointerdown', onDown, { signal });
    grid.addEventListener('pointermove', onMove, { signal });
    grid.addEventListener('pointerup', cancel, { signal });
    grid.addEventListener('pointercancel', cancel, { signal });
    grid.addEventListener('contextmenu', onMenu, { signal });
    return () => {
      cancel();
      listening.abort();
    };
  }, [root, isOn]);
}
