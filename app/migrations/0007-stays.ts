import { sql } from 'kysely';
import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** Stays with their directors, families, booklets and reviews, and the imports that bring them. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await createTable(db, engine, 'stages')
    .addColumn('nom_stage', 'text', (column) => column.notNull())
    .addColumn('cle', 'text', (column) => column.notNull().unique())
    .addColumn('date_debut', 'text', (column) => column.notNull())
    .addColumn('date_fin', 'text', (column) => column.notNull())
    .addColumn('mdp_formateur', 'text', (column) => column.notNull())
    .addColumn('mdp_stagiaire', 'text', (column) => column.notNull())
    .addColumn('adresse', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('horaires', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('telephone_urgence', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('consignes', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('conservation_jours', 'integer')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await createTable(db, engine, 'formateurs')
    .addColumn('nom', 'text', (column) => column.notNull())
    .addColumn('prenom', 'text', (column) => column.notNull())
    .addColumn('mail', 'text', (column) => column.notNull())
    .addColumn('cle_mail', 'text', (column) => column.notNull().unique())
    .addColumn('telephone', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createTable('affectations')
    .addColumn('formateur_id', idColumn, (column) =>
      column.notNull().references('formateurs.id').onDelete('cascade'),
    )
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('cat', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('affectations_pk', ['formateur_id', 'stage_id'])
    .execute();
  await db.schema.createIndex('affectations_stage').on('affectations').column('stage_id').execute();
  await createTable(db, engine, 'stagiaires')
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('nom', 'text', (column) => column.notNull())
    .addColumn('prenom', 'text', (column) => column.notNull())
    .addColumn('cle', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_2', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('consentement_image', 'text', (column) => column.notNull().defaultTo('inconnu'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addUniqueConstraint('stagiaires_enfant', ['stage_id', 'cle'])
    .execute();
  await createTable(db, engine, 'livrets')
    .addColumn('nom', 'text', (column) => column.notNull())
    .addColumn('cle', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('bilans')
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('note', 'integer')
    .addColumn('commentaire', 'text', (column) => column.notNull())
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('bilans_pk', ['stage_id', 'code'])
    .execute();
  await db.schema
    .createTable('evaluations')
    .addColumn('cle', 'text', (column) => column.primaryKey())
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('notes', 'text', (column) => column.notNull())
    .addColumn('recommande', 'integer')
    .addColumn('texte', 'text', (column) => column.notNull())
    .addColumn('jour', 'text', (column) => column.notNull())
    // SQLite would number the rows as they come, key or not.
    .$call((table) => (engine === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
    .execute();
  await db.schema.createIndex('evaluations_stage').on('evaluations').column('stage_id').execute();
  // Says only that this sign-in has answered, never what.
  await db.schema
    .alterTable('sessions')
    .addColumn('evaluation_faite', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await createTable(db, engine, 'imports')
    .addColumn('genre', 'text', (column) => column.notNull())
    .addColumn('suivi', 'text')
    .addColumn('etape', 'text', (column) => column.notNull())
    .addColumn('avance', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('crees', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('modifies', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('acteur', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('vu_le', 'text', (column) => column.notNull())
    .execute();
  // One import of a kind at a time.
  await db.schema
    .createIndex('imports_en_cours')
    .on('imports')
    .column('genre')
    .unique()
    .where(sql.ref('etape'), 'in', ['lecture', 'enregistrement'])
    .execute();
  await createTable(db, engine, 'imports_familles')
    .addColumn('import_id', idColumn, (column) =>
      column.notNull().references('imports.id').onDelete('cascade'),
    )
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('stagiaire_id', idColumn, (column) => column.references('stagiaires.id').onDelete('cascade'))
    .addColumn('nom', 'text', (column) => column.notNull())
    .addColumn('prenom', 'text', (column) => column.notNull())
    .addColumn('cle', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_2', 'text')
    .addColumn('consentement_image', 'text')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('avant_nom', 'text')
    .addColumn('avant_prenom', 'text')
    .addColumn('avant_email', 'text')
    .addColumn('avant_email_2', 'text')
    .addColumn('avant_consentement_image', 'text')
    .execute();
  await createTable(db, engine, 'imports_sejours')
    .addColumn('import_id', idColumn, (column) =>
      column.notNull().references('imports.id').onDelete('cascade'),
    )
    .addColumn('stage_id', idColumn, (column) => column.notNull().references('stages.id').onDelete('cascade'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('avant_nom_stage', 'text')
    .addColumn('avant_mdp_formateur', 'text')
    .addColumn('avant_mdp_stagiaire', 'text')
    .execute();
  // What they refer to takes them along when it is deleted: without an index, by looking at every line.
  for (const [table, column] of [
    ['imports_familles', 'import_id'],
    ['imports_familles', 'stage_id'],
    ['imports_familles', 'stagiaire_id'],
    ['imports_sejours', 'import_id'],
    ['imports_sejours', 'stage_id'],
  ] as const) {
    await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
  }
}
