// Which of the locked packages have known vulnerabilities, as far as the registry tells.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foldersFor, lockedPackages } from './dependencies.mjs';
import { root, textOf } from './files.mjs';
import { npm } from './install.mjs';
import { hashOf } from './unchanged.mjs';

/**
 * Advisories that a site can live with for a while, by their number (GHSA-…): why, and the last day of that.
 * @type {Record<string, { reason: string, until: string }>}
 */
const ACCEPTED = {};

/** With these, nothing that a site runs or is built by may be released. */
const GRAVE = ['high', 'critical'];

/** @typedef {{ url: string, title: string, severity: string, range: string }} Advisory */
/** @typedef {{ name: string, version: string, path: string, dev?: boolean }} Locked */

/**
 * @param {string} range of the versions with a vulnerability
 * @param {false | true | { name: string, version: string }} fix as npm knows it
 */
function mended(range, fix) {
  const first = /<(\d\S*)$/.exec(range)?.[1];
  if (first) return `fixed in ${first}`;
  return typeof fix === 'object'
    ? `fixed by ${fix.name}@${fix.version}`
    : fix
      ? 'fixed by npm update'
      : 'not fixed yet';
}

/**
 * @param {string} answer of `npm audit --json`; empty when none came in time
 * @param {Locked[]} packages of the lockfile
 * @param {string} day YYYY-MM-DD
 * @param {typeof ACCEPTED} [accepted]
 * @returns {{ isAnswered: boolean, ok: boolean, output: string, note: string }} `output`: what may not stay;
 *   `note`: what is said all the same
 */
export function judge(answer, packages, day, accepted = ACCEPTED) {
  const { vulnerabilities, message } = parsed(answer);
  if (!vulnerabilities) {
    const note = `not looked for: the registry does not tell (${message ?? 'no answer'})`;
    return { isAnswered: false, ok: true, output: '', note };
  }
  /** @type {string[]} */
  const grave = [];
  /** @type {string[]} */
  const other = [];
  for (const { name, via, nodes, fixAvailable } of Object.values(vulnerabilities)) {
    const here = packages.filter(({ path }) => nodes.includes(path));
    const isDevelopment = here.length > 0 && here.every(({ dev }) => dev);
    const versions = [...new Set(here.map(({ version }) => version))].join(', ');
    // A name instead of an advisory: a package that needs this one, and is told of by itself.
    const advisories = via.filter((/** @type {string | Advisory} */ item) => typeof item === 'object');
    for (const { url, title, severity, range } of advisories) {
      const id = url.slice(url.lastIndexOf('/') + 1);
      const isAccepted = day <= (accepted[id]?.until ?? '');
      const where = isDevelopment ? ', development' : '';
      const text = `${name}@${versions}: ${severity}${where}, ${id} (${title}), ${mended(range, fixAvailable)}`;
      if (isAccepted) other.push(`${text}, accepted until ${accepted[id]?.until}`);
      else if (isDevelopment || !GRAVE.includes(severity)) other.push(text);
      else grave.push(text);
    }
  }
  return { isAnswered: true, ok: grave.length === 0, output: grave.join('\n'), note: other.join('\n') };
}

/** @param {string} answer */
function parsed(answer) {
  try {
    return JSON.parse(answer);
  } catch {
    // A registry, or what stands before it, may answer with anything.
    return {};
  }
}

/** @param {string[]} options of npm @param {number} seconds that it may take @returns {Promise<string>} */
function ask(options, seconds) {
  const [file = 'npm', ...args] = npm();
  const quick = ['--fetch-retries=0', `--fetch-timeout=${seconds * 1000}`];
  const command = [...args, 'audit', '--json', '--package-lock-only', '--include=dev', ...quick, ...options];
  return new Promise((resolve) => {
    // npm ends with an error for a vulnerability as for a registry that is away: its answer says which.
    const done = (/** @type {unknown} */ _error, /** @type {string} */ answer) => resolve(answer);
    // Beside the registry's time, that of npm itself.
    const limits = { timeout: (seconds + 10) * 1000, maxBuffer: 64 * 1024 * 1024 };
    execFile(file, command, { cwd: root, ...limits }, done);
  });
}

/**
 * Asks once a day; again when the lockfile is another one, and as long as there is no answer or a grave one.
 * @param {{ kept?: string, options?: string[], seconds?: number }} [how] `kept`: the file with the day's answer
 */
export async function checkVulnerabilities({
  kept = join(root, 'node_modules/.cache/checks/vulnerabilities.json'),
  options = [],
  seconds = 3,
} = {}) {
  const day = new Date().toISOString().slice(0, 10);
  const lock = textOf(join(root, 'package-lock.json'));
  const circumstances = `${day} ${hashOf(lock + textOf(join(root, 'tools/vulnerabilities.mjs')))}`;
  const last = JSON.parse(textOf(kept) || '{}');
  if (last.circumstances === circumstances)
    return { ok: true, output: '', note: last.note, isUnchanged: true };
  // What the browser runs is bundled, so that npm takes React for development.
  const site = new Set(foldersFor('site'));
  const packages = lockedPackages().map((locked) => ({ ...locked, dev: !site.has(locked.path) }));
  const { isAnswered, ...outcome } = judge(await ask(options, seconds), packages, day);
  if (isAnswered && outcome.ok) {
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(kept, JSON.stringify({ circumstances, note: outcome.note }));
  }
  return outcome;
}
