import { CAMERA_WORDS, cameraName } from './camera.ts';
import { isDay, readMoment } from './time.ts';

/*
 * When a photo was taken, by what its file says, in this order:
 *
 *   1. EXIF: when it was taken, when it was digitized, when it was changed, each with its fraction of a second;
 *   2. XMP: the same three, by which programs say so that write no EXIF;
 *   3. the name of its file, where that is a day of the stay (`dateIn`, for whom knows the stay);
 *   4. when its file was last changed on the device that sends it.
 *
 * Always what the clock of the camera showed: an offset from UTC beside it moves nothing, as the days of a camp are those of
 * its place, and as cameras on which nobody set a place say one all the same.
 */

/** Length in bytes of the beginning of a JPEG that holds what `captureIn` looks for. */
export const CAPTURE_TIME_WITHIN = 128 * 1024;

/** What begins EXIF, wherever it stands: phones put more or less before it, in a JPEG, in a HEIC, or alone. */
const TIFF = /II\*\0|MM\0\*/g;
const EXIF_FOLDER = 0x8769;
/** Tags of the three dates, in the first folder or in that of EXIF, each before that of its fraction. */
const DATES = [
  [EXIF_FOLDER, 0x9003, 0x9291],
  [EXIF_FOLDER, 0x9004, 0x9292],
  [0, 0x0132, 0x9290],
] as const;
const [MAKE, MODEL, SERIAL] = [0x010f, 0x0110, 0xa431];
const DATE_LETTERS = 40;

const XMP_DATES = ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate', 'xmp:ModifyDate'];

export interface Capture {
  /** On the clock of the camera, as `readMoment` writes it; `.000` where it says no fraction of a second. */
  taken: string;
  /** As `cameraName` writes it; blank when unknown. */
  camera: string;
}

/** What bytes of a photo say of its capture, or its EXIF and XMP alone; undefined when they give no date. */
export function captureIn(bytes: Uint8Array): Capture | undefined {
  // A letter for each byte.
  const text = new TextDecoder('latin1').decode(bytes);
  for (const { index } of text.matchAll(TIFF)) {
    const found = captureInExif(new DataView(bytes.buffer, bytes.byteOffset + index, bytes.length - index));
    if (found) return found;
  }
  for (const name of XMP_DATES) {
    const [, date] = new RegExp(`${name}(?:>|=["'])([^<"']{10,${DATE_LETTERS}})`).exec(text) ?? [];
    const taken = momentOf(date ?? '', '');
    if (taken) return { taken, camera: '' };
  }
  return undefined;
}

function captureInExif(tiff: DataView): Capture | undefined {
  try {
    const tags = readTags(tiff);
    for (const [folder, date, fraction] of DATES) {
      const taken = momentOf(tags(folder, date, DATE_LETTERS), tags(EXIF_FOLDER, fraction, 9));
      if (!taken) continue;
      const said = (folder: number, tag: number) => tags(folder, tag, CAMERA_WORDS);
      return { taken, camera: cameraName(said(0, MAKE), said(0, MODEL), said(EXIF_FOLDER, SERIAL)) };
    }
  } catch {
    // Cut or damaged: its offsets point outside of it.
  }
  return undefined;
}

/** Reads texts of EXIF by their folder and tag, at most so many letters; blank for one that is not there. */
function readTags(tiff: DataView): (folder: number, tag: number, most: number) => string {
  // « II » or « MM ».
  const isLittle = tiff.getUint16(0) === 0x4949;
  /** Offset of the entry of a tag. */
  const find = (folder: number, tag: number) => {
    const count = tiff.getUint16(folder, isLittle);
    for (let entry = folder + 2; entry < folder + 2 + count * 12; entry += 12) {
      if (tiff.getUint16(entry, isLittle) === tag) return entry;
    }
    return undefined;
  };
  const root = tiff.getUint32(4, isLittle);
  return (folder, tag, most) => {
    const place = folder === 0 ? undefined : find(root, folder);
    if (folder !== 0 && place === undefined) return '';
    const entry = find(place === undefined ? root : tiff.getUint32(place + 8, isLittle), tag);
    if (entry === undefined) return '';
    const length = tiff.getUint32(entry + 4, isLittle);
    // Four bytes have room in the entry itself.
    const start = length > 4 ? tiff.getUint32(entry + 8, isLittle) : entry + 8;
    const end = start + Math.min(length, most);
    if (end > tiff.byteLength) return '';
    let found = '';
    for (let at = start; at < end; at++) found += String.fromCharCode(tiff.getUint8(at));
    return found;
  };
}

/** Noon, where only the day is known. */
export const UNKNOWN_HOUR = 'T12:00:00.000Z';

function momentOf(text: string, fraction: string): string | undefined {
  const date = dateIn(text);
  if (date === undefined) return undefined;
  const [digits] = /^\d+/.exec(fraction) ?? [];
  const moment = date.includes('T') ? date : `${date}${UNKNOWN_HOUR}`;
  return digits ? `${moment.slice(0, 20)}${digits.padEnd(3, '0').slice(0, 3)}Z` : moment;
}

const DATE =
  /(?:^|\D)((?:19|20)\d\d)([:./_-]?)(\d\d)\2(\d\d)(?!\d(?!\d{5}))(?:[T_ -]*(?:at |à |a\u0300 )?(\d\d)[:.h_-]?(\d\d)[:.m_-]?(\d\d)(?:[.,](\d{1,3}))?)?/;

/**
 * The first date of a text, as cameras and phones write dates and name files: a moment as `readMoment` writes it, or a
 * day where it says no hour; undefined when it has none.
 */
export function dateIn(text: string): string | undefined {
  const [, year, , month, date, hours, minutes, seconds, fraction = '0'] = DATE.exec(text) ?? [];
  const day = `${year}-${month}-${date}`;
  return (
    readMoment(`${day}T${hours}:${minutes}:${seconds}.${fraction}`, true) ?? (isDay(day) ? day : undefined)
  );
}
