import type { Schema } from '#platform/server/db/migration.ts';

/** What the headers of files that the site does not know by itself stood for, by kind of import. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .createTable('imports_titres')
    .addColumn('genre', 'text', (column) => column.notNull())
    .addColumn('titre', 'text', (column) => column.notNull())
    .addColumn('colonne', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('imports_titres_cle', ['genre', 'titre'])
    .execute();
}
