import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { type Call, refusal, statusOf } from '#platform/shared/call.ts';
import { requestsFor, sendMade } from '#tests/support/fuzz/requests.ts';
import { fileSamples } from '#tests/support/fuzz/samples.ts';
import { ACTORS, type Actor, makeWorld, rowsOf } from '#tests/support/fuzz/world.ts';
import { admits, type TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { SOAK_MS, shareOf } from '#tests/support/soak.ts';

/*
 * Every call of the table, sent what its schemas want and what nobody should send, by everybody: nothing of it is an
 * error of the server, and no stay changes by the people of another. A failure says its seed: FUZZ_SEED runs it
 * again. SOAK_MINUTES spreads so many minutes over the calls, instead of a fixed number of requests.
 */

const REQUESTS = shareOf(30);
const SEED = process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {};
/** Of one call. */
const CALL_MS = SOAK_MS / calls.length;

let site: TestSite;
let samples: Awaited<ReturnType<typeof fileSamples>>;
beforeAll(async () => {
  site = await openSite();
  samples = await fileSamples();
  // What answers leave to do later is tried elsewhere.
  await site.jobs.stop();
});
afterAll(() => site?.close());

/** Whoever may call comes more often. */
function actorsOf({ access }: Call): fc.Arbitrary<Actor> {
  const admitted = ACTORS.filter(
    (one) => access === 'anyone' || (one !== 'anonymous' && admits(access, one)),
  );
  return fc.constantFrom(...ACTORS, ...admitted, ...admitted, ...admitted);
}

/** What only the inside of the site has to know. */
const INSIDE =
  /node:|node_modules|\.ts\b|\bat .*:\d+:\d+|sqlite|postgres|\bselect\b|insert into|constraint|relation "|\bE(NOENT|ACCES|ISDIR)\b|Error\b|_pkey|stage_id|\/tmp\//i;

function expectAnswer(call: Call, { status, headers, text }: Awaited<ReturnType<typeof sendMade>>): void {
  const isTold = [503, 507].includes(status) && headers.get('retry-after') !== null;
  if (!isTold) expect(status, text).toBeLessThan(500);
  if (status < 300) {
    expect(status).toBe(statusOf(call));
    expect(headers.get('content-type')).toBe(call.media ?? 'application/json; charset=utf-8');
    if (call.media) return;
    const json = JSON.parse(text);
    expect(call.reply.parse(json)).toEqual(json);
    return;
  }
  expect(headers.get('content-type'), text).toBe('application/json; charset=utf-8');
  const { message, champs = {} } = refusal.parse(JSON.parse(text));
  expect(message).not.toBe('');
  expect([message, ...Object.values(champs)].join('\n')).not.toMatch(INSIDE);
  if (status === 409 && call.conflict) call.conflict.parse(JSON.parse(text));
}

test.for(calls)('$key', { timeout: 60_000 + 2 * CALL_MS }, async ({ method, path, call }) => {
  const end = Date.now() + CALL_MS;
  do {
    const world = await makeWorld(site);
    const requests = fc.tuple(actorsOf(call), requestsFor(call, path, world.known, samples));
    const property = fc.asyncProperty(requests, async ([actor, request]) => {
      const before = actor === 'admin' ? undefined : await rowsOf(site, world.other);
      expectAnswer(call, await sendMade(site, method, request, world.tokens[actor]));
      if (before) expect(await rowsOf(site, world.other)).toEqual(before);
    });
    await fc.assert(property, { numRuns: REQUESTS, endOnFailure: true, ...SEED });
  } while (Date.now() < end);
});

test('the site is well after all of it', async () => {
  expect((await site.ask('GET /readyz')).text).toBe('ok');
  const unforeseen = site.logLines.filter((line) => line.includes('unforeseen error'));
  expect(unforeseen).toEqual([]);
  const { database } = site.services;
  if (database.engine === 'sqlite') {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.db);
    expect(rows).toEqual([{ integrity_check: 'ok' }]);
    expect((await sql`pragma foreign_key_check`.execute(database.db)).rows).toEqual([]);
  }
});
