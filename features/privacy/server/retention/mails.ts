import type { Access } from '#platform/server/db/open.ts';
import { SLICE } from './store.ts';

/** What is left of mails that have ended. */

/** Gives up the messages that wait since before an instant. */
export async function giveUpMessages(transaction: Access, before: Date, now: Date): Promise<void> {
  await transaction
    .updateTable('envois_messages')
    .set({ etat: 'echec', erreur: 'trop_tard', termine_le: now.toISOString() })
    .where('etat', '=', 'attente')
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

/** Blanks what providers answered to messages that ended before an instant; a slice of them, returns how many. */
export async function blankAnswers(transaction: Access, before: Date): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('envois_messages')
    .set({ reponse: null })
    .where('id', 'in', (query) =>
      query
        .selectFrom('envois_messages')
        .select('id')
        .where('termine_le', '<', before.toISOString())
        .where('reponse', 'is not', null)
        .limit(SLICE),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes the messages that ended before an instant; a slice of them, returns how many. */
export async function deleteMessages(transaction: Access, before: Date): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('envois_messages')
    .where('id', 'in', (query) =>
      query
        .selectFrom('envois_messages')
        .select('id')
        .where('termine_le', '<', before.toISOString())
        .limit(SLICE),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Deletes the mailings without messages that were written before an instant: their stays, their contact messages, their
 * addresses or their time are gone.
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
