import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { readSheet } from 'read-excel-file/node';
import type { SheetTask } from './sheets.ts';

/*
 * Runs in a worker thread: a workbook is a compressed archive, and a hostile one may inflate to gigabytes. Its
 * content is converted to CSV, so that everything after reads one kind of file.
 */

const MAX_ROWS = 20_000;

/**
 * Converts the first sheet to CSV. Returns why a workbook is refused, as a French sentence; undefined when its first
 * sheet is in `csvPath`.
 */
export async function run({ path, csvPath }: SheetTask): Promise<string | undefined> {
  let rows: unknown[][];
  const file = createReadStream(path);
  try {
    rows = await readSheet(file);
  } catch {
    return 'ce classeur n’est pas un fichier .xlsx lisible\u202f: enregistrez-le en .xlsx ou en CSV.';
  } finally {
    // Waits for the close: this thread sleeps between two tasks, with all that it has left open.
    if (!file.closed) await once(file.destroy(), 'close');
  }
  if (rows.length > MAX_ROWS + 1) {
    return `il y a plus de ${MAX_ROWS.toLocaleString('fr')} lignes\u202f: enregistrez ce classeur en CSV.`;
  }
  await writeFile(csvPath, rows.map((row) => `${row.map(quoted).join(';')}\n`).join(''), {
    flag: 'wx',
    mode: 0o600,
  });
  return undefined;
}

/** A cell as CSV, without line breaks, which would shift the numbers of the lines. */
function quoted(cell: unknown): string {
  const text = cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? '');
  return `"${text.replace(/[\r\n]+/g, ' ').replaceAll('"', '""')}"`;
}
