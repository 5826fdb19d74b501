import type { Access } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';

/** Counts of page views: one row a page and day, and one a page for all days. */

export type ViewRow = Tables['pages_vues'];

/** The day of the rows that hold a page's count of all days. */
export const ALL_DAYS = '';

/** Adds counts to what is there, so that several processes may do so at once. */
export async function addViews(db: Access, rows: readonly ViewRow[]): Promise<void> {
  // Every process takes the rows in one order, so that none waits for another in a circle.
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

/** Names a row: no two of one batch are the same. */
export function keyOf({ jour, page }: Pick<ViewRow, 'jour' | 'page'>): string {
  return `${jour} ${page}`;
}

/** The counts of all days, by page. */
export async function listTotals(db: Access): Promise<ViewRow[]> {
  return db.selectFrom('pages_vues').selectAll().where('jour', '=', ALL_DAYS).execute();
}

/** Forgets the counts of single days before `day`; those of all days stay. */
export async function deleteDaysBefore(db: Access, day: string): Promise<void> {
  await db.deleteFrom('pages_vues').where('jour', '!=', ALL_DAYS).where('jour', '<', day).execute();
}
