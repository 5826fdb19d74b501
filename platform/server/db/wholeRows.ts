import { type RawBuilder, sql } from 'kysely';
import type { WholeRow } from './json.ts';
import type { Access } from './open.ts';
import type { TableKeys, Tables } from './tables.ts';

/* Whole tables, read for a copy. Memory holds one batch of rows at a time. */

export type TableName = keyof Tables;

/** Rows read by one statement. */
const ROWS = 1_000;

/** Lists the tables of a database in the order of `keys`; older schemas have fewer. */
export async function listTables(db: Access, keys: TableKeys): Promise<TableName[]> {
  const tables = await db.introspection.getTables();
  const there = new Set(tables.map(({ name }) => name));
  return (Object.keys(keys) as TableName[]).filter((name) => there.has(name));
}

/** Reads the rows of a table in batches, ordered by its key. */
export async function* readRows(db: Access, table: TableName, keys: TableKeys): AsyncGenerator<WholeRow[]> {
  const key: readonly string[] = keys[table];
  const columns = sql.join(key.map((name) => sql.ref(name)));
  let further: RawBuilder<unknown> = sql`true`;
  for (;;) {
    const { rows } = await sql<WholeRow>`
      select * from ${sql.table(table)} where ${further} order by ${columns} limit ${sql.lit(ROWS)}`.execute(
      db,
    );
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < ROWS) return;
    further = sql`(${columns}) > (${sql.join(key.map((name) => last[name]))})`;
  }
}
