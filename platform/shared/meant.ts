import { ASKED_MAX, wordsOf } from './fold.ts';

/* What people mean by the words that they type: small words count little, and a word is found by its other forms. */

const SMALL = new Set(
  (
    'a ai as au aux avec avez avoir avons bonjour c ca car ce cela ces cet cette chez combien comme comment d dans de des ' +
    'donc du elle elles en entre est et etait ete etre eux faire fait faut il ils j je l la le les leur leurs lui m ma ' +
    'madame mais me merci mes mettre mme mon monsieur mr n ne nos notre nous on ont ou par pas peut peux plus plusieurs ' +
    'pour pourquoi pourrais puis qu quand que quel quelle quelles quels quoi rien s sa se ses si son sont sous suis sur ' +
    'svp t ta te tes ton toujours tous tout toute toutes tu un une veut veux vers voir vos votre voudrais vous y'
  ).split(' '),
);

/** « n° 6 », « no6 »: the sign of a number is none of its words. */
const NUMBER_SIGN = /(?<![\p{L}\p{N}])n\s*[°ºo]?\s*(?=\d)/giu;

/** The words of a query, folded, each once: those that matter, and the small ones between. Some always matter. */
export function meantWords(query: string): { words: string[]; small: string[] } {
  const all = [...new Set(wordsOf(query.replace(NUMBER_SIGN, ' ')))].slice(0, ASKED_MAX);
  const words = all.filter((word) => !SMALL.has(word));
  return words.length > 0
    ? { words, small: all.filter((word) => SMALL.has(word)) }
    : { words: all, small: [] };
}

/** The ends by which forms of one word differ: plurals, feminines, verbs and the nouns made of them. */
const END =
  /^(?:[a-z]{0,2}|ees|[ae]nts?|its|ites|eaux?|lles?|[iy]?ers?|ieres?|ales|[dt]?eu(?:rs?|ses?)|t?rices?|[a-z]{0,3}ions?|e?ments?|ages?|t?ures?)$/;

/** How alike a typed word and another one are, both folded: 1 the same, 0.9 forms of one word, 0 nothing in common. */
export function likeness(typed: string, own: string): number {
  if (typed === own) return 1;
  let common = 0;
  while (common < typed.length && typed[common] === own[common]) common++;
  const [end, ownEnd] = [typed.slice(common), own.slice(common)];
  const isLong = Math.max(end.length, ownEnd.length) > 3;
  if (common >= (isLong ? 5 : 4) && END.test(end) && END.test(ownEnd)) return 0.9;
  // As long as it is being typed.
  if (end === '') return 0.7;
  return typed.length >= 5 && own.length >= 5 && isOneSlip(end, ownEnd) ? 0.5 : 0;
}

/** Whether two ends that begin apart differ by one letter: another one, one more or less, or two the other way round. */
function isOneSlip(one: string, other: string): boolean {
  const [a, b] = [one.slice(1), other.slice(1)];
  if (a === b || a === other || one === b) return true;
  return one[0] === other[1] && one[1] === other[0] && a.slice(1) === b.slice(1);
}

const WHOLE = 1.5;

/**
 * What has one of the words of a query, the best first: what has them all, then by how many, where, and how few have them
 * too; its other `words` count less than its label. `isNamed`: its label has them all. `others`: the words that none has.
 */
export function rank<T extends { label: string; words?: string | undefined }>(
  query: string,
  all: readonly T[],
) {
  const { words, small } = meantWords(query);
  const texts = all.map(({ label, words = '' }) => [wordsOf(label), wordsOf(words)] as const);
  const best = (word: string, list: readonly string[]) =>
    Math.max(0, ...list.map((one) => likeness(word, one)));
  const scoresOf = (word: string) => {
    const scores = texts.map(([label, other]) => Math.max(best(word, label), 0.8 * best(word, other)));
    const weight = Math.log(1 + all.length / scores.filter(Boolean).length);
    return { word, scores, weight: small.includes(word) ? 0.2 : weight };
  };
  const isWhole = (label: readonly string[]) => label.every((own) => best(own, words) > 0.7);
  const meant = words.map(scoresOf);
  const found = [...meant, ...small.map(scoresOf)];
  const ranked = all.map((one, index) => {
    const parts = found.map(({ scores, weight }) => (scores[index] ?? 0) && weight * (scores[index] ?? 0));
    return {
      one,
      // A label of which no word is left over is what is meant, rather than one that says more.
      score: parts.reduce((sum, part) => sum + part, 0) * (isWhole(texts[index]?.[0] ?? []) ? WHOLE : 1),
      hasOne: parts.slice(0, words.length).some(Boolean),
      hasAll: parts.slice(0, words.length).every(Boolean),
      isNamed: words.every((word) => best(word, texts[index]?.[0] ?? []) > 0),
    };
  });
  return {
    ranked: ranked
      .filter(({ hasOne }) => hasOne)
      .sort((a, b) => Number(b.hasAll) - Number(a.hasAll) || b.score - a.score),
    others: meant.filter(({ scores }) => Math.max(...scores) < 0.7).map(({ word }) => word),
  };
}
