import type { Piscina } from 'piscina';
import { openTurns } from './concurrency.ts';
import { notNow } from './http/errors.ts';

/** A received file that cannot be taken; `reason` is a French sentence. */
export class FileRefused extends Error {
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

/** A file whose worker did not finish: the file may be a trap, or the machine was busy, asleep, or short of memory. */
export class WorkerLost extends FileRefused {}

interface WorkersOptions {
  /** Module of the worker; its export `run` takes one task. */
  module: URL;
  /** Tasks that may wait; beyond, 503. */
  waitingMax: number;
  /** Time in ms after which a file counts as a trap and its worker is ended. */
  taskMs: number;
  /** Memory in bytes past which a file counts as a trap as well. */
  memoryMax?: number;
  /** French reason for a file whose worker ran out of time or memory. */
  trapped: string;
}

/** Opens a thread that reads workbooks, or writes them; it starts with the first task and ends when idle. */
export function openWorkers<Task, Result>(options: WorkersOptions) {
  const { module, waitingMax, taskMs, memoryMax, trapped } = options;
  // Tasks queue here rather than in the pool, so that a file's time starts when its work does.
  const inTurn = openTurns(1, waitingMax);
  let pool: Promise<Piscina<Task, Result>> | undefined;
  const opened = () => {
    pool ??= import('piscina').then(
      ({ Piscina }) =>
        new Piscina({
          filename: module.href,
          name: 'run',
          minThreads: 0,
          maxThreads: 1,
          idleTimeout: 20_000,
        }),
    );
    return pool;
  };
  let isClosed = false;
  return {
    /** Runs a task. Throws `WorkerLost`, or 503 when too many wait or the site stops. */
    run: (task: Task): Promise<Result> =>
      inTurn(async () => {
        if (isClosed) throw notNow();
        const threadPool = await opened();
        const trap = new AbortController();
        const watch = memoryMax === undefined ? undefined : watchMemory(threadPool, memoryMax, trap);
        try {
          return await threadPool.run(task, {
            signal: AbortSignal.any([trap.signal, AbortSignal.timeout(taskMs)]),
          });
        } catch (error) {
          if (isClosed) throw notNow();
          throw new WorkerLost(trapped, { cause: error });
        } finally {
          clearInterval(watch);
        }
      }),
    close: async () => {
      isClosed = true;
      await (await pool)?.destroy();
    },
  };
}

const MEMORY_CHECK_MS = 100;

/**
 * Aborts `trap` when the pool's one thread uses too much memory. Node limits the objects of a thread, but not the
 * data beside them, where a few kilobytes may become gigabytes.
 */
function watchMemory(pool: Piscina, max: number, trap: AbortController): NodeJS.Timeout {
  return setInterval(async () => {
    // A thread that is starting or ending gives no answer.
    const found = await pool.threads[0]?.getHeapStatistics().catch(() => undefined);
    if (found && found.external_memory + found.used_heap_size > max) trap.abort();
  }, MEMORY_CHECK_MS);
}
