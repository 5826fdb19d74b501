import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '#app/server/start.ts';
import { PORTAL_LANE } from '#features/accounts/server/admins.ts';
import { STAY_LANE } from '#features/stays/server/signIn.ts';
import type { HttpError } from '#platform/server/errors.ts';
import type { Lane } from '#platform/server/http/rateLimits.ts';
import { type Answer, type TestSite, wrapSite } from '#tests/support/people.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';

const MINUTE = 60_000;

let site: TestSite;
beforeAll(async () => {
  site = await openSite({ env: { TRUST_PROXY: '1' } });
});
afterAll(() => site?.close());
beforeEach(() => site.advance(15 * MINUTE));

let addresses = 0;
/** An address that no other test uses. */
const freshAddress = () => `203.0.${++addresses >> 8}.${addresses & 255}`;

interface Guess {
  username?: string;
  password?: string;
  from?: string;
  on?: TestSite;
}

function guess({ username = 'Alice', password = 'faux', from, on = site }: Guess): Promise<Answer> {
  const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from };
  return on.call('POST /loginAdmin', { body: { username, password }, headers });
}

async function guessTimes(count: number, options: Guess): Promise<number[]> {
  const statuses: number[] = [];
  for (let done = 0; done < count; done++) statuses.push((await guess(options)).status);
  return statuses;
}

const SIX_WRONG = [401, 401, 401, 401, 401, 401];

