/** Sizes of what is sent. Free of zod. */

export const MB = 1024 * 1024;

/** Largest sizes, in bytes, of a received picture, of a PDF, of a spreadsheet, and of a whole form with its files. */
export const PICTURE_BYTES = 15 * MB;
export const PDF_BYTES = 20 * MB;
export const TABLE_BYTES = 20 * MB;
export const FORM_BYTES = 200 * MB;

const UNITS = [
  ['Go', 1024 * MB],
  ['Mo', MB],
  ['Ko', 1024],
] as const;

/** « 1 Ko », « 640 Ko », « 340 Mo », « 1,2 Go », not broken before its unit. */
export function weightOf(bytes: number): string {
  const [unit, size] = UNITS.find(([, size]) => bytes >= size) ?? UNITS[2];
  const amount = bytes / size;
  // Rounded up, so that a small file is not shown as 0.
  if (unit === 'Ko') return `${Math.ceil(amount)}\u00a0Ko`;
  return `${amount.toLocaleString('fr-FR', { maximumFractionDigits: amount < 10 ? 1 : 0 })}\u00a0${unit}`;
}

/** « 15 Mo au plus ». */
export function atMost(bytes: number): string {
  return `${weightOf(bytes)} au plus`;
}
