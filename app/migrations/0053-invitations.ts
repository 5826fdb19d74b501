import type { Schema } from '#platform/server/db/migration.ts';

/** The link by which an invited admin chooses their password. */
export async function up(db: Schema): Promise<void> {
  for (const name of ['lien', 'jeton', 'invite_jusqua'])
    await db.schema.alterTable('admins').addColumn(name, 'text').execute();
  await db.schema.createIndex('admins_jeton').on('admins').column('jeton').unique().execute();
}
