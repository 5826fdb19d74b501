import { type RawBuilder, sql } from 'kysely';
import { wordsOf } from '#platform/shared/fold.ts';

/* Conditions that the queries of several features share. */

/** True when this column holds the address of `key`. */
export function holds(column: string, key: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) = ${key}`;
}

/**
 * The column that the search of the site matches: on its first line the words of the title, folded, then each further
 * word of the texts once.
 */
export function foldedColumn(title: string, texts: readonly string[]): string {
  const first = wordsOf(title);
  const others = new Set(texts.flatMap(wordsOf));
  for (const word of first) others.delete(word);
  return `${first.join(' ')}\n${[...others].join(' ')}`;
}

/** SQL condition: a folded column has this word. Words are letters and digits only, so none has a meaning in LIKE. */
export function hasWord(word: string): RawBuilder<boolean> {
  return sql<boolean>`plie like ${`%${word}%`}`;
}

/** SQL condition: a folded column has all of these words. */
export function hasWords(words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(words.map(hasWord), sql` and `)}`;
}

/** Length in characters of the beginning of that column, with which rows are ranked; no title is longer. */
export const FOLDED_TITLE = 400;
