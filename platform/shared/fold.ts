/**
 * One form for spellings that people take for one another: « Élodie », « elodie » and « ELODIE ». For comparing
 * names, never for showing them.
 */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** The words of a text, folded: letters and digits, with œ and æ as they are typed on most keyboards. */
export function wordsOf(text: string): string[] {
  return (
    folded(text)
      .replaceAll('œ', 'oe')
      .replaceAll('æ', 'ae')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** « l’ », « qu’ »: nobody looks for them, and their letter stands in most words. */
const ELIDED = /(?<![\p{L}\p{N}])(?:[cdjlmnst]|qu)['’]/giu;

/** Words looked for at most: more find nothing else, and each costs a look at every page. */
const ASKED_MAX = 8;

/** The words that somebody looks for, each once; the first of them when there are too many. */
export function askedWords(query: string): string[] {
  return [...new Set(wordsOf(query.replace(ELIDED, ' ')))].slice(0, ASKED_MAX);
}

/** The places in `text` of the words that hold one of `asked`, in order; `end` is after the word. */
export function* placesOf(
  text: string,
  asked: readonly string[],
): Generator<{ start: number; end: number }, undefined> {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const plain = wordsOf(word).join(' ');
    if (asked.some((one) => plain.includes(one))) yield { start: index, end: index + word.length };
  }
}

/**
 * What makes two names of people or stays the same one: case, accents and the shape of apostrophes do not
 * count, a dash is a blank and several blanks are one; every other sign counts (« Été A » and « Été A+ » are two
 * stays).
 */
export function nameKey(text: string): string {
  return folded(text)
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[\s\p{Pd}]+/gu, ' ')
    .trim();
}
