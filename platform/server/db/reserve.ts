import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MB } from '#platform/shared/bytes.ts';

const FILE = 'reserve';
const RESERVE_BYTES = 8 * MB;
/** Free bytes of the disk below which the reserve is let go. */
const FULL_BYTES = MB;

/** Room on the disk of a folder that other programs cannot take: a file, which goes once they took all the rest. */
export function reserveIn(directory: string) {
  const path = join(directory, FILE);
  const kept = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const free = () => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  };
  return {
    /** Free bytes beside the reserve, whether it is still kept or is being used up; may be less than none. */
    left: () => free() - RESERVE_BYTES + kept(),
    /** Gives a full disk its reserve back, so that the site starts, and what helps against it is written. */
    letGo() {
      if (free() < FULL_BYTES) rmSync(path, { force: true });
    },
    /** Takes it, unless it is there or the disk has little room. */
    keep() {
      if (kept() >= RESERVE_BYTES || free() <= 4 * RESERVE_BYTES) return;
      try {
        writeFileSync(path, randomBytes(RESERVE_BYTES), { mode: 0o600 });
      } catch (error) {
        // Others were quicker, or this account may take no more.
        rmSync(path, { force: true });
        if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
    },
  };
}
