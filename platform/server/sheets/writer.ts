import { parentPort, workerData } from 'node:worker_threads';
import writeWorkbook, { type CellObject, type Feature, type Image, type Row } from 'write-excel-file/node';
import type { Cell, Sheet, StyledValue } from './sheets.ts';

/*
 * Runs in a thread for each workbook: a thousand long texts take half a second to be packed, which would block the site.
 */

const FAMILY = 'Calibri';
/** Points: of a font, and of a line in it. Rows whose texts are too long for the first are set in the second. */
const [PLAIN, SMALL] = [
  { size: 11, line: 15 },
  { size: 8, line: 11 },
] as const;
/** Points. No spreadsheet has higher rows; a text beyond this height is cut off on paper. */
const ROW_MAX = 409;
/** How much wider than asked for a column may get so that its longest text is printed whole. */
const WIDENING_MAX = 2;

const BORDER = { borderStyle: 'thin', borderColor: '#9AA5A0' } as const;
const TITLE = { fontWeight: 'bold', backgroundColor: '#E8EFEA' } as const;

function workbookOf(sheets: readonly Sheet[]): Promise<Uint8Array> {
  const pages = sheets.map((sheet) => ({ ...sheet, widths: widened(sheet) }));
  return writeWorkbook(
    pages.map(({ name, widths, rows }) => ({
      sheet: name,
      columns: widths.map((width) => ({ width })),
      data: tablesOf(rows).flatMap((table) => tableRows(table, widths)),
      stickyRowsCount: 1,
      orientation: 'landscape' as const,
    })),
    { fontFamily: FAMILY, fontSize: PLAIN.size, features: [printing(pages)] },
  ).toBuffer();
}

/** The widths of a sheet, larger where a text would not fit in the highest row. */
function widened({ widths, rows }: Sheet): number[] {
  return widths.map((asked, column) => {
    let width = asked;
    for (const row of rows) {
      const cell = row[column] ?? null;
      while (heightOf(cell, width, SMALL) > ROW_MAX && width < WIDENING_MAX * asked) width += 5;
    }
    return width;
  });
}

/** The tables of a sheet, which a row without cells ends; that row is the last of each but the last. */
function tablesOf(rows: Sheet['rows']): Sheet['rows'][] {
  const ends = rows.flatMap((row, index) => (row.length === 0 ? [index + 1] : []));
  return [...ends, rows.length].map((end, index) => rows.slice(index === 0 ? 0 : ends[index - 1], end));
}

/** Rows of one width, with borders; a cell alone in its row, like « Aucune évaluation », has it whole. */
function tableRows(rows: Sheet['rows'], widths: readonly number[]): Row[] {
  const count = Math.max(...rows.map(({ length }) => length));
  return rows.map((row) => {
    if (row.length === 0) return [];
    const [alone] = row;
    if (row.length > 1 || count === 1 || alone === undefined)
      return rowOf([...row, ...Array<null>(count - row.length).fill(null)], widths);
    const [cell] = rowOf([alone], [widths.slice(0, count).reduce((sum, width) => sum + width, 0)]);
    return [{ ...(cell as CellObject), columnSpan: count }, ...Array<null>(count - 1).fill(null)];
  });
}

/** A row high enough for its texts: not every spreadsheet measures rows by itself. */
function rowOf(row: readonly Cell[], widths: readonly number[]): CellObject[] {
  const heightIn = (font: Font) =>
    Math.max(...row.map((cell, column) => heightOf(cell, widths[column] ?? 1, font)));
  const font = heightIn(PLAIN) > ROW_MAX ? SMALL : PLAIN;
  const height = Math.min(heightIn(font), ROW_MAX);
  const style: Pick<CellObject, 'height' | 'fontSize'> = {};
  if (height > font.line) style.height = height;
  if (font === SMALL) style.fontSize = SMALL.size;
  return row.map((cell) => ({ ...cellOf(cell), ...style }));
}

type Font = typeof PLAIN | typeof SMALL;

