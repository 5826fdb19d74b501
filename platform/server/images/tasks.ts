import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Tasks of an image worker, and their results; both travel between processes as plain data. */

export type Task =
  | {
      name: 'prepare';
      /** Local path of the picture as received. */
      input: string;
      /** Local path of the WebP to write. */
      output: string;
      /** Longest side of the result, in pixels; smaller pictures stay as they are. */
      max: number;
    }
  | {
      name: 'narrow';
      input: string;
      /** Widths in pixels, largest first. */
      outputs: { width: number; path: string }[];
    }
  | PhotoTask;

export interface PhotoTask {
  name: 'photo';
  /** Local path of the photo as received. */
  input: string;
  /** The WebPs to write, by their longest side in pixels, largest first; may be none. */
  sizes: { side: number; path: string }[];
  /** The JPEG to keep, at least as large as the WebPs; `quality`: better than that of most. */
  jpeg: { side: number; path: string; quality?: number } | undefined;
  retouch?: Retouch | undefined;
}

/** Changes that a person made to a photo, applied before any file is made of it. */
export interface Retouch {
  /** Rectangles of the upright photo that are made unrecognizable. */
  zones: readonly Zone[];
  /** Quarter turns clockwise, 0 to 3, after that. */
  turns: number;
  /** This task made the input: a JPEG that is only turned keeps its picture data byte for byte. */
  isKept: boolean;
}

/** A rectangle, in fractions of the width and the height of a picture. */
export interface Zone {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type Refusal = 'unreadable' | 'too-large' | 'animated' | 'cmyk' | 'unknown';

/** Thrown for a picture that will never be read, before or while it is decoded. */
export class PictureRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal, options);
    this.refusal = refusal;
  }
}

export interface Made {
  /** Bytes. */
  size: number;
  sha256: string;
  crc32: number;
  width: number;
  height: number;
}

export type TaskResult =
  | {
      ok: true;
      /** Of a photo: its JPEG first, where there is one. */
      pictures: Made[];
      placeholder: string;
      /** When a photo was taken, if it says so. */
      taken?: string | undefined;
      /** The camera that says so, see `cameraName`. */
      camera?: string;
    }
  | { ok: false; refused: Refusal; detail: string }
  | { ok: false; errno: string; detail: string };

/** The fields of the register that describe the bytes of a file. */
export function described(data: Buffer): { size: number; sha256: string; crc32: number } {
  return {
    size: data.length,
    sha256: createHash('sha256').update(data).digest('hex'),
    crc32: crc32(data),
  };
}

/** Fast, as hundreds wait in the queue: a little larger in bytes, and four times as fast as the default. */
const PHOTO_WEBP = { quality: 78, effort: 1 };
/** For what is seen by hundreds for each photo that is made: a fifth fewer bytes for some milliseconds. */
const THUMBNAIL_WEBP = { quality: 75, effort: 4 };
/** Longest side in pixels of a thumbnail. */
const THUMBNAIL_MAX = 480;

/** How the size of a photo is encoded whose longest side has so many pixels. */
export function codingOf(side: number): { quality: number; effort: number } {
  return side <= THUMBNAIL_MAX ? THUMBNAIL_WEBP : PHOTO_WEBP;
}
