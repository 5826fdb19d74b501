import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A place on this machine for bytes that are not accepted yet. Nothing here is ever served; a request takes
 * away what it staged whatever its end, and a start empties the rest.
 */
export interface UploadStaging {
  directory: string;
  /** A path that no other request has. */
  newPath(): string;
  /** Erases what an earlier process left; only for the server, which alone stages here. */
  clear(): Promise<void>;
  /** The disk that holds it, in bytes. */
  disk(): Promise<{ free: number; total: number }>;
}

export async function openStaging(directory: string): Promise<UploadStaging> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return stagingIn(directory);
}

/** The same, where nothing may be made. */
export function stagingIn(directory: string): UploadStaging {
  return {
    directory,
    newPath: () => join(directory, randomBytes(16).toString('hex')),
    async clear() {
      for (const name of await readdir(directory))
        await rm(join(directory, name), { recursive: true, force: true });
    },
    async disk() {
      const { bavail, blocks, bsize } = await statfs(directory);
      return { free: bavail * bsize, total: blocks * bsize };
    },
  };
}
