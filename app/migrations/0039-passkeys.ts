import { sql } from 'kysely';
import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/**
 * Passkeys of admins, and by when an account needs a second factor. Recovery codes are the account's from now on, as an
 * account that has passkeys alone has them too.
 */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await db.schema.alterTable('admins').addColumn('facteur_avant', 'text').execute();
  await createTable(db, engine, 'cles_acces')
    .addColumn('admin_id', idColumn, (column) => column.notNull().references('admins.id').onDelete('cascade'))
    .addColumn('identifiant', 'text', (column) => column.notNull().unique())
    .addColumn('cle_publique', 'text', (column) => column.notNull())
    .addColumn('compteur', idColumn, (column) => column.notNull())
    .addColumn('nom', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('vu_le', 'text')
    .addColumn('defi_le', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('cles_acces_admin').on('cles_acces').column('admin_id').execute();
  await sql`create table codes_secours_avant as select admin_id, empreinte from codes_secours`.execute(db);
  await db.schema.dropTable('codes_secours').execute();
  await db.schema
    .createTable('codes_secours')
    .addColumn('admin_id', idColumn, (column) => column.notNull().references('admins.id').onDelete('cascade'))
    .addColumn('empreinte', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('codes_secours_pk', ['admin_id', 'empreinte'])
    .execute();
  await sql`
    insert into codes_secours (admin_id, empreinte)
    select admin_id, empreinte from codes_secours_avant`.execute(db);
  await db.schema.dropTable('codes_secours_avant').execute();
}
