import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
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
  return {
    directory,
    empty,
    fill(left) {
      empty();
      const { bavail, bsize } = statfsSync(directory);
      const size = bavail * bsize - left;
      if (size > 0) writeFileSync(filler, Buffer.alloc(size));
    },
    remove() {
      execFileSync('umount', ['-l', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
