import { writeFile } from 'node:fs/promises';
import readExif from 'exif-reader';
import type { Sharp } from 'sharp';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { readMoment } from '#platform/shared/time.ts';
import { decode, inspect, PictureRefused } from './decode.ts';
import { described, type Made, type PhotoTask, type TaskResult } from './tasks.ts';

/** Fast, as hundreds wait in the queue: a little larger in bytes, and four times as fast as the default. */
const WEBP = { quality: 78, effort: 1 };
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
export async function photo({ input, sizes, jpeg }: PhotoTask): Promise<TaskResult> {
  const found = await inspect(input);
  if (found.space === 'cmyk') throw new PictureRefused('cmyk');
  const taken = takenAt(found.exif);
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
    await keep(path, await opened(pixels).webp(WEBP).toBuffer(), pixels);
  }
  return { ok: true, pictures, placeholder: await thumbHash(opened(pixels)), taken };
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

/** The placeholder shown before a picture has arrived: a ThumbHash in base64. */
export async function thumbHash(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize(100, 100, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

/** Inserts EXIF right after the marker that begins a JPEG. */
function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

/** When a photo was taken, on the clock of its camera; undefined when it does not say. */
function takenAt(exif: Buffer | undefined): string | undefined {
  if (!exif) return undefined;
  const { Photo, Image } = read(exif) ?? {};
  const dates = [Photo?.DateTimeOriginal, Photo?.DateTimeDigitized, Image?.DateTime];
  return dates.map(momentOf).find((moment) => moment !== undefined);
}

/** Reads EXIF; undefined when it is damaged, as the picture itself may be whole. */
function read(exif: Buffer): ReturnType<typeof readExif> | undefined {
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
