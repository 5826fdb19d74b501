import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Access } from '#platform/server/db/open.ts';
import type { Services } from '#platform/server/services.ts';
import type { ErasureFile } from '#platform/server/storage/erasureFile.ts';

/*
 * What is in the file of erasures. An older one is never put back with a backup: when an older database is, the file tells
 * what was erased since, and that is erased again. A line names nobody: it holds a keyed hash.
 */

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
  file: ErasureFile,
  erased: readonly Pick<Erasure, 'genre' | 'empreinte'>[],
  now: Date,
): Promise<void> {
  if (erased.length === 0) return;
  const instant = now.toISOString();
  const lines = erased.map(({ genre, empreinte }) => ({ cle: newKey(), genre, instant, empreinte }));
  await insertErasures(transaction, await add(file, lines));
}

/** A file of erasures as this process last saw it. */
interface Known {
  mark: string;
  unreadable: number;
  erasures: Map<string, Erasure[]>;
}
/** A file is long after years, and others wait for the write lock while it is read. */
const known = new WeakMap<ErasureFile, Known>();

const nameOf = ({ genre, empreinte }: Erasure) => `${genre} ${empreinte}`;

/**
 * Adds lines to the file; returns them with the older ones of the same erasures. It is read only when another process, a
 * person or a write that failed has changed it, and after the write: what cannot be written is not read either.
 */
async function add(file: ErasureFile, lines: readonly Erasure[]): Promise<Erasure[]> {
  // The break comes first: a line that a power cut tore does not take the next one with it.
  const { before, after } = await file.append(lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
  const there = known.get(file);
  const { erasures } = there?.mark === before ? extend(there, lines, after) : await readErasures(file);
  return [...new Set(lines.map(nameOf))].flatMap((name) => erasures.get(name) ?? []);
}

function extend(there: Known, lines: readonly Erasure[], mark: string): Known {
  there.mark = mark;
  for (const line of lines) {
    const same = there.erasures.get(nameOf(line));
    if (same) same.push(line);
    else there.erasures.set(nameOf(line), [line]);
  }
  return there;
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
  file: ErasureFile,
  genres: readonly string[],
): Promise<Compared> {
  const { erasures: byName, unreadable } = await readErasures(file);
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

/** The lines of several copies, each once: an older copy takes nothing away. */
export function mergeErasures(copies: readonly string[]): string {
  const lines = new Set(copies.flatMap(linesOf));
  return [...lines].map((line) => `${line}\n`).join('');
}

/** Adds the lines of copies, where no site runs. */
export async function putBackErasures(file: ErasureFile, copies: readonly string[]): Promise<void> {
  const there = new Set(linesOf((await file.read()).content));
  const missing = linesOf(mergeErasures(copies)).filter((line) => !there.has(line));
  if (missing.length > 0) await file.append(missing.map((line) => `\n${line}`).join(''));
}

function linesOf(content: string): string[] {
  // An editor may have added a mark of its encoding, which is trimmed as well.
  return content.split('\n').flatMap((line) => line.trim() || []);
}

async function readErasures(file: ErasureFile): Promise<Known> {
  const { content, mark } = await file.read();
  const lines = linesOf(content);
  const read = lines.flatMap((line) => erasureIn(line) ?? []);
  const there: Known = {
    mark,
    unreadable: lines.length - read.length,
    erasures: Map.groupBy(read, nameOf),
  };
  known.set(file, there);
  return there;
}

function erasureIn(line: string): Erasure | undefined {
  try {
    return erasure.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
