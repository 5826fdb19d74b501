import type { Schema } from '#platform/server/db/migration.ts';

/** What people changed in a photo, so that it is done again to a better version of it. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .alterTable('photos')
    .addColumn('retouche', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
