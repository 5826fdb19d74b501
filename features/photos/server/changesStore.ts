import type { Access } from '#platform/server/db/database.ts';
import { condemnFiles } from '#platform/server/files/registerStore.ts';
import { beforesOf, dropBefores } from './binStore.ts';
import { areSeen, isSeen, type PhotoRow, seenAt, type Viewer } from './store.ts';

/*
 * Change numbers. Every change of a stay's photos and words of the day gets a number, so that a viewer asks only for
 * what changed. A transaction that makes a change locks the stay first (`holdPhotoStay`, `findStayToChange`), before
 * reading what the change depends on. This way nobody else changes the photos until the transaction ends, a change
 * that turns out to be empty takes no number, and no deadlock arises from locking the number before the stay.
 */

/**
 * Takes the next change number of a locked stay; the caller writes it to the photos that it changes. `isSeen`: families
 * see what changes, before or after it, and are notified.
 */
export async function numberChange(transaction: Access, stageId: number, isSeen: boolean): Promise<number> {
  const { numero } = await transaction
    .insertInto('photos_flux')
    .values({ stage_id: stageId, numero: 1, vu: isSeen ? 1 : 0 })
    .onConflict((clash) =>
      clash.column('stage_id').doUpdateSet(({ eb, ref }) => {
        const next = eb('photos_flux.numero', '+', 1);
        return { numero: next, vu: isSeen ? next : ref('photos_flux.vu') };
      }),
    )
    .returning('numero')
    .executeTakeFirstOrThrow();
  return numero;
}

/** Numbers of the last changes of those stays that have had one, and the latest publication that families see. */
export function listNumbers(db: Access, stageIds: readonly number[], now: Date) {
  return db
    .selectFrom('photos_flux')
    .select(['stage_id', 'numero', 'vu'])
    .select(({ selectFrom }) =>
      selectFrom('photos')
        .select(({ fn }) => fn.max('publiee_le').as('latest'))
        .whereRef('photos.stage_id', '=', 'photos_flux.stage_id')
        .where(seenAt(now))
        .as('latest'),
    )
    .where('stage_id', 'in', stageIds)
    .execute();
}

/** Ids of the sessions that may still watch one of these stays. */
export async function listLiveSessions(
  db: Access,
  stageIds: readonly number[],
  now: Date,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where(({ or, eb }) => or([eb('stage_id', 'in', stageIds), eb('role', '=', 'admin')]))
    .where('expire_le', '>', now.toISOString())
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Number of the last change of a stay's photos; 0 before the first. */
export async function findNumber(db: Access, stageId: number): Promise<number> {
  const row = await db
    .selectFrom('photos_flux')
    .select('numero')
    .where('stage_id', '=', stageId)
    .executeTakeFirst();
  return row?.numero ?? 0;
}

/** Photos that changed after a number or became visible after an instant; for families, only those they see or saw. */
export function listChanged(
  db: Access,
  stageId: number,
  since: { numero: number; instant: Date },
  { isFamily, now }: Viewer,
  limit: number,
): Promise<PhotoRow[]> {
  return db
    .selectFrom('photos')
    .selectAll()
    .where('stage_id', '=', stageId)
    .where((expression) => {
      const { eb, and, or } = expression;
      const isShown = seenAt(now)(expression);
      const hasCome = and([isShown, eb('publiee_le', '>', since.instant.toISOString())]);
      const isTheirs = or([isShown, eb('cachee', '>', since.numero)]);
      const hasChanged = eb('numero', '>', since.numero);
      return or([isFamily ? and([hasChanged, isTheirs]) : hasChanged, hasCome]);
    })
    .limit(limit)
    .execute();
}

/** Ids of photos erased after a number; for families, only those still visible to them at that number. */
export async function listErased(
  db: Access,
  stageId: number,
  { numero }: { numero: number },
  { isFamily }: Viewer,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('photos_effacees')
    .select('photo_id')
    .where('stage_id', '=', stageId)
    .where('numero', '>', numero)
    .$if(isFamily, (query) => query.where('cachee', '>', numero))
    .limit(limit)
    .execute();
  return rows.map(({ photo_id }) => photo_id);
}

/** Erases photos of a locked stay, with all that hangs on them. Call `tryEraseCondemned` after the commit for their files. */
export async function erasePhotos(
  transaction: Access,
  stageId: number,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  const photos = await transaction
    .selectFrom('photos')
    .select(['id', 'statut', 'publiee_le', 'cachee'])
    .where('stage_id', '=', stageId)
    .where('id', 'in', ids)
    .execute();
  const numero = await numberChange(transaction, stageId, areSeen(photos, now));
  await condemnFiles(transaction, { table: 'photos', ids });
  await dropBefores(transaction, beforesOf(ids));
  await transaction.deleteFrom('photos').where('stage_id', '=', stageId).where('id', 'in', ids).execute();
  const erased = photos.map((photo) => ({
    ...{ photo_id: photo.id, stage_id: stageId, numero },
    cachee: isSeen(photo, now) ? numero : photo.cachee,
  }));
  await transaction.insertInto('photos_effacees').values(erased).execute();
}
