import type { Selectable } from 'kysely';
import {
  compareErasures,
  type Erasure,
  insertErasures,
  noteErasures,
} from '#features/audit/server/erasures.ts';
import { journal } from '#features/audit/server/journal.ts';
import type { PhotosTable } from '#features/photos/server/tables.ts';
import { findStayToChange } from '#features/stays/server/staysStore.ts';
import { SITE } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import { tryEraseCondemned } from '#platform/server/files/register.ts';
import type { Services } from '#platform/server/services.ts';
import { erasePhotos, numberChange } from './changes.ts';
import { seenAt } from './seen.ts';

/*
 * Photos in the file of erasures: a backup that is put back shows nobody what was erased, or hidden, since. What is
 * erased because its time is over is not written down: any database erases it again by its dates.
 */

/** `photo`: erased for good; `photo-cachee`: seen by families once, and hidden from them since. */
type PhotoErasure = 'photo' | 'photo-cachee';

/** The same in an older database: its stay keeps its number, and its file is what it is. */
export type NamedPhoto = Pick<Selectable<PhotosTable>, 'stage_id' | 'empreinte'>;

/** Photos of one transaction: nobody waits long for the write lock. */
const SLICE = 200;

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
