import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root, textOf } from './files.mjs';
import { run, Stop } from './process.mjs';

/** The browser: Chromium without windows, which takes two thirds of the other's time. */
export const CHROMIUM = process.env.CHROME_PATH ?? '/usr/bin/chromium-headless-shell';

/** @param {string} command */
function inPath(command) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, command)));
}

function hasPostgresql() {
  const versions = '/usr/lib/postgresql';
  const debian = existsSync(versions) ? readdirSync(versions) : [];
  return debian.some((version) => existsSync(join(versions, version, 'bin/initdb'))) || inPath('initdb');
}

/** Debian keeps it where only root looks. */
function hasNginx() {
  return inPath('nginx') || existsSync('/usr/sbin/nginx');
}

/** The engine of Safari, what drives it, and Python's names for it. */
export function hasWebkit() {
  const python = ['/usr/lib/python3/dist-packages/gi', '/usr/bin/python3'].every((path) => existsSync(path));
  const libraries = existsSync('/usr/lib') ? readdirSync('/usr/lib') : [];
  const isNamed = libraries.some((name) =>
    existsSync(join('/usr/lib', name, 'girepository-1.0/WebKit2-4.1.typelib')),
  );
  return python && isNamed && inPath('WebKitWebDriver') && inPath('Xvfb');
}

export const hasFirefox = () => inPath('firefox-esr');

/** What a file of tests, or one that it imports, asks of the machine; what the machine has not, Debian's packages bring. */
const NEEDS = [
  {
    by: /\.spec\.ts$/,
    isThere: () => existsSync(CHROMIUM),
    packages: ['chromium-headless-shell', 'fonts-liberation'],
  },
  {
    by: /(?<!\.unit|\.sqlite)\.test\.ts$|support\/postgres\.ts$/,
    isThere: hasPostgresql,
    packages: ['postgresql'],
  },
  {
    by: /content\/pdfs\.sqlite\.test\.ts$|support\/printed\.ts$/,
    isThere: () => inPath('qpdf') && inPath('pdftocairo'),
    packages: ['qpdf', 'poppler-utils'],
  },
  { by: /support\/photos\.ts$/, isThere: () => inPath('heif-enc'), packages: ['libheif-examples'] },
  {
    by: /photos\/photos-jpeg\.test\.ts$/,
    isThere: () => inPath('exiftool'),
    packages: ['libimage-exiftool-perl'],
  },
  {
    by: /support\/s3\.ts$/,
    isThere: () => inPath('swift-proxy-server') && inPath('memcached'),
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'],
  },
  {
    by: /support\/nginx\.ts$/,
    isThere: () => hasNginx() && inPath('openssl'),
    packages: ['nginx-light', 'openssl'],
  },
  {
    by: /operations\/release\.unit\.test\.ts$/,
    isThere: () => hasNginx() && inPath('ssh-keygen'),
    packages: ['nginx-light', 'openssh-client'],
  },
  {
    by: /operations\/deploy\.unit\.test\.ts$/,
    isThere: () => inPath('systemd-analyze'),
    packages: ['systemd'],
  },
  // Without these a test is left out, and says so.
  {
    by: /support\/libreoffice\.ts$/,
    isThere: () => inPath('soffice'),
    packages: ['libreoffice-calc-nogui'],
    isOptional: true,
  },
  {
    by: /engines\/webkit\.ts$/,
    isThere: hasWebkit,
    packages: ['webkit2gtk-driver', 'python3-gi', 'gir1.2-webkit2-4.1', 'xvfb'],
    isOptional: true,
  },
  {
    by: /engines\/firefox\.ts$/,
    isThere: hasFirefox,
    packages: ['firefox-esr'],
    isOptional: true,
  },
  {
    by: /(support\/image|handbook\.sqlite\.test)\.ts$/,
    isThere: () => inPath('bwrap'),
    packages: ['bubblewrap'],
    isOptional: true,
  },
  {
    by: /debian\.sqlite\.test\.ts$/,
    isThere: () => inPath('mmdebstrap'),
    packages: ['mmdebstrap', 'bubblewrap'],
  },
];

/**
 * Debian packages that tests ask for and this machine lacks.
 * @param {string[]} paths the files of tests that will run
 * @param {boolean} [optional] those without which a test is left out
 */
