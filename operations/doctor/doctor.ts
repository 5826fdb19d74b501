import { refusalOf } from '#app/server/refusals.ts';
import { backup, clock, erasures, integrity, jobs, journal, lastWrites, version, works } from './database.ts';
import { content, owners, photos, register } from './files.ts';
import { type Examined, type Finding, fine, treat } from './finding.ts';
import { disk, folder, nodeVersion, proxy } from './machine.ts';
import { mail } from './mail.ts';
import { sealed } from './sealed.ts';

/*
 * Looks a site over, running or stopped, and changes nothing. Each check stands alone: one that cannot be made is said
 * and keeps nobody from the others.
 */

type Check = (examined: Examined) => Finding | Finding[] | Promise<Finding | Finding[]>;

const OF_THE_MACHINE: readonly Check[] = [nodeVersion, folder, disk, proxy, mail];
/** Made only of tables that are as this program knows them. */
const OF_THE_TABLES: readonly Check[] = [
  integrity,
  lastWrites,
  journal,
  clock,
  sealed,
  erasures,
  register,
  content,
  owners,
  photos,
  jobs,
  works,
  backup,
];

export async function examine(examined: Examined): Promise<Finding[]> {
  const found = [fine('Réglages\u202f: ils se lisent.')];
  for (const check of OF_THE_MACHINE) found.push(...(await made(check, examined)));
  const known = await made(version, examined);
  found.push(...known);
  if (known.some(({ state }) => state !== 'ok')) return found;
  for (const check of OF_THE_TABLES) found.push(...(await made(check, examined)));
  return found;
}

async function made(check: Check, examined: Examined): Promise<Finding[]> {
  try {
    return [await check(examined)].flat();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [
      treat(
        refusalOf(error) ?? `Une vérification n’a pas pu se faire (${check.name}\u202f: ${code ?? message}).`,
      ),
    ];
  }
}

/** The list, the worst at its end, where a terminal shows it. */
export function printed(found: readonly Finding[]): string {
  const states = ['ok', 'à surveiller', 'à traiter'] as const;
  const lines = states.flatMap((state) =>
    found.flatMap((one) => (one.state === state ? `${state.padEnd(12)}  ${one.texte}` : [])),
  );
  const count = (wanted: Finding['state']) => found.filter(({ state }) => state === wanted).length;
  const sum = `${found.length} vérifications\u202f: ${count('à traiter')} à traiter, ${count('à surveiller')} à surveiller.`;
  return [...lines, sum].join('\n');
}
