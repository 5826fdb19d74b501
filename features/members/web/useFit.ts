import {
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type WheelEvent,
} from 'react';
import type { ChartNode } from '#features/members/calls.ts';
import { type Chart, nameOf } from './useChart.ts';

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

/*
 * On paper, a chart that fits on one page in legible letters is drawn; others are lists by teams, in columns, which a
 * chart with folded teams is too: its boxes have their place on the screen only. Sizes are in CSS pixels, and those of
 * cards what `PersonCard` takes in print, rather too much than too little.
 */

/** Smallest size at which the smallest letters of the drawing have 8 points. */
export const LEAST_ON_PAPER = 0.77;

/** Pages on their side, without their margins and the title. */
export const PAPERS = {
  a4: { width: 1030, height: 620 },
  a3: { width: 1495, height: 950 },
} as const;

/** The size, 1 at most, at which the whole drawing fits on a page. */
export function paperZoom(people: readonly ChartNode[], paper: keyof typeof PAPERS): number {
  const { width, height } = sizeOf(people, people.length === 1);
  return Math.min(1, PAPERS[paper].width / (width * CARD_WIDTH), PAPERS[paper].height / height);
}

/** Maximum number of people in a column of a flat team beside others, of columns, and of columns of one that is alone. */
const COLUMN = 6;
const COLUMNS = 5;
const COLUMNS_ALONE = 4;

/** A flat team is high where others stand beside it, and wide where it has the page for itself. */
export function columnsOf(size: number, isAlone: boolean): number {
  if (!isAlone || size > COLUMN * COLUMNS_ALONE) return Math.min(COLUMNS, Math.ceil(size / COLUMN));
  return Math.ceil(size / Math.ceil(size / COLUMNS_ALONE));
}

/** A card, with the gap beside it. */
const CARD_WIDTH = 272;
/** Above each row of cards, and around those of a flat team. */
const GAP = 12;
const FRAME = 28;
/** The lines from whoever leads to the team, and from there to a member. */
const LINE = 24;

/** How many cards a drawn team is wide, and how high it is, with all that is below it. */
function sizeOf(people: readonly ChartNode[], isAlone: boolean): { width: number; height: number } {
  if (people.length === 0) return { width: 0, height: 0 };
  if (people.every((one) => one.children.length === 0)) {
    const width = columnsOf(people.length, isAlone);
    const rows = Array.from({ length: Math.ceil(people.length / width) }, (_, row) =>
      people.slice(row * width, (row + 1) * width),
    );
    const heights = rows.map((row) => GAP + Math.max(...row.map(cardHeight)));
    return { width, height: FRAME + heights.reduce((sum, height) => sum + height, 0) };
  }
  const below = people.map((one) => sizeOf(one.children, isAlone && people.length === 1));
  return {
    width: below.reduce((sum, { width }) => sum + Math.max(1, width), 0),
    height: Math.max(
      ...people.map((one, place) => {
        const under = below[place]?.height ?? 0;
        return LINE + cardHeight(one) + (under > 0 ? LINE + under : 0);
      }),
    ),
  };
}

/** By its lines: of the name, of the post, and one for each of the rest. */
function cardHeight(person: ChartNode): number {
  const { poste, role, email, telephone } = person;
  const name = 23 * Math.ceil(nameOf(person).length / 16);
  const post = 4 + 20 * Math.ceil(poste.length / 22);
  const responsible = role === 'Responsable' ? 24 : 0;
  const contact =
    email || telephone ? 4 + 20 * (Math.ceil((email ?? '').length / 26) + (telephone ? 1 : 0)) : 0;
  return 12 + Math.max(40, name + post + responsible) + contact;
}
