import { type RawBuilder, sql } from 'kysely';
import { journal } from '#features/audit/server/journal.ts';
import type { ImportKind } from '#features/stays/shared/terms.ts';
import type { Actor } from '#platform/server/actor.ts';
import { type Access, type Database, databaseTrouble, type Statement } from '#platform/server/db/open.ts';
import { conflict } from '#platform/server/http/errors.ts';
import { holds, keysIn, type Place, withoutOthers } from '#platform/server/personalData.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import type { ImportStage } from './tables.ts';

/** The record of imports: one row each, from the first byte until a next one has taken its place. */

const TABLES = { familles: 'imports_familles', sejours: 'imports_sejours' } as const;
/** Time in ms without a sign of life after which an import has died with its process. */
const SILENCE_MS = 60_000;
/** Time in ms during which an import can be undone; what was there before is then forgotten. */
const KEPT_MS = 7 * DAY_MS;

interface NewImport {
  genre: ImportKind;
  suivi: string | undefined;
  etape: Extract<ImportStage, 'apercu' | 'lecture'>;
  acteur: string;
}

/** Writes down that an import or a preview begins; throws 409 while another import of its kind is under way. */
export async function insertImport(
  database: Database,
  { genre, suivi, etape, acteur }: NewImport,
  now: Date,
): Promise<number> {
  await forgetImports(database, now);
  const at = now.toISOString();
  try {
    return await database.write(async (transaction) => {
      const { id } = await transaction
        .insertInto('imports')
        .values({ genre, suivi: suivi ?? null, etape, acteur, created_at: at, vu_le: at })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    });
  } catch (error) {
    throw databaseTrouble(error) === 'duplicate' ? conflict('Un import est déjà en cours.') : error;
  }
}

/** What an import hears that was taken for dead, or whose stays are gone. */
export const givenUp = () =>
  conflict(
    'Les séjours ou les familles ont changé pendant l’import\u202f: rien n’a été importé. Recommencez.',
  );

/** A sign of life: how far it is. */
export async function updateImport(
  transaction: Access,
  id: number,
  change: { etape?: ImportStage; avance: number },
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('imports')
    .set({ ...change, vu_le: now.toISOString() })
    .where('id', '=', id)
    .execute();
}

/** Percents of a file between two signs of life. */
const STEP = 5;

/** To be called as often as one likes: every few percents, the record says how far the reading is. */
export function sayProgress(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  id: number,
  progress: { percent: number },
): () => Promise<void> {
  let said = 0;
  return async () => {
    const { percent } = progress;
    if (percent < said + STEP) return;
    said = percent;
    await database.write((transaction) => updateImport(transaction, id, { avance: percent }, clock()));
  };
}

/** Takes away a preview, or an import that came to nothing. */
export async function deleteUnderWay(database: Database, id: number): Promise<void> {
  await database.write((transaction) =>
    transaction.deleteFrom('imports').where('id', '=', id).where('etape', '<>', 'fait').execute(),
  );
}

/** Forgets the imports that died with their process, and those too old to be undone. */
export async function forgetImports(database: Database, now: Date): Promise<void> {
  const silent = new Date(now.getTime() - SILENCE_MS).toISOString();
  const old = new Date(now.getTime() - KEPT_MS).toISOString();
  const isOver = sql<boolean>`(etape <> 'fait' and vu_le < ${silent}) or vu_le < ${old}`;
  const found = await database.db.selectFrom('imports').select('id').where(isOver).executeTakeFirst();
  if (found) await database.apart([{ query: sql`delete from imports where ${isOver}` }]);
}

