import { type RawBuilder, sql } from 'kysely';
import type { Access, Engine } from './database.ts';
import type { WholeRow } from './json.ts';
import type { TableKeys, Tables } from './tables.ts';

/*
 * Whole tables, ids included, to copy them from one database to another, of either engine. Memory holds one batch of rows at
 * a time.
 */

export type TableName = keyof Tables;

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

/** The last id given by each table, including to deleted rows: an id is never given twice. */
export type LastIds = Record<string, number>;

export async function readLastIds(db: Access, engine: Engine): Promise<LastIds> {
  const query =
    engine === 'sqlite'
      ? sql<{ nom: string; dernier: number }>`select name as nom, seq as dernier from sqlite_sequence`
      : sql<{ nom: string; dernier: number }>`
          select c.table_name as nom, s.last_value as dernier
          from information_schema.columns c join pg_sequences s
            on pg_get_serial_sequence(quote_ident(c.table_name), c.column_name)::regclass
              = format('%I.%I', s.schemaname, s.sequencename)::regclass
          where c.is_identity = 'YES' and c.table_schema = current_schema() and s.last_value is not null`;
  const { rows } = await query.execute(db);
  // A table into which an empty set of rows was copied has an entry of 0: it has given no id.
  return Object.fromEntries(rows.flatMap(({ nom, dernier }) => (dernier > 0 ? [[nom, dernier]] : [])));
}

export async function writeLastIds(transaction: Access, engine: Engine, lastIds: LastIds): Promise<void> {
  for (const [table, last] of Object.entries(lastIds)) {
    if (engine === 'postgres') {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(transaction);
    } else {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(transaction);
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(transaction);
    }
  }
}
