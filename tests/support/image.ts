import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/*
 * The image of deploy/Dockerfile, built and run without a container tool: its instructions are carried out one by one in a
 * folder, by bubblewrap, under which this machine's Debian is mounted for reading. What differs from a real image: its
 * Debian packages are those of this machine, and its layers are folders.
 */

const REPOSITORY = join(import.meta.dirname, '../..');
/** Where the Node of the image stands here: `/usr` is this machine's own. */
const NODE = '/opt/node';
/** The folder of `/usr` that is the image's own. */
const OWN_PROGRAMS = 'usr/local/bin';
/** Where this machine's cache of npm stands while it is built. */
const CACHE = '/var/cache/npm';

/** What a machine needs to build and run the image: bubblewrap, and root, as the image has two accounts. */
export function canRunImages(): boolean {
  return process.getuid?.() === 0 && spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;
}

interface Stage {
  folder: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  command: string[];
  healthcheck: string[];
  volumes: string[];
}

export interface Image extends Stage {
  /** Runs a command in it as its account, reading only but for its volumes and `/tmp`; each volume has a folder of `data`. */
  spawn(command: readonly string[], data: string, env?: Record<string, string>): ChildProcess;
  remove(): void;
}

/** Builds the image: carries out every instruction. Throws for one that it does not know. */
export function buildImage(): Image {
  const whole = mkdtempSync(join(tmpdir(), 'passerelle-image-'));
  try {
    const stages = new Map<string, Stage>();
    let stage: Stage | undefined;
    for (const [word, words] of instructionsOf(readFileSync(join(REPOSITORY, 'deploy/Dockerfile'), 'utf8'))) {
      if (word === 'FROM') {
        const [from = '', , name = 'last'] = words.split(' ');
        stage = stageFrom(join(whole, `${stages.size}`), stages.get(from));
        stages.set(name, stage);
      } else if (stage) carryOut(stage, stages, word, words);
    }
    const built = stage as Stage;
    return {
      ...built,
      spawn: (command, data, env = {}) => {
        const args = sandbox(built, { isReadOnly: true, data, env: { ...built.env, ...env } });
        return spawn('bwrap', [...args, ...asAccount(built.user), ...command], {
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      },
      remove: () => rmSync(whole, { recursive: true, force: true }),
    };
  } catch (error) {
    rmSync(whole, { recursive: true, force: true });
    throw error;
  }
}

/** Each instruction and its words; a line that ends in a backslash goes on. */
function instructionsOf(text: string): [string, string][] {
  return text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => [line.split(' ')[0] ?? '', line.slice(line.indexOf(' ') + 1)]);
}

function stageFrom(folder: string, base: Stage | undefined): Stage {
  if (base) {
    cpSync(base.folder, folder, { recursive: true, verbatimSymlinks: true });
    return { ...structuredClone(base), folder };
  }
  for (const name of [
    'etc/ssl',
    OWN_PROGRAMS,
    'proc',
    'dev',
    'tmp',
    `${NODE}/bin`,
    `${NODE}/lib`,
    'root',
    'home/node',
  ])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    if (existsSync(`/usr/${name}`)) symlinkSync(`usr/${name}`, join(folder, name));
  writeFileSync(
    join(folder, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
  );
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  for (const name of ['hosts', 'resolv.conf', 'nsswitch.conf'])
    if (existsSync(`/etc/${name}`)) cpSync(realpathSync(`/etc/${name}`), join(folder, 'etc', name));
  cpSync(realpathSync(process.execPath), join(folder, NODE, 'bin/node'));
  const npm = dirname(dirname(npmCli()));
  cpSync(npm, join(folder, NODE, 'lib/npm'), { recursive: true });
  symlinkSync('../lib/npm/bin/npm-cli.js', join(folder, NODE, 'bin/npm'));
  const env = { PATH: `${NODE}/bin:/usr/local/bin:/usr/bin:/bin`, HOME: '/root' };
  return { folder, workdir: '/', env, user: 'root', command: [], healthcheck: [], volumes: [] };
}

/** The npm that started us, or the one in PATH. */
function npmCli(): string {
  const given = process.env.npm_execpath ?? '';
  const path = basename(given) === 'npm-cli.js' ? given : execFileSync('which', ['npm']).toString().trim();
  return realpathSync(path);
}

function carryOut(stage: Stage, stages: ReadonlyMap<string, Stage>, word: string, words: string): void {
  switch (word) {
    case 'WORKDIR':
      stage.workdir = words;
      mkdirSync(join(stage.folder, words), { recursive: true });
      break;
    case 'COPY':
      copy(stage, stages, words.split(' '));
      break;
    case 'RUN': {
      const args = sandbox(stage, {
        isReadOnly: false,
        env: { ...stage.env, ...ownRegistry(), npm_config_cache: CACHE },
      });
      const { status, stderr, stdout } = spawnSync('bwrap', [...args, '/bin/sh', '-ec', words], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`RUN ${words}: ${status}\n${stdout}${stderr}`);
      break;
    }
    case 'ENV':
      for (const [, name = '', value = ''] of words.matchAll(/([A-Z_]+)=(\S+)/g)) stage.env[name] = value;
      break;
    case 'USER':
      stage.user = words;
      break;
    case 'VOLUME':
      stage.volumes.push(words);
      break;
    case 'CMD':
      stage.command = JSON.parse(words);
      break;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(words.slice(words.indexOf('CMD ') + 'CMD '.length));
      break;
    case 'EXPOSE':
      break;
    default:
      throw new Error(`${word}: unknown instruction`);
  }
}

/** As Docker copies: what is in a folder goes into the target; of the repository, what .dockerignore lets through. */
function copy(stage: Stage, stages: ReadonlyMap<string, Stage>, words: readonly string[]): void {
  const from = words[0]?.startsWith('--from=') ? stages.get(words[0].slice('--from='.length)) : undefined;
  const [target = '', ...sources] = words.filter((word) => !word.startsWith('--')).reverse();
  const to = join(stage.folder, target.startsWith('/') ? target : join(stage.workdir, target));
  const ignored = readFileSync(join(REPOSITORY, 'deploy/Dockerfile.dockerignore'), 'utf8');
  const letThrough = [...ignored.matchAll(/^!(.+)$/gm)].map(([, name]) => name ?? '');
  for (const source of sources) {
    const all = source === '.' ? letThrough : [source];
    for (const name of all) {
      if (!from && !letThrough.includes(name)) throw new Error(`COPY ${name}: .dockerignore leaves it out`);
      const path = from ? join(from.folder, name) : join(REPOSITORY, name);
      const isFolder = readdirSync(dirname(path), { withFileTypes: true }).some(
        (entry) => entry.name === basename(path) && entry.isDirectory(),
      );
      const place = source === '.' ? join(to, name) : isFolder ? to : join(to, basename(name));
      cpSync(path, place, { recursive: true, verbatimSymlinks: true });
    }
  }
}

/** What this machine's environment says about how to reach its registry of packages. */
export function ownRegistry(): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(registry|cafile|userconfig)|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name),
  ) as [string, string][];
  return Object.fromEntries(own);
}

