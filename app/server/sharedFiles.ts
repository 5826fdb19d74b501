import { ConfigError } from '#platform/server/config.ts';
import { listNewestKeys } from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';

/**
 * Throws `ConfigError` where another process of the site runs and this one has none of the newest files: each would answer
 * 404 for those of the other. Says nothing of a site without files, nor of one that is put back and runs nowhere yet.
 */
export async function requireSharedFiles({ database, storage }: Services): Promise<void> {
  if (database.engine === 'sqlite' || !(await database.notifications.hasListener())) return;
  const keys = await listNewestKeys(database.db);
  const found = await Promise.all(keys.map((key) => storage.has(key)));
  if (keys.length > 0 && !found.includes(true))
    throw new ConfigError(
      'DATABASE_URL\u202f: un autre processus de ce site est en marche, et ses fichiers sont ailleurs. Donnez aux deux le même ' +
        'bucket (S3_ENDPOINT, S3_BUCKET), ou arrêtez l’autre.',
    );
}
