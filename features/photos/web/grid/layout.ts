import type { ReactNode } from 'react';
import type { Photo } from '../../calls.ts';
import { PHOTO_FOLDER, PHOTO_SIZES, type PhotoSize } from '../../shared/terms.ts';

/** Size of a photo in pixels. The layout depends on it alone, so positions are known before any picture has loaded. */
interface Shape {
  largeur: number;
  hauteur: number;
}

interface Tile {
  left: number;
  width: number;
}

export interface Row {
  top: number;
  height: number;
  /** Exact height in a grid of the nominal width: the same whatever the phone. */
  nominal: number;
  /** Place of its first photo in the list. */
  first: number;
  tiles: readonly Tile[];
}

export interface Rows {
  rows: readonly Row[];
  height: number;
}

/** Limits of a tile's width-to-height ratio: a strip would be a thread, a panorama would fill a row of its own. */
const NARROWEST = 0.5;
const WIDEST = 3;
/** Factor by which the last row may exceed the wanted height in order to fill the width. */
const STRETCH = 1.3;

/** Space between photos, in pixels. */
export const GAP = 4;
/** Grids narrower than this are those of phones, whose rows hold the same photos whatever their width. */
const PHONE_MAX = 480;
/**
 * Widths of the grid, in pixels, for which the server lays out the first rows: on a phone those of any width are in
 * proportion, and on a computer the grid has its full width.
 */
export const NOMINAL = { phone: 372, tablet: 736, computer: 1120 } as const;

/** Pixels of a phone's window beside its grid. */
export const PHONE_SIDES = 8;

/** Wanted height of rows in a grid of this width: two photos or more a row on a phone, five or six on a large screen. */
export function heightWanted(width: number): number {
  return Math.round(Math.min(240, Math.max(130, width * 0.12 + 90)));
}

/**
 * Lays photos out in rows about as high as `rowHeight` says that fill the width exactly, in whole pixels. The last row keeps
 * the wanted height rather than exceed `STRETCH`: a lone photo is no larger than the others.
 */
export function layFor(shapes: readonly Shape[], width: number, rowHeight = heightWanted): Rows {
  // Decides which photos each row has.
  const nominal = width < PHONE_MAX ? NOMINAL.phone : width;
  const wanted = rowHeight(nominal);
  const ratios = shapes.map(ratioOf);
  const rows: Row[] = [];
  let top = 0;
  for (let first = 0; first < ratios.length; ) {
    const inRow = ratios.slice(first, first + countInRow(ratios, first, nominal, wanted));
    const fullNominal = heightOf(inRow, nominal);
    const isLoose = first + inRow.length === ratios.length && fullNominal > STRETCH * wanted;
    const exact = isLoose ? (wanted * width) / nominal : heightOf(inRow, width);
    const height = Math.max(1, Math.round(exact));
    const tiles = tilesOf(inRow, exact, width, isLoose);
    rows.push({ top, height, nominal: isLoose ? wanted : fullNominal, first, tiles });
    first += inRow.length;
    top += height + GAP;
  }
  return { rows, height: Math.max(0, top - GAP) };
}

function ratioOf({ largeur, hauteur }: Shape): number {
  // The size is not known yet: assume the most common ratio.
  if (largeur <= 0 || hauteur <= 0) return 4 / 3;
  return Math.min(WIDEST, Math.max(NARROWEST, largeur / hauteur));
}

/** Width at which a picture that covers its tile is drawn: more than that of the tile for a panorama, whose sides it cuts off. */
export function drawnWidth({ largeur, hauteur }: Shape, width: number, height: number): number {
  return hauteur > 0 ? Math.max(width, Math.round((height * largeur) / hauteur)) : width;
}

/** Number of photos for which the height of the row is nearest to `wanted`. */
function countInRow(ratios: readonly number[], first: number, width: number, wanted: number): number {
  let across = 0;
  let before = Number.POSITIVE_INFINITY;
  for (let count = 1; first + count <= ratios.length; count++) {
    across += ratios[first + count - 1] ?? 0;
    const height = (width - GAP * (count - 1)) / across;
    if (height <= wanted) return before - wanted < wanted - height ? count - 1 : count;
    before = height;
  }
  return ratios.length - first;
}

