import { CAPTURE_TIME_WITHIN, captureTimeIn } from '#features/photos/shared/capture-time.ts';
import { LIGHT_WORTH } from '#features/photos/shared/sending.ts';
import { LIGHT_MAX, PHOTO_BYTES } from '#features/photos/shared/terms.ts';
import { atMost } from '#platform/shared/bytes.ts';

/** Longest side in pixels of the pictures of the list: twice what they measure there. */
const SMALL_MAX = 112;

/** SHA-256 in hexadecimal. */
export async function fingerprintOf(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Browsers do it only for pages that nobody can have changed on the way. */
export function canFingerprint(): boolean {
  return typeof crypto !== 'undefined' && crypto.subtle !== undefined;
}

/** When a photo was taken, as a moment: what it says itself, else when its file was last written here. */
export async function takenAt(file: Blob): Promise<string> {
  const head = new Uint8Array(await file.slice(0, CAPTURE_TIME_WITHIN).arrayBuffer());
  return captureTimeIn(head) ?? (file instanceof File ? localMoment(new Date(file.lastModified)) : '');
}

function localMoment(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return `${shifted.toISOString().slice(0, 19)}.000Z`;
}

export interface Drawn {
  /** For the list. */
  small: Blob | undefined;
  /** None when the photo is small, or when this browser cannot read it (HEIC, mostly). */
  light: Blob | undefined;
}

/** Decodes a photo once, and draws what is needed of it. */
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
  // What is transparent would turn black in a JPEG.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const made = new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  return made
    .then((blob) => blob ?? undefined)
    .finally(() => {
      // Phones count its pixels until it is collected, and soon give no more of them.
      canvas.width = 0;
      canvas.height = 0;
    });
}

/** What a folder of a computer holds beside its photos, and nobody has to be told of. */
const HIDDEN = /^(\.|Thumbs\.db$|desktop\.ini$)/i;
const NAMED_PHOTO = /\.(jpe?g|png|webp|avif|hei[cf])$/i;

/** What phones and cameras call photos; the bytes decide, on the server. */
export function seemsPhoto({ type, name }: File): boolean {
  return type.startsWith('image/') || NAMED_PHOTO.test(name);
}

/** Why a photo is not worth sending, if so. */
export function whyNot({ size }: Blob): string | undefined {
  if (size === 0) return 'ce fichier est vide.';
  return size > PHOTO_BYTES ? `cette photo est trop lourde (${atMost(PHOTO_BYTES)}).` : undefined;
}

/** The files that were dropped, those in folders and in folders of these too, in the order of their names. */
export async function filesDropped({ items, files }: DataTransfer): Promise<File[]> {
  // Asked for all of them at once: what was dropped is gone with the event.
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
    // Gone, or not to be read by this person: nothing that could be sent.
    return [];
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives a hundred at a time, and none once it has given all. */
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
