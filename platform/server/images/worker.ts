import { readFile, writeFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { answerTasks } from '#platform/server/confined/answers.ts';
import { captureIn } from '#platform/shared/capture.ts';
import { sniff } from '#platform/shared/sniff.ts';
import { type Heif, openHeif } from './heif.ts';
import { isHighRange, profileOf, profileOfPng } from './profiles.ts';
import {
  codingOf,
  described,
  type Made,
  type PhotoTask,
  PictureRefused,
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

answerTasks(run);

async function run(task: Task): Promise<TaskResult> {
  try {
    const bytes = await readFile(task.input);
    try {
      return await make(task, await withItsEnd(bytes), 'warning');
    } catch (error) {
      if (!isRemark(error)) throw error;
      return await make(task, bytes, 'error');
    }
  } catch (error) {
    if (error instanceof PictureRefused)
      return { ok: false, refused: error.refusal, detail: String(error.cause ?? '') };
    // Ending the process frees all that it held, a decoder that crashed included; the picture may be tried again.
    if (isBreakdown(error)) process.exit(1);
    // A full disk or a vanished file is not the picture's fault: the caller tells those apart.
    if (isOfSystem(error)) return { ok: false, errno: error.code, detail: String(error) };
    const refused = /unsupported|not supported/i.test(String(error)) ? 'unknown' : 'unreadable';
    return { ok: false, refused, detail: String(error) };
  }
}

/** How much a decoder may find amiss in a picture before it counts as damaged. */
type Strictness = 'warning' | 'error';

function make(task: Task, bytes: Buffer, failOn: Strictness): Promise<TaskResult> {
  switch (task.name) {
    case 'prepare':
      return prepare(task, bytes, failOn);
    case 'narrow':
      return narrow(task, bytes);
    case 'photo':
      return photo(task, bytes, failOn);
  }
}

/** True for a crash of the HEIC decoder, or a lack of memory, which has a message but no code. */
function isBreakdown(error: unknown): boolean {
  return /RuntimeError|out of memory|alloc/i.test(String(error));
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '');
}

/** Whether a picture may be whole all the same; one whose data end too early would show grey rows. */
function isRemark(error: unknown): boolean {
  if (error instanceof PictureRefused || isBreakdown(error) || isOfSystem(error)) return false;
  return !/premature end/i.test(String(error));
}

/* Decoding. */

/** Bytes of memory that a picture may take while it is decoded. */
const MEMORY_MAX = 1024 ** 3;
/** Most points of a picture, whatever they take: some formats decode any number of them, and for minutes. */
const MAX_POINTS = 268e6;
/**
 * Bytes that a point takes while it is decoded, by what `bench/memory.ts` measures: of several passes all are in memory, and
 * most formats are decoded whole; the JPEG and the PNG of one pass are read by rows, and shrunk at once.
 */
const BYTES_A_POINT = { rows: 1, jpegPasses: 4, pngPasses: 8, webp: 4, avif: 18, hevc: 8 } as const;

/** A picture whose bytes were looked at, and may be decoded. */
interface Inspected {
  /** How sharp reads it. */
  options: SharpOptions;
  /** A HEIC, which sharp does not decode; to be closed. */
  heic?: Heif;
  /** Its EXIF and its XMP. */
  said: Buffer;
  /** As EXIF turns it; 1 where what decodes it does so by itself. */
  orientation: number;
  isCmyk: boolean;
  /** More than 8 bits a channel. */
  isDeep: boolean;
  /** The profile of its colours, where sharp does not find it. */
  profile: Buffer | undefined;
  /** Grey from 16 to 235, which decoders leave as it is. */
  isNarrowGrey: boolean;
}

/** Reads what a picture says of itself. Throws `PictureRefused` for one that must not be decoded. */
async function inspect(bytes: Buffer): Promise<Inspected> {
  const kind = sniff(bytes);
  if (kind === 'heif') return inspectHeif(bytes);
  const options = { limitInputPixels: false };
  const found = await sharp(bytes, options).metadata();
  if ((found.pages ?? 1) > 1) throw new PictureRefused('animated');
  const passes = kind === 'png' ? 'pngPasses' : 'jpegPasses';
  requireRoom(found, kind === 'webp' ? 'webp' : found.isProgressive ? passes : 'rows');
  return {
    options,
    said: Buffer.concat([found.exif, found.xmp].filter((one) => one !== undefined)),
    orientation: found.orientation ?? 1,
    isCmyk: found.space === 'cmyk',
    isDeep: found.depth === 'ushort',
    profile: kind === 'png' ? profileOfPng(bytes) : undefined,
    isNarrowGrey: false,
  };
}

/** Pictures that move, by the brand of their file; some hold a still one as well. */
const MOVING = /^(avis|hev[cxms]|msf1)/;

async function inspectHeif(bytes: Buffer): Promise<Inspected> {
  if (MOVING.test(bytes.toString('latin1', 8, 12))) throw new PictureRefused('animated');
  const heif = await openHeif(bytes, MEMORY_MAX);
  let isKept = false;
  try {
    const isHevc = bytes.includes('hvcC');
    requireRoom(heif, isHevc ? 'hevc' : 'avif');
    const { said, icc, coding, isGrey } = heif;
    const known = {
      said,
      orientation: 1,
      isCmyk: false,
      isNarrowGrey: isGrey && coding?.isFullRange === false,
    };
    const profile = icc ?? (coding && profileOf(coding));
    if (isHevc) {
      isKept = true;
      return { ...known, heic: heif, options: {}, profile, isDeep: isHighRange(coding) };
    }
    // What `unlimited` lifts are limits of libheif, within which it has just been opened.
    const options = { limitInputPixels: false, unlimited: true };
    const { pagePrimary: page = 0, depth } = await sharp(bytes, options).metadata();
    return {
      ...known,
      options: { ...options, page },
      profile: icc ? undefined : profile,
      isDeep: depth === 'ushort',
    };
  } finally {
    if (!isKept) heif.close();
  }
}

function requireRoom(
  { width, height }: { width: number; height: number },
  way: keyof typeof BYTES_A_POINT,
): void {
  const points = width * height;
  if (points > MAX_POINTS || points * BYTES_A_POINT[way] > MEMORY_MAX) throw new PictureRefused('too-large');
}

/**
 * Decodes a picture upright; its metadata, GPS included, is dropped when it is encoded again. `max` is the longest
 * side, in pixels, that any output needs.
 */
async function decode(
  bytes: Buffer,
  { options, heic, isDeep, profile, isNarrowGrey }: Inspected,
  max: number,
  failOn: Strictness,
): Promise<Sharp> {
  try {
    const picture = heic ? rawOf(heic, isDeep) : sharp(bytes, { ...options, autoOrient: true, failOn });
    if (isNarrowGrey) picture.linear(255 / 219, ((-16 * 255) / 219) * (isDeep ? 257 : 1));
    if (!heic && !profile) return picture;
    const shrunk = picture.resize(max, max, { fit: 'inside', withoutEnlargement: true });
    return await coloured(shrunk.toColourspace(isDeep ? 'rgb16' : 'srgb'), profile);
  } finally {
    heic?.close();
  }
}

/** The decoder has rotated a HEIC already: its EXIF orientation must not be applied again. */
function rawOf({ width, height, decode }: Heif, isDeep: boolean): Sharp {
  const { data, channels } = decode(isDeep);
  return sharp(data, { raw: { width, height, channels } });
}

/**
 * The picture with a colour profile: phones have more colours than screens, and without it all look pale. Only a
 * picture read from a file can have a profile, so it passes through an uncompressed PNG.
 */
async function coloured(picture: Sharp, profile: Buffer | undefined): Promise<Sharp> {
  const png = await picture.png({ compressionLevel: 0 }).toBuffer();
  if (!profile) return sharp(png);
  const body = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  sum.writeUInt32BE(crc32(body));
  const head = png.subarray(0, PNG_HEAD);
  return sharp(Buffer.concat([head, length, body, sum, png.subarray(PNG_HEAD)]), { failOn: 'none' });
}

/** Bytes of a PNG up to the end of its first chunk, which holds its dimensions. */
const PNG_HEAD = 33;

const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/**
 * A JPEG of one pass with the marker of its end, which phones leave out of panoramas; any other picture as it is, as a
 * JPEG of several passes that lacks the last ones shows all its rows.
 */
async function withItsEnd(bytes: Buffer): Promise<Buffer> {
  if (sniff(bytes) !== 'jpeg' || bytes.subarray(-2).equals(END_OF_JPEG)) return bytes;
  const { isProgressive } = await sharp(bytes, { limitInputPixels: false }).metadata();
  return isProgressive ? bytes : Buffer.concat([bytes, END_OF_JPEG]);
}

/* Pictures of news and the like. */

/** Fast for the largest size, which somebody waits for; smaller for the narrower ones, which have many more readers. */
const WEBP = { quality: 80, effort: 1 };
const NARROW_WEBP = { quality: 68, effort: 5 };

async function prepare(
  { output, max }: Extract<Task, { name: 'prepare' }>,
  bytes: Buffer,
  failOn: Strictness,
): Promise<TaskResult> {
  const picture = await decode(bytes, await inspect(bytes), max, failOn);
  const pixels = await decoded(picture.resize(max, max, { fit: 'inside', withoutEnlargement: true }));
  const made = await keep(pixels.clone().webp(WEBP), output);
  return { ok: true, pictures: [made], placeholder: await thumbHash(pixels) };
}

/** Makes each size from the largest, so that losses do not add up. */
async function narrow({ outputs }: Extract<Task, { name: 'narrow' }>, bytes: Buffer): Promise<TaskResult> {
  const pixels = await decoded(sharp(bytes));
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

/** Longest side in pixels of what a placeholder is made of. */
const HASHED = 100;

/** The placeholder shown before a picture has arrived: a ThumbHash in base64. */
async function thumbHash(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize(HASHED, HASHED, { fit: 'inside' })
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
async function photo(
  { sizes, jpeg, retouch }: PhotoTask,
  bytes: Buffer,
  failOn: Strictness,
): Promise<TaskResult> {
  const found = await inspect(bytes);
  if (found.isCmyk) throw new PictureRefused('cmyk');
  const { taken, camera = '' } = captureIn(found.said) ?? captureIn(bytes) ?? {};
  const [{ side: largest } = { side: HASHED }] = sizes;
  const side = jpeg?.side ?? largest;
  const received = await decode(bytes, found, side, failOn);
  const source = retouch ? opened(await retouched(await pixelsOf(received, side), retouch)) : received;
  const pictures: Made[] = [];
  const keep = async (path: string, data: Buffer, { width, height }: Pick<Pixels, 'width' | 'height'>) => {
    await writeFile(path, data, { mode: 0o600 });
    pictures.push({ ...described(data), width, height });
  };
  if (jpeg && retouch?.isKept && retouch.zones.length === 0 && sniff(bytes) === 'jpeg') {
    const orientation = turned(found.orientation, retouch.turns);
    const data = withExif(withoutExif(bytes), { taken, orientation });
    await keep(jpeg.path, data, (await sharp(data).metadata()).autoOrient);
  } else if (jpeg) {
    const { data, info } = await shrunk(source.clone(), jpeg.side)
      .jpeg({ ...JPEG, quality: jpeg.quality ?? JPEG.quality })
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
