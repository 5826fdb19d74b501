import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { booklets, minutes } from '#features/example/server/fixtures.ts';
import { checked } from '#platform/server/pdf/check.ts';
import { textOf } from '#platform/server/pdf/text.ts';
import { wordsOf } from '#platform/shared/fold.ts';

const FOLDER = join(import.meta.dirname, '../../features/example/fixtures/pdfs');
const documents = [
  ...minutes.map(({ cle, nom, paragraphs }) => ({ cle, texts: [nom, ...paragraphs] })),
  ...booklets.map(({ cle, title, paragraphs }) => ({ cle, texts: [title, ...paragraphs] })),
];

test.each(documents)('the PDF $cle of the example says what its text says', async ({ cle, texts }) => {
  const bytes = new Uint8Array(readFileSync(join(FOLDER, `${cle}.pdf`)));
  expect(await checked(bytes)).toMatchObject({ ok: true });
  const pages = await textOf(bytes);
  const said = pages.map(({ texte }, index) => texte.replace(`${index + 1} / ${pages.length}`, ''));
  expect(wordsOf(said.join(' '))).toEqual(wordsOf(texts.join(' ')));
});
