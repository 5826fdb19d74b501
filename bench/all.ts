import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawCapacity } from './support/capacity.ts';
import { describeMachine } from './support/machine.ts';
import { drawPage, type Measured } from './support/page.ts';
import type { Result } from './support/result.ts';

/*
 * Every measurement, one after the other, each in a process of its own; what they find is kept in
 * docs/performance/results.json, from which docs/performance.md, its plots and docs/capacity.md are drawn anew. With names, only those.
 * `--quick`: with the smallest sizes, into a temporary folder, to see that all of them still run. On PostgreSQL with
 * DATABASE_URL set to an empty database: then one measurement at a time.
 *
 *   npm run bench [-- [--quick] name…]
 */

/** In the order of the page, with the sizes of `--quick`. */
const QUICK: Record<string, string[]> = {
  lists: ['1', '1'],
  start: ['1', '1'],
  pages: ['1', '/'],
  pictures: ['2'],
  memory: ['1'],
  photos: ['1', '4', '2'],
  gallery: ['1', '1'],
  evening: ['1', '4'],
  viewer: ['1', 'open,page,bytes,scroll', '200'],
  load: ['4', '200', '0.5'],
  overload: ['3', '1000'],
  growth: ['1', '1'],
  imports: ['1000'],
  mails: ['80'],
  reports: ['50', '500'],
  'sign-in': ['50', '500'],
  guessing: ['10'],
  backups: ['20', '12'],
  processes: ['1'],
};

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const asked = args.filter((arg) => arg !== '--quick');
const unknown = asked.filter((name) => !(name in QUICK));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: no such measurement. There are ${Object.keys(QUICK).join(', ')}.`);
  process.exit(1);
}
const names = Object.keys(QUICK).filter((name) => asked.length === 0 || asked.includes(name));
if (process.env.DATABASE_URL && names.length > 1) {
  console.error('On PostgreSQL, name one measurement, and give it an empty database.');
  process.exit(1);
}

const docs = isQuick
  ? mkdtempSync(join(tmpdir(), 'passerelle-performance-'))
  : join(import.meta.dirname, '../docs');
const folder = join(docs, 'performance');
const kept = join(folder, 'results.json');
const before: Measured[] = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : [];
const results = new Map(before.map((one) => [one.name, one]));

async function measure(name: string): Promise<Measured> {
  const machine = await describeMachine();
  const found: Result[] = [];
  const child = fork(join(import.meta.dirname, `${name}.ts`), isQuick ? QUICK[name] : []);
  child.on('message', (result) => found.push(result as Result));
  const [code] = await once(child, 'exit');
  const command = `npm run bench -- ${name}`;
  const failure = code === 0 ? {} : { failure: `it ended with ${code}` };
  return { name, command, at: new Date().toISOString(), machine, results: found, ...failure };
}

for (const name of names) {
  const one = await measure(name);
  if (one.failure) process.exitCode = 1;
  results.set(name, one);
  // After each one: what was measured is not lost with what comes after it.
  const ordered = Object.keys(QUICK).flatMap((key) => results.get(key) ?? []);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(kept, `${JSON.stringify(ordered, null, 2)}\n`);
  for (const [file, content] of drawPage(ordered)) writeFileSync(join(docs, file), content);
  const capacity = drawCapacity(ordered);
  if (capacity) writeFileSync(join(docs, 'capacity.md'), capacity);
}
console.log(`\n${join(docs, 'performance.md')}`);
