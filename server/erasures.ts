import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config.ts';
import type { Access } from './db/open.ts';
import type { Services } from './services.ts';

/*
 * The file of erasures. It lies beside the database, and an older one is never put back with a backup: when an older database is,
 * the file tells what was erased since, and that is erased again. A line names nobody: it holds a keyed hash.
 */

const FILE = 'effacements.jsonl';

const erasure = z.object({
  /** Random: what the database knows the line by. */
  cle: z.string(),
  /** What was erased; see who reads it. */
  genre: z.string(),
  instant: z.string(),
  /** Keyed hash of what was erased. */
  empreinte: z.string(),
});
export type Erasure = z.infer<typeof erasure>;

/** Rows of one statement. */
const ROWS = 500;

/**
 * Writes down erasures: the last thing that their transaction does. The lines survive a power cut before the commit
 * makes them true; those whose commit then fails are done again at the next start, unless they are asked for once more.
 */
export async function noteErasures(
  transaction: Access,
  directory: string,
  erased: readonly Pick<Erasure, 'genre' | 'empreinte'>[],
  now: Date,
): Promise<void> {
  if (erased.length === 0) return;
  const instant = now.toISOString();
  const lines = erased.map(({ genre, empreinte }) => ({ cle: newKey(), genre, instant, empreinte }));
  await insertErasures(transaction, await add(directory, lines));
}

/** A file of erasures as this process last saw it. */
interface Known {
  /** Its length. */
  bytes: number;
  unreadable: number;
  erasures: Map<string, Erasure[]>;
}
/** By folder. A file is long after years, and others wait for the write lock while it is read. */
const known = new Map<string, Known>();

const nameOf = ({ genre, empreinte }: Erasure) => `${genre} ${empreinte}`;

/**
 * Adds lines to the file; returns them with the older ones of the same erasures. It is read only when another process, a
 * person or a write that failed has changed its length, and after the write: what cannot be written is not read either.
 */
async function add(directory: string, lines: readonly Erasure[]): Promise<Erasure[]> {
  const { before, after } = await append(directory, lines);
  const there = known.get(directory);
  const { erasures } = there?.bytes === before ? extend(there, lines, after) : await readErasures(directory);
  return [...new Set(lines.map(nameOf))].flatMap((name) => erasures.get(name) ?? []);
}

function extend(file: Known, lines: readonly Erasure[], bytes: number): Known {
  file.bytes = bytes;
  for (const line of lines) {
    const same = file.erasures.get(nameOf(line));
    if (same) same.push(line);
    else file.erasures.set(nameOf(line), [line]);
  }
  return file;
}

function newKey(): string {
  return randomBytes(16).toString('hex');
}

/** Erasures that this database has seen, or that were done again on it. */
export async function insertErasures(transaction: Access, erasures: readonly Erasure[]): Promise<void> {
  const rows = erasures.map(({ cle, genre, instant }) => ({ cle, genre, instant }));
  for (let start = 0; start < rows.length; start += ROWS) {
    await transaction
      .insertInto('effacements')
      .values(rows.slice(start, start + ROWS))
      // Two commands may write the same one down.
      .onConflict((clash) => clash.column('cle').doNothing())
      .execute();
  }
}

interface Compared {
  /** Erasures of the kinds asked for that this database has not seen, as it is older. */
  missed: Erasure[];
  /** How many lines of the file cannot be read. */
  unreadable: number;
  /** How many erasures of this database the file does not have: it was lost or cut, or an older copy put back. */
  lost: number;
}

/** What the file and the database say of one another. */
export async function compareErasures(
  db: Access,
  directory: string,
  genres: readonly string[],
): Promise<Compared> {
  const { erasures: byName, unreadable } = await readErasures(directory);
  const erasures = [...byName.values()].flat();
  const rows = await db.selectFrom('effacements').select('cle').execute();
  const seen = new Set(rows.map(({ cle }) => cle));
  const written = new Set(erasures.map(({ cle }) => cle));
  return {
    missed: erasures.filter((one) => genres.includes(one.genre) && !seen.has(one.cle)),
    unreadable,
    lost: rows.filter(({ cle }) => !written.has(cle)).length,
  };
}

/** After the commit of an erasure; what another program kept from going is tried again every hour. */
export async function settleErased({ database, log }: Pick<Services, 'database' | 'log'>): Promise<void> {
  if (await database.settle()) return;
  log.warn('what was erased still stands in passerelle.db-wal, as another program has the database open');
}

/** Returns the length of the file before and after. */
async function append(
  directory: string,
  lines: readonly Erasure[],
): Promise<{ before: number; after: number }> {
  // The break comes first: a line that a power cut tore does not take the next one with it.
  const bytes = Buffer.from(lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
  const file = await open(join(directory, FILE), 'a', 0o600);
  let after: number;
  try {
    await file.writeFile(bytes);
    await file.sync();
    after = (await file.stat()).size;
  } finally {
    await file.close();
  }
  // The file may be new, and then its name as well could be lost.
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return { before: after - bytes.length, after };
}

async function readErasures(directory: string): Promise<Known> {
  const content = await contentOf(join(directory, FILE));
  // An editor may have added a mark of its encoding, which is trimmed as well.
  const lines = content
    .toString()
    .split('\n')
    .flatMap((line) => line.trim() || []);
  const read = lines.flatMap((line) => erasureIn(line) ?? []);
  const file: Known = {
    bytes: content.length,
    unreadable: lines.length - read.length,
    erasures: Map.groupBy(read, nameOf),
  };
  known.set(directory, file);
  return file;
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return Buffer.alloc(0);
    if (code === 'EISDIR')
      throw new ConfigError(`${path} est un dossier, et non le fichier des effacements.`);
    throw error;
  }
}

function erasureIn(line: string): Erasure | undefined {
  try {
    return erasure.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
