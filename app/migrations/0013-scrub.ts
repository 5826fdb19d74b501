import type { Schema } from '#platform/server/db/migration.ts';

/** When files were last read again, and which were found damaged. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .alterTable('fichiers')
    .addColumn('verifie_le', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('fichiers').addColumn('abime_le', 'text').execute();
  await db.schema
    .createIndex('fichiers_verifie_le')
    .on('fichiers')
    // With the size, so that all can be weighed without being read.
    .columns(['verifie_le', 'taille'])
    .execute();
  await db.schema.createIndex('fichiers_abime_le').on('fichiers').column('abime_le').execute();
}
