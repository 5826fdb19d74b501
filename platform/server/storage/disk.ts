import { createReadStream } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { FileMissing, inside, isInside, type Storage, unlessMissing } from './storage.ts';

/** Files in a directory of this machine. */
export function diskStorage(root: string): Storage {
  const pathOf = (key: string) => join(root, inside(key));
  return {
    async keep(localPath, key) {
      const path = pathOf(key);
      const created = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await syncPath(localPath);
      await rename(localPath, path);
      await syncPath(dirname(path));
      // A new directory is itself an entry that a power cut could lose.
      if (created) await syncUpTo(dirname(dirname(path)), root);
    },
    async read(key, range) {
      const path = pathOf(key);
      return createReadStream(path, { fd: await openFile(path, key), ...range });
    },
    async readPieces(key, range) {
      return piecesOf(await openFile(pathOf(key), key), range);
    },
    async fetch(key, localPath) {
      await missingAs(key, copyFile(pathOf(key), localPath));
    },
    has: async (key) => isInside(key) && (await statOf(pathOf(key))) !== undefined,
    async remove(keys) {
      for (const key of keys.filter(isInside)) await rm(pathOf(key), { force: true });
    },
    async *list(folder) {
      yield* walk(join(root, folder), root);
    },
    close() {},
  };
}

const openFile = (path: string, key: string) => missingAs(key, open(path, 'r'));

/** Bytes read at a time: most files in one or two reads. */
const PIECE_BYTES = 256 * 1024;
/** Buffers kept for the next reads: the machine takes longer to allocate a new one than to fill a used one. */
const spare: Buffer[] = [];
const SPARE_MAX = 32;

interface Piece {
  buffer: Buffer;
  bytesRead: number;
  isLast: boolean;
}

/** Reads a file in pieces; each is read while the one before is sent. */
async function* piecesOf(
  file: FileHandle,
  { start, end } = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<Buffer> {
  const free: Buffer[] = [];
  let at = start;
  async function read(): Promise<Piece> {
    const buffer = free.pop() ?? spare.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
    const asked = Math.min(PIECE_BYTES, end + 1 - at);
    const { bytesRead } = await file.read(buffer, 0, asked, at);
    at += bytesRead;
    return { buffer, bytesRead, isLast: bytesRead < asked || at > end };
  }
  let coming: Promise<Piece> | undefined = read();
  try {
    while (coming) {
      const { buffer, bytesRead, isLast }: Piece = await coming;
      coming = isLast ? undefined : read();
      // Handled where it is awaited, which may be later than it happens.
      coming?.catch(() => {});
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      free.push(buffer);
    }
  } finally {
    // A buffer that is still being filled must not be reused.
    const last = await coming?.catch(() => undefined);
    const done = last ? [...free, last.buffer] : free;
    spare.push(...done.slice(0, SPARE_MAX - spare.length));
    await file.close();
  }
}

async function missingAs<T>(key: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new FileMissing(key);
    throw error;
  }
}

const statOf = (path: string) => unlessMissing(missingAs(path, stat(path)));

/** Makes what a file or a folder holds survive a power cut. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

async function syncUpTo(path: string, root: string): Promise<void> {
  let at = path;
  while (at.startsWith(root)) {
    await syncPath(at);
    at = dirname(at);
  }
}

async function* walk(directory: string, root: string): AsyncGenerator<{ key: string; keptAt: Date }> {
  for await (const entry of (await unlessMissing(missingAs(directory, opendir(directory)))) ?? []) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* walk(path, root);
    else {
      // Undefined: erased since the directory was read.
      const found = await statOf(path);
      if (found) yield { key: relative(root, path).split(sep).join('/'), keptAt: found.mtime };
    }
  }
}
