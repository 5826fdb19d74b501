import type { Engine } from '#platform/server/db/database.ts';
import { createTable, type Schema } from '#platform/server/db/migration.ts';

/** What visitors write with the contact form. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await createTable(db, engine, 'messages_contact')
    .addColumn('nom', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('lu_le', 'text')
    .execute();
}
