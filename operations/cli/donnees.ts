import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { product } from '#app/server/features.ts';
import { openPersonalData } from '#features/privacy/server/feature.ts';
import type { PersonalData } from '#features/privacy/server/personal.ts';
import { mailAddress } from '#features/stays/shared/fields.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { ConfigError } from '#platform/server/config.ts';
import { conflict } from '#platform/server/errors.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import { askLine, runCommand, withSite } from './command.ts';

/* Exports or erases all that the site knows of an e-mail address, also while the site runs. */

const USAGE = `Usage :
  passerelle donnees exporter ADRESSE [FICHIER]   ce que le site sait d’une adresse e-mail, en JSON
  passerelle donnees effacer ADRESSE [--oui]      l’effacer définitivement, après confirmation (--oui : sans)`;

async function exportTo(personal: PersonalData, email: string, file: string | undefined): Promise<string> {
  const found = await personal.export(email, OPERATOR);
  if (file === undefined) return found.toString('utf8').trimEnd();
  const path = resolve(file);
  try {
    await writeFile(path, found, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw conflict(`${path} existe déjà\u202f: choisissez un autre nom.`);
    throw conflict(`${path} ne peut pas être écrit (${code})\u202f: choisissez un autre endroit.`);
  }
  return `Écrit dans ${path}.`;
}

async function erase(personal: PersonalData, email: string, option: string | undefined): Promise<string> {
  if (option !== '--oui') {
    const found = await personal.find(email, OPERATOR);
    const known = found.length > 0 ? listed(found) : 'Le site ne sait rien de cette adresse.';
    process.stderr.write(`${known}\n`);
    const typed = await askLine('Pour effacer définitivement, tapez l’adresse de nouveau\u202f: ');
    if (addressKey(typed) !== addressKey(email))
      throw conflict('Ce n’est pas la même adresse\u202f: rien n’est effacé.');
  }
  const erased = await personal.erase(email, OPERATOR);
  return erased.length > 0
    ? `C’est effacé définitivement.\n${listed(erased)}`
    : 'Le site ne savait rien de cette adresse\u202f; une sauvegarde qui la contient en sera débarrassée.';
}

function listed(found: readonly { texte: string }[]): string {
  return found.map(({ texte }) => `- ${texte}`).join('\n');
}

const WORKS = new Map([
  ['exporter', exportTo],
  ['effacer', erase],
]);

await runCommand(async ([action = '', given = '', option]) => {
  const work = WORKS.get(action);
  const email = mailAddress.safeParse(given);
  if (!work || !email.success) throw new ConfigError(USAGE);
  return withSite((services) => work(openPersonalData(services, product), email.data, option));
});
