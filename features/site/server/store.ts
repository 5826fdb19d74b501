import type { Selectable } from 'kysely';
import { holds } from '#platform/server/db/conditions.ts';
import { type Access, countChanged, hasChanged, insertedId } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { notFound } from '#platform/server/errors.ts';
import { keysIn, type Place } from '#platform/server/personalData.ts';
import type { SearchRow } from '#platform/server/search.ts';
import { CONTACT_LISTED } from '../shared/limits.ts';

/* Messages of visitors to the CSE. The network address that they came from is not stored. */

type ContactMessage = Selectable<Tables['messages_contact']>;

export async function insertMessage(
  db: Access,
  written: Pick<ContactMessage, 'nom' | 'email' | 'message'>,
  now: Date,
): Promise<number> {
  const { nom, email, message } = written;
  return insertedId(
    db
      .insertInto('messages_contact')
      .values({ nom, email, message, created_at: now.toISOString(), lu_le: null }),
  );
}

/** Unread messages first, then the newest first: many new messages must not hide unread ones for good. */
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

export function findMessage(db: Access, id: number): Promise<ContactMessage | undefined> {
  return db.selectFrom('messages_contact').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function listSenders(db: Access): Promise<SearchRow[]> {
  const rows = await db.selectFrom('messages_contact').select(['id', 'nom', 'email', 'created_at']).execute();
  return rows.map(({ id, nom, email, created_at }) => ({
    id,
    titre: nom,
    detail: email,
    date_publication: created_at,
  }));
}

/** Marks a message as read at an instant, or as unread with null. Throws 404 when there is none. */
export async function updateMessage(db: Access, id: number, readAt: Date | null): Promise<void> {
  if (
    !(await hasChanged(
      db
        .updateTable('messages_contact')
        .set({ lu_le: readAt?.toISOString() ?? null })
        .where('id', '=', id),
    ))
  )
    throw noSuchMessage();
}

export async function deleteMessage(db: Access, id: number): Promise<void> {
  if (!(await hasChanged(db.deleteFrom('messages_contact').where('id', '=', id)))) throw noSuchMessage();
}

export async function deleteMessagesBefore(db: Access, instant: Date): Promise<number> {
  return countChanged(db.deleteFrom('messages_contact').where('created_at', '<', instant.toISOString()));
}

const noSuchMessage = () => notFound('Ce message n’existe pas ou n’existe plus.');

export const contactPlace: Place = {
  genre: 'contact',
  listKeys: async (db) => keysIn(await db.selectFrom('messages_contact').select('email').execute()),
  list: (db, key) =>
    db.selectFrom('messages_contact').selectAll().where(holds('email', key)).orderBy('id').execute(),
  erase: ({ transaction, key }) =>
    transaction.deleteFrom('messages_contact').where(holds('email', key)).execute(),
  text: (count) =>
    count === 1 ? 'Un message de contact\u202f: effacé.' : `${count} messages de contact\u202f: effacés.`,
};

/* Counts of page views: one row for each page and day, and one row for each page with its total. */

export type ViewRow = Tables['pages_vues'];

/** Value of `jour` in the rows that hold a page's total. */
export const ALL_DAYS = '';

/** Adds counts to the stored ones, so that several processes can do so at once. */
export async function addViews(db: Access, rows: readonly ViewRow[]): Promise<void> {
  // Every process locks the rows in the same order, to avoid deadlocks.
  const ordered = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await db
    .insertInto('pages_vues')
    .values(ordered)
    .onConflict((clash) =>
      clash.columns(['jour', 'page']).doUpdateSet((expression) => ({
        nombre: expression('pages_vues.nombre', '+', expression.ref('excluded.nombre')),
      })),
    )
    .execute();
}

export function keyOf({ jour, page }: Pick<ViewRow, 'jour' | 'page'>): string {
  return `${jour} ${page}`;
}

export async function listTotals(db: Access): Promise<ViewRow[]> {
  return db.selectFrom('pages_vues').selectAll().where('jour', '=', ALL_DAYS).execute();
}

export async function deleteDaysBefore(db: Access, day: string): Promise<void> {
  await db.deleteFrom('pages_vues').where('jour', '!=', ALL_DAYS).where('jour', '<', day).execute();
}
