import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variablesIn } from './variables.ts';

/*
 * `passerelle COMMAND …`, a command of the site. On a server with the variables of its service and as its own account, so
 * that nobody types a secret in front of a command, and no file ends up as root's: `deploy/passerelle` calls it. In a
 * container, whose environment and account are those of the site, with what is there.
 */

const COMMANDS: Record<string, string> = {
  admin: 'les comptes du portail, et la clé secrète',
  backup: 'sauvegarde le site, ou relit les sauvegardes',
  doctor: 'vérifie le site, sans rien changer',
  donnees: 'ce que le site sait d’une adresse e-mail, et son effacement',
  export: 'tout le site en fichiers ouverts',
  journal: 'vérifie que personne n’a changé le journal',
  move: 'déménage le site vers PostgreSQL et un bucket',
  photos: 'qui a ouvert quelle photo d’un séjour',
  reprise: 'reprend ce que contient l’ancien site',
  restore: 'remet une sauvegarde, ou des fichiers perdus',
};

const USAGE = `Usage :
  passerelle COMMANDE …   sur un serveur, avec sudo ; sans rien d’autre, la plupart disent comment elles se tapent
${Object.entries(COMMANDS)
  .map(([name, what]) => `  ${name.padEnd(10)}${what}`)
  .join('\n')}`;

/** Where the service has its unit, its variables and its data, and whose it is: as in `deploy/passerelle.service`. */
const {
  PASSERELLE_UNITS = '/etc/systemd/system',
  PASSERELLE_ENV = '/etc/passerelle.env',
  PASSERELLE_ACCOUNT = 'passerelle',
  PASSERELLE_DATA = '/var/lib/passerelle',
} = process.env;

const [command = '', ...words] = process.argv.slice(2);
const trouble = Object.hasOwn(COMMANDS, command) ? await takeOver() : unknown(command);
if (trouble === undefined) {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...words);
  await import(`./${command}.ts`);
} else {
  process.stderr.write(`${trouble}\n`);
  process.exitCode = 1;
}

function unknown(word: string): string {
  return word === '' ? USAGE : `«\u00a0${word}\u00a0» n’est pas une commande.\n${USAGE}`;
}

/** Takes the variables of the service, and its account where root types the command; returns why it cannot. */
async function takeOver(): Promise<string | undefined> {
  try {
    Object.assign(
      process.env,
      variablesOfUnit(),
      { DATA_DIR: PASSERELLE_DATA },
      variablesIn(readFileSync(PASSERELLE_ENV, 'utf8')),
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && process.getuid?.() !== 0) return undefined;
    if (code === 'ENOENT')
      return `${PASSERELLE_ENV} n’existe pas\u202f: le site n’est pas installé comme un service sur cette machine.`;
    return `${PASSERELLE_ENV} ne se lit pas avec ce compte\u202f: tapez «\u00a0sudo passerelle ${command}\u00a0».`;
  }
  if (process.getuid?.() !== 0) return undefined;
  try {
    const group = Number(
      execFileSync('id', ['-g', PASSERELLE_ACCOUNT], { stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    process.setgroups?.([group]);
    process.setgid?.(group);
    process.setuid?.(PASSERELLE_ACCOUNT);
    return undefined;
  } catch {
    return `Le compte ${PASSERELLE_ACCOUNT} n’existe pas sur cette machine.`;
  }
}

/** What the unit itself sets, where one is installed; but for what depends on its port. */
function variablesOfUnit(): Record<string, string> {
  const path = ['passerelle.service', 'passerelle@.service']
    .map((name) => join(PASSERELLE_UNITS, name))
    .find((one) => existsSync(one));
  if (!path) return {};
  const lines = [...readFileSync(path, 'utf8').matchAll(/^Environment=(.*)$/gm)].map(
    ([, line]) => line ?? '',
  );
  return variablesIn(lines.filter((line) => !line.includes('%')).join('\n'));
}
