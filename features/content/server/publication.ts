import { type RawBuilder, sql } from 'kysely';

/** When a content row is public: said once for queries, once for rows read already. */

export interface Published {
  publie_du: string | null;
  publie_au: string | null;
  supprime_le: string | null;
}

/** Since when a row of a content table is, or would be, public: as SQL, which its indexes spell the same way. */
export const PUBLISHED_SINCE = 'coalesce(publie_du, created_at)';

/** The condition of a query on any content table. */
export function publishedAt(now: Date): RawBuilder<boolean> {
  const at = now.toISOString();
  return sql<boolean>`supprime_le is null and (publie_du is null or publie_du <= ${at}) and (publie_au is null or publie_au > ${at})`;
}

export function isPublished(row: Published, now: Date): boolean {
  const at = now.toISOString();
  if (row.supprime_le !== null) return false;
  return (row.publie_du === null || row.publie_du <= at) && (row.publie_au === null || row.publie_au > at);
}
