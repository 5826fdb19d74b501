import type { Access } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';

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
