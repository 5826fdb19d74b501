import { readMoment } from '#platform/shared/time.ts';

/** Length in bytes of the beginning of a JPEG that holds its capture time. */
export const CAPTURE_TIME_WITHIN = 128 * 1024;

const JPEG = 0xffd8;
const APP1 = 0xffe1;
/** « Exif » and two zeros. */
const EXIF_HEADER = 6;
const EXIF_FOLDER = 0x8769;
const TAKEN_AT = 0x9003;

/**
 * Capture time of a JPEG from its Exif data, on the clock of its camera, as read by `readMoment`; undefined when it has
 * none. `head`: the first bytes of the file.
 */
export function captureTimeIn(head: Uint8Array): string | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const tiff = tiffIn(view);
    return tiff && takenAt(tiff);
  } catch {
    // Cut or damaged: its offsets point outside of it.
    return undefined;
  }
}

function tiffIn(view: DataView): DataView | undefined {
  if (view.getUint16(0) !== JPEG) return undefined;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    // « Exif » in four bytes.
    if (view.getUint16(at) !== APP1 || view.getUint32(at + 4) !== 0x45786966) continue;
    const start = at + 4 + EXIF_HEADER;
    return new DataView(view.buffer, view.byteOffset + start, view.byteLength - start);
  }
  return undefined;
}

function takenAt(tiff: DataView): string | undefined {
  // « II » or « MM ».
  const isLittle = tiff.getUint16(0) === 0x4949;
  const find = (folder: number, tag: number) => {
    const count = tiff.getUint16(folder, isLittle);
    for (let entry = folder + 2; entry < folder + 2 + count * 12; entry += 12) {
      if (tiff.getUint16(entry, isLittle) === tag) return tiff.getUint32(entry + 8, isLittle);
    }
    return undefined;
  };
  const folder = find(tiff.getUint32(4, isLittle), EXIF_FOLDER);
  const place = folder && find(folder, TAKEN_AT);
  if (!place) return undefined;
  let text = '';
  for (let at = place; at < place + 19; at++) text += String.fromCharCode(tiff.getUint8(at));
  return readMoment(text.replace(/^(\d{4}):(\d{2}):(\d{2}) /, '$1-$2-$3T'));
}
