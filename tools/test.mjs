// npm test [-- room or file…]: checks, then every test; the last line says « N passed, N failed ».
// With rooms (folders of tests/) or files, only their tests: Playwright runs `*.spec.ts`, Vitest the others.
// npm run test:all: all of it on both engines, and what takes minutes (tests/runs.mjs).
// npm run test:changed [-- commit]: the quicker tests of the rooms in which something changed since a commit, or since the
// last one; without a browser, on SQLite, after a change of the schema also on PostgreSQL. For the time while one writes.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { LONG } from '../tests/runs.mjs';
import { ensureBuilt } from './build.mjs';
import { failuresOfPlaywright, failuresOfVitest } from './failures.mjs';
import { filesBelow } from './files.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { ensureMachine } from './machine.mjs';
import { keepCompiled, main, run, Stop } from './process.mjs';
import { keepTimes, readTimes, slowest, timesOfPlaywright, unnamed } from './times.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** `failures`: what failed, by name, with its reason. @typedef {Counts & { failures?: string[] }} Outcome */

const before = readTimes();
const isChanged = process.argv[2] === '--changed';
const isLong = process.argv[2] === '--all';
const isAll = isLong || process.argv.length === 2;
/** All rounds, engines and widths: before a release, and for what is named. */
const isWhole = isLong || !(isAll || isChanged);
/** Of what changed: is the schema part of it? */
let isOnBoth = false;

/** @param {string} path a file of tests, or a folder of them @returns {string[]} */
const testsIn = (path) => filesBelow(path).filter((file) => /\.(test|spec)\.ts$/.test(file));

/** The files named on the command line, or in rooms named there. @returns {string[]} */
function asked() {
  if (isChanged) return changed(process.argv[3] ?? 'HEAD');
  if (isAll) return [];
  return process.argv.slice(2).flatMap((name) => {
    const files = testsIn(name.startsWith('tests/') ? name : `tests/${name}`);
    if (files.length === 0) throw new Stop(`${name}\u202f: pas d’essais de ce nom.`);
    return files;
  });
}

const everything = () => testsIn('tests').filter((file) => isLong || !LONG.includes(file));

/** Worker-seconds of `npm run test:changed`; what changed itself runs all the same. */
const BUDGET = 20;

/** The migrations, on rows that versions before wrote. */
const OF_SCHEMA = 'tests/mails/upgrade.test.ts';

/** @param {string} since a commit @returns {string[]} files of tests that changed, and those of rooms that did */
function changed(since) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n');
  const files = [...git('diff', '--name-only', since), ...git('ls-files', '-o', '--exclude-standard')];
  isOnBoth = files.some((file) => file.startsWith('app/migrations/'));
  const paths = files.map((file) =>
    file.startsWith('tests/') ? file : `tests/${/^(?:features\/)?(\w+)\//.exec(file)?.[1]}`,
  );
  const found = [...new Set([...paths, ...(isOnBoth ? [OF_SCHEMA] : [])].flatMap(testsIn))].filter(
    (file) => file.endsWith('.test.ts') && !LONG.includes(file),
  );
  const seconds = (/** @type {string} */ file) => before[file] ?? before[`${file} (sqlite)`] ?? 0;
  const own = (/** @type {string} */ file) => files.includes(file) || file === OF_SCHEMA;
  const left = [];
  let sum = 0;
  for (const file of found.filter((one) => !own(one)).sort((one, other) => seconds(one) - seconds(other))) {
    sum += seconds(file) * (isOnBoth ? 2 : 1);
    if (sum > BUDGET) left.push(file);
  }
  if (left.length > 0) process.stdout.write(`Laissés à npm test\u202f: ${left.join(', ')}\n`);
  return found.filter((file) => !left.includes(file));
}

/** A folder in memory. */
const MEMORY = '/dev/shm';
/** Bytes that must be free there, and of memory as a whole: several times what the tests take. */
const ROOM = 6e9;

/** Making the many small files of databases and sites takes a tenth of the time in memory. */
function hasRoomInMemory() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) > ROOM;
}

/** For all that the tests write; PostgreSQL, as a user of its own, has its folder in it. */
const temporary = mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), 'passerelle-test-'));
chmodSync(temporary, 0o711);
process.env.TMPDIR = temporary;
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));

/** @type {(Outcome & { title: string, seconds: string })[]} */
const steps = [];

/**
 * @param {string} title
 * @param {() => Promise<Outcome>} work
 * @returns {Promise<boolean>} whether nothing failed
 */
