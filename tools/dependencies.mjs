// What the lockfile says of the packages: where from, under which licence, and whether they run scripts of their own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, root, textOf } from './files.mjs';

/** Licences under which the product may be used, changed and passed on as it is. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Zlib',
]);

/** Packages that name theirs in their readme, or in a file LICENSE, only. @type {Record<string, string>} */
const TOLD_ELSEWHERE = { 'combine-errors': 'MIT', exif: 'MIT', 'png-js': 'MIT' };

/** Used by another one: dependency-cruiser reads our sources with it. */
const USED_BY_OTHERS = ['typescript'];

const SCRIPTS = ['preinstall', 'install', 'postinstall'];

/**
 * @typedef {{ version: string, integrity?: string, resolved?: string, license?: string, dev?: boolean, link?: boolean,
 *   hasInstallScript?: boolean, engines?: Record<string, string>, os?: string[], cpu?: string[], libc?: string[],
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} Locked
 * `run`: what a built site needs. `site`: also what builds it. `testing`: also what tests, checks, benchmarks and
 * pictures need (tools/testing/package.json).
 * @typedef {'run' | 'site' | 'testing'} Extent
 * @typedef {Locked & { path: string, name: string, licence: string }} Package
 */

/**
 * package-lock.json; its packages by path below the repository, of which '' is the repository itself.
 * @returns {{ packages: Record<string, Locked> }}
 */
const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** @param {string} path below the repository */
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** @returns {Package[]} in the order of their names; without the repository and its workspace */
export function lockedPackages() {
  return Object.entries(readLock().packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, locked]) => {
      const name = nameOf(path);
      return { ...locked, path, name, licence: locked.license ?? TOLD_ELSEWHERE[name] ?? '' };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Is a package for a kind of machine. @param {string} platform @param {string} arch as Node names them */
const isFor =
  (platform, arch) =>
  /** @param {Locked} locked */
  ({ os, cpu, libc }) =>
    (os?.includes(platform) ?? true) &&
    (cpu?.includes(arch) ?? true) &&
    // The Node that everything runs on is for glibc.
    (libc === undefined || platform !== 'linux' || libc.includes('glibc'));

/**
 * What an installation brings, found as Node finds it: from the folder of each package upwards.
 * @param {Extent} extent
 * @param {(locked: Locked) => boolean} [isWanted]
 * @returns {string[]} paths below the repository
 */
function pathsFor(extent, isWanted = () => true) {
  const { packages: lock } = readLock();
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = extent === 'testing' ? ['', 'tools/testing'] : [''];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = lock[from] ?? {};
    const development = extent === 'run' ? {} : devDependencies;
    const names = { ...dependencies, ...development, ...optionalDependencies, ...peerDependencies };
    for (const name of Object.keys(names)) {
      let folder = from;
      while (folder !== '' && !lock[`${folder}/node_modules/${name}`])
        folder = folder.includes('/node_modules/')
          ? folder.slice(0, folder.lastIndexOf('/node_modules/'))
          : '';
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      const locked = lock[path];
      if (!locked || found.has(path) || !isWanted(locked)) continue;
      found.add(path);
      waiting.push(path);
    }
  }
  return [...found];
}

/**
 * The folders of the packages of an extent, below the repository, on this machine or on another kind of it.
 * @param {Extent} extent
 */
export const foldersFor = (
  extent,
  platform = /** @type {string} */ (process.platform),
  arch = /** @type {string} */ (process.arch),
) => pathsFor(extent, isFor(platform, arch));

/**
 * package.json and package-lock.json with the packages of an extent alone, for every machine.
 * @param {'run' | 'site'} extent
 */
export function manifestsFor(extent) {
  const lock = readLock();
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const of of [manifest, lock.packages['']]) {
    delete of.workspaces;
    if (extent === 'run') delete of.devDependencies;
  }
  const paths = ['', ...pathsFor(extent)];
  const kept = Object.entries(lock.packages).filter(([path]) => paths.includes(path));
  return { manifest, lock: { ...lock, packages: Object.fromEntries(kept) } };
}

/** Does a package run something when it is installed, or would some npm compile it. @param {Package} locked */
function hasScript({ path, hasInstallScript }) {
  // Those of other machines are not here.
  const { scripts = {} } = JSON.parse(textOf(join(root, path, 'package.json')) || '{}');
  const isCompiled = existsSync(join(root, path, 'binding.gyp'));
  return hasInstallScript === true || isCompiled || SCRIPTS.some((name) => name in scripts);
}

/**
 * Packages of tools/testing that no text names. The check for unused code knows only those of package.json.
 * @returns {string[]}
 */
function unusedTesting() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'tools/testing/package.json'), 'utf8'));
  const files = ['tests', 'bench', 'tools', 'vitest.config.ts', 'playwright.config.ts'].flatMap(filesBelow);
  const texts = files.filter((file) => /\.(ts|mjs)$/.test(file)).map((file) => textOf(join(root, file)));
  const locked = new Set(lockedPackages().map(({ name }) => name));
  return Object.keys(devDependencies).filter((name) => {
    if (USED_BY_OTHERS.includes(name)) return false;
    const typed = name.startsWith('@types/') && name.slice('@types/'.length);
    if (typed) return typed !== 'node' && !locked.has(typed);
    return !texts.some((text) => text.includes(`'${name}`) || text.includes(`node_modules/${name}/`));
  });
}

/**
 * Takes out of package-lock.json which Node the packages ask for. All of them run on the pinned one, but npm compares with
 * its own, and leaves an optional package out without a word.
 */
export function forgetEngines() {
  const lock = readLock();
  for (const [path, locked] of Object.entries(lock.packages)) if (path !== '') delete locked.engines;
  writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
}

/** @returns {{ ok: boolean, output: string }} */
export function checkDependencies() {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const found = lockedPackages().flatMap((locked) => {
    const { name, version, integrity, resolved, licence, engines } = locked;
    const terms = licence.split(/[\s()]+|\bAND\b|\bOR\b/).filter((term) => term !== '');
    const isAllowed = terms.length > 0 && terms.every((term) => LICENCES.has(term));
    return [
      ...(isAllowed ? [] : [`licence « ${licence} » is not on the list of tools/dependencies.mjs`]),
      ...(integrity?.startsWith('sha512-') ? [] : ['no sha512 in package-lock.json']),
      ...(resolved === undefined ? [] : ['package-lock.json names where it was taken from']),
      ...(engines ? ['package-lock.json says the engines that it asks for: npm run fix'] : []),
      ...(hasScript(locked) && !(name in allowScripts) ? ['install script not named in allowScripts'] : []),
    ].map((why) => `${name}@${version}: ${why}`);
  });
  found.push(...unusedTesting().map((name) => `${name}: in tools/testing/package.json, and used by nothing`));
  return { ok: found.length === 0, output: found.join('\n') };
}
