import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Check, COMMANDS, fail, fine } from '#platform/server/checks/check.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { Services } from '#platform/server/services.ts';
import type { ErasureFile } from '#platform/server/storage/erasureFile.ts';
import { insertErasures, listErasureKeys } from './store.ts';

/*
 * The contents of the file of erasures. A restore never replaces this file with an older one: when it brings back an
 * older database, the file tells what was erased since, and that is erased again. A line names nobody: it holds a keyed
 * hash.
 */

const erasure = z.object({
  cle: z.string(),
  /** The kind of thing erased; each feature that erases names its own. */
  genre: z.string(),
  instant: z.string(),
  /** Keyed hash of what was erased. */
  empreinte: z.string(),
});
export type Erasure = z.infer<typeof erasure>;

/**
 * Writes erasures to the file and the database; must be the last step of their transaction. The lines are on disk
 * before the commit, so a power cut loses none; if the commit then fails, the erasure is done at the next start, unless
 * it is asked for once more before.
 */
export async function noteErasures(
  transaction: Access,
  file: ErasureFile,
  erased: readonly Pick<Erasure, 'genre' | 'empreinte'>[],
  now: Date,
): Promise<void> {
  if (erased.length === 0) return;
  const instant = now.toISOString();
  const newKey = () => randomBytes(16).toString('hex');
  const lines = erased.map(({ genre, empreinte }) => ({ cle: newKey(), genre, instant, empreinte }));
  await insertErasures(transaction, await add(file, lines));
}

interface Known {
  cursor: string;
  unreadable: number;
  erasures: Map<string, Erasure[]>;
}
/** Parsed files: after years a file is long, and other writes wait for the lock while it is read. */
const known = new WeakMap<ErasureFile, Known>();

const nameOf = ({ genre, empreinte }: Erasure) => `${genre} ${empreinte}`;

/**
 * Appends lines to the file; returns them with the older lines of the same erasures. The file is read again only when
 * another process, a person or a failed write has changed it, and only after the append: if that fails, nothing is
 * read.
 */
async function add(file: ErasureFile, lines: readonly Erasure[]): Promise<Erasure[]> {
  // The line break comes first, so that a line torn by a power cut does not spoil the next one.
  const { before, after } = await file.append(lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
  const there = known.get(file);
  const { erasures } = there?.cursor === before ? extend(there, lines, after) : await readErasures(file);
  return [...new Set(lines.map(nameOf))].flatMap((name) => erasures.get(name) ?? []);
}

function extend(there: Known, lines: readonly Erasure[], cursor: string): Known {
  there.cursor = cursor;
  for (const line of lines) {
    const same = there.erasures.get(nameOf(line));
    if (same) same.push(line);
    else there.erasures.set(nameOf(line), [line]);
  }
  return there;
}

interface Compared {
  /** Erasures of the requested kinds that this database lacks, because it is older than the file. */
  missed: Erasure[];
  unreadable: number;
  /** Number of erasures of this database that the file lacks: it was lost, cut, or replaced by an older copy. */
  lost: number;
}

/** Compares the file of erasures with the database; `genres` limits `missed` only. */
export async function compareErasures(
  db: Access,
  file: ErasureFile,
  genres: readonly string[],
): Promise<Compared> {
  const { erasures: byName, unreadable } = await readErasures(file);
  const erasures = [...byName.values()].flat();
  const seen = new Set(await listErasureKeys(db));
  const written = new Set(erasures.map(({ cle }) => cle));
  return {
    missed: erasures.filter((one) => genres.includes(one.genre) && !seen.has(one.cle)),
    unreadable,
    lost: [...seen].filter((cle) => !written.has(cle)).length,
  };
}

/** Staff are told of what the start found, as the file may be long; the operator of what it is now. */
export function erasuresCheck(services: Services): Check {
  return {
    key: 'effacements',
    part: 'effacements',
    label: 'fichier des effacements perdu ou abîmé',
    command: COMMANDS.doctor,
    isUrgent: true,
    async staff() {
      if (services.erasures.isWhole) return undefined;
      return (
        'Le fichier des effacements est perdu, incomplet ou abîmé\u202f: une sauvegarde remise en service pourrait faire ' +
        'revenir des données effacées. Prévenez la personne qui héberge le site.'
      );
    },
    async operator() {
      const { unreadable, lost } = await compareErasures(services.database.db, services.erasures, []);
      if (unreadable + lost === 0) return fine('effacements.jsonl\u202f: il est entier.');
      return fail(
        `effacements.jsonl\u202f: lignes illisibles ${unreadable}, perdues ${lost}. Remettez sa copie la plus récente, puis relancez le site.`,
      );
    },
  };
}

/**
 * Removes erased data from the write-ahead log, after the commit of an erasure. Where another program prevents it, logs
 * a warning; scheduled work tries again every hour.
 */
export async function settleErased({ database, log }: Services): Promise<void> {
  if (await database.settle()) return;
  log.warn('what was erased still stands in passerelle.db-wal, as another program has the database open');
}

/** Merges the lines of several copies, each once, so that an older copy removes nothing. */
export function mergeErasures(copies: readonly string[]): string {
  const lines = new Set(copies.flatMap(linesOf));
  return [...lines].map((line) => `${line}\n`).join('');
}

/** Appends the lines of `copies` that the file lacks; only where no site runs. */
export async function putBackErasures(file: ErasureFile, copies: readonly string[]): Promise<void> {
  const there = new Set(linesOf((await file.read()).content));
  const missing = linesOf(mergeErasures(copies)).filter((line) => !there.has(line));
  if (missing.length > 0) await file.append(missing.map((line) => `\n${line}`).join(''));
}

function linesOf(content: string): string[] {
  // `trim` also removes a byte order mark that an editor may have added.
  return content.split('\n').flatMap((line) => line.trim() || []);
}

async function readErasures(file: ErasureFile): Promise<Known> {
  const { content, cursor } = await file.read();
  const lines = linesOf(content);
  const read = lines.flatMap((line) => erasureIn(line) ?? []);
  const there: Known = {
    cursor,
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
