import { resolve } from 'node:path';
import { tableKeys } from '#app/server/features.ts';
import { journal } from '#features/audit/server/journal.ts';
import { WATCHED } from '#features/audit/shared/journal.ts';
import { exportTo } from '#features/takeover/server/openFiles.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { ConfigError } from '#platform/server/config.ts';
import { runCommand, withSite, writingTo } from './command.ts';

/* Writes all that the site holds as open files, also while it runs. */

const USAGE = `Usage :
  passerelle export DOSSIER   tout le contenu du site en CSV et JSON, avec ses images, ses photos et ses PDF,
                              dans un dossier qui n’existe pas encore ; LISEZMOI.md y dit ce qu’est chaque fichier`;

await runCommand(async ([given, ...others]) => {
  if (!given || given.startsWith('-') || others.length > 0) throw new ConfigError(USAGE);
  const folder = resolve(given);
  return withSite(async (services) => {
    const { database, clock } = services;
    // Before, as what is read by a command that then fails has been read.
    await database.write((transaction) => journal(transaction, OPERATOR, clock(), WATCHED.export));
    const { rows, files, missing } = await writingTo(folder, 'Rien n’est exporté.', () =>
      exportTo(services, tableKeys, folder),
    );
    if (missing.length > 0) process.exitCode = 1;
    return [
      `${folder}\u202f: ${rows} lignes et ${files} ${files > 1 ? 'fichiers' : 'fichier'}. LISEZMOI.md dit ce que c’est.`,
      ...missing.map((key) => `Le site a perdu ce fichier\u202f: ${key}`),
    ].join('\n');
  }, 'warn');
});
