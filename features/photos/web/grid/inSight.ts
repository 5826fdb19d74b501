import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from 'react';
import type { Photo } from '../../calls.ts';
import { type GridGroup, type Row, type Rows, rowOf, rowsBetween } from './layout.ts';

/* What of a grid is in sight: how wide it is, which rows are drawn, and which photo stays where it is. */

export interface Day {
  group: GridGroup;
  /** Place of its first photo among all. */
  from: number;
  laid: Rows;
}

/**
 * Width of an element in whole pixels, kept up to date; 0 until it is rendered. `isRendered`: the server has rendered
 * something in its place, so that what needs the width may be rendered in slices.
 */
export function useGridWidth(element: RefObject<HTMLElement | null>, isRendered: boolean): number {
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
export function useWindowed(
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
export function useKeptPlace(
  root: RefObject<HTMLElement | null>,
  days: readonly Day[],
  order: readonly Photo[],
): void {
  const kept = useRef<{ id: number; top: number } | undefined>(undefined);
  const before = useRef<readonly number[]>([]);

  useLayoutEffect(() => {
    const grid = root.current;
    if (!grid) return;
    const place = kept.current;
    const target = place && nearestLeft(place.id, before.current, order);
    const top = target === undefined ? undefined : topOf(grid, days, target);
    if (place && top !== undefined && top !== place.top)
      (grid.closest('[data-scroller]') ?? window).scrollBy({ top: top - place.top, behavior: 'instant' });
    before.current = order.map(({ id }) => id);

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
