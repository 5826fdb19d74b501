import { REMOVALS_KEPT } from '#features/photos/shared/terms.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import { DAY_MS } from '#platform/shared/time.ts';

/* Requests for the removal of photos. */

/** Removal requests for a stay's photos that wait for a decision, the oldest first. */
export function listOpenRemovals(db: Access, stageId: number) {
  return db
    .selectFrom('photos_retraits')
    .innerJoin('photos', 'photos.id', 'photos_retraits.photo_id')
    .select(['photo_id', 'mot', 'photos_retraits.created_at'])
    .where('stage_id', '=', stageId)
    .where('traite_le', 'is', null)
    .orderBy('photos_retraits.id')
    .execute();
}

/** Closes the open removal requests of photos on which a person has decided. */
export async function closeRemovals(transaction: Access, ids: readonly number[], now: Date): Promise<void> {
  await transaction
    .updateTable('photos_retraits')
    .set({ traite_le: now.toISOString() })
    .where('photo_id', 'in', ids)
    .where('traite_le', 'is', null)
    .execute();
}

/** Whether a person has decided on an earlier request of this session for the photo: that decision holds. */
export async function hasBeenDecided(db: Access, session: Session, id: number): Promise<boolean> {
  const decided = await db
    .selectFrom('photos_retraits')
    .select('id')
    .where('photo_id', '=', id)
    .where('session_id', '=', session.id)
    .where('traite_le', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return decided !== undefined;
}

/** Number of other photos whose removal a session has requested within a day. */
export async function countAsked(db: Access, session: Session, id: number, now: Date): Promise<number> {
  const { nombre } = await asked(db, session, now)
    .select(({ fn }) => fn.count<number>('photo_id').distinct().as('nombre'))
    .where('photo_id', '!=', id)
    .executeTakeFirstOrThrow();
  return nombre;
}

/** Number of other photos of the stay hidden on request within a day, by any session. */
export async function countHidden(
  db: Access,
  { id, stage_id }: { id: number; stage_id: number },
  now: Date,
): Promise<number> {
  const { nombre } = await db
    .selectFrom('photos_retraits')
    .innerJoin('photos', 'photos.id', 'photos_retraits.photo_id')
    .select(({ fn }) => fn.count<number>('photo_id').distinct().as('nombre'))
    .where('stage_id', '=', stage_id)
    .where('photo_id', '!=', id)
    .where('a_masque', '=', 1)
    .where('photos_retraits.created_at', '>', dayBefore(now))
    .executeTakeFirstOrThrow();
  return nombre;
}

/**
 * Records a request: one row per session, photo and day, with the last message that was not blank. A photo has at most
 * `REMOVALS_KEPT` open ones, besides one that hides it, so that nobody can fill the list.
 */
export async function putRemoval(
  db: Access,
  session: Session,
  request: { photo_id: number; mot: string; a_masque: number },
  now: Date,
): Promise<'new' | 'reworded' | 'known'> {
  const known = await asked(db, session, now)
    .select(['id', 'mot', 'a_masque'])
    .where('photo_id', '=', request.photo_id)
    .where('traite_le', 'is', null)
    .executeTakeFirst();
  if (!known) {
    if (request.a_masque === 0 && (await countOpen(db, request.photo_id)) >= REMOVALS_KEPT) return 'known';
    await db
      .insertInto('photos_retraits')
      .values({ ...request, session_id: session.id, created_at: now.toISOString() })
      .execute();
    return 'new';
  }
  const mot = request.mot.trim() === '' ? known.mot : request.mot;
  const a_masque = Math.max(known.a_masque, request.a_masque);
  if (mot === known.mot && a_masque === known.a_masque) return 'known';
  await db.updateTable('photos_retraits').set({ mot, a_masque }).where('id', '=', known.id).execute();
  return 'reworded';
}

async function countOpen(db: Access, id: number): Promise<number> {
  const { nombre } = await db
    .selectFrom('photos_retraits')
    .select(({ fn }) => fn.countAll<number>().as('nombre'))
    .where('photo_id', '=', id)
    .where('traite_le', 'is', null)
    .executeTakeFirstOrThrow();
  return nombre;
}

function asked(db: Access, session: Session, now: Date) {
  return db
    .selectFrom('photos_retraits')
    .where('session_id', '=', session.id)
    .where('created_at', '>', dayBefore(now));
}

function dayBefore(now: Date): string {
  return new Date(now.getTime() - DAY_MS).toISOString();
}
