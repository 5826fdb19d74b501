import type { FoundThings } from '#features/site/calls.ts';
import type { PublicSource } from '#features/site/server/search.ts';
import { foldedColumn } from '#platform/server/db/conditions.ts';
import { bestTitles, excerptOf } from '#platform/server/search.ts';
import type { Services } from '#platform/server/services.ts';
import { placesOf } from '#platform/shared/fold.ts';
import { plainText } from '#platform/shared/markdown.ts';
import { type ContentKind, genreOf, KINDS, titleOf } from '../shared/kinds.ts';
import { type ContentRow, itemOf, listMatching, listRows } from './store.ts';

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
