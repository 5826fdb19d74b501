import type { Schema } from '#platform/server/db/migration.ts';

/** What each admin is let into; those who are there keep everything. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .alterTable('admins')
    .addColumn('droits', 'text', (column) => column.notNull().defaultTo('contenus;sejours;photos;reglages'))
    .execute();
}
