import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { decode, inspect, PictureRefused } from './decode.ts';
import { photo, thumbHash } from './photo.ts';
import { described, type Made, type Task, type TaskResult } from './tasks.ts';

/*
 * Runs in its own process, one picture at a time. Threads within one picture gain nothing on small machines, and a
 * picture of a child's holiday is not kept in a cache.
 */
sharp.concurrency(1);
sharp.cache(false);
// Whatever the bytes claim, only these decoders run: SVG, PDF, TIFF and the rest are attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});

/** Fast for the largest size, which somebody waits for; smaller for the narrower ones, which have many more readers. */
const WEBP = { quality: 80, effort: 1 };
const NARROW_WEBP = { quality: 72, effort: 4 };

async function run(task: Task): Promise<TaskResult> {
  try {
    switch (task.name) {
      case 'prepare':
        return await prepare(task);
      case 'narrow':
        return await narrow(task);
      case 'photo':
        return await photo(task);
    }
  } catch (error) {
    // Ending the process frees all that it held, a decoder that crashed included; the picture may be tried again.
    if (isBreakdown(error) || (error instanceof Error && isBreakdown(error.cause))) process.exit(1);
    if (error instanceof PictureRefused)
      return { ok: false, refused: error.refusal, detail: String(error.cause ?? '') };
    const code = (error as NodeJS.ErrnoException).code;
    // A full disk or a vanished file is not the picture's fault: the caller tells those apart.
    if (code && /^E[A-Z]+$/.test(code)) return { ok: false, errno: code, detail: String(error) };
    return { ok: false, refused: 'unreadable', detail: String(error) };
  }
}

/** True for a crash of the HEIC decoder, or a lack of memory, which has a message but no code. */
function isBreakdown(error: unknown): boolean {
  return /RuntimeError|out of memory|alloc/i.test(String(error));
}

async function prepare({ input, output, max }: Extract<Task, { name: 'prepare' }>): Promise<TaskResult> {
  const picture = await decode(input, await inspect(input), max);
  const pixels = await decoded(picture.resize(max, max, { fit: 'inside', withoutEnlargement: true }));
  const made = await keep(pixels.clone().webp(WEBP), output);
  return { ok: true, pictures: [made], placeholder: await thumbHash(pixels) };
}

/** Makes each size from the largest, so that losses do not add up. */
async function narrow({ input, outputs }: Extract<Task, { name: 'narrow' }>): Promise<TaskResult> {
  const pixels = await decoded(sharp(await readFile(input)));
  const pictures: Made[] = [];
  for (const { width, path } of outputs)
    pictures.push(await keep(pixels.clone().resize({ width }).webp(NARROW_WEBP), path));
  return { ok: true, pictures, placeholder: '' };
}

/** A picture whose pixels are in memory: several outputs of it decode its file once. */
async function decoded(picture: Sharp): Promise<Sharp> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } });
}

async function keep(picture: Sharp, path: string): Promise<Made> {
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  await writeFile(path, data, { mode: 0o600 });
  return { ...described(data), width: info.width, height: info.height };
}

// The site has ended, perhaps killed: nobody waits for an answer, and nobody needs to know that it cannot be sent.
process.on('disconnect', () => process.exit());
process.on('message', async (task) => process.send?.(await run(task as Task), () => {}));
