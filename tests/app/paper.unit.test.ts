import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#platform/server/config.ts';
import { filesBelow } from '#tools/files.mjs';
import { VARIABLES } from '#tools/variables.mjs';

/* What the documents say in numbers, against the code: a row names each value's constant, in the order of its numbers. */

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');

/** The value of an expression that stands in a file, made of its constants and of those that it imports. */
function evaluated(file: string, expression: string): unknown {
  if (file === 'platform/server/config.ts') return readConfig({})[expression as 'PORT'];
  const names = new Set(expression.match(/\b[A-Z][A-Z0-9_]+\b/g));
  const known = Object.fromEntries([...names].map((name) => [name, constantOf(file, name)]));
  return runInNewContext(`(${expression.replace(/ (as const|satisfies .+)$/, '')})`, known);
}

function constantOf(file: string, name: string): unknown {
  const source = read(file).replace(/\/\*[\s\S]*?\*\//g, '');
  const declared = new RegExp(`^(?:export )?const ${name}\\b[^=]*= ([\\s\\S]*?);$`, 'm').exec(source)?.[1];
  if (declared !== undefined) return evaluated(file, declared);
  const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '([.#][^']+)'`).exec(source)?.[1];
  if (from === undefined) throw new Error(`${file} has no constant ${name}`);
  return constantOf(from.startsWith('#') ? from.slice(1) : posix.join(posix.dirname(file), from), name);
}

/** What one of a unit may be in the code: constants in days count days, others milliseconds. */
const UNITS: [RegExp, number[]][] = [
  [/^s\b/, [1_000]],
  [/^min\b/, [60_000]],
  [/^h\b/, [3_600_000]],
  [/^(days?|jours?)\b/, [1, 86_400_000]],
  [/^KB\b/, [1024]],
  [/^MB\b/, [1024 ** 2]],
  [/^GB\b/, [1024 ** 3]],
  [/^million\b/, [1e6]],
  [/^%/, [0.01]],
];

/** All that each number of a cell may mean. */
function numbersIn(cell: string): number[][] {
  return [...cell.matchAll(/(\d[\d,]*)\s?(.*?)(?=\d|$)/g)].map(([, digits = '', after = '']) => {
    const number = Number(digits.replace(/\D/g, ''));
    const factors = UNITS.find(([unit]) => unit.test(after))?.[1] ?? [1];
    return factors.map((factor) => number * factor);
  });
}

