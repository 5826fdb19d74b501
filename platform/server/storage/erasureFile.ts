import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bucketOf, type Config, ConfigError } from '#platform/server/config.ts';
import { FileMissing, type Storage } from './storage.ts';
import type { UploadStaging } from './uploadStaging.ts';

/** Where lines of erasures are, apart from the database: a file beside it, or small ones in the bucket of all processes. */
export interface ErasureFile {
  /** Adds lines, which survive a power cut once it returns. The marks are as of `read`, before and after. */
  append(lines: string): Promise<{ before: string; after: string }>;
  /** All lines; the mark differs when they do, whoever changed them. */
  read(): Promise<{ content: string; mark: string }>;
}

const FILE = 'effacements.jsonl';

/** Where the lines of a site are. */
export function erasuresOf(
  config: Config,
  storage: Storage,
  staging: Pick<UploadStaging, 'newPath'>,
): ErasureFile {
  return bucketOf(config) ? erasureFilesOf(storage, staging) : erasureFileIn(config.DATA_DIR);
}

/** The file of a folder; throws `ConfigError` for what is none. */
export function erasureFileIn(directory: string): ErasureFile {
  const path = join(directory, FILE);
  return {
    async append(lines) {
      const file = await open(path, 'a', 0o600);
      let after: number;
      try {
        await file.writeFile(lines);
        await file.sync();
        after = (await file.stat()).size;
      } finally {
        await file.close();
      }
      // The file may be new, and then its name as well could be lost.
      const folder = await open(directory, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
      return { before: String(after - Buffer.byteLength(lines)), after: String(after) };
    },
    async read() {
      const content = await contentOf(path);
      return { content: content.toString(), mark: String(content.length) };
    },
  };
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

/** Files of a bucket, one for each time that something is added: nothing in a bucket can be added to. */
function erasureFilesOf(storage: Storage, staging: Pick<UploadStaging, 'newPath'>): ErasureFile {
  /** By key; none of them changes. */
  const contents = new Map<string, string>();

  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of storage.list(FOLDER)) found.push(key);
    return found.sort();
  }

  async function contentAt(key: string): Promise<string> {
    const known = contents.get(key);
    if (known !== undefined) return known;
    try {
      const content = await text(await storage.read(key));
      contents.set(key, content);
      return content;
    } catch (error) {
      // Taken away by hand since it was listed.
      if (error instanceof FileMissing) return '';
      throw error;
    }
  }

  return {
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
      return { content: parts.join('\n'), mark: all.join(' ') };
    },
  };
}
