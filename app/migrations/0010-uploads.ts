import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** Uploads of photos under way, which any process goes on with. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await createTable(db, engine, 'photos_envois')
    .addColumn('nom', 'text', (column) => column.notNull().unique())
    // Nothing takes uploads along by itself: whoever deletes a stay has to erase their files.
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id'))
    .addColumn('empreinte', 'text', (column) => column.notNull())
    .addColumn('annonce', 'text', (column) => column.notNull())
    .addColumn('taille', idColumn, (column) => column.notNull())
    .addColumn('recu', idColumn, (column) => column.notNull().defaultTo(0))
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('photos_envois_stage')
    .on('photos_envois')
    .columns(['stage_id', 'empreinte'])
    .execute();
}
