import { requireKnown } from '#app/migrations/migrate.ts';
import { mergeErasures, putBackErasures } from '#features/audit/server/erasures.ts';
import { journal } from '#features/audit/server/journal.ts';
import { recheckPhotos } from '#features/photos/server/erasures.ts';
import { noteRestoration } from '#features/site/server/settingsStore.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { atOnce } from '#platform/server/concurrency.ts';
import type { Database } from '#platform/server/db/database.ts';
import { isDatabaseThere, openDatabase } from '#platform/server/db/open.ts';
import type { TableName } from '#platform/server/db/wholeTables.ts';
import { conflict } from '#platform/server/errors.ts';
import { checkIntegrity, isWhole } from '#platform/server/files/integrityStore.ts';
import { condemnGone, isHeld, listHeldFiles } from '#platform/server/files/registerStore.ts';
import { BACKUP, noteRun } from '#platform/server/jobs/jobsStore.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import type { ErasureFile } from '#platform/server/storage/erasureFile.ts';
import type { Storage } from '#platform/server/storage/storage.ts';
import type { UploadStaging } from '#platform/server/storage/uploadStaging.ts';
import { readKnown } from './backup.ts';
import { type Destination, fileOf, type Measured } from './destination.ts';
import { keepFrom, load, requireEmptyDatabase, requireOnlyFiles } from './load.ts';
import {
  AT_ONCE,
  damaged,
  damagedPaths,
  findDamage,
  isAsWritten,
  isSealedBy,
  type Manifest,
  nameOf,
  readErasuresCopy,
  readManifest,
  unpacked,
} from './manifest.ts';

/*
 * Restores a backup where there is no site yet. Every byte of it is read before anything is written; then come its
 * files, the erasures made since, and its rows in one transaction: until that commits there is no site. Damaged files
 * are left out when that is asked for: the site then names them as files that it has lost. Tables are not.
 */

interface Target {
  database: { url?: string | undefined; directory: string };
  storage: Storage;
  staging: UploadStaging;
  erasures: ErasureFile;
}

export interface Restored {
  manifest: Manifest;
  rows: number;
  /** Number of published photos that a person has to check again, as it is unknown which were erased since. */
  rechecked: number;
  /** Keys of the damaged files that were left out. */
  skipped: string[];
}

interface Wanted {
  instant: string;
  /** The content of the site's own file of erasures; undefined when it was lost. */
  erasures: string | undefined;
  /** Leaves damaged files out, instead of refusing the backup. */
  skipsDamaged: boolean;
  /** Of the key that must have sealed the backup; undefined: its seal is not checked. */
  secrets: Secrets | undefined;
}

/** Restores a backup. Throws 409 for one that is damaged, or that this site has not made. */
export async function restore(
  target: Target,
  destination: Destination,
  { instant, erasures, skipsDamaged, secrets }: Wanted,
  now: Date,
): Promise<Restored> {
  const manifest = await readManifest(destination, instant);
  requireKnown(manifest.migration);
  await requireEmpty(target, manifest);
  const copy = await readErasuresCopy(destination);
  requireNewest(erasures, copy);
  if (secrets && !(await isSealedBy(destination, instant, secrets))) throw foreign(instant);
  const damage = await findDamage(destination, instant, manifest);
  const [first] = damagedPaths(destination, damage);
  if (first && !(skipsDamaged && damage.tables.length === 0)) throw damaged(first);
  const skipped = new Set(damage.files);

  const whole = manifest.fichiers.filter(({ cle }) => !skipped.has(cle));
  await atOnce(AT_ONCE, whole, ({ cle }) => keepFrom(destination.read(fileOf(nameOf(cle))), target, cle));
  // Written before the rows, so that a site that starts on them knows what to erase again.
  await putBackErasures(target.erasures, [copy, erasures ?? '']);
  const database = openDatabase(target.database);
  try {
    const written = await writeRows(database, destination, instant, manifest, { erasures, now });
    // A site that has just come from a backup has one.
    await noteRun(database, BACKUP, new Date(manifest.instant));
    return { manifest, ...written, skipped: damage.files };
  } finally {
    await database.close();
  }
}

async function writeRows(
  { engine, write }: Database,
  destination: Destination,
  instant: string,
  manifest: Manifest,
  { erasures, now }: { erasures: string | undefined; now: Date },
): Promise<Pick<Restored, 'rows' | 'rechecked'>> {
  return write(async (transaction) => {
    const rows = await load(transaction, engine, {
      migration: manifest.migration,
      lastIds: manifest.derniers_ids,
      tables: Object.keys(manifest.tables) as TableName[],
      rows: (table) => unpacked(destination, instant, table),
    });
    await condemnGone(transaction, manifest.effaces);
    const rechecked = erasures === undefined ? await recheckPhotos(transaction, now) : 0;
    const again = rechecked > 0 ? `\u202f; ${rechecked} photos publiées remises à vérifier` : '';
    const action = `restauration de la sauvegarde du ${manifest.instant}${again}`;
    await noteRestoration(transaction, action, now);
    return { rows, rechecked };
  });
}

async function requireEmpty({ database: where, storage }: Target, { fichiers }: Manifest): Promise<void> {
  // Opening a database that does not exist would create it.
  if (isDatabaseThere(where)) {
    const database = openDatabase(where);
    try {
      await requireEmptyDatabase(database.db);
    } finally {
      await database.close();
    }
  }
  await requireOnlyFiles(storage, new Set(fichiers.map(({ cle }) => cle)));
}

const foreign = (instant: string) =>
  conflict(
    `La sauvegarde ${instant} ne porte pas le sceau de cette clé secrète\u202f: elle vient d’une version d’avant les sceaux, d’une autre clé, ou quelqu’un l’a changée. Donnez la clé d’alors (secret.key, SECRET_KEY)\u202f; si vous savez d’où elle vient, ajoutez --sans-sceau.`,
  );

/** Throws 409 when the given file of erasures lacks entries of its copy beside the backups. */
function requireNewest(erasures: string | undefined, copy: string): void {
  if (erasures !== undefined && mergeErasures([erasures, copy]) !== mergeErasures([erasures]))
    throw conflict(
      'Ce fichier des effacements est plus ancien que sa copie parmi les sauvegardes\u202f: donnez celui que le site tenait en dernier, ou lancez la commande sans --effacements.',
    );
}

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
