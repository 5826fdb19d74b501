// How long each file of tests takes: kept from run to run, so that the longest start first and the slowest are seen.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, textOf } from './files.mjs';

/** Seconds by file; one that runs on several engines stands once for each, as `tests/app/start.test.ts (sqlite)`. @typedef {Record<string, number>} Times */

/** Those of the last runs on this machine. */
const OWN = join(root, 'test-results/times.json');
/** For files that have not run on it: whole seconds on two cores, of those that took more than five. By hand, when much has changed. */
const COMMON = join(root, 'tests/times.json');

/** @returns {Times} */
export const readTimes = () => ({
  ...JSON.parse(textOf(COMMON) || '{}'),
  ...JSON.parse(textOf(OWN) || '{}'),
});

/** Keeps the times of the files that ran, beside those of the others. @param {Times} times */
export function keepTimes(times) {
  const all = Object.entries({ ...readTimes(), ...times }).sort(([a], [b]) => (a < b ? -1 : 1));
  mkdirSync(join(root, 'test-results'), { recursive: true });
  writeFileSync(OWN, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** Of all that the files of a run take, as much as makes one of them long. */
const LONG = 1 / 150;

/** Long files that tests/times.json does not name: elsewhere they would start last, and the run wait for them. @param {Times} times */
export function unnamed(times) {
  const named = JSON.parse(textOf(COMMON));
  const whole = Object.values(times).reduce((sum, seconds) => sum + seconds, 0);
  return Object.entries(times)
    .filter(([file, seconds]) => !(file in named) && seconds > LONG * whole)
    .map(([file, seconds]) => `tests/times.json lacks  "${file}": ${Math.round(seconds)},\n`);
}

/** The twenty slowest: seconds, share of the whole, what they took the last time. @param {Times} times @param {Times} before */
export function slowest(times, before) {
  const whole = Object.values(times).reduce((sum, seconds) => sum + seconds, 0);
  const lines = Object.entries(times)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 20)
    .map(([file, seconds]) => {
      const share = `${((100 * seconds) / whole).toFixed(1)} %`;
      const last = before[file] === undefined ? '' : `before: ${before[file].toFixed(1)} s`;
      return `${seconds.toFixed(1).padStart(7)} s ${share.padStart(7)}   ${file.padEnd(56)} ${last}`.trimEnd();
    });
  return `The twenty slowest of ${Object.keys(times).length} files (${whole.toFixed(0)} s on all workers)\n${lines.join('\n')}\n`;
}

/** @param {string} path of a file of tests @param {string} project of vitest.config.ts */
export const nameOfRun = (path, project) =>
  `${relative(root, path)}${project === 'unit' ? '' : ` (${project})`}`;

/** A reporter of Vitest: writes the seconds of each file and engine, with its hooks and imports. */
export class TimesReporter {
  /** @type {Times} */
  times = {};

  /** @param {string} output */
  constructor(output) {
    this.output = output;
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic();
    this.times[nameOfRun(module.moduleId, module.project.name)] =
      (duration + collectDuration + setupDuration + prepareDuration) / 1000;
  }

  onTestRunEnd() {
    writeFileSync(this.output, JSON.stringify(this.times));
  }
}

/**
 * @typedef {{ file?: string, specs: { file: string, tests: { results: { duration: number }[] }[] }[], suites?: Suite[] }} Suite
 * @param {Suite[]} [suites] of Playwright's JSON report
 * @param {Times} [times]
 */
export function timesOfPlaywright(suites = [], times = {}) {
  for (const { specs, suites: groups } of suites) {
    for (const { file, tests } of specs) {
      const durations = tests.flatMap(({ results }) => results.map(({ duration }) => duration));
      const name = `tests/${file}`;
      times[name] = durations.reduce((sum, duration) => sum + duration / 1000, times[name] ?? 0);
    }
    timesOfPlaywright(groups, times);
  }
  return times;
}
