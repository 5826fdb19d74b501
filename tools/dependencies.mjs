// What the lockfile says of the packages: where from, under which licence, and whether they run scripts of their own.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, textOf } from './files.mjs';

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

/** Packages that name theirs in their readme only. @type {Record<string, string>} */
const TOLD_ELSEWHERE = { 'combine-errors': 'MIT', exif: 'MIT' };

const SCRIPTS = ['preinstall', 'install', 'postinstall'];

/**
 * @typedef {{ version: string, integrity?: string, resolved?: string, license?: string, dev?: boolean,
 *   hasInstallScript?: boolean }} Locked
 */

/** @returns {(Locked & { path: string, name: string, licence: string })[]} in the order of their names */
export function lockedPackages() {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, locked]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { ...locked, path, name, licence: locked.license ?? TOLD_ELSEWHERE[name] ?? '' };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Does a package run something when it is installed, or would some npm compile it. @param {Locked & { path: string }} locked */
function hasScript({ path, hasInstallScript }) {
  // Those of other machines are not here.
  const { scripts = {} } = JSON.parse(textOf(join(root, path, 'package.json')) || '{}');
  const isCompiled = existsSync(join(root, path, 'binding.gyp'));
  return hasInstallScript === true || isCompiled || SCRIPTS.some((name) => name in scripts);
}

/** @returns {{ ok: boolean, output: string }} */
export function checkDependencies() {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const found = lockedPackages().flatMap((locked) => {
    const { name, version, integrity, resolved, licence } = locked;
    const terms = licence.split(/[\s()]+|\bAND\b|\bOR\b/).filter((term) => term !== '');
    const isAllowed = terms.length > 0 && terms.every((term) => LICENCES.has(term));
    return [
      ...(isAllowed ? [] : [`licence « ${licence} » is not on the list of tools/dependencies.mjs`]),
      ...(integrity?.startsWith('sha512-') ? [] : ['no sha512 in package-lock.json']),
      ...(resolved === undefined ? [] : ['package-lock.json names where it was taken from']),
      ...(hasScript(locked) && !(name in allowScripts) ? ['install script not named in allowScripts'] : []),
    ].map((why) => `${name}@${version}: ${why}`);
  });
  return { ok: found.length === 0, output: found.join('\n') };
}
