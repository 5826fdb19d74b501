import { sql } from 'kysely';
import type { Schema } from '#platform/server/db/migration.ts';

/** The bin of photos: when one was thrown away and by whom, and when it is erased for good. */
export async function up(db: Schema): Promise<void> {
  await db.schema.alterTable('photos').addColumn('jetee_le', 'text').execute();
  await db.schema
    .alterTable('photos')
    .addColumn('jetee_par', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('photos').addColumn('effacement_le', 'text').execute();
  await db.schema
    .createIndex('photos_corbeille')
    .on('photos')
    .column('effacement_le')
    // Few photos are in the bin, which is looked into every hour.
    .where(sql.ref('jetee_le'), 'is not', null)
    .execute();
}
