import { afterEach, beforeEach, expect, test } from 'vitest';
import { numberChange } from '#features/photos/server/changesStore.ts';
import { notifyPhotos, openLivePhotos } from '#features/photos/server/live.ts';
import type { StateWrite } from '#features/photos/server/tables.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { listenTo } from '#tests/support/events.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* Events of a stay's photos, as a browser hears them: by its cookie, on a line that stays open. */

let site: TestSite;
let stay: number;
beforeEach(async () => {
  site = await openSite({ env: { TRUST_PROXY: '1' } });
  stay = await makeStay('Étoile');
});
afterEach(() => site.close());

function makeStay(nom_stage: string): Promise<number> {
  const { database, secrets } = site.services;
  const dates = { date_debut: '2026-06-10', date_fin: '2026-06-20' };
  return database.write((transaction) =>
    insertStay(transaction, secrets, { nom_stage, ...dates }, site.now()),
  );
}

const listen = (token: string, stageId = stay, address?: string) =>
  listenTo(site.origin, token, stageId, address);

async function change(set: { statut?: StateWrite; publiee_le?: string }, id: number) {
  await site.services.database.write(async (transaction) => {
    const numero = await numberChange(transaction, stay, true);
    await transaction
      .updateTable('photos')
      .set({ ...set, numero })
      .where('id', '=', id)
      .execute();
  });
  notifyPhotos(site.services, stay);
}

const EVENT = 'event: photos\ndata:';

test('a publication and a removal are told to whoever watches the stay, and to nobody else', async () => {
  const [id = 0] = await addPhotos(site.services, stay, 1, () => ({ statut: 'a_verifier' }));
  const other = await makeStay('Baleine');
  const [mine, theirs] = [
    await listen(await site.tokenOf('family', stay)),
    await listen(await site.tokenOf('family', other), other),
  ];
  expect(mine.response.headers.get('content-type')).toBe('text/event-stream');
  expect(mine.response.headers.get('cache-control')).toBe('no-store');
  await change({ statut: 'publiee' as StateWrite, publiee_le: site.now().toISOString() }, id);
  expect(await mine.next()).toBe(EVENT);
  await change({ statut: 'retiree' as StateWrite }, id);
  expect(await mine.next()).toBe(EVENT);
  // The first event that they are told is of their own.
  await addPhotos(site.services, other, 1);
  expect(await theirs.next()).toBe(EVENT);
  await site.stop();
  expect(await theirs.next()).toBeUndefined();
});

test('a publication at an hour is told when the hour has come, though nothing changes then', async () => {
  const later = new Date(site.now().getTime() + HOUR_MS).toISOString();
  await addPhotos(site.services, stay, 1, () => ({ publiee_le: later }));
  const line = await listen(await site.tokenOf('family', stay));
  site.advance(HOUR_MS);
  expect(await line.next()).toBe(EVENT);
});

test('families are not woken by what they cannot see', async () => {
  const [id = 0, timed = 0] = await addPhotos(site.services, stay, 2, () => ({ statut: 'a_verifier' }));
  const [family, director] = [
    await listen(await site.tokenOf('family', stay)),
    await listen(await site.tokenOf('director', stay)),
  ];
  const token = await site.tokenOf('director', stay);
  await site.call(`POST /stages/${stay}/attestation`, { token });
  const publiee_le = new Date(site.now().getTime() + HOUR_MS).toISOString();
  for (const [what, body] of [
    [`PATCH /photos/${id}`, { statut: 'refusee' }],
    [`PATCH /photos/${timed}`, { statut: 'publiee', publiee_le }],
    [`DELETE /photos/${id}`, undefined],
  ] as const) {
    expect((await site.call(what, { token, body })).status).toBe(200);
    // Both are told after the same look.
    expect(await director.next()).toBe(EVENT);
  }
  await site.stop();
  expect(await family.next()).toBeUndefined();
});

test('what another process changed is told too', async () => {
  const line = await listen(await site.tokenOf('director', stay));
  await site.services.database.write((transaction) => numberChange(transaction, stay, true));
  expect(await line.next()).toBe(EVENT);
});

