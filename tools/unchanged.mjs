// What a check found right, by the hash of each file that it read: the next run looks at what has changed since.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textOf } from './files.mjs';

/** Hashes of contents, by path below a folder. @typedef {Record<string, string>} Hashes */

/** No source is as large, in bytes. */
const LARGEST = 8 * 1024 * 1024;

/** @param {string} text */
export const hashOf = (text) => createHash('sha256').update(text).digest('hex');

/** @param {string} line of .gitignore: a name or a path, with or without stars */
function ignoredBy(line) {
  const start = line.slice(0, -1).includes('/') ? '^' : '(^|/)';
  const name = line
    .replaceAll(/^\/|\/$/g, '')
    .replaceAll('.', '\\.')
    .replaceAll('*', '[^/]*');
  return new RegExp(`${start}${name}$`);
}

/**
 * Every file of a folder that its .gitignore does not name, whether git knows it already or not.
 * @param {string} folder
 * @returns {Hashes}
 */
export function hashesBelow(folder) {
  const lines = textOf(join(folder, '.gitignore'))
    .split('\n')
    .filter((line) => /^[^#\s]/.test(line));
  const ignored = ['.git', ...lines].map(ignoredBy);
  /** @type {Hashes} */
  const hashes = {};
  const look = (/** @type {string} */ below) => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (ignored.some((pattern) => pattern.test(path))) continue;
      if (entry.isDirectory()) look(path);
      else if (entry.isFile() && statSync(join(folder, path)).size <= LARGEST)
        hashes[path] = createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex');
    }
  };
  look('');
  return hashes;
}

/** @param {Hashes} hashes @param {RegExp} pattern of paths @returns {Hashes} */
export const only = (hashes, pattern) =>
  Object.fromEntries(Object.entries(hashes).filter(([path]) => pattern.test(path)));

/**
 * The last successes of all checks.
 * @param {string} file that keeps them
 * @param {string} circumstances hash of what else they depend on: tools, their versions and settings. Under others, no
 *   success is one.
 */
export function openSuccesses(file, circumstances) {
  const kept = JSON.parse(textOf(file) || '{}');
  /** @type {Record<string, Hashes>} */
  const successes = kept.circumstances === circumstances ? kept.successes : {};
  return {
    /**
     * The files that are new, different or gone since a check's last success; all when there was none.
     * @param {string} name of the check
     * @param {Hashes} files
     */
    changed(name, files) {
      const before = successes[name] ?? {};
      return Object.keys({ ...before, ...files }).filter((path) => before[path] !== files[path]);
    },
    /** @param {string} name @param {Hashes} files as they were before the check looked at them */
    keep(name, files) {
      successes[name] = files;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, JSON.stringify({ circumstances, successes }));
      renameSync(`${file}.new`, file);
    },
  };
}
