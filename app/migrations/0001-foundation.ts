import { type CreateTableBuilder, sql } from 'kysely';
import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** Sign-in, settings, journal, files, jobs, and the six content kinds. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await people(db, engine);
  await plumbing(db, engine);
  await content(db, engine);
}

async function people(db: Schema, engine: Engine): Promise<void> {
  await createTable(db, engine, 'admins')
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('cle', 'text', (column) => column.notNull().unique())
    .addColumn('mot_de_passe', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('vu_le', 'text')
    .execute();

  await createTable(db, engine, 'sessions')
    .addColumn('empreinte', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('admin_id', idColumnType(engine), (column) =>
      column.references('admins.id').onDelete('cascade'),
    )
    .addColumn('stage_id', idColumnType(engine))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expire_le', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_admin').on('sessions').column('admin_id').execute();
  await db.schema.createIndex('sessions_expire').on('sessions').column('expire_le').execute();

  await db.schema
    .createTable('tentatives')
    .addColumn('cle', 'text', (column) => column.primaryKey())
    .addColumn('echecs', 'integer', (column) => column.notNull())
    .addColumn('attendre_jusqua', 'text', (column) => column.notNull())
    .addColumn('dernier_le', 'text', (column) => column.notNull())
    .execute();

  await createTable(db, engine, 'journal')
    .addColumn('instant', 'text', (column) => column.notNull())
    .addColumn('acteur', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('objet', 'text')
    .addColumn('objet_id', idColumnType(engine))
    .addColumn('ip', 'text')
    .execute();

  await db.schema
    .createTable('reglages')
    .addColumn('cle', 'text', (column) => column.primaryKey())
    .addColumn('valeur', 'text', (column) => column.notNull())
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .execute();
}

async function plumbing(db: Schema, engine: Engine): Promise<void> {
  await db.schema
    .createTable('fichiers')
    .addColumn('nom', 'text', (column) => column.primaryKey())
    .addColumn('dossier', 'text', (column) => column.notNull())
    .addColumn('objet', 'text', (column) => column.notNull())
    .addColumn('objet_id', idColumnType(engine), (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('taille', 'integer', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('largeurs', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('fichiers_objet').on('fichiers').columns(['objet', 'objet_id']).execute();

  await createTable(db, engine, 'jobs')
    .addColumn('nom', 'text', (column) => column.notNull())
    .addColumn('charge', 'text', (column) => column.notNull())
    .addColumn('essais', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('a_faire_le', 'text', (column) => column.notNull())
    .addColumn('pris_jusqua', 'text')
    .addColumn('erreur', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('jobs_a_faire').on('jobs').columns(['a_faire_le', 'id']).execute();

  await db.schema
    .createTable('planifications')
    .addColumn('nom', 'text', (column) => column.primaryKey())
    .addColumn('prochaine_le', 'text', (column) => column.notNull())
    .addColumn('derniere_le', 'text')
    .execute();
}

type Builder = CreateTableBuilder<string, string>;

function envelope(table: Builder): Builder {
  return table
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .addColumn('publie_du', 'text')
    .addColumn('publie_au', 'text')
    .addColumn('supprime_le', 'text')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1));
}

function texts(table: Builder, names: readonly string[]): Builder {
  return names.reduce((built, name) => built.addColumn(name, 'text', (column) => column.notNull()), table);
}

async function content(db: Schema, engine: Engine): Promise<void> {
  const start = (name: string, columns: readonly string[]) =>
    envelope(texts(createTable(db, engine, name), columns));
  const illustrated = (table: Builder) =>
    table.addColumn('illustrations', 'text', (column) => column.notNull().defaultTo('[]'));

  await illustrated(start('actualites', ['titre', 'description']).addColumn('image_url', 'text')).execute();
  const article = ['titre', 'resume', 'description', 'lien_article'];
  await illustrated(start('alaune', article).addColumn('image_url', 'text')).execute();
  await illustrated(start('avantage', article).addColumn('image_url', 'text')).execute();
  await illustrated(
    start('events', ['title', 'date', 'location', 'summary', 'article'])
      .addColumn('image_url', 'text')
      .addColumn('images', 'text', (column) => column.notNull().defaultTo('')),
  ).execute();
  await illustrated(start('logos', ['nom', 'url_site']).addColumn('image', 'text')).execute();
  await start('documents', ['nom', 'date_ajout', 'url']).execute();

  // The order of the public lists, so that the first ones of many cost no sort.
  for (const table of ['actualites', 'alaune', 'avantage', 'events', 'logos']) {
    await sql`create index ${sql.ref(`${table}_recents`)}
      on ${sql.table(table)} ((coalesce(publie_du, created_at)) desc, id desc)`.execute(db);
  }
  await sql`create index documents_recents on documents (date_ajout desc, id desc)`.execute(db);
}
