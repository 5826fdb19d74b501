import { sql } from 'kysely';
import { jsonList } from '#platform/server/db/json.ts';
import { type Access, type Database, databaseTrouble } from '#platform/server/db/open.ts';
import { HttpError } from '#platform/server/http/errors.ts';
import { type NewStay, noSuchStay, type Stay, stayKey } from './staysStore.ts';

/** The rows of the stays. */

/** With how many of what goes with it there are. */
export type CountedStay = Stay & Record<Counted, number>;

const COUNTED = {
  familles: 'stagiaires',
  directeurs: 'affectations',
  photos: 'photos',
  bilans: 'bilans',
  evaluations: 'evaluations',
} as const;
type Counted = keyof typeof COUNTED;

/** The latest first, as in every list of stays. */
export function listStays(db: Access): Promise<Stay[]> {
  return db.selectFrom('stages').selectAll().orderBy('date_debut', 'desc').orderBy('id', 'desc').execute();
}

/** What anybody may know of the stays, as JSON under these names by column; in the same order. */
export function listPublicStays(
  { db, engine }: Database,
  names: Readonly<Partial<Record<keyof Stay, string>>>,
): Promise<Buffer> {
  const columns = Object.entries(names).map(([column, name]) => ({ name, value: `"${column}"` }));
  return jsonList(db, engine, columns, sql`from stages order by date_debut desc, id desc`);
}

export function listCountedStays(db: Access): Promise<CountedStay[]> {
  return counted(db).orderBy('date_debut', 'desc').orderBy('stages.id', 'desc').execute();
}

/** By stay, the photos that nobody has decided on yet and those whose removal was asked for. */
export async function countWaitingPhotos(db: Access) {
  const toCheck = await db
    .selectFrom('photos')
    .select(({ fn }) => ['stage_id', fn.countAll<number>().as('nombre')])
    .where('statut', '=', 'a_verifier')
    .groupBy('stage_id')
    .execute();
  const asked = await db
    .selectFrom('photos_retraits')
    .innerJoin('photos', 'photos.id', 'photos_retraits.photo_id')
    .select(({ fn }) => ['stage_id', fn.count<number>('photo_id').distinct().as('nombre')])
    .where('traite_le', 'is', null)
    .groupBy('stage_id')
    .execute();
  const byStay = (rows: { stage_id: number; nombre: number }[]) =>
    new Map(rows.map(({ stage_id, nombre }) => [stage_id, Number(nombre)]));
  return { toCheck: byStay(toCheck), asked: byStay(asked) };
}

/** Throws 404 for none. */
export async function getCountedStay(db: Access, id: number): Promise<CountedStay> {
  const stay = await counted(db).where('stages.id', '=', id).executeTakeFirst();
  if (!stay) throw noSuchStay();
  return stay;
}

function counted(db: Access) {
  return db
    .selectFrom('stages')
    .selectAll('stages')
    .select(({ selectFrom }) =>
      (Object.keys(COUNTED) as Counted[]).map((name) => {
        const table = COUNTED[name];
        return selectFrom(table)
          .whereRef(`${table}.stage_id`, '=', 'stages.id')
          .select(({ fn }) => fn.countAll<number>().as('nombre'))
          .$asScalar()
          .$notNull()
          .as(name);
      }),
    );
}

/** Changes a stay and raises its version, so that a form drawn from the old one is recognised as stale. */
export async function updateStay(db: Access, id: number, values: NewStay, now: Date): Promise<void> {
  await db
    .updateTable('stages')
    .set({ ...values, cle: stayKey(values), modifie_le: now.toISOString() })
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** With its directors’ places, its families, its review and its evaluations. */
export async function deleteStay(db: Access, id: number): Promise<void> {
  await db.deleteFrom('stages').where('id', '=', id).execute();
}

const TAKEN = 'Un séjour du même nom et aux mêmes dates existe déjà.';

/** What `work` answers, or 409 when the name and the dates are another stay’s: the database alone can tell. */
export async function unlessTaken<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (databaseTrouble(error) !== 'duplicate') throw error;
    const why = 'un autre séjour porte ce nom à ces dates.';
    throw new HttpError(409, TAKEN, { champs: { nom_stage: why } });
  }
}