test('a line ends with its sign-in, and cannot be opened again', async () => {
  const token = await site.tokenOf('family', stay);
  const line = await listen(token);
  expect((await site.call('POST /auth/logout', { token })).status).toBe(200);
  // With an event, though nothing has changed: the page asks at once, and is refused.
  expect(await line.next()).toBe(EVENT);
  expect(await line.next()).toBeUndefined();
  expect((await listen(token)).response.status).toBe(401);
});

test('a sign-in that staff end learns why, and those of others go on', async () => {
  const admin = await site.tokenOf('admin');
  const [one, two, director] = [
    await site.tokenOf('family', stay),
    await site.tokenOf('family', stay),
    await site.tokenOf('director', stay),
  ];
  const why = async (token: string) => {
    const { status, json } = await site.call(`GET /stages/${stay}`, { token });
    return status === 200 ? 'open' : [status, json.fin, json.message];
  };
  const { json: open } = await site.call(`GET /stages/${stay}/connexions`, { token: admin });
  const { id } = open.find(({ type }: { type: string }) => type === 'stagiaire');
  await site.call(`DELETE /stages/${stay}/connexions/${id}`, { token: admin });
  const closed = [401, 'fermee', 'Votre accès a été fermé par l’équipe du CSE.'];
  expect(new Set([await why(one), await why(two)])).toEqual(new Set([closed, 'open']));
  const renew = { token: admin, body: { type: 'stagiaire' } };
  expect((await site.call(`POST /stage-passwords/${stay}/regenerer`, renew)).status).toBe(200);
  const changed = [401, 'mot_de_passe', 'Le mot de passe a changé\u202f: demandez le nouveau.'];
  expect(new Set([await why(one), await why(two)])).toEqual(new Set([closed, changed]));
  expect(await why(director)).toBe('open');
  expect(await why('x'.repeat(43))).toEqual([401, undefined, 'Connectez-vous pour continuer.']);
});

test('a line is for the people of the stay, until its photos are over', async () => {
  const token = await site.tokenOf('family', stay);
  expect((await listen(token, await makeStay('Baleine'))).response.status).toBe(404);
  const head = await site.call(`HEAD /stages/${stay}/flux`, { token });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  site.advance(61 * 24 * HOUR_MS);
  expect((await listen(await site.tokenOf('family', stay))).response.status).toBe(404);
  expect((await listen(await site.tokenOf('admin'))).response.status).toBe(200);
});

test('of more than ten lines of one sign-in the oldest ends', async () => {
  const token = await site.tokenOf('family', stay);
  const lines = [];
  for (let count = 0; count < 11; count++) lines.push(await listen(token));
  expect(await lines[0]?.next()).toBeUndefined();
  await addPhotos(site.services, stay, 1);
  for (const line of lines.slice(1)) expect(await line.next()).toBe(EVENT);
});

test('of more than 300 lines of one network the oldest ends, and those of others stay', async () => {
  const other = await listen(await site.tokenOf('family', stay), stay, '198.51.100.1');
  const lines = [];
  for (let count = 0; count < 31; count++) {
    const token = await site.tokenOf('family', stay);
    const open = () => listen(token, stay, `192.0.2.${count}`);
    lines.push(...(await Promise.all(Array.from({ length: count < 30 ? 10 : 1 }, open))));
  }
  const ended = await Promise.race(lines.slice(0, 10).map((line) => line.next()));
  expect(ended).toBeUndefined();
  await addPhotos(site.services, stay, 1);
  for (const line of [other, ...lines.slice(10)]) expect(await line.next()).toBe(EVENT);
});

test('of more than a thousand lines of one stay the oldest ends, and those of others stay', async () => {
  const other = await makeStay('Baleine');
  const live = openLivePhotos(site.services);
  const open = (stageId: number, index: number) =>
    live.open({ sessionId: index, stageId, network: `192.0.${index % 10}.0`, by: 'seen' });
  const elsewhere = await open(other, 0);
  const lines = [];
  for (let index = 1; index <= 1_001; index++) lines.push(await open(stay, index));
  expect(lines.filter(({ writableEnded }) => writableEnded)).toEqual([lines[0]]);
  expect(elsewhere.writableEnded).toBe(false);
  live.stop();
});

test('a stop ends every line, and waits for none', async () => {
  const line = await listen(await site.tokenOf('family', stay));
  await site.stop();
  expect(await line.next()).toBeUndefined();
});
