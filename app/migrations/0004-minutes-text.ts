import type { Engine } from '#platform/server/db/database.ts';
import { idColumnType, type Schema } from '#platform/server/db/migration.ts';

/** The text of minutes, page by page, and a job for each of those that are there already. */
export async function up(db: Schema, engine: Engine): Promise<void> {
  await db.schema
    .createTable('documents_pages')
    .addColumn('document_id', idColumnType(engine), (column) =>
      column.notNull().references('documents.id').onDelete('cascade'),
    )
    .addColumn('page', 'integer', (column) => column.notNull())
    .addColumn('texte', 'text', (column) => column.notNull())
    .addColumn('plie', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('documents_pages_cle', ['document_id', 'page'])
    .execute();
  const at = new Date().toISOString();
  for (const { id } of await db.selectFrom('documents').select('id').orderBy('id').execute()) {
    const job = {
      nom: 'read-minutes',
      charge: JSON.stringify({ id }),
      essais: 0,
      a_faire_le: at,
      created_at: at,
    };
    await db.insertInto('jobs').values(job).execute();
  }
}
