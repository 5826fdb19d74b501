import type { Selectable } from 'kysely';
import { type Access, type Database, databaseTrouble, insertedId } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { conflict, fieldsError, notFound } from '#platform/server/errors.ts';
import { byName } from '#platform/server/names.ts';
import { keysIn, type Place } from '#platform/server/personalData.ts';
import { folded, nameKey } from '#platform/shared/fold.ts';
import type { Director } from '../calls.ts';
import type { Category } from '../shared/terms.ts';

/** Directors and their assignments to stays. */

type DirectorRow = Selectable<Tables['formateurs']>;
/** The fields of a director that forms send. */
type Person = Pick<DirectorRow, 'nom' | 'prenom' | 'mail' | 'telephone'>;

const noSuchDirector = () => notFound('Formateur non trouvé');

/** Directors by name, each with their stays from the latest to the earliest. `id`: only that director. */
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

export async function getDirector(db: Access, id: number): Promise<Director> {
  const [director] = await listDirectors(db, id);
  if (!director) throw noSuchDirector();
  return director;
}

/** The directors of one stay, by name. `cat`: only those of this type. */
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
 * Locks the director until the transaction ends. Throws 404 when there is none of this id, 409 when `version`, that of
 * the form, is not the current one.
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
    .executeTakeFirstOrThrow(noSuchDirector);
  if (version !== undefined && version !== row.version) throw conflict(STALE);
}

const STALE =
  'Ce directeur a été modifié entre-temps par quelqu’un d’autre\u202f: vérifiez ce qui est enregistré, puis recommencez.';

/** The id of the director with this address and these names, however spelt; throws 404 when there is none. */
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

/** Adds a director, or updates the one with this address, even when two requests add it at once; returns the id. */
export async function putDirector(db: Access, person: Person, now: Date): Promise<number> {
  const values = { ...columnsOf(person), modifie_le: now.toISOString() };
  return insertedId(
    db
      .insertInto('formateurs')
      .values({ ...values, created_at: now.toISOString() })
      .onConflict((clash) =>
        clash
          .column('cle_mail')
          .doUpdateSet((expression) => ({ ...values, version: expression('formateurs.version', '+', 1) })),
      ),
  );
}

/** Updates a director; throws 409 when another one has this address. */
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

/** Deletes a director for good, with the assignments; returns their `cle_mail`. Throws 404 when there is none of this id. */
export async function deleteDirector(db: Access, id: number): Promise<string> {
  const row = await db
    .deleteFrom('formateurs')
    .where('id', '=', id)
    .returning('cle_mail')
    .executeTakeFirstOrThrow(noSuchDirector);
  return row.cle_mail;
}

/** Assigns a director to these stays as `cat`; stays already assigned change their type to `cat`. */
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

export const directorPlace: Place = {
  genre: 'directeurs',
  listKeys: async (db) => keysIn(await db.selectFrom('formateurs').select('cle_mail').execute()),
  list: async (db, key) => {
    const people = await db
      .selectFrom('formateurs')
      .select(['id', 'nom', 'prenom', 'mail', 'telephone', 'created_at', 'modifie_le'])
      .where('cle_mail', '=', key)
      .execute();
    const sejours = await db
      .selectFrom('affectations')
      .innerJoin('formateurs', 'formateurs.id', 'formateur_id')
      .innerJoin('stages', 'stages.id', 'stage_id')
      .select(['stage_id as stageId', 'nom_stage', 'date_debut', 'date_fin', 'cat'])
      .where('cle_mail', '=', key)
      .orderBy('date_debut')
      .execute();
    return people.map((person) => ({ ...person, sejours }));
  },
  erase: ({ transaction, key }) => transaction.deleteFrom('formateurs').where('cle_mail', '=', key).execute(),
  text: () => 'Un directeur\u202f: effacé, avec ses affectations à des séjours.',
};
