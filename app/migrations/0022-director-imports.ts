import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** What an import of directors keeps for its undo: whom it made or changed, and what these were and directed before. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await createTable(db, engine, 'imports_directeurs')
    .addColumn('import_id', idColumn, (column) =>
      column.notNull().references('imports.id').onDelete('cascade'),
    )
    .addColumn('formateur_id', idColumn, (column) =>
      column.notNull().references('formateurs.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('stage_id', idColumn, (column) => column.references('stages.id').onDelete('cascade'))
    .addColumn('avant_cat', 'text')
    .addColumn('avant_nom', 'text')
    .addColumn('avant_prenom', 'text')
    .addColumn('avant_telephone', 'text')
    .execute();
  // What they refer to takes them along when it is deleted: without an index, by looking at every line.
  for (const column of ['import_id', 'formateur_id', 'stage_id'])
    await db.schema
      .createIndex(`imports_directeurs_${column}`)
      .on('imports_directeurs')
      .column(column)
      .execute();
}
