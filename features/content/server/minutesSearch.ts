import { rm } from 'node:fs/promises';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import type { ListItem } from '#features/content/shared/kind.ts';
import { minutes } from '#features/content/shared/kinds.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { JobPayloads } from '#platform/server/jobs/jobs.ts';
import type { PageText } from '#platform/server/pdf/pdf.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import { FileRefused } from '#platform/server/workers.ts';
import { placesOf, wordsOf } from '#platform/shared/fold.ts';
import { type ListOptions, listItems } from './store.ts';

/* The text of minutes: extracted from their PDF by a job, and searched. */

/**
 * Job after minutes are saved: stores the text of their PDF. Run twice, it stores the same pages again; for minutes
 * erased meanwhile, it stores nothing. Minutes whose PDF cannot be read are found by their title only.
 */
export async function readMinutes(services: Services, { id }: JobPayloads['read-minutes']): Promise<void> {
  const { database } = services;
  const file = await database.db
    .selectFrom('fichiers')
    .select(['nom', 'dossier'])
    .where('objet', '=', 'documents')
    .where('objet_id', '=', id)
    .executeTakeFirst();
  if (!file) return;
  const pages = await pagesOf(services, keyOf(file.dossier, file.nom));
  await database.write(async (transaction) => {
    const row = await transaction
      .selectFrom('documents')
      .select('id')
      .where('id', '=', id)
      .modifyEnd(database.rowLock)
      .executeTakeFirst();
    if (!row) return;
    await transaction.deleteFrom('documents_pages').where('document_id', '=', id).execute();
    for (const [index, page] of pages.entries()) {
      const values = { document_id: id, page: index + 1, ...page };
      await transaction.insertInto('documents_pages').values(values).execute();
    }
  });
}

/** The pages of a PDF; none when it cannot be read or was erased meanwhile. */
async function pagesOf(
  { storage, staging, pdfs, log }: Pick<Services, 'storage' | 'staging' | 'pdfs' | 'log'>,
  key: string,
): Promise<PageText[]> {
  const path = staging.newPath();
  try {
    await storage.fetch(key, path);
    return await pdfs.read(path);
  } catch (error) {
    if (error instanceof FileMissing) return [];
    if (!(error instanceof FileRefused)) throw error;
    log.warn({ file: key, cause: inspect(error.cause, { depth: 0 }) }, 'the text of minutes cannot be read');
    return [];
  } finally {
    await rm(path, { force: true });
  }
}

/** Maximum number of pages shown for one item. */
const PASSAGES_MAX = 3;

type Found = ListItem<typeof minutes>;

/** The list, limited to minutes that have each of `words` (folded) in their title or their PDF. */
export async function searchMinutes(
  database: Database,
  words: readonly string[],
  options: ListOptions,
): Promise<Found[]> {
  const { skip, limit, ...rest } = options;
  const list = JSON.parse((await listItems(database, minutes, { ...rest, skip: 0 })).toString()) as Found[];
  const pages = Map.groupBy(await listPages(database.db, words), (page) => page.document_id);
  const found = list.flatMap((item) => {
    const own = pages.get(item.id) ?? [];
    const title = wordsOf(item.nom).join(' ');
    const isFound = (word: string, index: number) =>
      title.includes(word) || own.some(({ mots }) => mots[index] === '1');
    if (!words.every(isFound)) return [];
    const passages = own.flatMap(({ page, texte }) =>
      texte === null ? [] : [{ page, extrait: excerptOf(texte, words) }],
    );
    return [{ ...item, passages }];
  });
  return found.slice(skip, limit === undefined ? undefined : skip + limit);
}

interface FoundPage {
  document_id: number;
  page: number;
  /** One digit for each word: `1` when it is on the page, else `0`. */
  mots: string;
  /** Text of the page for the first `PASSAGES_MAX` pages of a PDF, else null. */
  texte: string | null;
}

/** Every page that has at least one of the words, those with the most words first, then by page number. */
async function listPages(db: Access, words: readonly string[]): Promise<FoundPage[]> {
  // Words are letters and digits only, so none has a special meaning in LIKE.
  const has = (word: string) => sql<boolean>`plie like ${`%${word}%`}`;
  const marks = words.map((word) => sql`case when ${has(word)} then '1' else '0' end`);
  const rank = sql`length(replace(mots, '0', '')) desc, page`;
  const pages = await sql<FoundPage>`
    with trouvees as (
      select document_id, page, texte, ${sql.join(marks, sql` || `)} as mots
      from documents_pages where ${sql.join(words.map(has), sql` or `)}
    )
    select document_id, page, mots,
      case when row_number() over (partition by document_id order by ${rank}) <= ${sql.lit(PASSAGES_MAX)}
        then texte end as texte
    from trouvees order by ${rank}`.execute(db);
  return pages.rows;
}

/** Length in characters of an excerpt before the first word found, and from its start on. */
const BEFORE = 60;
const AFTER = 100;

/** The text around the first of the words found, cut at whole words. */
function excerptOf(texte: string, words: readonly string[]): string {
  const start = placesOf(texte, words).next().value?.start ?? 0;
  const before = texte.slice(Math.max(0, start - BEFORE), start);
  const after = texte.slice(start, start + AFTER);
  const head = start > BEFORE ? `…${before.replace(/^\S* /, '')}` : before;
  return head + (start + AFTER < texte.length ? `${after.replace(/[\s.,;:]*\s\S*$/, '')}…` : after);
}

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    /** Reads the text of minutes, for the search. */
    'read-minutes': { id: number };
  }
}
