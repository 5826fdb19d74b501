import { writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { decode, look, PictureRefused } from './decode.ts';
import { exifOf, takenAt } from './exif.ts';
import { described, type Made, type PhotoTask, type TaskResult } from './tasks.ts';

/** Hundreds wait for their turn: a little larger in bytes, and four times as fast as the default. */
const WEBP = { quality: 78, effort: 1 };
/** Its codes are not counted first, which would take the memory of the whole picture to save a hundredth of the bytes. */
const JPEG = { quality: 85, optimiseCoding: false };

interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

/**
 * Makes the sizes of a photo, each shrunk from the one before. The JPEG is made straight from the file: what a photo of
 * a phone is once decoded never stands in memory, and decoding it anew at half its size costs little.
 */
export async function photo({ input, sizes, jpeg }: PhotoTask): Promise<TaskResult> {
  const found = await look(input);
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

/** On white, in sRGB, at most `side` pixels a side. */
function shrunk(picture: Sharp, side: number): Sharp {
  return picture
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
}

/** Three bytes a pixel. */
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

/** What is shown of a picture before it has arrived, in base64. */
export async function thumbHash(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize(100, 100, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

/** The EXIF part comes right after the mark that begins a JPEG. */
function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}
