import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { GridDay } from './GridDay.tsx';
import { type GridGroup, type GridSlots, layRows } from './layout.ts';
import { nextPlace } from './moves.ts';
import { useGridWidth } from './useGridWidth.ts';
import { useKeptPlace } from './useKeptPlace.ts';

/** What a page asks of its grid. */
export interface GridHandle {
  /** Brings a photo into the window, and gives it the focus. */
  reveal(id: number): void;
}

interface PhotoGridProps extends GridSlots {
  groups: readonly GridGroup[];
  onOpen(photo: Photo): void;
  /** Given: a press ticks a photo in the place of opening it, and with Shift all those since the last one. */
  ticking?:
    | { ticked: ReadonlySet<number>; onTick(ids: readonly number[], isTicked: boolean): void }
    | undefined;
  handle?: Ref<GridHandle>;
}

/** Space between photos, in pixels. */
const GAP = 4;

/**
 * Photos in rows that fill the width, of which the page holds those near the window alone. Their places come from their
 * sizes, so nothing moves when pictures arrive; when photos come or go, what is in sight stays where it is.
 */
export function PhotoGrid({ groups, onOpen, ticking, handle, ...slots }: PhotoGridProps) {
  const root = useRef<HTMLDivElement>(null);
  const width = useGridWidth(root);
  const days = useMemo(() => {
    let from = 0;
    return groups.map((group) => {
      const day = { group, from, laid: layRows(group.photos, width, heightWanted(width), GAP) };
      from += group.photos.length;
      return day;
    });
  }, [groups, width]);
  const order = useMemo(() => groups.flatMap(({ photos }) => photos), [groups]);
  useKeptPlace(root, days, order);

  /** The photo that had the focus last. */
  const [focused, setFocused] = useState<number>();
  /** To which the focus goes as soon as it is drawn. */
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
      {width > 0 &&
        days.map(({ group, from, laid }) => (
          <GridDay
            key={group.id}
            {...{ group, from, laid }}
            entry={group.photos[entryPlace - from]?.id}
            {...slots}
            ticked={ticking?.ticked}
            onPress={press}
          />
        ))}
    </div>
  );
}

/** Height of rows: two photos or more beside each other on a phone, five or six on a large screen. */
function heightWanted(width: number): number {
  return Math.round(Math.min(240, Math.max(130, width * 0.12 + 90)));
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
