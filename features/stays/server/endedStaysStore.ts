import { journal } from '#features/audit/server/journal.ts';
import { SITE } from '#platform/server/actor.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import { conflict } from '#platform/server/errors.ts';
import type { Services } from '#platform/server/services.ts';
import { shortenSessions } from '#platform/server/sessionsStore.ts';
import { photoTimeOf, photoTimes } from './photoTime.ts';
import { bothPasswords, type Stay, writeStayPasswords } from './staysStore.ts';

/*
 * Stays whose photos are over: what is refused for them, how a longer retention reopens them, and how far they are between
 * the end of their photos (`fini_le`) and their erasure (`efface_le`).
 */

/** Throws 409 for a stay whose families are erased: families added to it would be erased as well. */
export function requireFamilies(stay: Pick<Stay, 'efface_le'>): void {
  if (stay.efface_le !== null) throw conflict(`${OVER}\u202f: il ne reçoit plus de familles.`);
}

export function requirePasswords(stay: Pick<Stay, 'efface_le'>): void {
  if (stay.efface_le !== null) {
    throw conflict(`${OVER}\u202f: il n’a plus de mots de passe. ${PROLONG}`);
  }
}

/** Throws 409 for a stay whose photos are over, for staff as well: nothing is added to photos due for erasure. */
export async function requirePhotos(services: Services, db: Access, stay: Stay): Promise<void> {
  const { isOver } = await photoTimeOf(services, db, stay);
  if (isOver || stay.efface_le !== null)
    throw conflict(
      `${OVER}\u202f: prolongez leur conservation avant d’en ajouter, d’en publier ou d’en parler.`,
    );
}

const OVER = 'Les photos de ce séjour ne sont plus en ligne';
const PROLONG = 'Prolongez la conservation des photos pour qu’il en ait de nouveaux.';

/**
 * After a change of what the photo time depends on, for one stay or for all: sessions that would outlast the photos are
 * shortened, the day between the end of the photos and their erasure starts anew, and stays may be open again.
 */
export async function applyPhotoTime(
  services: Services,
  transaction: Access,
  stageId?: number,
): Promise<void> {
  const timeOf = await photoTimes(services, transaction);
  const signedIn = transaction.selectFrom('sessions').select('stage_id').where('stage_id', 'is not', null);
  const stays = await transaction
    .selectFrom('stages')
    .selectAll()
    .where('id', 'in', signedIn)
    .$if(stageId !== undefined, (query) => query.where('id', '=', stageId as number))
    .execute();
  for (const stay of stays) await shortenSessions(transaction, stay.id, timeOf(stay).end);
  await transaction
    .updateTable('stages')
    .set({ fini_le: null })
    .where('fini_le', 'is not', null)
    .where('efface_le', 'is', null)
    .$if(stageId !== undefined, (query) => query.where('id', '=', stageId as number))
    .execute();
  await reopenStays(services, transaction, stageId);
}

/**
 * Gives new passwords to erased stays, one or all, whose photos are no longer over because their dates or the retention
 * changed. Their families have to be entered anew.
 */
export async function reopenStays(services: Services, transaction: Access, stageId?: number): Promise<void> {
  const { database, secrets, clock } = services;
  const stays = await listErasedToChange(database, transaction, stageId);
  const timeOf = await photoTimes(services, transaction);
  for (const stay of stays) {
    if (timeOf(stay).isOver) continue;
    const { id } = stay;
    await writeStayPasswords(transaction, secrets, id, bothPasswords());
    await writeEnding(transaction, id, { efface_le: null, fini_le: null });
    const action = 'nouveaux mots de passe d’un séjour dont les photos sont de nouveau en ligne';
    await journal(transaction, SITE, clock(), action, { table: 'stages', id });
  }
}

export function listKept(db: Access): Promise<Stay[]> {
  return db.selectFrom('stages').selectAll().where('efface_le', 'is', null).orderBy('id').execute();
}

/** Like `listKept`, those that ended before a day or are marked as over; locked until the transaction ends. */
export function listEndedToChange({ rowLock }: Database, transaction: Access, day: string): Promise<Stay[]> {
  return transaction
    .selectFrom('stages')
    .selectAll()
    .where('efface_le', 'is', null)
    .where((where) => where.or([where('date_fin', '<', day), where('fini_le', 'is not', null)]))
    .orderBy('id')
    .modifyEnd(rowLock)
    .execute();
}

/** Erased stays, one or all, locked until the transaction ends. */
function listErasedToChange({ rowLock }: Database, transaction: Access, stageId?: number) {
  return (
    transaction
      .selectFrom('stages')
      .selectAll()
      .where('efface_le', 'is not', null)
      .$if(stageId !== undefined, (query) => query.where('id', '=', stageId as number))
      // Always in the same order, so that two transactions that lock several stays cannot deadlock.
      .orderBy('id')
      .modifyEnd(rowLock)
      .execute()
  );
}

type Ending = Partial<
  Pick<Stay, 'fini_le' | 'efface_le' | 'prevenu_pour' | 'mdp_formateur' | 'mdp_stagiaire'>
>;

/** Writes how far a stay has come to its end; its version stays, as nobody edits this in a form. */
export async function writeEnding(db: Access, id: number, change: Ending): Promise<void> {
  await db.updateTable('stages').set(change).where('id', '=', id).execute();
}
