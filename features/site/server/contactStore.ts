import type { Selectable } from 'kysely';
import { CONTACT_LISTED } from '#features/site/shared/promises.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { notFound } from '#platform/server/http/errors.ts';

/** What visitors wrote to the CSE; where it was sent from is not kept. */

type ContactMessage = Selectable<Tables['messages_contact']>;

/** Returns its id. */
export async function insertMessage(
  db: Access,
  written: Pick<ContactMessage, 'nom' | 'email' | 'message'>,
  now: Date,
): Promise<number> {
  const { nom, email, message } = written;
  const { id } = await db
    .insertInto('messages_contact')
    .values({ nom, email, message, created_at: now.toISOString(), lu_le: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Those that wait first, then the newest: a flood of them must not bury the others for good. */
export function listMessages(db: Access): Promise<ContactMessage[]> {
  return db
    .selectFrom('messages_contact')
    .selectAll()
    .orderBy((expression) => expression.case().when('lu_le', 'is', null).then(0).else(1).end())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(CONTACT_LISTED)
    .execute();
}

/** Says since when it is read; null: it waits again. Throws 404 for none. */
export async function updateMessage(db: Access, id: number, readAt: Date | null): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('messages_contact')
    .set({ lu_le: readAt?.toISOString() ?? null })
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw noSuchMessage();
}

/** For good. Throws 404 for none. */
export async function deleteMessage(db: Access, id: number): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('messages_contact').where('id', '=', id).executeTakeFirst();
  if (numDeletedRows === 0n) throw noSuchMessage();
}

/** How many there were. */
export async function deleteMessagesBefore(db: Access, instant: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('messages_contact')
    .where('created_at', '<', instant.toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const noSuchMessage = () => notFound('Ce message n’existe pas ou n’existe plus.');
