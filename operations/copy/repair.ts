import { journal } from '#features/audit/server/journal.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { atOnce } from '#platform/server/concurrency.ts';
import { checkIntegrity, isWhole } from '#platform/server/files/integrity.ts';
import { isHeld, listHeldFiles } from '#platform/server/files/register.ts';
import type { Services } from '#platform/server/services.ts';
import { readKnown } from './backup.ts';
import { type Destination, fileOf, type Measured } from './destination.ts';
import { keepFrom } from './load.ts';
import { AT_ONCE, isAsWritten, isSealedBy, nameOf } from './manifest.ts';

/* Puts back, from a folder of backups, the files that a site has lost or that are damaged; also while it runs. */

export interface Repaired {
  /** Keys of the files that are whole again. */
  repaired: string[];
  /** Keys of those of which the folder has no intact copy. */
  left: string[];
}

export async function repairFiles(site: Services, destination: Destination): Promise<Repaired> {
  const { database, storage } = site;
  const known = await readSealed(site, destination);
  const found: Repaired = { repaired: [], left: [] };
  await atOnce(AT_ONCE, await listHeldFiles(database.db), async (file) => {
    const { key } = file;
    // Of a narrower size of a picture nothing is known but whether it is there.
    const isThere = file.kept ? await isWhole(storage, key, file.kept) : await storage.has(key);
    if (isThere || !(await isHeld(database.db, key))) return;
    const kept = file.kept ?? known.get(key);
    const at = fileOf(nameOf(key));
    if (!kept || !(await isAsWritten(destination.read(at), kept))) {
      found.left.push(key);
      return;
    }
    await keepFrom(destination.read(at), site, key);
    // Erased since it was listed: it must not come back.
    if (await isHeld(database.db, key)) found.repaired.push(key);
    else await storage.remove([key]);
  });
  if (found.repaired.length > 0) await record(site, found.repaired.length);
  return { repaired: found.repaired.sort(), left: found.left.sort() };
}

/**
 * The files of the newest backup, if this site has sealed it: the register has no hash of the narrower sizes of pictures,
 * and somebody else may have changed the folder.
 */
async function readSealed({ secrets }: Services, destination: Destination): Promise<Map<string, Measured>> {
  const newest = (await destination.listInstants()).at(-1);
  return newest && (await isSealedBy(destination, newest, secrets)) ? readKnown(destination) : new Map();
}

async function record(site: Services, count: number): Promise<void> {
  const files = count === 1 ? 'd’un fichier perdu ou abîmé' : `de ${count} fichiers perdus ou abîmés`;
  const action = `remise ${files}, depuis les sauvegardes`;
  await site.database.write((transaction) => journal(transaction, OPERATOR, site.clock(), action));
  // It begins with those that were found damaged before, and ends their alert.
  await checkIntegrity(site);
}
