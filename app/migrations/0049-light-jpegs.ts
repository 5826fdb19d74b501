import type { Schema } from '#platform/server/db/migration.ts';

/** Which light photos have a JPEG of their own, and when the full version of a photo was prepared. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .alterTable('photos')
    .addColumn('a_jpeg_leger', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('photos').addColumn('complete_le', 'text').execute();
}
