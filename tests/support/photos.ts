import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { bytesOnce } from './fixtures.ts';

/** Real photographs of cameras and phones, and pictures derived from them. */

const CAMERAS = join(import.meta.dirname, '../../node_modules/exif/test');

/** `right.jpg`, `down-mirrored.jpg`, `sony-alpha-6000.jpg` (24 MP)… as the cameras wrote them. */
export function camera(name: string): Promise<Buffer> {
  return readFile(join(CAMERAS, name));
}
/** 13 MP, by a Xiaomi phone, with the hour of its satellites. */
export const xiaomi = () => camera('short-ascii-II.jpg');
/** With the place it was taken at, by an iPhone. */
export const iphone = () => camera('test1.jpg');

interface Exif {
  make?: string;
  model?: string;
  serial?: string;
  /** A moment; absent: the photo does not say. */
  taken?: string;
}

/** A small real photograph with the EXIF of another camera. */
export async function takenBy({ make, model, serial, taken }: Exif): Promise<Buffer> {
  const date = taken && `${taken.slice(0, 10).replaceAll('-', ':')} ${taken.slice(11, 19)}`;
  return sharp(
    await bytesOnce('small-xiaomi.jpg', async () =>
      sharp(await xiaomi())
        .resize(480)
        .toBuffer(),
    ),
  )
    .withExif({
      IFD0: { ...(make && { Make: make }), ...(model && { Model: model }) },
      IFD2: { ...(date && { DateTimeOriginal: date }), ...(serial && { BodySerialNumber: serial }) },
    })
    .jpeg()
    .toBuffer();
}

export type Pixel = [number, number, number];
const RED: Pixel = [220, 30, 30];
const GREEN: Pixel = [30, 200, 40];
const BLUE: Pixel = [30, 40, 220];
const WHITE: Pixel = [240, 240, 240];
/** What a person sees in the corners of `corners()`, once it is upright: top left, top right, bottom left, bottom right. */
export const CORNERS = [RED, GREEN, BLUE, WHITE] as const;

/** Where the pixel of a stored picture comes from in the upright one, as EXIF defines its eight orientations. */
const STORED: Record<number, (x: number, y: number, w: number, h: number) => [number, number]> = {
  1: (x, y) => [x, y],
  2: (x, y, w) => [w - 1 - x, y],
  3: (x, y, w, h) => [w - 1 - x, h - 1 - y],
  4: (x, y, _w, h) => [x, h - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, w) => [w - 1 - y, x],
  7: (x, y, w, h) => [w - 1 - y, h - 1 - x],
  8: (x, y, _w, h) => [y, h - 1 - x],
};

/** Four coloured quarters, 480 × 360 when upright, stored as a camera held that way would. */
export async function corners(
  orientation: number,
  format: 'jpeg' | 'png' | 'webp' = 'jpeg',
  [w, h]: readonly [number, number] = [480, 360],
): Promise<Buffer> {
  const [width, height] = orientation >= 5 ? [h, w] : [w, h];
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [ux, uy] = STORED[orientation]?.(x, y, w, h) ?? [x, y];
      data.set(CORNERS[(ux < w / 2 ? 0 : 1) + (uy < h / 2 ? 0 : 2)] ?? RED, (y * width + x) * 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .withMetadata({ orientation })
    .toFormat(format, { quality: 95 })
    .toBuffer();
}

/** The colours in the middle of the four quarters. */
export async function quarters(picture: Uint8Array): Promise<Pixel[]> {
  const { data, info } = await sharp(picture)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): Pixel => {
    const offset = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [data[offset] ?? -1, data[offset + 1] ?? -1, data[offset + 2] ?? -1];
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="45,45.84N"/></rdf:RDF></x:xmpmeta>';

/** A 12 MP portrait as a phone saves it: stored lying, EXIF orientation 6, GPS, XMP and IPTC. */
export function phonePortrait([width = 4000, height = 3000]: number[] = []): Promise<Buffer> {
  return bytesOnce(`portrait-${width}x${height}.jpg`, () => drawPortrait(width, height));
}

async function drawPortrait(width: number, height: number): Promise<Buffer> {
  const jpeg = await sharp(await xiaomi())
    .resize(width, height)
    .withMetadata({ orientation: 6 })
    .withExif({
      IFD0: { Make: 'Phonemaker', Model: 'Portrait 12', Orientation: '6' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '45/1 45/1 5058/100',
        GPSLongitudeRef: 'E',
        GPSLongitude: '4/1 50/1 834/100',
      },
    })
    .withXmp(XMP)
    .jpeg({ quality: 88 })
    .toBuffer();
  return withIptc(jpeg);
}

/** Adds a caption and a city as picture agencies do, in an APP13 segment. */
function withIptc(jpeg: Buffer): Buffer {
  const field = (id: number, text: string) =>
    Buffer.concat([Buffer.from([0x1c, 2, id, 0, text.length]), Buffer.from(text, 'latin1')]);
  const iptc = Buffer.concat([field(90, 'Villeneuve-les-Bains'), field(120, 'Colonie du lac')]);
  const header = Buffer.from([
    0x38,
    0x42,
    0x49,
    0x4d,
    0x04,
    0x04,
    0,
    0,
    0,
    0,
    iptc.length >> 8,
    iptc.length & 255,
  ]);
  const block = Buffer.concat([Buffer.from('Photoshop 3.0\0'), header, iptc, Buffer.alloc(iptc.length % 2)]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(block.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xed]), length, block, jpeg.subarray(2)]);
}

