import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { startServer } from '#app/server/start.ts';
import { readConfig } from '#platform/server/config.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { openLog } from '#platform/server/log.ts';
import { type TestSite, wrapSite } from './people.ts';

export interface SiteOptions {
  /** Further environment. */
  env?: Record<string, string>;
  /** Also serve pages from the build. */
  pages?: boolean;
}

export const ADMIN = { username: 'Alice', password: 'poivron-lanterne-42' };

/**
 * A whole site on a free port, with its own folder and its own database, on the engine of this run. Time
 * stands still but for `site.advance(ms)`; what it logs is in `site.logLines`.
 */
export async function openSite({ env = {}, pages = false }: SiteOptions = {}): Promise<TestSite> {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-test-'));
  const postgres = await newDatabase();
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: directory,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    MEETING_REPORTS_PASSWORD: 'tournesol-2026',
    ...(postgres ? { DATABASE_URL: postgres.url, SECRET_KEY: 'a-key-that-only-tests-use-0123456789' } : {}),
    ...env,
  });
  const logLines: string[] = [];
  const log = openLog('debug', { write: (line: string) => void logLines.push(line) });
  let now = Date.parse('2026-06-20T09:00:00.000Z');
  const server = await startServer(config, {
    clock: () => new Date(now),
    log,
    dist: pages ? join(import.meta.dirname, '../../dist') : undefined,
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

/** A fresh database in the run's PostgreSQL; undefined for the SQLite run. */
export async function newDatabase(): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const base = inject('postgresUrl');
  if (base === '') return undefined;
  const name = `t_${randomBytes(6).toString('hex')}`;
  const asOwner = async (statement: string) => {
    const owner = openDatabase({ url: base, directory: '' });
    await sql.raw(statement).execute(owner.db);
    await owner.close();
  };
  await asOwner(`create database ${name}`);
  return {
    url: base.replace(/\/postgres$/, `/${name}`),
    drop: () => asOwner(`drop database if exists ${name} with (force)`),
  };
}
