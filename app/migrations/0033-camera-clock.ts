import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** The camera of each photo, and what people answered about the clocks of cameras. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await db.schema
    .alterTable('photos')
    .addColumn('appareil', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  // Not a reference: the answers of a stay are erased after its photos.
  await db.schema.alterTable('photos').addColumn('horloge_id', idColumn).execute();
  await createTable(db, engine, 'photos_horloges')
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('appareil', 'text', (column) => column.notNull())
    .addColumn('decalage', idColumn, (column) => column.notNull())
    .addColumn('toutes', 'integer', (column) => column.notNull())
    .addColumn('decide_le', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('photos_horloges_stage').on('photos_horloges').column('stage_id').execute();
}
