import type { ChartNode } from '../calls.ts';
import { nameOf } from './useChart.ts';

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
