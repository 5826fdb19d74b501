import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

export interface Machine {
  cores: number;
  processor: string;
  /** In GB. */
  memory: number;
  /** MB that reach the disk in a second. */
  disk: number;
  node: string;
  engine: string;
}

const MB = 1024 * 1024;
const WRITTEN = 256;

/** What was measured ran on this; the disk is measured as well. */
export async function describeMachine(): Promise<Machine> {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown processor',
    memory: Math.round(totalmem() / MB / 1024),
    disk: await measureDisk(),
    node: process.versions.node,
    engine: process.env.DATABASE_URL ? 'PostgreSQL' : 'SQLite',
  };
}

/** Where the sites that are measured keep their files. */
async function measureDisk(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-disk-'));
  try {
    const file = await open(join(directory, 'written'), 'w');
    const piece = randomBytes(MB);
    const start = performance.now();
    for (let written = 0; written < WRITTEN; written++) await file.write(piece);
    await file.sync();
    const seconds = (performance.now() - start) / 1000;
    await file.close();
    return Math.round(WRITTEN / seconds);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
