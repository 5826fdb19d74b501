import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '#platform/server/services.ts';
import type { Fetch } from '#tests/support/nginx.ts';
import { freePort } from '#tests/support/ports.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { builtServer } from '#tools/build.mjs';

export const ADMIN = { username: 'alice', password: 'poivron-lanterne-42' };

/** A site as `npm start` runs it: its own process, folder, port and database. */
export interface RunningSite {
  url: string;
  /** How it is asked, where the global one cannot. */
  fetch?: Fetch;
  /** Where it keeps its files, and its database on SQLite. */
  directory: string;
  /** Signs an admin in over the API; the answer is the token. */
  signIn(): Promise<string>;
  /** Has something done before the site stops: whoever looks at it leaves, rather than finds it gone. */
  beforeStop(work: () => Promise<void>): void;
  stop(): Promise<void>;
}

interface OwnProcess extends RunningSite {
  /** Ends at once, as in a power cut, and starts again at the same place. */
  crash(): Promise<void>;
}

/** `env`: further variables. */
export async function startSite(
  engine: 'sqlite' | 'postgres',
  env: Record<string, string> = {},
  directory = mkdtempSync(join(tmpdir(), 'passerelle-e2e-')),
): Promise<OwnProcess> {
  const postgres = engine === 'postgres' ? await startPostgres() : undefined;
  const port = await freePort();
  const start = async () => {
    const child = spawn(process.execPath, [builtServer()], {
      env: {
        ...process.env,
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: directory,
        ADMIN_USERNAME: ADMIN.username,
        ADMIN_PASSWORD: ADMIN.password,
        LOG_LEVEL: 'warn',
        ...env,
        ...(postgres
          ? { DATABASE_URL: postgres.url, SECRET_KEY: 'a-key-that-only-tests-use-0123456789' }
          : {}),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await announced(child);
    return child;
  };
  let child = await start();
  const { beforeStop, prepare } = openStop();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    directory,
    signIn: () => signInAt(url),
    beforeStop,
    async crash() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      child = await start();
    },
    async stop() {
      await prepare();
      child.kill('SIGTERM');
      await once(child, 'exit');
      postgres?.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** What is done before a site stops, in its order. */
function openStop() {
  const works: (() => Promise<void>)[] = [];
  return {
    beforeStop: (work: () => Promise<void>) => void works.push(work),
    async prepare() {
      for (const work of works.splice(0)) await work();
    },
  };
}

/** Waits for the line that says where the site is. */
async function announced(child: ChildProcess): Promise<void> {
  let said = '';
  // Left open at the end: a site whose log has no reader any more dies of its next line.
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk;
    if (said.includes('est ouverte')) {
      child.stdout?.resume();
      return;
    }
  }
  throw new Error(`the site did not start: ${said}`);
}

/** A site in the process of the test, for what is put into it without asking its calls, or whose clock is moved. */
export async function openSite(clock = () => new Date()): Promise<RunningSite & { services: Services }> {
  // Not with every file: a worker that starts sites of their own process has no need of a server in its own.
  const { startServer } = await import('#app/server/start.ts');
  const { readConfig } = await import('#platform/server/config.ts');
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-e2e-'));
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: directory,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'warn',
  });
  const server = await startServer(config, { dist: join(import.meta.dirname, '../../dist'), clock });
  const { beforeStop, prepare } = openStop();
  return {
    url: server.url,
    directory,
    services: server.services,
    signIn: () => signInAt(server.url),
    beforeStop,
    async stop() {
      await prepare();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function signInAt(url: string): Promise<string> {
  const response = await fetch(`${url}/api/api/loginAdmin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  return ((await response.json()) as { tokenAdmin: string }).tokenAdmin;
}
