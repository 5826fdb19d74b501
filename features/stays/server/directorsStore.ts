import type { Selectable } from 'kysely';
import type { Director } from '#features/stays/calls.ts';
import type { Category } from '#features/stays/shared/terms.ts';
import { type Access, type Database, databaseTrouble } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { conflict, fieldsError, notFound } from '#platform/server/http/errors.ts';
import { byName } from '#platform/server/names.ts';
import { folded, nameKey } from '#platform/shared/fold.ts';

/** Directors and the stays that they direct. */

type DirectorRow = Selectable<Tables['formateurs']>;
/** What a form says of the person. */
type Person = Pick<DirectorRow, 'nom' | 'prenom' | 'mail' | 'telephone'>;

const noSuchDirector = () => notFound('Formateur non trouvé');

/** By name, each with the stays from the latest to the first; `id`: that one alone. */
export async function listDirectors(db: Access, id?: number): Promise<Director[]> {
  const rows = await db
    .selectFrom('formateurs')
    .select(['id', 'nom', 'prenom', 'mail', 'telephone', 'version'])
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .execute();
  const assignments = await db
    .selectFrom('affectations')
    .innerJoin('stages', 'stages.id', 'affectations.stage_id')
    .select(['formateur_id', 'stages.id as stageId', 'nom_stage', 'date_debut', 'date_fin', 'cat'])
    .$if(id !== undefined, (query) => query.where('formateur_id', '=', id as number))
    .orderBy('date_debut', 'desc')
    .orderBy('stages.id', 'desc')
    .execute();
  const stays = Map.groupBy(assignments, (assignment) => assignment.formateur_id);
  return rows.sort(byName).map((row) => ({ ...row, sejours: stays.get(row.id) ?? [] }));
}

/** Throws 404 for none. */
export async function getDirector(db: Access, id: number): Promise<Director> {
  const [director] = await listDirectors(db, id);
  if (!director) throw noSuchDirector();
  return director;
}

/** Those of one stay, by name; `cat`: of one type alone. */
export async function listDirectorsOfStay(db: Access, stageId: number, cat?: Category) {
  const rows = await db
    .selectFrom('affectations')
    .innerJoin('formateurs', 'formateurs.id', 'affectations.formateur_id')
    .select(['formateurs.id', 'nom', 'prenom', 'mail', 'telephone', 'cat'])
    .where('stage_id', '=', stageId)
    .$if(cat !== undefined, (query) => query.where('cat', '=', cat as Category))
    .execute();
  return rows.sort(byName);
}

/**
 * Holds the person until the end of the transaction. Throws 404 for none, 409 when the form that changes them was
 * drawn from an older `version`.
 */
export async function holdDirector(
  database: Database,
  transaction: Access,
  id: number,
  version: number | undefined,
): Promise<void> {
  const row = await transaction
    .selectFrom('formateurs')
    .select('version')
    .where('id', '=', id)
    .modifyEnd(database.rowLock)
    .executeTakeFirst();
  if (!row) throw noSuchDirector();
  if (version !== undefined && version !== row.version) throw conflict(STALE);
}

const STALE =
  'Ce directeur a été modifié entre-temps par quelqu’un d’autre\u202f: vérifiez ce qui est enregistré, puis recommencez.';

/** The id of whoever has this address and these names, however they are spelt. Throws 404 for nobody. */
export async function getIdByIdentity(
  db: Access,
  { nom, prenom, mail }: Omit<Person, 'telephone'>,
): Promise<number> {
  const row = await db
    .selectFrom('formateurs')
    .select(['id', 'nom', 'prenom'])
    .where('cle_mail', '=', folded(mail))
    .executeTakeFirst();
  const isSame = row && nameKey(row.nom) === nameKey(nom) && nameKey(row.prenom) === nameKey(prenom);
  if (!isSame) throw noSuchDirector();
  return row.id;
}

/** Adds the person, or changes the one who has this address, also when two add it at once; returns the id. */
export async function putDirector(db: Access, person: Person, now: Date): Promise<number> {
  const values = { ...columnsOf(person), modifie_le: now.toISOString() };
  const { id } = await db
    .insertInto('formateurs')
    .values({ ...values, created_at: now.toISOString() })
    .onConflict((clash) =>
      clash
        .column('cle_mail')
        .doUpdateSet((expression) => ({ ...values, version: expression('formateurs.version', '+', 1) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Throws 409 when the address is somebody else's. */
export async function updateDirector(db: Access, id: number, person: Person, now: Date): Promise<void> {
  try {
    await db
      .updateTable('formateurs')
      .set({ ...columnsOf(person), modifie_le: now.toISOString() })
      .set((expression) => ({ version: expression('version', '+', 1) }))
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if (databaseTrouble(error) !== 'duplicate') throw error;
    throw fieldsError(
      409,
      { mail: 'cette adresse est déjà celle d’un autre directeur.' },
      { mail: 'E-mail' },
    );
  }
}

function columnsOf({ nom, prenom, mail, telephone }: Person) {
  return { nom, prenom, mail, cle_mail: folded(mail), telephone };
}

/** For good, with the assignments. Throws 404 for none. */
export async function deleteDirector(db: Access, id: number): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('formateurs').where('id', '=', id).executeTakeFirst();
  if (numDeletedRows === 0n) throw noSuchDirector();
}

/** Which of these stays there are, held so that none is gone before the transaction ends. */
export async function holdStays(
  database: Database,
  transaction: Access,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await transaction
    .selectFrom('stages')
    .select('id')
    .where('id', 'in', ids)
    // Always in the same order, so that two who hold several never wait for one another.
    .orderBy('id')
    .modifyEnd(database.rowLock)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Has the person direct these stays; those already directed change their type to `cat`. */
export async function putAssignments(
  db: Access,
  id: number,
  stageIds: readonly number[],
  cat: Category,
): Promise<void> {
  if (stageIds.length === 0) return;
  await db
    .insertInto('affectations')
    .values(stageIds.map((stage_id) => ({ formateur_id: id, stage_id, cat })))
    .onConflict((clash) => clash.columns(['formateur_id', 'stage_id']).doUpdateSet({ cat }))
    .execute();
}

export async function deleteAssignments(db: Access, id: number, stageIds: readonly number[]): Promise<void> {
  if (stageIds.length === 0) return;
  await db
    .deleteFrom('affectations')
    .where('formateur_id', '=', id)
    .where('stage_id', 'in', stageIds)
    .execute();
}
