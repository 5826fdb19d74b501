// Installs the packages of package-lock.json: those of the site, or also those of tools/testing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { foldersFor } from './dependencies.mjs';
import { root, textOf } from './files.mjs';
import { run, Stop } from './process.mjs';

/** @typedef {Exclude<import('./dependencies.mjs').Extent, 'run'>} Extent */

const packages = join(root, 'node_modules');

/** The pinned Node, below node_modules. */
const pinned = `node-linux-${process.arch}/bin/node`;

/** What the last complete installation was: the hash of its lockfile, and its extent. */
const stamp = join(packages, '.passerelle');

function lockHash() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of ['package.json', 'package-lock.json', 'tools/testing/package.json'])
    hash.update(textOf(join(root, file)));
  return hash.digest('hex');
}

/** The npm that started us, else the one in PATH; on its own Node, as ours may stand in node_modules. */
export function npm() {
  const cli = process.env.npm_execpath ?? '';
  if (basename(cli) !== 'npm-cli.js') return ['npm'];
  return [process.env.npm_node_execpath ?? process.execPath, cli];
}

/**
 * Ends where npm cannot bring the packages, or where they could not run.
 * @param {string[]} npm its command
 */
function requireMachine([file = '', ...args]) {
  const { optionalDependencies } = JSON.parse(textOf(join(root, 'package.json')));
  const { header } = /** @type {{ header: object }} */ (process.report.getReport());
  const isGlibc = 'glibcVersionRuntime' in header;
  if (process.platform !== 'linux') node24();
  else if (!isGlibc || !(`node-linux-${process.arch}` in optionalDependencies))
    throw new Stop(
      `Le site s’installe sur Debian, Ubuntu ou un autre Linux à glibc, en x86-64 ou ARM 64\u00a0bits (ici\u202f: ${process.arch}${isGlibc ? '' : ' sans glibc'}).`,
    );
  const version = spawnSync(file, [...args, '--version'], { encoding: 'utf8' }).stdout?.trim();
  if (Number.parseInt(version, 10) >= 8) return;
  throw new Stop(
    `npm 8 ou plus récent est nécessaire (ici\u202f: ${version || 'aucun'})\u202f: «\u00a0apt install npm\u00a0» à partir de Debian 12 ou d’Ubuntu 24.04.`,
  );
}

/**
 * node_modules/.bin/node, which the units of deploy/ start: npm 9 takes it away with the package for another kind of
 * machine, which has one of the same name.
 */
function linkNode() {
  const link = join(packages, '.bin/node');
  if (existsSync(link) || !existsSync(join(packages, pinned))) return;
  mkdirSync(join(packages, '.bin'), { recursive: true });
  symlinkSync(join('..', pinned), link);
}

/**
 * Installs what package-lock.json says, unless the last complete installation did. Where there were the packages of
 * tools/testing, they stay.
 * @param {Extent} [least]
 */
