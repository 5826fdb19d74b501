import { wordsOf } from '#platform/shared/fold.ts';

/* What staff find in the portal by a few letters: each feature brings its own sources. */

/** One kind of thing that can be found. */
export interface SearchSource {
  /** Name of the kind in the reply, often that of its table or its address. */
  genre: string;
  /** The table of the people found, if it finds people: looking them up is recorded in the journal. */
  people?: string;
  /** Rows that may have all of these words, folded. More rows are allowed: the search filters them. */
  list(words: readonly string[]): Promise<SearchRow[]>;
}

export interface SearchRow {
  id: number;
  titre: string;
  /** Tells it from others of its title, as « Colo Mer, 4 – 18 juillet 2026 ». */
  detail?: string;
  /** Further text that is searched and not shown. */
  also?: string;
  /** The stay that it belongs to. */
  stageId?: number;
  date_publication: string;
  dans_la_corbeille?: boolean;
}

/** Most results of one kind; a longer query narrows them. */
const PER_KIND = 8;

/**
 * The rows that have all words, best first: those whose title begins with the query, then those where each word begins
 * one of the title, then those that have them all in the title, then those that have them elsewhere; the newest first.
 */
export function bestRows(rows: readonly SearchRow[], words: readonly string[]) {
  const beginning = words.join(' ');
  const found = rows.flatMap((row) => {
    const titleWords = wordsOf(row.titre);
    const title = titleWords.join(' ');
    const whole = `${title} ${wordsOf(`${row.detail ?? ''} ${row.also ?? ''}`).join(' ')}`;
    if (!words.every((word) => whole.includes(word))) return [];
    const rank = title.startsWith(beginning)
      ? 0
      : words.every((word) => titleWords.some((one) => one.startsWith(word)))
        ? 1
        : words.every((word) => title.includes(word))
          ? 2
          : 3;
    return [{ ...row, rank }];
  });
  found.sort(
    (a, b) => a.rank - b.rank || b.date_publication.localeCompare(a.date_publication) || b.id - a.id,
  );
  return found.slice(0, PER_KIND);
}

/** A telephone number as people type it, with blanks, and without any sign. */
export const searchablePhone = (phone: string | null): string =>
  phone ? `${phone} ${phone.replaceAll(/\D/g, '')}` : '';
