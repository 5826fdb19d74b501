import { FileRefused, openWorkers } from '#platform/server/workers.ts';

/** PDFs that may wait. */
const WAITING_MAX = 20;
/** Time, in ms, after which a PDF counts as a trap and the worker is ended: for checks and for reading. */
const CHECK_MS = 20_000;
const READ_MS = 60_000;
/** Memory in bytes that reading may take: a PDF has 20 MB at the most, and its text a few. */
const READ_MEMORY = 128 * 1024 * 1024;
const UNREADABLE = 'ce PDF n’a pas pu être lu.';

/** The text of a page on one line, and its words folded with a space between. */
export interface PageText {
  texte: string;
  plie: string;
}

export interface Pdfs {
  /** Throws `FileRefused` when the file at `path` is no PDF, or has active content. */
  check(path: string): Promise<void>;
  /** The pages of a PDF that was checked, in order; throws `FileRefused` when they cannot be read. */
  read(path: string): Promise<PageText[]>;
  close(): Promise<void>;
}

/** Opens separate workers for checks and reading, so that the check of a PDF does not wait for the text of another. */
export function openPdfs(): Pdfs {
  const checks = openWorkers<string, string | undefined>({
    module: new URL(import.meta.resolve('#platform/server/pdf/check.ts')),
    threads: 1,
    waitingMax: WAITING_MAX,
    taskMs: CHECK_MS,
    trapped: UNREADABLE,
  });
  const readings = openWorkers<string, PageText[]>({
    module: new URL(import.meta.resolve('#platform/server/pdf/text.ts')),
    threads: 1,
    waitingMax: WAITING_MAX,
    taskMs: READ_MS,
    memoryMax: READ_MEMORY,
    trapped: UNREADABLE,
  });
  return {
    async check(path) {
      const reason = await checks.run(path);
      if (reason) throw new FileRefused(reason);
    },
    read: readings.run,
    close: async () => void (await Promise.all([checks.close(), readings.close()])),
  };
}
