import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { KEEPING_MAX, PHOTO_SIZES } from '#features/photos/shared/terms.ts';
import { openImages } from '#platform/server/images/images.ts';
import { tell } from './support/result.ts';

/*
 * Memory of the process that makes the sizes of a photo, at its highest, by the format of the photo and its millions of
 * points: a phone's of 2024, its largest and that of the next ones. From it come the limits of `images/worker.ts`. HEIC is
 * made by heif-enc (Debian: libheif-examples).
 *
 *   node bench/memory.ts [millions of points…]
 */

const given = process.argv.slice(2).map(Number);
const MILLIONS = given.length > 0 ? given : [24, 50, 108];

const directory = mkdtempSync(join(tmpdir(), 'passerelle-memory-'));
const input = join(directory, 'photo');

/** A real photograph, made larger. */
const CAMERA = join(import.meta.dirname, '../node_modules/exif/test/sony-alpha-6000.jpg');

const HEIF_ENC = 'heif-enc';

const jpeg = (picture: Sharp, progressive = false) => picture.jpeg({ quality: 88, progressive }).toBuffer();
const FORMATS: Record<string, (picture: Sharp) => Promise<Buffer>> = {
  JPEG: (picture) => jpeg(picture),
  'JPEG of several passes': (picture) => jpeg(picture, true),
  PNG: (picture) => picture.png({ compressionLevel: 1 }).toBuffer(),
  'PNG of several passes': (picture) => picture.png({ compressionLevel: 1, progressive: true }).toBuffer(),
  WebP: (picture) => picture.webp({ quality: 80, effort: 0 }).toBuffer(),
  AVIF: (picture) => picture.avif({ quality: 50, effort: 0 }).toBuffer(),
  HEIC: async (picture) => {
    writeFileSync(input, await jpeg(picture));
    execFileSync(HEIF_ENC, ['-q', '80', '-p', 'preset=ultrafast', '-o', `${input}.heic`, input], {
      stdio: 'pipe',
    });
    return readFileSync(`${input}.heic`);
  },
};
/** What the process has without any picture, and what a photo may take beside it, in MB. */
const AIM = 1_200;

/** Most memory, in MB, that the process had which made the sizes; undefined for a photo that was refused. */
async function peakOf(photo: Buffer): Promise<number | undefined> {
  writeFileSync(input, photo);
  const images = openImages({ directory });
  const sizes = Object.entries(PHOTO_SIZES).reverse();
  try {
    await images.photo(input, {
      sizes: sizes.map(([name, side]) => ({ side, path: join(directory, name) })),
      jpeg: { side: KEEPING_MAX, path: join(directory, 'jpeg') },
    });
    const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
      .trim()
      .split(' ');
    const status = readFileSync(`/proc/${children.at(-1)}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch (error) {
    console.error(String((error as Error).cause ?? error));
    return undefined;
  } finally {
    images.close();
  }
}

const rows = [];
for (const [format, encode] of Object.entries(FORMATS)) {
  for (const millions of MILLIONS) {
    const width = Math.round(Math.sqrt((millions * 1e6 * 4) / 3));
    if (format === 'WebP' && width > 16_383) continue;
    const photo = await encode(sharp(CAMERA).resize(width, Math.round((width * 3) / 4)));
    const measured = await peakOf(photo);
    console.error(format, millions, measured, photo.length);
    if (measured !== undefined)
      rows.push({
        work: `${format}, ${millions} MP`,
        unit: 'MB',
        measured,
        aim: { of: 'measured', atMost: AIM } as const,
      });
  }
}
rmSync(directory, { recursive: true, force: true });

tell({
  title: 'Memory of one photo',
  text: ['Most memory of the process that makes the sizes of a photo, itself included.'],
  rows,
});
