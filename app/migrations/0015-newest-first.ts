import { sql } from 'kysely';
import type { Schema } from '#platform/server/db/migration.ts';

const BY_PUBLICATION = ['actualites', 'alaune', 'avantage', 'logos'];

/** Lists in the order in which they are read: a page of them costs what it shows, and sorts nothing. */
export async function up(db: Schema): Promise<void> {
  for (const table of BY_PUBLICATION) {
    await sql`create index ${sql.ref(`${table}_ordre`)} on ${sql.table(table)}
      (coalesce(publie_du, created_at) desc, id desc) where supprime_le is null`.execute(db);
  }
  await sql`create index documents_ordre on documents (date_ajout desc, id desc) where supprime_le is null`.execute(
    db,
  );
}
