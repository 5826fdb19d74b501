import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { builtServer } from '#tools/build.mjs';
import { copyFolder } from './fixtures.ts';
import type { Fetch } from './nginx.ts';
import { freePort } from './ports.ts';
import { ADMIN, newDatabase, TEST_KEY } from './site.ts';

/** A server of its own process, as an operator runs it. */

const ROOT = join(import.meta.dirname, '../..');

export interface Place {
  directory: string;
  env: Record<string, string>;
  clean(): Promise<void>;
}

/** A data directory, and on PostgreSQL a database, for servers that follow one another. `copyOf`: one that nobody uses. */
export async function newPlace({
  directory = mkdtempSync(join(tmpdir(), 'passerelle-crash-')),
  copyOf,
}: {
  directory?: string;
  copyOf?: Place;
} = {}): Promise<Place> {
  if (copyOf) copyFolder(copyOf.directory, directory);
  const postgres = await newDatabase(copyOf?.env.DATABASE_URL?.replace(/^.*\//, ''));
  return {
    directory,
    env: {
      DATA_DIR: directory,
      HOST: '127.0.0.1',
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      ...(postgres ? { DATABASE_URL: postgres.url, SECRET_KEY: TEST_KEY } : {}),
    },
    clean: async () => {
      rmSync(directory, { recursive: true, force: true });
      await postgres?.drop();
    },
  };
}

export interface Server {
  child: ChildProcess;
  url: string;
  out(): string;
  err(): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const children = new Set<ChildProcess>();
/** For after each test: whatever was launched is gone. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
}

export function launch(
  env: Record<string, string>,
  command: readonly [string, ...string[]] = [process.execPath, builtServer()],
  input?: string,
): Server {
  const [program, ...args] = command;
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // A command that refuses its words ends without reading it.
  child.stdin?.on('error', () => undefined).end(input);
  children.add(child);
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    });
  });
  return { child, url: `http://127.0.0.1:${env.PORT}`, out: () => out, err: () => err, ended };
}

/** Launches, and waits until it says where it is. */
export async function start(
  place: Place,
  env: Record<string, string> = {},
  command?: readonly [string, ...string[]],
): Promise<Server> {
  const server = launch({ ...place.env, PORT: String(await freePort()), ...env }, command);
  const opened = (async () => {
    while (!server.out().includes('Passerelle est ouverte')) await pause(10);
    return true;
  })();
  const isOpen = await Promise.race([opened, server.ended.then(() => false)]);
  if (!isOpen) throw new Error(`the server did not start: ${server.err()}${server.out()}`);
  return server;
}

export async function stop(server: Server): Promise<number | null> {
  server.child.kill('SIGTERM');
  return (await server.ended).code;
}
/** As a power cut would. */
export async function kill(server: Server): Promise<void> {
  server.child.kill('SIGKILL');
  await server.ended;
}

/** Signs the first admin in where a server answers; the token. `ask`: how, where the global fetch cannot. */
export async function signIn(origin: string, ask: Fetch = fetch): Promise<string> {
  const response = await ask(`${origin}/api/api/loginAdmin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  if (!response.ok) throw new Error(`no sign-in: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { tokenAdmin: string }).tokenAdmin;
}
