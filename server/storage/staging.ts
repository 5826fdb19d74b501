import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A place on this machine for bytes that are not accepted yet. Nothing here is ever served; a request takes
 * away what it staged whatever its end, and a start empties the rest.
 */
export interface Staging {
  directory: string;
  /** A path that no other request has. */
  newPath(): string;
  /** Erases what an earlier process left; only for the server, which alone stages here. */
  clear(): Promise<void>;
  /** Free bytes on the disk that holds it. */
  freeBytes(): Promise<number>;
}

export async function openStaging(directory: string): Promise<Staging> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return {
    directory,
    newPath: () => join(directory, randomBytes(16).toString('hex')),
    async clear() {
      for (const name of await readdir(directory))
        await rm(join(directory, name), { recursive: true, force: true });
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(directory);
      return bavail * bsize;
    },
  };
}