export async function ensureInstalled(least = 'site') {
  const hash = lockHash();
  const [installed, installedExtent] = textOf(stamp).split(' ');
  const extent = installedExtent === 'testing' ? installedExtent : least;
  const isCurrent = installed === hash;
  if (isCurrent && installedExtent === extent) return;
  // A site may be running on these packages, and `npm ci` empties the folder first. `npm install` only adds what is
  // missing; it keeps to the lockfile, as `npm ci` found that it fits package.json when it installed the site.
  const command = isCurrent ? ['install', '--no-save'] : ['ci'];
  // The build needs the development packages, even under NODE_ENV=production. No package needs its
  // install script, and older versions of npm would compile better-sqlite3 for the wrong Node.
  const options = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-engine-strict'];
  // What is in the cache is taken from there unasked: its hash says that it is what the lockfile names.
  const quiet = ['--prefer-offline', '--loglevel=error', '--no-audit', '--no-fund'];
  const only = extent === 'site' ? ['--workspaces=false'] : [];
  const [file = 'npm', ...args] = npm();
  requireMachine([file, ...args]);
  const expected = foldersFor(extent);
  rmSync(stamp, { force: true });
  const stop = showProgress(expected);
  const code = await run(file, [...args, ...command, ...options, ...quiet, ...only], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  stop();
  if (code !== 0) throw new Stop(`L'installation des dépendances a échoué (npm ${command[0]}).`);
  // npm says nothing of an optional package that it could not bring: the Node that everything runs on is one.
  const missing = missingOf(expected);
  if (missing.length > 0) {
    const others = missing.splice(3).length;
    const names = missing.join(', ') + (others > 0 ? ` et ${others} de plus` : '');
    throw new Stop(`L'installation est incomplète\u202f: il manque ${names}.`);
  }
  linkNode();
  removeSpareFiles(packages, process.arch);
  writeFileSync(stamp, `${hash} ${extent}`);
}

/** @param {string[]} folders of packages, below the repository */
const missingOf = (folders) => folders.filter((folder) => !existsSync(join(root, folder, 'package.json')));

/**
 * Says how many packages are there: on a terminal in one line that changes, elsewhere in a line every ten seconds.
 * @param {string[]} expected their folders
 * @returns {() => void} ends it
 */
function showProgress(expected) {
  const { isTTY: isTerminal } = process.stderr;
  const start = performance.now();
  const say = () => {
    const there = expected.length - missingOf(expected).length;
    const seconds = Math.round((performance.now() - start) / 1000);
    const line = `Installation des dépendances\u202f: ${there} paquets sur ${expected.length}, ${seconds} s`;
    process.stderr.write(isTerminal ? `\r${line}` : `${line}\n`);
  };
  if (isTerminal) say();
  else process.stderr.write(`Installation des dépendances\u202f: ${expected.length} paquets…\n`);
  const timer = setInterval(say, isTerminal ? 250 : 10_000);
  return () => {
    clearInterval(timer);
    say();
    if (isTerminal) process.stderr.write('\n');
  };
}

/** What no program, type check or editor reads of the packages: a third of their size. Paths below node_modules. @param {string} arch */
const spareFor = (arch) => [
  /\.map$/,
  // C sources and headers, and libraries for other machines: nothing is compiled here.
  /^node-linux-[^/]+\/include$/,
  /^better-sqlite3\/(deps|src)$/,
  new RegExp(`^better-sqlite3/prebuilds/(?!${process.platform}\\w*-${arch}\\.)`),
  // Further editions of what is loaded in another form, and sources of what is loaded compiled.
  /^@(aws-sdk|smithy)\/[^/]+\/dist-es$/,
  /^@tanstack\/[^/]+\/(src|build\/legacy)$/,
  /^(ajv\/lib|libheif-js\/libheif|tus-js-client\/dist|yaml\/browser|zod\/src)$/,
  /^lucide-react\/(dynamic.*|dist\/cjs|dist\/lucide-react\.\w+fixed\.d\.ts)$/,
  /^react-dom\/cjs\/react-dom-profiling\..*/,
  /\.js\.flow$/,
  // Tests and documentation of the packages themselves; our tests take photographs from those of exif.
  /^(?!exif\/)(@[^/]+\/[^/]+|[^@/][^/]*)\/(docs|tests?)$/,
  /\/(?!licen[cs]e|notice)[^/]*\.md$/i,
];

/** @param {string} within a node_modules @param {string} arch of the machine that they are for */
export function removeSpareFiles(within, arch) {
  const spare = spareFor(arch);
  const look = (folder = '') => {
    for (const entry of readdirSync(join(within, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (spare.some((pattern) => pattern.test(path))) rmSync(join(within, path), { recursive: true });
      else if (entry.isDirectory()) look(path);
    }
  };
  look();
}

/** The Node that runs everything after the installation: the pinned package, else ours if recent enough. */
export function node24() {
  const file = join(packages, pinned);
  if (process.platform === 'linux' && existsSync(file)) return file;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  throw new Stop(`Node 24 ou plus récent est nécessaire (ici : ${process.versions.node}).`);
}
