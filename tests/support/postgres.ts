import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';

export interface Postgres {
  /** Address of its first database, from which others can be made. */
  url: string;
  stop(): void;
}

/** Starts a PostgreSQL of our own: own folder, own free port, gone afterwards. With a password it asks for it. */
export async function startPostgres(password?: string): Promise<Postgres> {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-pg-'));
  const port = await freePort();
  const run = runner(directory);
  const data = join(directory, 'data');
  const secret = join(directory, 'password');
  if (password) writeFileSync(secret, password, { mode: 0o644 });
  const auth = password ? ['--auth=scram-sha-256', `--pwfile=${secret}`] : ['--auth=trust'];
  run('initdb', '-D', data, ...auth, '-E', 'UTF8', '--locale=C.UTF-8', '-U', 'postgres', '--no-sync');
  // Durability is not what these tests ask of PostgreSQL; its speed is. Autovacuum would go round hundreds of databases.
  const fast =
    'fsync=off synchronous_commit=off full_page_writes=off wal_level=minimal max_wal_senders=0 autovacuum=off';
  const settings = `listen_addresses=127.0.0.1 max_connections=200 ${fast}`.replaceAll(/\S+/g, '-c $&');
  const options = `-p ${port} -k ${directory} ${settings}`;
  run('pg_ctl', '-D', data, '-o', options, '-l', join(directory, 'log'), '-w', 'start');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** All that a database holds, as a backup of it says. */
export function dumpDatabase(url: string): string {
  const options = { encoding: 'latin1' as const, maxBuffer: 256 * 1024 * 1024 };
  return execFileSync(join(findPrograms(), 'pg_dump'), ['--dbname', url], options);
}

/** PostgreSQL refuses to run as root: there it runs as its own user. */
function runner(directory: string): (program: string, ...args: string[]) => void {
  const programs = findPrograms();
  const start = (program: string, args: string[], as: { uid?: number; gid?: number }) =>
    void execFileSync(join(programs, program), args, { stdio: 'ignore', cwd: directory, ...as });
  if (userInfo().uid !== 0) return (program, ...args) => start(program, args, {});
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const as = { uid: idOf('-u'), gid: idOf('-g') };
  chownSync(directory, as.uid, as.gid);
  return (program, ...args) => start(program, args, as);
}

/** Debian keeps each version's programs apart; the newest is taken. */
function findPrograms(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .sort((a, b) => b - a)
    : [];
  const found = versions
    .map((version) => join(root, String(version), 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (!found) throw new Error('PostgreSQL is not installed: npm test installs it');
  return found;
}
