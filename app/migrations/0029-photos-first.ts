import type { Schema } from '#platform/server/db/migration.ts';

/**
 * Which photos have the size of 480 pixels: none of those that are there. And the lists of photos in their order: the
 * last day first, each day from its beginning.
 */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .alterTable('photos')
    .addColumn('a_480', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.dropIndex('photos_ordre').execute();
  await db.schema
    .createIndex('photos_ordre')
    .on('photos')
    .columns(['stage_id', 'jour desc', 'prise_le', 'id'])
    .execute();
  await db.schema.dropIndex('photos_statut').execute();
  await db.schema
    .createIndex('photos_statut')
    .on('photos')
    // The last three let photos be counted and weighed without being read.
    .columns(['stage_id', 'statut', 'jour desc', 'prise_le', 'id', 'publiee_le', 'modifie_le', 'octets'])
    .execute();
}
