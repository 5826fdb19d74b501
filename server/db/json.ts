import { type RawBuilder, sql } from 'kysely';
import type { Access, Engine } from './open.ts';

/*
 * Lists as JSON made by the database: the bytes go from its reply to the browser's without becoming objects
 * in between, which costs a fifth. The only place with JSON operators.
 */

/** A column of a JSON row: its wire name, and the expression, which is itself JSON for `json: true`. */
export interface JsonColumn {
  name: string;
  value: RawBuilder<unknown>;
  json?: boolean;
}

/**
 * `[{…}, …]` in UTF-8. `from` is all that follows the columns: `from t where … order by … limit …`; the order
 * of its rows is the order of the list.
 */
export async function jsonList(
  db: Access,
  engine: Engine,
  columns: readonly JsonColumn[],
  from: RawBuilder<unknown>,
): Promise<Buffer> {
  const names = columns.map((column) => sql.ref(column.name));
  if (engine === 'sqlite') {
    const pairs = columns.map((column, index) => {
      const value = column.json ? sql`json(${names[index]})` : names[index];
      return sql`${sql.lit(column.name)}, ${value}`;
    });
    const rows = columns.map((column, index) => sql`${column.value} as ${names[index]}`);
    const query = sql<{ liste: Buffer }>`
      select cast(json_group_array(json_object(${sql.join(pairs)})) as blob) as liste
      from (select ${sql.join(rows)} ${from})`;
    const result = await query.execute(db);
    return result.rows[0]?.liste ?? Buffer.from('[]');
  }
  const rows = columns.map((column, index) => {
    const value = column.json ? sql`(${column.value})::json` : column.value;
    return sql`${value} as ${names[index]}`;
  });
  const query = sql<{ liste: string }>`
    select coalesce(json_agg(ligne), '[]')::text as liste from (select ${sql.join(rows)} ${from}) ligne`;
  const result = await query.execute(db);
  return Buffer.from(result.rows[0]?.liste ?? '[]');
}
