import type { Schema } from '#platform/server/db/migration.ts';

/** Sessions that somebody ended, and why, so that their pages are told. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .createTable('sessions_finies')
    .addColumn('empreinte', 'text', (column) => column.primaryKey())
    .addColumn('motif', 'text', (column) => column.notNull())
    .addColumn('expire_le', 'text', (column) => column.notNull())
    .execute();
}
