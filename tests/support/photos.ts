import { join } from 'node:path';
import sharp from 'sharp';

/** Real photographs, and what phones and hostile senders make of them. */

const FOLDER = join(import.meta.dirname, '../../node_modules/exif/test');

/** Real photographs with EXIF, by what is special about them. */
export const PHOTOS = {
  /** 24 megapixels with everything a camera writes. */
  sony: join(FOLDER, 'sony-alpha-6000.jpg'),
  /** With a GPS position. */
  iphone: join(FOLDER, 'test1.jpg'),
  /** 13 megapixels. */
  xiaomi: join(FOLDER, 'short-ascii-II.jpg'),
};

/** Where the invented photographs were taken, as EXIF writes it and as it would be found in bytes. */
const GPS = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '45/1 53/1 1234/100',
  GPSLongitudeRef: 'E',
  GPSLongitude: '6/1 52/1 4321/100',
};

/**
 * A phone's photograph of 12 megapixels taken upright: stored lying on its side with orientation 6 and a GPS
 * position. Seen upright, it is 3024 × 4032 with a red band at its top.
 */
export async function portraitPhoto(): Promise<Buffer> {
  const band = { create: { width: 3024, height: 600, channels: 3 as const, background: '#e00000' } };
  const upright = await sharp(PHOTOS.xiaomi)
    .resize(3024, 4032, { fit: 'cover' })
    .composite([{ input: await sharp(band).png().toBuffer(), top: 0, left: 0 }])
    .jpeg({ quality: 90 })
    .toBuffer();
  return sharp(upright)
    .rotate(-90)
    .withExif({ IFD0: { Make: 'Passerelle', Model: 'Essai' }, IFD3: GPS })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 85 })
    .toBuffer();
}
