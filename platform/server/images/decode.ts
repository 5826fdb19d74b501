import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import decodeHeic from 'heic-decode';
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Refusal } from './tasks.ts';

/** Pixels above which a picture is refused: no phone camera makes them, and a 30 KB file can hold more. */
const MAX_PIXELS = 50e6;

/** A picture that is refused before or while it is decoded. */
export class PictureRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal, options);
    this.refusal = refusal;
  }
}

/** What a picture says of itself; throws for what must not be decoded. */
export async function inspect(path: string): Promise<Metadata> {
  const found = await sharp(path, { limitInputPixels: false }).metadata();
  if (found.width * found.height > MAX_PIXELS) throw new PictureRefused('too-many-pixels');
  if (!isHeic(found) && (found.pages ?? 1) > 1) throw new PictureRefused('animated');
  return found;
}

const isHeic = ({ compression }: Metadata) => compression === 'hevc';

/**
 * The picture upright; its metadata, GPS among it, is dropped by whatever encodes it anew. `max` is the longest side, in
 * pixels, that anybody wants of it.
 */
export async function decode(path: string, found: Metadata, max: number): Promise<Sharp> {
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
 * A HEIC may hold several images: the one whose size was measured is decoded, so that a huge one cannot hide
 * behind a small one. The decoder has turned it already: its EXIF orientation must not be applied again.
 */
async function fromHeic(path: string, found: Metadata): Promise<Sharp> {
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
 * The picture with the profile that says which colours its numbers mean: phones have more of them than screens, and
 * without it all look pale. Only what is read from a file has one, so it passes through a PNG, which is not compressed.
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

/** Bytes of a PNG up to the end of its first part, which says how large it is. */
const PNG_HEAD = 33;
