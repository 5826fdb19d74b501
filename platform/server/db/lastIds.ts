import { sql } from 'kysely';
import type { Access, Engine } from './open.ts';

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
