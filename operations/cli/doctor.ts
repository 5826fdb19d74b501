import { scheduledWorks } from '#app/server/app.ts';
import { findKeyOfFolder } from '#app/server/secretKey.ts';
import { closeServices, openToLook } from '#app/server/start.ts';
import { examine, printed } from '#operations/doctor/doctor.ts';
import { type Config, ConfigError, readConfig } from '#platform/server/config.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { openLog } from '#platform/server/log.ts';
import { makeSecrets } from '#platform/server/secrets.ts';
import { requireSite, runCommand } from './command.ts';

/* Inspects the site, running or stopped; changes nothing. */

const USAGE = `Usage :
  npm run doctor                    vérifie le site, en marche ou arrêté, sans rien changer
  npm run doctor -- --empreintes    relit aussi chaque fichier, et compare son empreinte : c’est plus long`;

await runCommand(async (words) => {
  const [option, ...others] = words;
  if ((option !== undefined && option !== '--empreintes') || others.length > 0) throw new ConfigError(USAGE);
  const config = readConfig();
  requireSite(config);
  // Without a key nothing that is sealed opens, and the findings say so.
  const secrets = makeSecrets(config.SECRET_KEY ?? (await keyOf(config)) ?? '');
  const services = await openToLook(config, secrets, openLog(config.LOG_LEVEL, process.stderr));
  try {
    const isThorough = option === '--empreintes';
    const found = await examine({ services, works: scheduledWorks(services), isThorough });
    if (found.some(({ state }) => state === 'à traiter')) process.exitCode = 1;
    return printed(found);
  } finally {
    await closeServices(services);
  }
});

async function keyOf({ DATABASE_URL: url, DATA_DIR: directory }: Config): Promise<string | undefined> {
  const { db, close } = openDatabase({ url, directory, isReadOnly: true });
  try {
    return await findKeyOfFolder(db, directory);
  } finally {
    await close();
  }
}
