import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from './open.ts';

/** What SQLite says of its own file. */

/** What its own check finds wrong; none when all is well. */
export async function listFaults({ db }: Database): Promise<string[]> {
  const pages = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  const rows = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
  return [
    ...pages.rows.flatMap(({ integrity_check: said }) => (said === 'ok' ? [] : [said.replace(/\s+/g, ' ')])),
    ...new Set(rows.rows.map(({ table, parent }) => `${table} sans ${parent}`)),
  ];
}

/** Bytes of the last writes beside the database, which a checkpoint takes over. */
export async function lastWritesBytes({ db }: Database): Promise<number> {
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db);
  const found = await stat(`${rows[0]?.file}-wal`).catch(() => undefined);
  return found?.size ?? 0;
}
