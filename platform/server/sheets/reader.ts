import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as XLSX from '@e965/xlsx';
import { answerTasks } from '#platform/server/confined/answers.ts';
import { NO_RESULT, type ReadSheet, type SheetResult, type SheetTask } from './sheets.ts';

/*
 * Runs in a process of its own: a workbook is a compressed archive, and a hostile one may inflate to gigabytes. Its
 * sheets are converted to CSV, so that everything after reads one kind of file.
 */

// The library tells what it does not know of a format on the console, where it is nobody's business.
console.error = () => {};

answerTasks(run);

const MAX_ROWS = 20_000;
const TOO_LONG = `il y a plus de ${MAX_ROWS.toLocaleString('fr')} lignes\u202f: enregistrez ce classeur en CSV.`;
const PROTECTED =
  'ce classeur est protégé par un mot de passe\u202f: ouvrez-le dans votre tableur, retirez le mot de passe, puis enregistrez-le de nouveau.';
const UNREADABLE =
  'ce fichier n’est pas un classeur lisible\u202f: ouvrez-le dans votre tableur, puis enregistrez-le en .xlsx ou en CSV.';

const HIDDEN =
  'des lignes ou des feuilles de ce classeur sont masquées, et le format .ods ne dit pas lesquelles à ce site\u202f: enregistrez-le en .xlsx.';

/** Cells up to which lines are filled. */
const WIDTH_MAX = 200;

const OPTIONS = {
  dense: true,
  // Says which rows are hidden.
  cellStyles: true,
  cellNF: true,
  // Cells whose formula has no result are there as well.
  sheetStubs: true,
  // The cells of a page of a site are texts, of which nothing is guessed.
  raw: true,
  cellText: false,
  cellHTML: false,
} as const;

const refused = (sentence: string): SheetResult => ({ ok: false, refused: sentence });

/** Converts the sheets that have lines. */
async function run({ input, text, folder, withHidden }: SheetTask): Promise<SheetResult> {
  let book: XLSX.WorkBook;
  try {
    const bytes = text ?? (await readFile(input));
    book = XLSX.read(bytes, typeof bytes === 'string' ? { ...OPTIONS, type: 'string' } : OPTIONS);
    if (isOpen(book) && hasHidden(book, contentOf(bytes))) return refused(HIDDEN);
  } catch (error) {
    return refused(/password/i.test(String(error)) ? PROTECTED : UNREADABLE);
  }
  const sheets: ReadSheet[] = [];
  for (const [index, name] of book.SheetNames.entries()) {
    const sheet = book.Sheets[name];
    const rows = sheet?.['!data'];
    if (!sheet || !rows) continue;
    const { Sheets: [...states] = [], WBProps: { date1904 = false } = {} } = book.Workbook ?? {};
    // An OpenDocument workbook has all results: one that is not there is blank.
    if (isOpen(book)) for (const cell of rows.flat()) if (cell?.t === 'z') delete cell.f;
    const lines = linesOf(sheet, rows, date1904);
    if (lines.size === 0) continue;
    const last = Math.max(...lines.keys());
    if (last > MAX_ROWS) return refused(TOO_LONG);
    const hidden = [...lines.keys()].filter((row) => sheet['!rows']?.[row]?.hidden);
    const csv = String(index);
    const isLeft = new Set(withHidden ? [] : hidden);
    const texts = Array.from(
      { length: last + 1 },
      (_, row) => `${isLeft.has(row) ? '' : (lines.get(row) ?? '')}\n`,
    );
    await writeFile(join(folder, csv), texts.join(''), { flag: 'wx', mode: 0o600 });
    sheets.push({
      name,
      csv,
      lines: lines.size,
      isHidden: (states[index]?.Hidden ?? 0) !== 0,
      hiddenRows: hidden.map((row) => row + 1),
      // Many hide all that are behind the list.
      hiddenColumns: (sheet['!cols'] ?? []).flatMap((column, place) =>
        column?.hidden && rows.some((row) => row?.[place]) ? [XLSX.utils.encode_col(place)] : [],
      ),
      is1904: date1904,
    });
  }
  return { ok: true, sheets };
}

