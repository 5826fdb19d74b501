import { LIGHT_WORTH } from '#features/photos/shared/sending.ts';
import { LIGHT_MAX, PHOTO_BYTES } from '#features/photos/shared/terms.ts';
import { atMost } from '#platform/shared/bytes.ts';
import { CAPTURE_TIME_WITHIN, captureIn } from '#platform/shared/capture.ts';

/** Longest side, in pixels, of the thumbnails of the list: about twice their displayed size. */
const SMALL_MAX = 112;

/** SHA-256 of a file, in hexadecimal. */
export async function fingerprintOf(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
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
export async function captureOf(file: Blob): Promise<{ prise_le: string; appareil: string }> {
  const head = new Uint8Array(await file.slice(0, CAPTURE_TIME_WITHIN).arrayBuffer());
  const found = captureIn(head);
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
  /** Thumbnail for the list. */
  small: Blob | undefined;
  /** Undefined when the photo is small, or when this browser cannot read it (HEIC, mostly). */
  light: Blob | undefined;
}

/** Decodes a photo once, and draws its thumbnail and its light version. */
export async function draw(file: Blob): Promise<Drawn> {
  let bitmap: ImageBitmap | undefined;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const light = file.size > LIGHT_WORTH ? await shrink(bitmap, LIGHT_MAX, 0.82) : undefined;
    const small = await shrink(bitmap, SMALL_MAX, 0.7);
    return { small, light: light && light.size < file.size * 0.8 ? light : undefined };
  } catch {
    return { small: undefined, light: undefined };
  } finally {
    bitmap?.close();
  }
}

async function shrink(bitmap: ImageBitmap, longest: number, quality: number): Promise<Blob | undefined> {
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
  const made = new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  return made
    .then((blob) => blob ?? undefined)
    .finally(() => {
      // Phones limit canvas memory, and count this canvas until it is garbage-collected: free it now.
      canvas.width = 0;
      canvas.height = 0;
    });
}

/** System files of a folder, which are ignored without a message. */
const HIDDEN = /^(\.|Thumbs\.db$|desktop\.ini$)/i;
const NAMED_PHOTO = /\.(jpe?g|png|webp|avif|hei[cf])$/i;

/** True when the type or name is that of a photo; the server decides by the content. */
export function seemsPhoto({ type, name }: File): boolean {
  return type.startsWith('image/') || NAMED_PHOTO.test(name);
}

/** Why a photo cannot be sent, a French sentence; undefined when it can. */
export function whyNot({ size }: Blob): string | undefined {
  if (size === 0) return 'ce fichier est vide.';
  return size > PHOTO_BYTES ? `cette photo est trop lourde (${atMost(PHOTO_BYTES)}).` : undefined;
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
