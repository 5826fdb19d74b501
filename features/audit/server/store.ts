import type { Selectable } from 'kysely';
import { slicesOf } from '#platform/server/concurrency.ts';
import { holds } from '#platform/server/db/conditions.ts';
import { type Access, type Database, hasChanged, insertedId } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { KeptPlace } from '#platform/server/personalData.ts';
import { JOURNAL_DAYS, NO_TABLE, WATCHED } from '../shared/journal.ts';

/* The rows of the journal, the head of its chain, and the erasures done on this database. */

export type JournalRow = Selectable<Tables['journal']>;
type Head = Selectable<Tables['journal_tete']>;
export type Line = Omit<JournalRow, 'chaine'>;
export type LineToWrite = Omit<Line, 'id'>;

/** Lines read by one statement. */
const SLICE = 1_000;

export async function insertLine(transaction: Access, line: LineToWrite): Promise<number> {
  return insertedId(transaction.insertInto('journal').values({ ...line, chaine: '' }));
}

export async function writeLink(transaction: Access, id: number, chaine: string): Promise<void> {
  await transaction.updateTable('journal').set({ chaine }).where('id', '=', id).execute();
}

/** What names a line for good: its id, and its link of the chain. */
export type ChainedLine = Pick<JournalRow, 'id' | 'chaine'>;

export async function hasLine(db: Access, { id, chaine }: ChainedLine): Promise<boolean> {
  const line = await db.selectFrom('journal').select('chaine').where('id', '=', id).executeTakeFirst();
  return line?.chaine === chaine;
}

export function listLines(db: Access, after: number, limit = SLICE): Promise<JournalRow[]> {
  return db.selectFrom('journal').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();
}

/** Which lines are read; what is undefined chooses all. */
export interface Chosen {
  actor: string | undefined;
  /** What the lines are about; `NO_TABLE`: nothing. */
  table: string | undefined;
  /** Instants: the first one, and the one after the last. */
  from: string | undefined;
  until: string | undefined;
}

function chosenLines(db: Access, { actor, table, from, until }: Chosen) {
  let lines = db.selectFrom('journal').selectAll();
  if (actor !== undefined) lines = lines.where('acteur', '=', actor);
  if (table === NO_TABLE) lines = lines.where('objet', 'is', null);
  else if (table !== undefined) lines = lines.where('objet', '=', table);
  if (from !== undefined) lines = lines.where('instant', '>=', from);
  if (until !== undefined) lines = lines.where('instant', '<', until);
  return lines;
}

