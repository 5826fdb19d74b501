import type { Readable } from 'node:stream';

/** Where files live once they are kept. Keys look like `images/ab/abc….webp`; they hold no name a person gave. */
export interface Storage {
  /**
   * Moves a finished local file to `key`. When it returns, the bytes survive a power cut. A key is written
   * once: names are random.
   */
  keep(localPath: string, key: string): Promise<void>;
  /** Opens a file, or a part of it (`end` included); throws `FileMissing`. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /**
   * The same for whoever is done with a piece when asking for the next one, which may be read over it; they have to ask
   * for the first one, or the file stays open.
   */
  readPieces(key: string, range?: { start: number; end: number }): Promise<AsyncIterable<Buffer>>;
  /** Copies a file to a local path; throws `FileMissing`. */
  fetch(key: string, localPath: string): Promise<void>;
  has(key: string): Promise<boolean>;
  /** Erases files; one that is not there is not an error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Every file under a folder, with the time it was kept. */
  list(folder: string): AsyncIterable<{ key: string; keptAt: Date }>;
  /**
   * An address where browsers may read a file for so many seconds, told to be of a media type. Absent where only this
   * process reads files.
   */
  link?: (key: string, type: string, seconds: number) => Promise<string>;
  close(): void;
}

export class FileMissing extends Error {
  constructor(key: string) {
    super(`No file ${key}`);
  }
}

/** The place of files does not answer, or refuses; nothing is said of the file itself. */
export class StorageUnreachable extends Error {
  constructor(cause: unknown) {
    super('The place of files cannot be reached', { cause });
  }
}

/** The key of a file of `folder`; two letters of the name spread the files over directories. */
export function keyOf(folder: string, name: string): string {
  return `${folder}/${name.slice(0, 2).toLowerCase()}/${name}`;
}
