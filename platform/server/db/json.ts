import { type RawBuilder, sql } from 'kysely';
import type { Access, Engine } from './database.ts';

/*
 * Lists as JSON built by the database: the bytes go from its reply to the browser's without becoming objects in
 * between, which costs a fifth. Also lists handed to the database as JSON: one statement for a thousand rows. The
 * only file with JSON operators.
 */

/**
 * A column of a JSON row: its wire name and its expression, which is SQL of ours without parameters; by default, the
 * column of that name. `json`: the value is JSON already.
 */
export interface JsonColumn {
  name: string;
  value?: string;
  json?: boolean;
}

/**
 * Reads a list as JSON, `[{…}, …]` in UTF-8. `from` is all that follows the columns: `from t where … order by … limit
 * …`; the order of its rows is the order of the list.
 */
export async function jsonList(
  db: Access,
  engine: Engine,
  columns: readonly JsonColumn[],
  from: RawBuilder<unknown>,
): Promise<Buffer> {
  // Columns as plain text: built as a query tree, they would cost as much as the rows of a short list.
  if (engine === 'sqlite') {
    const pairs = columns.map(({ name, json }) => `'${name}', ${json ? `json("${name}")` : `"${name}"`}`);
    const rows = columns.map(({ name, value = `"${name}"` }) => `${value} as "${name}"`);
    const query = sql<{ liste: Buffer }>`
      select cast(json_group_array(json_object(${sql.raw(pairs.join())})) as blob) as liste
      from (select ${sql.raw(rows.join())} ${from})`;
    const result = await query.execute(db);
    return result.rows[0]?.liste ?? Buffer.from('[]');
  }
  const rows = columns.map(
    ({ name, value = `"${name}"`, json }) => `${json ? `(${value})::json` : value} as "${name}"`,
  );
  const query = sql<{ liste: string }>`
    select coalesce(json_agg(ligne), '[]')::text as liste from (select ${sql.raw(rows.join())} ${from}) ligne`;
  const result = await query.execute(db);
  return Buffer.from(result.rows[0]?.liste ?? '[]');
}

/** SQL types with which the values of a JSON row are read. */
type RowColumns = Readonly<Record<string, 'text' | 'bigint'>>;

/**
 * Rows of this program as one parameter: `(select …) as alias`, to select from like a table. Each row lists its
 * values in the order of `columns`.
 */
export function jsonRows(
  engine: Engine,
  alias: string,
  columns: RowColumns,
  rows: readonly (readonly (string | number | null)[])[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const values = Object.entries(columns).map(
    ([name, type], index) =>
      sql`cast(ligne.value ->> ${sql.lit(index)} as ${sql.raw(type)}) as ${sql.ref(name)}`,
  );
  const from = engine === 'sqlite' ? sql`json_each(${json})` : sql`jsonb_array_elements(${json}::jsonb)`;
  return sql`(select ${sql.join(values)} from ${from} as ligne) as ${sql.ref(alias)}`;
}

/** Any number of ids as one parameter, for `in`. */
export function jsonIds(engine: Engine, ids: readonly number[]): RawBuilder<number> {
  const rows = ids.map((id) => [id]);
  return sql`(select id from ${jsonRows(engine, 'l', { id: 'bigint' }, rows)})`;
}

/** Rows as tables hold them. */
export type WholeRow = Record<string, string | number | null>;

/** Inserts rows with all their columns, including the ids that the database would generate, as one statement. */
export async function insertWhole(
  db: Access,
  engine: Engine,
  table: string,
  rows: readonly WholeRow[],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const json = JSON.stringify(rows);
  if (engine === 'sqlite') {
    const values = sql.join(names.map((name) => sql`value ->> ${sql.lit(name)}`));
    await sql`insert into ${sql.table(table)} (${columns}) select ${values} from json_each(${json})`.execute(
      db,
    );
    return;
  }
  await sql`insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`.execute(db);
}
