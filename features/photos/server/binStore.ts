import { type Expression, expressionBuilder, type Insertable, type Selectable, type SqlBool } from 'kysely';
import { type Actor, signature } from '#platform/server/actor.ts';
import { type Access, countChanged, countRows, insertedId } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { CONDEMNED, handOverFiles } from '#platform/server/files/registerStore.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { IN_BIN } from '../shared/states.ts';
import { DISCARDS_A_DAY, DISCARDS_AN_HOUR, PHOTO_BIN_DAYS, PHOTOS_BEFORE } from '../shared/terms.ts';
import type { PhotosAvantTable, PhotosTable } from './tables.ts';
import { filesOf, isWhole } from './versions.ts';

/* What was thrown away or blurred, until it is put back or erased for good. */

export async function listStaysDue(db: Access, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('photos')
    .select('stage_id')
    .distinct()
    .where('jetee_le', 'is not', null)
    .where('effacement_le', '<=', now.toISOString())
    .execute();
  return rows.map(({ stage_id }) => stage_id);
}

export function listDue(db: Access, stageId: number, now: Date, limit: number) {
  return db
    .selectFrom('photos')
    .select(['id', 'stage_id', 'empreinte'])
    .where('stage_id', '=', stageId)
    .where('jetee_le', 'is not', null)
    .where('effacement_le', '<=', now.toISOString())
    .limit(limit)
    .execute();
}

/** Stays with photos in the bin that staff have to confirm, by name, and how many. */
export function countToConfirm(db: Access) {
  return db
    .selectFrom('photos')
    .innerJoin('stages', 'stages.id', 'photos.stage_id')
    .select(({ fn }) => ['nom_stage', fn.countAll<number>().as('nombre')])
    .where('jetee_le', 'is not', null)
    .where('effacement_le', 'is', null)
    .groupBy(['stages.id', 'nom_stage'])
    .orderBy('nom_stage')
    .execute();
}

/*
 * The limits of what destroys photos. They refuse nothing, as what is taken away from families has to be gone from them:
 * beyond them the site erases nothing before staff have answered.
 */

/** In words, for whoever goes beyond. */
export const LIMITS = `Au-delà de ${DISCARDS_AN_HOUR} en une heure ou de ${DISCARDS_A_DAY} en un jour`;

/**
 * How many photos of a stay somebody may throw away or blur now of which time alone then erases what was there; only
 * directors are limited. What was put back or given back since does not count.
 */
export async function countFree(
  db: Access,
  context: Actor & { session: Session | undefined },
  stageId: number,
  now: Date,
): Promise<number> {
  if (context.session?.role !== 'director') return Number.POSITIVE_INFINITY;
  const { acteur } = signature(context);
  const since = (ms: number) => countActs(db, stageId, acteur, new Date(now.getTime() - ms).toISOString());
  const left = Math.min(DISCARDS_AN_HOUR - (await since(HOUR_MS)), DISCARDS_A_DAY - (await since(DAY_MS)));
  return Math.max(0, left);
}

/** From when what is thrown away or blurred now is erased. */
export function endOf(now: Date): string {
  return new Date(now.getTime() + PHOTO_BIN_DAYS * DAY_MS).toISOString();
}

async function countActs(db: Access, stageId: number, acteur: string, since: string): Promise<number> {
  const discards = db
    .selectFrom('photos')
    .where('stage_id', '=', stageId)
    .where('jetee_par', '=', acteur)
    .where('jetee_le', '>', since);
  const blurs = db
    .selectFrom('photos_avant')
    .innerJoin('photos', 'photos.id', 'photos_avant.photo_id')
    .where('stage_id', '=', stageId)
    .where('floutee_par', '=', acteur)
    .where('floutee_le', '>', since);
  return (await countRows(discards)) + (await countRows(blurs));
}

/*
 * Photos as they were before zones of them were blurred: one row a blur, the latest is the one that is given back, and one
 * registered file a row, which no route of photos serves. No row is deleted but here, or with its photo.
 */

export type BeforeRow = Selectable<PhotosAvantTable>;

type Photo = Selectable<PhotosTable>;

/** The best file that there is of a prepared photo: its JPEG, or else its largest size. */
export function bestOf(photo: Photo): Pick<BeforeRow, 'nom' | 'version'> {
  const { jpeg = null, w1920 = '' } = filesOf(photo) ?? {};
  return { nom: jpeg ?? w1920, version: isWhole(photo) ? 'complete' : 'legere' };
}