/** Whether a workbook is an OpenDocument one, be it of one file. */
const isOpen = ({ bookType }: XLSX.WorkBook) => bookType === 'ods' || bookType === 'fods';

/** The text of an OpenDocument workbook that says what is hidden. */
function contentOf(bytes: Buffer | string): string {
  if (typeof bytes === 'string') return bytes;
  const part = XLSX.CFB.find(XLSX.CFB.read(bytes, { type: 'buffer' }), '/content.xml')?.content ?? [];
  return Buffer.from(part as Uint8Array).toString('latin1');
}

/**
 * Whether lines or sheets of an OpenDocument workbook are hidden, of which the library says nothing; its hidden columns
 * are noted in its sheets.
 */
function hasHidden({ SheetNames, Sheets }: XLSX.WorkBook, content: string): boolean {
  for (const [index, text] of content.split('<table:table ').slice(1).entries()) {
    const sheet = Sheets[SheetNames[index] ?? ''];
    const columns = [...text.matchAll(/<table:table-column[^>]*>/g)].flatMap(([tag]) => {
      const times = Math.min(Number(/columns-repeated="(\d+)"/.exec(tag)?.[1] ?? 1), WIDTH_MAX);
      return Array(times).fill({ hidden: /:visibility="(filter|collapse)"/.test(tag) });
    });
    if (sheet) sheet['!cols'] = columns;
  }
  return /<table:table-row[^>]*table:visibility="(filter|collapse)"|table:display="false"/.test(content);
}

type Rows = NonNullable<XLSX.WorkSheet['!data']>;

/** The rows that are not blank, as CSV by their index; cells merged over several rows count in each that has others. */
function linesOf(sheet: XLSX.WorkSheet, rows: Rows, date1904: boolean): Map<number, string> {
  const texts = new Map<number, string[]>();
  // Rows and cells that are not there are skipped.
  rows.forEach((row, index) => {
    const cells: string[] = [];
    row.forEach((cell, place) => {
      const text = cellText(cell, date1904);
      if (text.trim() !== '') cells[place] = text;
    });
    if (cells.length > 0) texts.set(index, cells);
  });
  // Whole up to its last column: further cells are in a column without a title, and no shift.
  const width = Math.min(Math.max(0, ...[...texts.values()].map(({ length }) => length)), WIDTH_MAX);
  for (const { s, e } of sheet['!merges'] ?? []) {
    const text = texts.get(s.r)?.[s.c];
    if (text === undefined) continue;
    for (const [row, cells] of texts) if (row > s.r && row <= e.r) cells[s.c] ??= text;
  }
  for (const cells of texts.values()) cells.length = Math.max(cells.length, width);
  return new Map([...texts].map(([row, cells]) => [row, Array.from(cells, quoted).join(';')]));
}

/** What a cell holds; days as `2026-06-20`, without their time. */
function cellText(cell: XLSX.CellObject, date1904: boolean): string {
  const { t, v, z, f } = cell;
  if (t === 'z') return f ? NO_RESULT : '';
  if (t === 'e') return XLSX.utils.format_cell(cell);
  if (t === 'b') return v ? 'VRAI' : 'FAUX';
  if (t !== 'n' || typeof z !== 'string' || !XLSX.SSF.is_date(z)) return String(v ?? '');
  const hasDay = /[dy]/i.test(z.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''));
  const date = hasDay
    ? (XLSX.SSF.parse_date_code(Number(v), { date1904 }) as { y: number; m: number; d: number } | null)
    : null;
  if (!date || Number(v) < 1) return XLSX.utils.format_cell(cell);
  const [month, day] = [date.m, date.d].map((part) => String(part).padStart(2, '0'));
  return `${date.y}-${month}-${day}`;
}

/** A cell as CSV; line breaks, which would shift the numbers of the lines, are those of Unicode. */
function quoted(text: string | undefined): string {
  return text === undefined ? '' : `"${text.replace(/[\r\n]+/g, '\u2028').replaceAll('"', '""')}"`;
}
