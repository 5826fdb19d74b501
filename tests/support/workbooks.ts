import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** Workbooks (.xlsx) as spreadsheets save them: an archive of a few XML files. */

/** A date cell: its day as spreadsheets count, from the end of 1899. */
export interface DateCell {
  day: string;
}

export function workbook(rows: readonly (readonly (string | DateCell)[])[]): Buffer {
  const lines = rows.map(
    (row, line) =>
      `<row>${row.map((cell, place) => cellXml(cell, `${LETTERS[place]}${line + 1}`)).join('')}</row>`,
  );
  return workbookOf(`<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`);
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function cellXml(cell: string | DateCell, address: string): string {
  if (typeof cell === 'string') return `<c r="${address}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  return `<c r="${address}" s="1"><v>${Date.parse(cell.day) / 86_400_000 + 25_569}</v></c>`;
}

/** A number, an error as it is shown, or a formula that nothing has computed. */
export type BookCell = string | number | DateCell | { error: string } | { formula: string };

export interface BookSheet {
  name: string;
  state?: 'hidden' | 'veryHidden';
  rows: readonly (readonly BookCell[])[];
  /** Numbers of its hidden rows, from 1. */
  hidden?: readonly number[];
  /** Numbers of its hidden columns, from 1. */
  hiddenColumns?: readonly number[];
  /** Ranges like `A2:A4`. */
  merges?: readonly string[];
}

/** A workbook of several sheets. */
export function book(sheets: readonly BookSheet[], { date1904 = false } = {}): Buffer<ArrayBuffer> {
  const xml = ({ rows, hidden = [], hiddenColumns = [], merges = [] }: BookSheet) => {
    const cols = hiddenColumns.map((number) => `<col min="${number}" max="${number}" width="9" hidden="1"/>`);
    const lines = rows.map((row, line) => {
      const cells = row.map((cell, place) => bookCellXml(cell, `${LETTERS[place]}${line + 1}`, date1904));
      return `<row r="${line + 1}"${hidden.includes(line + 1) ? ' hidden="1"' : ''}>${cells.join('')}</row>`;
    });
    const merged = merges.map((range) => `<mergeCell ref="${range}"/>`).join('');
    const below = merged && `<mergeCells count="${merges.length}">${merged}</mergeCells>`;
    const columns = cols.length > 0 ? `<cols>${cols.join('')}</cols>` : '';
    return `<worksheet xmlns="${MAIN}">${columns}<sheetData>${lines.join('')}</sheetData>${below}</worksheet>`;
  };
  return archiveOf(
    sheets.map((sheet) => ({ ...sheet, xml: xml(sheet) })),
    date1904,
  );
}

function bookCellXml(cell: BookCell, address: string, date1904: boolean): string {
  if (typeof cell === 'string')
    return cell === '' ? '' : cellXml(cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;'), address);
  if (typeof cell === 'number') return `<c r="${address}"><v>${cell}</v></c>`;
  if ('error' in cell) return `<c r="${address}" t="e"><f>NA()</f><v>${cell.error}</v></c>`;
  if ('formula' in cell) return `<c r="${address}"><f>${cell.formula}</f><v></v></c>`;
  const count = Date.parse(cell.day) / 86_400_000 + 25_569 - (date1904 ? 1_462 : 0);
  return `<c r="${address}" s="1"><v>${count}</v></c>`;
}

/** A workbook whose first sheet is this XML, well formed or not. */
export function workbookOf(sheet: string | Buffer): Buffer {
  return archiveOf([{ name: 'Feuille', xml: sheet }], false);
}

function archiveOf(
  sheets: readonly { name: string; state?: string; xml: string | Buffer }[],
  date1904: boolean,
): Buffer<ArrayBuffer> {
  const named = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index + 1}"${state ? ` state="${state}"` : ''}/>`,
  );
  const parts = sheets.map(
    (_, index) =>
      `<Relationship Id="r${index + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return zip({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${date1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${parts.join('')}<Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf/><xf numFmtId="14" xfId="0"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(sheets.map(({ xml }, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml])),
  });
}

/** An archive of files by name. */
export function zip(files: Record<string, string | Buffer>): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = deflateRawSync(text, { level: 1 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(text), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(Buffer.byteLength(text), 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 0]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, fields, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\x05\x06'), end]);
}

/** The texts of an archive by the names of their files. */
export function unzip(archive: Buffer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filesIn(archive)).map(([name, bytes]) => [name, bytes.toString('utf8')]),
  );
}

/** The files of an archive by name, packed or as they are; throws when one is not what its checksum says. */
export function filesIn(archive: Buffer): Record<string, Buffer> {
  const files: Record<string, Buffer> = {};
  const end = archive.lastIndexOf('PK\x05\x06');
  let place = archive.readUInt32LE(end + 16);
  while (place < end) {
    const [size, name, more, note] = [20, 28, 30, 32].map((at, index) =>
      index === 0 ? archive.readUInt32LE(place + at) : archive.readUInt16LE(place + at),
    ) as [number, number, number, number];
    const local = archive.readUInt32LE(place + 42);
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const title = archive.toString('utf8', place + 46, place + 46 + name);
    const bytes = archive.subarray(from, from + size);
    const isPacked = archive.readUInt16LE(place + 10) !== 0;
    const file = isPacked ? inflateRawSync(bytes) : bytes;
    if (crc32(file) !== archive.readUInt32LE(place + 16)) throw new Error(`${title} is damaged`);
    files[title] = file;
    place += 46 + name + more + note;
  }
  return files;
}
