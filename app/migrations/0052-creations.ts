import type { Schema } from '#platform/server/db/migration.ts';

/** The keys of what was created within a day, and what was answered. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .createTable('creations')
    .addColumn('cle', 'text', (column) => column.primaryKey())
    .addColumn('demande', 'text', (column) => column.notNull())
    .addColumn('reponse', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
}
