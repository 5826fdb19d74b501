import { sql } from 'kysely';
import type { ContentKind } from '../../../shared/content/kind.ts';
import type { Access } from '../../db/open.ts';
import { publishedAt } from '../../publication.ts';

export interface PublishedRow {
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
