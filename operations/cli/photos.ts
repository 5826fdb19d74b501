import { journal } from '#features/audit/server/journal.ts';
import { listOpenings } from '#features/photos/server/filesStore.ts';
import { getStay } from '#features/stays/server/staysStore.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { ConfigError } from '#platform/server/config.ts';
import type { Database } from '#platform/server/db/database.ts';
import { id } from '#platform/shared/call.ts';
import { runCommand, withDatabase } from './command.ts';

/* Questions about the photos of stays, from the command line, also while the site runs. */

const USAGE = `Usage :
  passerelle photos ouvertures NUMÉRO_DU_SÉJOUR   quelle connexion a ouvert quelle photo, et quand, en CSV`;

async function openings(database: Database, stageId: number): Promise<string> {
  const opened = await database.write(async (transaction) => {
    await getStay(transaction, stageId);
    const about = { table: 'stages', id: stageId };
    await journal(transaction, OPERATOR, new Date(), 'liste des ouvertures de photos d’un séjour', about);
    return listOpenings(transaction, stageId);
  });
  // Numbers, addresses and instants, which need no quoting.
  const lines = opened.map((one) => [one.session_id, one.ip, one.photo_id, one.ouverte_le].join(';'));
  return ['connexion;adresse;photo;ouverte_le', ...lines].join('\n');
}

await runCommand(async ([action = '', stay = '']) => {
  const stageId = id.safeParse(stay);
  if (action !== 'ouvertures' || !stageId.success) throw new ConfigError(USAGE);
  return withDatabase(({ database }) => openings(database, stageId.data));
});
