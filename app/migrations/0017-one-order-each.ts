import type { Schema } from '#platform/server/db/migration.ts';

/** Lists had an index of their order since the first migration: those of 0015 cost every write, and are never used. */
export async function up(db: Schema): Promise<void> {
  for (const table of ['actualites', 'alaune', 'avantage', 'logos', 'documents'])
    await db.schema.dropIndex(`${table}_ordre`).execute();
}
