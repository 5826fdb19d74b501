import type { Database } from '#platform/server/db/database.ts';
import type { Log } from '#platform/server/log.ts';
import { type Storage, unlessMissing } from '#platform/server/storage/storage.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import {
  type FileRow,
  FOLDERS,
  isRegistered,
  keysOf,
  listRegistered,
  RECEIVED_FOLDER,
} from './registerStore.ts';

/** Orphan cleanup: compares storage and register. */

const QUARANTINE = 'quarantaine';

interface CleanupResult {
  /** Files without a row, moved to quarantine. */
  quarantined: number;
  /** Files erased, after their time in quarantine. */
  erased: number;
  /** Rows whose file is not there: they answer 404, and an operator has to act. */
  missing: number;
}

/** A row whose file is not there, and the first missing key: of the file itself, or of a narrower size. */
type MissingFile = Pick<FileRow, 'nom' | 'dossier'> & { key: string };

/** Age, in ms, below which a file without a row may belong to a write under way. */
export const GRACE_MS = DAY_MS;

/**
 * Walks storage and register: calls `onStray` for each file without a row, looked up one by one, that was stored
 * before an instant, and returns the rows whose files are not all there.
 */
export async function compareFiles(
  { database, storage }: { database: Database; storage: Storage },
  before: Date,
  onStray: (key: string) => void | Promise<void>,
): Promise<MissingFile[]> {
  const present = new Set<string>();
  for (const folder of FOLDERS) {
    for await (const { key, keptAt } of storage.list(folder)) {
      present.add(key);
      if (keptAt > before || (await isRegistered(database.db, key))) continue;
      await onStray(key);
    }
  }
  const rows = await listRegistered(database.db);
  const missing: MissingFile[] = [];
  for (const row of rows) {
    const key = keysOf(row).find((one) => !present.has(one));
    // Stored since the folders were walked, or condemned since the rows were read.
    if (key === undefined || (await storage.has(key)) || !(await isRegistered(database.db, key))) continue;
    missing.push({ nom: row.nom, dossier: row.dossier, key });
  }
  return missing;
}

/**
 * Makes storage and register consistent after crashes. A file without a row, older than `graceMs`, is moved to
 * quarantine, and erased from there after `quarantineMs`; each is looked up again just before it is moved. An
 * original photo is erased at once rather than quarantined: it says where a child was.
 */
export async function cleanUpOrphans(
  services: {
    database: Database;
    storage: Storage;
    staging: { newPath(): string };
    clock: () => Date;
    log: Log;
  },
  { graceMs = GRACE_MS, quarantineMs = 7 * DAY_MS } = {},
): Promise<CleanupResult> {
  const { storage, clock, log } = services;
  const now = clock().getTime();
  const result: CleanupResult = { quarantined: 0, erased: 0, missing: 0 };
  const missing = await compareFiles(services, new Date(now - graceMs), async (key) => {
    if (key.startsWith(`${RECEIVED_FOLDER}/`)) {
      await storage.remove([key]);
      result.erased++;
    } else if (await putAside(services, key)) result.quarantined++;
  });
  for await (const { key, keptAt } of storage.list(QUARANTINE)) {
    if (now - keptAt.getTime() < quarantineMs) continue;
    await storage.remove([key]);
    result.erased++;
  }
  for (const { nom, dossier } of missing)
    log.error({ file: nom, folder: dossier }, 'a registered file is missing from storage');
  result.missing = missing.length;
  if (result.quarantined + result.erased > 0) log.warn(result, 'files without a row were put aside');
  return result;
}

/** Moves a file to quarantine; false when it vanished meanwhile, as one just erased does. */
async function putAside(
  { storage, staging }: { storage: Storage; staging: { newPath(): string } },
  key: string,
): Promise<boolean> {
  const aside = staging.newPath();
  const isFetched = await unlessMissing(storage.fetch(key, aside).then(() => true));
  if (!isFetched) return false;
  await storage.keep(aside, `${QUARANTINE}/${key}`);
  await storage.remove([key]);
  return true;
}
