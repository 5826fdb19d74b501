import type { Schema } from '#platform/server/db/migration.ts';

/** Up to when each address has been told of new photos, and what staff allow the families of a stay. */
export async function up(db: Schema): Promise<void> {
  for (const name of ['soir_le', 'soir_depuis', 'soir_arret'])
    await db.schema.alterTable('destinataires').addColumn(name, 'text').execute();
  await db.schema.createIndex('destinataires_adresse').on('destinataires').column('adresse').execute();
  for (const name of ['soir', 'mdp_commun'])
    await db.schema
      .alterTable('stages')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
}
