import { type RefObject, useLayoutEffect, useState } from 'react';
import { type Row, rowsBetween } from './layout.ts';

/** Rows that are drawn at once or not at all, so that a scroll by one row draws nothing. */
const STEP = 4;

/** The rows of a list, at most a window away from the window: those alone are drawn. */
export function useWindowed(
  list: RefObject<HTMLElement | null>,
  rows: readonly Row[],
): { first: number; end: number } {
  const [range, setRange] = useState({ first: 0, end: 0 });
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const { innerHeight } = window;
      const { first, end } = rowsBetween(rows, -innerHeight - top, 2 * innerHeight - top);
      const next =
        first === end
          ? { first: 0, end: 0 }
          : { first: first - (first % STEP), end: Math.min(rows.length, Math.ceil(end / STEP) * STEP) };
      setRange((known) => (known.first === next.first && known.end === next.end ? known : next));
    };
    const later = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', later);
    };
  }, [list, rows]);
  return range;
}
