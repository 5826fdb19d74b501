import type { ClientBody } from '#platform/shared/call.ts';

/** A rectangle of a photo, in fractions of its width and its height. */
export type Zone = NonNullable<ClientBody<'POST /photos/:id/retouche'>['zones']>[number];

export interface Point {
  x: number;
  y: number;
}

/** Least side of a zone made here: what can still be seen and taken hold of. */
const LEAST = 0.03;
/** Side of the zone that a touch makes, as a part of the shorter side of the photo: a face, and room for a finger. */
const USUAL = 0.3;

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

/** A zone of the usual size around a point, square on screen; `ratio`: width of the photo by its height. */
export function zoneAround({ x, y }: Point, ratio: number): Zone {
  const l = Math.min(USUAL, USUAL / ratio);
  const h = l * ratio;
  return { x: between(0, x - l / 2, 1 - l), y: between(0, y - h / 2, 1 - h), l, h };
}

/** The zone between two opposite corners, inside the photo. */
export function zoneBetween(one: Point, other: Point): Zone {
  const side = (from: number, to: number) => {
    const [start, end] = [between(0, Math.min(from, to), 1 - LEAST), between(0, Math.max(from, to), 1)];
    return { start, length: Math.max(LEAST, end - start) };
  };
  const [across, down] = [side(one.x, other.x), side(one.y, other.y)];
  return { x: across.start, y: down.start, l: across.length, h: down.length };
}

export function moved({ x, y, l, h }: Zone, by: Point): Zone {
  return { x: between(0, x + by.x, 1 - l), y: between(0, y + by.y, 1 - h), l, h };
}

/** A zone whose lower right corner is moved; the opposite one stays. */
export function resized({ x, y, l, h }: Zone, by: Point): Zone {
  return { x, y, l: between(LEAST, l + by.x, 1 - x), h: between(LEAST, h + by.y, 1 - y) };
}
