import { sql } from 'kysely';
import type { Access } from '#platform/server/db/open.ts';
import type { PageText } from '#platform/server/pdf/pdf.ts';

/* The text of minutes, page by page. */

/** Replaces the pages of minutes. */
export async function writePages(transaction: Access, id: number, pages: readonly PageText[]): Promise<void> {
  await transaction.deleteFrom('documents_pages').where('document_id', '=', id).execute();
  for (const [index, page] of pages.entries()) {
    const values = { document_id: id, page: index + 1, ...page };
    await transaction.insertInto('documents_pages').values(values).execute();
  }
}

/** Maximum number of pages shown for one item. */
const PASSAGES_MAX = 3;

interface FoundPage {
  document_id: number;
  page: number;
  /** One digit for each word: `1` when it is on the page, else `0`. */
  mots: string;
  /** Text of the page for the first `PASSAGES_MAX` pages of a PDF, else null. */
  texte: string | null;
}

/** Every page that has at least one of the words, those with the most words first, then by page number. */
export async function listPagesWith(db: Access, words: readonly string[]): Promise<FoundPage[]> {
  // Words are letters and digits only, so none has a special meaning in LIKE.
  const has = (word: string) => sql<boolean>`plie like ${`%${word}%`}`;
  const digits = words.map((word) => sql`case when ${has(word)} then '1' else '0' end`);
  const rank = sql`length(replace(mots, '0', '')) desc, page`;
  const pages = await sql<FoundPage>`
    with trouvees as (
      select document_id, page, texte, ${sql.join(digits, sql` || `)} as mots
      from documents_pages where ${sql.join(words.map(has), sql` or `)}
    )
    select document_id, page, mots,
      case when row_number() over (partition by document_id order by ${rank}) <= ${sql.lit(PASSAGES_MAX)}
        then texte end as texte
    from trouvees order by ${rank}`.execute(db);
  return pages.rows;
}
