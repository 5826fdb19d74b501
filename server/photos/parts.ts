import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import type { Locker } from '@tus/server';
import { DAY_MS } from '../../shared/time.ts';
import type { Config } from '../config.ts';

/*
 * Uploads under way: files on this machine that survive a restart, each named after its stay, so that whose it is
 * needs no look-up. Nothing here is ever served.
 */

/** The folder of uploads under way. */
export function partsDirectory({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
  return join(DATA_DIR, 'envois');
}

/** A new name, which nobody can guess. */
export function newPartName(stageId: number): string {
  return `${stageId}-${randomBytes(16).toString('hex')}`;
}

/** The stay of an upload; undefined for what is no name of one. */
export function stayOfPart(name: string): number | undefined {
  const [, stageId] = /^([1-9]\d{0,14})-[0-9a-f]{32}$/.exec(name) ?? [];
  return stageId === undefined ? undefined : Number(stageId);
}

/** The stays that uploads under way are to. */
export async function listStaysOfParts(config: Pick<Config, 'DATA_DIR'>): Promise<number[]> {
  const names = await namesIn(partsDirectory(config));
  return [...new Set(names.flatMap((name) => stayOfPart(name.replace(/\.json$/, '')) ?? []))];
}

/** Erases every upload under way to a stay. */
export async function eraseParts(config: Pick<Config, 'DATA_DIR'>, stageId: number): Promise<void> {
  const directory = partsDirectory(config);
  for (const name of await namesIn(directory)) {
    if (stayOfPart(name.replace(/\.json$/, '')) === stageId) await rm(join(directory, name), { force: true });
  }
}

/** How many uploads to a stay are under way, and the bytes that they were announced with. */
export async function measureParts(
  config: Pick<Config, 'DATA_DIR'>,
  stageId: number,
): Promise<{ count: number; bytes: number }> {
  const directory = partsDirectory(config);
  const found = { count: 0, bytes: 0 };
  for (const name of await namesIn(directory)) {
    if (!name.endsWith('.json') || stayOfPart(name.slice(0, -'.json'.length)) !== stageId) continue;
    found.count++;
    found.bytes += await announced(join(directory, name));
  }
  return found;
}

/** Nothing for an upload that ends meanwhile, or is just being written. */
async function announced(path: string): Promise<number> {
  try {
    return Number(JSON.parse(await readFile(path, 'utf8')).size);
  } catch {
    return 0;
  }
}

/** Time after its last byte at which an upload is not waited for any longer. */
const WAITED_MS = 7 * DAY_MS;

/** Erases the uploads that nobody has gone on with for a week. */
export async function forgetOldParts(config: Pick<Config, 'DATA_DIR'>, now: Date): Promise<void> {
  const directory = partsDirectory(config);
  const names = new Set(await namesIn(directory));
  for (const name of names) {
    // What is said of an upload stays as long as it: only its bytes tell when it was gone on with.
    const part = name.replace(/\.json$/, '');
    if (part !== name && names.has(part)) continue;
    const found = await stat(join(directory, name)).catch(() => undefined);
    if (found && now.getTime() - found.mtimeMs > WAITED_MS) await erasePart(config, part);
  }
}

/** Erases an upload, and what is said of it. */
export async function erasePart(config: Pick<Config, 'DATA_DIR'>, name: string): Promise<void> {
  const path = join(partsDirectory(config), name);
  await rm(path, { force: true });
  await rm(`${path}.json`, { force: true });
}

/** Erases the other uploads of a photo that has come in full: whoever was sending it as well asks, and learns that it is there. */
export async function eraseOtherParts(
  config: Pick<Config, 'DATA_DIR'>,
  name: string,
  empreinte: string,
): Promise<void> {
  const directory = partsDirectory(config);
  for (const file of await namesIn(directory)) {
    const other = file.replace(/\.json$/, '');
    if (other === file || other === name || stayOfPart(other) !== stayOfPart(name)) continue;
    if ((await fingerprintIn(join(directory, file))) === empreinte) await erasePart(config, other);
  }
}

/** None of an upload that ends meanwhile, or is just being written down. */
async function fingerprintIn(path: string): Promise<string | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')).metadata?.empreinte;
  } catch {
    return undefined;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Where the bytes of uploads are written; the disk's own errors come through, so that a full one is told apart. */
export class PartStore extends FileStore {
  /** The library makes the folder later, and brings the process down where it can't. */
  constructor(options: { directory: string }) {
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    super(options);
  }

  override async write(bytes: Readable, name: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, name), { flags: 'r+', start: offset });
    await pipeline(bytes, file);
    return offset + file.bytesWritten;
  }
}

/** One request at a time for each upload: a new one ends the one before it, which a phone has lost. */
export function partLocks(): Locker {
  const held = new Map<string, { release(): void; isFree: Promise<void>; free(): void }>();
  return {
    newLock: (name) => ({
      async lock(_signal, release) {
        for (let other = held.get(name); other; other = held.get(name)) {
          other.release();
          await other.isFree;
        }
        const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
        held.set(name, { release: () => void release(), isFree, free });
      },
      async unlock() {
        const own = held.get(name);
        held.delete(name);
        own?.free();
      },
    }),
  };
}