/** The four quarters in further forms that people's programs write. */
export async function inFormat(
  name: 'png16' | 'cmyk' | 'progressive' | 'webp' | 'avif' | 'p3',
): Promise<Buffer> {
  const upright = sharp(await corners(1, 'png'));
  switch (name) {
    case 'png16':
      return upright.toColourspace('rgb16').png().toBuffer();
    case 'cmyk':
      return upright.toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    case 'progressive':
      return upright.jpeg({ quality: 95, progressive: true }).toBuffer();
    case 'webp':
      return upright.webp({ quality: 95 }).toBuffer();
    case 'avif':
      return upright.avif({ quality: 80, effort: 0 }).toBuffer();
    case 'p3':
      return upright.withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
  }
}

/** Of Debian's libheif-examples, which tests need as they need a browser. */
const HEIF_ENC = 'heif-enc';

/** Quarter turns to the left that show a picture of that EXIF orientation upright. */
const TURNS: Record<number, number> = { 3: 2, 6: 3, 8: 1 };

/**
 * The picture as an iPhone saves it, by Debian's encoder. A phone says twice how it was held: in EXIF, which is
 * in the JPEG already, and in a property of the file, which is the one that counts and is added here.
 */
export function heic(jpeg: Buffer): Promise<Buffer> {
  const name = createHash('sha256').update(jpeg).digest('hex');
  return bytesOnce(`${name}.heic`, () => asHeic(jpeg));
}

async function asHeic(jpeg: Buffer): Promise<Buffer> {
  const { orientation = 1 } = await sharp(jpeg).metadata();
  const directory = mkdtempSync(join(tmpdir(), 'heic-'));
  try {
    const [from, to] = [join(directory, 'in.jpg'), join(directory, 'out.heic')];
    writeFileSync(from, jpeg);
    execFileSync(HEIF_ENC, ['-q', '80', '-p', 'preset=ultrafast', '-o', to, from], { stdio: 'pipe' });
    const turns = TURNS[orientation];
    return turns === undefined ? readFileSync(to) : turned(readFileSync(to), turns);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Adds an `irot` property and gives it to the first item; what lies behind moves by ten bytes. */
function turned(file: Buffer, turns: number): Buffer {
  const place = (type: string) => {
    const at = file.indexOf(type) - 4;
    return { at, end: at + file.readUInt32BE(at) };
  };
  const [meta, iprp, ipco, ipma, iloc] = ['meta', 'iprp', 'ipco', 'ipma', 'iloc'].map(place) as [
    ReturnType<typeof place>,
    ReturnType<typeof place>,
    ReturnType<typeof place>,
    ReturnType<typeof place>,
    ReturnType<typeof place>,
  ];
  let properties = 0;
  for (let at = ipco.at + 8; at < ipco.end; at += file.readUInt32BE(at)) properties++;
  const grow = (box: { at: number }, by: number) =>
    file.writeUInt32BE(file.readUInt32BE(box.at) + by, box.at);
  if (file.readUInt16BE(iloc.at + 12) !== 0x4440) throw new Error('another form of HEIC than expected');
  const items = file.readUInt16BE(iloc.at + 14);
  for (let i = 0, at = iloc.at + 16; i < items; i++) {
    file.writeUInt32BE(file.readUInt32BE(at + 4) + 10, at + 4);
    at += 10 + 8 * file.readUInt16BE(at + 8);
  }
  grow(meta, 10);
  grow(iprp, 10);
  grow(ipco, 9);
  grow(ipma, 1);
  file.writeUInt8(file.readUInt8(ipma.at + 18) + 1, ipma.at + 18);
  const irot = Buffer.concat([Buffer.from([0, 0, 0, 9]), Buffer.from('irot'), Buffer.from([turns])]);
  const association = Buffer.from([0x80 | (properties + 1)]);
  return Buffer.concat([
    file.subarray(0, ipco.end),
    irot,
    file.subarray(ipco.end, ipma.end),
    association,
    file.subarray(ipma.end),
  ]);
}

/** A PNG of a few kilobytes that announces and holds that many pixels. */
export function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  // One bit a pixel, grey.
  header.set([1, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

export async function animatedWebp(frames = 5): Promise<Buffer> {
  const size = 32;
  const data = randomBytes(size * size * 3 * frames);
  return sharp(data, { raw: { width: size, height: size * frames, channels: 3, pageHeight: size } })
    .webp({ loop: 0, delay: Array(frames).fill(100) })
    .toBuffer();
}

/** The chunks of a WebP, which must fill the file to its last byte. */
export function webpChunks(bytes: Buffer): string[] {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    throw new Error('no WebP');
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) throw new Error('bytes after the end of the WebP');
  const names: string[] = [];
  let at = 12;
  while (at < bytes.length) {
    names.push(bytes.toString('latin1', at, at + 4));
    const size = bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  if (at !== bytes.length) throw new Error('bytes after the end of the WebP');
  return names;
}
