import writeWorkbook, { type CellObject } from 'write-excel-file/node';
import type { Cell, CellValue, Sheet, StyledValue } from './sheets.ts';

/*
 * Runs in a worker thread: a thousand long texts take half a second to be packed, which would block the site.
 */

const FONT = { fontFamily: 'Calibri', fontSize: 11 };
/** Heights in points: of a line in this font, and of the highest row that is allowed. */
const LINE = 15;
const ROW_MAX = 409;

/** The bytes of a workbook of these sheets. */
export function run(sheets: readonly Sheet[]): Promise<Uint8Array> {
  return writeWorkbook(
    sheets.map(({ name, widths, rows }) => ({
      sheet: name,
      columns: widths.map((width) => ({ width })),
      data: rows.map((row) => rowOf(row, widths)),
      stickyRowsCount: 1,
      orientation: 'landscape' as const,
    })),
    FONT,
  ).toBuffer();
}

/** A row high enough for its texts: not every spreadsheet measures rows by itself. */
function rowOf(row: readonly Cell[], widths: readonly number[]): (CellObject | null)[] {
  const cells = row.map((cell) => (isStyled(cell) ? cell : { value: cell }));
  const lines = Math.max(...cells.map(({ value }, column) => linesOf(value, widths[column] ?? 1)));
  const height = lines > 1 ? { height: Math.min(lines * LINE, ROW_MAX) } : {};
  return cells.map((cell) => {
    const object = cellOf(cell);
    return object && { ...object, ...height };
  });
}

function isStyled(cell: Cell): cell is StyledValue {
  return typeof cell === 'object' && cell !== null && 'value' in cell;
}

function linesOf(value: CellValue, width: number): number {
  if (typeof value !== 'string') return 1;
  // Words that do not fit leave the ends of lines blank, a fifth of them or so.
  const linesIn = ({ length }: string) => (length <= width ? 1 : Math.ceil(length / (0.8 * width)));
  return value.split('\n').reduce((lines, part) => lines + linesIn(part), 0);
}

/** A cell that always has its type, so that a spreadsheet computes nothing from typed text and makes no links of it. */
function cellOf({ value, format, isBold }: StyledValue): CellObject | null {
  if (value === null || value === '') return null;
  const style = {
    align: 'left' as const,
    alignVertical: 'top' as const,
    ...(isBold && { fontWeight: 'bold' as const }),
  };
  if (typeof value === 'string') return { ...style, type: String, value: writable(value), wrap: true };
  if (typeof value === 'number') return { ...style, type: Number, value, ...(format && { format }) };
  return { ...style, type: Date, value, format: format ?? 'dd/mm/yyyy' };
}

/** Escapes a text so that spreadsheets read it unchanged: to them `_x0041_` is an A. */
function writable(text: string): string {
  const escaped = text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_');
  // The package looks texts up among the members of an object, and takes `constructor` for one it has already
  // written. What it leaves out of files, like this sign, makes another text of it.
  return escaped in {} ? `${escaped}\ufffe` : escaped;
}
