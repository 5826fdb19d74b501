import type { Schema } from '#platform/server/db/migration.ts';

/** What orders the photos that a camera took in one second without telling them apart; blank: nothing. */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .alterTable('photos')
    .addColumn('suite', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