async function step(title, work) {
  process.stdout.write(`\n── ${title}\n`);
  const start = performance.now();
  const counts = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  steps.push({ title, seconds, ...counts });
  return counts.failed === 0;
}

/** A step without tests of its own: only its failure counts. @param {boolean} ok @returns {Outcome} */
const done = (ok) => ({ passed: 0, failed: ok ? 0 : 1, skipped: 0 });

/**
 * A runner that stopped before its report, ran nothing, or failed outside of any test has failed once.
 * @param {number} code
 * @param {Outcome} counts
 * @returns {Outcome}
 */
function judged(code, counts) {
  const isFailure = code !== 0 || counts.passed + counts.failed === 0;
  return { ...counts, failed: counts.failed || (isFailure ? 1 : 0) };
}

/** @param {string} file */
const report = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** @type {import('./times.mjs').Times} */
const times = {};

/** @param {string[]} paths */
async function vitest(paths) {
  const env = {
    ...process.env,
    TEST_REPORTS: temporary,
    ...(isWhole && { TEST_ALL: '1' }),
  };
  const engines = isChanged && !isOnBoth ? ['--project=unit', '--project=sqlite'] : [];
  const code = await run(node24(), ['node_modules/vitest/vitest.mjs', 'run', ...engines, ...paths], { env });
  const found = report(join(temporary, 'vitest.json'));
  Object.assign(times, report(join(temporary, 'times.json')));
  return judged(code, {
    passed: found?.numPassedTests ?? 0,
    failed: found?.numFailedTests ?? 0,
    skipped: (found?.numPendingTests ?? 0) + (found?.numTodoTests ?? 0),
    failures: failuresOfVitest(found?.testResults),
  });
}

/** @param {string[]} paths */
async function playwright(paths) {
  const output = join(temporary, 'playwright.json');
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: output, ...(isWhole && { TEST_ALL: '1' }) };
  const cli = 'node_modules/@playwright/test/cli.js';
  const code = await run(node24(), [cli, 'test', '--reporter=list,json', ...paths], { env });
  const found = report(output);
  const stats = found?.stats;
  Object.assign(times, timesOfPlaywright(found?.suites));
  return judged(code, {
    passed: stats?.expected ?? 0,
    failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
    skipped: stats?.skipped ?? 0,
    failures: failuresOfPlaywright(found?.suites),
  });
}

/** @param {() => Promise<void>} work @returns {() => Promise<Counts>} */
const prepared = (work) => async () => {
  try {
    await work();
    return done(true);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    process.stdout.write(`${error.message}\n`);
    return done(false);
  }
};

const check = async () => done((await run(node24(), ['tools/check.mjs'])) === 0);

/** @param {string[]} paths none: all */
async function all(paths) {
  const isInstalled = await step(
    'Installation',
    prepared(() => ensureInstalled('testing')),
  );
  if (!isInstalled) return;
  const needed = isAll ? everything() : paths;
  if (
    !(await step(
      'Machine',
      prepared(() => ensureMachine(needed)),
    ))
  )
    return;
  if (isAll) await step('Vérifications', check);
  const isBuilt = await step('Construction', prepared(ensureBuilt));
  const specs = paths.filter((path) => path.endsWith('.spec.ts'));
  const others = paths.filter((path) => !specs.includes(path));
  if (isAll || others.length > 0) await step('Vitest', () => vitest(others));
  if (isBuilt && (isAll || specs.length > 0)) await step('Playwright', () => playwright(specs));
}

// The tests start the site and its commands again and again.
keepCompiled();
await main(async () => {
  const paths = asked();
  if (!isAll && paths.length === 0) throw new Stop('Rien n’a changé qui ait des essais.');
  await all(paths);
});

if (Object.keys(times).length > 0) {
  keepTimes(times);
  const failures = isAll && !isLong ? unnamed(times) : [];
  steps.push({ title: 'Durées', seconds: '', passed: 0, failed: failures.length, skipped: 0, failures });
}

// Once more at the end: a long log is often read, or kept, from there only.
for (const { title, failed, failures = [] } of steps) {
  for (const failure of failures) process.stdout.write(`\n${title} ✗ ${failure}`);
  if (failed > failures.length) process.stdout.write(`\n${title} ✗ voir plus haut\n`);
}

if (Object.keys(times).length > 0) process.stdout.write(`\n${slowest(times, before)}`);

process.stdout.write('\n');
for (const { title, seconds, passed, failed, skipped } of steps) {
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  process.stdout.write(`${title.padEnd(14)} ${seconds.padStart(6)} s   ${counts}\n`);
}
const sum = (/** @type {keyof Counts} */ key) => steps.reduce((total, counts) => total + counts[key], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
