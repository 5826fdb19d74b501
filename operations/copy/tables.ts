import { createHash } from 'node:crypto';
import { tableKeys } from '#app/server/features.ts';
import type { Access, Engine } from '#platform/server/db/database.ts';
import { insertWhole, type WholeRow } from '#platform/server/db/json.ts';
import type { TableName } from '#platform/server/db/wholeTables.ts';
import * as wholeRows from '#platform/server/db/wholeTables.ts';

/*
 * Reads and writes whole tables, ids included, to copy them from one database to another, of either engine. Memory
 * holds one batch of rows at a time.
 */

export type { TableName };

/** Its rows reference each other, so all are inserted by one statement: references are checked when it ends. */
const REFERS_TO_ITSELF: TableName = 'employes';

/** Lists the tables of a database in an order in which they can be written; older schemas have fewer. */
export const listTables = (db: Access) => wholeRows.listTables(db, tableKeys);

/** Whether a database has no table. */
export async function isEmpty(db: Access): Promise<boolean> {
  return (await db.introspection.getTables()).every(({ isView }) => isView);
}

/** Reads the rows of a table in batches, ordered by its key. */
export const readRows = (db: Access, table: TableName) => wholeRows.readRows(db, table, tableKeys);

/** Digest of a table, independent of row order: the number of rows, and the sum of their hashes. */
export interface Digest {
  lignes: number;
  somme: string;
}

/** Passes rows through unchanged while computing their digest; call `digest` once all of `rows` has been read. */
export function digesting(batches: AsyncIterable<WholeRow[]>) {
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

export async function digestOf(db: Access, table: TableName): Promise<Digest> {
  const { rows, digest } = digesting(readRows(db, table));
  for await (const _ of rows);
  return digest();
}

export async function writeRows(
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
