import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#app/migrations/migrate.ts';
import type { Database } from '#platform/server/db/database.ts';
import { openDatabase } from '#platform/server/db/open.ts';

/** An empty SQLite database with all its tables, in a folder of its own that closing it removes. */
export async function newSqlite(): Promise<Database> {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-database-'));
  const database = openDatabase({ directory });
  await migrate(database);
  return {
    ...database,
    async close() {
      await database.close();
      rmSync(directory, { recursive: true });
    },
  };
}
