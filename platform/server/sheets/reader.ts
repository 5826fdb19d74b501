import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { readSheet } from 'read-excel-file/node';
import { answerTasks } from '#platform/server/confined/answer.ts';
import type { SheetResult, SheetTask } from './sheets.ts';

/*
 * Runs in a process of its own: a workbook is a compressed archive, and a hostile one may inflate to gigabytes. Its
 * content is converted to CSV, so that everything after reads one kind of file.
 */

answerTasks(run);

const MAX_ROWS = 20_000;

async function run({ input, csv }: SheetTask): Promise<SheetResult> {
  let rows: unknown[][];
  const file = createReadStream(input);
  try {
    rows = await readSheet(file);
  } catch {
    return refused(
      'ce classeur n’est pas un fichier .xlsx lisible\u202f: enregistrez-le en .xlsx ou en CSV.',
    );
  } finally {
    file.destroy();
  }
  if (rows.length > MAX_ROWS + 1) {
    return refused(
      `il y a plus de ${MAX_ROWS.toLocaleString('fr')} lignes\u202f: enregistrez ce classeur en CSV.`,
    );
  }
  await writeFile(csv, rows.map((row) => `${row.map(quoted).join(';')}\n`).join(''), {
    flag: 'wx',
    mode: 0o600,
  });
  return { ok: true };
}

const refused = (reason: string): SheetResult => ({ ok: false, reason });

/** A cell as CSV, without line breaks, which would shift the numbers of the lines. */
function quoted(cell: unknown): string {
  const text = cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? '');
  return `"${text.replace(/[\r\n]+/g, ' ').replaceAll('"', '""')}"`;
}
