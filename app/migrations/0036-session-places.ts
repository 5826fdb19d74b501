import type { Engine } from '#platform/server/db/database.ts';
import { idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** Where each session was opened and when it was last used; the devices of each admin, and the address to tell them at. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const texts = [
    ['sessions', 'appareil'],
    ['sessions', 'reseau'],
    ['admins', 'email'],
  ] as const;
  for (const [table, name] of texts) {
    await db.schema
      .alterTable(table)
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  }
  await db.schema.alterTable('sessions').addColumn('vu_le', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('inactivite_minutes', 'integer').execute();
  await db.schema
    .createTable('appareils')
    .addColumn('admin_id', idColumnType(engine), (column) =>
      column.notNull().references('admins.id').onDelete('cascade'),
    )
    .addColumn('empreinte', 'text', (column) => column.notNull())
    .addColumn('vu_le', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('appareils_pk', ['admin_id', 'empreinte'])
    .execute();
}
