import type { Schema } from '#platform/server/db/migration.ts';

/** When the admin of a session last proved who they are: none of those who are signed in has yet. */
export async function up(db: Schema): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('prouve_le', 'text').execute();
}
