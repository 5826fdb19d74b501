import writeWorkbook, { type CellObject } from 'write-excel-file/node';
import type { Cell, CellValue, Sheet, StyledValue } from './sheets.ts';

/*
 * Runs in a worker thread: a thousand long texts take half a second to be packed, in which the site would answer
 * nobody.
 */

const FONT = { fontFamily: 'Calibri', fontSize: 11 };
/** Heights in points: of a line in this font, and of the highest row that there may be. */
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

/** High enough for its texts: not every spreadsheet measures rows by itself. */
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

/** Always with its type: whatever somebody typed, a spreadsheet computes nothing from it and links nowhere. */
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

/** The text under which spreadsheets read `text`: to them `_x0041_` is an A. */
function writable(text: string): string {
  const escaped = text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_');
  // The package looks texts up among the members of an object, and takes `constructor` for one it has already
  // written. What it leaves out of files, like this sign, makes another text of it.
  return escaped in {} ? `${escaped}\ufffe` : escaped;
}
