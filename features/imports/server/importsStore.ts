import { type RawBuilder, sql } from 'kysely';
import { type Stay, stayKey } from '#features/stays/server/staysStore.ts';
import type { Category, ImportKind } from '#features/stays/shared/terms.ts';
import { slicesOf } from '#platform/server/concurrency.ts';
import { holds } from '#platform/server/db/conditions.ts';
import {
  type Access,
  type Database,
  databaseTrouble,
  hasChanged,
  insertedId,
  type Statement,
} from '#platform/server/db/database.ts';
import { conflict } from '#platform/server/errors.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import { keysIn, type Place, withoutOthers } from '#platform/server/personalData.ts';
import { nameKey } from '#platform/shared/fold.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { headerKey, type Matches, type TitleMemory } from './columns.ts';
import type { Answers } from './questions.ts';
import type { Faulty } from './table.ts';
import type { ImportStage } from './tables.ts';

/** The rows of imports: one per import, from its start until the next one of its kind replaces it. */

/** Of each kind: the table of its lines, the rows that they made or changed, and the column that is null for one made. */
const TABLES = {
  familles: { lines: 'imports_familles', rows: 'stagiaires', id: 'stagiaire_id', before: 'avant_nom' },
  sejours: { lines: 'imports_sejours', rows: 'stages', id: 'stage_id', before: 'avant_nom_stage' },
  directeurs: { lines: 'imports_directeurs', rows: 'formateurs', id: 'formateur_id', before: 'avant_nom' },
} as const;
/** Time in ms without an update after which an import is taken to have died with its process. */
const SILENCE_MS = 60_000;
/** Time in ms during which an import can be undone; the former values are then deleted. */
const KEPT_MS = 7 * DAY_MS;

interface NewImport {
  genre: ImportKind;
  suivi: string | undefined;
  etape: Extract<ImportStage, 'apercu' | 'lecture'>;
  acteur: string;
}

/** Records the start of an import or a preview; throws 409 while another import of its kind is under way. */
export async function insertImport(
  database: Database,
  { genre, suivi, etape, acteur }: NewImport,
  now: Date,
): Promise<number> {
  await forgetImports(database, now);
  const at = now.toISOString();
  try {
    return await database.write(async (transaction) => {
      return insertedId(
        transaction
          .insertInto('imports')
          .values({ genre, suivi: suivi ?? null, etape, acteur, created_at: at, vu_le: at }),
      );
    });
  } catch (error) {
    throw databaseTrouble(error) === 'duplicate' ? conflict('Un import est déjà en cours.') : error;
  }
}

/** The 409 of an import that was taken for dead, or whose stays or families changed meanwhile. */
export const givenUp = () =>
  conflict(
    'Les séjours, les familles ou les directeurs ont changé pendant l’import\u202f: rien n’a été importé. Recommencez.',
  );

/** Records the progress of an import, which also shows that it is alive. */
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

/** Records that the lines of an import are written; throws 409 when it was taken for dead, or stopped. */
export async function markDone(transaction: Access, id: number): Promise<void> {
  const isThere = await hasChanged(
    transaction.updateTable('imports').set({ etape: 'fait' }).where('id', '=', id),
  );
  if (!isThere) throw givenUp();
}

/** Deletes the row of a preview, or of an import that failed. */
export async function deleteUnderWay(database: Database, id: number): Promise<void> {
  await database.write((transaction) =>
    transaction.deleteFrom('imports').where('id', '=', id).where('etape', '<>', 'fait').execute(),
  );
}

/** Deletes the imports that died with their process, and those too old to be undone. */
export async function forgetImports(database: Database, now: Date): Promise<void> {
  const silent = new Date(now.getTime() - SILENCE_MS).toISOString();
  const old = new Date(now.getTime() - KEPT_MS).toISOString();
  const isOver = sql<boolean>`(etape <> 'fait' and vu_le < ${silent}) or vu_le < ${old}`;
  const found = await database.db.selectFrom('imports').select('id').where(isOver).executeTakeFirst();
  if (found) await database.apart([{ query: sql`delete from imports where ${isOver}` }]);
}

/** The last statements of an import: they store its counts and delete the previous import of its kind. */
export function endOfImport(genre: ImportKind, id: number): Statement[] {
  const lines = sql.table(TABLES[genre].lines);
  const before = sql.ref(TABLES[genre].before);
  return [
    {
      query: sql`
        update imports set
          crees = (select count(*) from ${lines} where import_id = ${id} and ${before} is null),
          modifies = (select count(*) from ${lines} where import_id = ${id} and ${before} is not null)
        where id = ${id}`,
    },
    {
      // An import that changed nothing keeps the previous one, which can then still be undone.
      query: sql`
        delete from imports where genre = ${genre} and etape = 'fait' and id <> ${id}
          and exists (select 1 from imports i where i.id = ${id} and i.crees + i.modifies > 0)`,
    },
  ];
}

/** Condition: every row that an import created or changed is still as the import left it. */
export function areUntouched(genre: ImportKind): RawBuilder<boolean> {
  const { lines, rows, id } = TABLES[genre];
  return sql<boolean>`
    (select count(*) from ${sql.table(lines)} l join ${sql.table(rows)} s on s.id = l.${sql.ref(id)} and s.version = l.version
      where l.import_id = imports.id) = imports.crees + imports.modifies`;
}

