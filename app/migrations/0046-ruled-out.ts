import type { Schema } from '#platform/server/db/migration.ts';

/** Who ruled a photo out, and when; those that are refused were. */
export async function up(db: Schema): Promise<void> {
  await db.schema.alterTable('photos').addColumn('ecartee_le', 'text').execute();
  await db.schema
    .alterTable('photos')
    .addColumn('ecartee_par', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db
    .updateTable('photos')
    .set(({ ref }) => ({ ecartee_le: ref('modifie_le') }))
    .where('statut', '=', 'refusee')
    .execute();
}
