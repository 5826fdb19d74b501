// npm run check [-- --fix]: everything that a machine can say about the sources without running them.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDependencies, forgetEngines } from './dependencies.mjs';
import { filesBelow, root } from './files.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { main, run } from './process.mjs';

/** @typedef {{ ok: boolean, output: string }} Outcome */

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
    onlyIn: /^platform\/web\/api\.ts$/,
  },
  {
    word: /\b(localStorage|sessionStorage|indexedDB)\b/,
    within: /\/web\//,
    onlyIn: /\/web\/(\w+\/)*(session|drafts|consent|keptUploads|keepsakes|preference)\.ts$/,
  },
  {
    word: /\b(selectFrom|insertInto|updateTable|deleteFrom)\b|\bsql[<`]/,
    within: /^features\//,
    onlyIn: /\/server\/(store|\w+Store)\.ts$|^features\/photos\/server\/states\.ts$/,
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

/** @returns {Outcome} */
function checkSpreads() {
  const found = [];
  for (const file of ['app', 'features', 'operations', 'platform'].flatMap(filesBelow)) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const { index } of text.matchAll(spreadKeys))
      found.push(`${file}:${text.slice(0, index).split('\n').length}: keys in a spread condition`);
  }
  return { ok: found.length === 0, output: found.join('\n') };
}

/** @returns {Outcome} */
function checkWords() {
  const found = [];
  for (const file of roots.flatMap(filesBelow)) {
    if (!/\.(ts|tsx)$/.test(file)) continue;
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
 * @param {string} script below node_modules
 * @param {...string} args
 * @returns {Promise<Outcome>}
 */
function tool(script, ...args) {
  return new Promise((resolve) => {
    const child = spawn(node24(), [join('node_modules', script), ...args], { cwd: root });
    let output = '';
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

const biome = '@biomejs/biome/bin/biome';

/** dependency-cruiser is content when it finds nothing to look at: we are not. */
async function checkBoundaries() {
  const cruiser = 'dependency-cruiser/bin/dependency-cruiser.mjs';
  const { ok, output } = await tool(cruiser, '--config', '.dependency-cruiser.cjs', ...roots);
  return { ok: ok && /\([1-9]\d* modules/.test(output), output };
}

/** @param {string} project */
const types = (project) => () => tool('ts7/bin/tsc', '--pretty', 'false', '-p', project);

/** @type {[string, () => Outcome | Promise<Outcome>][]} */
const checks = [
  ['format, lint', () => tool(biome, 'check', '--error-on-warnings')],
  ['boundaries', checkBoundaries],
  ['unused code', () => tool('knip/bin/knip.js', '--no-config-hints')],
  ['types: node', types('.')],
  ['types: web', types('tsconfig.web.json')],
  ['types: browser', types('tests/tsconfig.browser.json')],
  ['restricted words', checkWords],
  ['spread keys', checkSpreads],
  ['dependencies', checkDependencies],
];

async function work() {
  for (let next = checks.shift(); next; next = checks.shift()) {
    const [name, check] = next;
    const start = performance.now();
    const { ok, output } = await check();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds.padStart(5)} s\n`);
    if (!ok) {
      process.stdout.write(`${output.trimEnd()}\n\n`);
      if (name.startsWith('format')) process.stdout.write('npm run fix mends what it can.\n\n');
      process.exitCode = 1;
    }
  }
}

await main(async () => {
  const isFix = process.argv.includes('--fix');
  if (isFix) forgetEngines();
  await ensureInstalled('testing');
  if (isFix) await run(node24(), [join('node_modules', biome), 'check', '--write']);
  // Two at a time: as many as the smallest machine has cores.
  await Promise.all([work(), work()]);
});