/** The last statements of an import: its counts, the end of the one before. */
export function endOfImport(genre: ImportKind, id: number): Statement[] {
  const lines = sql.table(TABLES[genre]);
  const before = sql.ref(genre === 'familles' ? 'avant_nom' : 'avant_nom_stage');
  return [
    {
      query: sql`
        update imports set
          crees = (select count(*) from ${lines} where import_id = ${id} and ${before} is null),
          modifies = (select count(*) from ${lines} where import_id = ${id} and ${before} is not null)
        where id = ${id}`,
    },
    {
      // One that changed nothing leaves the one before as the last that can be undone.
      query: sql`
        delete from imports where genre = ${genre} and etape = 'fait' and id <> ${id}
          and exists (select 1 from imports i where i.id = ${id} and i.crees + i.modifies > 0)`,
    },
  ];
}

/** The first statement of an undo: it goes on only while `isUntouched`. */
export function startOfUndo(id: number, isUntouched: RawBuilder<boolean>, at: string): Statement {
  return {
    query: sql`update imports set vu_le = ${at} where id = ${id} and etape = 'fait' and ${isUntouched}`,
    rows: 1,
  };
}

/**
 * Writes a line about an import, in a write of its own: the statements that change families and stays have no logic in
 * between, and could not chain it. One line tells before them that they begin, another one after them how they ended.
 */
export async function journalImport(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  actor: Actor,
  id: number,
  action: string,
): Promise<void> {
  await database.write((transaction) =>
    journal(transaction, actor, clock(), action, { table: 'imports', id }),
  );
}

/** What an import did, as the journal says it. */
export function counted(crees: number, modifies: number): string {
  return `(créations\u202f: ${crees}, modifications\u202f: ${modifies})`;
}

/** How far the work of this name is; undefined once it is over. */
export async function findProgress(db: Access, suivi: string) {
  return db
    .selectFrom('imports')
    .select(['etape', 'avance'])
    .where('suivi', '=', suivi)
    .where('etape', '<>', 'fait')
    .executeTakeFirst();
}

/** The last import of a kind that changed something. */
export async function findLast(db: Access, genre: ImportKind, isUntouched: RawBuilder<boolean>) {
  return db
    .selectFrom('imports')
    .select(['id', 'acteur', 'created_at', 'crees', 'modifies'])
    .select(sql<number>`case when ${isUntouched} then 1 else 0 end`.as('isUntouched'))
    .where('genre', '=', genre)
    .where('etape', '=', 'fait')
    .where(sql<boolean>`crees + modifies > 0`)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** An import that is done; undefined when there is none. */
export async function findDone(db: Access, id: number) {
  return db
    .selectFrom('imports')
    .select(['id', 'genre', 'crees', 'modifies'])
    .where('id', '=', id)
    .where('etape', '=', 'fait')
    .executeTakeFirst();
}

/** What imports keep of families for their undo. */

const LINE_ADDRESSES = ['avant_email', 'avant_email_2'] as const;

const isInLine = (key: string) =>
  sql<boolean>`(${sql.join(
    LINE_ADDRESSES.map((column) => holds(column, key)),
    sql` or `,
  )})`;

export const importPlace: Place = {
  genre: 'imports',
  listKeys: async (db) => keysIn(await db.selectFrom('imports_familles').select(LINE_ADDRESSES).execute()),
  list: async (db, key) => {
    const lines = await db
      .selectFrom('imports_familles')
      .innerJoin('stagiaires', 'stagiaires.id', 'stagiaire_id')
      .select(['import_id', 'stage_id as stageId'])
      .select(['avant_nom', 'avant_prenom', 'avant_consentement_image'])
      .select(LINE_ADDRESSES)
      .where(isInLine(key))
      .orderBy('imports_familles.id')
      .execute();
    return lines.map((line) => withoutOthers(line, key));
  },
  erase: ({ transaction, key }) => transaction.deleteFrom('imports_familles').where(isInLine(key)).execute(),
  text: (count) =>
    count === 1
      ? 'Une ligne que le dernier import de familles a changée, gardée pour l’annuler\u202f: effacée\u202f; cet import ne peut plus être annulé.'
      : `${count} lignes que le dernier import de familles a changées, gardées pour l’annuler\u202f: effacées\u202f; cet import ne peut plus être annulé.`,
};
