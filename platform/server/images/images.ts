import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { FileRefused, openProcesses } from '#platform/server/workers.ts';
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
/** Time, in ms, after which a picture counts as a trap and its worker is ended. */
const TASK_MS = 30_000;
/** Like `TASK_MS`, for a photo, which nobody waits for: a busy machine must not make it count as a trap. */
const PHOTO_MS = 60_000;

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
  photo(input: string, outputs: Pick<PhotoTask, 'sizes' | 'jpeg'>): Promise<PhotoMade>;
  close(): void;
}

export interface PhotoMade {
  jpeg: Made | undefined;
  /** In the order in which they were asked for. */
  sizes: Made[];
  placeholder: string;
  /** When it was taken, on the clock of its camera, if the file says so. */
  taken: string | undefined;
}

/** Opens the processes: one picture per core, but only one HEIC or AVIF at a time. */
export function openImages({ photoMs = PHOTO_MS } = {}): Images {
  const start = (processes: number) =>
    openProcesses<Task, TaskResult>({
      module: new URL(import.meta.resolve('#platform/server/images/worker.ts')),
      processes,
      waitingMax: WAITING_MAX,
      trapped: REASONS.unreadable,
    });
  const workers = start(Math.max(1, availableParallelism()));
  // One may take a gigabyte where others take a tenth of it, and its decoder keeps that until its process ends.
  const heavy = start(1);
  async function run(task: Task, ms = TASK_MS): Promise<Extract<TaskResult, { ok: true }>> {
    const result = await ((await isHeif(task.input)) ? heavy : workers).run(task, ms);
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
    async photo(input, { sizes, jpeg }) {
      const { pictures, placeholder, taken } = await run({ name: 'photo', input, sizes, jpeg }, photoMs);
      const made = jpeg ? pictures.slice(1) : pictures;
      return { jpeg: jpeg ? pictures[0] : undefined, sizes: made, placeholder, taken };
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
