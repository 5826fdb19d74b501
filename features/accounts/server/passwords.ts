import { openTurns } from '#platform/server/concurrency.ts';

/*
 * Admin passwords: Argon2id at the minimum cost that OWASP recommends. One check uses a core for some 30 ms, so two run
 * at once and a bounded number wait; beyond, the answer is 503 rather than a site that stops for everybody.
 */
/** The package's value for Argon2id; its enumeration exists in the types only. */
const ARGON2ID = 2;
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const WAITING_MAX = 50;

const argon2 = () => import('@node-rs/argon2');
const inTurn = openTurns(AT_ONCE, WAITING_MAX);

export function hashPassword(password: string): Promise<string> {
  return inTurn(async () => (await argon2()).hash(password.normalize('NFKC'), COST));
}

/** Without a hash (no such account), takes as long by checking a dummy hash, and returns false. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const known = stored ?? (await nobody());
  const matches = await inTurn(async () => (await argon2()).verify(known, password.normalize('NFKC')));
  return matches && stored !== undefined;
}

let nobodysHash: Promise<string> | undefined;

function nobody(): Promise<string> {
  nobodysHash ??= argon2().then(({ hash }) => hash('nobody', COST));
  return nobodysHash;
}

/**
 * Why a new admin password is refused, as a French sentence; undefined when it is good. The call's schema checks its
 * length; this refuses passwords that are guessed first. `words` are those of the site (its name, the account's name):
 * a password made of them only is refused too.
 */
export async function whyPasswordWeak(
  password: string,
  words: readonly string[],
): Promise<string | undefined> {
  // Punctuation is ignored, unless the password consists mostly of it.
  const letters = fold(password);
  const folded = letters.length < 6 ? password.toLowerCase() : letters;
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const common = new Set(dictionary['passwords-common'] as string[]);
  if (common.has(folded) || common.has(password.toLowerCase())) {
    return 'ce mot de passe est parmi les plus utilisés\u202f: choisissez-en un autre.';
  }
  if (new Set(folded).size < 5 || /^\d+$/.test(folded))
    return 'ce mot de passe est trop simple\u202f: mêlez des mots ou des signes différents.';
  let rest = folded;
  for (const own of [
    'passerelle',
    'portail',
    'administrateur',
    'administratrice',
    'admin',
    'motdepasse',
    'password',
    'comite',
    ...words.map(fold),
  ]) {
    if (own.length >= 3) rest = rest.replaceAll(own, '');
  }
  // A common password followed by digits is still a common password.
  const word = rest.replace(/\d+$/, '');
  if (rest.length < 5 || common.has(rest) || (word.length < rest.length && common.has(word))) {
    return 'ce mot de passe se devine trop facilement\u202f: ajoutez des mots sans rapport avec le site.';
  }
  return undefined;
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
