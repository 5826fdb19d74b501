import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { type Database, type DatabaseOptions, NotAsExpected } from './database.ts';
import { openNotifications } from './notifications.ts';
import type { Tables } from './tables.ts';

const READ_ONLY = ' -c default_transaction_read_only=on';

export function openPostgres(
  url: string,
  { isReadOnly = false, onLost = () => {} }: Pick<DatabaseOptions, 'isReadOnly' | 'onLost'>,
): Database {
  let opened: Promise<pg.Pool> | undefined;
  const pool = () => {
    opened ??= openPool(url, isReadOnly, onLost);
    return opened;
  };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const notifications = openNotifications(
    url,
    async (statement, values) => (await pool()).query(statement, values),
    onLost,
  );
  const apartAfter: Database['apartAfter'] = (prepare) =>
    db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = '120s'`.execute(transaction);
      // `prepare` may wait for a workbook that queues to be read.
      await sql`set local idle_in_transaction_session_timeout = '180s'`.execute(transaction);
      const statements = await prepare(async (query) => {
        await query.execute(transaction);
      });
      for (const { query, rows } of statements) {
        const { numAffectedRows } = await query.execute(transaction);
        if (rows !== undefined && numAffectedRows !== BigInt(rows))
          throw new NotAsExpected(query.compile(transaction).sql);
      }
    });
  return {
    engine: 'postgres',
    db,
    write: (work) => db.transaction().execute(work),
    apart: (statements) => apartAfter(async () => statements),
    apartAfter,
    snapshot: (work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    // What PostgreSQL's own log of writes holds, and for how long, is up to its operator.
    settle: async () => true,
    notifications,
    async size() {
      const { rows } = await sql<{
        size: number;
      }>`select pg_database_size(current_database()) as size`.execute(db);
      return rows[0]?.size ?? 0;
    },
    rowLock: sql`for update`,
    async close() {
      await notifications.close();
      await db.destroy();
    },
  };
}

async function openPool(url: string, isReadOnly: boolean, onLost: (error: Error) => void): Promise<pg.Pool> {
  const { Pool, types } = (await import('pg')).default;
  // Counts and ids arrive as text by default; ours fit in a number.
  types.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    options: `-c timezone=UTC -c statement_timeout=30000 -c lock_timeout=5000${isReadOnly ? READ_ONLY : ''}`,
  });
  // Without a listener a lost connection would end the process. A query in progress gets its own error.
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}
