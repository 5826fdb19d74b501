import { wordsOf } from '#platform/shared/fold.ts';

/**
 * Ranks titles for a query, best first: 0 the title begins with it, 1 each of its words begins one of the
 * title's, 2 each is somewhere in the title; undefined: not found. Case, accents and punctuation do not count.
 */
export function rankBy(query: string): (title: string) => number | undefined {
  const asked = wordsOf(query);
  const beginning = asked.join(' ');
  return (title) => {
    const words = wordsOf(title);
    const text = words.join(' ');
    if (asked.length === 0 || !asked.every((word) => text.includes(word))) return undefined;
    if (text.startsWith(beginning)) return 0;
    return asked.every((word) => words.some((one) => one.startsWith(word))) ? 1 : 2;
  };
}
