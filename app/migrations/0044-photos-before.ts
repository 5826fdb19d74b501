import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** Photos as they were before zones of them were blurred; and which session began an upload, which ends with it. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await createTable(db, engine, 'photos_avant')
    // Its file is condemned once its row is gone, whatever took the row along.
    .addColumn('photo_id', idColumn, (column) => column.notNull().references('photos.id').onDelete('cascade'))
    .addColumn('nom', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('retouche', 'text', (column) => column.notNull())
    .addColumn('floutee_le', 'text', (column) => column.notNull())
    .addColumn('floutee_par', 'text', (column) => column.notNull())
    .addColumn('effacement_le', 'text')
    .execute();
  await db.schema.createIndex('photos_avant_photo').on('photos_avant').column('photo_id').execute();
  await db.schema
    .alterTable('photos_envois')
    // 0: nobody knows of the uploads of before; whoever sends them begins anew.
    .addColumn('session_id', idColumn, (column) => column.notNull().defaultTo(0))
    .execute();
}
