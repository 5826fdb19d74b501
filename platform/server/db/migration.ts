import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Access, Engine } from './database.ts';

/** Changes the schema, and moves the rows that the change concerns. */
export type Migration = (db: Schema, engine: Engine) => Promise<void>;

/*
 * Portable parts of migrations: what SQLite and PostgreSQL write differently. Instants are ISO text in UTC, flags 0
 * or 1, on both.
 */

// biome-ignore lint/suspicious/noExplicitAny: migrations run on a schema older than the types
export type Schema = Kysely<any>;

/** Starts a table whose `id` is a positive integer that is never given twice. */
export function createTable(db: Schema, engine: Engine, table: string): CreateTableBuilder<string, 'id'> {
  const start = db.schema.createTable(table);
  return engine === 'sqlite'
    ? start.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    : start.addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey());
}

/** The column type of a reference to another table's id. */
export function idColumnType(engine: Engine) {
  return engine === 'sqlite' ? ('integer' as const) : ('bigint' as const);
}

/** Whether a migration ran before an instant: whether a site is that old, as the first ones made it. */
export async function hasMigrated(db: Access, before: Date): Promise<boolean> {
  const { rows } =
    await sql`select 1 from migrations where faite_le < ${before.toISOString()} limit 1`.execute(db);
  return rows.length > 0;
}
