import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** The people of the org chart. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await createTable(db, engine, 'employes')
    .addColumn('nom', 'text', (column) => column.notNull())
    .addColumn('prenom', 'text', (column) => column.notNull())
    .addColumn('poste', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('manager_id', idColumnType(engine), (column) => column.references('employes.id'))
    .addColumn('equipe', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_public', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('telephone', 'text', (column) => column.notNull())
    .addColumn('telephone_public', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('photo', 'text')
    .addColumn('photo_public', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('illustrations', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('cadrage_x', 'integer', (column) => column.notNull().defaultTo(50))
    .addColumn('cadrage_y', 'integer', (column) => column.notNull().defaultTo(50))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('modifie_le', 'text', (column) => column.notNull())
    .addColumn('supprime_le', 'text')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema.createIndex('employes_manager').on('employes').column('manager_id').execute();
}
