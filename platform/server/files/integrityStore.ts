import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SelectQueryBuilder } from 'kysely';
import { type Access, countRows } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf, type Storage } from '#platform/server/storage/storage.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { CONDEMNED, type FileRow } from './registerStore.ts';

/*
 * Integrity check: every registered file is read within a week and compared with its size and hash, as disks corrupt
 * data silently. A damaged file is still served: most that one wrong byte spoils can still be seen. The narrower
 * sizes of pictures have no hash: they are not checked, as they can be made again from the picture.
 */

/** Time, in ms, after which a file is checked again. */
const REST_MS = 3 * DAY_MS;
/** Hourly runs among which the bytes of all files are divided: four days, which with `REST_MS` make the week. */
const RUNS = 96;
/** Bytes that a run may read in any case, so that a small site is not read in tiny portions. */
const RUN_BYTES = 64 * 1024 * 1024;
/** Files whose results are written at once: a crash in between costs a second check of them. */
const SLICE = 20;

type Read = Pick<FileRow, 'nom' | 'dossier' | 'taille' | 'sha256' | 'crc32' | 'abime_le'>;
type Files = SelectQueryBuilder<Tables, 'fichiers', object>;

/** One run: first the damaged files, which may have been restored, then those not checked for longest. */
export async function checkIntegrity(services: Services): Promise<void> {
  const { database, clock } = services;
  const now = clock();
  const at = now.toISOString();
  await database.write((transaction) =>
    transaction
      .updateTable('fichiers')
      .set({ verifie_le: '' })
      // Dated by a clock that ran ahead.
      .where('verifie_le', '>', at)
      .execute(),
  );
  const bytes = Math.max(RUN_BYTES, (await countBytes(database.db)) / RUNS);
  const due = new Date(now.getTime() - REST_MS).toISOString();
  await readSome(services, bytes, (files) =>
    files.where('abime_le', 'is not', null).where('verifie_le', '<', at),
  );
  await readSome(services, bytes, (files) =>
    files.where('abime_le', 'is', null).where('verifie_le', '<', due),
  );
}

async function countBytes(db: Access): Promise<number> {
  const { bytes } = await db
    .selectFrom('fichiers')
    .select(({ fn }) => fn.sum<number | null>('taille').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

async function readSome(services: Services, bytes: number, which: (files: Files) => Files): Promise<void> {
  const { database, storage } = services;
  let left = bytes;
  while (left > 0) {
    const files = await which(database.db.selectFrom('fichiers'))
      .select(['nom', 'dossier', 'taille', 'sha256', 'crc32', 'abime_le'])
      .where('objet', '!=', CONDEMNED)
      .orderBy('verifie_le')
      .limit(SLICE)
      .execute();
    if (files.length === 0) return;
    const damaged: Read[] = [];
    for (const file of files) {
      if (!(await isWhole(storage, keyOf(file.dossier, file.nom), file))) damaged.push(file);
      left -= file.taille;
    }
    await write(services, files, damaged);
  }
}

/** Records the results of files that are still in the register. */
async function write(
  { database, clock, log }: Services,
  files: readonly Read[],
  damaged: readonly Read[],
): Promise<void> {
  const at = clock().toISOString();
  const bad = new Set(damaged.map(({ nom }) => nom));
  const whole = files.flatMap(({ nom }) => (bad.has(nom) ? [] : [nom]));
  const found = await database.write(async (transaction) => {
    const update = (names: readonly string[]) =>
      transaction
        .updateTable('fichiers')
        .set({ verifie_le: at })
        .where('nom', 'in', names)
        .where('objet', '!=', CONDEMNED);
    if (whole.length > 0) await update(whole).set({ abime_le: null }).execute();
    if (bad.size === 0) return [];
    return update([...bad])
      .set(({ fn, ref, val }) => ({ abime_le: fn.coalesce(ref('abime_le'), val(at)) }))
      .returning('nom')
      .execute();
  });
  for (const { nom, dossier, abime_le } of damaged) {
    if (abime_le === null && found.some((row) => row.nom === nom))
      log.error({ file: nom, folder: dossier }, 'a registered file is damaged or missing');
  }
}

/** Error codes that concern this very file; any other concerns the place where it is stored. */
const UNREADABLE = new Set(['EIO', 'EISDIR', 'EACCES']);

/** True when a file is as it was registered; false also when it is missing. */
export async function isWhole(
  storage: Storage,
  key: string,
  { taille, sha256, crc32: sum = null }: Pick<Read, 'taille' | 'sha256'> & Partial<Pick<Read, 'crc32'>>,
): Promise<boolean> {
  const hash = createHash('sha256');
  const read = { bytes: 0, crc: 0 };
  try {
    for await (const chunk of await storage.read(key)) {
      hash.update(chunk);
      read.crc = crc32(chunk, read.crc);
      read.bytes += chunk.length;
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof FileMissing || UNREADABLE.has(code)) return false;
    throw error;
  }
  return read.bytes === taille && hash.digest('hex') === sha256 && (sum === null || read.crc === sum);
}

/** Keys of the files that were damaged or missing at their last check, those found first before the others. */
export async function listDamaged(db: Access): Promise<string[]> {
  const rows = await db
    .selectFrom('fichiers')
    .select(['nom', 'dossier'])
    .where('abime_le', 'is not', null)
    .where('objet', '!=', CONDEMNED)
    .orderBy('abime_le')
    .orderBy('nom')
    .execute();
  return rows.map(({ nom, dossier }) => keyOf(dossier, nom));
}

/** Number of files that were there and have not been checked since an instant. */
export async function countUnread(db: Access, since: Date): Promise<number> {
  return countRows(
    db
      .selectFrom('fichiers')
      .where('verifie_le', '<', since.toISOString())
      .where('created_at', '<', since.toISOString()),
  );
}
