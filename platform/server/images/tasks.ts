/** What is asked of an image worker, and what it answers; both travel between processes as plain data. */

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
  /** The WebPs to write, by their longest side in pixels; largest first. */
  sizes: { side: number; path: string }[];
  /** The JPEG for keeping, which light versions have none of; at least as large as the WebPs. */
  jpeg: { side: number; path: string } | undefined;
}

export type Refusal = 'unreadable' | 'too-many-pixels' | 'animated' | 'cmyk' | 'heic';

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
      /** The moment at which a photo was taken, when it says so. */
      taken?: string | undefined;
    }
  | { ok: false; refused: Refusal; detail: string }
  | { ok: false; errno: string; detail: string };