/** Points that a cell takes in a column of this width, which is counted in characters of the plain font. */
function heightOf(cell: Cell, width: number, { size, line }: Font): number {
  const { value } = styled(cell);
  if (typeof value !== 'string') return line;
  const room = (width * PLAIN.size) / size;
  // Letters are narrower than the digits that widths are counted in; a word that does not fit leaves the end of its
  // line blank, half a word on average.
  const inLine = Math.max(1.15 * room - 3, 1);
  const linesIn = ({ length }: string) => (length <= room ? 1 : Math.max(Math.ceil(length / inLine), 2));
  return line * value.split('\n').reduce((lines, part) => lines + linesIn(part), 0);
}

function styled(cell: Cell): StyledValue {
  return typeof cell === 'object' && cell !== null && 'value' in cell ? cell : { value: cell };
}

/** A cell that always has its type, so that a spreadsheet computes nothing from typed text and makes no links of it. */
function cellOf(cell: Cell): CellObject {
  const { value, format, isTitle } = styled(cell);
  const style = { ...BORDER, align: 'left', alignVertical: 'top', ...(isTitle && TITLE) } as const;
  if (value === null || value === '') return style;
  if (typeof value === 'string') return { ...style, type: String, value: writable(value), wrap: true };
  if (typeof value === 'number')
    return format ? { ...style, type: Number, value, format } : { ...style, type: Number, value };
  return { ...style, type: Date, value, format: format ?? 'dd/mm/yyyy' };
}

/** Escapes a text so that spreadsheets read it unchanged: to them `_x0041_` is an A. */
function writable(text: string): string {
  const escaped = text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_');
  // The package looks texts up among the members of an object, and takes `constructor` for one it has already
  // written. What it leaves out of files, like this sign, makes another text of it.
  return escaped in {} ? `${escaped}\ufffe` : escaped;
}

/*
 * How sheets are printed, which `write-excel-file` leaves to its features: on A4, as wide as the page, the first row
 * on each page, the page's number at its foot.
 */

/** Characters that fit side by side on an upright page, a little smaller than on screen; what is wider is printed across. */
const UPRIGHT = 110;
/** Inches. */
const MARGINS = { left: 0.5, right: 0.5, top: 0.5, bottom: 0.75, header: 0.3, footer: 0.3 };
/** Spreadsheets refuse a file with more than 255 characters in a foot; those of a text may count twice. */
const ABOUT_MAX = 90;

/** Everything that these sheets need to be printed well. */
function printing(sheets: readonly Sheet[]): Feature<Image['content']> {
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transformElementAttributes: (tagName, attributes, _index, _options, { sheetIndex }) => {
            if (tagName === 'pageMargins') return MARGINS;
            if (tagName !== 'pageSetup') return attributes;
            const width = sheets[sheetIndex]?.widths.reduce((sum, one) => sum + one, 0) ?? 0;
            // A height of 0 pages is as many as it takes.
            const fit = { fitToWidth: 1, fitToHeight: 0 };
            return { ...attributes, ...fit, orientation: width > UPRIGHT ? 'landscape' : 'portrait' };
          },
          transform: (xml, _options, { sheetIndex }) => {
            const about = inFoot(sheets[sheetIndex]?.about ?? '');
            const foot = `<headerFooter scaleWithDoc="0"><oddFooter>&amp;L${about}&amp;C&amp;A&amp;RPage &amp;P sur &amp;N</oddFooter></headerFooter>`;
            return xml
              .replace('<sheetViews>', '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>$&')
              .replace(/<pageSetup [^>]*>/, (setup) => `${setup}${foot}`);
          },
        },
        'xl/workbook.xml': {
          transform: (xml) =>
            xml.replace('<definedNames/>', () => `<definedNames>${titles(sheets)}</definedNames>`),
        },
      },
    },
  };
}

/** The first row of each sheet, which is printed on each of its pages. */
function titles(sheets: readonly Sheet[]): string {
  return sheets
    .map(({ name }, index) => {
      const rows = `'${name.replaceAll("'", "''")}'!$1:$1`;
      return `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">${inXml(rows)}</definedName>`;
    })
    .join('');
}

/** A text as it stands in a foot, where `&` begins a code. */
function inFoot(text: string): string {
  const readable = text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, ' ');
  const short = [...readable].slice(0, ABOUT_MAX).join('');
  return inXml((short === readable ? short : `${short}…`).replaceAll('&', '&&'));
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

parentPort?.postMessage(await workbookOf(workerData));
