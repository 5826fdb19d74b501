import readExif from 'exif-reader';
import { readMoment } from '#platform/shared/time.ts';

/** The moment at which a photo was taken, on the clock of its camera; undefined when it does not say. */
export function takenAt(exif: Buffer | undefined): string | undefined {
  if (!exif) return undefined;
  const { Photo, Image } = read(exif) ?? {};
  const dates = [Photo?.DateTimeOriginal, Photo?.DateTimeDigitized, Image?.DateTime];
  return dates.map(momentOf).find((moment) => moment !== undefined);
}

/** Undefined for what is damaged: the picture itself may be whole. */
function read(exif: Buffer): ReturnType<typeof readExif> | undefined {
  try {
    return readExif(exif);
  } catch {
    return undefined;
  }
}

/** The reader makes an instant in UTC of what is the hour on a wall; a camera that was never set says year 0. */
function momentOf(date: unknown): string | undefined {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) return undefined;
  return readMoment(date.toISOString());
}

const DATE_BYTES = 20;

/** EXIF that says when a photo was taken, and nothing else. */
export function exifOf(moment: string): Buffer {
  const date = `${moment.slice(0, 10).replaceAll('-', ':')} ${moment.slice(11, 19)}\0`;
  return Buffer.concat([
    Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1'),
    // The first list holds where the second one is; the second where the date is, which follows it.
    onlyTag(0x8769, 4, 1, 26),
    onlyTag(0x9003, 2, DATE_BYTES, 44),
    Buffer.from(date, 'latin1'),
  ]);
}

/** A list of one tag, without another list after it: 18 bytes. */
function onlyTag(tag: number, type: number, count: number, value: number): Buffer {
  const list = Buffer.alloc(18);
  list.writeUInt16LE(1, 0);
  list.writeUInt16LE(tag, 2);
  list.writeUInt16LE(type, 4);
  list.writeUInt32LE(count, 6);
  list.writeUInt32LE(value, 10);
  return list;
}
