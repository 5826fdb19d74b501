import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, DatabaseOptions } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite, SQLITE_FILE } from './sqlite.ts';

/** Opens PostgreSQL when an address is given, else `passerelle.db` in `directory`. */
export function openDatabase(options: DatabaseOptions): Database {
  return options.url ? openPostgres(options.url, options) : openSqlite(options);
}

/** True when there is a database to open; false for a folder that does not belong to a site. */
export function isDatabaseThere({ url, directory }: DatabaseOptions): boolean {
  // With PostgreSQL, only the data folder is on this machine.
  return existsSync(url ? directory : join(directory, SQLITE_FILE));
}
