import { randomBytes } from 'node:crypto';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A place on this machine for bytes that are not accepted yet. Nothing here is ever served; a request takes
 * away what it staged whatever its end, and a start empties the rest.
 */
export interface Staging {
  directory: string;
  /** A path that no other request has. */
  newPath(): string;
  /** Free bytes on the disk that holds it. */
  freeBytes(): Promise<number>;
}

/** Opens the staging directory, emptied of what an earlier process left. */
export async function openStaging(directory: string): Promise<Staging> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return {
    directory,
    newPath: () => join(directory, randomBytes(16).toString('hex')),
    async freeBytes() {
      const { bavail, bsize } = await statfs(directory);
      return bavail * bsize;
    },
  };
}
