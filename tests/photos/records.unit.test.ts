import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRecords } from '#features/imports/server/read.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passerelle-records-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('records are read as they were written, however often the file is cut while it is read', async () => {
  const path = join(folder, 'table.csv');
  const cell = fc.oneof(
    fc.constantFrom('', ' ', 'Léa', '"', '""', '\n', 'a\nb', ';', ',', '\t', '"cité"', '😀', '\n\n"'),
    fc.string({ maxLength: 20 }).map((text) => text.replace(/\r/g, '')),
    // A few of these reach past the end of what is read at a time.
    fc.integer({ min: 1, max: 4_000 }).map((length) => 'é"\n'.repeat(length).slice(0, length)),
  );
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 60 });
  const ends = fc.constantFrom('\n', '\r\n');
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(';', ',', '\t'), ends, async (written, separator, end) => {
      const records = [['un', 'deux', 'trois'], ...written];
      const enclosed = (text: string) => (/["\n;,\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const lines = records.map((cells) => cells.map(enclosed).join(separator));
      // A mark at the start is the encoding’s, and not of the text.
      await writeFile(path, `\ufeff${lines.join('\n').replaceAll('\n', end)}${end}`);
      const expected: { ligne: number; cells: string[]; isTorn: boolean }[] = [];
      let ligne = 1;
      for (const [index, cells] of records.entries()) {
        if (cells.some((text) => text.trim() !== '')) expected.push({ ligne, cells, isTorn: false });
        ligne += lines[index]?.split('\n').length ?? 0;
      }
      const read: unknown[] = [];
      for await (const piece of readRecords(path, 'utf-8', () => {})) read.push(...piece);
      expect(read).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
