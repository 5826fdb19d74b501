import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Destination, instantsOf, namedBy, openDestination } from '#operations/copy/destination.ts';
import { type Restored, repairFiles, restore } from '#operations/copy/restore.ts';
import { type Config, ConfigError, readConfig } from '#platform/server/config.ts';
import { lockDirectory } from '#platform/server/db/directory.ts';
import { secretsAt } from '#platform/server/secrets.ts';
import { erasuresOf } from '#platform/server/storage/erasureFile.ts';
import { openStorage } from '#platform/server/storage/open.ts';
import { openStaging } from '#platform/server/storage/uploadStaging.ts';
import { runCommand, withSite } from './command.ts';

/* Restores a backup where there is no site yet, or the lost and damaged files of a site that is there. */

const USAGE = `Usage :
  passerelle restore DOSSIER[/INSTANT] [--effacements FICHIER] [--sauf-abimes] [--sans-sceau]
      remet la dernière sauvegarde du dossier, ou celle de cet instant, dans un DATA_DIR et une base vides ;
      FICHIER est le dernier effacements.jsonl du site, s’il n’est pas perdu ;
      --sauf-abimes laisse de côté les fichiers abîmés, et les nomme ;
      --sans-sceau remet une sauvegarde que la clé secrète d’ici n’a pas scellée
  passerelle restore DOSSIER --fichiers
      remet à un site, en marche ou arrêté, les fichiers qu’il a perdus ou qui sont abîmés`;

function read(words: string[]) {
  try {
    const options = {
      effacements: { type: 'string' },
      'sauf-abimes': { type: 'boolean' },
      'sans-sceau': { type: 'boolean' },
      fichiers: { type: 'boolean' },
    } as const;
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const [given, ...others] = positionals;
    const { fichiers: isRepair = false, ...ofWhole } = values;
    const named = namedBy(given ?? '');
    const isMixed = isRepair && (named.wanted !== undefined || Object.keys(ofWhole).length > 0);
    if (given && others.length === 0 && !isMixed)
      return {
        ...named,
        isRepair,
        erasures: values.effacements,
        skipsDamaged: values['sauf-abimes'] === true,
        skipsSeal: values['sans-sceau'] === true,
      };
  } catch {
    // An unknown option.
  }
  throw new ConfigError(USAGE);
}

async function readErasures(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ConfigError(`${path} n’existe pas.`);
    if (code !== 'EACCES') throw error;
    throw new ConfigError(
      `${path} ne se lit pas avec le compte du site\u202f: donnez-lui le fichier (chown).`,
    );
  }
}

await runCommand(async (words) => {
  const { isRepair, folder, wanted, erasures: path, skipsDamaged, skipsSeal } = read(words);
  const config = readConfig();
  const destination = await openDestination(folder, config.BACKUP_KEY);
  if (isRepair) return repair(destination);
  const instant = (await instantsOf(destination, wanted)).at(-1) ?? '';
  const erasures = path === undefined ? undefined : await readErasures(path);
  const unlock = lockDirectory(config.DATA_DIR);
  try {
    const storage = await openStorage(config);
    try {
      const staging = await openStaging(join(config.DATA_DIR, 'staging'));
      const database = { url: config.DATABASE_URL, directory: config.DATA_DIR };
      const target = { database, storage, staging, erasures: erasuresOf(config, storage, staging) };
      const secrets = secretsAt(config);
      const asked = { instant, erasures, skipsDamaged, secrets: skipsSeal ? undefined : secrets };
      const restored = await restore(target, destination, asked, new Date());
      if (restored.skipped.length > 0) process.exitCode = 1;
      return tell(config, restored, { hasErasures: erasures !== undefined, hasKey: secrets !== undefined });
    } finally {
      storage.close();
    }
  } finally {
    unlock();
  }
});

function repair(destination: Destination): Promise<string> {
  return withSite(async (services) => {
    const { repaired, left } = await repairFiles(services, destination);
    if (repaired.length + left.length === 0)
      return 'Tous les fichiers sont là et intacts\u202f: il n’y a rien à remettre.';
    if (left.length > 0) process.exitCode = 1;
    return [
      `Fichiers remis\u202f: ${repaired.length}.`,
      ...(left.length > 0 ? [`Sans copie intacte dans ces sauvegardes\u202f: ${left.length}.`] : []),
      ...left.map((key) => `- ${key}`),
    ].join('\n');
  }, 'warn');
}

function tell(
  config: Config,
  { manifest, rows, rechecked, skipped }: Restored,
  { hasErasures, hasKey }: { hasErasures: boolean; hasKey: boolean },
): string {
  const { instant, fichiers, manquants } = manifest;
  const lines = [
    `La sauvegarde du ${instant} est restaurée\u202f: ${rows} lignes, ${fichiers.length - skipped.length} fichiers.`,
    'Personne n’est plus connecté\u202f: chacun se connecte de nouveau.',
  ];
  if (skipped.length > 0)
    lines.push(
      `ATTENTION, des fichiers abîmés ne sont pas revenus (${skipped.length})\u202f:`,
      ...skipped.map((key) => `- ${key}`),
      'Le portail les signale. S’ils sont dans d’autres sauvegardes\u202f: passerelle restore DOSSIER --fichiers',
    );
  if (manquants.length > 0)
    lines.push(
      `Fichiers que le site avait déjà perdus\u202f: ${manquants.length}, que le journal du serveur nommera.`,
    );
  lines.push(
    ...(hasErasures
      ? ['Ce qui a été effacé depuis cette sauvegarde l’est de nouveau au démarrage, avant toute visite.']
      : [
          'Sans --effacements, ce qui a été effacé ou retiré après la dernière sauvegarde n’est pas connu\u202f:',
          `- les photos publiées attendent qu’une personne les regarde de nouveau («\u00a0À vérifier\u00a0»)\u202f: ${rechecked}\u202f;`,
          '- une adresse effacée depuis est revenue\u202f: effacez-la de nouveau (passerelle donnees effacer ADRESSE).',
          'Ce que connaît la copie gardée avec les sauvegardes est effacé de nouveau au démarrage.',
        ]),
  );
  if (!hasKey)
    lines.push(
      'Le sceau de cette sauvegarde n’a pas été vérifié\u202f: avec la clé secrète dès la restauration, il l’aurait été.',
      `Avant de démarrer, remettez la clé secrète, qui n’est dans aucune sauvegarde\u202f: ${join(config.DATA_DIR, 'secret.key')}, ou SECRET_KEY.`,
    );
  return lines.join('\n');
}
