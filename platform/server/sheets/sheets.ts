import { type RefusedResult, taken } from '#platform/server/confined/answers.ts';
import { openProcesses } from '#platform/server/confined/processes.ts';
import type { Log } from '#platform/server/log.ts';
import { openWriter } from '#platform/server/threads.ts';

/** Most workbooks that may wait to be read. */
const WAITING_MAX = 5;
/** Processor time, in ms, and memory, in bytes, past which a workbook counts as a trap. */
const READ_CPU_MS = 20_000;
const READ_MEMORY = 384 * 1024 * 1024;

/** What stands in a cell whose formula has no result, because no spreadsheet has computed it. */
export const NO_RESULT = '#SANS RÉSULTAT';

export interface SheetTask {
  input: string;
  /** Of a workbook that is a text (a page of a site, XML), that text. */
  text?: string | undefined;
  /** Gets each sheet as CSV. */
  folder: string;
  /** Whether hidden rows are written as well. */
  withHidden: boolean;
}

/** A sheet that has lines. */
export interface ReadSheet {
  name: string;
  /** In the folder: line for line, between semicolons; hidden rows that are not wanted are blank. */
  csv: string;
  /** How many lines are not blank. */
  lines: number;
  isHidden: boolean;
  /** Numbers of the lines that are hidden and not blank, from 1. */
  hiddenRows: number[];
  /** The letters of the columns that are hidden. */
  hiddenColumns: string[];
  /** Whether its days are counted from 1904. */
  is1904: boolean;
}

export type SheetResult = { ok: true; sheets: ReadSheet[] } | RefusedResult;

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
}

export type Cell = CellValue | StyledValue;

export function titles(...texts: readonly string[]): Cell[] {
  return texts.map((value) => ({ value, isTitle: true }));
}

export interface Sheets {
  /** Writes the sheets of a workbook (.xlsx, .xls, .ods…) as CSV; throws `FileRefused`. */
  toCsv(path: string, wanted: Omit<SheetTask, 'input'>): Promise<ReadSheet[]>;
  /** Makes a workbook (.xlsx) of these sheets. */
  write(sheets: readonly Sheet[]): Promise<Buffer>;
  close(): void;
}

/** Opens a process that reads workbooks, in a folder of its own in `directory`; a thread writes each. */
export function openSheets(directory: string, log?: Log): Sheets {
  const lost = 'ce classeur n’a pas pu être lu.';
  const readers = openProcesses<SheetTask, SheetResult>({
    module: new URL(import.meta.resolve('#platform/server/sheets/reader.ts')),
    directory,
    count: 1,
    waitingMax: WAITING_MAX,
    nodeFlags: [],
    cpuMs: READ_CPU_MS,
    memoryMax: READ_MEMORY,
    lost,
    log,
  });
  return {
    async toCsv(path, wanted) {
      const result = await readers.run(path, ({ input, folder }) => ({
        ...wanted,
        input,
        folder: folder(wanted.folder),
      }));
      return taken(result).sheets;
    },
    write: openWriter(new URL(import.meta.resolve('#platform/server/sheets/writer.ts'))),
    close: () => readers.close(),
  };
}
