import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
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
  threads: number;
  /** Tasks that may wait; beyond, 503. */
  waitingMax: number;
  /** Time in ms after which a file counts as a trap and its worker is ended. */
  taskMs: number;
  /** Memory in bytes past which a file counts as a trap as well; of a single thread only. */
  memoryMax?: number;
  /** French reason for a file whose worker ran out of time or memory. */
  trapped: string;
}

/** Opens threads that read received files, or write large ones; they start with the first task and end when idle. */
export function openWorkers<Task, Result>(options: WorkersOptions) {
  const { module, threads, waitingMax, taskMs, memoryMax, trapped } = options;
  // Tasks queue here rather than in the pool, so that a file's time starts when its work does.
  const inTurn = openTurns(threads, waitingMax);
  let pool: Promise<Piscina<Task, Result>> | undefined;
  const opened = () => {
    pool ??= import('piscina').then(
      ({ Piscina }) =>
        new Piscina({
          filename: module.href,
          name: 'run',
          minThreads: 0,
          maxThreads: threads,
          idleTimeout: 20_000,
        }),
    );
    return pool;
  };
  let isClosed = false;
  return {
    /** Runs a task. Throws `WorkerLost`, or 503 when too many wait or the site stops; `ms`: if nobody waits for it. */
    run: (task: Task, ms = taskMs): Promise<Result> =>
      inTurn(async () => {
        if (isClosed) throw notNow();
        const threadPool = await opened();
        const trap = new AbortController();
        const watch = memoryMax === undefined ? undefined : watchMemory(threadPool, memoryMax, trap);
        try {
          return await threadPool.run(task, {
            signal: AbortSignal.any([trap.signal, AbortSignal.timeout(ms)]),
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

interface ProcessesOptions {
  /** Module of the process: it is sent one task at a time as a message, and answers with one. */
  module: URL;
  processes: number;
  /** Tasks that may wait; beyond, 503. */
  waitingMax: number;
  /** French reason for a file whose process ran out of time, or broke down. */
  trapped: string;
}

/** Time, in ms, after which a process without a task is ended, which frees the memory it holds. */
const IDLE_MS = 20_000;
/** Lower priority, as visitors come first: nearly all of a busy processor is theirs, and an idle one is not lost. */
const NICE = 10;
/**
 * The whole environment of a process: it needs no secrets. One arena of glibc, as several would keep what large
 * pictures took for a moment: a third less memory while photos are prepared.
 */
const ENV = { MALLOC_ARENA_MAX: '1' };

/**
 * Opens processes for what compiled code reads or writes: when it crashes, the site goes on. Tasks and results are
 * plain data. Processes start with the first task, and end when idle or with the site, however that ends.
 */
export function openProcesses<Task extends object, Result>(options: ProcessesOptions) {
  const { module, processes, waitingMax, trapped } = options;
  const inTurn = openTurns(processes, waitingMax);
  const alive = new Set<ChildProcess>();
  const resting = new Map<ChildProcess, NodeJS.Timeout>();
  let isClosed = false;

  function end(child: ChildProcess): void {
    clearTimeout(resting.get(child));
    resting.delete(child);
    alive.delete(child);
    child.kill('SIGKILL');
  }
  function start(): ChildProcess {
    const child = fork(module, {
      env: ENV,
      execArgv: ['--max-semi-space-size=1'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    // Set at once, so that the threads that it starts inherit it.
    if (child.pid !== undefined) setPriority(child.pid, NICE);
    alive.add(child);
    child.once('exit', () => end(child));
    // A caller that waits for an answer gets the error as well; nobody else needs it.
    child.on('error', () => end(child));
    return child;
  }
  function take(): ChildProcess {
    const [found] = resting.keys();
    if (!found) return start();
    clearTimeout(resting.get(found));
    resting.delete(found);
    return found;
  }

  return {
    /** Throws `WorkerLost`, or 503 when too many wait or the site stops; after `ms` a file counts as a trap. */
    run: (task: Task, ms: number): Promise<Result> =>
      inTurn(async () => {
        if (isClosed) throw notNow();
        const child = take();
        try {
          const result = await ask<Result>(child, task, ms);
          resting.set(child, setTimeout(() => end(child), IDLE_MS).unref());
          return result;
        } catch (error) {
          end(child);
          if (isClosed) throw notNow();
          throw new WorkerLost(trapped, { cause: error });
        }
      }),
    close() {
      isClosed = true;
      for (const child of alive) end(child);
    },
  };
}

async function ask<Result>(child: ChildProcess, task: object, ms: number): Promise<Result> {
  const gone = new AbortController();
  const tell = (code: number | null, signal: string | null) =>
    gone.abort(new Error(`The process ended with ${code ?? signal}`));
  child.once('exit', tell);
  try {
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(ms)]);
    const answer = once(child, 'message', { signal });
    child.send(task);
    const [result] = await answer;
    return result as Result;
  } finally {
    child.off('exit', tell);
  }
}
