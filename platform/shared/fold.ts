/**
 * Gives spellings that people consider equal (« Élodie », « elodie » and « ELODIE ») the same form. For comparing
 * names, never for showing them.
 */
export function folded(text: string): string {
  // Most are, and the rest costs.
  const plain = /[^\0-\x7f]/.test(text) ? text.normalize('NFKD').replace(/\p{M}/gu, '') : text;
  return plain.toLowerCase().trim();
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

/** Elided words (« l’ », « qu’ »), left out of searches: nobody looks for them, and most words contain their letter. */
const ELIDED = /(?<![\p{L}\p{N}])(?:[cdjlmnst]|qu)['’]/giu;

/** Largest number of words searched: more would find nothing else, and each costs a pass over every page. */
export const ASKED_MAX = 8;

/** The words of a search, without duplicates: the first `ASKED_MAX`. */
export function askedWords(query: string): string[] {
  return [...new Set(wordsOf(query.replace(ELIDED, ' ')))].slice(0, ASKED_MAX);
}

/** The positions in `text` of the words that contain one of `asked`, in order; `end` is exclusive. */
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
 * The key by which two names of people or stays are the same: case, accents and the shape of apostrophes do not
 * count, a dash is a blank and several blanks are one; every other sign counts (« Été A » and « Été A+ » are two
 * stays).
 */
export function nameKey(text: string): string {
  const plain = folded(text);
  if (/^[a-z\d]+(?:[ '-][a-z\d]+)*$/.test(plain)) return plain.replaceAll('-', ' ');
  return plain
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[\s\p{Pd}]+/gu, ' ')
    .trim();
}
