import type { ReactNode } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_FOLDER, PHOTO_SIZES, type PhotoSize } from '#features/photos/shared/terms.ts';

/** What a photo takes on screen comes from its size alone: places are known before a single picture is. */
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
  /** Place of its first photo in the list. */
  first: number;
  tiles: readonly Tile[];
}

export interface Rows {
  rows: readonly Row[];
  height: number;
}

/** Width over height that a tile has at least and at most: a strip would be a thread, a panorama a row of its own. */
const NARROWEST = 0.5;
const WIDEST = 3;
/** How much higher than wanted the last row may be in order to fill the width. */
const STRETCH = 1.3;

/**
 * Rows about `wanted` pixels high that fill `width` exactly, in whole pixels, `gap` apart. The last one is not
 * stretched: a photo that comes alone is no larger than the others.
 */
export function layRows(shapes: readonly Shape[], width: number, wanted: number, gap: number): Rows {
  const ratios = shapes.map(ratioOf);
  const rows: Row[] = [];
  let top = 0;
  for (let first = 0; first < ratios.length; ) {
    const count = countInRow(ratios, first, width, wanted, gap);
    const inRow = ratios.slice(first, first + count);
    const full = heightOf(sum(inRow), count, width, gap);
    const isLoose = first + count === ratios.length && full > STRETCH * wanted;
    const height = Math.max(1, Math.round(isLoose ? wanted : full));
    rows.push({ top, height, first, tiles: tilesOf(inRow, isLoose ? wanted : full, width, gap, isLoose) });
    first += count;
    top += height + gap;
  }
  return { rows, height: Math.max(0, top - gap) };
}

function ratioOf({ largeur, hauteur }: Shape): number {
  // Without a size yet, as photos mostly are.
  if (largeur <= 0 || hauteur <= 0) return 4 / 3;
  return Math.min(WIDEST, Math.max(NARROWEST, largeur / hauteur));
}

/** How many photos make the row whose height is the nearest to what is wanted. */
function countInRow(
  ratios: readonly number[],
  first: number,
  width: number,
  wanted: number,
  gap: number,
): number {
  let across = 0;
  let before = Number.POSITIVE_INFINITY;
  for (let count = 1; first + count <= ratios.length; count++) {
    across += ratios[first + count - 1] ?? 0;
    const height = heightOf(across, count, width, gap);
    if (height <= wanted) return before - wanted < wanted - height ? count - 1 : count;
    before = height;
  }
  return ratios.length - first;
}

/** Height at which photos fill the width together; `across`: their widths over it. */
function heightOf(across: number, count: number, width: number, gap: number): number {
  return (width - gap * (count - 1)) / across;
}

function tilesOf(
  ratios: readonly number[],
  height: number,
  width: number,
  gap: number,
  isLoose: boolean,
): Tile[] {
  let edge = 0;
  return ratios.map((ratio, index) => {
    const left = Math.round(edge);
    edge += ratio * height + gap;
    const isLast = index === ratios.length - 1;
    const right = isLast && !isLoose ? width : Math.round(edge - gap);
    return { left, width: Math.max(1, right - left) };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The first and the last row that show between two heights; none: an empty range. */
export function rowsBetween(rows: readonly Row[], from: number, to: number): { first: number; end: number } {
  const first = firstWhere(rows, ({ top, height }) => top + height >= from);
  return {
    first,
    end: Math.max(
      first,
      firstWhere(rows, ({ top }) => top > to),
    ),
  };
}

/** The row of the photo at this place in the list. */
export function rowOf(rows: readonly Row[], place: number): number {
  return firstWhere(rows, ({ first, tiles }) => first + tiles.length > place);
}

/** Place of the first that `is` true of, as it stays true from there on; the length when of none. */
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

/** The photo of a row under, or over, a point at `x`. */
export function placeAt({ first, tiles }: Row, x: number): number {
  const found = tiles.findIndex(({ left, width }) => x < left + width);
  return first + (found < 0 ? tiles.length - 1 : found);
}

/** Photos under one heading, mostly those of a day. */
export interface GridGroup {
  /** Its own among the groups, the day for instance: the heading is `jour-{id}`. */
  id: string;
  title: ReactNode;
  photos: readonly Photo[];
  /** At the right of the heading. */
  actions?: ReactNode;
  /** Between the heading and the photos. */
  intro?: ReactNode;
}

/** What a page adds to each photo. These must stay the same functions for as long as they draw the same. */
export interface GridSlots {
  /** What a photo is called for whoever does not see it; `place`: among all. */
  nameOf(photo: Photo, place: number): string;
  /** Drawn over the picture; it can neither be pressed nor focused. */
  overlay?: ((photo: Photo) => ReactNode) | undefined;
  /** Beside the button of the photo, for what can be pressed. */
  actions?: ((photo: Photo) => ReactNode) | undefined;
}

const SIZES = Object.keys(PHOTO_SIZES) as PhotoSize[];

interface Source {
  src: string;
  width: number;
  height: number;
}

/** The files of a photo with the pixels they have, the smallest first; none while it is being prepared. */
export function sourcesOf({ fichiers, largeur, hauteur }: Photo): Source[] {
  if (!fichiers) return [];
  const longest = Math.max(largeur, hauteur);
  return SIZES.map((size) => {
    const scale = Math.min(1, PHOTO_SIZES[size] / longest);
    return {
      src: PHOTO_FOLDER + fichiers[size],
      width: Math.round(largeur * scale),
      height: Math.round(hauteur * scale),
    };
  });
}
