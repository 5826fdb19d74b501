import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder, with a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} file @returns {string} its text, or '' when it does not exist */
export function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * Every file below a path of the repository, in a fixed order; none when it does not exist.
 * @param {string} path relative to the repository
 * @returns {string[]} likewise
 */
export function filesBelow(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesBelow(`${path}/${name}`));
}