/** Height at which photos of these width-to-height ratios fill the width together. */
function heightOf(ratios: readonly number[], width: number): number {
  return (width - GAP * (ratios.length - 1)) / ratios.reduce((sum, ratio) => sum + ratio, 0);
}

function tilesOf(ratios: readonly number[], height: number, width: number, isLoose: boolean): Tile[] {
  let edge = 0;
  return ratios.map((ratio, index) => {
    const left = Math.round(edge);
    edge += ratio * height + GAP;
    const isLast = index === ratios.length - 1;
    const right = isLast && !isLoose ? width : Math.round(edge - GAP);
    return { left, width: Math.max(1, right - left) };
  });
}

/** Range of the rows that are visible between two heights, `end` excluded; empty when there are none. */
export function rowsBetween(rows: readonly Row[], from: number, to: number): { first: number; end: number } {
  const first = firstWhere(rows, ({ top, height }) => top + height >= from);
  const end = firstWhere(rows, ({ top }) => top > to);
  return { first, end: Math.max(first, end) };
}

/** Index of the row that holds the photo at this place in the list. */
export function rowOf(rows: readonly Row[], place: number): number {
  return firstWhere(rows, ({ first, tiles }) => first + tiles.length > place);
}

/** Binary search: index of the first row for which `is` is true, as for all after it; the length when there is none. */
function firstWhere(rows: readonly Row[], is: (row: Row) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(rows[middle] as Row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Place in the list of the photo of a row at the horizontal position `x`; the last one when `x` lies beyond it. */
export function placeAt({ first, tiles }: Row, x: number): number {
  const found = tiles.findIndex(({ left, width }) => x < left + width);
  return first + (found < 0 ? tiles.length - 1 : found);
}

/** Photos under one heading, mostly those of a day. */
export interface GridGroup {
  /** Unique among the groups, for instance the day; the id of the heading is `jour-{id}`. */
  id: string;
  title: ReactNode;
  photos: readonly Photo[];
  /** At the right of the heading. */
  actions?: ReactNode;
  /** Between the heading and the photos. */
  intro?: ReactNode;
  /** Below the photos. */
  outro?: ReactNode;
}

/** What a page adds to each photo. Pass the same functions as long as they draw the same: tiles are memoised. */
export interface GridSlots {
  /** Accessible name of a photo; `place`: its place among all. */
  nameOf(photo: Photo, place: number): string;
  /** Drawn over the picture; it can neither be pressed nor focused. */
  overlay?: ((photo: Photo) => ReactNode) | undefined;
  /** Drawn beside the button of the photo, for controls that can be pressed. */
  actions?: ((photo: Photo) => ReactNode) | undefined;
}

const SIZES = Object.keys(PHOTO_SIZES) as PhotoSize[];

interface Source {
  src: string;
  width: number;
  height: number;
}

/** The files of a photo with their sizes in pixels, the smallest first; empty while it is being prepared. */
export function sourcesOf({ fichiers, largeur, hauteur }: Photo): Source[] {
  if (!fichiers) return [];
  const longest = Math.max(largeur, hauteur);
  return SIZES.flatMap((size) => {
    const file = fichiers[size];
    if (file === null) return [];
    const scale = Math.min(1, PHOTO_SIZES[size] / longest);
    return {
      src: PHOTO_FOLDER + file,
      width: Math.round(largeur * scale),
      height: Math.round(hauteur * scale),
    };
  });
}

export function srcSetOf(sources: readonly Source[]): string {
  return sources.map(({ src, width }) => `${src} ${width}w`).join(', ');
}

/** Points a pixel of the nominal grid that are enough for a thumbnail: just under two, so that 480 fill a wide tile of a phone. */
const POINTS = 1.95;

/**
 * The files that a tile may take, `nominal` being that of its row, without the largest: those up to the first that has `POINTS` a pixel. A
 * screen of three would ask for four times the bytes, and show no more in a thumbnail. They are the same in the rows of the
 * server and in those of the grid, so that a phone fetches no second file for a picture that it has.
 */
export function sharpEnough(photo: Photo, nominal: number): Source[] {
  const small = sourcesOf(photo).slice(0, -1);
  const drawn = nominal * Math.max(ratioOf(photo), photo.hauteur > 0 ? photo.largeur / photo.hauteur : 0);
  const enough = small.findIndex(({ width }) => width >= POINTS * drawn);
  return enough < 0 ? small : small.slice(0, enough + 1);
}
