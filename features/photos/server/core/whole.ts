import type { StayFollower } from '#features/stays/server/follower.ts';
import type { Consent } from '#features/stays/shared/terms.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import { tryEraseCondemned } from '#platform/server/files/register.ts';
import { erasePhotos } from './changes.ts';
import { type NamedPhoto, notePhotoErasures } from './erasures.ts';
import { dropUploads, uploadsTo } from './uploads.ts';

/* All photos of a stay: what becomes of them with it, and the proof that its families agreed to them. */

/** Photos of one transaction: nobody waits long for the write lock. */
const SLICE = 200;

/** Erases the next photos of a stay that is held; returns how many, 0 when there are none left. `tryEraseCondemned` after the commit. */
export async function eraseNextPhotos(transaction: Access, stageId: number, now: Date): Promise<number> {
  const rows = await transaction
    .selectFrom('photos')
    .select('id')
    .where('stage_id', '=', stageId)
    .orderBy('id')
    .limit(SLICE)
    .execute();
  await erasePhotos(
    transaction,
    stageId,
    rows.map(({ id }) => id),
    now,
  );
  await transaction
    .updateTable('attestations')
    .set(({ eb, fn, val }) => ({ photos: eb(fn.coalesce('photos', val(0)), '+', rows.length) }))
    .where('stage_id', '=', stageId)
    .where('efface_le', 'is', null)
    .execute();
  return rows.length;
}

/** How many children of a stay had said what. */
export type Consents = Record<Consent, number>;

export async function countConsents(db: Access, stageId: number): Promise<Consents> {
  const rows = await db
    .selectFrom('stagiaires')
    .select(({ fn }) => ['consentement_image', fn.countAll<number>().as('nombre')])
    .where('stage_id', '=', stageId)
    .groupBy('consentement_image')
    .execute();
  const counts: Consents = { oui: 0, non: 0, inconnu: 0 };
  for (const { consentement_image, nombre } of rows) counts[consentement_image] = nombre;
  return counts;
}

/** Makes a proof without names of what was attested of a stay, as its children are erased. */
export async function completeProof(
  transaction: Access,
  stageId: number,
  { oui, non, inconnu }: Consents,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('attestations')
    .set({ oui, non, inconnu, efface_le: now.toISOString() })
    .where('stage_id', '=', stageId)
    .where('efface_le', 'is', null)
    .execute();
}

/** The photos of a stay that is deleted. */
export const photosOfStay: StayFollower = {
  erase: async (services, transaction, stageId) => {
    const photos = await eraseStayPhotos(services.database, transaction, stageId, services.clock());
    return { note: () => notePhotoErasures(services, transaction, photos, 'photo') };
  },
  endUploads: ({ database }, transaction, stageId) => dropUploads(database, transaction, uploadsTo(stageId)),
  settle: async (services, stageId) => {
    await tryEraseCondemned(services);
    services.photos.changed(stageId);
  },
};

/** Erases all photos of a stay, what is still being sent to it as well, and makes the proof; returns those that there were. */
async function eraseStayPhotos(
  database: Pick<Database, 'engine' | 'rowLock'>,
  transaction: Access,
  stageId: number,
  now: Date,
): Promise<NamedPhoto[]> {
  const photos = await transaction
    .selectFrom('photos')
    .select(['stage_id', 'empreinte'])
    .where('stage_id', '=', stageId)
    .execute();
  await dropUploads(database, transaction, uploadsTo(stageId));
  while ((await eraseNextPhotos(transaction, stageId, now)) > 0);
  await completeProof(transaction, stageId, await countConsents(transaction, stageId), now);
  return photos;
}
