import { readSettings } from '#features/site/server/settingsStore.ts';
import type { Config } from '#platform/server/config.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict } from '#platform/server/errors.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { writeFactorBefore, writeFactorsBefore } from './adminsStore.ts';
import { hasFactor, readFactors } from './secondFactor.ts';

/*
 * The setting that makes a second factor (a passkey or an application) compulsory. An account without one has seven days;
 * from then on it has no rights until it has one, so it opens nothing but itself. When that is stands in the account's
 * row, so that a request reads no setting.
 */

/** Time, in ms, that an account has. */
const GRACE_MS = 7 * DAY_MS;

/** By when an account needs a second factor that has none now; null while none is asked for. */
export async function deadlineAt(db: Access, config: Config, now: Date): Promise<string | null> {
  const { second_facteur } = await readSettings(db, config);
  return second_facteur === 'obligatoire' ? new Date(now.getTime() + GRACE_MS).toISOString() : null;
}

/** Applies the setting, which was just saved, to all accounts. */
export async function applyRule(db: Access, config: Config, now: Date): Promise<void> {
  await writeFactorsBefore(db, await deadlineAt(db, config, now));
}

/** Records that an account has got a second factor. */
export function noteFactor(db: Access, adminId: number): Promise<void> {
  return writeFactorBefore(db, adminId, null);
}

/** Throws 409 when an account has just given up the last second factor while one is compulsory. */
export async function requireFactorLeft(
  db: Access,
  config: Config,
  adminId: number,
  now: Date,
): Promise<void> {
  if (hasFactor(await readFactors(db, adminId))) return;
  if ((await deadlineAt(db, config, now)) === null) return;
  throw conflict(
    'Une clé d’accès ou la connexion en deux étapes est obligatoire ici\u202f: mettez d’abord l’autre en place.',
  );
}
