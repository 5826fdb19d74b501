import { type ChainFound, verifyChain } from '#features/audit/server/journal.ts';
import { type ChainedLine, hasLine } from '#features/audit/server/store.ts';
import { ConfigError } from '#platform/server/config.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict } from '#platform/server/errors.ts';
import { id } from '#platform/shared/call.ts';
import { runCommand, withDatabase } from './command.ts';

/* Checks that the journal has not been altered, also while the site runs. */

const USAGE = `Usage :
  passerelle journal verifier                     relit tout le journal, et nomme la première ligne qui a été changée
  passerelle journal verifier NUMÉRO MAILLON      de même, et cherche la ligne notée à une vérification d’avant`;

/** Reports on the journal's chain; throws 409 when lines were altered, added or removed. */
async function report(
  db: Access,
  { good, last, wrong, isCut }: ChainFound,
  noted?: ChainedLine,
): Promise<string> {
  if (wrong)
    throw conflict(
      `La ligne n° ${wrong.id} (${wrong.instant}, ${wrong.acteur}, ${wrong.action}) ne suit pas celle d’avant\u202f: ` +
        `elle a été changée ou ajoutée, ou d’autres l’ont été ou manquent juste avant elle. Lignes intactes avant elle\u202f: ${good}.`,
    );
  if (isCut)
    throw conflict(
      `La fin du journal manque. Lignes intactes\u202f: ${good}${last ? `, jusqu’à la ligne n° ${last.id} (${last.instant})` : ''}.`,
    );
  if (noted && !(await hasLine(db, noted)))
    throw conflict(
      `La ligne n° ${noted.id} n’est pas celle qui a été notée\u202f: la fin du journal a été coupée, ou tout le journal ` +
        'remplacé. Une ligne de plus d’un an est effacée et ne prouve plus rien.',
    );
  if (!last) return 'Le journal est vide.';
  return (
    `Lignes intactes\u202f: ${good}. La dernière\u202f: n° ${last.id}, maillon ${last.chaine}\n` +
    'Notez-la ailleurs que sur cette machine\u202f: donnée à la prochaine vérification, elle montre que la fin n’a pas été coupée.'
  );
}

function readNoted(number: string | undefined, chaine: string | undefined): ChainedLine | undefined {
  if (number === undefined) return undefined;
  const line = id.safeParse(number);
  if (!line.success || !chaine) throw new ConfigError(USAGE);
  return { id: line.data, chaine };
}

await runCommand(async ([action, number, chaine]) => {
  if (action !== 'verifier') throw new ConfigError(USAGE);
  const noted = readNoted(number, chaine);
  return withDatabase(async ({ database: { db }, secrets }) =>
    report(db, await verifyChain(db, secrets), noted),
  );
});
