import type { Schema } from '#platform/server/db/migration.ts';

/** A link of its own for each address that gets the codes of a stay, and which sign-ins it opened. */
export async function up(db: Schema): Promise<void> {
  for (const name of ['lien', 'jeton', 'ouvert_le', 'coupe_le'])
    await db.schema.alterTable('destinataires').addColumn(name, 'text').execute();
  await db.schema.createIndex('destinataires_jeton').on('destinataires').column('jeton').unique().execute();
  await db.schema.alterTable('sessions').addColumn('lien', 'text').execute();
}
