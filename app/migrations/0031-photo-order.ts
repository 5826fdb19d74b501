import { sql } from 'kysely';
import type { Schema } from '#platform/server/db/migration.ts';

/** The place of a photo in its day, which a person may change: until then, when it was taken. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .alterTable('photos')
    .addColumn('rang', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await sql`update photos set rang = prise_le`.execute(db);
  await db.schema.dropIndex('photos_ordre').execute();
  await db.schema
    .createIndex('photos_ordre')
    .on('photos')
    .columns(['stage_id', 'jour desc', 'rang', 'id'])
    .execute();
  await db.schema.dropIndex('photos_statut').execute();
  await db.schema
    .createIndex('photos_statut')
    .on('photos')
    // The last three let photos be counted and weighed without being read.
    .columns(['stage_id', 'statut', 'jour desc', 'rang', 'id', 'publiee_le', 'modifie_le', 'octets'])
    .execute();
}
