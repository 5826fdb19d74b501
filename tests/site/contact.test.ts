import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '#app/server/start.ts';
import { CONTACT_DAYS, CONTACT_LISTED } from '#features/site/shared/limits.ts';
import { type Answer, passDays, type TestSite, wrapSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

const MINUTE = 60_000;
const TOO_MANY = 'Trop de messages ont été envoyés\u202f: réessayez dans quelques minutes.';

let site: TestSite;
beforeAll(async () => {
  site = await openSite({ env: { TRUST_PROXY: '1' } });
});
afterAll(() => site?.close());
beforeEach(async () => {
  // A new window of counts, and nothing to read.
  site.advance(10 * MINUTE);
  await site.services.database.write((db) => db.deleteFrom('messages_contact').execute());
});

let addresses = 0;
const freshAddress = () => `203.0.113.${++addresses}`;

interface Sent {
  nom?: unknown;
  email?: unknown;
  message?: unknown;
}

const GOOD = { nom: 'Jeanne Petit', email: 'jeanne.petit@exemple.fr', message: 'Bonjour.' };

function send(change: Sent = {}, from = freshAddress(), on = site): Promise<Answer> {
  const headers = { 'x-forwarded-for': from };
  return on.call('POST /contact', { body: { ...GOOD, ...change }, headers });
}

async function sendTimes(count: number, from?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let done = 0; done < count; done++) statuses.push((await send({}, from)).status);
  return statuses;
}

const asAdmin = async (what: string, body?: unknown) =>
  site.call(what, { token: await site.tokenOf('admin'), body });
const list = async () => (await asAdmin('GET /contact')).json;
const alerts = async () =>
  (await asAdmin('GET /tableau-de-bord')).json.alertes.filter(
    ({ panneau }: { panneau: string | null }) => panneau === 'messages',
  );

describe('A message', () => {
  test('without a blank keeps nobody waiting when staff read a list of them', async () => {
    const row = { ...GOOD, message: 'a'.repeat(5_000), created_at: site.now().toISOString(), lu_le: null };
    await site.services.database.write((db) =>
      db
        .insertInto('messages_contact')
        .values(Array.from({ length: CONTACT_LISTED }, () => row))
        .execute(),
    );
    const token = await site.tokenOf('admin');
    const begun = performance.now();
    expect((await site.call('GET /contact', { token })).json).toHaveLength(CONTACT_LISTED);
    // It took half a minute.
    expect(performance.now() - begun).toBeLessThan(8_000);
  });

  test('is read by staff as it was written, and tells nothing else of whoever wrote it', async () => {
    const message = '  Première ligne\r\n\n« Œuvre » <b>&amp;</b> \u202f😀';
    const answer = await send({ nom: '  Zoë d’Été ', email: ' zoe+cse@exemple.fr ', message });
    expect([answer.status, answer.json]).toEqual([200, { message: 'Message envoyé' }]);
    expect(await list()).toEqual([
      {
        id: expect.any(Number),
        nom: 'Zoë d’Été',
        email: 'zoe+cse@exemple.fr',
        message: message.replace('\r\n', '\n'),
        created_at: site.now().toISOString(),
        lu_le: null,
      },
    ]);
  });

  test('leaves neither its words nor its sender’s address in logs, journal or counts', async () => {
    const from = '198.51.100.77';
    expect((await send({ nom: 'Témoin-Nom', message: 'Témoin-Message' }, from)).status).toBe(200);
    const [{ id }] = await list();
    await asAdmin(`PUT /contact/${id}`, { lu: true });
    await asAdmin(`DELETE /contact/${id}`);
    const { db } = site.services.database;
    const held = JSON.stringify([
      site.logLines,
      await db.selectFrom('journal').selectAll().execute(),
      await db.selectFrom('tentatives').selectAll().execute(),
      await db.selectFrom('messages_contact').selectAll().execute(),
    ]);
    for (const word of ['Témoin', GOOD.email, '198.51.100']) expect(held).not.toContain(word);
  });

  test('wants a name, one plain e-mail address and a text, each of a reasonable length', async () => {
    const faulty: [string, unknown][] = [
      ...['nom', 'email', 'message'].flatMap((name): [string, unknown][] =>
        [undefined, null, '', ' \n ', 3, true, ['x'], { x: 1 }, 'a\u0000b', '\ud800'].map((value) => [
          name,
          value,
        ]),
      ),
      ['nom', 'x'.repeat(101)],
      ['nom', 'deux\nlignes'],
      ['message', 'x'.repeat(5_001)],
      ...[
        'jeanne',
        'jeanne@',
        'jeanne@exemple',
        '@exemple.fr',
        'jeanne@exemple.fr, autre@exemple.fr',
        'jeanne@exemple.fr;autre@exemple.fr',
        'Jeanne <jeanne@exemple.fr>',
        'jeanne@exemple.fr\r\nBcc: autre@exemple.fr',
        'jeanne@exemple.fr?bcc=autre@exemple.fr',
        'jeanne petit@exemple.fr',
        `${'x'.repeat(250)}@exemple.fr`,
        `a@${'a-'.repeat(45_000)}`,
      ].map((value): [string, unknown] => ['email', value]),
    ];
    const from = freshAddress();
    for (const [name, value] of faulty) {
      const answer = await send({ [name]: value }, from);
      const what = `${name} = ${JSON.stringify(value)?.slice(0, 60)}`;
      expect([answer.status, Object.keys(answer.json.champs ?? {})], what).toEqual([422, [name]]);
    }
    expect(await list()).toEqual([]);
    // What was refused is not counted.
    const longest = {
      nom: 'é'.repeat(100),
      email: `${'x'.repeat(243)}@exemple.fr`,
      message: '😀'.repeat(5_000),
    };
    expect((await send(longest, from)).status).toBe(200);
  });
});

