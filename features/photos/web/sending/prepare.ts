import { CAPTURE_TIME_WITHIN, captureTimeIn } from '#features/photos/shared/capture-time.ts';
import { LIGHT_WORTH } from '#features/photos/shared/sending.ts';
import { LIGHT_MAX } from '#features/photos/shared/terms.ts';

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
