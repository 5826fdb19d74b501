import { getDocument } from 'unpdf/pdfjs';
import type { RefusedResult } from '#platform/server/confined/answers.ts';
import { wordsOf } from '#platform/shared/fold.ts';

export interface PdfTask {
  /** Whether a PDF may be kept; or its text. */
  name: 'check' | 'read';
  /** Local path of the PDF. */
  input: string;
}

/** `lacks`: what a screen reader misses in a PDF that was checked, in French. */
export type PdfResult = { ok: true; pages: PageText[]; lacks?: string[] } | RefusedResult;

/** The text of a page on one line, and its words folded with a space between. */
export interface PageText {
  texte: string;
  plie: string;
}

/** Pages of a PDF. */
export const MAX_PAGES = 500;

/** Characters of all pages together; real minutes have a few thousand a page. */
const MAX_CHARACTERS = 2_000_000;

/** Opens a PDF, whose bytes are gone then. Nothing of it is drawn, fetched or run, and no font is loaded. */
export function openDocument(data: Uint8Array) {
  return getDocument({
    data,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    verbosity: 0,
  });
}

/** The pages of a PDF, in order. */
export async function textOf(data: Uint8Array): Promise<PageText[]> {
  const task = openDocument(data);
  try {
    const document = await task.promise;
    const pages: PageText[] = [];
    let left = MAX_CHARACTERS;
    // A checked PDF has no more pages, but a hostile one may still claim to.
    while (pages.length < Math.min(document.numPages, MAX_PAGES) && left > 0) {
      const page = await document.getPage(pages.length + 1);
      const { items } = await page.getTextContent();
      const said = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      const texte = kept(said.slice(0, left));
      pages.push({ texte, plie: wordsOf(texte).join(' ') });
      left -= texte.length;
      page.cleanup();
    }
    return pages;
  } finally {
    await task.destroy();
  }
}

/** The text on one line, without what a database cannot hold: a PDF may contain NUL and halves of characters. */
function kept(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
