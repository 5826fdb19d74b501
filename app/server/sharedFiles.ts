import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { findSetting, holdSettings, writeSetting } from '#features/site/server/settingsStore.ts';
import { ConfigError } from '#platform/server/config.ts';
import type { Services } from '#platform/server/services.ts';
import { unlessMissing } from '#platform/server/storage/storage.ts';

/** Key of the file that says which place of files this is, and the setting that says in which one the site has its own. */
const PLACE_FILE = 'lieu';
const PLACE = 'lieu_fichiers';

/**
 * Throws `ConfigError` where another process of the site runs whose files are elsewhere: each would answer 404 for those
 * of the other. A restored or moved site, which runs nowhere yet, takes the place that it finds.
 */
export async function requireSharedFiles({ database, storage, staging, clock }: Services): Promise<void> {
  if (database.engine === 'sqlite') return;
  await database.write(async (transaction) => {
    // One process after the other, as the first one makes the file.
    await holdSettings(database, transaction);
    const found = await unlessMissing(storage.read(PLACE_FILE));
    const place = found ? await text(found) : randomBytes(16).toString('hex');
    const known = await findSetting(transaction, PLACE);
    if (known === place) return;
    if (known !== undefined && (await database.notifications.hasListener()))
      throw new ConfigError(
        'DATABASE_URL\u202f: un autre processus de ce site est en marche, et ses fichiers sont ailleurs. Donnez aux deux le même ' +
          'bucket (S3_ENDPOINT, S3_BUCKET), ou arrêtez l’autre.',
      );
    if (!found) {
      const path = staging.newPath();
      await writeFile(path, place, { mode: 0o600 });
      await storage.keep(path, PLACE_FILE);
    }
    await writeSetting(transaction, PLACE, place, clock());
  });
}
