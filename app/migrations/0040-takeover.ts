import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** What was taken over from another site, so that nothing comes twice. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await createTable(db, engine, 'reprises')
    .addColumn('origine', 'text', (column) => column.notNull())
    .addColumn('genre', 'text', (column) => column.notNull())
    .addColumn('numero', 'text', (column) => column.notNull())
    .addColumn('objet', 'text', (column) => column.notNull())
    .addColumn('objet_id', idColumnType(engine), (column) => column.notNull())
    .addUniqueConstraint('reprises_une_fois', ['origine', 'genre', 'numero'])
    .execute();
}
