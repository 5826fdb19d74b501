import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { closeServices, openServices, startServer } from '#app/server/start.ts';
import { ensureFirstAdmin } from '#features/accounts/server/admins.ts';
import { readConfig } from '#platform/server/config.ts';
import type { Engine } from '#platform/server/db/database.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { openLog } from '#platform/server/log.ts';
import { copyFolder, madeOnce } from './fixtures.ts';
import { type TestSite, wrapSite } from './people.ts';

export interface SiteOptions {
  /** Further environment. */
  env?: Record<string, string>;
  /** Also serve pages from the build. */
  pages?: boolean;
  /** With the example content in place; on both engines with `TEST_KEY`. */
  isFilled?: boolean;
  /** Another one than that of this run. */
  engine?: Engine;
}

export const TEST_KEY = 'a-key-that-only-tests-use-0123456789';
/** What the minutes of a new site open by. */
export const MINUTES_PASSWORD = 'tournesol-lanterne-26';
export const ADMIN = { username: 'Alice', password: 'poivron-lanterne-42' };

/**
 * A whole site on a free port, with its own folder and its own database, on the engine of this run. Time
 * stands still but for `site.advance(ms)`, and scheduled work runs at the start and by `site.schedule.tick()` only; what
 * it logs is in `site.logLines`.
 */
export async function openSite({
  env = {},
  pages = false,
  isFilled = false,
  engine = inject('database'),
}: SiteOptions = {}): Promise<TestSite> {
  const isOther = FIRST.some((name) => name in env);
  const template = isFilled ? 'filled' : isOther ? undefined : 'fresh';
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-test-'));
  if (template) copyFolder(await TEMPLATES[template](engine), directory);
  const postgres = engine === 'postgres' ? await newDatabase(template) : undefined;
  const config = readConfig({
    ...base(directory, postgres?.url),
    ...(isFilled && { SECRET_KEY: TEST_KEY }),
    ...env,
  });
  const logLines: string[] = [];
  const log = openLog('debug', { write: (line: string) => void logLines.push(line) });
  let now = START;
  const server = await startServer(config, {
    clock: () => new Date(now),
    log,
    dist: pages ? join(import.meta.dirname, '../../dist') : undefined,
    isTimed: false,
  });
  return wrapSite(server, {
    directory,
    logLines,
    advance: (ms) => {
      now += ms;
    },
    now: () => new Date(now),
    cleanUp: async () => {
      rmSync(directory, { recursive: true, force: true });
      await postgres?.drop();
    },
  });
}

const START = Date.parse('2026-06-20T09:00:00.000Z');
/** Variables that a site reads when it is first opened: with others than usual, it is opened from nothing. */
const FIRST = ['SECRET_KEY', 'DATABASE_URL', 'ADMIN_USERNAME', 'ADMIN_PASSWORD', 'MEETING_REPORTS_PASSWORD'];

const base = (directory: string, databaseUrl: string | undefined) => ({
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: directory,
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD: ADMIN.password,
  MEETING_REPORTS_PASSWORD: MINUTES_PASSWORD,
  ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY: TEST_KEY }),
});

/** The folder of a site that is about to start for the first time, its first admin in place; on PostgreSQL, its database is `fresh`. */
function freshFolder(engine: Engine): Promise<string> {
  return madeOnce(`fresh-${engine}`, async (path) => {
    mkdirSync(path);
    const postgres = engine === 'postgres' ? await newDatabase() : undefined;
    const services = await openServices(readConfig(base(path, postgres?.url)), {
      clock: () => new Date(START),
      log: openLog('silent'),
    });
    await ensureFirstAdmin(services);
    await closeServices(services);
    await rename(postgres?.url, 'fresh');
  });
}

/** The folder of a site with the example content; on PostgreSQL, its database is `filled`. */
function filledFolder(engine: Engine): Promise<string> {
  return madeOnce(`filled-${engine}`, async (path) => {
    const site = await openSite({ engine, env: { SECRET_KEY: TEST_KEY } });
    await site.call('POST /exemple', { token: await site.tokenOf('admin') });
    await site.jobs.idle();
    await site.stop();
    copyFolder(site.directory, path);
    await rename(site.services.config.DATABASE_URL, 'filled');
    rmSync(site.directory, { recursive: true });
  });
}

/** Folders to copy; databases of these names belong to them. */
const TEMPLATES = { filled: filledFolder, fresh: freshFolder };

/** Makes a database that nobody uses the one that others are copied from. */
async function rename(url: string | undefined, name: string): Promise<void> {
  if (url) await asOwner(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
}

/** Changes the run's PostgreSQL. */
async function asOwner(statement: string): Promise<void> {
  const owner = openDatabase({ url: inject('postgresUrl'), directory: '' });
  await sql.raw(statement).execute(owner.db);
  await owner.close();
}

/** A fresh database in the run's PostgreSQL, blank or as another one is; undefined for the SQLite run. */
export async function newDatabase(
  template = 'template1',
): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const base = inject('postgresUrl');
  if (base === '') return undefined;
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asOwner(`create database ${name} template ${template}`);
  return {
    url: base.replace(/\/postgres$/, `/${name}`),
    drop: () => asOwner(`drop database if exists ${name} with (force)`),
  };
}
