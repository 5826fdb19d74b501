import { crc32 } from 'node:zlib';
import { readLastMigration } from '#app/migrations/migrate.ts';
import { tableKeys } from '#app/server/features.ts';
import { mergeErasures } from '#features/audit/server/erasures.ts';
import { atOnce } from '#platform/server/concurrency.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import { listTables, readLastIds, readRows, type TableName } from '#platform/server/db/wholeTables.ts';
import { type HeldFile, isHeld, listHeldFiles } from '#platform/server/files/registerStore.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { ErasureFile } from '#platform/server/storage/erasureFile.ts';
import { FileMissing, type Storage } from '#platform/server/storage/storage.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { type Destination, ERASURES, fileOf, type Measured } from './destination.ts';
import {
  AT_ONCE,
  isAsWritten,
  type Manifest,
  nameOf,
  packed,
  partOfTable,
  readErasuresCopy,
  readManifest,
  writeManifest,
  writeSeal,
} from './manifest.ts';

/*
 * Backs up a site, running or stopped: its tables as of one instant, then the files that they name. Files that an
 * earlier backup holds are not copied again.
 */

/** Tables left out of backups, as their content means nothing once time has passed. */
const LEFT_OUT = new Set<TableName>([
  // A session that has ended since would be valid again.
  'sessions',
  'sessions_finies',
  // Rate limits, counted over minutes; a restored site begins anew.
  'tentatives',
  // Scheduled works find out by themselves that they are due.
  'planifications',
  // Kept a few days to undo an import; the imported people are in their own tables.
  'imports',
  'imports_familles',
  'imports_sejours',
  'imports_directeurs',
  'imports_laissees',
  // Selections of a session, kept for a day.
  'photos_selections',
  // Answers to creations that may be asked again, kept for a day.
  'creations',
  // Challenges that were used, kept for minutes.
  'defis',
  // About the machine that was backed up, and counted over hours.
  'alertes',
  'rafales',
]);

interface Site {
  database: Database;
  storage: Storage;
  erasures: ErasureFile;
  /** Of the key that seals the backup; undefined for a site that has none yet. */
  secrets: Secrets | undefined;
}

export interface BackedUp {
  instant: string;
  manifest: Manifest;
  /** Number of files copied because no earlier backup had them intact. */
  copied: number;
  /** Keys of the files copied again because their copy among the backups had become unreadable. */
  renewed: string[];
  /** Keys of the copied files whose bytes differ from the hash in the register. */
  altered: string[];
}

/** Days over which the files of earlier backups are all read again, a share each day, as disks lose data silently. */
const REREAD_DAYS = 30;

/** Whether today is the day to read this file's copy again. */
function isDue(key: string, now: Date): boolean {
  return crc32(key) % REREAD_DAYS === Math.floor(now.getTime() / DAY_MS) % REREAD_DAYS;
}

/** Makes a backup. The caller must hold the lock of the destination. */
export async function backUp(site: Site, destination: Destination, now: Date): Promise<BackedUp> {
  const instant = instantName(now);
  const known = await readKnown(destination);
  await destination.begin(instant);
  const { files, ...rows } = await site.database.snapshot((db) =>
    writeTables(db, site.database, destination, instant),
  );
  const { copied, renewed, altered, ...kept } = await copyFiles(site, destination, files, known, now);
  const manifest: Manifest = { format: 1, instant: now.toISOString(), ...rows, ...kept };
  const written = await writeManifest(destination, instant, manifest);
  if (site.secrets) await writeSeal(destination, instant, written, site.secrets);
  await destination.complete(instant);
  await copyErasures(site.erasures, destination);
  return { instant, manifest, copied, renewed, altered };
}

/** The folder name of a backup: sorts by time, and uses only characters that any file system accepts. */
function instantName(instant: Date): string {
  return instant.toISOString().replace(/[:.]/g, '-');
}