/**
 * The statements that undo an import: `restores` bring back what it changed, then what it created is deleted. The first
 * one changes no row, and so fails the undo, unless `isUntouched`.
 */
export function undoOf(
  genre: ImportKind,
  importId: number,
  isUntouched: RawBuilder<boolean>,
  at: string,
  restores: readonly RawBuilder<unknown>[],
): Statement[] {
  const { lines, rows, id, before } = TABLES[genre];
  return [
    {
      query: sql`update imports set vu_le = ${at} where id = ${importId} and etape = 'fait' and ${isUntouched}`,
      rows: 1,
    },
    ...restores.map((query) => ({ query })),
    {
      query: sql`
        delete from ${sql.table(rows)} where id in (
          select ${sql.ref(id)} from ${sql.table(lines)} where import_id = ${importId} and ${sql.ref(before)} is null)`,
    },
    { query: sql`delete from imports where id = ${importId}` },
  ];
}

/** The progress of the import or preview that the browser named `suivi`; undefined once it is over. */
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
    .select(({ selectFrom, fn }) =>
      selectFrom('imports_laissees')
        .whereRef('import_id', '=', 'imports.id')
        .select(fn.countAll<number>().as('nombre'))
        .$asScalar()
        .$notNull()
        .as('laissees'),
    )
    .where('genre', '=', genre)
    .where('etape', '=', 'fait')
    .where(sql<boolean>`crees + modifies > 0`)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

export async function findDone(db: Access, id: number) {
  return db
    .selectFrom('imports')
    .select(['id', 'genre', 'crees', 'modifies'])
    .where('id', '=', id)
    .where('etape', '=', 'fait')
    .executeTakeFirst();
}

/* What headers stood for in earlier imports. */

/** Longest header, in characters, that is remembered. */
const TITLE_MAX = 100;

export async function listTitles(db: Access, genre: ImportKind): Promise<Matches> {
  const rows = await db
    .selectFrom('imports_titres')
    .select(['titre', 'colonne'])
    .where('genre', '=', genre)
    .execute();
  return new Map(rows.map(({ titre, colonne }) => [titre, colonne]));
}

/**
 * Remembers what headers stood for, and forgets those that were not read, unless they name a column by themselves. With an
 * address among them they are no headers: in a file without any, the first family stands in their place, and its names
 * are not kept.
 */
export async function rememberTitles(
  transaction: Access,
  genre: ImportKind,
  titles: readonly TitleMemory[],
): Promise<void> {
  if (titles.some(({ titre }) => titre.includes('@'))) return;
  for (const { titre: title, colonne, isNamed } of titles) {
    const titre = headerKey(title);
    if (colonne === '' && !isNamed) {
      await transaction
        .deleteFrom('imports_titres')
        .where('genre', '=', genre)
        .where('titre', '=', titre)
        .execute();
    } else if (titre.length <= TITLE_MAX) {
      await transaction
        .insertInto('imports_titres')
        .values({ genre, titre, colonne })
        .onConflict((clash) => clash.columns(['genre', 'titre']).doUpdateSet({ colonne }))
        .execute();
    }
  }
}

/* What words of lists mean, as people answered. */

export async function listAnswers(db: Access): Promise<Answers> {
  const rows = await db.selectFrom('imports_reponses').selectAll().execute();
  return new Map(rows.map(({ question, reponse }) => [question, reponse]));
}

/** Remembers answers; a blank one forgets what was remembered. */
export async function rememberAnswers(
  transaction: Access,
  answers: readonly (readonly [question: string, reponse: string])[],
): Promise<void> {
  for (const [question, reponse] of answers) {
    await transaction.deleteFrom('imports_reponses').where('question', '=', question).execute();
    if (reponse !== '')
      await transaction.insertInto('imports_reponses').values({ question, reponse }).execute();
  }
}

/* The lines that an import left aside: a list to come back to, as long as the import can be undone. */

/** `colonnes`: the columns of the cells, by place. Passwords are left out: one may be that of another stay. */
export async function insertLeft(
  transaction: Access,
  importId: number,
  colonnes: readonly string[],
  lines: readonly Faulty[],
): Promise<void> {
  const kept = [...colonnes.entries()].filter(([, name]) => !name.startsWith('mdp_'));
  for (const slice of slicesOf(lines, 250)) {
    const rows = slice.map(({ ligne, cellules, raisons }) => ({
      import_id: importId,
      ligne,
      cellules: JSON.stringify(Object.fromEntries(kept.map(([place, name]) => [name, cellules[place]]))),
      raisons: raisons.map(({ raison }) => raison).join(' '),
    }));
    await transaction.insertInto('imports_laissees').values(rows).execute();
  }
}

export async function listLeft(db: Access, importId: number) {
  const rows = await db
    .selectFrom('imports_laissees')
    .selectAll()
    .where('import_id', '=', importId)
    .orderBy('ligne')
    .execute();
  return rows.map((row) => ({ ...row, cellules: JSON.parse(row.cellules) as Record<string, string> }));
}

