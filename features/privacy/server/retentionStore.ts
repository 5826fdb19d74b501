import { sql } from 'kysely';
import { type Access, countChanged, type Database } from '#platform/server/db/database.ts';

/* Deletions of rows whose time is over. */

/** Most rows of one statement, so that nobody waits long for the write lock. */
export const SLICE = 1_000;

/** Repeats `work`, each time in a transaction of its own, until it finds fewer rows than a slice. */
export async function inSlices(
  database: Database,
  work: (transaction: Access) => Promise<number>,
): Promise<void> {
  while ((await database.write(work)) === SLICE);
}

export async function deleteEvaluations(transaction: Access, day: string): Promise<number> {
  return countChanged(transaction.deleteFrom('evaluations').where('jour', '<', day));
}

/**
 * Deletes one slice of the directors created before an instant whose last stay ended before a day, or who have no stay
 * and were not changed since that day; returns how many.
 */
export async function deleteDirectors(
  { rowLock }: Database,
  transaction: Access,
  { day, instant }: { day: string; instant: Date },
): Promise<number> {
  const at = instant.toISOString();
  const isOver = sql<boolean>`created_at < ${at} and coalesce(
    (select max(s.date_fin) from affectations a join stages s on s.id = a.stage_id where a.formateur_id = formateurs.id),
    substr(modifie_le, 1, 10)) < ${day}`;
  // Locked first: a director given a stay meanwhile has it when the condition is checked again.
  const held = await transaction
    .selectFrom('formateurs')
    .select('id')
    .where(isOver)
    .orderBy('id')
    .limit(SLICE)
    .modifyEnd(rowLock)
    .execute();
  if (held.length === 0) return 0;
  const ids = held.map(({ id }) => id);
  return countChanged(transaction.deleteFrom('formateurs').where('id', 'in', ids).where(isOver));
}

/** Deletes the proofs of stays that were erased before an instant; returns how many. */
export async function deleteProofs(transaction: Access, before: Date): Promise<number> {
  return countChanged(transaction.deleteFrom('attestations').where('efface_le', '<', before.toISOString()));
}

/** Deletes what a stay has of photos besides them: the words of its days, answers, and selections to download. */
export async function deletePhotoRows(transaction: Access, stageId: number): Promise<void> {
  await transaction.deleteFrom('jours').where('stage_id', '=', stageId).execute();
  await transaction.deleteFrom('photos_selections').where('stage_id', '=', stageId).execute();
  await transaction.deleteFrom('photos_reponses').where('stage_id', '=', stageId).execute();
  await transaction.deleteFrom('photos_horloges').where('stage_id', '=', stageId).execute();
}

/* Retention of mails. */

/** Gives up the messages that have been waiting since before an instant. */
export async function giveUpMessages(transaction: Access, before: Date, now: Date): Promise<void> {
  await transaction
    .updateTable('envois_messages')
    .set({ etat: 'echec', erreur: 'trop_tard', termine_le: now.toISOString() })
    // One that was under way when the site lost its mail server still counts as being sent.
    .where('etat', 'in', ['attente', 'envoi'])
    .where('attend_depuis', '<', before.toISOString())
    .execute();
}

/** Blanks the texts of the mailings of which every message ended before an instant. */
export async function blankTexts(transaction: Access, before: Date): Promise<void> {
  await transaction
    .updateTable('envois')
    .set({ contenu: '' })
    .where('contenu', '!=', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('envois_messages')
            .select('id')
            .whereRef('envoi_id', '=', 'envois.id')
            .where((where) =>
              where.or([where('termine_le', 'is', null), where('termine_le', '>=', before.toISOString())]),
            ),
        ),
      ),
    )
    .execute();
}

/** Ids of one slice of the messages that ended before an instant. */
function endedBefore(db: Access, before: Date) {
  return db
    .selectFrom('envois_messages')
    .select('id')
    .where('termine_le', '<', before.toISOString())
    .limit(SLICE);
}

/** Blanks providers' answers to messages that ended before an instant: one slice of them; returns how many. */
export async function blankAnswers(transaction: Access, before: Date): Promise<number> {
  return countChanged(
    transaction
      .updateTable('envois_messages')
      .set({ reponse: null })
      .where('id', 'in', endedBefore(transaction, before).where('reponse', 'is not', null)),
  );
}

/** Deletes messages that ended before an instant: one slice of them; returns how many. */
export async function deleteMessages(transaction: Access, before: Date): Promise<number> {
  return countChanged(
    transaction.deleteFrom('envois_messages').where('id', 'in', endedBefore(transaction, before)),
  );
}

/**
 * Deletes the mailings created before an instant that have no messages left: their stay, contact message or address was
 * erased, or their time is over.
 */
export async function deleteEmptyMailings(transaction: Access, before: Date): Promise<void> {
  await transaction
    .deleteFrom('envois')
    .where('created_at', '<', before.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('envois_messages').select('id').whereRef('envoi_id', '=', 'envois.id'))),
    )
    .execute();
}
