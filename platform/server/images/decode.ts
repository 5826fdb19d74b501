import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Refusal } from './tasks.ts';

/** Pixels above which a picture is refused: no phone camera makes them, and a 30 KB file can hold more. */
const MAX_PIXELS = 50e6;

/** Thrown for a picture that is refused before or while it is decoded. */
export class PictureRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal, options);
    this.refusal = refusal;
  }
}

/** Reads the metadata of a picture; throws for one that must not be decoded. */
export async function inspect(path: string): Promise<Metadata> {
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
