/** Sizes of what is sent. Free of zod. */

export const MB = 1024 * 1024;

/** Bytes at most of a received picture, of a PDF, of a spreadsheet, and of a whole form with its files. */
export const PICTURE_BYTES = 15 * MB;
export const PDF_BYTES = 20 * MB;
export const TABLE_BYTES = 20 * MB;
export const FORM_BYTES = 200 * MB;

/** « 15 Mo au plus », not broken before its unit. */
export function atMost(bytes: number): string {
  return `${Math.round(bytes / MB)}\u00a0Mo au plus`;
}
