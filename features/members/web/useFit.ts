import {
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type WheelEvent,
} from 'react';
import type { Chart } from './useChart.ts';

/** The sizes of the drawing, in percent. */
export const SMALLEST = 60;
export const LARGEST = 160;
/** A chart that would be smaller than this on arrival shows fewer levels instead. */
const READABLE = 70;

/**
 * Fits the drawing of the chart to its frame: on arrival, and whenever the width of the frame changes, until somebody
 * zooms, scrolls, folds or looks for a person. A chart too large to be read begins with its first levels.
 */
export function useFit(chart: Chart) {
  const area = useRef<HTMLElement>(null);
  const [zoom, setZoom] = useState(100);
  const [count, fitOnceMore] = useReducer((times: number) => times + 1, 0);
  /** Whether somebody has chosen what is in sight, and which teams are folded. */
  const isPlaceHeld = useRef(false);
  const areTeamsHeld = useRef(false);
  const holdPlace = () => {
    isPlaceHeld.current = true;
  };
  const holdTeams = () => {
    areTeamsHeld.current = true;
  };

  useLayoutEffect(() => {
    if (chart.current !== undefined) isPlaceHeld.current = areTeamsHeld.current = true;
  }, [chart.current]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what is shown, and each time it is asked to
  useLayoutEffect(() => {
    const { current: frame } = area;
    if (!frame || isPlaceHeld.current) return;
    const wanted = fitting(frame);
    if (wanted < READABLE && !areTeamsHeld.current && chart.foldLowest()) return;
    setZoom(Math.min(100, Math.max(SMALLEST, wanted)));
  }, [chart.folded, count]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after what was fitted has its size
  useLayoutEffect(() => {
    const { current: frame } = area;
    if (frame && !isPlaceHeld.current) frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2;
  }, [zoom, chart.folded, count]);

  const { begin } = chart;
  useEffect(() => {
    const { current: frame } = area;
    if (!frame) return;
    let width = frame.clientWidth;
    const observer = new ResizeObserver(() => {
      if (frame.clientWidth === width) return;
      width = frame.clientWidth;
      if (isPlaceHeld.current) return;
      if (!areTeamsHeld.current) begin();
      fitOnceMore();
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [begin]);

  return {
    area,
    zoom,
    /** From now on, what is in sight stays; so do the teams that are folded. */
    holdPlace,
    holdTeams,
    zoomTo(wanted: number) {
      holdPlace();
      setZoom(Math.min(LARGEST, Math.max(SMALLEST, wanted)));
    },
    /** Fits the teams that are unfolded now. */
    fitAgain() {
      isPlaceHeld.current = false;
      holdTeams();
      fitOnceMore();
    },
    /** Props of the frame: whoever scrolls it sideways holds it. */
    heldBy: {
      onWheel: ({ deltaX, shiftKey }: WheelEvent) => (deltaX !== 0 || shiftKey) && holdPlace(),
      onKeyDown: ({ key }: KeyboardEvent) => /^Arrow(Left|Right)$/.test(key) && holdPlace(),
      onTouchMove: holdPlace,
    },
  };
}

/** Whether the chart is drawn, as its styles decide. */
export function isDrawn(frame: HTMLElement): boolean {
  const { firstElementChild: list } = frame;
  return list !== null && getComputedStyle(list).flexDirection === 'row';
}

/** The size, in percent, at which the drawing is as wide as its frame; 100 for a list, which always fits. */
function fitting(frame: HTMLElement): number {
  const { firstElementChild: list } = frame;
  const first = list?.firstElementChild;
  const last = list?.lastElementChild;
  if (!list || !first || !last || !isDrawn(frame)) return 100;
  const { paddingLeft, paddingRight } = getComputedStyle(frame);
  const room = frame.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  const width = last.getBoundingClientRect().right - first.getBoundingClientRect().left;
  const now = Number(getComputedStyle(list).getPropertyValue('--zoom'));
  return Math.floor((100 * room * now) / width);
}
