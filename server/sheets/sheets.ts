import { FileRefused, openWorkers } from '../workers.ts';

/** Workbooks that may wait. */
const WAITING_MAX = 5;
/** Time and memory, in bytes, after which a workbook counts as a trap and the worker is ended. */
const READ_MS = 20_000;
const READ_MEMORY = 256 * 1024 * 1024;

export interface SheetTask {
  path: string;
  /** Where its first sheet is written as CSV. */
  csvPath: string;
}

export interface Sheets {
  /** Writes the first sheet of a workbook (.xlsx) as CSV, line for line; throws `FileRefused`. */
  toCsv(path: string, csvPath: string): Promise<void>;
  close(): Promise<void>;
}

export function openSheets(): Sheets {
  const workers = openWorkers<SheetTask, string | undefined>({
    module: new URL('./worker.ts', import.meta.url),
    threads: 1,
    waitingMax: WAITING_MAX,
    taskMs: READ_MS,
    memoryMax: READ_MEMORY,
    trapped: 'ce classeur n’a pas pu être lu.',
  });
  return {
    async toCsv(path, csvPath) {
      const reason = await workers.run({ path, csvPath });
      if (reason) throw new FileRefused(reason);
    },
    close: workers.close,
  };
}
