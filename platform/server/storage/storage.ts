import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** Storage of accepted files. Keys look like `images/ab/abc….webp`; they contain no name that a person gave. */
export interface Storage {
  /**
   * Moves a finished local file to `key`. When it resolves, the bytes survive a power cut. A key is written once:
   * names are random.
   */
  keep(localPath: string, key: string): Promise<void>;
  /** Opens a file, or a part of it (`end` included); throws `FileMissing`. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /**
   * Like `read`, but each piece is valid only until the next one is requested, which may be read over it. The caller
   * must request the first piece, or the file stays open.
   */
  readPieces(key: string, range?: { start: number; end: number }): Promise<AsyncIterable<Buffer>>;
  /** Copies a file to a local path; throws `FileMissing`. */
  fetch(key: string, localPath: string): Promise<void>;
  has(key: string): Promise<boolean>;
  /** Erases files; one that is not there is not an error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Lists every file under a folder, with the time it was stored. */
  list(folder: string): AsyncIterable<{ key: string; keptAt: Date }>;
  /**
   * Makes an address where browsers may read a file for so many seconds, served as the media type `type`. Absent
   * where only this process reads files.
   */
  link?: (key: string, type: string, seconds: number) => Promise<string>;
  close(): void;
}

export class FileMissing extends Error {
  constructor(key: string) {
    super(`No file ${key}`);
  }
}

/** Passes bytes on; `taken` says how many have passed, and their SHA-256. */
export function metered<Chunk extends Uint8Array>(bytes: AsyncIterable<Chunk> | Iterable<Chunk>) {
  const hash = createHash('sha256');
  let taille = 0;
  async function* passing() {
    for await (const chunk of bytes) {
      hash.update(chunk);
      taille += chunk.length;
      yield chunk;
    }
  }
  return { bytes: passing(), taken: () => ({ taille, sha256: hash.digest('hex') }) };
}

/** Waits for what reads a file; undefined where the file is missing. */
export async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof FileMissing) return undefined;
    throw error;
  }
}

/**
 * Whether a key stays within the storage, on any system: keys are made of rows, and a row may come from a backup that
 * somebody has changed.
 */
export function isInside(key: string): boolean {
  return !/[\\\0]/.test(key) && key.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** The key, unless it leads out of the storage: then there is no such file. */
export function inside(key: string): string {
  if (!isInside(key)) throw new FileMissing(`${key}: it leads out of the storage`);
  return key;
}

/** Key of the file that tests whether a storage can be read, written and erased; it is not there otherwise. */
export const PROBE = 'essai';

/** The key of a file of `folder`; two letters of the name spread the files over directories. */
export function keyOf(folder: string, name: string): string {
  return `${folder}/${name.slice(0, 2).toLowerCase()}/${name}`;
}
