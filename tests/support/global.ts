import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a running PostgreSQL in which databases may be made; blank for the SQLite run. */
    postgresUrl: string;
  }
}

/** Starts a PostgreSQL of our own for the run on it: own folder, own free port, gone afterwards. */
export default async function setUp(project: TestProject): Promise<(() => void) | undefined> {
  if (project.config.provide.database !== 'postgres') {
    project.provide('postgresUrl', '');
    return undefined;
  }
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-pg-'));
  const port = await freePort();
  const run = runner(directory);
  const data = join(directory, 'data');
  run('initdb', '-D', data, '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '-U', 'postgres', '--no-sync');
  // Durability is not what these tests ask of PostgreSQL; its speed is.
  const options = `-p ${port} -k ${directory} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`;
  run('pg_ctl', '-D', data, '-o', options, '-l', join(directory, 'log'), '-w', 'start');
  project.provide('postgresUrl', `postgres://postgres@127.0.0.1:${port}/postgres`);
  return () => {
    run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
    rmSync(directory, { recursive: true, force: true });
  };
}

/** PostgreSQL refuses to run as root: there it runs as its own user. */
function runner(directory: string): (program: string, ...args: string[]) => void {
  const programs = findPrograms();
  if (userInfo().uid !== 0) {
    return (program, ...args) => void execFileSync(join(programs, program), args, { stdio: 'pipe' });
  }
  const uid = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
  const gid = Number(execFileSync('id', ['-g', 'postgres'], { encoding: 'utf8' }));
  mkdirSync(directory, { recursive: true });
  chownSync(directory, uid, gid);
  return (program, ...args) =>
    void execFileSync(join(programs, program), args, { stdio: 'pipe', uid, gid, cwd: directory });
}

/** Debian keeps each version's programs apart; the newest is taken. */
function findPrograms(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).map(Number).sort((a, b) => b - a) : [];
  const found = versions.map((version) => join(root, String(version), 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  if (!found) throw new Error('PostgreSQL is not installed: npm test installs it');
  return found;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}