/** Keeps a photo as it is, by its best file. Its other files are left to whoever replaces them. */
export async function insertBefore(
  transaction: Access,
  photo: Photo,
  blurred: Pick<Insertable<PhotosAvantTable>, 'floutee_le' | 'floutee_par' | 'effacement_le'>,
): Promise<void> {
  const best = bestOf(photo);
  const id = await insertedId(
    transaction
      .insertInto('photos_avant')
      .values({ ...blurred, ...best, photo_id: photo.id, retouche: photo.retouche }),
  );
  const from = { table: 'photos', id: photo.id };
  await handOverFiles(transaction, from, { table: PHOTOS_BEFORE, id }, [best.nom]);
}

/** What a photo was before it was blurred last; undefined: nothing is kept. */
export function findBefore(db: Access, photoId: number): Promise<BeforeRow | undefined> {
  return db
    .selectFrom('photos_avant')
    .selectAll()
    .where('photo_id', '=', photoId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** What the photos of a stay were before they were blurred, the latest of each photo last. */
export function listBefores(db: Access, stageId: number): Promise<BeforeRow[]> {
  return db
    .selectFrom('photos_avant')
    .innerJoin('photos', 'photos.id', 'photos_avant.photo_id')
    .selectAll('photos_avant')
    .where('stage_id', '=', stageId)
    .orderBy('photos_avant.id')
    .execute();
}

/** The file of a row. */
export function findBeforeFile(db: Access, id: number) {
  return db
    .selectFrom('fichiers')
    .innerJoin('photos_avant', 'photos_avant.id', 'fichiers.objet_id')
    .select(['fichiers.nom', 'dossier', 'type', 'taille', 'photo_id'])
    .where('objet', '=', PHOTOS_BEFORE)
    .where('objet_id', '=', id)
    .executeTakeFirst();
}

/** Bytes of the files that are kept of the photos of a stay. */
export async function weighBefores(db: Access, stageId: number): Promise<number> {
  const { octets } = await db
    .selectFrom('photos_avant')
    .innerJoin('photos', 'photos.id', 'photos_avant.photo_id')
    .innerJoin('fichiers', 'fichiers.objet_id', 'photos_avant.id')
    .select(({ fn }) => fn.sum<number | null>('fichiers.taille').as('octets'))
    .where('objet', '=', PHOTOS_BEFORE)
    .where('stage_id', '=', stageId)
    .executeTakeFirstOrThrow();
  return Number(octets ?? 0);
}

/** Stays with photos that were blurred and wait for staff, by name, and how many. */
export function countBlurred(db: Access) {
  return (
    db
      .selectFrom('photos_avant')
      .innerJoin('photos', 'photos.id', 'photos_avant.photo_id')
      .innerJoin('stages', 'stages.id', 'photos.stage_id')
      .select(({ fn }) => ['nom_stage', fn.count<number>('photo_id').distinct().as('nombre')])
      .where('photos_avant.effacement_le', 'is', null)
      // Answered with their deletion.
      .where('statut', 'not in', IN_BIN)
      .groupBy(['stages.id', 'nom_stage'])
      .orderBy('nom_stage')
      .execute()
  );
}

/** Says from when what waits for staff is erased; returns of how many blurs it waited. */
export async function endBefores(
  transaction: Access,
  photoIds: readonly number[],
  effacement_le: string,
): Promise<number> {
  return countChanged(
    transaction
      .updateTable('photos_avant')
      .set({ effacement_le })
      .where('photo_id', 'in', photoIds)
      .where('effacement_le', 'is', null),
  );
}

/** Drops rows; returns how many. Call `tryEraseCondemned` after the commit. */
export async function dropBefores(transaction: Access, which: Expression<SqlBool>): Promise<number> {
  const dropped = await countChanged(transaction.deleteFrom('photos_avant').where(which));
  // Every file without a row: one that went with its photo has left its file behind.
  await transaction
    .updateTable('fichiers')
    .set({ objet: CONDEMNED })
    .where('objet', '=', PHOTOS_BEFORE)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('photos_avant')
            .select('photos_avant.id')
            .whereRef('photos_avant.id', '=', 'fichiers.objet_id'),
        ),
      ),
    )
    .execute();
  return dropped;
}

/* Conditions for `dropBefores`. */

const { eb } = expressionBuilder<Tables, 'photos_avant'>();

export const beforeOf = (id: number) => eb('photos_avant.id', '=', id);

export const beforesOf = (photoIds: readonly number[]) => eb('photo_id', 'in', photoIds);

export const beforesDue = (now: Date) => eb('effacement_le', '<=', now.toISOString());
