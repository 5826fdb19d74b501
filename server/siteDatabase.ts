import type { Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { type Database, openDatabase } from './db/open.ts';
import { journal, OPERATOR, SITE, withJournal } from './journal.ts';
import { beginChain, isChainOf } from './journalChain.ts';
import { makeSecretKey, makeSecrets, readSecretKey, type Secrets } from './secrets.ts';
import { ensureMeetingPassword, hasMeetingPassword, otherKey, takeRestoration } from './settings.ts';

export interface SiteDatabase {
  database: Database;
  secrets: Secrets;
}

interface OpenOptions {
  clock?: () => Date;
  /** As of `openDatabase`. */
  onLost?: (error: Error) => void;
  /** The key that goes with this database is lost: it is not looked whether the present one does. */
  isKeyLost?: boolean;
}

/**
 * Opens the database of a site for whoever writes to it, the server or a command, with the key that goes with it and
 * the schema brought up to date. Throws `ConfigError` for another key: going on would seal and chain with two.
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
    const secrets = makeSecrets(config.SECRET_KEY ?? (await keyOfFolder(bare, config.DATA_DIR, isKeyLost)));
    const database = withJournal(bare, secrets);
    if (!isKeyLost) await ensureKey(database, secrets, config, clock);
    return { database, secrets };
  } catch (error) {
    await bare.close();
    throw error;
  }
}

/** The key in `DATA_DIR`, made at the first start: data that another one sealed would be lost to a new one. */
async function keyOfFolder({ db }: Database, directory: string, isKeyLost: boolean): Promise<string> {
  const key = readSecretKey(directory);
  if (key !== undefined) return key;
  if (!isKeyLost && (await hasMeetingPassword(db))) throw otherKey();
  return makeSecretKey(directory);
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
    // Also the trace of whoever took the chain away so that it be made anew.
    if (count) await journal(transaction, SITE, clock(), `début de la chaîne du journal (${count} lignes)`);
    if (!(await isChainOf(transaction, secrets))) throw otherKey();
    const restored = await takeRestoration(transaction);
    if (restored !== undefined) await journal(transaction, OPERATOR, clock(), restored);
  });
}
