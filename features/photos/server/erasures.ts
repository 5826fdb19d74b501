import { compareErasures, type Erasure, noteErasures } from '#features/audit/server/erasures.ts';
import { journal } from '#features/audit/server/journal.ts';
import { insertErasures } from '#features/audit/server/store.ts';
import { countConsents } from '#features/stays/server/familiesStore.ts';
import type { StayFollower } from '#features/stays/server/stays.ts';
import { findStayToChange } from '#features/stays/server/staysStore.ts';
import { SITE } from '#platform/server/actor.ts';
import { slicesOf } from '#platform/server/concurrency.ts';
import type { Access } from '#platform/server/db/database.ts';
import { tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';
import { addErasedPhotos, completeProof } from './attestationsStore.ts';
import { beforesOf, dropBefores } from './binStore.ts';
import { erasePhotos, numberChange } from './changesStore.ts';
import { notifyPhotos } from './live.ts';
import { changePhotos } from './states.ts';
import { listFirstIds, listNames, listPublic, type NamedPhoto } from './store.ts';

/* Erasing all photos of a stay, and keeping the proof that its families agreed to them. */

/** Most photos handled in one transaction, so that nobody waits long for the write lock. */
const SLICE = 200;

/**
 * Erases the next slice of photos of a locked stay; returns how many, 0 when none are left. Call `tryEraseCondemned`
 * after the commit.
 */
export async function eraseNextPhotos(transaction: Access, stageId: number, now: Date): Promise<number> {
  const ids = await listFirstIds(transaction, stageId, SLICE);
  await erasePhotos(transaction, stageId, ids, now);
  await addErasedPhotos(transaction, stageId, ids.length);
  return ids.length;
}

/** Erases the photos of a stay that is deleted. */
export const photosOfStay = (services: Services): StayFollower => ({
  erase: async (transaction, stageId) => {
    const photos = await eraseStayPhotos(transaction, stageId, services.clock());
    return { note: () => notePhotoErasures(services, transaction, photos, 'photo') };
  },
  settle: async (stageId) => {
    await tryEraseCondemned(services);
    notifyPhotos(services, stageId);
  },
});

/** Erases all photos of a stay, and makes the proof; returns the photos that it had. */
async function eraseStayPhotos(transaction: Access, stageId: number, now: Date): Promise<NamedPhoto[]> {
  const photos = await listNames(transaction, stageId);
  while ((await eraseNextPhotos(transaction, stageId, now)) > 0);
  await completeProof(transaction, stageId, await countConsents(transaction, stageId), now);
  return photos;
}

/*
 * Photos in the file of erasures, so that a restored backup does not show photos that were erased or hidden since.
 * Photos erased because their time is over are not recorded: any database erases them again by its dates.
 */

/** `photo`: erased for good; `photo-cachee`: was visible to families, then hidden from them. */
type PhotoErasure = 'photo' | 'photo-cachee';

/** Records the erasure or hiding of photos in the file of erasures; must be the last step of its transaction. */
export async function notePhotoErasures(
  { erasures, secrets, clock }: Services,
  transaction: Access,
  photos: readonly NamedPhoto[],
  genre: PhotoErasure,
): Promise<void> {
  const erased = photos.map((photo) => ({ genre, empreinte: fingerprintOf(secrets, photo) }));
  await noteErasures(transaction, erasures, erased, clock());
}

function fingerprintOf(secrets: Services['secrets'], { stage_id, empreinte }: NamedPhoto): string {
  return secrets.fingerprint(`effacement:photo:${stage_id}:${empreinte}`);
}

/** When the site starts, repeats the erasures and hidings of photos made since this database was saved. */
export async function redoPhotoErasures(services: Services): Promise<void> {
  const { database, erasures, log } = services;
  const genres = ['photo', 'photo-cachee'] satisfies PhotoErasure[];
  const { missed } = await compareErasures(database.db, erasures, genres);
  if (missed.length === 0) return;
  for (const [stageId, ids] of await listNamed(services, missed, 'photo'))
    await redo(services, stageId, ids, 'effacement', async (transaction, slice, now) => {
      await erasePhotos(transaction, stageId, slice, now);
      return slice.length;
    });
  // Until a person decides, like those whose removal was requested; a photo that somebody has shown again since is hidden
  // too, and has to be shown again: a hiding must not be lost.
  for (const [stageId, ids] of await listNamed(services, missed, 'photo-cachee'))
    await redo(services, stageId, ids, 'retrait', async (transaction, slice, now) => {
      const numero = await numberChange(transaction, stageId, true);
      // A family may have asked for it.
      await dropBefores(transaction, beforesOf(slice));
      // Families do not see photos in other states, nor will before a person has reviewed them.
      return changePhotos(transaction, slice, { transition: 'hideAgain', numero }, now);
    });
  await database.write((transaction) => insertErasures(transaction, missed));
  await tryEraseCondemned(services);
  log.warn({ erasures: missed.length }, 'erasures of photos were done again on an older database');
}

/** Photos of this database named by erasures of one kind: their ids by stay. */
async function listNamed(
  { database, secrets }: Services,
  erasures: readonly Erasure[],
  genre: PhotoErasure,
): Promise<Map<number, number[]>> {
  const fingerprints = new Set(erasures.flatMap((one) => (one.genre === genre ? one.empreinte : [])));
  const found = new Map<number, number[]>();
  if (fingerprints.size === 0) return found;
  for (const photo of await listNames(database.db)) {
    if (!fingerprints.has(fingerprintOf(secrets, photo))) continue;
    const ids = found.get(photo.stage_id);
    if (ids) ids.push(photo.id);
    else found.set(photo.stage_id, [photo.id]);
  }
  return found;
}

/** Repeats something for photos of a stay; `again` returns how many it was done for. */
async function redo(
  { database, clock }: Services,
  stageId: number,
  ids: readonly number[],
  what: string,
  again: (transaction: Access, ids: readonly number[], now: Date) => Promise<number>,
): Promise<void> {
  for (const slice of slicesOf(ids, SLICE)) {
    await database.write(async (transaction) => {
      const now = clock();
      await findStayToChange(database, transaction, stageId);
      const action = `${what} de photos refait sur une base plus ancienne (${await again(transaction, slice, now)})`;
      await journal(transaction, SITE, now, action, { table: 'stages', id: stageId });
    });
  }
}

/**
 * Sends every photo that families see or will see back to review: some may have been erased or hidden since this
 * database was saved, and nothing tells which. Returns how many.
 */
export async function recheckPhotos(transaction: Access, now: Date): Promise<number> {
  const photos = await listPublic(transaction);
  for (const [stageId, shown] of Map.groupBy(photos, ({ stage_id }) => stage_id)) {
    const numero = await numberChange(transaction, stageId, true);
    const ids = shown.map(({ id }) => id);
    for (const slice of slicesOf(ids, SLICE))
      await changePhotos(transaction, slice, { transition: 'recheckAll', numero }, now);
  }
  return photos.length;
}
