import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '#app/server/start.ts';
import { readConfig } from '#platform/server/config.ts';
import { openSession } from '#platform/server/sessionsStore.ts';
import { API_PREFIX } from '#platform/shared/call.ts';

export const ADMIN = { username: 'bench', password: 'poivron-lanterne-42' };

/** Variables of every site that is measured, so that one process fills a folder and another one serves it. */
export const SITE_ENV = {
  ...{ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
  ...{ ADMIN_USERNAME: ADMIN.username, ADMIN_PASSWORD: ADMIN.password },
  SECRET_KEY: 'a-key-that-only-benches-use-0123456789',
};

/**
 * A whole site on a free port and in a folder of its own, to be measured. On SQLite; on PostgreSQL with DATABASE_URL set
 * to an empty database. `dist`: the folder of the web build, to serve pages too.
 */
export async function openSite(env: Record<string, string> = {}, dist?: string) {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
  const { DATABASE_URL } = process.env;
  const { services, app, stop } = await startServer(
    readConfig({
      ...SITE_ENV,
      DATA_DIR: directory,
      ...(DATABASE_URL ? { DATABASE_URL } : {}),
      ...env,
    }),
    { dist },
  );
  const { port } = app.server.address() as { port: number };
  return {
    services,
    app,
    /** Of all calls. */
    base: `http://127.0.0.1:${port}${API_PREFIX}`,
    /** The header of the first admin, signed in for an hour. */
    async bearer(): Promise<{ authorization: string }> {
      const token = await services.database.write(async (db) => {
        const { id } = await db.selectFrom('admins').select('id').executeTakeFirstOrThrow();
        return openSession(db, { role: 'admin', adminId: id }, new Date(), inAnHour());
      });
      return { authorization: `Bearer ${token}` };
    },
    /** The same of whoever is signed in to a stay. */
    async bearerOf(role: 'family' | 'director', stageId: number): Promise<{ authorization: string }> {
      const token = await services.database.write((db) =>
        openSession(db, { role, stageId }, new Date(), inAnHour()),
      );
      return { authorization: `Bearer ${token}` };
    },
    async close(): Promise<void> {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const inAnHour = () => new Date(Date.now() + 3_600_000);
