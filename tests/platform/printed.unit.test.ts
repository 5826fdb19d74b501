import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPdfs, type Printed } from '#platform/server/pdf/pdf.ts';
import { elementsOf, says } from '#tests/support/printed.ts';

/** What other programs find in the documents that the site writes. */

const folder = mkdtempSync(join(tmpdir(), 'passerelle-printed-'));
const pdfs = openPdfs(folder);
afterAll(() => {
  pdfs.close();
  rmSync(folder, { recursive: true });
});

async function write(blocks: Printed['blocks']): Promise<string> {
  const path = join(folder, 'document.pdf');
  writeFileSync(path, await pdfs.write({ title: 'Données d’Łukasz', about: 'Le CSE d’œuvres', blocks }));
  expect(says('qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
  expect(await pdfs.check(path)).toBeUndefined();
  return path;
}
const child = (name: string): Printed['blocks'] => [
  { tag: 'H2', text: 'Inscription' },
  { tag: 'P', label: 'Nom', text: name },
  { tag: 'P', label: 'E-mail', text: `${'x'.repeat(200)}@exemple.org` },
];

test('a document is French, tagged, titled, and its words are those that were given', async () => {
  const sentence = 'Voilà l’œuvre\u202f: «\u00a0Où\u00a0?\u00a0», 1\u202f234\u00a0€ – Łukasz, Привет, Ελλη.';
  const path = await write([
    { tag: 'H1', text: 'Données personnelles' },
    { tag: 'P', text: sentence },
    ...child('Zoé'),
  ]);
  const about = says('pdfinfo', path);
  expect(about).toMatch(/^Title: +Données d’Łukasz$/m);
  expect(about).toMatch(/^Tagged: +yes$/m);
  expect(says('qpdf', '--qdf', path, '-')).toContain('/Lang (fr-FR)');
  const email = `E-mail\u202f: ${'x'.repeat(200)}@exemple.org`;
  expect(elementsOf(path)).toEqual([
    'Données personnelles',
    sentence,
    'Inscription',
    'Nom\u202f: Zoé',
    email,
  ]);
  expect(says('pdffonts', path).match(/ yes yes yes /g)).toHaveLength(2);
});

test('lines that a page breaks are read as they were written, and a word without an end is cut in time', async () => {
  const long =
    'Une phrase assez longue pour tenir sur deux lignes de cette page, et peut-être même sur trois, selon la police.';
  const path = await write([
    { tag: 'P', text: long },
    { tag: 'P', label: 'Message', text: `${long}\n${long}` },
    { tag: 'P', label: 'Pire', text: 'x'.repeat(100_000) },
  ]);
  expect(elementsOf(path)).toEqual([
    long,
    `Message\u202f: ${long} ${long}`,
    `Pire\u202f: ${'x'.repeat(100_000)}`,
  ]);
});

test('signs that turn lines round, or that nobody sees, are left out, and what cannot be drawn has its place', async () => {
  const path = await write(child('A\u0000n\u0007n\u202ea\u200b 😀 中\ud800'));
  const [, name, , why] = elementsOf(path);
  expect(name).toBe('Nom\u202f: Anna □ □');
  expect(why).toBe('Le signe □ remplace un caractère que ce document ne sait pas écrire.');
});

test('five hundred children fill their pages, none of which ends with the title of the next', async () => {
  const path = await write(Array.from({ length: 500 }, (_, index) => child(`Enfant ${index + 1}`)).flat());
  const pages = says('pdftotext', '-layout', path, '-').split('\f').slice(0, -1);
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.join('').match(/Enfant \d+/g)).toHaveLength(500);
  for (const [index, page] of pages.entries()) {
    const lines = page.split('\n').filter((line) => line.trim() !== '');
    expect(lines.at(-1)).toMatch(new RegExp(`^Le CSE d’œuvres +page ${index + 1} sur ${pages.length}$`));
    expect(lines.at(-2)).not.toContain('Inscription');
  }
});
