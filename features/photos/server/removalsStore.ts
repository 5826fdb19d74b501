import { type Access, countRows } from '#platform/server/db/database.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { REMOVALS_KEPT, type RemovalDecision } from '../shared/terms.ts';

/* Requests for the removal of photos, and what was decided on them. */

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

/** A person's decision, and their answer to the families that asked. */
interface Outcome {
  decision: RemovalDecision;
  reponse: string;
}

/**
 * Closes the open removal requests of photos on which a person has decided, and tells those who made them, as well as
 * those who had been told the contrary.
 */
export async function closeRemovals(
  transaction: Access,
  ids: readonly number[],
  { decision, reponse }: Outcome,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await transaction
    .updateTable('photos_reponses')
    .set({ decision, reponse, decide_le: at, lue_le: null })
    .where('photo_id', 'in', ids)
    .where('decision', '!=', decision)
    .execute();
  await transaction
    .insertInto('photos_reponses')
    .columns([
      'retrait_id',
      'photo_id',
      'stage_id',
      'session_id',
      'demande_le',
      'decision',
      'reponse',
      'decide_le',
    ])
    .expression((eb) =>
      eb
        .selectFrom('photos_retraits')
        .innerJoin('photos', 'photos.id', 'photos_retraits.photo_id')
        .select(['photos_retraits.id', 'photo_id', 'stage_id', 'session_id', 'photos_retraits.created_at'])
        .select(({ cast, val }) => [
          cast<RemovalDecision>(val(decision), 'text').as('decision'),
          cast<string>(val(reponse), 'text').as('reponse'),
          cast<string>(val(at), 'text').as('decide_le'),
        ])
        .where('photo_id', 'in', ids)
        .where('traite_le', 'is', null),
    )
    .execute();
  await transaction
    .updateTable('photos_retraits')
    .set({ traite_le: at })
    .where('photo_id', 'in', ids)
    .where('traite_le', 'is', null)
    .execute();
}

/** Requests that showing these photos would go against: open ones, and those that a person has granted; oldest first. */
export function listObjections(db: Access, ids: readonly number[]) {
  return db
    .selectFrom('photos_retraits')
    .leftJoin('photos_reponses', 'retrait_id', 'photos_retraits.id')
    .select(['photos_retraits.photo_id', 'mot', 'created_at'])
    .where('photos_retraits.photo_id', 'in', ids)
    .where(({ or, eb }) => or([eb('traite_le', 'is', null), eb('decision', '=', 'retiree')]))
    .orderBy('photos_retraits.id')
    .execute();
}

/** Lists the decisions on requests of a session that it has not read, the latest first. */
export function listAnswers(db: Access, session: Session, stageId: number) {
  return db
    .selectFrom('photos_reponses')
    .select(['retrait_id as id', 'demande_le', 'decision', 'reponse', 'decide_le'])
    .where('stage_id', '=', stageId)
    .where('session_id', '=', session.id)
    .where('lue_le', 'is', null)
    .orderBy('decide_le', 'desc')
    .orderBy('retrait_id', 'desc')
    .execute();
}

/** Notes that a session has read answers; those of other sessions stay as they are. */
export async function noteAnswersRead(
  transaction: Access,
  session: Session,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable('photos_reponses')
    .set({ lue_le: now.toISOString() })
    .where('retrait_id', 'in', ids)
    .where('session_id', '=', session.id)
    .where('lue_le', 'is', null)
    .execute();
}

/** Whether a person has decided on an earlier request of this session for the photo: that decision holds. */
export async function hasBeenDecided(db: Access, session: Session, id: number): Promise<boolean> {
  const decided = db
    .selectFrom('photos_retraits')
    .where('photo_id', '=', id)
    .where('session_id', '=', session.id)
    .where('traite_le', 'is not', null);
  return (await countRows(decided)) > 0;
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
  session: Pick<Session, 'id'>,
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
  return countRows(
    db.selectFrom('photos_retraits').where('photo_id', '=', id).where('traite_le', 'is', null),
  );
}

function asked(db: Access, session: Pick<Session, 'id'>, now: Date) {
  return db
    .selectFrom('photos_retraits')
    .where('session_id', '=', session.id)
    .where('created_at', '>', dayBefore(now));
}

function dayBefore(now: Date): string {
  return new Date(now.getTime() - DAY_MS).toISOString();
}
