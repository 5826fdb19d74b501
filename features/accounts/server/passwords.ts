import { readSettings } from '#features/site/server/settingsStore.ts';
import { openTurns } from '#platform/server/concurrency.ts';
import { invalid } from '#platform/server/errors.ts';
import type { Services } from '#platform/server/services.ts';
import { openPasswordRule } from '#platform/server/weakPasswords.ts';

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

/** Fields in which a password is chosen. */
export const PASSWORD_LABELS = { password: 'Mot de passe', nouveau: 'Nouveau mot de passe' };

/** The hash of the password that an account is to have, given as a field; throws 422 beside its field for one that is too weak. */
export async function hashGood(
  { database, config }: Services,
  given: Partial<Record<keyof typeof PASSWORD_LABELS, string>>,
  username: string,
): Promise<string> {
  const whyWeak = await openPasswordRule();
  const { organisation_nom } = await readSettings(database.db, config);
  const [[field, password] = ['', '']] = Object.entries(given);
  const weak = whyWeak(password, [username, organisation_nom]);
  if (weak) throw invalid({ [field]: weak }, PASSWORD_LABELS);
  return hashPassword(password);
}

/**
 * Without a hash (no such account), takes as long by checking a dummy hash, and returns false. Where checks wait, those of
 * the lowest rank go first, see `RateLimits.check`.
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
  rank = 0,
): Promise<boolean> {
  const known = stored ?? (await nobody());
  const matches = await inTurn(async () => (await argon2()).verify(known, password.normalize('NFKC')), rank);
  return matches && stored !== undefined;
}

let nobodysHash: Promise<string> | undefined;

function nobody(): Promise<string> {
  nobodysHash ??= argon2().then(({ hash }) => hash('nobody', COST));
  return nobodysHash;
}
