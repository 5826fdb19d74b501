import { sql } from 'kysely';
import { publishedAt } from '#features/content/server/store.ts';
import type { ContentKind } from '#features/content/shared/kind.ts';
import type { Access } from '#platform/server/db/open.ts';

interface PublishedRow {
  id: number;
  modifie_le: string;
}

/** What visitors can read of a kind, newest first, `limit` items at most. */
export async function listPublished(
  db: Access,
  kind: ContentKind,
  now: Date,
  limit: number,
): Promise<PublishedRow[]> {
  const { rows } = await sql<PublishedRow>`
    select id, modifie_le from ${sql.table(kind.table)} where ${publishedAt(now)}
    order by id desc limit ${limit}`.execute(db);
  return rows;
}
