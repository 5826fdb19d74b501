import { placesOf, wordsOf } from '#platform/shared/fold.ts';
import type { Right } from '#platform/shared/roles.ts';

/*
 * What is found by a few letters, by staff in the portal and by visitors on the site: each feature brings its own
 * sources for both.
 */

/** One kind of thing that staff find. */
export interface SearchSource {
  /** Name of the kind in the reply, often that of its table or its address. */
  genre: string;
  /** The rights of which staff need one to find it. */
  rights: readonly Right[];
  /** The table of the people found, if it finds people: looking them up is recorded in the journal. */
  people?: string;
  /** True for what was written or sent, which comes after all else. */
  isTrace?: true;
  /** Rows that may have all of these words, folded. More rows are allowed: the search filters them. */
  list(words: readonly string[]): Promise<SearchRow[]>;
}

export interface SearchRow {
  id: number;
  titre: string;
  /** By which people call it: whatever has the one that is typed comes first. */
  numero?: number;
  /** Tells it from others of its title, as « Colo Mer, 4 – 18 juillet 2026 ». */
  detail?: string;
  /** Further text that is searched and not shown. */
  also?: string;
  /** The stay that it belongs to. */
  stageId?: number | undefined;
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
  const found = rows.flatMap((row) => {
    const titleWords = wordsOf(row.titre);
    const title = titleWords.join(' ');
    const whole = `${title} ${wordsOf(`${row.detail ?? ''} ${row.also ?? ''}`).join(' ')}`;
    if (!words.every((word) => whole.includes(word))) return [];
    return [{ ...row, rank: words.includes(String(row.numero)) ? -1 : rankOf(titleWords, words) }];
  });
  found.sort(
    (a, b) => a.rank - b.rank || b.date_publication.localeCompare(a.date_publication) || b.id - a.id,
  );
  return found.slice(0, PER_KIND);
}

/** The rank of a row that is found by other words than those of its title, or not by these alone. */
const ELSEWHERE = 3;

/** How well a title, by its words, fits those asked for: 0 is the best. */
function rankOf(title: readonly string[], words: readonly string[]): number {
  const whole = title.join(' ');
  if (whole.startsWith(words.join(' '))) return 0;
  if (words.every((word) => title.some((one) => one.startsWith(word)))) return 1;
  return words.every((word) => whole.includes(word)) ? 2 : ELSEWHERE;
}

/** A row that has all words, to be ranked. */
export interface MatchingRow {
  id: number;
  /** The beginning of its folded column. */
  plie: string;
  isPast?: boolean;
}

/**
 * The best of rows that have all words: those with all of them in their title first, among these what is not over, then
 * those whose titles fit best. Rows that fit as well keep their order.
 */
export function bestTitles<R extends MatchingRow>(rows: readonly R[], words: readonly string[]): R[] {
  const ranked = rows.map((row) => {
    const [title = ''] = row.plie.split('\n', 1);
    const rank = rankOf(title.split(' '), words);
    return { row, order: [rank === ELSEWHERE ? 1 : 0, row.isPast ? 1 : 0, rank] as const };
  });
  ranked.sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1] || a.order[2] - b.order[2]);
  return ranked.slice(0, PER_KIND).map(({ row }) => row);
}

/** Length in characters of an excerpt before the first word found, and from its start on. */
const BEFORE = 60;
const AFTER = 100;

/** The text around the first of the words found, cut at whole words; without any, its beginning. */
export function excerptOf(text: string, words: readonly string[]): string {
  const start = placesOf(text, words).next().value?.start ?? 0;
  const before = text.slice(Math.max(0, start - BEFORE), start);
  const after = text.slice(start, start + AFTER);
  const head = start > BEFORE ? `…${before.replace(/^\S* /, '')}` : before;
  return head + (start + AFTER < text.length ? `${after.replace(/[\s.,;:]*\s\S*$/, '')}…` : after);
}

/** A telephone number as people type it, with blanks, and without any sign. */
export const searchablePhone = (phone: string | null): string =>
  phone ? `${phone} ${phone.replaceAll(/\D/g, '')}` : '';
