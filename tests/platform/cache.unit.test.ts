import { expect, test } from 'vitest';
import { openLocalNotifications } from '#platform/server/db/notifications.ts';
import { openCache } from '#platform/server/http/cache.ts';

const MB = 1024 * 1024;

const open = (changedElsewhere = () => false) =>
  openCache(
    {},
    () => new Date(),
    { changedElsewhere, notifications: openLocalNotifications() },
    { cached: () => {} },
  );

/** Asks for lists of these sizes, in order; the answer is which of them had to be read. */
async function readOf(kept: ReturnType<typeof openCache>, lists: [url: string, bytes: number][]) {
  const read: string[] = [];
  for (const [url, bytes] of lists) {
    await kept.get(url, 'actualites', async () => {
      read.push(url);
      return { body: Buffer.alloc(bytes, url), until: undefined };
    });
  }
  return read;
}

test('cached answers take so much memory and no more, those asked for last staying', async () => {
  const kept = open();
  const lists: [string, number][] = [
    ['/a', 12 * MB],
    ['/b', 12 * MB],
    ['/c', 6 * MB],
  ];
  expect(await readOf(kept, lists)).toEqual(['/a', '/b', '/c']);
  expect(await readOf(kept, lists)).toEqual([]);
  // The fourth takes the place of the first.
  expect(await readOf(kept, [['/d', 12 * MB]])).toEqual(['/d']);
  expect(await readOf(kept, [...lists.slice(1), ['/d', 12 * MB]])).toEqual([]);
  expect(await readOf(kept, lists.slice(0, 1))).toEqual(['/a']);
});

test('an answer larger than all that is kept is sent, not kept, and pushes nothing out', async () => {
  const kept = open();
  expect(await readOf(kept, [['/a', MB]])).toEqual(['/a']);
  for (let turn = 0; turn < 2; turn++) expect(await readOf(kept, [['/all', 40 * MB]])).toEqual(['/all']);
  expect(await readOf(kept, [['/a', MB]])).toEqual([]);
});

test('a list that was being read as another program wrote is sent, and not kept', async () => {
  let hasWritten = false;
  const changedElsewhere = () => {
    const told = hasWritten;
    hasWritten = false;
    return told;
  };
  const kept = open(changedElsewhere);
  await kept.get('/a', 'actualites', async () => {
    hasWritten = true;
    await readOf(kept, [['/b', MB]]);
    return { body: Buffer.from('old'), until: undefined };
  });
  expect(await readOf(kept, [['/a', MB]])).toEqual(['/a']);
});

test('a list is read once for all who ask meanwhile, and again for whoever asks after a write', async () => {
  const kept = open();
  const reads: ((text: string) => void)[] = [];
  const ask = async () => {
    const { body } = await kept.get('/a', 'actualites', async () => {
      const text = await new Promise<string>((resolve) => reads.push(resolve));
      return { body: Buffer.from(text), until: undefined };
    });
    return body.toString();
  };
  const before = [ask(), ask()];
  await kept.drop('actualites');
  const after = [ask(), ask()];
  expect(reads).toHaveLength(2);
  reads[0]?.('old');
  expect(await Promise.all(before)).toEqual(['old', 'old']);
  // The end of the first reading is not the end of the second.
  after.push(ask());
  expect(reads).toHaveLength(2);
  reads[1]?.('new');
  expect(await Promise.all(after)).toEqual(['new', 'new', 'new']);
});

test('a list that could not be read is read again for the next', async () => {
  const kept = open();
  const failing = () => kept.get('/a', 'actualites', async () => Promise.reject(new Error('no database')));
  for (const failed of await Promise.allSettled([failing(), failing()]))
    expect(failed.status).toBe('rejected');
  expect(await readOf(kept, [['/a', MB]])).toEqual(['/a']);
});
