import { readFile, writeFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import readExif from 'exif-reader';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { cameraName } from '#platform/shared/camera.ts';
import { readMoment } from '#platform/shared/time.ts';
import {
  codingOf,
  described,
  type Made,
  type PhotoTask,
  type Refusal,
  type Retouch,
  type Task,
  type TaskResult,
  type Zone,
} from './tasks.ts';

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
async function photo({ input, sizes, jpeg, retouch }: PhotoTask): Promise<TaskResult> {
  const found = await inspect(input);
  if (found.space === 'cmyk') throw new PictureRefused('cmyk');
  const { taken, camera } = takenBy(found.exif);
  const [{ side: largest } = { side: 0 }] = sizes;
  const side = jpeg?.side ?? largest;
  const received = await decode(input, found, side);
  const source = retouch ? opened(await retouched(await pixelsOf(received, side), retouch)) : received;
  const pictures: Made[] = [];
  const keep = async (path: string, data: Buffer, { width, height }: Pick<Pixels, 'width' | 'height'>) => {
    await writeFile(path, data, { mode: 0o600 });
    pictures.push({ ...described(data), width, height });
  };
  if (jpeg && retouch?.isKept && retouch.zones.length === 0) {
    const orientation = turned(found.orientation ?? 1, retouch.turns);
    const data = withExif(withoutExif(await readFile(input)), { taken, orientation });
    await keep(jpeg.path, data, (await sharp(data).metadata()).autoOrient);
  } else if (jpeg) {
    const { data, info } = await shrunk(source.clone(), jpeg.side)
      .jpeg(JPEG)
      .toBuffer({ resolveWithObject: true });
    await keep(jpeg.path, withExif(data, { taken, orientation: 1 }), info);
  }
  freeBuffers();
  let pixels = await pixelsOf(source, largest);
  for (const { side, path } of sizes) {
    pixels = await pixelsOf(opened(pixels), side);
    await keep(path, await opened(pixels).webp(codingOf(side)).toBuffer(), pixels);
  }
  return { ok: true, pictures, placeholder: await thumbHash(opened(pixels)), taken, camera };
}

/**
 * Frees the bytes of pictures that are no longer used. The collector sees their small handles only, and would let tens of
 * megabytes of them pile up in each process.
 */
function freeBuffers(): void {
  globalThis.gc?.();
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

/* Retouching. */

async function retouched(pixels: Pixels, { zones, turns }: Retouch): Promise<Pixels> {
  for (const zone of zones) await blur(pixels, zone);
  if (turns === 0) return pixels;
  const { data, info } = await opened(pixels)
    .rotate(90 * turns)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Colours that are left of a blurred zone, on its longer side: too few for a face, whatever is done to them. */
const CELLS = 4;
/** Least pixels on the side of what becomes one colour: in a small zone, few pixels are few colours. */
const CELL_PIXELS = 16;

/** Replaces the pixels of a zone by a few averages of them, and what lies between. */
async function blur(pixels: Pixels, zone: Zone): Promise<void> {
  // Outwards, so that no pixel that the zone touches is left.
  const span = (from: number, length: number, all: number) => {
    const start = Math.min(Math.max(Math.floor(from * all), 0), all - 1);
    return { start, length: Math.min(Math.max(Math.ceil((from + length) * all), start + 1), all) - start };
  };
  const { start: left, length: width } = span(zone.left, zone.width, pixels.width);
  const { start: top, length: height } = span(zone.top, zone.height, pixels.height);
  const cell = Math.max(CELL_PIXELS, Math.max(width, height) / CELLS);
  const [across, down] = [width, height].map((length) => Math.max(1, Math.floor(length / cell)));
  const averages = await opened(pixels)
    .extract({ left, top, width, height })
    .resize(across, down, { fit: 'fill', kernel: 'mitchell' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const smooth = await opened({ ...averages.info, data: averages.data })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  for (let row = 0; row < height; row++)
    smooth.copy(pixels.data, ((top + row) * pixels.width + left) * 3, row * width * 3, (row + 1) * width * 3);
}

/** EXIF orientations of an upright picture and of its quarter turns clockwise. */
const ORIENTATIONS = [1, 6, 3, 8];

function turned(orientation: number, turns: number): number {
  return ORIENTATIONS[(ORIENTATIONS.indexOf(orientation) + turns) % 4] as number;
}

/** A JPEG made by `withExif` as it was before, and any other as it is. */
function withoutExif(jpeg: Buffer): Buffer {
  if (jpeg.readUInt16BE(2) !== 0xffe1) return jpeg;
  return Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(4 + jpeg.readUInt16BE(4))]);
}

/* The EXIF of a photo. */

interface Said {
  /** When a photo was taken, if that is known. */
  taken: string | undefined;
  orientation: number;
}

/** Inserts EXIF right after the marker that begins a JPEG, if it has anything to say. */
function withExif(jpeg: Buffer, said: Said): Buffer {
  if (said.taken === undefined && said.orientation === 1) return jpeg;
  const exif = exifOf(said);
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

/** EXIF that says when a photo was taken, and how to turn it if it is not stored upright; nothing else. */
function exifOf({ taken, orientation }: Said): Buffer {
  // The values of the first list are in it; those of the second, if there is one, follow.
  const tags: Tag[] = orientation === 1 ? [] : [[0x0112, 3, 1, orientation]];
  if (taken === undefined) return Buffer.concat([EXIF_HEAD, listOf(tags)]);
  const second = TIFF_HEAD_BYTES + listBytes(tags.length + 1);
  tags.push([0x8769, 4, 1, second]);
  const date = `${taken.slice(0, 10).replaceAll('-', ':')} ${taken.slice(11, 19)}\0`;
  const dates: Tag[] = [[0x9003, 2, DATE_BYTES, second + listBytes(1)]];
  return Buffer.concat([EXIF_HEAD, listOf(tags), listOf(dates), Buffer.from(date, 'latin1')]);
}

const EXIF_HEAD = Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1');
/** Offsets count from the byte order, eight bytes before the first list. */
const TIFF_HEAD_BYTES = 8;

type Tag = [tag: number, type: number, count: number, value: number];

const listBytes = (tags: number) => 6 + 12 * tags;

/** A list of tags, in ascending order, with no list after it. */
function listOf(tags: readonly Tag[]): Buffer {
  const list = Buffer.alloc(listBytes(tags.length));
  list.writeUInt16LE(tags.length, 0);
  for (const [index, [tag, type, count, value]] of tags.entries()) {
    const at = 2 + 12 * index;
    list.writeUInt16LE(tag, at);
    list.writeUInt16LE(type, at + 2);
    list.writeUInt32LE(count, at + 4);
    list.writeUInt32LE(value, at + 8);
  }
  return list;
}
