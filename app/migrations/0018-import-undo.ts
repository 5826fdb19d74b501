import { sql } from 'kysely';
import type { Engine } from '#platform/server/db/database.ts';
import { createTable, idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** What an import of families keeps for its undo: which children it made or changed, and what these were before. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  const idColumn = idColumnType(engine);
  await db.schema.alterTable('imports_familles').renameTo('imports_familles_lignes').execute();
  await createTable(db, engine, 'imports_familles')
    .addColumn('import_id', idColumn, (column) =>
      column.notNull().references('imports.id').onDelete('cascade'),
    )
    .addColumn('stagiaire_id', idColumn, (column) =>
      column.notNull().references('stagiaires.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('avant_nom', 'text')
    .addColumn('avant_prenom', 'text')
    .addColumn('avant_email', 'text')
    .addColumn('avant_email_2', 'text')
    .addColumn('avant_consentement_image', 'text')
    .execute();
  const kept = sql`import_id, stagiaire_id, version, avant_nom, avant_prenom, avant_email, avant_email_2,
    avant_consentement_image`;
  await sql`
    insert into imports_familles (${kept})
    select ${kept} from imports_familles_lignes where stagiaire_id is not null order by id`.execute(db);
  await db.schema.dropTable('imports_familles_lignes').execute();
  // What they refer to takes them along when it is deleted: without an index, by looking at every line.
  for (const column of ['import_id', 'stagiaire_id'])
    await db.schema.createIndex(`imports_familles_${column}`).on('imports_familles').column(column).execute();
}