/** The rows of the tables whose last column names files and, in their order, the constants of the column before. */
function rowsOf(document: string): { said: string; values: unknown[] }[] {
  return read(document)
    .split('\n\n')
    .filter((block) => /^\|.*\| (in the code|Dans le code) \|\n/.test(block))
    .flatMap((table) => table.trimEnd().split('\n').slice(2))
    .map((row) => {
      const [said = '', where = ''] = row.split('|').slice(-3);
      let file = '';
      const values: unknown[] = [];
      for (const [, span = ''] of where.matchAll(/`([^`]+)`/g)) {
        if (span.includes('/')) file = span;
        else values.push(evaluated(file, span));
      }
      return { said, values };
    });
}

test.each(['docs/limits.md', 'docs/reference.md', 'docs/rgpd/durees.md'])(
  'Every number in the tables of %s is that of the code',
  (document) => {
    const rows = rowsOf(document);
    expect(rows.length).toBeGreaterThan(10);
    for (const { said, values } of rows) {
      const numbers = numbersIn(said);
      expect(numbers.length, said).toBe(values.length);
      for (const [index, value] of values.entries()) expect(numbers[index], said).toContain(value);
    }
  },
);

test('The register of processing keeps nothing for another time than the table of durations', () => {
  const times = (document: string) => read(document).match(/\d+ (jours|ans)\b/g) ?? [];
  const said = new Set(times('docs/rgpd/registre.md'));
  expect(said.size).toBeGreaterThan(5);
  expect(times('docs/rgpd/durees.md')).toEqual(expect.arrayContaining([...said]));
});

describe('SECURITY.md', () => {
  const paper = read('SECURITY.md');

  test('names no limit: those of docs/limits.md are compared with the code', () => {
    expect(paper).not.toMatch(/\d\s?(ms|s|min|h|hours?|days?|months?|years?|[KMG]B)\b/);
  });

  test('promises nothing without the test that tries it', () => {
    const promises = [...paper.matchAll(/^\| (?!promise|---)([^|]+) \| ([^|]+) \|$/gm)];
    expect(promises.length).toBeGreaterThan(25);
    for (const [, promise = '', where = ''] of promises)
      expect.soft(where, promise).toMatch(/`tests\/[\w/.-]+\.(test|spec)\.ts`/);
  });

  test('is read in ten minutes', () => {
    expect(paper.split(/\s+/).length).toBeLessThanOrEqual(2_200);
  });
});

test('Every file of the code that a document names, and every one that it links to, is there', () => {
  const files = ['app', 'bench', 'deploy', 'docs', 'features', 'operations', 'platform', 'tests', 'tools'];
  const all = files.flatMap(filesBelow);
  // The audit names the files of its day.
  const documents = all.filter((file) => file.endsWith('.md') && !file.startsWith('docs/security/'));
  let count = 0;
  for (const document of [...documents, 'README.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'SECURITY.md']) {
    const text = read(document);
    // In the README of a room, the end of a path is that of one of its files.
    const [room = ''] = /^features\/\w+\//.exec(document) ?? [];
    const named = text.match(/(?<=`)(?:[\w-]+\/)*[\w-]+(?:\.\w+)*\.(?:tsx?|mjs)(?=`)/g) ?? [];
    const isThere = (name: string) =>
      existsSync(at(name)) || all.some((path) => path.startsWith(room) && path.endsWith(`/${name}`));
    expect
      .soft(
        named.filter((name) => !isThere(name)),
        document,
      )
      .toEqual([]);
    const links = [...text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, link = '']) => link);
    const isLinked = (link: string) => existsSync(at(posix.join(posix.dirname(document), link)));
    expect
      .soft(
        links.filter((link) => !isLinked(link)),
        document,
      )
      .toEqual([]);
    count += named.length + links.length;
  }
  expect(count).toBeGreaterThan(300);
});

describe('The table of variables', () => {
  const table = read('docs/reference.md').split('## Variables')[1]?.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| (`[^|]*) \| ([^|]*) \|/gm)].map(([, names = '', value = '']) => ({
    names: namesIn(names),
    value,
  }));

  test('names every one that the site reads, and no other', () => {
    expect(VARIABLES.length).toBeGreaterThan(20);
    expect(rows.flatMap(({ names }) => names).sort()).toEqual(VARIABLES.toSorted());
  });

  test('says the values that they have by themselves', () => {
    const defaults: Record<string, unknown> = readConfig({});
    for (const name of ['PORT', 'HOST', 'ADMIN_USERNAME', 'TIME_ZONE', 'PHOTO_RETENTION_DAYS', 'LOG_LEVEL']) {
      const value = rows.find(({ names }) => names.includes(name))?.value;
      expect(value?.split(/[\s,`]+/), name).toContain(String(defaults[name]));
    }
  });
});

/** « `ORGANISATION_NAME`, `_PHONE` » are two of one family. */
function namesIn(cell: string): string[] {
  const [first = '', ...others] = [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  const family = first.slice(0, first.indexOf('_'));
  return [first, ...others.map((name) => (name.startsWith('_') ? family + name : name))];
}

test('The example of the recipe « Add a field » fits the sources', () => {
  const [path = ''] = /docs\/recipes\/[\w-]+\.diff/.exec(read('CONTRIBUTING.md')) ?? [];
  execFileSync('git', ['apply', '--check', path], { cwd: at(''), stdio: 'pipe' });
});

test('The changelog begins with the version of package.json and its day, or with what is not released, as that then says', () => {
  const { version } = JSON.parse(read('package.json'));
  const [first = '', second = ''] = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(
    ([, title]) => title ?? '',
  );
  const dated = /^(\d+\.\d+\.\d+) — \d{4}-\d{2}-\d{2}( — security)?$/;
  if (first === 'Unreleased') {
    const before = dated.exec(second)?.[1] ?? '';
    expect(version).toMatch(/^\d+\.\d+\.\d+-dev$/);
    const parts = (text: string) => text.split(/[.-]/, 3).map(Number);
    const [newer, older] = [parts(version), parts(before)];
    const differing = newer.findIndex((part, index) => part !== older[index]);
    expect(newer[differing]).toBeGreaterThan(older[differing] ?? Number.NaN);
  } else expect(dated.exec(first)?.[1]).toBe(version);
  expect(read('package-lock.json')).toContain(`"version": "${version}"`);
});