function missingPackages(paths, optional = false) {
  const files = [...withImports(paths)];
  return NEEDS.filter(({ isOptional = false }) => isOptional === optional)
    .filter(({ by, isThere }) => files.some((file) => by.test(file)) && !isThere())
    .flatMap(({ packages }) => packages);
}

/** Those files, and the files of tests/ that they import, directly or not. @param {string[]} paths */
function withImports(paths) {
  const found = new Set(paths);
  for (const file of found)
    for (const [, name = ''] of textOf(join(root, file)).matchAll(
      /(?:from|import\() ?'((?:#tests|\.{1,2})\/[^']+)'/g,
    ))
      found.add(name.startsWith('#') ? name.slice(1) : join(dirname(file), name));
  return found;
}

/**
 * Installs what the tests need of the machine: a browser, a PostgreSQL, a store that speaks S3, nginx, an encoder of iPhone
 * photos, tools that write PDFs; and LibreOffice, bubblewrap and the engines of Safari and Firefox, where it may.
 * @param {string[]} paths the files of tests that will run
 */
export async function ensureMachine(paths) {
  const packages = missingPackages(paths);
  const optional = missingPackages(paths, true);
  if (packages.length + optional.length === 0) return;
  const mayInstall = sudo.length === 0 || spawnSync('sudo', ['-n', 'true']).status === 0;
  if (inPath('apt-get') && mayInstall) {
    process.stdout.write(`Installation de ${[...packages, ...optional].join(', ')}…\n`);
    if ((await apt('update', '-qq')) !== 0) await apt('update', '-qq');
    await install(packages);
    // Apart: when it fails, what is needed is there all the same.
    await aptInstall(...optional);
  }
  const without = missingPackages(paths, true);
  if (without.length > 0) process.stdout.write(`Essais laissés de côté, sans ${without.join(', ')}\n`);
  const missing = missingPackages(paths);
  if (missing.length > 0)
    throw new Stop(`Ces essais ont besoin de paquets Debian\u202f: sudo apt install ${missing.join(' ')}`);
}

const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];

/** @param {string[]} args */
function asRoot(...args) {
  const [file = '', ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', ...args];
  return run(file, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** How long we wait, in ms, for another program that installs packages: a machine that has just started does, for minutes. */
const LOCK_MS = 15 * 60_000;

/** What only one program at a time may hold; a lock that is there and held by nobody is taken at once. */
const LOCKS = ['/var/lib/apt/lists/lock', '/var/lib/dpkg/lock-frontend', '/var/lib/dpkg/lock'];

/** Runs apt-get once no other program holds its locks. @param {string[]} args */
async function apt(...args) {
  const end = Date.now() + LOCK_MS;
  for (let isSaid = false; Date.now() < end; isSaid = true) {
    const holder = heldBy();
    if (!holder) break;
    if (!isSaid)
      process.stdout.write(`${holder} installe des paquets Debian\u202f: on attend qu’il ait fini…\n`);
    await pause(1_000);
  }
  return asRoot('apt-get', '-o', 'DPkg::Lock::Timeout=60', ...args);
}

/** The program that holds a lock of apt or dpkg, by its number. */
function heldBy() {
  const inodes = LOCKS.map((path) => statSync(path, { throwIfNoEntry: false })?.ino);
  // « 1: POSIX  ADVISORY  WRITE 1234 08:01:5678 0 EOF »: process, then device and file.
  const held = textOf('/proc/locks')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, , , , , file = '']) => inodes.includes(Number(file.split(':').at(-1))));
  return held && `Le processus ${held[4]}`;
}

/** @param {string[]} names none at all is done at once */
function aptInstall(...names) {
  return names.length === 0 ? 0 : apt('install', '-y', '-qq', '--no-install-recommends', ...names);
}

/** @param {string[]} packages */
async function install(packages) {
  if (!packages.includes('postgresql')) return void (await aptInstall(...packages));

  // The package would create and start a server of its own. Its settings come with postgresql-common:
  // between the two installations they say that none is wanted, then that line is taken away.
  const settings = '/etc/postgresql-common/createcluster.conf';
  if ((await aptInstall('postgresql-common')) !== 0) return;
  await asRoot('sh', '-c', `echo 'create_main_cluster = false' >> ${settings}`);
  await aptInstall(...packages);
  await asRoot('sed', '-i', '$d', settings);
}
