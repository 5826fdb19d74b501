import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** Which items of the example content are to come or in place. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await createTable(db, engine, 'exemples')
    .addColumn('cle', 'text', (column) => column.notNull().unique())
    .addColumn('objet', 'text', (column) => column.notNull())
    .addColumn('objet_id', idColumnType(engine))
    .execute();
}
