import { rm } from 'node:fs/promises';
import { inspect } from 'node:util';
import type { FoundThings } from '#features/site/calls.ts';
import type { PublicSource } from '#features/site/server/search.ts';
import { FileRefused, WorkerLost } from '#platform/server/confined/answers.ts';
import { foldedColumn } from '#platform/server/db/conditions.ts';
import type { Database } from '#platform/server/db/database.ts';
import { listFiles } from '#platform/server/files/registerStore.ts';
import type { JobPayloads } from '#platform/server/jobs/jobs.ts';
import type { PageText } from '#platform/server/pdf/text.ts';
import { bestTitles, excerptOf } from '#platform/server/search.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import { placesOf, wordsOf } from '#platform/shared/fold.ts';
import { plainText } from '#platform/shared/markdown.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { type ContentKind, genreOf, KINDS, type ListItem, minutes, titleOf } from '../shared/kinds.ts';
import {
  type ContentRow,
  findRowToChange,
  itemOf,
  type ListOptions,
  listItems,
  listMatching,
  listPagesWith,
  listRows,
  writePages,
} from './store.ts';

/*
 * What visitors find of the contents: the kinds whose items have a page of their own. Their texts are folded when they
 * are saved, so that a search reads the whole texts of the rows that it shows and of no other.
 */

export function contentSources(services: Services): PublicSource[] {
  return KINDS.filter(hasPage).map((kind) => ({
    genre: genreOf(kind),
    find: (words) => findItems(services, kind, words),
  }));
}

const hasPage = ({ byId }: ContentKind): boolean => byId.seenAt !== undefined;

async function findItems(
  { database: { db }, clock, config }: Services,
  kind: ContentKind,
  words: readonly string[],
): Promise<FoundThings> {
  const now = clock();
  const found = await listMatching(db, kind, words, { now, timeZone: config.TIME_ZONE });
  const best = bestTitles(found, words);
  const rows = await listRows(
    db,
    kind,
    best.map(({ id }) => id),
    now,
  );
  return {
    nombre: found.length,
    resultats: rows.map((row) => ({
      id: row.id,
      adresse: `${kind.byId.seenAt}${row.id}`,
      titre: String(row[kind.titledBy]),
      extrait: excerptOf(textShown(kind, row, words), words),
      date: kind.upcomingBy ? String(row[kind.upcomingBy]) : itemOf(kind, row).date_publication,
      passe: best.some(({ id, isPast }) => id === row.id && isPast),
    })),
  };
}

/** The first of an item's texts with one of the words, else its first paragraphs. */
function textShown(kind: ContentKind, row: ContentRow, words: readonly string[]): string {
  const texts = textsOf(kind, row).filter(({ name }) => name !== kind.titledBy);
  const shown = texts.find(({ text }) => !placesOf(text, words).next().done);
  return (shown ?? texts.find(({ isLong }) => isLong))?.text ?? '';
}

/** The texts of an item that its page shows, without their marks, in the order of its fields. */
function textsOf(kind: ContentKind, values: Record<string, unknown>) {
  return Object.entries(kind.fields).flatMap(([name, { type }]) => {
    const text = String(values[name] ?? '');
    if (type === 'line') return [{ name, text, isLong: false }];
    return type === 'paragraphs' ? [{ name, text: plainText(text), isLong: true }] : [];
  });
}

/** The column that the search matches, for the values of a row. */
export function foldedTexts(kind: ContentKind, values: Record<string, unknown>): { plie?: string } {
  if (!hasPage(kind)) return {};
  const texts = textsOf(kind, values).map(({ text }) => text);
  // The first choice is that of whoever chose nothing.
  const choices = Object.entries(kind.fields).flatMap(([name, { options = [] }]) =>
    options.slice(1).filter((option) => option === values[name]),
  );
  return { plie: foldedColumn(titleOf(kind, values), [...texts, ...choices]) };
}

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
async function pagesOf({ storage, staging, pdfs, log }: Services, key: string): Promise<PageText[]> {
  const path = staging.newPath();
  try {
    await storage.fetch(key, path);
    return await pdfs.read(path);
  } catch (error) {
    if (error instanceof FileMissing) return [];
    // What was lost on its way is read another time.
    if (!(error instanceof FileRefused) || error instanceof WorkerLost) throw error;
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

/** The best of the minutes that have each of `words`, for the search of the site. */
export async function findMinutes(
  database: Database,
  words: readonly string[],
  options: Pick<ListOptions, 'now' | 'timeZone'>,
): Promise<FoundThings> {
  const found = await searchMinutes(database, words, {
    ...options,
    everything: false,
    skip: 0,
    isShort: true,
  });
  const rows = bestTitles(
    found.map((item) => ({ ...item, plie: foldedColumn(item.nom, []) })),
    words,
  );
  return {
    nombre: found.length,
    resultats: rows.map(({ id, nom, date_ajout, url, passages: [passage] = [] }) => ({
      id,
      adresse: `${addressOfFolder(minutes.folder)}${url}${passage ? `#page=${passage.page}` : ''}`,
      titre: nom,
      extrait: passage?.extrait ?? '',
      date: date_ajout,
      page: passage?.page,
    })),
  };
}

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    'read-minutes': { id: number };
  }
}
