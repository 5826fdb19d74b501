import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG, ON_BOTH, ON_ONE } from '#tests/runs.mjs';

const ROOT = join(import.meta.dirname, '../..');
const filesBelow = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
const FILES = filesBelow('tests').filter((file) => file.endsWith('.test.ts'));

test('Each file of tests that both engines can run is said to need both, or one', () => {
  const either = FILES.filter((file) => !/\.(unit|sqlite)\.test\.ts$/.test(file));
  expect([...ON_BOTH, ...ON_ONE].sort()).toEqual(either.sort());
});

test('Each room with statements of its own has files that run on both', () => {
  const stores = filesBelow('features').flatMap(
    (file) => /^features\/(\w+)\/server\/(?:\w+Store|store)\.ts$/.exec(file)?.[1] ?? [],
  );
  for (const room of new Set(stores))
    expect(
      ON_BOTH.filter((file) => file.startsWith(`tests/${room}/`)),
      room,
    ).not.toEqual([]);
});

test('What is left to the long run is there', () => {
  expect(FILES).toEqual(expect.arrayContaining(LONG));
});
