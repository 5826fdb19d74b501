import { readFile, writeFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import readExif from 'exif-reader';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { cameraName } from '#platform/shared/camera.ts';
import { readMoment } from '#platform/shared/time.ts';
import { described, type Made, type PhotoTask, type Refusal, type Task, type TaskResult } from './tasks.ts';

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

/* Tasks, by messages of the site. */

// The site has ended, perhaps killed: nobody waits for an answer, and nobody needs to know that it cannot be sent.
process.on('disconnect', () => process.exit());
process.on('message', async (task) => process.send?.(await run(task as Task), () => {}));

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

/* Decoding. */

/** Pixels above which a picture is refused: no phone camera makes them, and a 30 KB file can hold more. */
const MAX_PIXELS = 50e6;

/** Thrown for a picture that is refused before or while it is decoded. */
class PictureRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal, options);
    this.refusal = refusal;
  }
}

/** Reads the metadata of a picture; throws for one that must not be decoded. */
async function inspect(path: string): Promise<Metadata> {
  const found = await sharp(path, { limitInputPixels: false }).metadata();
  if (found.width * found.height > MAX_PIXELS) throw new PictureRefused('too-many-pixels');
  if (!isHeic(found) && (found.pages ?? 1) > 1) throw new PictureRefused('animated');
  return found;
}

const isHeic = ({ compression }: Metadata) => compression === 'hevc';

/**
 * Decodes a picture upright; its metadata, GPS included, is dropped when it is encoded again. `max` is the longest
 * side, in pixels, that any output needs.
 */
async function decode(path: string, found: Metadata, max: number): Promise<Sharp> {
  if (!isHeic(found)) return sharp(path, { autoOrient: true, failOn: 'error', limitInputPixels: MAX_PIXELS });
  try {
    const picture = (await fromHeic(path, found)).resize(max, max, {
      fit: 'inside',
      withoutEnlargement: true,
    });
    return found.icc ? await coloured(picture, found.icc) : picture;
  } catch (error) {
    throw new PictureRefused('heic', { cause: error });
  }
}

interface HeicImage {
  width: number;
  height: number;
  decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
}

/**
 * Decodes a HEIC. It may hold several images: the one whose size was measured is decoded, so that a huge one cannot
 * hide behind a small one. The decoder has rotated it already: its EXIF orientation must not be applied again.
 */
async function fromHeic(path: string, found: Metadata): Promise<Sharp> {
  // Loaded for a HEIC alone: it takes a third of the start of the process.
  const { default: decodeHeic } = await import('heic-decode');
  const images = (await decodeHeic.all({ buffer: await readFile(path) })) as unknown as HeicImage[] & {
    dispose(): void;
  };
  try {
    const shown = images.find((image) => image.width * image.height === found.width * found.height);
    if (!shown) throw new Error('the HEIC holds no image of the size it says');
    const { width, height, data } = await shown.decode();
    return sharp(data, { raw: { width, height, channels: 4 } });
  } finally {
    images.dispose();
  }
}

/**
 * The picture with its colour profile: phones have more colours than screens, and without it all look pale. Only a
 * picture read from a file can have a profile, so it passes through an uncompressed PNG.
 */
async function coloured(picture: Sharp, icc: Buffer): Promise<Sharp> {
  const png = await picture.removeAlpha().png({ compressionLevel: 0 }).toBuffer();
  const body = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(icc)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  sum.writeUInt32BE(crc32(body));
  const head = png.subarray(0, PNG_HEAD);
  return sharp(Buffer.concat([head, length, body, sum, png.subarray(PNG_HEAD)]), { failOn: 'none' });
}

/** Bytes of a PNG up to the end of its first chunk, which holds its dimensions. */
const PNG_HEAD = 33;

/* Pictures of news and the like. */

/** Fast for the largest size, which somebody waits for; smaller for the narrower ones, which have many more readers. */
const WEBP = { quality: 80, effort: 1 };
const NARROW_WEBP = { quality: 68, effort: 5 };

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

