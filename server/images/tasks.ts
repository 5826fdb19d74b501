/** What is asked of an image worker, and what it answers; both travel between threads as plain data. */

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
    };

export type Refusal = 'unreadable' | 'too-many-pixels' | 'animated';

export interface Made {
  /** Bytes. */
  size: number;
  sha256: string;
  width: number;
  height: number;
}

export type TaskResult =
  | { ok: true; pictures: Made[]; placeholder: string }
  | { ok: false; refused: Refusal; detail: string }
  | { ok: false; errno: string; detail: string };