describe('Too many messages', () => {
  test('are refused after three from one address, until the ten minutes are over', async () => {
    const from = freshAddress();
    expect(await sendTimes(3, from)).toEqual([200, 200, 200]);
    site.advance(4 * MINUTE);
    const refused = await send({}, from);
    expect([refused.status, refused.json]).toEqual([429, { message: TOO_MANY }]);
    const wait = Number(refused.headers.get('retry-after'));
    expect(await sendTimes(1)).toEqual([200]);
    site.advance(wait * 1_000 - 1);
    // Old counts are swept away meanwhile, those that still matter stay.
    await site.services.rateLimits.deleteOld();
    expect((await send({}, from)).status).toBe(429);
    site.advance(1);
    expect(await sendTimes(4, from)).toEqual([200, 200, 200, 429]);
    expect(await list()).toHaveLength(7);
  });

  test('are refused to their network alone: a hundred others still write, and each message is kept', async () => {
    for (let done = 0; done < 100; done++) expect(await sendTimes(1)).toEqual([200]);
    expect(await list()).toHaveLength(100);
    // Whoever signs in is not slowed down by it.
    const wrong = { body: { username: 'Alice', password: 'faux' } };
    expect((await site.call('POST /loginAdmin', wrong)).status).toBe(401);
  });

  test('sent all at once are no more than three', async () => {
    const from = freshAddress();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send({}, from)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, ...Array(17).fill(429)]);
    expect(await list()).toHaveLength(3);
  });

  test('stay refused after a restart', async () => {
    const first = await openSite({ env: { TRUST_PROXY: '1' } });
    const from = freshAddress();
    for (let done = 0; done < 3; done++) expect((await send({}, from, first)).status).toBe(200);
    await first.stop();
    const { directory, logLines, advance, now, services } = first;
    const server = await startServer(services.config, { clock: now, log: services.log });
    const again = wrapSite(server, { directory, logLines, advance, now, cleanUp: async () => {} });
    try {
      expect((await send({}, from, again)).status).toBe(429);
    } finally {
      await again.close();
      await first.close();
    }
  });
});

