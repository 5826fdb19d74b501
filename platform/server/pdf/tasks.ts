import type { RefusedResult } from '#platform/server/confined/answers.ts';

/** Tasks of a process that reads PDFs, and their results; both travel between processes as plain data. */

export interface PdfTask {
  /** Whether a PDF may be kept; or its text. */
  name: 'check' | 'read';
  /** Local path of the PDF. */
  input: string;
}

export type PdfResult = { ok: true; pages: PageText[] } | RefusedResult;

/** The text of a page on one line, and its words folded with a space between. */
export interface PageText {
  texte: string;
  plie: string;
}

/** Pages of a PDF. */
export const MAX_PAGES = 500;

/** What makes of any PDF that can be seen one that is only seen: printing draws its pages, and nothing else. */
export const PRINT = 'imprimez-le en PDF, puis envoyez cette copie.';
