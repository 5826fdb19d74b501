import { FileRefused, openWorkers } from '#platform/server/workers.ts';

/** Most workbooks that may wait, to be read or to be written. */
const WAITING_MAX = 5;
/** Time, in ms, and memory, in bytes, past which a workbook counts as a trap and the worker is ended. */
const READ_MS = 20_000;
const READ_MEMORY = 256 * 1024 * 1024;
/** In ms. The site wrote every text in it and knows how long they may be: a workbook that takes longer is a fault. */
const WRITE_MS = 60_000;

/** What stands in a cell whose formula has no result, because no spreadsheet has computed it. */
export const NO_RESULT = '#SANS RÉSULTAT';

export interface SheetTask {
  path: string;
  /** Of a workbook that is a text (a page of a site, XML), that text. */
  text?: string | undefined;
  /** Is made; gets each sheet as CSV. */
  folder: string;
  /** Whether hidden rows are written as well. */
  withHidden: boolean;
}

/** A sheet that has lines. */
export interface ReadSheet {
  name: string;
  /** Line for line, between semicolons; hidden rows that are not wanted are blank. */
  csvPath: string;
  /** How many lines are not blank. */
  lines: number;
  isHidden: boolean;
  /** Numbers of the lines that are hidden and not blank, from 1. */
  hiddenRows: number[];
  /** Whether its days are counted from 1904. */
  is1904: boolean;
}

/**
 * A sheet to be written: tables, between which stand rows without cells. Its first row stays in view, and is printed on
 * each page.
 */
export interface Sheet {
  /** 31 characters at most, none of []/\:*? */
  name: string;
  /** Subject of the workbook, at the foot of each printed page. */
  about: string;
  /** Widths of the columns, in characters. */
  widths: readonly number[];
  rows: readonly (readonly Cell[])[];
}

/**
 * The value of a cell. A text stays a text, whatever it looks like; of a date, the UTC day or time is shown; null is
 * a blank cell.
 */
export type CellValue = string | number | Date | null;

/** A value with its style; without a format a date is shown as a day. */
export interface StyledValue {
  value: CellValue;
  format?: string;
  /** Bold, on a light ground. */
  isTitle?: boolean;
  /** Shown over the cell. */
  picture?: Picture;
}

export interface Picture {
  jpeg: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
  /** Text of the picture, for people who do not see it. */
  text: string;
}

export type Cell = CellValue | StyledValue;

/** A row of titles. */
export function titles(...texts: readonly string[]): Cell[] {
  return texts.map((value) => ({ value, isTitle: true }));
}

export interface Sheets {
  /** Writes the sheets of a workbook (.xlsx, .xls, .ods…) as CSV; throws `FileRefused`. */
  toCsv(task: SheetTask): Promise<ReadSheet[]>;
  /** Makes a workbook (.xlsx) of these sheets. */
  write(sheets: readonly Sheet[]): Promise<Buffer>;
  close(): Promise<void>;
}

export function openSheets(): Sheets {
  const readers = openWorkers<SheetTask, ReadSheet[] | string>({
    module: new URL(import.meta.resolve('#platform/server/sheets/reader.ts')),
    threads: 1,
    waitingMax: WAITING_MAX,
    taskMs: READ_MS,
    memoryMax: READ_MEMORY,
    trapped: 'ce classeur n’a pas pu être lu.',
  });
  const writers = openWorkers<readonly Sheet[], Uint8Array<ArrayBuffer>>({
    module: new URL(import.meta.resolve('#platform/server/sheets/writer.ts')),
    threads: 1,
    waitingMax: WAITING_MAX,
    taskMs: WRITE_MS,
    trapped: 'ce classeur n’a pas pu être écrit.',
  });
  return {
    async toCsv(task) {
      const read = await readers.run(task);
      if (typeof read === 'string') throw new FileRefused(read);
      return read;
    },
    async write(sheets) {
      const { buffer, byteOffset, byteLength } = await writers.run(sheets);
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    async close() {
      await Promise.all([readers.close(), writers.close()]);
    },
  };
}