interface Sandbox {
  isReadOnly: boolean;
  env: Record<string, string>;
  /** Folder of the volumes. */
  data?: string;
}

/** The words of bubblewrap for a stage. */
function sandbox({ folder, workdir, volumes }: Stage, { isReadOnly, env, data }: Sandbox): string[] {
  const cache = join(homedir(), '.npm');
  if (!isReadOnly) mkdirSync(cache, { recursive: true });
  const building = ['--dir', CACHE, '--bind', cache, CACHE, '--cap-add', 'ALL'];
  const running = [
    ...volumes.flatMap((volume) => ['--bind', join(data ?? '', volume), volume]),
    // As a container tool has it: the command is the first process, to which signals go.
    '--as-pid-1',
    // No more of root than it takes to become its account.
    ...['--cap-drop', 'ALL'],
    ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name]),
  ];
  return [
    ...[isReadOnly ? '--ro-bind' : '--bind', folder, '/'],
    ...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc/ssl', '/etc/ssl'],
    ...[isReadOnly ? '--ro-bind' : '--bind', join(folder, OWN_PROGRAMS), `/${OWN_PROGRAMS}`],
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--new-session'],
    ...(isReadOnly ? running : building),
    ...['--chdir', workdir, '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** Becomes an account without any right of root, and without a way back. */
function asAccount(user: string): string[] {
  const id = user === 'root' ? '0' : '1000';
  return [
    ...['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups', '--no-new-privs'],
    ...['--bounding-set=-all', '--inh-caps=-all', '--'],
  ];
}
