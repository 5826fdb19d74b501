import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Engine } from '#platform/server/db/database.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { builtCommand } from '#tools/build.mjs';
import type { TestSite } from './people.ts';
import { launch } from './process.ts';
import { newDatabase, TEST_KEY } from './site.ts';

/** Commands of whoever has the machine, and what a site holds before and after them. */

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Types `passerelle <name> <words>`, `input` being its standard input. */
export async function command(
  name: 'backup' | 'restore' | 'move' | 'reprise' | 'export',
  words: readonly string[],
  env: Record<string, string>,
  input?: string,
): Promise<Ended> {
  const running = launch(env, [process.execPath, builtCommand(name), ...words], input);
  const { code } = await running.ended;
  return { code, out: running.out(), err: running.err() };
}

/** Where a site is, for a process of its own. */
export interface Home {
  directory: string;
  env: Record<string, string>;
  drop(): Promise<void>;
}

const folders: string[] = [];
/** A folder that `clearFolders` removes. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-folder-'));
  folders.push(folder);
  return folder;
}
export function clearFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A place without a site yet, on the engine of this run or on another. */
export async function newHome(engine: Engine = inject('database')): Promise<Home> {
  const directory = newFolder();
  const postgres = engine === 'postgres' ? await newDatabase() : undefined;
  const env = { DATA_DIR: directory, HOST: '127.0.0.1', SECRET_KEY: TEST_KEY };
  return {
    directory,
    env: postgres ? { ...env, DATABASE_URL: postgres.url } : env,
    drop: async () => postgres?.drop(),
  };
}

/** Where a site of tests is, whether it runs or not. */
export function homeOf({ directory, services: { config } }: TestSite): Home {
  const env = { DATA_DIR: directory, ...(config.DATABASE_URL ? { DATABASE_URL: config.DATABASE_URL } : {}) };
  return { directory, env: { ...env, SECRET_KEY: config.SECRET_KEY ?? '' }, drop: async () => {} };
}

/** The rows of each table in the order of their text, and the sums of files by their path. */
export interface Held {
  tables: Record<string, string[]>;
  files: Record<string, string>;
}

export async function holdingsOf({ directory, env }: Home, folder = 'files'): Promise<Held> {
  const database = openDatabase({ url: env.DATABASE_URL, directory });
  try {
    const tables: Held['tables'] = {};
    for (const { name } of await database.db.introspection.getTables()) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(database.db);
      tables[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    delete tables.migrations;
    return { tables, files: sumsOf(join(directory, folder)) };
  } finally {
    await database.close();
  }
}

export function sumsOf(root: string): Record<string, string> {
  if (!existsSync(root)) return {};
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [
      relative(root, path),
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]),
  );
}

/** Changes one byte of a file. */
export function flip(path: string, at = 40): void {
  const bytes = readFileSync(path);
  const place = Math.min(at, bytes.length - 1);
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(path, bytes);
}
