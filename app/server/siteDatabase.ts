import { migrate } from '#app/migrations/migrate.ts';
import { journal, withJournal } from '#features/audit/server/journal.ts';
import { forgetChain } from '#features/audit/server/store.ts';
import { ITEM_KINDS } from '#features/content/shared/kinds.ts';
import { noteRecipients, withRecipients } from '#features/mails/server/knownAddressesStore.ts';
import { findHandedOver, hasMeetingPassword, requireSecretKey } from '#features/site/server/settingsStore.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { budgetsOf, type Things } from '#platform/server/budgets.ts';
import { type Config, ConfigError } from '#platform/server/config.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { withKeys } from '#platform/server/http/creationsStore.ts';
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
import { features, product } from './features.ts';

export interface SiteDatabase {
  database: Database;
  secrets: Secrets;
}

const CONTENT = { erased: 'contenus', binned: 'contenus', changed: 'contenusChanges' } as const;
/** What is counted when it is deleted, put into a bin or changed, by whichever call. */
const THINGS: Things = {
  ...Object.fromEntries(ITEM_KINDS.map(({ table }) => [table, CONTENT])),
  livrets: CONTENT,
  messages_contact: { erased: 'contenus' },
  stagiaires: { erased: 'personnes', changed: 'changees' },
  formateurs: { erased: 'personnes', changed: 'changees' },
  affectations: { erased: 'changees' },
  stages: { erased: 'sejours' },
  photos: { erased: 'photosEffacees', binned: 'photos' },
};

interface OpenOptions {
  clock?: () => Date;
  onLost?: (error: Error) => void;
  /** True when the key of this database is lost: the present key is then not checked against it. */
  isKeyLost?: boolean;
}

/**
 * Opens the database of a site for writing, by the server or a command: migrates the schema and checks the secret key.
 * Throws `ConfigError` for another key, as going on would seal data and chain the journal with two keys.
 */
export async function openSiteDatabase(
  config: Config,
  { clock = () => new Date(), onLost, isKeyLost = false }: OpenOptions = {},
): Promise<SiteDatabase> {
  const bare = openDatabase({
    url: config.DATABASE_URL,
    directory: config.DATA_DIR,
    onLost,
  });
  try {
    await migrate(bare);
    const key = config.SECRET_KEY ?? (await keyOfFolder(bare, config.DATA_DIR, isKeyLost));
    const secrets = secretsOf(key, isKeyLost ? undefined : await findHandedOver(bare.db));
    const within = budgetsOf(THINGS, clock, noteRecipients);
    const database = withKeys(withJournal(withRecipients(bare, clock), secrets, within), clock);
    if (!isKeyLost) await requireKey(database, secrets, config, clock);
    return { database, secrets };
  } catch (error) {
    await bare.close();
    throw error;
  }
}

function secretsOf(key: string, handedOver: string | undefined): Secrets {
  try {
    return makeSecrets(key, handedOver);
  } catch (error) {
    throw otherKey(error);
  }
}

async function requireKey(
  database: Database,
  secrets: Secrets,
  config: Config,
  clock: () => Date,
): Promise<void> {
  await database.write(async (transaction) => {
    const key = { secrets, config, now: clock() };
    for (const one of features) await one.requireKey?.(transaction, key);
  });
}

/*
 * The secret key of a site: where it is found, how it changes, and what is forgotten when it is lost (decision 0021).
 * Which key a database has is told by one sealed value that every site has from its first start: the password of the
 * meeting reports.
 */

/**
 * Reads the key in `DATA_DIR`, or makes it at the first start. Throws `ConfigError` when it is missing and data are
 * already sealed: a new key could not open them.
 */
async function keyOfFolder({ db }: Database, directory: string, isKeyLost: boolean): Promise<string> {
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
export async function changeKeyOfFolder(opened: SiteDatabase, directory: string, now: Date): Promise<string> {
  const { next, former } = makeNextKey(directory, now);
  await changeKey(opened, makeSecrets(next), now);
  adoptNextKey(directory);
  return former;
}

/**
 * Seals all sealed data again with key `next`, in one transaction; afterwards the site must be opened with that key.
 * Hashes stay as they are, as their inputs cannot be recovered. Throws `ConfigError` while the site runs.
 */
export async function changeKey(
  { database, secrets }: SiteDatabase,
  next: Secrets,
  now: Date,
): Promise<void> {
  await database.write(async (transaction) => {
    if (await database.notifications.hasListener())
      throw new ConfigError('Le site est en marche\u202f: arrêtez tous ses processus, puis recommencez.');
    for (const sealed of product.sealed) await sealed.reseal(transaction, secrets, next, now);
    await journal(transaction, OPERATOR, now, 'changement de la clé secrète');
  });
}

/** Deletes what only a lost key opens or verifies; the next start begins anew with another key. */
export async function forgetKey({ database }: SiteDatabase): Promise<void> {
  await database.write(async (transaction) => {
    for (const sealed of product.sealed) await sealed.forget(transaction);
    await journal(transaction, OPERATOR, new Date(), 'oubli de la clé secrète perdue');
    await forgetChain(transaction);
  });
}
