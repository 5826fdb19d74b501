import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openTurns } from '#platform/server/concurrency.ts';
import { notNow } from '#platform/server/errors.ts';
import type { Log } from '#platform/server/log.ts';
import { FileRefused, WorkerLost } from './answers.ts';

/** Time, in ms, after which a worker that uses no processor either has come to a standstill. */
const TASK_MS = 10 * 60_000;
/** Time, in ms, between two looks at what a worker has used. */
const WATCH_MS = 100;
/** Time, in ms, after which a process without a task is ended, which frees the memory it holds. */
const IDLE_MS = 20_000;
/** Lower priority, as visitors come first: nearly all of a busy processor is theirs, and an idle one is not lost. */
const NICE = 10;
/**
 * The whole environment of a process: it needs no secrets. One arena of glibc, as several would keep what large
 * pictures took for a moment: a third less memory while photos are prepared.
 */
const ENV = { MALLOC_ARENA_MAX: '1' };

interface ProcessesOptions {
  /** Module that a process runs: it answers each message, a task, by one of its own. */
  module: URL;
  /** Folder in which each process has a folder of its own; on the disk of what it makes, which is moved from there. */
  directory: string;
  count: number;
  /** Tasks that may wait; beyond, 503. */
  waitingMax: number;
  nodeFlags: string[];
  /**
   * Processor time, in ms, and memory, in bytes, past which a process is ended. Not the time on the clock: a machine
   * that is busy with other things must not make a trap of a file.
   */
  cpuMs: number;
  memoryMax?: number;
  /** French reasons: a process that was lost, for whatever cause; a file that takes more than those limits. */
  lost: string;
  tooMuch?: string;
  log: Log | undefined;
}

/** A process, and its folder: the file that it reads is in `in`, what it makes of it in `out`. */
interface Worker {
  child: ChildProcess;
  place: string;
}

/** Where a process finds its input, and where it writes what belongs at another path: a file, or files in a folder. */
export interface Place {
  input: string;
  out(path: string): string;
  folder(path: string): string;
}

/**
 * Opens processes for what reads files of strangers: when it crashes, the site goes on, and when a file takes it over, it
 * has that file and those that come after it until it ends. Tasks and results are plain data, one message each. Processes
 * start with the first task, and end when idle or with the site, however that ends.
 */