export type KnownStay = Pick<
  Stay,
  'id' | 'nom_stage' | 'date_debut' | 'date_fin' | 'mdp_formateur' | 'mdp_stagiaire' | 'efface_le'
>;

/** The existing stays, as they are when a file is read. */
export interface KnownStays {
  all: readonly KnownStay[];
  byId(id: number): KnownStay | undefined;
  byKey(stay: Pick<Stay, 'nom_stage' | 'date_debut' | 'date_fin'>): KnownStay | undefined;
  /** The stays of this name, whatever their dates. */
  byName(name: string): readonly KnownStay[];
}

export async function listKnownStays(db: Access): Promise<KnownStays> {
  const stays = await db
    .selectFrom('stages')
    .select(['id', 'cle', 'nom_stage', 'date_debut', 'date_fin'])
    .select(['mdp_formateur', 'mdp_stagiaire', 'efface_le'])
    .execute();
  const ids = new Map(stays.map((stay) => [stay.id, stay]));
  const keys = new Map(stays.map((stay) => [stay.cle, stay]));
  const names = Map.groupBy(stays, (stay) => nameKey(stay.nom_stage));
  return {
    all: stays,
    byId: (id) => ids.get(id),
    byKey: (stay) => keys.get(stayKey(stay)),
    byName: (name) => names.get(nameKey(name)) ?? [],
  };
}

export interface KnownDirector {
  id: number;
  nom: string;
  prenom: string;
  telephone: string;
  version: number;
  /** What they direct, by the id of the stay. */
  stays: ReadonlyMap<number, Category>;
}

/** The existing directors by `cle_mail`. */
export async function listKnownDirectors(db: Access): Promise<ReadonlyMap<string, KnownDirector>> {
  const people = await db
    .selectFrom('formateurs')
    .select(['id', 'cle_mail', 'nom', 'prenom', 'telephone', 'version'])
    .execute();
  const rows = await db.selectFrom('affectations').selectAll().execute();
  const assignments = Map.groupBy(rows, (row) => row.formateur_id);
  return new Map(
    people.map(({ cle_mail, ...person }) => {
      const stays = (assignments.get(person.id) ?? []).map(({ stage_id, cat }) => [stage_id, cat] as const);
      return [cle_mail, { ...person, stays: new Map(stays) }];
    }),
  );
}

/** Cancels the imports of people under way: they could bring back an address that is being erased. */
export async function cancelImportsOfPeople(transaction: Access): Promise<void> {
  await transaction
    .deleteFrom('imports')
    .where('genre', 'in', ['familles', 'directeurs'])
    .where('etape', 'in', ['lecture', 'enregistrement'])
    .execute();
}

/** Forgets what imports changed of a stay: they cannot be undone any more. */
export async function forgetStayLines(transaction: Access, stageId: number): Promise<void> {
  await transaction.deleteFrom('imports_sejours').where('stage_id', '=', stageId).execute();
}

/* Personal data that imports keep for their undo. */

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

/** Lines whose cells name the address of `key`, alone or among others. */
async function listLeftOf(db: Access, key: string) {
  const rows = await db
    .selectFrom('imports_laissees')
    .selectAll()
    .where(sql`lower(cellules)`, 'like', `%${key.replace(/[\\%_]/g, '\\$&')}%`)
    .execute();
  const isHeld = (cell: string) => cell.split(/[\s;,/<>:]+/).some((part) => addressKey(part) === key);
  return rows.filter(({ cellules }) => Object.values(JSON.parse(cellules) as object).some(isHeld));
}

export const leftPlace: Place = {
  genre: 'imports_laissees',
  listKeys: async () => [],
  list: listLeftOf,
  async erase({ transaction, key }) {
    const ids = (await listLeftOf(transaction, key)).map(({ id }) => id);
    if (ids.length > 0) await transaction.deleteFrom('imports_laissees').where('id', 'in', ids).execute();
  },
  text: (count) =>
    `${count === 1 ? 'Une ligne' : `${count} lignes`} que le dernier import a laissées de côté\u202f: effacement de la liste.`,
};

const isOfDirector = (key: string) =>
  sql<boolean>`formateur_id in (select id from formateurs where cle_mail = ${key})`;

/** What directors were before an import: their address itself is among the directors. */
export const directorImportPlace: Place = {
  genre: 'imports_directeurs',
  listKeys: async () => [],
  list: (db, key) =>
    db
      .selectFrom('imports_directeurs')
      .select(['import_id', 'stage_id as stageId'])
      .select(['avant_nom', 'avant_prenom', 'avant_telephone', 'avant_cat'])
      .where(isOfDirector(key))
      .orderBy('id')
      .execute(),
  erase: ({ transaction, key }) =>
    transaction.deleteFrom('imports_directeurs').where(isOfDirector(key)).execute(),
  text: (count) =>
    `${count === 1 ? 'Une ligne' : `${count} lignes`} du dernier import de directeurs, pour l’annuler\u202f: effacement avec le directeur\u202f; cet import ne peut plus être annulé.`,
};
