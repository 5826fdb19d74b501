import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_PREFIX } from '#platform/shared/call.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { builtServer } from '#tools/build.mjs';
import { ADMIN, SITE_ENV } from './site.ts';

/** Processor time of a process is told in hundredths of a second. */
const TICKS = 100;

/** A port that nobody listens on by now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A process, and those that it started. */
function family(pid: number | undefined): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [String(pid), ...children.split(' ').filter(Boolean)];
}

/** What Linux says of a process; nothing of one that ends meanwhile. */
function toldOf(pid: string, of: string): string {
  try {
    return readFileSync(`/proc/${pid}/${of}`, 'utf8');
  } catch {
    return '';
  }
}

function memoryOf(pid: string): { anonymous: number; file: number } {
  const status = toldOf(pid, 'status');
  const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
  return { anonymous: bytes('RssAnon'), file: bytes('RssFile') };
}

function ticksOf(pid: string): number {
  const [, fields = ''] = toldOf(pid, 'stat').split(') ');
  // Its own, then those of its processes that have ended.
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0);
}

/**
 * A site in a process of its own, so that what it takes of the machine is its own as well (told by Linux). In a folder
 * of its own, or the one of `env`; on PostgreSQL with DATABASE_URL set to an empty database.
 */
export async function startSite(env: Record<string, string> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
  const child = spawn(process.execPath, [builtServer()], {
    env: {
      ...process.env,
      ...SITE_ENV,
      DATA_DIR: directory,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A bench that fails leaves no site behind.
  process.once('exit', () => child.kill());
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  while (!said.includes('est ouverte')) await once(child.stdout, 'data');
  const port = /localhost:(\d+)/.exec(said)?.[1];
  const base = `http://127.0.0.1:${port}${API_PREFIX}`;

  async function ask<T>(key: string, headers: Record<string, string>, body?: object): Promise<T> {
    const [method = 'GET', path = ''] = key.split(' ');
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${key}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
  const { tokenAdmin } = await ask<{ tokenAdmin: string }>('POST /loginAdmin', {}, ADMIN);
  const bearer = { authorization: `Bearer ${tokenAdmin}` };
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

  return {
    base,
    bearer,
    ask: <T>(key: string, body?: object) => ask<T>(key, bearer, body),
    /** A stay that is under way; the answer is its id. */
    async addStay(nom_stage: string): Promise<number> {
      const stay = { nom_stage, date_debut: day(-7), date_fin: day(7) };
      return (await ask<{ id: number }>('POST /stages', bearer, stay)).id;
    },
    /** Bytes of memory; the program itself, which its processes share, is counted once. */
    memory(): number {
      const all = family(child.pid).map((pid) => memoryOf(pid));
      const own = all.reduce((sum, { anonymous }) => sum + anonymous, 0);
      return own + Math.max(...all.map(({ file }) => file));
    },
    /** Seconds of processor that it has taken so far, with its processes that have ended. */
    cpu(): number {
      return family(child.pid).reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS;
    },
    async close(): Promise<void> {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
