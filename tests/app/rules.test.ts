import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { BUDGETS } from '#platform/server/budgets.ts';
import { requestsFor, sendMade } from '#tests/support/fuzz/requests.ts';
import { fileSamples } from '#tests/support/fuzz/samples.ts';
import { makeWorld, type World } from '#tests/support/fuzz/world.ts';
import { admits, type TestSite } from '#tests/support/people.ts';
import { ADMIN, MINUTES_PASSWORD, openSite } from '#tests/support/site.ts';
import { shareOf } from '#tests/support/soak.ts';

/*
 * The rules that no call may forget, asked of every call of the table that staff may make: sent what its schemas want, by
 * a session whose proof is old. A call added to the table is tested by being there.
 */

const REQUESTS = shareOf(24);
const MINUTE = 60_000;

let site: TestSite;
let samples: Awaited<ReturnType<typeof fileSamples>>;
beforeAll(async () => {
  site = await openSite();
  samples = await fileSamples();
  await site.jobs.stop();
});
afterAll(() => site?.close());

/** What a thief would take, as it stands in the database. */
async function stateOf() {
  const { db } = site.services.database;
  const count = async (table: 'stagiaires' | 'formateurs' | 'stages' | 'photos' | 'sessions') => {
    const { nombre } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('nombre'))
      .executeTakeFirstOrThrow();
    return Number(nombre);
  };
  const people = (await count('stagiaires')) + (await count('formateurs'));
  const known = await db.selectFrom('destinataires').select('adresse').where('depuis', '=', '').execute();
  const codes = await db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envoi_id')
    .select('destinataire')
    .where('genre', 'in', ['codes', 'perdu'])
    .execute();
  return {
    people,
    stays: await count('stages'),
    photos: await count('photos'),
    known: new Set(known.map(({ adresse }) => adresse)),
    codes: codes.map(({ destinataire }) => destinataire),
  };
}

/** Every password that the site keeps and could show. */
function secretsOf(known: readonly unknown[]): string[] {
  const isCode = (one: unknown): one is string => typeof one === 'string' && /^\w{4}-\w{4}-\w{4}$/.test(one);
  return [MINUTES_PASSWORD, ...known.filter(isCode)];
}

const ofStaff = calls.filter(({ call: { access } }) => access !== 'anyone' && admits(access, 'admin'));

test.for(ofStaff)('$key', { timeout: 60_000 }, async ({ key, method, path, call }) => {
  const world: World = await makeWorld(site);
  site.advance(11 * MINUTE);
  const secrets = secretsOf(world.known);
  // What a request has said may come back in its answer.
  const known = world.known.filter((one) => !secrets.includes(String(one)) && one !== ADMIN.password);
  const before = await stateOf();
  const token = world.tokens.admin;
  const property = fc.asyncProperty(requestsFor(call, path, known, samples), async (request) => {
    const { status, text } = await sendMade(site, method, request, token);
    expect(status, text).toBeLessThan(500);
    for (const secret of secrets) expect(text, key).not.toContain(secret);
  });
  await fc.assert(property, { numRuns: REQUESTS, endOnFailure: true });
  const after = await stateOf();
  expect(before.people - after.people, 'people erased').toBeLessThanOrEqual(BUDGETS.personnes.unproven);
  expect(after.stays, 'stays deleted').toBeGreaterThanOrEqual(before.stays);
  expect(after.photos, 'photos erased').toBeGreaterThanOrEqual(before.photos);
  const made = [...after.known].filter((address) => !before.known.has(address));
  expect(made, 'addresses made known').toEqual([]);
  const sent = after.codes.filter((address) => !before.known.has(address.toLowerCase()));
  expect(sent, 'codes sent to others').toEqual([]);
});
