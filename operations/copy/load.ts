import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Transaction } from 'kysely';
import { migrateIn } from '#app/migrations/migrate.ts';
import { tableKeys } from '#app/server/features.ts';
import type { Access, Engine } from '#platform/server/db/database.ts';
import { insertWhole, type WholeRow } from '#platform/server/db/json.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { type LastIds, readRows, type TableName, writeLastIds } from '#platform/server/db/wholeTables.ts';
import { conflict } from '#platform/server/errors.ts';
import { FOLDERS } from '#platform/server/files/registerStore.ts';
import type { Storage } from '#platform/server/storage/storage.ts';
import type { UploadStaging } from '#platform/server/storage/uploadStaging.ts';

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
    const { lignes, somme } = await digestOf(transaction, table);
    if (written.lignes !== lignes || written.somme !== somme)
      throw new Error(`Table ${table} is not what was written: ${written.lignes} rows, ${lignes} read back`);
    count += written.lignes;
  }
  await writeLastIds(transaction, engine, lastIds);
  await migrateIn(transaction, engine);
  return count;
}

/** Its rows reference each other, so all are inserted by one statement: references are checked when it ends. */
const REFERS_TO_ITSELF: TableName = 'employes';

/** Digest of a table, independent of row order: the number of rows, and the sum of their hashes. */
interface Digest {
  lignes: number;
  somme: string;
}

/** Passes rows through unchanged while computing their digest; call `digest` once all of `rows` has been read. */
function digesting(batches: AsyncIterable<WholeRow[]>) {
  let lignes = 0;
  let sum = 0n;
  async function* passing(): AsyncGenerator<WholeRow[]> {
    for await (const rows of batches) {
      for (const row of rows)
        sum += BigInt(`0x${createHash('sha256').update(JSON.stringify(row)).digest('hex')}`);
      lignes += rows.length;
      yield rows;
    }
  }
  return {
    rows: passing(),
    digest: (): Digest => ({ lignes, somme: BigInt.asUintN(256, sum).toString(16) }),
  };
}

async function digestOf(db: Access, table: TableName): Promise<Digest> {
  const { rows, digest } = digesting(readRows(db, table, tableKeys));
  for await (const _ of rows);
  return digest();
}

async function writeRows(
  transaction: Access,
  engine: Engine,
  table: TableName,
  batches: AsyncIterable<WholeRow[]>,
): Promise<void> {
  const held: WholeRow[] = [];
  for await (const rows of batches) {
    if (table === REFERS_TO_ITSELF) held.push(...rows);
    else await insertWhole(transaction, engine, table, rows);
  }
  if (held.length > 0) await insertWhole(transaction, engine, table, held);
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

export async function requireEmptyDatabase(db: Access): Promise<void> {
  if (!(await db.introspection.getTables()).every(({ isView }) => isView))
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
