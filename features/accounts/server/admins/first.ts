import { insertAdmin, listAdmins } from '#features/accounts/server/admins.ts';
import { hashPassword, whyPasswordWeak } from '#features/accounts/server/passwords.ts';
import { journal } from '#features/audit/server/journal.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { ConfigError } from '#platform/server/config.ts';
import { HttpError } from '#platform/server/http/errors.ts';
import { generatePassword } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';

/**
 * Creates the first admin of an empty site, from `ADMIN_USERNAME` and `ADMIN_PASSWORD` or with a generated
 * password; returns what to print once. On a site that has an admin those variables are not looked at.
 */
export async function ensureFirstAdmin(
  services: Pick<Services, 'config' | 'database' | 'clock'>,
): Promise<{ username: string; password: string | undefined } | undefined> {
  const { config, database, clock } = services;
  if ((await listAdmins(database.db)).length > 0) return undefined;
  const generated = config.ADMIN_PASSWORD === undefined ? generatePassword() : undefined;
  const weak =
    config.ADMIN_PASSWORD && (await whyPasswordWeak(config.ADMIN_PASSWORD, [config.ADMIN_USERNAME]));
  if (weak) throw new ConfigError(`ADMIN_PASSWORD\u202f: ${weak}`);
  const hash = await hashPassword(config.ADMIN_PASSWORD ?? generated ?? '');
  try {
    await database.write(async (transaction) => {
      const admin = await insertAdmin(transaction, config.ADMIN_USERNAME, hash, clock());
      await journal(transaction, OPERATOR, clock(), 'création du premier administrateur', {
        table: 'admins',
        id: admin.id,
      });
    });
  } catch (error) {
    // Another process, started at the same time with the same name, was faster.
    if (error instanceof HttpError && error.status === 409) return undefined;
    throw error;
  }
  return { username: config.ADMIN_USERNAME, password: generated };
}
