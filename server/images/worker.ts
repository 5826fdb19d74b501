import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import decodeHeic from 'heic-decode';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Task, TaskResult } from './tasks.ts';

/*
 * Runs in a worker thread, one picture at a time. Threads inside one picture gain nothing on small machines,
 * and a picture of a child's holiday is not kept in a cache.
 */
sharp.concurrency(1);
sharp.cache(false);
/** Pixels above which a picture is refused: no phone camera makes them, and a 30 KB file can hold more. */
const MAX_PIXELS = 50e6;
/** The largest size is made while somebody waits, the narrower ones behind, and for many more readers. */
const WEBP = { quality: 80, effort: 1 };
const NARROW_WEBP = { quality: 72, effort: 4 };

export async function run(task: Task): Promise<TaskResult> {
  try {
    return task.name === 'prepare' ? await prepare(task) : await narrow(task);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // A full disk or a vanished file is not the picture's fault: the caller tells those apart.
    if (code && /^E[A-Z]+$/.test(code)) return { ok: false, errno: code, detail: String(error) };
    return { ok: false, refused: 'unreadable', detail: String(error) };
  }
}

async function prepare(task: Extract<Task, { name: 'prepare' }>): Promise<TaskResult> {
  const found = await sharp(task.input, { limitInputPixels: false }).metadata();
  if (found.width * found.height > MAX_PIXELS) return { ok: false, refused: 'too-many-pixels', detail: '' };
  const isHeic = found.compression === 'hevc';
  if (!isHeic && (found.pages ?? 1) > 1) return { ok: false, refused: 'animated', detail: '' };
  const picture = isHeic ? await fromHeic(task.input, found.width * found.height) : fromFile(task.input);
  const { data, info } = await picture
    .resize(task.max, task.max, { fit: 'inside', withoutEnlargement: true })
    .webp(WEBP)
    .toBuffer({ resolveWithObject: true });
  await writeFile(task.output, data, { mode: 0o600 });
  return {
    ok: true,
    pictures: [{ ...described(data), width: info.width, height: info.height }],
    placeholder: await placeholder(data),
  };
}

/** Turned upright; metadata, GPS among it, is dropped by re-encoding. */
function fromFile(path: string): Sharp {
  return sharp(path, { autoOrient: true, failOn: 'error', limitInputPixels: MAX_PIXELS });
}

interface HeicImage {
  width: number;
  height: number;
  decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
}

/**
 * A HEIC may hold several images: the one whose size was measured is decoded, so that a huge one cannot hide
 * behind a small one. The decoder has turned it already: its EXIF orientation must not be applied again.
 */
async function fromHeic(path: string, pixels: number): Promise<Sharp> {
  const images = (await decodeHeic.all({ buffer: await readFile(path) })) as unknown as HeicImage[] & {
    dispose(): void;
  };
  try {
    const shown = images.find((image) => image.width * image.height === pixels);
    if (!shown) throw new Error('the HEIC holds no image of the size it says');
    const { width, height, data } = await shown.decode();
    return sharp(data, { raw: { width, height, channels: 4 } });
  } finally {
    images.dispose();
  }
}

async function placeholder(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture)
    .resize(100, 100, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

/** Each from the largest size, so that no loss is added to another. */
async function narrow(task: Extract<Task, { name: 'narrow' }>): Promise<TaskResult> {
  const pictures: { size: number; sha256: string; width: number; height: number }[] = [];
  const source = await readFile(task.input);
  for (const { width, path } of task.outputs) {
    const { data, info } = await sharp(source)
      .resize({ width })
      .webp(NARROW_WEBP)
      .toBuffer({ resolveWithObject: true });
    await writeFile(path, data, { mode: 0o600 });
    pictures.push({ ...described(data), width: info.width, height: info.height });
  }
  return { ok: true, pictures, placeholder: '' };
}

function described(data: Buffer) {
  return { size: data.length, sha256: createHash('sha256').update(data).digest('hex') };
}
