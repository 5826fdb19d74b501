import { listPending } from '#app/migrations/migrate.ts';
import { product } from '#app/server/features.ts';
import { refusalOf } from '#app/server/refusals.ts';
import { findKeyOfFolder } from '#app/server/siteDatabase.ts';
import { closeServices, openReadOnly } from '#app/server/start.ts';
import { findHandedOver } from '#features/site/server/settingsStore.ts';
import { byPart, type Check, type Finding, fail, fine, PARTS, warn } from '#platform/server/checks/check.ts';
import { type Config, ConfigError, readConfig } from '#platform/server/config.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { openLog } from '#platform/server/log.ts';
import { makeSecrets, type Secrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { requireSite, runCommand } from './command.ts';

/* Inspects the site, running or stopped; changes nothing. */

const USAGE = `Usage :
  passerelle doctor                 vérifie le site, en marche ou arrêté, sans rien changer
  passerelle doctor --empreintes    relit aussi chaque fichier, et compare son empreinte : c’est plus long`;

/**
 * Runs all checks. They are independent: one that fails to run is reported, and the others still run; those that need
 * this version's schema only run where no migration is pending.
 */
async function examine(services: Services, isThorough: boolean): Promise<Finding[]> {
  const found = [fine('Réglages\u202f: ils se lisent.')];
  const checks = byPart(product.checks(services), PARTS);
  const schema: Check = { key: 'version', part: 'base', operator: () => checkSchema(services) };
  const free = checks.filter(({ isSchemaFree }) => isSchemaFree);
  for (const check of [...free, schema, ...checks.filter(({ isSchemaFree }) => !isSchemaFree)]) {
    const findings = await run(check, isThorough);
    found.push(...findings);
    if (check === schema && findings.some(({ state }) => state !== 'ok')) break;
  }
  return found;
}

async function run(check: Check, isThorough: boolean): Promise<Finding[]> {
  try {
    return [(await check.operator?.(isThorough)) ?? []].flat();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [
      fail(
        refusalOf(error) ?? `Une vérification n’a pas pu se faire (${check.key}\u202f: ${code ?? message}).`,
      ),
    ];
  }
}

async function checkSchema({ database }: Services): Promise<Finding> {
  const pending = await listPending(database);
  if (pending.length === 0) return fine('Base de données\u202f: elle répond, à la version du programme.');
  return warn(
    'Base de données\u202f: elle vient d’une version plus ancienne. Le prochain démarrage du site la met à jour\u202f; ' +
      'le reste se vérifie après.',
  );
}

/** Formats the findings, the worst at the end, where a terminal shows them. */
function printed(found: readonly Finding[]): string {
  const states = ['ok', 'à surveiller', 'à traiter'] as const;
  const lines = states.flatMap((state) =>
    found.flatMap((one) => (one.state === state ? `${state.padEnd(12)}  ${one.texte}` : [])),
  );
  const count = (wanted: Finding['state']) => found.filter(({ state }) => state === wanted).length;
  const sum = `${found.length} vérifications\u202f: ${count('à traiter')} à traiter, ${count('à surveiller')} à surveiller.`;
  return [...lines, sum].join('\n');
}

await runCommand(async (words) => {
  const [option, ...others] = words;
  if ((option !== undefined && option !== '--empreintes') || others.length > 0) throw new ConfigError(USAGE);
  const config = readConfig();
  requireSite(config);
  const secrets = await secretsOf(config);
  const services = await openReadOnly(config, secrets, openLog(config.LOG_LEVEL, process.stderr));
  try {
    const isThorough = option === '--empreintes';
    const found = await examine(services, isThorough);
    if (found.some(({ state }) => state === 'à traiter')) process.exitCode = 1;
    return printed(found);
  } finally {
    await closeServices(services);
  }
});

/** The secrets of the site; without its key nothing that is sealed opens, and the findings say so. */
async function secretsOf({ SECRET_KEY, DATABASE_URL: url, DATA_DIR: directory }: Config): Promise<Secrets> {
  const { db, close } = openDatabase({ url, directory, isReadOnly: true });
  try {
    const key = SECRET_KEY ?? (await findKeyOfFolder(db, directory)) ?? '';
    try {
      return makeSecrets(key, await findHandedOver(db));
    } catch {
      // No answer, no settings yet, or the key of another site: the checks say which.
      return makeSecrets(key);
    }
  } finally {
    await close();
  }
}
