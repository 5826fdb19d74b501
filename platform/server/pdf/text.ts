import { readFile } from 'node:fs/promises';
import { getDocument } from 'unpdf/pdfjs';
import { wordsOf } from '#platform/shared/fold.ts';
import type { PageText } from './pdf.ts';

/*
 * Runs in a worker thread, one PDF at a time: reading one takes a tenth of a second, and a hostile one for ever.
 * Only texts are read: no font is loaded, nothing is drawn, fetched or run.
 */

/** A checked PDF has no more pages, but a hostile one may still claim to. */
const MAX_PAGES = 500;
/** Characters of all pages together; real minutes have a few thousand a page. */
const MAX_CHARACTERS = 2_000_000;

export async function run(path: string): Promise<PageText[]> {
  const task = getDocument({
    data: new Uint8Array(await readFile(path)),
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    const pages: PageText[] = [];
    let left = MAX_CHARACTERS;
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
