import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small disk of its own. */
export interface TestDisk {
  directory: string;
  /** Fills it until `left` bytes are free. */
  fill(left: number): void;
  /** Takes the filling away. */
  empty(): void;
  remove(): void;
}

/** How much is written at once, in bytes. */
const PIECE = 65_536;

/** Mounts a disk of so many megabytes; undefined where this account may not. */
export function mountDisk(megabytes: number): TestDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], { stdio: 'pipe' });
  } catch {
    rmSync(directory, { recursive: true });
    return undefined;
  }
  const filler = join(directory, 'remplissage');
  const empty = () => rmSync(filler, { force: true });
  const free = () => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  };
  return {
    directory,
    empty,
    fill(left) {
      empty();
      for (let missing = free() - left; missing > 0; missing = free() - left) {
        try {
          appendFileSync(filler, Buffer.alloc(Math.min(missing, PIECE)));
        } catch (error) {
          // The site under test took room at the same time: what is left is counted again.
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    remove() {
      execFileSync('umount', ['-l', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
