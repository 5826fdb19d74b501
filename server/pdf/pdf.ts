import { Piscina } from 'piscina';
import { openTurns } from '../turns.ts';

/** A PDF that cannot be taken; `reason` is a whole French sentence. */
export class PdfRefused extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** PDFs that may wait. */
const WAITING_MAX = 20;
/** Time after which a PDF counts as a trap and the worker is ended. */
const TASK_MS = 20_000;

export interface Pdfs {
  /** Throws `PdfRefused` when the file at `path` is no PDF, or one that could act. */
  check(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the worker that reads PDFs; it starts with the first one and ends when idle. */
export function openPdfs(): Pdfs {
  // As for pictures: a file's time starts when its work does, not while another's is under way.
  const inTurn = openTurns(1, WAITING_MAX);
  const pool = new Piscina<string, string | undefined>({
    filename: new URL('./worker.ts', import.meta.url).href,
    name: 'run',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 20_000,
  });
  async function runInTime(path: string): Promise<string | undefined> {
    try {
      return await pool.run(path, { signal: AbortSignal.timeout(TASK_MS) });
    } catch (error) {
      throw Object.assign(new PdfRefused('ce PDF n’a pas pu être lu.'), { cause: error });
    }
  }
  return {
    async check(path) {
      const reason = await inTurn(() => runInTime(path));
      if (reason) throw new PdfRefused(reason);
    },
    close: () => pool.destroy(),
  };
}
