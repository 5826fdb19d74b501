import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** What lists mean by a word, the lines that an import left aside, and what people removed, which no list brings back unseen. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await db.schema
    .createTable('imports_reponses')
    .addColumn('question', 'text', (column) => column.primaryKey())
    .addColumn('reponse', 'text', (column) => column.notNull())
    .execute();
  await createTable(db, engine, 'imports_laissees')
    .addColumn('import_id', idColumnType(engine), (column) =>
      column.notNull().references('imports.id').onDelete('cascade'),
    )
    .addColumn('ligne', 'integer', (column) => column.notNull())
    .addColumn('cellules', 'text', (column) => column.notNull())
    .addColumn('raisons', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('imports_laissees_import').on('imports_laissees').column('import_id').execute();
  await db.schema
    .createTable('retraits')
    .addColumn('empreinte', 'text', (column) => column.primaryKey())
    .addColumn('retire_le', 'text', (column) => column.notNull())
    .execute();
}
