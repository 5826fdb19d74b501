import { availableParallelism } from 'node:os';
import { PICTURE_MAX } from '../../shared/content/kind.ts';
import { FileRefused, openWorkers } from '../workers.ts';
import type { Made, Refusal, Task, TaskResult } from './tasks.ts';

const REASONS: Record<Refusal, string> = {
  unreadable: 'cette image est abîmée ou incomplète : elle ne peut pas être lue.',
  'too-many-pixels': 'cette image est trop grande (50 millions de points au plus).',
  animated: 'les images animées ne sont pas acceptées.',
};

/** Pictures that may wait: a few galleries sent at once. */
const WAITING_MAX = 100;
/** Time after which a picture counts as a trap and its worker is ended. */
const TASK_MS = 30_000;

/**
 * Whatever the bytes claim, only these decoders run: SVG, PDF, TIFF and the rest are attack surface. The library
 * holds this for the whole process, so it is said once and before any thread starts: said by each thread, it
 * would forbid for a moment what the others are reading. Loaded with the first picture, as it is large.
 */
function limitDecoders(): Promise<void> {
  decodersLimited ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
    });
  });
  return decodersLimited;
}

let decodersLimited: Promise<void> | undefined;

export interface Images {
  /**
   * Makes a received picture safe: decoded, upright, without metadata, at most `PICTURE_MAX` pixels a side, as
   * WebP at `output`. `placeholder` is a ThumbHash in base64. Throws `FileRefused`, or 503 when too many wait.
   */
  prepare(input: string, output: string): Promise<Made & { placeholder: string }>;
  /** Makes narrower WebPs of a prepared picture; `outputs` largest first, widths in pixels. */
  narrow(input: string, outputs: { width: number; path: string }[]): Promise<Made[]>;
  close(): Promise<void>;
}

/** Opens the threads: one picture a core. */
export function openImages(): Images {
  const workers = openWorkers<Task, TaskResult>({
    module: new URL('./worker.ts', import.meta.url),
    threads: Math.max(1, availableParallelism()),
    waitingMax: WAITING_MAX,
    taskMs: TASK_MS,
    trapped: REASONS.unreadable,
  });
  async function run(task: Task): Promise<Extract<TaskResult, { ok: true }>> {
    await limitDecoders();
    const result = await workers.run(task);
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
    close: workers.close,
  };
}
