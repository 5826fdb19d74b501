import { z } from 'zod';
import type { Retouch } from '#platform/server/images/tasks.ts';

/*
 * What people changed in a photo, kept with it: when a better version of its file comes, the same is done to that one,
 * or what they blurred would be there again. Zones are kept as they stand in the photo as it was taken, upright; the
 * turns come after them.
 */

const recipe = z.object({
  /** Rectangles, in fractions of the width and the height of the photo. */
  zones: z.array(z.object({ x: z.number(), y: z.number(), l: z.number(), h: z.number() })),
  /** Quarter turns clockwise, 0 to 3. */
  quarts: z.number(),
});
export type Recipe = z.infer<typeof recipe>;

/** Reads the column `retouche` of a photo. */
export function readRecipe(retouche: string): Recipe {
  return retouche === '' ? { zones: [], quarts: 0 } : recipe.parse(JSON.parse(retouche));
}

/** The column `retouche` after a change to the photo as it is shown. */
export function addToRecipe(retouche: string, { zones, quarts }: Recipe): string {
  const before = readRecipe(retouche);
  const upright = zones.map((zone) => turnedZone(zone, (4 - before.quarts) % 4));
  const after: Recipe = { zones: [...before.zones, ...upright], quarts: (before.quarts + quarts) % 4 };
  return after.zones.length === 0 && after.quarts === 0 ? '' : JSON.stringify(after);
}

/** A zone where it lies once its photo is turned clockwise. */
function turnedZone(zone: Recipe['zones'][number], quarts: number): typeof zone {
  if (quarts === 0) return zone;
  const { x, y, l, h } = zone;
  return turnedZone({ x: 1 - y - h, y: x, l: h, h: l }, quarts - 1);
}

/** A recipe for the image worker. `isKept`: it is for the JPEG that was made of a photo. */
export function retouchOf({ zones, quarts }: Recipe, isKept: boolean): Retouch | undefined {
  if (zones.length === 0 && quarts === 0) return undefined;
  return {
    zones: zones.map(({ x, y, l, h }) => ({ left: x, top: y, width: l, height: h })),
    turns: quarts,
    isKept,
  };
}
