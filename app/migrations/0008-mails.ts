import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** Mails that wait and that left, what was erased, and what work that comes back leaves behind. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await createTable(db, engine, 'envois')
    .addColumn('genre', 'text', (column) => column.notNull())
    .addColumn('type', 'text')
    .addColumn('cle', 'text', (column) => column.notNull().unique())
    .addColumn('contenu', 'text', (column) => column.notNull())
    .addColumn('acteur', 'text', (column) => column.notNull())
    .addColumn('admin_id', idColumn, (column) => column.references('admins.id').onDelete('set null'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await createTable(db, engine, 'envois_messages')
    .addColumn('envoi_id', idColumn, (column) => column.notNull().references('envois.id').onDelete('cascade'))
    .addColumn('stage_id', idColumn, (column) => column.references('stages.id').onDelete('cascade'))
    .addColumn('contact_id', idColumn, (column) =>
      column.references('messages_contact.id').onDelete('cascade'),
    )
    .addColumn('destinataire', 'text', (column) => column.notNull())
    .addColumn('cle_destinataire', 'text', (column) => column.notNull())
    .addColumn('voie', 'text', (column) => column.notNull())
    .addColumn('rang', 'integer', (column) => column.notNull())
    .addColumn('etat', 'text', (column) => column.notNull())
    .addColumn('essais', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('attend_depuis', 'text', (column) => column.notNull())
    .addColumn('a_envoyer_le', 'text', (column) => column.notNull())
    .addColumn('pris_jusqua', 'text')
    .addColumn('erreur', 'text')
    .addColumn('reponse', 'text')
    .addColumn('mdp_empreinte', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('termine_le', 'text')
    .execute();
  await db.schema
    .createIndex('envois_messages_file')
    .on('envois_messages')
    .columns(['etat', 'rang', 'a_envoyer_le', 'id'])
    .execute();
  // What failed of late.
  await db.schema
    .createIndex('envois_messages_fin')
    .on('envois_messages')
    .columns(['etat', 'termine_le'])
    .execute();
  for (const column of ['stage_id', 'contact_id', 'cle_destinataire', 'termine_le']) {
    await db.schema.createIndex(`envois_messages_${column}`).on('envois_messages').column(column).execute();
  }
  // All that the list of mailings counts.
  await db.schema
    .createIndex('envois_messages_envoi')
    .on('envois_messages')
    .columns(['envoi_id', 'stage_id', 'etat'])
    .execute();
  await db.schema.createIndex('envois_created_at').on('envois').column('created_at').execute();
  await db.schema
    .createTable('envois_voies')
    .addColumn('nom', 'text', (column) => column.primaryKey())
    .addColumn('libre_le', 'text', (column) => column.notNull())
    .addColumn('reculs', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('erreur', 'text')
    .addColumn('depuis', 'text')
    .execute();
  await db.schema
    .createTable('envois_heures')
    .addColumn('heure', 'text', (column) => column.primaryKey())
    .addColumn('nombre', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('effacements')
    .addColumn('cle', 'text', (column) => column.primaryKey())
    .addColumn('genre', 'text', (column) => column.notNull())
    .addColumn('instant', 'text', (column) => column.notNull())
    .execute();
  await db.schema.alterTable('stages').addColumn('efface_le', 'text').execute();
  await db.schema.alterTable('planifications').addColumn('reussie_le', 'text').execute();
}