/** The files of the newest backup, by key; none when its manifest is damaged, which must not prevent a new backup. */
export async function readKnown(destination: Destination): Promise<Map<string, Measured>> {
  const newest = (await destination.listInstants()).at(-1);
  const manifest = newest && (await readManifest(destination, newest).catch(() => undefined));
  return new Map(manifest ? manifest.fichiers.map(({ cle, ...measured }) => [cle, measured]) : []);
}

async function writeTables(
  db: Access,
  { engine }: Database,
  destination: Destination,
  instant: string,
): Promise<Pick<Manifest, 'migration' | 'derniers_ids' | 'tables'> & { files: HeldFile[] }> {
  const migration = await readLastMigration(db);
  const tables: Manifest['tables'] = {};
  for (const table of await listTables(db, tableKeys)) {
    if (LEFT_OUT.has(table)) continue;
    let lignes = 0;
    async function* counted() {
      for await (const rows of readRows(db, table, tableKeys)) {
        lignes += rows.length;
        yield rows;
      }
    }
    const written = await destination.write(partOfTable(instant, table), packed(counted()));
    tables[table] = { lignes, ...written };
  }
  return { migration, derniers_ids: await readLastIds(db, engine), tables, files: await listHeldFiles(db) };
}

async function copyFiles(
  { database, storage }: Site,
  destination: Destination,
  files: readonly HeldFile[],
  known: ReadonlyMap<string, Measured>,
  now: Date,
) {
  const found = { fichiers: [] as Manifest['fichiers'], effaces: [] as string[], manquants: [] as string[] };
  const altered: string[] = [];
  const renewed: string[] = [];
  let copied = 0;
  await atOnce(AT_ONCE, files, async ({ key, kept }) => {
    const earlier = known.get(key);
    const there = await findThere(destination, key, earlier, kept, !earlier || isDue(key, now));
    if (there) {
      found.fichiers.push({ cle: key, ...there });
      return;
    }
    try {
      const measured = await destination.write(fileOf(nameOf(key)), await storage.read(key));
      copied++;
      if (earlier && earlier.sha256 === measured.sha256) renewed.push(key);
      if (kept && measured.sha256 !== kept.sha256) altered.push(key);
      found.fichiers.push({ cle: key, ...measured });
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      found[(await isHeld(database.db, key)) ? 'manquants' : 'effaces'].push(key);
    }
  });
  return { ...found, copied, renewed, altered };
}

/**
 * Finds a usable copy of a file in the destination, left by an earlier or interrupted backup; undefined when there is
 * none. With `isRead`, every byte of it is checked.
 */
async function findThere(
  destination: Destination,
  key: string,
  known: Measured | undefined,
  kept: Measured | undefined,
  isRead: boolean,
): Promise<Measured | undefined> {
  const wanted = known ?? kept;
  const at = fileOf(nameOf(key));
  if (!wanted || (kept && wanted.sha256 !== kept.sha256)) return undefined;
  if (!(await destination.hasSize(at, wanted.taille))) return undefined;
  return !isRead || (await isAsWritten(destination.read(at), wanted)) ? wanted : undefined;
}

async function copyErasures(erasures: ErasureFile, destination: Destination): Promise<void> {
  const { content } = await erasures.read();
  const merged = mergeErasures([await readErasuresCopy(destination), content]);
  if (merged === '') return;
  await destination.write(ERASURES, [Buffer.from(merged)]);
  await destination.flush();
}

/** Erases the backups made before an instant, and the files that no other backup names. Returns how many backups. */
export async function forgetBackups(destination: Destination, before: Date): Promise<number> {
  const instants = await destination.listInstants();
  const old = instants.filter((instant) => instant < instantName(before));
  for (const instant of old) await destination.forget(instant);
  const named = new Set<string>();
  for (const instant of instants.slice(old.length)) {
    const { fichiers } = await readManifest(destination, instant);
    for (const { cle } of fichiers) named.add(nameOf(cle));
  }
  for await (const name of destination.listFiles()) if (!named.has(name)) await destination.removeFile(name);
  return old.length;
}
