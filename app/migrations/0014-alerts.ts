import type { Schema } from '#platform/server/db/migration.ts';

/** Troubles that are told by mail, and what there is suddenly much of. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .createTable('alertes')
    .addColumn('cle', 'text', (column) => column.primaryKey())
    .addColumn('vue_le', 'text', (column) => column.notNull())
    .addColumn('dite_le', 'text')
    .execute();
  await db.schema
    .createTable('rafales')
    .addColumn('genre', 'text', (column) => column.notNull())
    .addColumn('cle', 'text', (column) => column.notNull())
    .addColumn('heure', 'text', (column) => column.notNull())
    .addColumn('nombre', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('rafales_cle', ['heure', 'genre', 'cle'])
    .execute();
}
