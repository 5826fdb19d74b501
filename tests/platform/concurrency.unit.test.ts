import { expect, test } from 'vitest';
import { openTurns } from '#platform/server/concurrency.ts';

/** Starts work that ends when told to; what began is noted in `begun`. */
function openWork(atOnce: number, waitingMax: number) {
  const inTurn = openTurns(atOnce, waitingMax);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, rank?: number) =>
    inTurn(
      () =>
        new Promise<string>((resolve) => {
          begun.push(name);
          ends.set(name, () => resolve(name));
        }),
      rank,
    ).catch((error: { status: number }) => error.status);
  return { begun, start, end: (name: string) => ends.get(name)?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('Work waits in its order, that of a lower rank before the others', async () => {
  const { begun, start, end } = openWork(1, 10);
  const all = [start('a'), start('late', 2), start('b', 1), start('c', 1), start('first')];
  for (const name of ['a', 'first', 'b', 'c', 'late']) {
    await settled();
    expect(begun.at(-1)).toBe(name);
    end(name);
  }
  expect(await Promise.all(all)).toEqual(['a', 'late', 'b', 'c', 'first']);
});

test('Where no more may wait, the last of a higher rank gives its place up; of the same rank, nobody does', async () => {
  const { begun, start, end } = openWork(1, 2);
  const running = start('running');
  const [one, two] = [start('one', 2), start('two', 2)];
  expect(await start('three', 2)).toBe(503);
  const [known, known2] = [start('known', 0), start('known 2', 0)];
  expect([await two, await one]).toEqual([503, 503]);
  expect(await start('known 3', 0)).toBe(503);
  end('running');
  await settled();
  end('known');
  await settled();
  end('known 2');
  expect(await Promise.all([running, known, known2])).toEqual(['running', 'known', 'known 2']);
  expect(begun).toEqual(['running', 'known', 'known 2']);
});
