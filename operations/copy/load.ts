import { writeFile } from 'node:fs/promises';
import type { Transaction } from 'kysely';
import { migrateIn } from '#app/migrations/migrate.ts';
import type { Access, Engine } from '#platform/server/db/database.ts';
import type { WholeRow } from '#platform/server/db/json.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { type LastIds, writeLastIds } from '#platform/server/db/wholeTables.ts';
import { conflict } from '#platform/server/errors.ts';
import { FOLDERS } from '#platform/server/files/registerStore.ts';
import type { Storage } from '#platform/server/storage/storage.ts';
import type { UploadStaging } from '#platform/server/storage/uploadStaging.ts';
import { type Digest, digesting, digestOf, isEmpty, type TableName, writeRows } from './tables.ts';

/** The tables of a site, read from a backup or another database. */
interface Whole {
  /** The last migration applied to them. */
  migration: string;
  lastIds: LastIds;
  tables: readonly TableName[];
  rows(table: TableName): AsyncIterable<WholeRow[]>;
}

/**
 * Writes the tables of a site into an empty database, in the schema that they come from, reads them back, then runs the
 * remaining migrations. Throws when what was read back differs from what was written. Returns the number of rows.
 */
export async function load(
  transaction: Transaction<Tables>,
  engine: Engine,
  { migration, lastIds, tables, rows }: Whole,
): Promise<number> {
  await migrateIn(transaction, engine, migration);
  let count = 0;
  for (const table of tables) {
    const passing = digesting(rows(table));
    await writeRows(transaction, engine, table, passing.rows);
    const written = passing.digest();
    requireEqual(table, written, await digestOf(transaction, table));
    count += written.lignes;
  }
  await writeLastIds(transaction, engine, lastIds);
  await migrateIn(transaction, engine);
  return count;
}

function requireEqual(table: TableName, written: Digest, read: Digest): void {
  if (written.lignes === read.lignes && written.somme === read.somme) return;
  throw new Error(`Table ${table} is not what was written: ${written.lignes} rows, ${read.lignes} read back`);
}

/** Stores a file copied from another site or backup under its key. */
export async function keepFrom(
  bytes: AsyncIterable<Uint8Array>,
  { storage, staging }: { storage: Storage; staging: UploadStaging },
  key: string,
): Promise<void> {
  const path = staging.newPath();
  await writeFile(path, bytes, { mode: 0o600 });
  await storage.keep(path, key);
}

/** Throws 409 when a database has tables. */
export async function requireEmptyDatabase(db: Access): Promise<void> {
  if (!(await isEmpty(db)))
    throw conflict('La base de données d’arrivée n’est pas vide\u202f: rien n’est écrit par-dessus un site.');
}

/** Throws 409 when a storage holds other files than `keys`; these may be left from an interrupted copy. */
export async function requireOnlyFiles(storage: Storage, keys: ReadonlySet<string>): Promise<void> {
  for (const folder of FOLDERS) {
    for await (const { key } of storage.list(folder)) {
      if (!keys.has(key))
        throw conflict(
          `Des fichiers d’un autre site sont déjà là (${key})\u202f: rien n’est écrit par-dessus.`,
        );
    }
  }
}