export function openProcesses<Task extends object, Result extends { ok: boolean }>(
  options: ProcessesOptions,
) {
  const { module, directory, nodeFlags, lost, tooMuch, log } = options;
  const inTurn = openTurns(options.count, options.waitingMax);
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
    if (!isConfined) log?.warn('files are read unconfined: see the doctor, and what filters system calls');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const place = mkdtempSync(join(directory, 'processus-'));
    const [reads, writes] = ['in', 'out'].map((name) => join(place, name)) as [string, string];
    mkdirSync(reads);
    mkdirSync(writes);
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
    /**
     * Gives a process the file at `path`. Throws `WorkerLost`, `FileRefused` for one that takes too much where that has a
     * reason of its own, or 503 when too many wait or the site stops.
     */
    run: (path: string, taskAt: (place: Place) => Task): Promise<Result> =>
      inTurn(async () => {
        if (isClosed) throw notNow();
        const worker = await take();
        if (isClosed) {
          // While it started.
          end(worker);
          throw notNow();
        }
        const input = join(worker.place, 'in', 'file');
        const made = new Map<string, string>();
        const out = (at: string) => {
          const own = join(worker.place, 'out', String(made.size));
          made.set(own, at);
          return own;
        };
        // It makes none itself, as a file is all that it may make.
        const folder = (at: string) => {
          const own = out(at);
          mkdirSync(own, { mode: 0o700 });
          return own;
        };
        try {
          const task = taskAt({ input, out, folder });
          await give(path, input);
          const result = await ask(worker.child, task, options).catch((error: unknown) => {
            end(worker);
            if (isClosed) throw notNow();
            if (error instanceof TookTooMuch && tooMuch !== undefined)
              throw new FileRefused(tooMuch, { cause: error });
            throw new WorkerLost(lost, { cause: error });
          });
          if (result.ok) for (const [from, to] of made) await rename(from, to);
          return result as Result;
        } finally {
          for (const path of [input, ...made.keys()]) await rm(path, { recursive: true, force: true });
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

/** Thrown for a file whose process went past a limit; what ends it otherwise is a crash. */
class TookTooMuch extends Error {}

async function ask(
  child: ChildProcess,
  task: object,
  { cpuMs, memoryMax }: ProcessesOptions,
): Promise<{ ok: boolean }> {
  const over = new AbortController();
  const tell = (code: number | null, signal: string | null) =>
    over.abort(new Error(`The process ended with ${code ?? signal}`));
  child.once('exit', tell);
  const before = cpuOf(child);
  const watch = setInterval(() => {
    if (cpuOf(child) - before > cpuMs) over.abort(new TookTooMuch('The file took too much processor time'));
    if (memoryMax !== undefined && memoryOf(child) > memoryMax)
      over.abort(new TookTooMuch('The file took too much memory'));
  }, WATCH_MS);
  try {
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(TASK_MS)]);
    const answer = once(child, 'message', { signal });
    child.send(task);
    const [result] = await answer;
    return result;
  } catch (error) {
    throw over.signal.reason ?? error;
  } finally {
    clearInterval(watch);
    child.off('exit', tell);
  }
}

/** Milliseconds of one unit in which Linux counts the processor time of a process. */
const TICK_MS = 10;

/** Processor time, in ms, that all threads of a process have used; 0 once it is gone, or where there is no Linux. */
function cpuOf(child: ChildProcess): number {
  const stat = told(child, 'stat');
  // The name of the process, in brackets, is the second field and may hold blanks.
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) * TICK_MS;
}

/** Bytes of memory that a process holds; 0 likewise. */
function memoryOf(child: ChildProcess): number {
  const [, kilobytes = 0] = /^VmRSS:\s+(\d+)/m.exec(told(child, 'status')) ?? [];
  return Number(kilobytes) * 1024;
}

/** What Linux tells of a process; blank where it tells nothing. */
function told({ pid }: ChildProcess, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}

/*
 * Processes that can reach little, whoever has taken them over: `confine.pl` says what the kernel refuses them. It is
 * Perl, which is part of every Debian, as Node can make none of these system calls.
 */

const run = promisify(execFile);
const PERL = '/usr/bin/perl';
const SCRIPT = fileURLToPath(import.meta.resolve('#platform/server/confined/confine.pl'));
const ROOT = resolve(dirname(SCRIPT), '../../..');

/** What a process reads: Node, the libraries of the system, and the code of the site. */
const READ = [
  process.execPath,
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/local/lib',
  '/usr/share/zoneinfo',
  '/etc/ld.so.cache',
  '/etc/ssl/openssl.cnf',
  '/dev/null',
  '/sys/devices/system/cpu',
  ...['platform', 'node_modules', 'package.json'].map((name) => resolve(ROOT, name)),
];

interface Allowed {
  /** Folders whose files it reads, beside code. */
  reads: readonly string[];
  /** Folder in which it reads and writes files. */
  writes: string;
}

const listsOf = ({ reads, writes }: Allowed) => [[...READ, ...reads].join('\n'), writes];

/** Like `fork`, with a module that runs confined if `isConfined`. */
export function forkConfined(
  module: URL,
  { isConfined, env, nodeFlags, ...allowed }: Allowed & ForkOptions,
): ChildProcess {
  const options = { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'ipc')[] };
  if (!isConfined) return fork(module, { ...options, execArgv: nodeFlags });
  const execArgv = [SCRIPT, ...listsOf(allowed), '--', process.execPath, ...nodeFlags];
  return fork(module, { ...options, execPath: PERL, execArgv });
}

interface ForkOptions {
  isConfined: boolean;
  /** Its whole environment. */
  env: NodeJS.ProcessEnv;
  nodeFlags: string[];
}

/** Of a process that has no folder. */
const NOTHING = listsOf({ reads: [], writes: '/dev/null' });

let confines: Promise<boolean> | undefined;

/** Whether a process can be started that way on this machine, and still has what decoders need. */
export function canConfine(): Promise<boolean> {
  confines ??= tryOut();
  return confines;
}

async function tryOut(): Promise<boolean> {
  const program = [process.execPath, '--input-type=module', '--eval', "await import('sharp')"];
  try {
    await run(PERL, [SCRIPT, ...NOTHING, '--', ...program], { cwd: ROOT, env: {} });
    return true;
  } catch {
    return false;
  }
}

/** What the kernel refuses a confined process here: to open `file`, and to open sockets. */
export async function refusedTo(file: string): Promise<{ files: boolean; sockets: boolean }> {
  if (!(await canConfine())) return { files: false, sockets: false };
  const { stdout } = await run(PERL, [SCRIPT, ...NOTHING, '--probe', file], { env: {} });
  const refused = stdout.split('\n');
  return { files: refused.includes('files'), sockets: refused.includes('sockets') };
}