describe('Wrong passwords', () => {
  test('five are free, then each doubles the wait, thirty seconds at most', async () => {
    const from = freshAddress();
    expect(await guessTimes(5, { from })).toEqual(SIX_WRONG.slice(1));
    for (const seconds of [1, 2, 4, 8, 16, 30, 30, 30]) {
      expect((await guess({ from })).status, `before ${seconds} s`).toBe(401);
      const refused = await guess({ from });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe(String(seconds));
      expect(refused.json).toEqual({
        message: `Trop d’essais\u202f: attendez ${seconds} s avant de recommencer.`,
      });
      site.advance(seconds * 1_000 - 1);
      const early = await guess({ from });
      expect([early.status, early.headers.get('retry-after')]).toEqual([429, '1']);
      site.advance(1);
    }
  });

  test('asking during the wait does not lengthen it', async () => {
    const from = freshAddress();
    await guessTimes(6, { from });
    expect(await guessTimes(20, { from })).toEqual(Array(20).fill(429));
    site.advance(1_000);
    expect((await guess({ from })).status).toBe(401);
  });

  test('a right password waits like any other, then opens and clears the count', async () => {
    const from = freshAddress();
    await guessTimes(6, { from });
    expect((await guess({ from, ...ADMIN })).status).toBe(429);
    site.advance(1_000);
    expect((await guess({ from, ...ADMIN })).status).toBe(200);
    expect(await guessTimes(6, { from })).toEqual(SIX_WRONG);
    expect((await guess({ from })).status).toBe(429);
  });

  test('are forgotten a quarter of an hour after the last one', async () => {
    const from = freshAddress();
    await guessTimes(5, { from });
    site.advance(15 * MINUTE - 1);
    expect((await guess({ from })).status).toBe(401);
    expect((await guess({ from })).status).toBe(429);
    site.advance(15 * MINUTE);
    expect(await guessTimes(6, { from })).toEqual(SIX_WRONG);
    expect((await guess({ from })).status).toBe(429);
  });

  test('old counts are swept away, recent ones stay', async () => {
    const from = freshAddress();
    const { db } = site.services.database;
    await guess({ from: freshAddress() });
    site.advance(15 * MINUTE + 1);
    await guessTimes(6, { from });
    await site.services.rateLimits.deleteOld();
    const left = await db.selectFrom('tentatives').select('echecs').orderBy('echecs').execute();
    // Of the account by all addresses, of the address, and of the address at the account.
    expect(left.map(({ echecs }) => echecs)).toEqual([6, 6, 6]);
    expect((await guess({ from })).status).toBe(429);
  });

  test('a hundred sent at once are a hundred', async () => {
    const from = freshAddress();
    const answers = await Promise.all(Array.from({ length: 100 }, () => guess({ from })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(6);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  test('a body that is refused for its form is no attempt', async () => {
    const from = freshAddress();
    for (let done = 0; done < 10; done++) {
      const headers = { 'x-forwarded-for': from };
      expect((await site.call('POST /loginAdmin', { body: { username: 'Alice' }, headers })).status).toBe(
        422,
      );
    }
    expect((await guess({ from })).status).toBe(401);
  });

  test('of the meeting reports are counted apart from those of the portal', async () => {
    // Everybody types the same password there: only the address counts, and an office may well mistype it.
    const headers = { 'x-forwarded-for': freshAddress() };
    const ask = async (password: string) =>
      (await site.call('POST /documents/acces', { body: { password }, headers })).status;
    for (let done = 0; done < 61; done++) expect(await ask('faux')).toBe(401);
    expect(await ask('tournesol-lanterne-26')).toBe(429);
    expect((await guess({ from: headers['x-forwarded-for'] })).status).toBe(401);
    site.advance(1_000);
    expect(await ask('tournesol-lanterne-26')).toBe(200);
  });
});

describe('Who is slowed down', () => {
  test('not another account behind the same address, nor the account from another address', async () => {
    const from = freshAddress();
    await guessTimes(6, { from });
    expect((await guess({ from })).status).toBe(429);
    expect((await guess({ from, username: 'Bruno' })).status).toBe(401);
    expect((await guess({ from: freshAddress() })).status).toBe(401);
    expect((await guess({ from: freshAddress(), ...ADMIN })).status).toBe(200);
  });

  test('one account however its name is written', async () => {
    const writings = {
      'another case': (turn: number) => ['alice', 'ALICE', 'Alice', 'aLICE'][turn % 4],
      'blanks around': (turn: number) => `${' '.repeat(turn)}Alice${' '.repeat(turn)}`,
      'full-width letters': (turn: number) => (turn % 2 ? 'Ａlice' : 'Alｉce'),
      accents: (turn: number) => ['Alice', 'Álice', 'Alicé', 'Âlice', 'Alíce', 'Alićê', 'Àlïçë'][turn % 7],
      'accents on accents': (turn: number) => `Alice${'\u0301'.repeat(turn)}`,
    };
    for (const [name, write] of Object.entries(writings)) {
      const from = freshAddress();
      site.advance(MINUTE);
      for (let turn = 0; turn < 6; turn++) {
        expect((await guess({ from, username: write(turn) })).status, name).toBe(401);
      }
      expect((await guess({ from, username: write(6) })).status, name).toBe(429);
    }
  });

  test('an address after sixty failures, whatever the accounts, and no other one', async () => {
    const from = freshAddress();
    for (let done = 0; done < 60; done++) {
      // Written in the database as sixty different accounts would be; checking sixty passwords is not the point.
      const account = `compte-${done}`;
      await site.services.rateLimits.check(PORTAL_LANE, { ip: from, account }, async () => undefined);
    }
    expect((await guess({ from })).status).toBe(401);
    const refused = await guess({ from, ...ADMIN });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await guess({ from: freshAddress(), ...ADMIN })).status).toBe(200);
    site.advance(1_000);
    expect((await guess({ from, ...ADMIN })).status).toBe(200);
  });

  test('an address whose sign-ins succeed is never slowed down', async () => {
    const from = freshAddress();
    for (let done = 0; done < 70; done++) {
      const account = `compte-${done}`;
      await site.services.rateLimits.check(PORTAL_LANE, { ip: from, account }, async () => true);
    }
    expect((await guess({ from })).status).toBe(401);
    expect((await guess({ from, ...ADMIN })).status).toBe(200);
  });

  test('nobody of sixty who type the same right password at once behind one address', async () => {
    const headers = { 'x-forwarded-for': freshAddress() };
    const readers = Array.from({ length: 60 }, () =>
      site.call('POST /documents/acces', { body: { password: 'tournesol-lanterne-26' }, headers }),
    );
    const admins = Array.from({ length: 20 }, () => guess({ ...ADMIN, from: headers['x-forwarded-for'] }));
    const answers = await Promise.all([...readers, ...admins]);
    expect(answers.map(({ status }) => status)).toEqual(Array(80).fill(200));
  });

  test('an attempt that could not be checked counts for nothing', async () => {
    const from = freshAddress();
    const { rateLimits } = site.services;
    for (let done = 0; done < 20; done++) {
      const broken = rateLimits.check(PORTAL_LANE, { ip: from, account: 'Alice' }, () =>
        Promise.reject(new Error('no database')),
      );
      await expect(broken).rejects.toThrow('no database');
    }
    expect(await guessTimes(6, { from })).toEqual(SIX_WRONG);
  });

  test('one household: the addresses of an IPv6 /64 count together', async () => {
    const household = [
      '2001:db8:1:2::1',
      '2001:db8:1:2::2',
      '2001:DB8:1:2:ffff:ffff:ffff:ffff',
      '2001:0db8:0001:0002:0:0:0:9',
      '2001:db8:1:2:a::',
      '2001:db8:1:2:1:2:3:4',
    ];
    for (const from of household) expect((await guess({ from })).status, from).toBe(401);
    expect((await guess({ from: '2001:db8:1:2::77' })).status).toBe(429);
    expect((await guess({ from: '2001:db8:1:3::1' })).status).toBe(401);
    expect((await guess({ from: '2001:db8::1' })).status).toBe(401);
  });

  test('the networks of an IPv6 /48 together, after 240 failures', async () => {
    const fail = (network: number) =>
      site.services.rateLimits.check(
        PORTAL_LANE,
        { ip: `2001:db8:7:${network.toString(16)}::1`, account: `c-${network}` },
        async () => undefined,
      );
    for (let network = 0; network < 241; network++) await fail(network);
    await expect(fail(999)).rejects.toMatchObject({ status: 429 });
    expect((await guess({ from: '2001:db8:8::1' })).status).toBe(401);
  });

  test('an IPv4 address written as an IPv6 one is the same address', async () => {
    const from = freshAddress();
    await guessTimes(6, { from });
    expect((await guess({ from: `::ffff:${from}` })).status).toBe(429);
  });

  test('what the visitor writes before the proxy’s own word counts for nothing', async () => {
    const from = freshAddress();
    for (let turn = 0; turn < 6; turn++) {
      expect((await guess({ from: `198.51.100.${turn}, ${from}` })).status).toBe(401);
    }
    expect((await guess({ from: `198.51.100.77, ${from}` })).status).toBe(429);
  });

  test('nonsense in place of an address breaks nothing', async () => {
    for (const from of [
      'unknown',
      '',
      ',',
      '1.2.3.4.5',
      '::::',
      '%',
      'é'.repeat(10),
      'x'.repeat(3_000),
      '[::1]:80',
      'fe80::1%eth0.10',
      '::ffff:1.2.3.4%a-b',
      '_hidden',
    ]) {
      const answer = await guess({ from: Buffer.from(from).toString('latin1') });
      expect([401, 429], `${from}: ${answer.text}`).toContain(answer.status);
    }
  });
});

describe('A lane', () => {
  /** Tries from an address of its own; what is tried is told when it begins. */
  const tryIn = (
    lane: Lane,
    ip: string,
    isRight: boolean,
    begun: (rank: number) => void = () => {},
    isKnown = false,
  ) =>
    site.services.rateLimits.check(lane, { ip, account: '12', isKnown }, async (rank) => {
      begun(rank);
      return isRight || undefined;
    });
  /** Failures at the account of a lane from so many addresses. */
  async function failFrom(lane: Lane, count: number, times = 1): Promise<string[]> {
    const from = Array.from({ length: count }, freshAddress);
    for (let time = 0; time < times; time++)
      // In the lane of a known device, which holds nobody up.
      for (const ip of from) await tryIn(lane, ip, false, undefined, true);
    return from;
  }

  test('is held by each failure past its burst; those of the fewest failures go first, a known device at once', async () => {
    const lane = { ...PORTAL_LANE, name: 'essai', everyMs: 300 };
    const [first, ...others] = (await failFrom(lane, lane.burst, 2)) as [string, ...string[]];
    const typist = freshAddress();
    await tryIn(lane, typist, false, undefined, true);
    const order: string[] = [];
    const begin = (who: string, ip: string, isRight: boolean, isKnown = false) =>
      tryIn(lane, ip, isRight, () => order.push(who), isKnown);
    const held = begin('guesser', first, false);
    // Those that wait while the first holds the lane, in the worst order for families.
    const waiting = [
      ...others.slice(0, 3).map((ip) => begin('guesser', ip, false)),
      begin('typist', typist, true),
      begin('family', freshAddress(), true),
      begin('device', freshAddress(), true, true),
    ];
    await Promise.all([held, ...waiting]);
    expect(order.slice(0, 4).sort()).toEqual(['device', 'family', 'guesser', 'typist']);
    expect(order.slice(4)).toEqual(['guesser', 'guesser', 'guesser']);
    expect(order.filter((one) => one === 'family' || one === 'typist')).toEqual(['family', 'typist']);
  });

  test('takes no more than it looks at in twenty seconds, and then those of the fewest failures', async () => {
    const lane = { ...PORTAL_LANE, name: 'court', burst: Number.POSITIVE_INFINITY, everyMs: 5_000 };
    const guessers = await failFrom(lane, 6);
    const gate = Promise.withResolvers<void>();
    const attempt = { ip: freshAddress(), account: '12' };
    const held = site.services.rateLimits.check(lane, attempt, async () => {
      await gate.promise;
      return true;
    });
    await pause(50);
    const waiting = guessers.map((ip) => tryIn(lane, ip, false).catch((error: HttpError) => error.status));
    await pause(200);
    const family = tryIn(lane, freshAddress(), true);
    await pause(50);
    gate.resolve();
    expect([await held, await family]).toEqual([true, true]);
    expect((await Promise.all(waiting)).filter((status) => status === 503)).toHaveLength(3);
  });

  test('a right password is refused for the failures of no other network, however many guess at its stay', async () => {
    // Time goes by as it does.
    const clock = setInterval(() => site.advance(100), 100);
    try {
      let looked = 0;
      let isOver = false;
      const start = performance.now();
      const guessers = Array.from({ length: 100 }, async () => {
        const ip = freshAddress();
        while (!isOver) {
          await tryIn(STAY_LANE, ip, false, () => looked++).catch(() => {});
          await pause(100);
        }
      });
      await pause(500);
      const families = Array.from({ length: 20 }, async (_, number) => {
        const ip = freshAddress();
        if (number % 2) await tryIn(STAY_LANE, ip, false);
        return tryIn(STAY_LANE, ip, true);
      });
      expect(await Promise.all(families)).toEqual(Array(20).fill(true));
      isOver = true;
      await Promise.all(guessers);
      const paced = (performance.now() - start) / STAY_LANE.everyMs;
      expect(looked).toBeLessThanOrEqual(STAY_LANE.burst + paced + 1);
    } finally {
      clearInterval(clock);
    }
  });

  test('of a thousand right sign-ins from many networks, none is refused', async () => {
    for (let done = 0; done < 1_000; done++) expect(await tryIn(STAY_LANE, freshAddress(), true)).toBe(true);
  });
});

test('without TRUST_PROXY a forwarded address changes nothing', async () => {
  const direct = await openSite();
  try {
    for (let turn = 0; turn < 6; turn++) {
      expect((await guess({ on: direct, from: freshAddress() })).status).toBe(401);
    }
    expect((await guess({ on: direct, from: freshAddress() })).status).toBe(429);
    expect((await guess({ on: direct })).status).toBe(429);
  } finally {
    await direct.close();
  }
});

test('a restart forgets no failure', async () => {
  const first = await openSite({ env: { TRUST_PROXY: '1' } });
  const from = freshAddress();
  await guessTimes(8, { on: first, from });
  await guess({ on: first, from });
  await first.stop();
  const { directory, logLines, advance, now } = first;
  const server = await startServer(first.services.config, { clock: now, log: first.services.log });
  const again = wrapSite(server, { directory, logLines, advance, now, cleanUp: async () => {} });
  try {
    expect((await guess({ on: again, from })).status).toBe(429);
    expect((await guess({ on: again, from: freshAddress() })).status).toBe(401);
    advance(1_000);
    expect((await guess({ on: again, from })).status).toBe(401);
    const refused = await guess({ on: again, from });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  } finally {
    await again.close();
    await first.close();
  }
});

test('no address or name can be read from what is counted', async () => {
  const from = freshAddress();
  await guess({ from });
  const rows = await site.services.database.db.selectFrom('tentatives').selectAll().execute();
  expect(rows.length).toBeGreaterThan(1);
  const text = JSON.stringify(rows).toLowerCase();
  for (const word of [from, 'alice', 'portail']) expect(text).not.toContain(word);
  for (const { cle } of rows) expect(cle).toMatch(/^[\w-]{43}$/);
});

test('under a flood of sign-ins the excess is told to come back, and the site goes on answering', async () => {
  const flood = Array.from({ length: 200 }, (_, turn) =>
    guess({ from: freshAddress(), username: turn < 10 ? 'Alice' : `Inconnue ${turn}` }),
  );
  let visited = 0;
  let isOver = false;
  const visits = (async () => {
    while (!isOver) {
      expect((await site.call('GET /actualites?limite=3')).status).toBe(200);
      expect((await site.call('GET /actualites/1')).status).toBe(404);
      visited += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const answers = await Promise.all(flood);
  isOver = true;
  await visits;
  const busy = answers.filter(({ status }) => status === 503);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
  for (const { headers, json } of busy) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(json.message).toMatch(/réessayez/);
  }
  expect(visited).toBeGreaterThan(5);
  expect((await guess({ from: freshAddress(), ...ADMIN })).status).toBe(200);
});
