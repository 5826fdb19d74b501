import { NOT_A_PHOTO, PHOTO_BYTES } from '#features/photos/shared/terms.ts';
import { atMost } from '#platform/shared/bytes.ts';
import { CAPTURE_TIME_WITHIN, captureIn } from '#platform/shared/capture.ts';
import { PICTURE_KINDS, SNIFF_BYTES, sniff } from '#platform/shared/sniff.ts';
import { LIGHT_WORTH, lightSide } from '../shared/sending.ts';

/** Longest side, in pixels, of the thumbnails of the list: about twice their displayed size. */
const SMALL_MAX = 112;

/** SHA-256 of a file, in hexadecimal. */
export async function fingerprintOf(bytes: ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** False where `crypto.subtle` is missing: browsers offer it only in secure contexts (https). */
export function canFingerprint(): boolean {
  return typeof crypto !== 'undefined' && crypto.subtle !== undefined;
}

/**
 * Capture time of a photo as a moment, and its camera: from its metadata, else the time its file was last modified here,
 * which no camera says.
 */
export function captureOf(file: Blob, bytes: ArrayBuffer): { prise_le: string; appareil: string } {
  const found = captureIn(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, CAPTURE_TIME_WITHIN)));
  if (found) return { prise_le: found.taken, appareil: found.camera };
  return {
    prise_le: file instanceof File ? localMoment(new Date(file.lastModified)) : '',
    appareil: '',
  };
}

function localMoment(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return `${shifted.toISOString().slice(0, 19)}.000Z`;
}

export interface Drawn {
  /** Thumbnail for the list, a data URL. */
  small: string | undefined;
  /** Undefined when the photo is small, or when this browser cannot read it (HEIC, mostly). */
  light: Blob | undefined;
}

/** Decodes a photo once, and draws its thumbnail and its light version. */
export async function draw(file: Blob): Promise<Drawn> {
  let bitmap: ImageBitmap | undefined;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const light =
      file.size > LIGHT_WORTH
        ? await shrink(bitmap, lightSide(bitmap.width, bitmap.height), toJpeg)
        : undefined;
    const small = await shrink(bitmap, SMALL_MAX, (canvas) => canvas.toDataURL('image/jpeg', 0.7));
    return { small, light: light && light.size < file.size * 0.8 ? light : undefined };
  } catch {
    return { small: undefined, light: undefined };
  } finally {
    bitmap?.close();
  }
}

const toJpeg = (canvas: HTMLCanvasElement) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.82));

/** Draws a photo with its longest side so many pixels long at most, for `take`. */
async function shrink<T>(
  bitmap: ImageBitmap,
  longest: number,
  take: (canvas: HTMLCanvasElement) => T,
): Promise<Awaited<T> | undefined> {
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.imageSmoothingQuality = 'high';
  // Transparent areas would turn black in a JPEG.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  try {
    return await take(canvas);
  } finally {
    // Phones limit canvas memory, and count this canvas until it is garbage-collected: free it now.
    canvas.width = 0;
    canvas.height = 0;
  }
}

/** System files of a folder, which are ignored without a message. */
const HIDDEN = /^(\.|Thumbs\.db$|desktop\.ini$)/i;
const NAMED_PHOTO =
  /\.(jpe?g|png|webp|avif|hei[cf]|hif|mpo|gif|tiff?|bmp|jxl|jp2|dng|cr[23]|nef|arw|raf|orf|rw2)$/i;

/** True when the type or name is that of a photo: who chose it expects to be told why it cannot be sent. */
export function seemsPhoto({ type, name }: File): boolean {
  return type.startsWith('image/') || NAMED_PHOTO.test(name);
}

/** Why a chosen file cannot be sent, a French sentence; undefined when it can. */
export async function whyNot(file: File): Promise<string | undefined> {
  if (file.size === 0) return 'ce fichier est vide.';
  if (!(await isPhoto(file))) return NOT_A_PHOTO;
  return file.size > PHOTO_BYTES ? `cette photo est trop lourde (${atMost(PHOTO_BYTES)}).` : undefined;
}

/** Whether a file is a photo by its first bytes, as the site will judge it. */
async function isPhoto(file: File): Promise<boolean> {
  try {
    return PICTURE_KINDS.includes(sniff(new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer())));
  } catch {
    // It cannot be read, which is said of it once all of it is.
    return true;
  }
}

/** The dropped files, including those in folders at any depth, sorted by name. */
export async function filesDropped({ items, files }: DataTransfer): Promise<File[]> {
  // Read all entries synchronously: the dropped items are gone after the event.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return [...files];
  const found = (await Promise.all(entries.map(filesIn))).flat();
  return found.sort((one, other) => one.name.localeCompare(other.name, 'fr', { numeric: true }));
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (HIDDEN.test(entry.name)) return [];
  try {
    if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)];
    const found = await entriesOf((entry as FileSystemDirectoryEntry).createReader());
    return (await Promise.all(found.map(filesIn))).flat();
  } catch {
    // Deleted meanwhile, or not readable by this person: nothing to send.
    return [];
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** All entries of a folder: a reader gives a hundred at a time, then none once it has given all. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}
