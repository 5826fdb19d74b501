import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { type Rows, rowOf, rowsBetween } from './layout.ts';

interface Day {
  group: { id: string; photos: readonly Photo[] };
  laid: Rows;
}

/** Under what lies over the top of the window: the bar of the site and the heading of the day; in pixels. */
const COVERED = 120;

/**
 * Keeps in its place the photo at the top of the window when photos before it come or go, or the rows change; browsers
 * that do so by themselves do not know which photo is which.
 */
export function useKeptPlace(
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
    const [target] = place ? survivors(place.id, before.current, order) : [];
    const top = target === undefined ? undefined : topOf(grid, days, target);
    if (place && top !== undefined && top !== place.top)
      window.scrollBy({ top: top - place.top, behavior: 'instant' });
    before.current = order;

    let frame = 0;
    const look = () => {
      frame = 0;
      kept.current = placeInSight(grid, days);
    };
    const later = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    window.addEventListener('scroll', later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', later);
    };
  }, [root, days, order]);
}

/** The photo at the top of the window; undefined while the beginning of the grid is in sight. */
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

/** The photo itself and those after it, as far as they are still there; else those before it, the nearest first. */
function survivors(id: number, before: readonly Photo[], after: readonly Photo[]): number[] {
  const there = new Set(after.map((photo) => photo.id));
  const place = before.findIndex((photo) => photo.id === id);
  const candidates = [...before.slice(place), ...before.slice(0, Math.max(0, place)).reverse()];
  return candidates.flatMap((photo) => (there.has(photo.id) ? [photo.id] : []));
}
