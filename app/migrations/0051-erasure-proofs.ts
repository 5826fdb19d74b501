import type { Engine } from '#platform/server/db/database.ts';
import { createTable, type Schema } from '#platform/server/db/migration.ts';

/** Proofs of what was erased at somebody’s request. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await createTable(db, engine, 'preuves_effacement')
    .addColumn('empreinte', 'text', (column) => column.notNull())
    .addColumn('instant', 'text', (column) => column.notNull())
    .addColumn('contenu', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('preuves_effacement_empreinte')
    .on('preuves_effacement')
    .column('empreinte')
    .execute();
}
