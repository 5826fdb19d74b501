import type { Schema } from '#platform/server/db/migration.ts';

/** What a benefit is about; « Autre » until staff choose. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .alterTable('avantage')
    .addColumn('categorie', 'text', (column) => column.notNull().defaultTo('Autre'))
    .execute();
}
