import { readLastMigration } from '#app/migrations/migrate.ts';
import { tableKeys } from '#app/server/features.ts';
import { putBackErasures } from '#features/audit/server/erasures.ts';
import { atOnce } from '#platform/server/concurrency.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import { holdForMove } from '#platform/server/db/directory.ts';
import { listTables, readLastIds, readRows, type TableName } from '#platform/server/db/wholeTables.ts';
import { listHeldFiles } from '#platform/server/files/registerStore.ts';
import type { ErasureFile } from '#platform/server/storage/erasureFile.ts';
import { FileMissing, type Storage } from '#platform/server/storage/storage.ts';
import type { UploadStaging } from '#platform/server/storage/uploadStaging.ts';
import { keepFrom, load, requireEmptyDatabase, requireOnlyFiles } from './load.ts';
import { AT_ONCE, isAsWritten, measure } from './manifest.ts';

/*
 * Moves a site to another database, and its files to another storage. Running or stopped, the site takes no writes
 * during the move nor after it; a move that fails or crashes leaves it as it was.
 */

interface From {
  database: Database;
  /** Folder of the SQLite database. */
  directory: string;
}

interface To {
  database: Database;
  /** Name of the new place, shown to people who start the old site. */
  name: string;
  /** Storages to copy files from and to, and the files of erasures of both; undefined when the files are not moved. */
  files:
    | {
        from: Storage;
        storage: Storage;
        staging: UploadStaging;
        erasures: { from: ErasureFile; to: ErasureFile };
      }
    | undefined;
}

export interface Moved {
  rows: number;
  files: number;
  /** Keys of files that the site had already lost. */
  missing: string[];
}

export async function moveSite({ database, directory }: From, to: To): Promise<Moved> {
  // The write lock is held until the end: what is read cannot change.
  return database.write(async (db) => {
    const hold = holdForMove(directory);
    try {
      await requireEmptyDatabase(to.database.db);
      const files = to.files ? await moveFiles(db, to.files) : { files: 0, missing: [] };
      const rows = await moveRows(db, database, to.database);
      hold.leave(to.name);
      return { rows, ...files };
    } finally {
      hold.end();
    }
  });
}

async function moveRows(db: Access, { engine }: Database, target: Database): Promise<number> {
  const migration = await readLastMigration(db);
  const lastIds = await readLastIds(db, engine);
  const tables = await listTables(db, tableKeys);
  const rows = (table: TableName) => readRows(db, table, tableKeys);
  return target.write((transaction) =>
    load(transaction, target.engine, { migration, lastIds, tables, rows }),
  );
}

async function moveFiles(db: Access, { from, storage, staging, erasures }: NonNullable<To['files']>) {
  const keys = (await listHeldFiles(db)).map(({ key }) => key);
  await requireOnlyFiles(storage, new Set(keys));
  await putBackErasures(erasures.to, [(await erasures.from.read()).content]);
  const missing: string[] = [];
  await atOnce(AT_ONCE, keys, async (key) => {
    try {
      const wanted = await measure(await from.read(key));
      await keepFrom(await from.read(key), { storage, staging }, key);
      if (!(await isAsWritten(await storage.read(key), wanted)))
        throw new Error(`Not as it was written: ${key}`);
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      missing.push(key);
    }
  });
  return { files: keys.length - missing.length, missing };
}
