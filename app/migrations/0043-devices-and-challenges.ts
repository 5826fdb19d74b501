import type { Schema } from '#platform/server/db/migration.ts';

/** What each device that an account knows is and where it was last used, and the challenges of passkeys that were used. */
export async function up(db: Schema): Promise<void> {
  for (const name of ['appareil', 'reseau']) {
    await db.schema
      .alterTable('appareils')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  }
  await db.schema
    .createTable('defis')
    .addColumn('empreinte', 'text', (column) => column.primaryKey())
    .addColumn('expire_le', 'text', (column) => column.notNull())
    .execute();
}
