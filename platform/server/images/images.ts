import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, link, open, rename, rm } from 'node:fs/promises';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import { openTurns } from '#platform/server/concurrency.ts';
import { notNow } from '#platform/server/http/errors.ts';
import type { Log } from '#platform/server/log.ts';
import { FileRefused, WorkerLost } from '#platform/server/workers.ts';
import { PICTURE_MAX } from '#platform/shared/pictures.ts';
import { SNIFF_BYTES, sniff } from '#platform/shared/sniff.ts';
import { canConfine, forkConfined } from './confined.ts';
import type { Made, PhotoTask, Refusal, Task, TaskResult } from './tasks.ts';

const REASONS: Record<Refusal, string> = {
  unreadable:
    'cette image est abîmée ou incomplète\u202f: reprenez-la là où elle a été prise, et envoyez-la de nouveau.',
  'too-large':
    'cette image est trop grande pour être lue ici\u202f: enregistrez-la en JPEG, réduite à 8\u00a0000\u00a0points de côté au plus.',
  animated: 'les images animées ne sont pas acceptées\u202f: envoyez-en une image fixe, en JPEG ou en PNG.',
  cmyk: 'cette image est en couleurs d’imprimerie (CMJN)\u202f: enregistrez-la en couleurs d’écran (RVB).',
  unknown: 'cette forme d’image ne peut pas être lue ici\u202f: enregistrez-la en JPEG.',
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
  /** Erases what processes of an earlier start left; only for the server, as it alone has any. */
  clear(): Promise<void>;
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

interface ImagesOptions {
  /** Folder in which each process has a folder of its own; on the disk of the pictures, as they are moved. */
  directory: string;
  cpuMs?: number;
  /** Told when a process runs unconfined. */
  log?: Log | undefined;
}

/** Opens the processes: one picture per core, but only one HEIC or AVIF at a time. */
export function openImages({ directory, cpuMs = CPU_MS, log }: ImagesOptions): Images {
  const workers = openProcesses(directory, Math.max(1, availableParallelism()), log);
  // One may take a gigabyte where others take a tenth of it, and its decoder keeps that until its process ends.
  const heavy = openProcesses(directory, 1, log);
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
    clear: () => rm(directory, { recursive: true, force: true }),
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

/** A process, and its folder: the picture that it reads is in `in`, what it makes of it in `out`. */
interface Worker {
  child: ChildProcess;
  place: string;
}

/**
 * Opens processes for what compiled code reads or writes: when it crashes, the site goes on, and when a picture takes it
 * over, it has that picture and those that come after it until it ends. Tasks and results are plain data, one message
 * each. Processes start with the first task, and end when idle or with the site, however that ends.
 */
function openProcesses(directory: string, count: number, log: Log | undefined) {
  const module = new URL(import.meta.resolve('#platform/server/images/worker.ts'));
  const inTurn = openTurns(count, WAITING_MAX);
  const alive = new Set<Worker>();
  const resting = new Map<Worker, NodeJS.Timeout>();
  let isClosed = false;

  function end(worker: Worker): void {
    clearTimeout(resting.get(worker));
    resting.delete(worker);
    worker.child.kill('SIGKILL');
    if (alive.delete(worker)) rmSync(worker.place, { recursive: true, force: true });
  }
  async function start(): Promise<Worker> {
    const isConfined = await canConfine();
    if (!isConfined)
      log?.warn('pictures are decoded unconfined: see the doctor, and what filters system calls');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const place = mkdtempSync(join(directory, 'processus-'));
    const [reads, writes] = ['in', 'out'].map((name) => join(place, name)) as [string, string];
    mkdirSync(reads);
    mkdirSync(writes);
    // The second is for `freeBuffers` of the worker.
    const nodeFlags = ['--max-semi-space-size=1', '--expose-gc'];
    const child = forkConfined(module, { reads: [reads], writes, isConfined, env: ENV, nodeFlags });
    // Set at once, so that the threads that it starts inherit it.
    if (child.pid !== undefined) setPriority(child.pid, NICE);
    const worker = { child, place };
    alive.add(worker);
    child.once('exit', () => end(worker));
    // A caller that waits for an answer gets the error as well; nobody else needs it.
    child.on('error', () => end(worker));
    return worker;
  }
  async function take(): Promise<Worker> {
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
        const worker = await take();
        if (isClosed) {
          // While it started.
          end(worker);
          throw notNow();
        }
        const { own, made } = within(worker.place, task);
        try {
          await give(task.input, own.input);
          const result = await ask(worker.child, own, cpuMs).catch((error: unknown) => {
            end(worker);
            throw isClosed ? notNow() : new WorkerLost(REASONS.unreadable, { cause: error });
          });
          if (result.ok) for (const [from, to] of made) await rename(from, to);
          return result;
        } finally {
          for (const path of [own.input, ...made.keys()]) await rm(path, { force: true });
          if (alive.has(worker)) resting.set(worker, setTimeout(() => end(worker), IDLE_MS).unref());
        }
      }),
    close() {
      isClosed = true;
      for (const worker of alive) end(worker);
    },
  };
}

/** Puts a file into the folder of a process, which may read it and no more. */
async function give(path: string, own: string): Promise<void> {
  try {
    await link(path, own);
  } catch (error) {
    // Another disk, or one that has no links.
    if (!['EXDEV', 'EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyFile(path, own);
  }
}

/** A task on files of the folder of a process; `made`: where its results belong, by the paths that it writes. */
function within(place: string, task: Task): { own: Task; made: Map<string, string> } {
  const made = new Map<string, string>();
  const out = (path: string) => {
    const own = join(place, 'out', String(made.size));
    made.set(own, path);
    return own;
  };
  const input = join(place, 'in', 'picture');
  const moved = <T extends { path: string }>(wanted: T) => ({ ...wanted, path: out(wanted.path) });
  switch (task.name) {
    case 'prepare':
      return { own: { ...task, input, output: out(task.output) }, made };
    case 'narrow':
      return { own: { ...task, input, outputs: task.outputs.map(moved) }, made };
    case 'photo':
      return {
        own: { ...task, input, jpeg: task.jpeg && moved(task.jpeg), sizes: task.sizes.map(moved) },
        made,
      };
  }
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
