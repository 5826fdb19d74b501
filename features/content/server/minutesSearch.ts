import { rm } from 'node:fs/promises';
import { inspect } from 'node:util';
import { type ListItem, minutes } from '#features/content/shared/kinds.ts';
import type { Database } from '#platform/server/db/open.ts';
import { listFiles } from '#platform/server/files/register.ts';
import type { JobPayloads } from '#platform/server/jobs/jobs.ts';
import type { PageText } from '#platform/server/pdf/pdf.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import { FileRefused } from '#platform/server/workers.ts';
import { placesOf, wordsOf } from '#platform/shared/fold.ts';
import { findRowToChange, type ListOptions, listItems, listPagesWith, writePages } from './store.ts';

/* The text of minutes: extracted from their PDF by a job, and searched. */

/**
 * Job after minutes are saved: stores the text of their PDF. Run twice, it stores the same pages again; for minutes
 * erased meanwhile, it stores nothing. Minutes whose PDF cannot be read are found by their title only.
 */
export async function readMinutes(services: Services, { id }: JobPayloads['read-minutes']): Promise<void> {
  const { database } = services;
  const [file] = await listFiles(database.db, { table: minutes.table, id });
  if (!file) return;
  const pages = await pagesOf(services, keyOf(file.dossier, file.nom));
  await database.write(async (transaction) => {
    if (await findRowToChange(database, transaction, minutes, id)) await writePages(transaction, id, pages);
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

type Found = ListItem<typeof minutes>;

/** The list, limited to minutes that have each of `words` (folded) in their title or their PDF. */
export async function searchMinutes(
  database: Database,
  words: readonly string[],
  options: ListOptions,
): Promise<Found[]> {
  const { skip, limit, ...rest } = options;
  const list = JSON.parse((await listItems(database, minutes, { ...rest, skip: 0 })).toString()) as Found[];
  const pages = Map.groupBy(await listPagesWith(database.db, words), (page) => page.document_id);
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