/** The placeholder shown before a picture has arrived: a ThumbHash in base64. */
async function thumbHash(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize(100, 100, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

/* Photos of stays. */

/** Fast, as hundreds wait in the queue: a little larger in bytes, and four times as fast as the default. */
const PHOTO_WEBP = { quality: 78, effort: 1 };
/** For what is seen by hundreds for each photo that is made: a fifth fewer bytes for some milliseconds. */
const THUMBNAIL_WEBP = { quality: 75, effort: 4 };
/** Longest side in pixels of a thumbnail. */
const THUMBNAIL_MAX = 480;
/** Without optimised coding, which would hold the whole picture in memory to save a hundredth of the bytes. */
const JPEG = { quality: 85, optimiseCoding: false };

interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

/**
 * Makes the sizes of a photo, each shrunk from the one before. The JPEG is made straight from the file: a decoded
 * photo of a phone is never in memory as a whole, and decoding it again at half its size costs little.
 */
async function photo({ input, sizes, jpeg }: PhotoTask): Promise<TaskResult> {
  const found = await inspect(input);
  if (found.space === 'cmyk') throw new PictureRefused('cmyk');
  const { taken, camera } = takenBy(found.exif);
  const [{ side: largest } = { side: 0 }] = sizes;
  const source = await decode(input, found, jpeg?.side ?? largest);
  const pictures: Made[] = [];
  const keep = async (path: string, data: Buffer, { width, height }: Pick<Pixels, 'width' | 'height'>) => {
    await writeFile(path, data, { mode: 0o600 });
    pictures.push({ ...described(data), width, height });
  };
  if (jpeg) {
    const { data, info } = await shrunk(source.clone(), jpeg.side)
      .jpeg(JPEG)
      .toBuffer({ resolveWithObject: true });
    await keep(jpeg.path, taken === undefined ? data : withExif(data, exifOf(taken)), info);
  }
  let pixels = await pixelsOf(source, largest);
  for (const { side, path } of sizes) {
    pixels = await pixelsOf(opened(pixels), side);
    const coding = side <= THUMBNAIL_MAX ? THUMBNAIL_WEBP : PHOTO_WEBP;
    await keep(path, await opened(pixels).webp(coding).toBuffer(), pixels);
  }
  return { ok: true, pictures, placeholder: await thumbHash(opened(pixels)), taken, camera };
}

/** Flattens a picture on white, in sRGB, at most `side` pixels a side. */
function shrunk(picture: Sharp, side: number): Sharp {
  return picture
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
}

/** Raw pixels, three bytes each. */
async function pixelsOf(picture: Sharp, side: number): Promise<Pixels> {
  const { data, info } = await shrunk(picture, side)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`${info.channels} channels instead of 3`);
  return { data, width: info.width, height: info.height };
}

function opened({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Inserts EXIF right after the marker that begins a JPEG. */
function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

/** When a photo was taken, on the clock of its camera, and by which one; `taken` is undefined when it does not say. */
function takenBy(exif: Buffer | undefined): { taken: string | undefined; camera: string } {
  const { Photo, Image } = (exif && tagsOf(exif)) ?? {};
  const dates = [Photo?.DateTimeOriginal, Photo?.DateTimeDigitized, Image?.DateTime];
  const taken = dates.map(momentOf).find((moment) => moment !== undefined);
  return { taken, camera: cameraName(Image?.Make, Image?.Model, Photo?.BodySerialNumber) };
}

/** Reads EXIF; undefined when it is damaged, as the picture itself may be whole. */
function tagsOf(exif: Buffer): ReturnType<typeof readExif> | undefined {
  try {
    return readExif(exif);
  } catch {
    return undefined;
  }
}

/**
 * The local time of a date. The reader gives the camera's local time as an instant in UTC; a camera that was never
 * set says year 0.
 */
function momentOf(date: unknown): string | undefined {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) return undefined;
  return readMoment(date.toISOString());
}

const DATE_BYTES = 20;

/** EXIF that says when a photo was taken, and nothing else. */
function exifOf(moment: string): Buffer {
  const date = `${moment.slice(0, 10).replaceAll('-', ':')} ${moment.slice(11, 19)}\0`;
  return Buffer.concat([
    Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1'),
    // The first list holds the offset of the second one; the second the offset of the date, which follows it.
    onlyTag(0x8769, 4, 1, 26),
    onlyTag(0x9003, 2, DATE_BYTES, 44),
    Buffer.from(date, 'latin1'),
  ]);
}

/** A list of one tag, with no list after it: 18 bytes. */
function onlyTag(tag: number, type: number, count: number, value: number): Buffer {
  const list = Buffer.alloc(18);
  list.writeUInt16LE(1, 0);
  list.writeUInt16LE(tag, 2);
  list.writeUInt16LE(type, 4);
  list.writeUInt32LE(count, 6);
  list.writeUInt32LE(value, 10);
  return list;
}
