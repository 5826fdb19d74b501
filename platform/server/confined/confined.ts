import { type ChildProcess, execFile, fork } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/*
 * Processes that can reach little, whoever has taken them over: `confine.pl` says what the kernel refuses them. It is
 * Perl, which is part of every Debian, as Node can make none of these system calls.
 */

const PERL = '/usr/bin/perl';
const SCRIPT = fileURLToPath(import.meta.resolve('#platform/server/confined/confine.pl'));
const ROOT = resolve(dirname(SCRIPT), '../../..');

/** What a process reads: Node, the libraries of the system, and the code of the site. */
const READ = [
  process.execPath,
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/local/lib',
  '/usr/share/zoneinfo',
  '/etc/ld.so.cache',
  '/etc/ssl/openssl.cnf',
  '/dev/null',
  '/sys/devices/system/cpu',
  ...['platform', 'node_modules', 'package.json'].map((name) => resolve(ROOT, name)),
];

interface Allowed {
  /** Folders whose files it reads, beside code. */
  reads: readonly string[];
  /** Folder in which it reads and writes files. */
  writes: string;
}

const listsOf = ({ reads, writes }: Allowed) => [[...READ, ...reads].join('\n'), writes];

/** Like `fork`, with a module that runs confined if `isConfined`. */
export function forkConfined(
  module: URL,
  { isConfined, env, nodeFlags, ...allowed }: Allowed & ForkOptions,
): ChildProcess {
  const options = { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'ipc')[] };
  if (!isConfined) return fork(module, { ...options, execArgv: nodeFlags });
  const execArgv = [SCRIPT, ...listsOf(allowed), '--', process.execPath, ...nodeFlags];
  return fork(module, { ...options, execPath: PERL, execArgv });
}

interface ForkOptions {
  isConfined: boolean;
  /** Its whole environment. */
  env: NodeJS.ProcessEnv;
  nodeFlags: string[];
}

/** Of a process that has no folder. */
const NOTHING = listsOf({ reads: [], writes: '/dev/null' });

let confines: Promise<boolean> | undefined;

/** Whether a process can be started that way on this machine, and still has what decoders need. */
export function canConfine(): Promise<boolean> {
  confines ??= tryOut();
  return confines;
}

async function tryOut(): Promise<boolean> {
  const program = [process.execPath, '--input-type=module', '--eval', "await import('sharp')"];
  try {
    await run(PERL, [SCRIPT, ...NOTHING, '--', ...program], { cwd: ROOT, env: {} });
    return true;
  } catch {
    return false;
  }
}

/** What the kernel refuses a confined process here: to open `file`, and to open sockets. */
export async function refusedTo(file: string): Promise<{ files: boolean; sockets: boolean }> {
  if (!(await canConfine())) return { files: false, sockets: false };
  const { stdout } = await run(PERL, [SCRIPT, ...NOTHING, '--probe', file], { env: {} });
  const refused = stdout.split('\n');
  return { files: refused.includes('files'), sockets: refused.includes('sockets') };
}

const run = promisify(execFile);
