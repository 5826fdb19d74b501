import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFull } from '#platform/server/errors.ts';

/**
 * A folder on this machine for bytes that are not accepted yet. Nothing here is ever served; a request removes what
 * it staged whatever its end, and a start of the server removes the rest.
 */
export interface UploadStaging {
  directory: string;
  /** A path that no other request has. */
  newPath(): string;
  /** Erases what an earlier process left; only for the server, as it alone stages here. */
  clear(): Promise<void>;
  /** Free and total bytes of the disk that holds it. */
  disk(): Promise<{ free: number; total: number }>;
  /** Throws 507 where, with `bytes` more, less of the disk than the reserve would stay free. */
  requireFree(bytes: number, reserve: Reserve): Promise<void>;
  /** Passes bytes on to the disk as long as the reserve stays free, whatever was announced; then throws 507. */
  whileFree(reserve: Reserve): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
}

/** Bytes to leave free on a disk of `total` bytes: sign-ins, deletions and alerts write too. */
type Reserve = (total: number) => number;

export async function openStaging(directory: string): Promise<UploadStaging> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return stagingIn(directory);
}

/** Like `openStaging`, but creates nothing. */
export function stagingIn(directory: string): UploadStaging {
  const disk = async () => {
    const { bavail, blocks, bsize } = await statfs(directory);
    return { free: bavail * bsize, total: blocks * bsize };
  };
  async function requireFree(bytes: number, reserve: Reserve): Promise<void> {
    const { free, total } = await disk();
    if (free < bytes + reserve(total)) throw diskFull();
  }
  return {
    directory,
    newPath: () => join(directory, randomBytes(16).toString('hex')),
    async clear() {
      for (const name of await readdir(directory))
        await rm(join(directory, name), { recursive: true, force: true });
    },
    disk,
    requireFree,
    whileFree: (reserve) =>
      async function* (chunks) {
        for await (const chunk of chunks) {
          await requireFree(chunk.length, reserve);
          yield chunk;
        }
      },
  };
}
