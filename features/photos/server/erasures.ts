import type { Selectable } from 'kysely';
import {
  compareErasures,
  type Erasure,
  insertErasures,
  noteErasures,
} from '#features/audit/server/erasures.ts';
import { journal } from '#features/audit/server/journal.ts';
import type { StayFollower } from '#features/stays/server/stays.ts';
import { findStayToChange } from '#features/stays/server/staysStore.ts';
import type { Consent } from '#features/stays/shared/terms.ts';
import { SITE } from '#platform/server/actor.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { condemnFiles, tryEraseCondemned } from '#platform/server/files/register.ts';
import type { Services } from '#platform/server/services.ts';
import { changePhotos } from './states.ts';
import { isSeen } from './store.ts';
import { dropUploads, uploadsTo } from './uploadsUnderWay.ts';

/* Erasing all photos of a stay, and keeping the proof that its families agreed to them. */

/** Most photos handled in one transaction, so that nobody waits long for the write lock. */
const SLICE = 200;

/**
 * Erases the next slice of photos of a locked stay; returns how many, 0 when none are left. Call `tryEraseCondemned`
 * after the commit.
 */
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

/** Number of children of a stay by image consent. */
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

/** Turns the attestation of a stay whose children are being erased into a proof without names. */
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

/** Erases the photos of a stay that is deleted. */
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

/** Erases all photos of a stay and its uploads under way, and makes the proof; returns the photos that it had. */
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

/*
 * Photos in the file of erasures, so that a restored backup does not show photos that were erased or hidden since.
 * Photos erased because their time is over are not recorded: any database erases them again by its dates.
 */

/** `photo`: erased for good; `photo-cachee`: was visible to families, then hidden from them. */
type PhotoErasure = 'photo' | 'photo-cachee';

/** What identifies a photo in an older database too: the id of its stay and the SHA-256 of its file never change. */
type NamedPhoto = Pick<Selectable<Tables['photos']>, 'stage_id' | 'empreinte'>;

/** Records the erasure or hiding of photos in the file of erasures; must be the last step of its transaction. */
export async function notePhotoErasures(
  { erasures, secrets, clock }: Pick<Services, 'erasures' | 'secrets' | 'clock'>,
  transaction: Access,
  photos: readonly NamedPhoto[],
  genre: PhotoErasure,
): Promise<void> {
  const erased = photos.map((photo) => ({ genre, empreinte: markOf(secrets, photo) }));
  await noteErasures(transaction, erasures, erased, clock());
}

function markOf(secrets: Services['secrets'], { stage_id, empreinte }: NamedPhoto): string {
  return secrets.fingerprint(`effacement:photo:${stage_id}:${empreinte}`);
}

/** When the site starts, repeats the erasures and hidings of photos made since this database was saved. */
export async function redoPhotoErasures(services: Services): Promise<void> {
  const { database, erasures, log } = services;
  const genres = ['photo', 'photo-cachee'] satisfies PhotoErasure[];
  const { missed } = await compareErasures(database.db, erasures, genres);
  if (missed.length === 0) return;
  const erased = await listNamed(services, missed, 'photo');
  for (const [stageId, ids] of erased) await eraseAgain(services, stageId, ids);
  // A photo that somebody has shown again since is hidden too, and has to be shown again: a hiding must not be lost.
  const hidden = await listNamed(services, missed, 'photo-cachee');
  for (const [stageId, ids] of hidden) await hideAgain(services, stageId, ids);
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
  const marks = new Set(erasures.flatMap((one) => (one.genre === genre ? one.empreinte : [])));
  const found = new Map<number, number[]>();
  if (marks.size === 0) return found;
  const photos = await database.db.selectFrom('photos').select(['id', 'stage_id', 'empreinte']).execute();
  for (const photo of photos) {
    if (!marks.has(markOf(secrets, photo))) continue;
    const ids = found.get(photo.stage_id);
    if (ids) ids.push(photo.id);
    else found.set(photo.stage_id, [photo.id]);
  }
  return found;
}

async function eraseAgain(services: Services, stageId: number, ids: readonly number[]): Promise<void> {
  const { database, clock } = services;
  for (const slice of slicesOf(ids)) {
    await database.write(async (transaction) => {
      await findStayToChange(database, transaction, stageId);
      const action = `effacement de photos refait sur une base plus ancienne (${slice.length})`;
      await journal(transaction, SITE, clock(), action, { table: 'stages', id: stageId });
      await erasePhotos(transaction, stageId, slice, clock());
    });
  }
}

/** Hides photos until a person decides, like those whose removal was requested. */
async function hideAgain(services: Services, stageId: number, ids: readonly number[]): Promise<void> {
  const { database, clock } = services;
  for (const slice of slicesOf(ids)) {
    await database.write(async (transaction) => {
      const now = clock();
      await findStayToChange(database, transaction, stageId);
      const numero = await numberChange(transaction, stageId, true);
      // Families do not see photos in other states, nor will before a person has reviewed them.
      const count = await changePhotos(transaction, { ids: slice }, { transition: 'hideAgain', numero }, now);
      const action = `retrait de photos refait sur une base plus ancienne (${count})`;
      await journal(transaction, SITE, now, action, { table: 'stages', id: stageId });
    });
  }
}

/**
 * Sends every photo that families see or will see back to review: some may have been erased or hidden since this
 * database was saved, and nothing tells which. Returns how many.
 */
export async function recheckPhotos(transaction: Access, now: Date): Promise<number> {
  const stays = await transaction
    .selectFrom('photos')
    .select(({ fn }) => ['stage_id', fn.countAll<number>().as('nombre')])
    .where('statut', '=', 'publiee')
    .groupBy('stage_id')
    .execute();
  for (const { stage_id } of stays) {
    const numero = await numberChange(transaction, stage_id, true);
    const change = { transition: 'recheckAll' as const, publiee_le: null, numero };
    await changePhotos(transaction, { stageId: stage_id }, change, now);
  }
  return stays.reduce((sum, { nombre }) => sum + nombre, 0);
}

function* slicesOf(ids: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < ids.length; start += SLICE) yield ids.slice(start, start + SLICE);
}

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

/**
 * Erases photos of a locked stay, with their removal requests. Call `tryEraseCondemned` after the commit to erase their
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
    photo_id: photo.id,
    stage_id: stageId,
    numero,
    cachee: isSeen(photo, now) ? numero : photo.cachee,
  }));
  await transaction.insertInto('photos_effacees').values(erased).execute();
}
