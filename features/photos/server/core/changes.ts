import type { Access } from '#platform/server/db/open.ts';
import { condemnFiles } from '#platform/server/files/register.ts';
import { isSeen } from './seen.ts';

/*
 * Every change of a stay's photos and words has a number, so that whoever looks at them asks only for what changed.
 * Whoever makes one holds the stay first (`holdPhotoStay`, `findStayToChange`), before it reads what the change depends
 * on: so nobody else changes the photos until the end of the transaction, what changes nothing takes no number, and
 * two who wait for one another, as one locks the stay and then its number and the other its number and then the stay,
 * do not exist.
 */

/**
 * Numbers a change of a stay that is held, in its transaction; the photos that it changes are given the number. `isSeen`:
 * families see what it changes, before or after, and are told.
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

/**
 * Erases photos of a stay that is held, with all that was asked of them; `tryEraseCondemned` after the commit erases their
 * files.
 */
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
  const isShown = photos.some((photo) => isSeen(photo, now));
  const numero = await numberChange(transaction, stageId, isShown);
  await condemnFiles(transaction, { table: 'photos', ids });
  await transaction.deleteFrom('photos').where('stage_id', '=', stageId).where('id', 'in', ids).execute();
  const erased = photos.map((photo) => ({
    ...{ photo_id: photo.id, stage_id: stageId, numero },
    cachee: isSeen(photo, now) ? numero : photo.cachee,
  }));
  await transaction.insertInto('photos_effacees').values(erased).execute();
}
