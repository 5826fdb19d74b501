import { journal } from '#features/audit/server/journal.ts';
import { forgetChain } from '#features/audit/server/store.ts';
import { hasMeetingPassword, requireSecretKey } from '#features/site/server/settingsStore.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { ConfigError } from '#platform/server/config.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import {
  adoptNextKey,
  makeNextKey,
  makeSecretKey,
  makeSecrets,
  otherKey,
  readNextKey,
  readSecretKey,
  type Secrets,
} from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { product } from './features.ts';

/*
 * The secret key of a site: where it is found, how it changes, and what is forgotten when it is lost (decision 0021).
 * Which key a database has is told by one sealed value that every site has from its first start: the password of the
 * meeting reports.
 */

type Opened = Pick<Services, 'database' | 'secrets'>;

/**
 * Reads the key in `DATA_DIR`, or makes it at the first start. Throws `ConfigError` when it is missing and data are
 * already sealed: a new key could not open them.
 */
export async function keyOfFolder({ db }: Database, directory: string, isKeyLost: boolean): Promise<string> {
  if (await isChangeCutOff(db, directory)) adoptNextKey(directory);
  const key = readSecretKey(directory);
  if (key !== undefined) return key;
  if (!isKeyLost && (await hasMeetingPassword(db))) throw otherKey();
  return makeSecretKey(directory);
}

/** Reads the key of a folder without changing anything; undefined when there is none. */
export async function findKeyOfFolder(db: Access, directory: string): Promise<string | undefined> {
  return (await isChangeCutOff(db, directory)) ? readNextKey(directory) : readSecretKey(directory);
}

/** Whether a key change was interrupted after the data were sealed with the next key. */
export async function isChangeCutOff(db: Access, directory: string): Promise<boolean> {
  const next = readNextKey(directory);
  if (next === undefined) return false;
  try {
    await requireSecretKey(db, makeSecrets(next));
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

/**
 * Changes the key in `DATA_DIR`; returns the name of the copy of the former one. Throws `ConfigError` while the site
 * runs.
 */
export async function changeKeyOfFolder(opened: Opened, directory: string, now: Date): Promise<string> {
  const { next, former } = makeNextKey(directory, now);
  await changeKey(opened, makeSecrets(next), now);
  adoptNextKey(directory);
  return former;
}

/**
 * Seals all sealed data again with key `next`, in one transaction; afterwards the site must be opened with that key.
 * Hashes stay as they are, as their inputs cannot be recovered. Throws `ConfigError` while the site runs.
 */
export async function changeKey({ database, secrets }: Opened, next: Secrets, now: Date): Promise<void> {
  await database.write(async (transaction) => {
    if (await database.notifications.hasListener())
      throw new ConfigError('Le site est en marche\u202f: arrêtez tous ses processus, puis recommencez.');
    for (const sealed of product.sealed) await sealed.reseal(transaction, secrets, next, now);
    await journal(transaction, OPERATOR, now, 'changement de la clé secrète');
  });
}

/** Deletes what only a lost key opens or verifies; the next start begins anew with another key. */
export async function forgetKey({ database }: Opened): Promise<void> {
  await database.write(async (transaction) => {
    for (const sealed of product.sealed) await sealed.forget(transaction);
    await journal(transaction, OPERATOR, new Date(), 'oubli de la clé secrète perdue');
    await forgetChain(transaction);
  });
}
