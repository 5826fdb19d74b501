// What failed, by file and name and with its reason, out of the reports of the two test runners.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * The beginning of a reason, without a terminal's colours or the runner's own calls.
 * @param {string} [text]
 */
const reason = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'))
    .slice(0, 12)
    .map((line) => `    ${line}\n`)
    .join('');

/**
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} VitestTest
 * @typedef {{ name: string, message?: string, assertionResults: VitestTest[] }} VitestFile
 * @param {VitestFile[]} [files] of the JSON report; a file that could not be loaded has a message and no test
 */
export const failuresOfVitest = (files = []) =>
  files.flatMap(({ name, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return message ? [`${file}\n${reason(message)}`] : [];
    return failed.map(({ fullName, failureMessages: [first] }) => `${file} › ${fullName}\n${reason(first)}`);
  });

/**
 * @typedef {{ results: { error?: { message?: string, stack?: string } }[] }} PlaywrightTest
 * @typedef {{ ok: boolean, file: string, line: number, title: string, tests: PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ specs: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @param {PlaywrightSuite[]} [suites] of the JSON report: a file, and each group in it, is one
 * @returns {string[]}
 */
export const failuresOfPlaywright = (suites = []) =>
  suites.flatMap(({ specs, suites: groups }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, line, title, tests }) => {
        const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error;
        return `${file}:${line} › ${title}\n${reason(error?.stack ?? error?.message)}`;
      }),
    ...failuresOfPlaywright(groups),
  ]);
