// The browsers that the site serves, each from a version on: `browserslist` in package.json, of which every line is
// « name >= version ». The build aims at them, tools/compat.mjs holds to them what pages use, and the first script of a page
// (app/web/boot.ts) tells older ones.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.mjs';

/** Oldest version by name: `{ safari: '16.4', … }`. @type {Record<string, string>} */
export const SERVED = Object.fromEntries(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).browserslist.map(
    (/** @type {string} */ line) => line.split(' >= '),
  ),
);

/** For `build.target` of Vite. */
export const target = Object.entries(SERVED).map(
  ([name, version]) => `${name === 'ios_saf' ? 'ios' : name}${version}`,
);
