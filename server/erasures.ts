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

/**
 * Writes down an erasure: the last thing that its transaction does. The line survives a power cut before the commit
 * makes it true; one whose commit then fails is done again at the next start, unless it is asked for once more.
 */
export async function noteErasure(
  transaction: Access,
  directory: string,
  { genre, empreinte }: Pick<Erasure, 'genre' | 'empreinte'>,
  now: Date,
): Promise<void> {
  const cle = randomBytes(16).toString('hex');
  await append(directory, { cle, genre, instant: now.toISOString(), empreinte });
  const { erasures } = await readErasures(directory);
  await insertErasures(
    transaction,
    erasures.filter((one) => one.genre === genre && one.empreinte === empreinte),
  );
}

/** Erasures that this database has seen, or that were done again on it. */
export async function insertErasures(transaction: Access, erasures: readonly Erasure[]): Promise<void> {
  for (const { cle, genre, instant } of erasures) {
    await transaction
      .insertInto('effacements')
      .values({ cle, genre, instant })
      // Two commands may write the same one down.
      .onConflict((clash) => clash.column('cle').doNothing())
      .execute();
  }
}

interface Compared {
  /** Erasures of the kind asked for that this database has not seen, as it is older. */
  missed: Erasure[];
  /** How many lines of the file cannot be read. */
  unreadable: number;
  /** How many erasures of this database the file does not have: it was lost or cut, or an older copy put back. */
  lost: number;
}

/** What the file and the database say of one another. */
export async function compareErasures(db: Access, directory: string, genre: string): Promise<Compared> {
  const { erasures, unreadable } = await readErasures(directory);
  const rows = await db.selectFrom('effacements').select('cle').execute();
  const seen = new Set(rows.map(({ cle }) => cle));
  const written = new Set(erasures.map(({ cle }) => cle));
  return {
    missed: erasures.filter((one) => one.genre === genre && !seen.has(one.cle)),
    unreadable,
    lost: rows.filter(({ cle }) => !written.has(cle)).length,
  };
}

/** After the commit of an erasure; what another program kept from going is tried again every hour. */
export async function settleErased({ database, log }: Pick<Services, 'database' | 'log'>): Promise<void> {
  if (await database.settle()) return;
  log.warn('what was erased still stands in passerelle.db-wal, as another program has the database open');
}

async function append(directory: string, line: Erasure): Promise<void> {
  const file = await open(join(directory, FILE), 'a', 0o600);
  try {
    // The break comes first: a line that a power cut tore does not take the next one with it.
    await file.writeFile(`\n${JSON.stringify(line)}`);
    await file.sync();
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
}

async function readErasures(directory: string): Promise<{ erasures: Erasure[]; unreadable: number }> {
  const text = await textOf(join(directory, FILE));
  // An editor may have added a mark of its encoding, which is trimmed as well.
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const erasures = lines.flatMap((line) => erasureIn(line) ?? []);
  return { erasures, unreadable: lines.length - erasures.length };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
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
