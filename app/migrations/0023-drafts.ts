import type { Schema } from '#platform/server/db/migration.ts';

const CONTENTS = ['actualites', 'alaune', 'avantage', 'events', 'logos', 'documents'];

/** Content that is still being written: 1 keeps it from visitors, whatever its dates of publication. */
export async function up(db: Schema): Promise<void> {
  for (const table of CONTENTS) {
    await db.schema
      .alterTable(table)
      .addColumn('brouillon', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
}