describe('Staff', () => {
  test('see the newest message first, as many as can be read', async () => {
    const at = (second: number) => new Date(site.now().getTime() - second * 1_000).toISOString();
    const rows = Array.from({ length: CONTACT_LISTED + 1 }, (_, second) => ({
      ...GOOD,
      nom: `Personne ${second}`,
      created_at: at(second),
      lu_le: null,
    }));
    await site.services.database.write((db) =>
      db.insertInto('messages_contact').values(rows.toReversed()).execute(),
    );
    const names = (await list()).map(({ nom }: { nom: string }) => nom);
    expect(names).toEqual(rows.slice(0, CONTACT_LISTED).map(({ nom }) => nom));
  });

  test('mark a message as read and unread again, and the dashboard counts what is left', async () => {
    expect(await alerts()).toEqual([]);
    await sendTimes(1);
    expect(await alerts()).toEqual([
      { texte: 'Un message de contact à lire.', panneau: 'messages', adresse: null },
    ]);
    await sendTimes(1);
    expect(await alerts()).toEqual([
      { texte: '2 messages de contact à lire.', panneau: 'messages', adresse: null },
    ]);
    const [{ id }] = await list();
    const read = await asAdmin(`PUT /contact/${id}`, { lu: true });
    expect([read.status, read.json]).toEqual([200, { message: 'Message marqué comme lu' }]);
    // Those that wait stand first.
    expect((await list()).map(({ lu_le }: { lu_le: string | null }) => lu_le)).toEqual([
      null,
      site.now().toISOString(),
    ]);
    expect(await alerts()).toEqual([
      { texte: 'Un message de contact à lire.', panneau: 'messages', adresse: null },
    ]);
    const unread = await asAdmin(`PUT /contact/${id}`, { lu: false });
    expect(unread.json).toEqual({ message: 'Message marqué comme non lu' });
    expect((await list())[0].lu_le).toBeNull();
    for (const lu of [undefined, null, 'true', 1]) {
      const answer = await asAdmin(`PUT /contact/${id}`, { lu });
      expect([answer.status, Object.keys(answer.json.champs)]).toEqual([422, ['lu']]);
    }
  });

  test('delete a message for good, once', async () => {
    await sendTimes(2);
    const [{ id }, kept] = await list();
    const deleted = await asAdmin(`DELETE /contact/${id}`);
    expect([deleted.status, deleted.json]).toEqual([200, { message: 'Message supprimé' }]);
    expect(await list()).toEqual([kept]);
    const gone = 'Ce message n’existe pas ou n’existe plus.';
    for (const again of [
      await asAdmin(`DELETE /contact/${id}`),
      await asAdmin(`PUT /contact/${id}`, { lu: true }),
    ])
      expect([again.status, again.json]).toEqual([404, { message: gone }]);
    const { entrees } = (await asAdmin('GET /journal')).json;
    expect(entrees[0]).toMatchObject({
      acteur: 'Alice',
      action: 'suppression d’un message de contact',
      objet: 'messages_contact',
      objet_id: id,
    });
  });
});

test(`messages are erased for good ${CONTACT_DAYS} days after their arrival, read or not`, async () => {
  await sendTimes(2);
  const [{ id }] = await list();
  await asAdmin(`PUT /contact/${id}`, { lu: true });
  await passDays(site, CONTACT_DAYS);
  await sendTimes(1);
  expect(await list()).toHaveLength(3);
  site.advance(60 * MINUTE);
  await site.schedule.tick();
  const left = await list();
  expect(left).toHaveLength(1);
  const { entrees } = (await asAdmin('GET /journal')).json;
  expect(entrees[0]).toMatchObject({
    acteur: 'le site',
    action: 'effacement d’anciens messages de contact',
    objet: null,
  });
  site.advance(60 * MINUTE);
  await site.schedule.tick();
  expect(await list()).toEqual(left);
});
