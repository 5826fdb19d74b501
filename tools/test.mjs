// npm test [-- file…]: checks, then every test; the last line says « N passed, N failed ».
// With files, only their tests: Playwright runs `*.spec.ts`, Vitest the others.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { failuresOfPlaywright, failuresOfVitest } from './failures.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { ensureMachine } from './machine.mjs';
import { keepCompiled, run, Stop } from './process.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** `failures`: what failed, by name, with its reason. @typedef {Counts & { failures?: string[] }} Outcome */

const files = process.argv.slice(2);
const specs = files.filter((file) => file.endsWith('.spec.ts'));
const others = files.filter((file) => !specs.includes(file));
const temporary = mkdtempSync(join(tmpdir(), 'passerelle-test-'));
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

async function vitest() {
  const output = join(temporary, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const code = await run(node24(), ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...others]);
  const found = report(output);
  return judged(code, {
    passed: found?.numPassedTests ?? 0,
    failed: found?.numFailedTests ?? 0,
    skipped: (found?.numPendingTests ?? 0) + (found?.numTodoTests ?? 0),
    failures: failuresOfVitest(found?.testResults),
  });
}

async function playwright() {
  const output = join(temporary, 'playwright.json');
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: output };
  const cli = 'node_modules/@playwright/test/cli.js';
  const code = await run(node24(), [cli, 'test', '--reporter=list,json', ...specs], { env });
  const found = report(output);
  const stats = found?.stats;
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

async function all() {
  if (
    !(await step(
      'Installation',
      prepared(() => ensureInstalled('testing')),
    ))
  )
    return;
  if (!(await step('Machine', prepared(ensureMachine)))) return;
  if (files.length === 0) await step('Vérifications', check);
  const isBuilt = await step('Construction', prepared(ensureBuilt));
  const isAll = files.length === 0;
  if (isAll || others.length > 0) await step('Vitest', vitest);
  if (isBuilt && (isAll || specs.length > 0)) await step('Playwright', playwright);
}

// The tests start the site and its commands again and again.
keepCompiled();
await all();

// Once more at the end: a long log is often read, or kept, from there only.
for (const { title, failed, failures = [] } of steps) {
  for (const failure of failures) process.stdout.write(`\n${title} ✗ ${failure}`);
  if (failed > failures.length) process.stdout.write(`\n${title} ✗ voir plus haut\n`);
}

process.stdout.write('\n');
for (const { title, seconds, passed, failed, skipped } of steps) {
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  process.stdout.write(`${title.padEnd(14)} ${seconds.padStart(6)} s   ${counts}\n`);
}
const sum = (/** @type {keyof Counts} */ key) => steps.reduce((total, counts) => total + counts[key], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