export function listNewestLines(
  db: Access,
  chosen: Chosen,
  before: number | undefined,
  limit: number,
): Promise<JournalRow[]> {
  return chosenLines(db, chosen)
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** All lines chosen, in their order, a slice at a time. */
export async function* walkChosenLines(db: Access, chosen: Chosen): AsyncGenerator<JournalRow[]> {
  let after = 0;
  for (;;) {
    const slice = await chosenLines(db, chosen).where('id', '>', after).orderBy('id').limit(SLICE).execute();
    const last = slice.at(-1);
    if (!last) return;
    yield slice;
    after = last.id;
  }
}

/** The watched acts since an instant, the latest first: however many others stand between them. */
export function listLateActs(db: Access, since: Date): Promise<Pick<JournalRow, 'action' | 'instant'>[]> {
  return db
    .selectFrom('journal')
    .select(['action', 'instant'])
    .where('action', 'in', Object.values(WATCHED))
    .where('instant', '>=', since.toISOString())
    .orderBy('id', 'desc')
    .execute();
}

/** The lines of some actions about rows of a table; and the instant of the journal's oldest line. */
export async function readTold(db: Access, table: string, actions: readonly string[]) {
  const lines = await db
    .selectFrom('journal')
    .select(['action', 'objet_id', 'instant'])
    .where('objet', '=', table)
    .where('action', 'in', actions)
    .execute();
  const oldest = await db.selectFrom('journal').select('instant').orderBy('id').limit(1).executeTakeFirst();
  return { lines, since: oldest?.instant };
}

/** Who made the last change of a row, which was made at `modifie_le`. */
export async function lastChangeOf(
  db: Access,
  table: string,
  { id, modifie_le }: { id: number; modifie_le: string },
) {
  const line = await db
    .selectFrom('journal')
    .select('acteur')
    .where('objet', '=', table)
    .where('objet_id', '=', id)
    .where('action', 'in', ['modification', 'restauration'])
    .where('instant', '>=', modifie_le)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return { par: line?.acteur ?? null, le: modifie_le };
}

export async function listActors(db: Access): Promise<string[]> {
  const rows = await db.selectFrom('journal').select('acteur').distinct().orderBy('acteur').execute();
  return rows.map(({ acteur }) => acteur);
}

export async function listTables(db: Access): Promise<string[]> {
  const rows = await db.selectFrom('journal').select('objet').distinct().execute();
  return rows.flatMap(({ objet }) => objet ?? []);
}

/**
 * The oldest lines, at most `limit`, up to the first one that is not older than `before`. A line dated in the future,
 * by a clock that ran ahead, counts as old once a line older than `before` comes after it.
 */
export async function listOldLines(
  db: Access,
  { before, now }: Record<'before' | 'now', Date>,
  limit: number,
) {
  const first = await db
    .selectFrom('journal')
    .select('id')
    .where('instant', '>=', before.toISOString())
    .where('instant', '<=', now.toISOString())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const { end } = await db
    .selectFrom('journal')
    .select(({ fn }) => fn.max<number | null>('id').as('end'))
    .where('instant', '<', before.toISOString())
    .executeTakeFirstOrThrow();
  return (await listLines(db, 0, limit)).filter(({ id }) => id <= (end ?? 0) && (!first || id < first.id));
}

export async function deleteLinesUpTo(transaction: Access, id: number): Promise<void> {
  await transaction.deleteFrom('journal').where('id', '<=', id).execute();
}

/** The head of the chain; undefined while the chain is forgotten. */
export function findHead(db: Access): Promise<Head | undefined> {
  return db.selectFrom('journal_tete').selectAll().executeTakeFirst();
}

/** Like `findHead`, but locks it until the transaction ends. */
export function findHeadToChange({ rowLock }: Database, transaction: Access): Promise<Head | undefined> {
  return transaction.selectFrom('journal_tete').selectAll().modifyEnd(rowLock).executeTakeFirst();
}

/** Adds the head of a new chain; false when another process, started at the same time, was faster. */
export async function insertHead(transaction: Access, cle: string): Promise<boolean> {
  return hasChanged(
    transaction
      .insertInto('journal_tete')
      .values({ id: 1, cle, ancre: '', suite: '' })
      .onConflict((clash) => clash.column('id').doNothing()),
  );
}

export async function writeHead(db: Access, head: Partial<Pick<Head, 'ancre' | 'suite'>>): Promise<void> {
  await db.updateTable('journal_tete').set(head).execute();
}

/**
 * Forgets a chain whose key is lost; a new one begins when the site opens. Must be the last step of a transaction: it
 * locks the head, like the lines that a write adds to the journal.
 */
export async function forgetChain(transaction: Access): Promise<void> {
  await transaction.deleteFrom('journal_tete').execute();
}

/** Journal lines, mailings and imports of an account whose name is an e-mail address: they stay until they expire. */
export const journalPlace: KeptPlace = {
  genre: 'journal',
  list: async (db, key) => {
    const lines = await db
      .selectFrom('journal')
      .select(['instant', 'ip', 'action', 'objet', 'objet_id'])
      .where(holds('acteur', key))
      .orderBy('id')
      .execute();
    const mailings = await actsIn(db, 'envois', key);
    const imports = await actsIn(db, 'imports', key);
    return [...lines, ...mailings, ...imports];
  },
  text: () =>
    'Des lignes du journal, des e-mails ou des imports nomment un compte de ce nom\u202f: elles restent, et ' +
    `s’effacent d’elles-mêmes, celles du journal après ${JOURNAL_DAYS}\u00a0jours.`,
};

function actsIn(db: Access, table: 'envois' | 'imports', key: string): Promise<object[]> {
  return db
    .selectFrom(table)
    .select(['created_at as instant', 'genre'])
    .where(holds('acteur', key))
    .orderBy('id')
    .execute();
}

/** Records erasures that were done on this database, for the first time or again. */
export async function insertErasures(db: Access, erasures: readonly Tables['effacements'][]): Promise<void> {
  const rows = erasures.map(({ cle, genre, instant }) => ({ cle, genre, instant }));
  for (const slice of slicesOf(rows)) {
    await db
      .insertInto('effacements')
      .values(slice)
      // Two commands may record the same erasure.
      .onConflict((clash) => clash.column('cle').doNothing())
      .execute();
  }
}

export async function listErasureKeys(db: Access): Promise<string[]> {
  const rows = await db.selectFrom('effacements').select('cle').execute();
  return rows.map(({ cle }) => cle);
}
