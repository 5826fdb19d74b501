import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** The photos of stays, what is asked and said of them, and who has opened them. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await createTable(db, engine, 'photos')
    // Nothing takes photos along by itself: whoever deletes a stay has to erase their files.
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id'))
    .addColumn('empreinte', 'text', (column) => column.notNull())
    .addColumn('statut', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('motif', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('refus', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('nom_envoye', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('nom', 'text')
    .addColumn('a_jpeg', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('jour', 'text', (column) => column.notNull())
    .addColumn('prise_le', 'text', (column) => column.notNull())
    .addColumn('legende', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('largeur', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('hauteur', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('apercu', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('octets', idColumn, (column) => column.notNull().defaultTo(0))
    .addColumn('publiee_le', 'text')
    .addColumn('numero', idColumn, (column) => column.notNull())
    .addColumn('cachee', idColumn, (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .addUniqueConstraint('photos_empreinte', ['stage_id', 'empreinte'])
    .execute();
  await db.schema
    .createIndex('photos_ordre')
    .on('photos')
    .columns(['stage_id', 'jour', 'prise_le', 'id'])
    .execute();
  await db.schema
    .createIndex('photos_statut')
    .on('photos')
    // In the order of a family's page, which is not sorted out of all photos; the last three let them be counted and
    // weighed without being read.
    .columns(['stage_id', 'statut', 'jour', 'prise_le', 'id', 'publiee_le', 'modifie_le', 'octets'])
    .execute();
  await db.schema.createIndex('photos_numero').on('photos').columns(['stage_id', 'numero']).execute();
  await db.schema
    .createTable('photos_flux')
    .addColumn('stage_id', idColumn, (column) =>
      column.primaryKey().references('stages.id').onDelete('cascade'),
    )
    .addColumn('numero', idColumn, (column) => column.notNull())
    .addColumn('vu', idColumn, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('photos_effacees')
    .addColumn('photo_id', idColumn, (column) => column.primaryKey())
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('numero', idColumn, (column) => column.notNull())
    .addColumn('cachee', idColumn, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('photos_effacees_numero')
    .on('photos_effacees')
    .columns(['stage_id', 'numero'])
    .execute();
  await createTable(db, engine, 'photos_retraits')
    .addColumn('photo_id', idColumn, (column) => column.notNull().references('photos.id').onDelete('cascade'))
    .addColumn('session_id', idColumn, (column) => column.notNull())
    .addColumn('mot', 'text', (column) => column.notNull())
    .addColumn('a_masque', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('traite_le', 'text')
    .execute();
  await db.schema.createIndex('photos_retraits_photo').on('photos_retraits').column('photo_id').execute();
  await db.schema
    .createIndex('photos_retraits_session')
    .on('photos_retraits')
    .columns(['session_id', 'created_at'])
    .execute();
  await db.schema
    .createTable('photos_selections')
    .addColumn('cle', 'text', (column) => column.primaryKey())
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('session_id', idColumn, (column) => column.notNull())
    .addColumn('ids', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('photos_selections_created_at')
    .on('photos_selections')
    .column('created_at')
    .execute();
  await db.schema
    .createIndex('photos_selections_session')
    .on('photos_selections')
    .columns(['session_id', 'created_at'])
    .execute();
  await db.schema
    .createTable('photos_ouvertures')
    .addColumn('photo_id', idColumn, (column) => column.notNull().references('photos.id').onDelete('cascade'))
    .addColumn('session_id', idColumn, (column) => column.notNull())
    .addColumn('ip', 'text', (column) => column.notNull())
    .addColumn('ouverte_le', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('photos_ouvertures_pk', ['photo_id', 'session_id'])
    .execute();
  await db.schema
    .createTable('jours')
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('jour', 'text', (column) => column.notNull())
    .addColumn('mot', 'text', (column) => column.notNull())
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('jours_pk', ['stage_id', 'jour'])
    .execute();
  await createTable(db, engine, 'attestations')
    // The proof outlives its stay: not a reference.
    .addColumn('stage_id', idColumn, (column) => column.notNull())
    .addColumn('nom_stage', 'text', (column) => column.notNull())
    .addColumn('date_debut', 'text', (column) => column.notNull())
    .addColumn('date_fin', 'text', (column) => column.notNull())
    .addColumn('formulaire', 'text', (column) => column.notNull())
    .addColumn('atteste_le', 'text', (column) => column.notNull())
    .addColumn('acteur', 'text', (column) => column.notNull())
    .addColumn('oui', 'integer')
    .addColumn('non', 'integer')
    .addColumn('inconnu', 'integer')
    .addColumn('photos', 'integer')
    .addColumn('efface_le', 'text')
    .execute();
  await db.schema.createIndex('attestations_stage').on('attestations').column('stage_id').execute();
  await db.schema
    .createTable('horloge')
    .addColumn('id', idColumn, (column) => column.primaryKey())
    .addColumn('vue_le', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .alterTable('jobs')
    .addColumn('rang', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.dropIndex('jobs_a_faire').execute();
  await db.schema.createIndex('jobs_rang').on('jobs').columns(['rang', 'a_faire_le', 'id']).execute();
  await db.schema.createIndex('sessions_stage').on('sessions').column('stage_id').execute();
  await db.schema.alterTable('fichiers').addColumn('crc32', idColumn).execute();
  await db.schema.alterTable('stages').addColumn('fini_le', 'text').execute();
  await db.schema.alterTable('stages').addColumn('prevenu_pour', 'text').execute();
}
