/*
 * Passwords that are guessed first, whoever chooses them: for an account, a stay, or the minutes. What a password must be
 * besides (its length, its letters) is checked where it is read.
 */

/**
 * Tells why a password is refused, as a French sentence; undefined: it is good. `words` are those of its owner (the name
 * of the account or the stay, of the organisation): whoever guesses tries them first.
 */
export type PasswordRule = (password: string, words: readonly string[]) => string | undefined;

/** Words that anybody tries first on a site like this one. */
const SITE_WORDS = (
  'passerelle portail comite vacances colonie colo sejour camp photos famille enfants directeur ' +
  'comptesrendus compterendu administratrice'
).split(' ');

/**
 * Guesses that a password has to take: ten times what the estimator calls safe, its score of 3, which three easy parts
 * reach by their number alone, as a first name, a name and a year do.
 */
const GUESSES = 1e9;
/** Characters that are weighed, the first ones, and signs that may stand for letters: what makes it slow. */
const LIMITS = { maxLength: 24, l33tMaxSubstitutions: 10 };
/** Words of a dictionary that is worth its time: the short ones, such as days and planets, are in the long ones too. */
const DICTIONARY_MIN = 100;

let rule: Promise<PasswordRule> | undefined;

/** The rule; its dictionaries, of 50 MB, are loaded the first time, which takes a third of a second. */
export function openPasswordRule(): Promise<PasswordRule> {
  rule ??= makeRule();
  return rule;
}

async function makeRule(): Promise<PasswordRule> {
  const [{ ZxcvbnFactory }, common, french, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-fr'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const all = Object.entries({ ...common.dictionary, ...french.dictionary, ...english.dictionary });
  const dictionary = Object.fromEntries(all.filter(([, words]) => words.length > DICTIONARY_MIN));
  const estimator = new ZxcvbnFactory({ dictionary, graphs: common.adjacencyGraphs, ...LIMITS });
  return (password, words) => {
    const parts = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]);
    const known = [...SITE_WORDS, ...parts.map(fold)].filter((word) => word.length >= 3);
    // Without the signs between its words too, which nobody has to guess, unless it consists largely of signs.
    const folded = fold(password);
    const forms = folded.length * 3 > password.length * 2 ? [folded, password] : [password];
    if (forms.every((form) => estimator.check(form, known).guesses >= GUESSES)) return undefined;
    return 'ce mot de passe se devine trop facilement\u202f: prenez-en un plus long, fait de mots sans rapport entre eux ni avec le site.';
  };
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
