/*
 * Passwords that are guessed first, whoever chooses them: for an account, a stay, or the minutes. What a password must be
 * besides (its length, its letters) is checked where it is read.
 */

/**
 * Tells why a password is refused, as a French sentence; undefined: it is good. `words` are those of its owner (the name
 * of the account or the stay, of the organisation): a password made of them only is refused too.
 */
export type PasswordRule = (password: string, words: readonly string[]) => string | undefined;

/** Words that anybody tries on a site like this one. */
const SITE_WORDS = [
  ...[
    'passerelle',
    'portail',
    'administrateur',
    'administratrice',
    'admin',
    'motdepasse',
    'password',
    'comite',
  ],
  ...['vacances', 'colonie', 'colo', 'sejour', 'camp', 'photos', 'photo', 'famille', 'enfants', 'directeur'],
  ...['comptesrendus', 'compterendu', 'azerty', 'azertyuiop', 'soleil', 'bonjour', 'bienvenue'],
  ...['printemps', 'automne', 'hiver', 'juillet', 'aout'],
];

/** Loads the list of common passwords and makes the rule of them. */
export async function openPasswordRule(): Promise<PasswordRule> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const common = new Set(dictionary['passwords-common'] as string[]);
  return (password, words) => {
    // Punctuation is ignored, unless the password consists mostly of it.
    const letters = fold(password);
    const folded = letters.length < 6 ? password.toLowerCase() : letters;
    if (common.has(folded) || common.has(password.toLowerCase())) {
      return 'ce mot de passe est parmi les plus utilisés\u202f: choisissez-en un autre.';
    }
    if (new Set(folded).size < 5 || /^\d+$/.test(folded))
      return 'ce mot de passe est trop simple\u202f: mêlez des mots ou des signes différents.';
    const own = [...SITE_WORDS, ...words.map(fold)].filter((word) => word.length >= 3);
    // The longest first, as one may stand in another.
    own.sort((one, other) => other.length - one.length);
    const rest = own.reduce((left, word) => left.replaceAll(word, ''), folded);
    // A common password followed by digits is still a common password, and a year or a date adds nothing to a name.
    const word = rest.replace(/\d+$/, '');
    if (word.length < 5 || common.has(rest) || (word.length < rest.length && common.has(word))) {
      return 'ce mot de passe se devine trop facilement\u202f: ajoutez des mots sans rapport avec le site.';
    }
    return undefined;
  };
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
