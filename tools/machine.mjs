import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
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

/** Debian packages that the tests need and this machine lacks. */
function missingPackages() {
  const packages = [];
  if (!existsSync(CHROMIUM)) packages.push('chromium-headless-shell', 'fonts-liberation');
  if (!hasPostgresql()) packages.push('postgresql');
  if (!inPath('heif-enc')) packages.push('libheif-examples');
  if (!inPath('swift-proxy-server'))
    packages.push('swift-proxy', 'swift-account', 'swift-container', 'swift-object');
  if (!inPath('memcached')) packages.push('memcached');
  if (!hasNginx()) packages.push('nginx-light');
  return packages;
}

/** Debian packages that this machine lacks and without which a test is left out, and says so. */
function optionalPackages() {
  const packages = { soffice: 'libreoffice-calc-nogui', qpdf: 'qpdf', bwrap: 'bubblewrap' };
  return Object.entries(packages).flatMap(([command, name]) => (inPath(command) ? [] : [name]));
}

/**
 * Installs what the tests need of the machine: a browser, a PostgreSQL, a store that speaks S3, nginx, an encoder of iPhone
 * photos; and LibreOffice, qpdf and bubblewrap, where it may.
 */
export async function ensureMachine() {
  const packages = missingPackages();
  const optional = optionalPackages();
  if (packages.length + optional.length === 0) return;
  const mayInstall = sudo.length === 0 || spawnSync('sudo', ['-n', 'true']).status === 0;
  if (inPath('apt-get') && mayInstall) {
    process.stdout.write(`Installation de ${[...packages, ...optional].join(', ')}…\n`);
    if ((await asRoot('apt-get', 'update', '-qq')) !== 0) await asRoot('apt-get', 'update', '-qq');
    await install(packages);
    // Apart: when it fails, what is needed is there all the same.
    await aptInstall(...optional);
  }
  const missing = missingPackages();
  if (missing.length > 0) throw new Stop(`Les essais ont besoin des paquets Debian : ${missing.join(' ')}.`);
}

const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];

/** @param {string[]} args */
function asRoot(...args) {
  const [file = '', ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', ...args];
  return run(file, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** @param {string[]} names none at all is done at once */
function aptInstall(...names) {
  return asRoot('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names);
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
