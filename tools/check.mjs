// npm run check [-- --fix]: everything that a machine can say about the sources without running them.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDependencies, forgetEngines } from './dependencies.mjs';
import { root } from './files.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { main, run } from './process.mjs';
import { hashesBelow, hashOf, only, openSuccesses } from './unchanged.mjs';
import { checkExample, writeExample } from './variables.mjs';
import { checkVulnerabilities } from './vulnerabilities.mjs';

/** `note`: what is said though nothing failed. @typedef {{ ok: boolean, output: string, note?: string, isUnchanged?: boolean }} Outcome */

const roots = ['app', 'features', 'operations', 'platform', 'tests', 'bench'];

/** Words that only some files may contain. */
const restricted = [
  {
    word: /\bprocess\.env\b/,
    within: /^(app|features|operations|platform)\//,
    onlyIn: /^(platform\/server\/config|operations\/cli\/(demo|passerelle))\.ts$/,
  },
  {
    word: /(?<![.\w])((window|globalThis|self)\.)?fetch\(|\b(XMLHttpRequest|EventSource)\b/,
    within: /\/web\//,
    onlyIn: /^platform\/web\/(api|listen|outside)\.ts$/,
  },
  {
    word: /\b(localStorage|sessionStorage|indexedDB)\b/,
    within: /\/web\//,
    onlyIn: /\/web\/(\w+\/)*(session|drafts|consent|keptUploads|keepsakes|preference)\.ts$/,
  },
  {
    word: /\b(selectFrom|insertInto|updateTable|deleteFrom)\b|\bsql[<`]/,
    within: /^(app|features|operations|platform)\//,
    onlyIn:
      /\/(store|\w+Store)\.ts$|^(app\/migrations|platform\/server\/db)\/|^features\/photos\/server\/states\.ts$/,
  },
  // In the bundle of the server, the place of a source is another one: import.meta.resolve('#…') is right in both.
  { word: /\bimport\.meta\.(url|dirname|filename)\b/, within: /^(app|features|operations|platform)\// },
  { word: /\b(it|test|describe|suite)(\.\w+)*\.(only|skip|todo|fixme)\b/, within: /^tests\// },
];

/**
 * An object in a condition that is spread into another: its keys are checked by nobody. A key that may be absent is
 * written `key: condition ? value : undefined`.
 */
const spreadKeys =
  /\.\.\.\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?(?:&&|\?|\{\} :)\s*\{\s*(?:'[^']*'|[\w$]+)\s*[:,}]/g;

/** @param {string[]} files @returns {Outcome} */
function checkSpreads(files) {
  const found = [];
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const { index } of text.matchAll(spreadKeys))
      found.push(`${file}:${text.slice(0, index).split('\n').length}: keys in a spread condition`);
  }
  return { ok: found.length === 0, output: found.join('\n') };
}

/** @param {string[]} files @returns {Outcome} */
function checkWords(files) {
  const found = [];
  for (const file of files) {
    const rules = restricted.filter(({ within, onlyIn }) => within.test(file) && !onlyIn?.test(file));
    if (rules.length === 0) continue;
    for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
      if (/^\s*(\/\/|\/?\*)/.test(line)) continue;
      for (const { word, onlyIn } of rules) {
        const hit = word.exec(line)?.[0];
        if (hit)
          found.push(`${file}:${index + 1}: ${hit} ${onlyIn ? `only in ${onlyIn.source}` : 'not allowed'}`);
      }
    }
  }
  return { ok: found.length === 0, output: found.join('\n') };
}

/**
 * @param {string} script below the repository
 * @param {...string} args
 * @returns {Promise<Outcome>}
 */
function tool(script, ...args) {
  return new Promise((resolve) => {
    const child = spawn(node24(), [script, ...args], { cwd: root });
    let output = '';
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

const biome = 'node_modules/@biomejs/biome/bin/biome';

/** @param {string[]} files of which it takes those that it knows, and our settings do not leave out */
const checkStyle = (files) =>
  tool(
    biome,
    'check',
    '--error-on-warnings',
    '--files-ignore-unknown=true',
    '--no-errors-on-unmatched',
    ...files,
  );

/** dependency-cruiser is content when it finds nothing to look at: we are not. */
async function checkBoundaries() {
  const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';
  const settings = Object.keys(sources).filter((path) => /^[^/]+\.ts$/.test(path));
  const { ok, output } = await tool(
    cruiser,
    '--config',
    '.dependency-cruiser.cjs',
    ...roots,
    'tools',
    ...settings,
  );
  return { ok: ok && /\([1-9]\d* modules/.test(output), output };
}

/** @param {string} project */
function types(project) {
  // What it knows of each file, so that it goes on from there.
  const known = `node_modules/.cache/checks/${project.replaceAll('/', '-')}.tsbuildinfo`;
  // One checker: several do part of their work each for itself, and another check runs beside.
  const options = ['--pretty', 'false', '--checkers', '1', '--incremental', '--tsBuildInfoFile', known];
  return () => tool('node_modules/ts7/bin/tsc', '-p', project, ...options);
}

/** Of what browsers run: with what those lack that the site serves. */
async function typesOfWeb() {
  const { writeTypes } = await import('./compat.mjs');
  return types(writeTypes('node_modules/.cache/checks/web'))();
}

/** @param {string[]} files */
async function checkBrowsers(files) {
  const { checkUse } = await import('./compat.mjs');
  return checkUse(files);
}

const code = new RegExp(`^(${roots.join('|')})/`);
const typescript = new RegExp(`^(${roots.join('|')})/.*\\.tsx?$`);
const shipped = /^(app|features|operations|platform)\/.*\.tsx?$/;

/**
 * `reads`: the files that decide, beside what `circumstances` are. `check` is given them all; with `isByFile`, where one
 * file says nothing of another, those alone that changed since it last succeeded. Without `reads`, it runs every time.
 * @typedef {{ reads?: RegExp, isByFile?: boolean, check: (files: string[]) => Outcome | Promise<Outcome> }} Check
 * @type {[string, Check][]}
 */
const checks = [
  ['types: node', { reads: code, check: types('tsconfig.json') }],
  ['types: browser', { reads: code, check: types('tests/tsconfig.browser.json') }],
  ['format, lint', { reads: /./, isByFile: true, check: checkStyle }],
  ['boundaries', { reads: code, check: checkBoundaries }],
  ['unused code', { reads: code, check: () => tool('node_modules/knip/bin/knip.js', '--no-config-hints') }],
  ['types: web', { reads: /^(app|features|platform)\//, check: typesOfWeb }],
  ['secrets', { reads: /./, isByFile: true, check: (files) => tool('tools/secrets.mjs', ...files) }],
  ['browsers', { reads: /^(app|features|platform)\/.*\.(tsx?|css)$/, check: checkBrowsers }],
  ['restricted words', { reads: typescript, isByFile: true, check: checkWords }],
  ['spread keys', { reads: shipped, isByFile: true, check: checkSpreads }],
  [
    'variables',
    { reads: /^(platform\/server\/config\.ts|docs\/reference\.md|deploy\/.*)$/, check: checkExample },
  ],
  ['dependencies', { reads: code, check: checkDependencies }],
  ['vulnerabilities', { check: () => checkVulnerabilities() }],
];

/** What all checks depend on: themselves, their settings and the versions of what they run. */
const isCircumstance = /^tools\/|^[^/]+(?<!\.md)$/;

/** @type {import('./unchanged.mjs').Hashes} */
let sources = {};

/** @param {string} name @param {Check} check @param {ReturnType<typeof openSuccesses>} successes @returns {Promise<Outcome>} */
async function look(name, { reads, isByFile, check }, successes) {
  if (!reads) return check([]);
  const files = only(sources, reads);
  const changed = successes.changed(name, files);
  if (changed.length === 0) return { ok: true, output: '', isUnchanged: true };
  const given = isByFile ? changed.filter((path) => path in files) : Object.keys(files);
  // A tool that is given nothing looks at everything.
  const outcome = given.length === 0 ? { ok: true, output: '' } : await check(given);
  if (outcome.ok) successes.keep(name, files);
  return outcome;
}

/** @param {ReturnType<typeof openSuccesses>} successes */
async function work(successes) {
  for (let next = checks.shift(); next; next = checks.shift()) {
    const [name, check] = next;
    const start = performance.now();
    const { ok, output, note, isUnchanged } = await look(name, check, successes);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const time = isUnchanged ? 'unchanged' : `${seconds.padStart(5)} s`;
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${time}\n`);
    if (note) process.stdout.write(`${note.replaceAll(/^/gm, '       ')}\n`);
    if (!ok) {
      process.stdout.write(`${output.trimEnd()}\n\n`);
      if (name.startsWith('format')) process.stdout.write('npm run fix mends what it can.\n\n');
      process.exitCode = 1;
    }
  }
}

await main(async () => {
  const isFix = process.argv.includes('--fix');
  if (isFix) {
    forgetEngines();
    writeExample();
  }
  await ensureInstalled('testing');
  if (isFix) await run(node24(), [biome, 'check', '--write']);
  sources = hashesBelow(root);
  const circumstances = hashOf(
    JSON.stringify([process.version, process.arch, only(sources, isCircumstance)]),
  );
  const successes = openSuccesses(join(root, 'node_modules/.cache/checks/successes.json'), circumstances);
  // Two at a time: as many as the smallest machine has cores.
  await Promise.all([work(successes), work(successes)]);
});
