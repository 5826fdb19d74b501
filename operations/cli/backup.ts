import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findKeyOfFolder } from '#app/server/siteDatabase.ts';
import { type BackedUp, backUp, forgetBackups } from '#operations/copy/backup.ts';
import { type Destination, instantsOf, namedBy, openDestination } from '#operations/copy/destination.ts';
import { damagedPaths, findDamage, isSealedBy, readManifest } from '#operations/copy/manifest.ts';
import { type Config, ConfigError, readConfig } from '#platform/server/config.ts';
import { DirectoryInUse, lockDirectory } from '#platform/server/db/directory.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { conflict, HttpError } from '#platform/server/errors.ts';
import { BACKUP, noteRun } from '#platform/server/jobs/jobsStore.ts';
import { makeSecrets, secretsAt } from '#platform/server/secrets.ts';
import { erasuresOf } from '#platform/server/storage/erasureFile.ts';
import { openStorage } from '#platform/server/storage/open.ts';
import { stagingIn } from '#platform/server/storage/uploadStaging.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { requireSite, runCommand, writingTo } from './command.ts';

/* Backs up the whole site, also while it runs. */

/** Longest time, in days, that backups of people's data may be kept. */
const KEPT_DAYS = 30;

const USAGE = `Usage\u202f:
  passerelle backup DOSSIER [--garder JOURS]   sauvegarde le site dans ce dossier, et y efface les
                                               sauvegardes de plus de ${KEPT_DAYS} jours, ou du nombre donné
  passerelle backup --verifier DOSSIER[/INSTANT]
                                               relit chaque octet de toutes les sauvegardes, ou d’une seule`;

type Wanted = { isCheck: true; folder: string } | { isCheck: false; folder: string; days: number };

function read(words: string[]): Wanted {
  try {
    const options = {
      garder: { type: 'string' },
      verifier: { type: 'boolean', default: false },
    } as const;
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const [folder, ...others] = positionals;
    const { verifier: isCheck, garder } = values;
    if (folder && others.length === 0 && isCheck && garder === undefined) return { isCheck, folder };
    const days = garder ?? String(KEPT_DAYS);
    if (folder && others.length === 0 && !isCheck && /^[1-9]\d{0,3}$/.test(days))
      return { isCheck, folder: resolve(folder), days: Number(days) };
  } catch {
    // An unknown option.
  }
  throw new ConfigError(USAGE);
}

await runCommand(async (words) => {
  const wanted = read(words);
  const config = readConfig();
  if (wanted.isCheck) return verify(wanted.folder, config);
  const { folder, days } = wanted;
  const where = { url: config.DATABASE_URL, directory: config.DATA_DIR };
  requireSite(config);
  return writing(folder, async () => {
    const unlock = lockDirectory(folder);
    const storage = await openStorage(config);
    const database = openDatabase(where);
    try {
      const destination = await openDestination(folder, config.BACKUP_KEY, { isNew: true });
      const now = new Date();
      const staging = stagingIn(join(config.DATA_DIR, 'staging'));
      const key = config.SECRET_KEY ?? (await findKeyOfFolder(database.db, config.DATA_DIR));
      const secrets = key === undefined ? undefined : makeSecrets(key);
      const site = { database, storage, erasures: erasuresOf(config, storage, staging), secrets };
      const done = await backUp(site, destination, now);
      const kept = new Date(now.getTime() + days * DAY_MS);
      await noteRun(database, BACKUP, now, { prochaine_le: kept.toISOString() });
      const forgotten = await forgetBackups(destination, new Date(now.getTime() - days * DAY_MS));
      if (done.altered.length + done.manifest.manquants.length > 0) process.exitCode = 1;
      return tell(folder, done, forgotten, config.BACKUP_KEY !== undefined);
    } finally {
      await database.close();
      storage.close();
      unlock();
    }
  });
});

/** Reads backups back, wherever they are: there need be no site. With its secret key, their seals are checked as well. */
async function verify(given: string, config: Config): Promise<string> {
  const { folder, wanted } = namedBy(given);
  const destination = await openDestination(folder, config.BACKUP_KEY);
  const secrets = secretsAt(config);
  const lines: string[] = [];
  for (const instant of await instantsOf(destination, wanted)) {
    const paths = await damagedIn(destination, instant);
    const isForeign = secrets !== undefined && !(await isSealedBy(destination, instant, secrets));
    if (paths.length > 0)
      lines.push(
        `${instant}\u202f: ABÎMÉE, ${paths.length} fichiers manquent ou ne sont plus ce qui a été écrit.`,
      );
    else if (isForeign)
      lines.push(`${instant}\u202f: SANS SCEAU, ou changée depuis par quelqu’un qui n’a pas la clé du site.`);
    else lines.push(`${instant}\u202f: intacte.`);
    lines.push(...paths.map((path) => `- ${path}`));
    if (paths.length > 0 || isForeign) process.exitCode = 1;
  }
  if (!secrets) lines.push('Les sceaux n’ont pas été vérifiés\u202f: il y faut la clé secrète du site.');
  return lines.join('\n');
}

async function damagedIn(destination: Destination, instant: string): Promise<string[]> {
  try {
    const manifest = await readManifest(destination, instant);
    return damagedPaths(destination, await findDamage(destination, instant, manifest));
  } catch (error) {
    if (error instanceof HttpError) return [error.message];
    throw error;
  }
}

/** Says in a sentence that the folder of backups cannot be written to, or is in use. */
async function writing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await writingTo(folder, 'Cette sauvegarde n’est pas faite\u202f; les précédentes restent.', work);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw conflict(`Une autre sauvegarde est en cours dans ${folder}\u202f: attendez qu’elle finisse.`);
  }
}

function tell(
  folder: string,
  { instant, manifest, copied, renewed, altered }: BackedUp,
  forgotten: number,
  isSealed: boolean,
): string {
  const { tables, fichiers, effaces, manquants } = manifest;
  const rows = Object.values(tables).reduce((sum, { lignes }) => sum + lignes, 0);
  const lines = [
    `Sauvegarde faite\u202f: ${folder}/${instant}`,
    `${rows} lignes, ${fichiers.length} fichiers dont ${copied} nouveaux${isSealed ? ', chiffrés' : ''}.`,
  ];
  if (effaces.length > 0) lines.push(`Fichiers effacés du site entre-temps\u202f: ${effaces.length}.`);
  if (renewed.length > 0)
    lines.push(
      `ATTENTION, des fichiers s’étaient abîmés ou perdus dans les sauvegardes, et y sont copiés de nouveau (${renewed.length})\u202f: vérifiez ce disque.`,
    );
  if (forgotten > 0) lines.push(`Sauvegardes trop anciennes, effacées\u202f: ${forgotten}.`);
  lines.push(
    ...faults('manquent au site', manquants),
    ...faults('ne sont plus ce que le site a reçu', altered),
  );
  lines.push(
    'La clé secrète (SECRET_KEY ou secret.key) n’y est pas\u202f: gardez-la ailleurs, avec une copie d’effacements.jsonl.',
  );
  if (isSealed)
    lines.push('Gardez ailleurs aussi BACKUP_KEY\u202f: sans elle, personne ne lit cette sauvegarde.');
  return lines.join('\n');
}

function faults(what: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const named = keys.slice(0, 5).join(', ');
  return [`ATTENTION, des fichiers ${what} (${keys.length})\u202f: ${named}${keys.length > 5 ? '…' : ''}`];
}
