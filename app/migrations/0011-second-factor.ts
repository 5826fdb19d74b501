import type { Engine } from '#platform/server/db/database.ts';
import { idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** The second factor of admins, and their recovery codes; both go with the account. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await db.schema
    .createTable('seconds_facteurs')
    .addColumn('admin_id', idColumn, (column) =>
      column.primaryKey().references('admins.id').onDelete('cascade'),
    )
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('actif_le', 'text')
    .addColumn('pas', idColumn, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('codes_secours')
    .addColumn('admin_id', idColumn, (column) =>
      column.notNull().references('seconds_facteurs.admin_id').onDelete('cascade'),
    )
    .addColumn('empreinte', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('codes_secours_pk', ['admin_id', 'empreinte'])
    .execute();
}
