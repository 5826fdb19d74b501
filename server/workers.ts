import { Piscina } from 'piscina';
import { openTurns } from './turns.ts';

/** A received file that cannot be taken; `reason` is a French sentence. */
export class FileRefused extends Error {
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

interface WorkersOptions {
  /** Module of the worker; its export `run` takes one task. */
  module: URL;
  threads: number;
  /** Tasks that may wait; beyond, 503. */
  waitingMax: number;
  /** Time in ms after which a file counts as a trap and its worker is ended. */
  taskMs: number;
  /** Said of a file whose worker ran out of time or memory: the file is at fault, not the server. */
  trapped: string;
}

/** Threads that read received files; they start with the first one and end when idle. */
export function openWorkers<Task, Result>(options: WorkersOptions) {
  const { module, threads, waitingMax, taskMs, trapped } = options;
  // Turns are taken here rather than in the pool's own queue, so that a file's time starts when its work does.
  const inTurn = openTurns(threads, waitingMax);
  const pool = new Piscina<Task, Result>({
    filename: module.href,
    name: 'run',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 20_000,
  });
  return {
    /** Throws `FileRefused`, or 503 when too many wait. */
    run: (task: Task): Promise<Result> =>
      inTurn(async () => {
        try {
          return await pool.run(task, { signal: AbortSignal.timeout(taskMs) });
        } catch (error) {
          throw new FileRefused(trapped, { cause: error });
        }
      }),
    close: () => pool.destroy(),
  };
}
