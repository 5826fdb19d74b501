import { FileRefused, openWorkers } from '../workers.ts';

/** PDFs that may wait. */
const WAITING_MAX = 20;
/** Time after which a PDF counts as a trap and the worker is ended. */
const TASK_MS = 20_000;

export interface Pdfs {
  /** Throws `FileRefused` when the file at `path` is no PDF, or one that could act. */
  check(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the worker that reads PDFs. */
export function openPdfs(): Pdfs {
  const workers = openWorkers<string, string | undefined>({
    module: new URL('./worker.ts', import.meta.url),
    threads: 1,
    waitingMax: WAITING_MAX,
    taskMs: TASK_MS,
    trapped: 'ce PDF n’a pas pu être lu.',
  });
  return {
    async check(path) {
      const reason = await workers.run(path);
      if (reason) throw new FileRefused(reason);
    },
    close: workers.close,
  };
}
