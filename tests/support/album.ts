import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import readExif from 'exif-reader';
import sharp from 'sharp';
import { camera, heic } from './photos.ts';

/*
 * The photographs of a day at a stay, as cameras and phones hand them over: each with the place where it was taken, and
 * held in every way.
 */

export interface Shot {
  name: string;
  bytes: Buffer;
  /** What a person sees in it; see `looks`. */
  look: number[];
}

const PICTURES = join(import.meta.dirname, '../../features/example/fixtures/pictures');
const CAMERAS = [
  'sony-alpha-6000.jpg',
  'short-ascii-II.jpg',
  'short-ascii-MM.jpg',
  'test1.jpg',
  'test2.jpg',
  'test3.jpg',
  'right.jpg',
  'down-mirrored.jpg',
];
/** One in so many is a HEIC, where they can be made. */
const HEIC_EVERY = 8;

const CITY = 'Villeneuve-les-Bains';
const SECONDS = [5058, 100] as const;

/** So many photographs, all different; the first ones are as real cameras wrote them. */
export async function album(count: number): Promise<Shot[]> {
  const pictures = (await readdir(PICTURES)).sort();
  const shots: Shot[] = [];
  for (let index = 0; index < count; index++) {
    const name = CAMERAS[index];
    const picture = pictures[index % pictures.length] ?? '';
    shots.push(name ? await shotOf(name, await camera(name)) : await phoneShot(picture, index));
  }
  return shots;
}

/** A picture as a phone saves it, held in one of eight ways. */
async function phoneShot(picture: string, index: number): Promise<Shot> {
  const jpeg = await sharp(join(PICTURES, picture))
    .resize(1600 + 8 * index, 1200)
    .withMetadata({ orientation: 1 + (index % 8) })
    .withExifMerge({
      IFD0: { Make: 'Phonemaker' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: `45/1 ${index}/1 ${SECONDS.join('/')}`,
        GPSLongitudeRef: 'E',
        GPSLongitude: `4/1 ${index}/1 ${SECONDS.join('/')}`,
      },
    })
    .withXmp(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
        `<rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="${CITY}"/>` +
        '</rdf:RDF></x:xmpmeta>',
    )
    .jpeg({ quality: 90 })
    .toBuffer();
  const shot = await shotOf(`IMG_${4000 + index}.JPG`, jpeg);
  // Only the quarter turns have a property of their own in a HEIC.
  if (index % HEIC_EVERY !== 0) return shot;
  const turned = await sharp(jpeg).keepMetadata().withMetadata({ orientation: 6 }).toBuffer();
  return { ...(await shotOf(`IMG_${4000 + index}.HEIC`, turned)), bytes: await heic(turned) };
}

async function shotOf(name: string, jpeg: Buffer): Promise<Shot> {
  return { name, bytes: jpeg, look: await looks(jpeg) };
}

/** The colours of a picture, upright, in a coarse grid. */
export async function looks(picture: Buffer): Promise<number[]> {
  const pixels = await sharp(picture, { autoOrient: true })
    .toColourspace('srgb')
    .removeAlpha()
    .resize(8, 8, { fit: 'fill', fastShrinkOnLoad: false })
    .raw()
    .toBuffer();
  return [...pixels];
}

/** The mean difference of two looks, of 255: another photo, or the same one turned, is more than 12 away. */
export function differs(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

/** Makers of the cameras of an album. */
export const MAKERS = ['Phonemaker', 'Xiaomi', 'SONY', 'Apple'];

/** What these bytes tell of where and with what a photo was taken: nothing, once it is prepared. */
export async function tracesIn(bytes: Buffer): Promise<string[]> {
  const rational = (write: 'writeUInt32LE' | 'writeUInt32BE') => {
    const place = Buffer.alloc(8);
    SECONDS.forEach((value, index) => void place[write](value, 4 * index));
    return place;
  };
  const needles: [string, Buffer | string][] = [
    ['position', rational('writeUInt32LE')],
    ['position', rational('writeUInt32BE')],
    ...['xmpmeta', 'GPSLatitude', 'Photoshop 3.0', CITY, ...MAKERS].map((word): [string, string] => [
      word,
      word,
    ]),
  ];
  return needles.filter(([, needle]) => bytes.includes(needle)).map(([name]) => name);
}

/** The same of one picture, its EXIF read. */
export async function tracesOf(picture: Buffer): Promise<string[]> {
  const { exif, xmp, iptc } = await sharp(picture).metadata();
  const position = exif ? readExif(exif).GPSInfo : undefined;
  return [
    ...(await tracesIn(picture)),
    ...(position ? ['GPS'] : []),
    ...(xmp ? ['XMP'] : []),
    ...(iptc ? ['IPTC'] : []),
  ];
}

/** All files under a folder. */
export async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

export const readAll = (paths: readonly string[]): Promise<Buffer[]> =>
  Promise.all(paths.map((path) => readFile(path)));
