import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bucketOf, type Config, ConfigError } from '#platform/server/config.ts';
import { syncPath } from './disk.ts';
import { type Storage, unlessMissing } from './storage.ts';
import type { UploadStaging } from './uploadStaging.ts';

/** The log of erasures, apart from the database: a file beside it, or small ones in the bucket of all processes. */
export interface ErasureFile {
  /** Whether it was found whole and readable when the site started; see `features/audit/server/erasures.ts`. */
  isWhole: boolean;
  /**
   * Makes the file of a site that never erased anything, as whoever puts a backup back is asked for it, and the room for
   * lines on a full disk. One that was lost may be found again: it is not made anew.
   */
  ensure(): Promise<void>;
  /** Adds lines, which survive a power cut once it returns. `before` and `after` are cursors like that of `read`. */
  append(lines: string): Promise<{ before: string; after: string }>;
  /** All lines, and a `cursor` that differs when they do, whoever changed them. */
  read(): Promise<{ content: string; cursor: string }>;
}

const FILE = 'effacements.jsonl';
/** Bytes that give way to the lines of about a hundred erasures on a full disk. */
const ROOM_FILE = 'effacements.place';
const ROOM_BYTES = 16 * 1024;

/** The erasure log of a site. */
export function erasuresOf(
  config: Config,
  storage: Storage,
  staging: Pick<UploadStaging, 'newPath'>,
): ErasureFile {
  return bucketOf(config) ? erasureFilesOf(storage, staging) : erasureFileIn(config.DATA_DIR);
}

/** The erasure log in a folder; throws `ConfigError` when it is no file. */
export function erasureFileIn(directory: string): ErasureFile {
  const path = join(directory, FILE);
  const room = join(directory, ROOM_FILE);
  const write = async (file: FileHandle, lines: string) => {
    try {
      await file.writeFile(lines);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      await rm(room, { force: true });
      await file.writeFile(lines);
    }
  };
  const erasures: ErasureFile = {
    isWhole: true,
    async ensure() {
      if (!erasures.isWhole) return;
      await (await open(path, 'a', 0o600)).close();
      await keepRoom(room);
    },
    async append(lines) {
      await using file = await open(path, 'a', 0o600);
      await write(file, lines);
      await file.sync();
      const { size: after } = await file.stat();
      // The file may be new: then its name must be synced as well.
      await syncPath(directory);
      return { before: String(after - Buffer.byteLength(lines)), after: String(after) };
    },
    async read() {
      const content = await contentOf(path);
      return { content: content.toString(), cursor: String(content.length) };
    },
  };
  return erasures;
}

async function keepRoom(path: string): Promise<void> {
  try {
    await writeFile(path, randomBytes(ROOM_BYTES), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOSPC') throw error;
    // The disk is full now: what was written of it goes, and is tried again once an hour.
    await rm(path, { force: true });
  }
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return Buffer.alloc(0);
    if (code === 'EISDIR')
      throw new ConfigError(`${path} est un dossier, et non le fichier des effacements.`);
    throw error;
  }
}

const FOLDER = 'effacements';

/** The erasure log in a bucket: one file per append, as files in a bucket cannot be appended to. */
function erasureFilesOf(storage: Storage, staging: Pick<UploadStaging, 'newPath'>): ErasureFile {
  /** Contents by key; none of them changes. */
  const contents = new Map<string, string>();

  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of storage.list(FOLDER)) found.push(key);
    return found.sort();
  }

  async function contentAt(key: string): Promise<string> {
    const known = contents.get(key);
    if (known !== undefined) return known;
    const file = await unlessMissing(storage.read(key));
    // Deleted by hand since it was listed.
    if (!file) return '';
    const content = await text(file);
    contents.set(key, content);
    return content;
  }

  return {
    isWhole: true,
    // The bucket outlives the machine: nobody copies a file from there.
    async ensure() {},
    async append(lines) {
      const path = staging.newPath();
      await writeFile(path, lines, { mode: 0o600 });
      const own = `${FOLDER}/${path.slice(-32)}.jsonl`;
      await storage.keep(path, own);
      contents.set(own, lines);
      const all = await keys();
      return { before: all.filter((key) => key !== own).join(' '), after: all.join(' ') };
    },
    async read() {
      const all = await keys();
      const parts: string[] = [];
      for (const key of all) parts.push(await contentAt(key));
      return { content: parts.join('\n'), cursor: all.join(' ') };
    },
  };
}
