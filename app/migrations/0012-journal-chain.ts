import type { Engine } from '#platform/server/db/database.ts';
import { idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** The chain of the journal; the lines that are there are chained when the site is opened, with its key. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('journal')
    .addColumn('chaine', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .createTable('journal_tete')
    .addColumn('id', idColumnType(engine), (column) => column.primaryKey())
    .addColumn('cle', 'text', (column) => column.notNull())
    .addColumn('ancre', 'text', (column) => column.notNull())
    .addColumn('suite', 'text', (column) => column.notNull())
    .execute();
}
