import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { availableParallelism, setPriority } from 'node:os';
import { openTurns } from '#platform/server/concurrency.ts';
import { notNow } from '#platform/server/http/errors.ts';
import { FileRefused, WorkerLost } from '#platform/server/workers.ts';
import { PICTURE_MAX } from '#platform/shared/pictures.ts';
import {
  type Made,
  type PhotoTask,
  type Refusal,
  SNIFF_BYTES,
  sniff,
  type Task,
  type TaskResult,
} from './tasks.ts';

const REASONS: Record<Refusal, string> = {
  unreadable: 'cette image est abîmée ou incomplète\u202f: elle ne peut pas être lue.',
  'too-many-pixels': 'cette image est trop grande (50 millions de points au plus).',
  animated: 'les images animées ne sont pas acceptées.',
  cmyk: 'cette image est en couleurs d’imprimerie (CMJN)\u202f: enregistrez-la en couleurs d’écran (RVB).',
  heic: 'cette image HEIC ne peut pas être lue ici\u202f: envoyez-la en JPEG.',
};

/** Pictures that may wait: a few galleries sent at once. */
const WAITING_MAX = 100;
/**
 * Processor time, in ms, after which a picture counts as a trap and its worker is ended: a machine that is busy with
 * other things must not make it one.
 */
const CPU_MS = 60_000;
/** Time, in ms, after which a worker that uses no processor either has come to a standstill. */
const TASK_MS = 10 * 60_000;
/** Time, in ms, between two looks at what a worker has used. */
const WATCH_MS = 100;

export interface Images {
  /**
   * Makes a received picture safe: decoded, upright, without metadata, at most `PICTURE_MAX` pixels a side, as
   * WebP at `output`. `placeholder` is a ThumbHash in base64. Throws `FileRefused`, or 503 when too many wait.
   */
  prepare(input: string, output: string): Promise<Made & { placeholder: string }>;
  /** Makes narrower WebPs of a prepared picture; `outputs` largest first, widths in pixels. */
  narrow(input: string, outputs: { width: number; path: string }[]): Promise<Made[]>;
  /**
   * Makes the sizes of a photo, without any metadata but, in the JPEG, when it was taken. Throws `FileRefused`;
   * `WorkerLost` for a photo that may be read another time.
   */
  photo(input: string, outputs: Pick<PhotoTask, 'sizes' | 'jpeg' | 'retouch'>): Promise<PhotoMade>;
  close(): void;
}

export interface PhotoMade {
  jpeg: Made | undefined;
  /** In the order in which they were asked for. */
  sizes: Made[];
  placeholder: string;
  /** When it was taken, on the clock of its camera, if the file says so. */
  taken: string | undefined;
  /** The camera whose clock says so, as `cameraName` writes it; blank: unknown. */
  camera: string;
}

/** Opens the processes: one picture per core, but only one HEIC or AVIF at a time. */
export function openImages({ cpuMs = CPU_MS } = {}): Images {
  const workers = openProcesses(Math.max(1, availableParallelism()));
  // One may take a gigabyte where others take a tenth of it, and its decoder keeps that until its process ends.
  const heavy = openProcesses(1);
  async function run(task: Task): Promise<Extract<TaskResult, { ok: true }>> {
    const result = await ((await isHeif(task.input)) ? heavy : workers).run(task, cpuMs);
    if (result.ok) return result;
    if ('errno' in result) throw Object.assign(new Error(result.detail), { code: result.errno });
    throw new FileRefused(REASONS[result.refused], { cause: result.detail });
  }
  return {
    async prepare(input, output) {
      const { pictures, placeholder } = await run({ name: 'prepare', input, output, max: PICTURE_MAX });
      const [made] = pictures;
      if (!made) throw new Error('The worker made no picture');
      return { ...made, placeholder };
    },
    async narrow(input, outputs) {
      return (await run({ name: 'narrow', input, outputs })).pictures;
    },
    async photo(input, { sizes, jpeg, retouch }) {
      const task = { name: 'photo', input, sizes, jpeg, retouch } as const;
      const { pictures, placeholder, taken, camera = '' } = await run(task);
      const made = jpeg ? pictures.slice(1) : pictures;
      return { jpeg: jpeg ? pictures[0] : undefined, sizes: made, placeholder, taken, camera };
    },
    close() {
      workers.close();
      heavy.close();
    },
  };
}

async function isHeif(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return sniff(buffer.subarray(0, bytesRead)) === 'heif';
  } finally {
    await file.close();
  }
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
 * plain data, one message each. Processes start with the first task, and end when idle or with the site, however that
 * ends.
 */
function openProcesses(count: number) {
  const module = new URL(import.meta.resolve('#platform/server/images/worker.ts'));
  const inTurn = openTurns(count, WAITING_MAX);
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
      // The second is for `freeBuffers` of the worker.
      execArgv: ['--max-semi-space-size=1', '--expose-gc'],
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
    /** Throws `WorkerLost`, or 503 when too many wait or the site stops; a file that takes `cpuMs` counts as a trap. */
    run: (task: Task, cpuMs: number): Promise<TaskResult> =>
      inTurn(async () => {
        if (isClosed) throw notNow();
        const child = take();
        try {
          const result = await ask(child, task, cpuMs);
          resting.set(child, setTimeout(() => end(child), IDLE_MS).unref());
          return result;
        } catch (error) {
          end(child);
          if (isClosed) throw notNow();
          throw new WorkerLost(REASONS.unreadable, { cause: error });
        }
      }),
    close() {
      isClosed = true;
      for (const child of alive) end(child);
    },
  };
}

async function ask(child: ChildProcess, task: Task, cpuMs: number): Promise<TaskResult> {
  const over = new AbortController();
  const tell = (code: number | null, signal: string | null) =>
    over.abort(new Error(`The process ended with ${code ?? signal}`));
  child.once('exit', tell);
  const before = usedBy(child);
  const watch = setInterval(() => {
    if (usedBy(child) - before > cpuMs) over.abort(new Error('The picture took too much processor time'));
  }, WATCH_MS);
  try {
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(TASK_MS)]);
    const answer = once(child, 'message', { signal });
    child.send(task);
    const [result] = await answer;
    return result as TaskResult;
  } finally {
    clearInterval(watch);
    child.off('exit', tell);
  }
}

/** Milliseconds of one unit in which Linux counts the processor time of a process. */
const TICK_MS = 10;

/** Processor time, in ms, that all threads of a process have used; 0 once it is gone, or where there is no Linux. */
function usedBy({ pid }: ChildProcess): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the process, in brackets, is the second field and may hold blanks.
    const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
    return ((user ?? 0) + (system ?? 0)) * TICK_MS;
  } catch {
    return 0;
  }
}
