import { open, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { FileRefused } from '#platform/server/confined/answers.ts';
import { openProcesses, type Place } from '#platform/server/confined/processes.ts';
import type { Log } from '#platform/server/log.ts';
import { PICTURE_MAX } from '#platform/shared/pictures.ts';
import { SNIFF_BYTES, sniff } from '#platform/shared/sniff.ts';
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
  const openSome = (count: number) =>
    openProcesses<Task, TaskResult>({
      module: new URL(import.meta.resolve('#platform/server/images/worker.ts')),
      directory,
      count,
      waitingMax: WAITING_MAX,
      // The second is for `freeBuffers` of the worker.
      nodeFlags: ['--max-semi-space-size=1', '--expose-gc'],
      cpuMs,
      lost: REASONS.unreadable,
      log,
    });
  const workers = openSome(Math.max(1, availableParallelism()));
  // One may take a gigabyte where others take a tenth of it, and its decoder keeps that until its process ends.
  const heavy = openSome(1);
  async function run(task: Task): Promise<Extract<TaskResult, { ok: true }>> {
    const processes = (await isHeif(task.input)) ? heavy : workers;
    const result = await processes.run(task.input, (place) => within(task, place));
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

/** A task on files of the folder of a process. */
function within(task: Task, { input, out }: Place): Task {
  const moved = <T extends { path: string }>(wanted: T) => ({ ...wanted, path: out(wanted.path) });
  switch (task.name) {
    case 'prepare':
      return { ...task, input, output: out(task.output) };
    case 'narrow':
      return { ...task, input, outputs: task.outputs.map(moved) };
    case 'photo':
      return { ...task, input, jpeg: task.jpeg && moved(task.jpeg), sizes: task.sizes.map(moved) };
  }
}
