import { join } from 'node:path';
import { expect, test } from 'vitest';
import { booklets, minutes } from '#features/example/server/fixtures.ts';
import { run as whyPdfRefused } from '#platform/server/pdf/check.ts';
import { run } from '#platform/server/pdf/text.ts';
import { wordsOf } from '#platform/shared/fold.ts';

const FOLDER = join(import.meta.dirname, '../../features/example/fixtures/pdfs');
const documents = [
  ...minutes.map(({ cle, nom, paragraphs }) => ({ cle, texts: [nom, ...paragraphs] })),
  ...booklets.map(({ cle, title, paragraphs }) => ({ cle, texts: [title, ...paragraphs] })),
];

test.each(documents)('the PDF $cle of the example says what its text says', async ({ cle, texts }) => {
  const path = join(FOLDER, `${cle}.pdf`);
  expect(await whyPdfRefused(path)).toBeUndefined();
  const pages = await run(path);
  const said = pages.map(({ texte }, index) => texte.replace(`${index + 1} / ${pages.length}`, ''));
  expect(wordsOf(said.join(' '))).toEqual(wordsOf(texts.join(' ')));
});
