import type { Schema } from '#platform/server/db/migration.ts';

/** Counts of page views, by day and page. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .createTable('pages_vues')
    .addColumn('jour', 'text', (column) => column.notNull())
    .addColumn('page', 'text', (column) => column.notNull())
    // A flood of false views must not reach its end.
    .addColumn('nombre', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('pages_vues_cle', ['jour', 'page'])
    .execute();
}
