import { migrate } from '#app/migrations/migrate.ts';
import { withJournal } from '#features/audit/server/journal.ts';
import { KINDS } from '#features/content/shared/kinds.ts';
import { noteRecipients, withRecipients } from '#features/mails/server/knownAddressesStore.ts';
import { findHandedOver } from '#features/site/server/settingsStore.ts';
import { budgetsOf, type Things } from '#platform/server/budgets.ts';
import type { Config } from '#platform/server/config.ts';
import type { Database } from '#platform/server/db/database.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { makeSecrets, otherKey, type Secrets } from '#platform/server/secrets.ts';
import { features } from './features.ts';
import { keyOfFolder } from './secretKey.ts';

export interface SiteDatabase {
  database: Database;
  secrets: Secrets;
}

/** What is counted when it is deleted or put into a bin, by whichever call. */
const THINGS: Things = {
  ...Object.fromEntries(KINDS.map(({ table }) => [table, { erased: 'contenus', binned: 'contenus' }])),
  employes: { erased: 'contenus', binned: 'contenus' },
  livrets: { erased: 'contenus' },
  messages_contact: { erased: 'contenus' },
  stagiaires: { erased: 'personnes', changed: 'changees' },
  formateurs: { erased: 'personnes', changed: 'changees' },
  affectations: { erased: 'changees' },
  stages: { erased: 'sejours' },
  photos: { erased: 'photosEffacees', binned: 'photos' },
};

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
    onLost,
  });
  try {
    await migrate(bare);
    const key = config.SECRET_KEY ?? (await keyOfFolder(bare, config.DATA_DIR, isKeyLost));
    const secrets = secretsOf(key, isKeyLost ? undefined : await findHandedOver(bare.db));
    const within = budgetsOf(THINGS, clock, noteRecipients);
    const database = withJournal(withRecipients(bare, clock), secrets, within);
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
