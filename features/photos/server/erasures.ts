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
import { isSeen, seenAt } from './store.ts';
import { dropUploads, uploadsTo } from './uploadsUnderWay.ts';

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

/*
 * Photos in the file of erasures: a backup that is put back shows nobody what was erased, or hidden, since. What is
 * erased because its time is over is not written down: any database erases it again by its dates.
 */

/** `photo`: erased for good; `photo-cachee`: seen by families once, and hidden from them since. */
type PhotoErasure = 'photo' | 'photo-cachee';

/** The same in an older database: its stay keeps its number, and its file is what it is. */
type NamedPhoto = Pick<Selectable<Tables['photos']>, 'stage_id' | 'empreinte'>;

/** Writes down what becomes of photos: the last thing that its transaction does. */
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

/** Does again, when the site starts, what became of photos since this database was saved. */
export async function redoPhotoErasures(services: Services): Promise<void> {
  const { database, erasures, log } = services;
  const genres = ['photo', 'photo-cachee'] satisfies PhotoErasure[];
  const { missed } = await compareErasures(database.db, erasures, genres);
  if (missed.length === 0) return;
  const erased = await listNamed(services, missed, 'photo');
  for (const [stageId, ids] of erased) await eraseAgain(services, stageId, ids);
  // Whoever restored it since does so again: that it was hidden is what nobody may forget.
  const hidden = await listNamed(services, missed, 'photo-cachee');
  for (const [stageId, ids] of hidden) await hideAgain(services, stageId, ids);
  await database.write((transaction) => insertErasures(transaction, missed));
  await tryEraseCondemned(services);
  log.warn({ erasures: missed.length }, 'erasures of photos were done again on an older database');
}

/** The photos of this database that erasures of a kind were of, by stay. */
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

/** They wait for a person, as those that somebody asked to take down. */
async function hideAgain(services: Services, stageId: number, ids: readonly number[]): Promise<void> {
  const { database, clock } = services;
  for (const slice of slicesOf(ids)) {
    await database.write(async (transaction) => {
      const now = clock();
      await findStayToChange(database, transaction, stageId);
      const numero = await numberChange(transaction, stageId, true);
      const { numUpdatedRows } = await transaction
        .updateTable('photos')
        .set({ statut: 'retiree', numero, cachee: numero, modifie_le: now.toISOString() })
        .where('id', 'in', slice)
        // No family sees the others, nor will before a person has looked at them.
        .where('statut', 'in', ['publiee', 'a_verifier'])
        .executeTakeFirst();
      const action = `retrait de photos refait sur une base plus ancienne (${numUpdatedRows})`;
      await journal(transaction, SITE, now, action, { table: 'stages', id: stageId });
    });
  }
}

/**
 * Has a person look again at every photo that families see or will see: some of them may have been erased or hidden since
 * this database was saved, and nothing tells which. Returns how many.
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
    await transaction
      .updateTable('photos')
      .set((was) => ({
        ...{ statut: 'a_verifier', publiee_le: null, numero, modifie_le: now.toISOString() },
        cachee: was.case().when(seenAt(now)(was)).then(numero).else(was.ref('cachee')).end(),
      }))
      .where('stage_id', '=', stage_id)
      .where('statut', '=', 'publiee')
      .execute();
  }
  return stays.reduce((sum, { nombre }) => sum + nombre, 0);
}

function* slicesOf(ids: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < ids.length; start += SLICE) yield ids.slice(start, start + SLICE);
}

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
