/** Sizes of what is sent. Free of zod. */

export const MB = 1024 * 1024;

/** Bytes at most of a received picture, of a received PDF, and of a whole form with its files. */
export const PICTURE_BYTES = 15 * MB;
export const PDF_BYTES = 20 * MB;
export const FORM_BYTES = 200 * MB;

/** « 15 Mo au plus ». */
export function atMost(bytes: number): string {
  return `${Math.round(bytes / MB)} Mo au plus`;
}
