import type { Schema } from '#platform/server/db/migration.ts';

/** Whether the password of an admin is still the one that the first start made up and printed. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .alterTable('admins')
    .addColumn('provisoire', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
