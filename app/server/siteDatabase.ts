import { migrate } from '#app/migrations/migrate.ts';
import { resealSecondFactors } from '#features/accounts/server/secondFactor.ts';
import { beginChain, isChainOf, journal, withJournal } from '#features/audit/server/journal.ts';
import {
  ensureMeetingPassword,
  findHandedOver,
  hasMeetingPassword,
  otherKey,
  requireSecretKey,
  resealSettings,
  takeRestoration,
} from '#features/site/server/settingsStore.ts';
import { resealStayPasswords } from '#features/stays/server/staysStore.ts';
import { OPERATOR, SITE } from '#platform/server/actor.ts';
import { type Config, ConfigError } from '#platform/server/config.ts';
import { type Access, type Database, openDatabase } from '#platform/server/db/open.ts';
import { resealTexts } from '#platform/server/mail/outbox.ts';
import {
  adoptNextKey,
  makeSecretKey,
  makeSecrets,
  readNextKey,
  readSecretKey,
  type Secrets,
} from '#platform/server/secrets.ts';

export interface SiteDatabase {
  database: Database;
  secrets: Secrets;
}

interface OpenOptions {
  clock?: () => Date;
  /** Passed to `openDatabase`. */
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
    ...(onLost && { onLost }),
  });
  try {
    await migrate(bare);
    const key = config.SECRET_KEY ?? (await keyOfFolder(bare, config.DATA_DIR, isKeyLost));
    const secrets = secretsOf(key, isKeyLost ? undefined : await findHandedOver(bare.db));
    const database = withJournal(bare, secrets);
    if (!isKeyLost) await ensureKey(database, secrets, config, clock);
    return { database, secrets };
  } catch (error) {
    await bare.close();
    throw error;
  }
}

/** Reads the key of a folder without changing anything; undefined when there is none. */
export async function findKeyOfFolder(db: Access, directory: string): Promise<string | undefined> {
  return (await isChangeCutOff(db, directory)) ? readNextKey(directory) : readSecretKey(directory);
}

function secretsOf(key: string, handedOver: string | undefined): Secrets {
  try {
    return makeSecrets(key, handedOver);
  } catch (error) {
    throw otherKey(error);
  }
}

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
    await resealSettings(transaction, secrets, next, now);
    await resealStayPasswords(transaction, secrets, next);
    await resealTexts(transaction, secrets, next);
    await resealSecondFactors(transaction, secrets, next);
    await journal(transaction, OPERATOR, now, 'changement de la clé secrète');
  });
}

async function ensureKey(
  database: Database,
  secrets: Secrets,
  config: Config,
  clock: () => Date,
): Promise<void> {
  await database.write(async (transaction) => {
    await ensureMeetingPassword(transaction, secrets, config, clock());
    const count = await beginChain(transaction, secrets);
    // This entry also reveals that somebody removed the chain to have it made anew.
    if (count) await journal(transaction, SITE, clock(), `début de la chaîne du journal (${count} lignes)`);
    if (!(await isChainOf(transaction, secrets))) throw otherKey();
    const restored = await takeRestoration(transaction);
    if (restored !== undefined) await journal(transaction, OPERATOR, clock(), restored);
  });
}
