import type { Schema } from '#platform/server/db/migration.ts';

/** When a photo was chosen on the device that sent it: its capture time cannot be later. */
export async function up(db: Schema): Promise<void> {
  await db.schema.alterTable('photos').addColumn('choisie_le', 'text').execute();
}
