import { z } from 'zod';

/** A QR code: its dark modules as the `d` of an SVG path, in a square of `taille` units without margin. */
export const qrCode = z.object({ taille: z.number(), trace: z.string() });
