import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openServices } from '#app/server/start.ts';
import { tellEvening } from '#features/evenings/server/evenings.ts';
import { ensureLinks } from '#features/mails/server/linksStore.ts';
import { listRecipients } from '#features/mails/server/recipientsStore.ts';
import { writeSetting } from '#features/site/server/settingsStore.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { readConfig } from '#platform/server/config.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { wallClock } from '#platform/shared/time.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { addFamilies, addStay } from '#tests/support/mails.ts';
import type { TestSite } from '#tests/support/people.ts';
import { kill, killAll, newPlace, start, stop } from '#tests/support/process.ts';
import { openSite } from '#tests/support/site.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/* The mail of the evening: who gets it, when, what it says, and that it comes once. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MOTHER = 'mere@exemple.org';
const FATHER = 'pere@exemple.org';

let site: TestSite;
let receiver: Receiver;
let stay: number;
let admin: string;

beforeEach(async () => {
  receiver = await openReceiver();
  const mails = { SMTP_URL: receiver.url, MAIL_FROM: 'site@exemple.fr' };
  site = await openSite({ env: { ...mails, PUBLIC_URL: 'http://localhost' } });
  admin = await site.tokenOf('admin');
  stay = await makeStay('Étoile');
  await addChild(stay, { mailRL: MOTHER, email_2: FATHER });
});
afterEach(async () => {
  await site?.close();
  await receiver?.close();
  killAll();
});

const today = () => wallClock(site.now(), 'Europe/Paris').slice(0, 10);

function makeStay(nom_stage: string, days = 60): Promise<number> {
  const { database, secrets } = site.services;
  const date_fin = new Date(site.now().getTime() + days * DAY).toISOString().slice(0, 10);
  const values = { nom_stage, date_debut: today(), date_fin };
  return database.write((transaction) => insertStay(transaction, secrets, values, site.now()));
}

async function addChild(stageId: number, more: object): Promise<void> {
  const body = { nom: 'Roy', prenom: 'Lou', stageId, ...more };
  expect((await site.call('POST /add-stagiaire', { token: admin, body })).status).toBe(201);
}

/** Sends the codes of stays to their families, and forgets these mails. */
async function sendCodes(...stageIds: number[]): Promise<void> {
  const body = { type: 'stagiaire', stageIds, objet: 'Codes', texte: '' };
  const sent = await site.call('POST /stages/envoi-mots-de-passe', { token: admin, body });
  expect(sent.status).toBe(201);
  await site.jobs.idle();
  receiver.received.length = 0;
}

/** Moves the clock to an hour of the site's zone, today or else tomorrow. */
function advanceTo(hour: string): void {
  const wall = wallClock(site.now(), 'Europe/Paris');
  do site.advance(MINUTE);
  while (wallClock(site.now(), 'Europe/Paris').slice(11, 16) !== hour);
  expect(wallClock(site.now(), 'Europe/Paris') > wall).toBe(true);
}

function publish(count: number, jour = today(), stageId = stay) {
  site.advance(MINUTE);
  return addPhotos(site.services, stageId, count, () => ({ jour, publiee_le: site.now().toISOString() }));
}

/** Goes to the hour of the settings; the mails that came, as their address and subject. */
async function evening(hour = '20:30') {
  advanceTo(hour);
  return told();
}
async function told() {
  await site.schedule.tick();
  await site.jobs.idle();
  return receiver.received.splice(0).map(({ to, mail }) => [to.join(), mail.subject]);
}

const settings = async (body: object) =>
  site.call('PUT /reglages', { token: await site.tokenOf('admin'), body });

describe('At the hour of the settings', () => {
  beforeEach(() => sendCodes(stay));

  test('each address that got the codes is told what is new, in one mail with its own link', async () => {
    await publish(14);
    const word = { token: admin, body: { mot: 'Baignade à Annecy.' } };
    expect((await site.call(`PUT /stages/${stay}/jours/${today()}`, word)).status).toBe(200);
    advanceTo('20:25');
    expect(await told()).toEqual([]);
    advanceTo('20:30');
    await site.schedule.tick();
    await site.jobs.idle();
    const mails = receiver.received.splice(0);
    expect(mails.map(({ to }) => to.join()).sort()).toEqual([MOTHER, FATHER].sort());
    for (const { mail, raw } of mails) {
      expect(mail.subject).toBe('14 photos d’aujourd’hui et un mot de l’équipe');
      expect(mail.attachments).toEqual([]);
      for (const text of [mail.text, mail.html])
        for (const hidden of ['Lou', 'Roy', 'Annecy', '<img', 'src=']) expect(text).not.toContain(hidden);
      expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      const [, jeton] = /\/acces#([\w-]{43})\s/.exec(mail.text ?? '') ?? [];
      const opened = await site.call('POST /auth/lien', { body: { jeton } });
      expect([opened.status, opened.json.stageId]).toEqual([200, stay]);
    }
    site.advance(10 * MINUTE);
    expect(await told()).toEqual([]);
    expect(await evening(), 'nothing is new').toEqual([]);
  });

  test('photos of other days are new, those that are scheduled are so once they are seen', async () => {
    await publish(1, '2026-06-19');
    expect(await evening()).toEqual([
      [MOTHER, 'Une nouvelle photo'],
      [FATHER, 'Une nouvelle photo'],
    ]);
    const hour = new Date(site.now().getTime() + 2 * HOUR).toISOString();
    await addPhotos(site.services, stay, 2, () => ({ jour: today(), publiee_le: hour }));
    site.advance(10 * MINUTE);
    expect(await told()).toEqual([]);
    expect((await evening()).map(([, subject]) => subject)).toEqual(Array(2).fill('2 nouvelles photos'));
  });

  test('siblings are told of all their stays in one mail, with a link to each', async () => {
    const other = await makeStay('Galets');
    await addChild(other, { prenom: 'Zoé', mailRL: MOTHER });
    await sendCodes(other);
    await publish(2);
    await publish(3, today(), other);
    advanceTo('20:30');
    await site.schedule.tick();
    await site.jobs.idle();
    const mails = Object.fromEntries(receiver.received.splice(0).map(({ to, mail }) => [to.join(), mail]));
    expect(mails[FATHER]?.subject).toBe('2 photos d’aujourd’hui');
    expect(mails[MOTHER]?.subject).toBe('5 photos d’aujourd’hui');
    const secrets = [...(mails[MOTHER]?.text ?? '').matchAll(/\/acces#([\w-]{43})\s/g)].map(([, one]) => one);
    const opened = await Promise.all(
      secrets.map(async (jeton) => (await site.call('POST /auth/lien', { body: { jeton } })).json.stageId),
    );
    expect(opened).toEqual([stay, other]);
  });

  test('nobody is told who asked for no more, by the header of the mail as by its page', async () => {
    await publish(1);
    advanceTo('20:30');
    await site.schedule.tick();
    await site.jobs.idle();
    const mail = receiver.received.find(({ to }) => to.join() === FATHER);
    const header = /^List-Unsubscribe: <(.+)>\r$/m.exec(mail?.raw.replace(/\r\n\s/g, '') ?? '')?.[1];
    const [, path, query] = /^http:\/\/localhost(?::\d+)?(.+)\?(.+)$/.exec(header ?? '') ?? [];
    expect(path).toBe(`${API_PREFIX}/soirs/arret`);
    expect(mail?.mail.text).toContain(`/soir#${query?.replace('jeton=', '')}\n`);
    const ask = (method: string, more = '', body?: URLSearchParams) =>
      site.ask(`${method} ${path}?${query}${more}`, { body });
    // Scanners of mails follow every address.
    for (const method of ['GET', 'HEAD']) expect((await ask(method)).status).toBe(405);
    receiver.received.length = 0;
    await publish(1);
    expect((await evening()).map(([to]) => to)).toEqual([MOTHER, FATHER]);
    expect((await ask('POST', '', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }))).status).toBe(
      200,
    );
    await publish(1);
    expect((await evening()).map(([to]) => to)).toEqual([MOTHER]);
    // A new stay of the same address is one of which it is not told either.
    admin = await site.tokenOf('admin');
    const other = await makeStay('Galets');
    await addChild(other, { prenom: 'Zoé', mailRL: FATHER });
    await sendCodes(other);
    await publish(1, today(), other);
    expect(await evening()).toEqual([]);
    expect((await ask('POST', '&recevoir=oui')).status).toBe(200);
    expect(await evening()).toEqual([[FATHER, '2 nouvelles photos']]);
    for (const jeton of ['', 'x.y', `${query?.slice(6)}x`]) {
      const refused = await site.call(`POST /soirs/arret?jeton=${jeton}`);
      expect(refused.status, jeton).toBe(404);
    }
  });

  test('photos that were seen reduced are told once they are there in full', async () => {
    const ids = await publish(3);
    await evening();
    site.advance(MINUTE);
    const full = site.now().toISOString();
    const prepare = (some: readonly number[]) =>
      site.services.database.write((db) =>
        db.updateTable('photos').set({ complete_le: full }).where('id', 'in', some).execute(),
      );
    await prepare(ids.slice(0, 2));
    // New, and in full: told as new alone.
    await prepare(await publish(1));
    const subject = 'Une nouvelle photo et 2 photos en pleine qualité';
    expect((await evening()).map(([, one]) => one)).toEqual([subject, subject]);
    expect(await evening()).toEqual([]);
  });

  test('an hour that staff choose counts, and none ends these mails', async () => {
    expect((await settings({ message_soir_heure: '19h' })).status).toBe(422);
    expect((await settings({ message_soir_heure: '19:05' })).status).toBe(200);
    await publish(1);
    expect(await evening('19:00')).toEqual([]);
    expect((await evening('19:05')).length).toBe(2);
    await settings({ message_soir_heure: '20:30' });
    await publish(1);
    expect(await evening(), 'the same evening').toEqual([]);
    await settings({ message_soir_heure: '' });
    expect(await evening()).toEqual([]);
  });

  test('nobody is told of a stay for which staff want none, of one that is over, or by a link that is cut', async () => {
    await publish(1);
    const choose = (body: object) => site.call(`PUT /stages/${stay}/acces`, { token: admin, body });
    expect((await choose({ message_soir: false })).status).toBe(200);
    expect(await evening()).toEqual([]);
    expect((await choose({ message_soir: true })).status).toBe(200);
    const cut = { token: admin, body: { type: 'stagiaire', adresse: FATHER } };
    expect((await site.call(`POST /stages/${stay}/liens/couper`, cut)).status).toBe(200);
    expect((await evening()).map(([to]) => to)).toEqual([MOTHER]);
    site.advance(200 * DAY);
    await site.call('POST /horloge', { token: await site.tokenOf('admin') });
    expect(await evening()).toEqual([]);
  });

  test('an address at which nobody lives is told once', async () => {
    receiver.answer = (address) =>
      address === FATHER ? { code: 550, text: '5.1.1 unknown user' } : undefined;
    await publish(1);
    expect((await evening()).map(([to]) => to)).toEqual([MOTHER]);
    await publish(1);
    receiver.asked.length = 0;
    expect((await evening()).map(([to]) => to)).toEqual([MOTHER]);
    expect(receiver.asked).toEqual([MOTHER]);
  });

  test('what is taken back before the mail leaves is not counted, and a mail of nothing does not leave', async () => {
    receiver.answer = () => ({ code: 451, text: '4.7.1 later' });
    const ids = await publish(2);
    expect(await evening()).toEqual([]);
    const back = { token: admin, body: { ids, statut: 'refusee' } };
    expect((await site.call('PATCH /photos', back)).status).toBe(200);
    receiver.answer = () => undefined;
    site.advance(2 * HOUR);
    expect(await told()).toEqual([]);
    const [mailing] = (await site.call('GET /envois', { token: admin })).json;
    expect(mailing).toMatchObject({ genre: 'soir', total: 2, annule: 2 });
    const { messages } = (await site.call(`GET /envois/${mailing.id}`, { token: admin })).json;
    expect(messages.map((one: { erreur: string }) => one.erreur)).toEqual(['rien_de_neuf', 'rien_de_neuf']);
  });

  test('a mail that could not leave for days comes once, and counts all of them', async () => {
    receiver.answer = () => 'close';
    for (const count of [1, 2, 4]) {
      await publish(count);
      expect(await evening()).toEqual([]);
    }
    receiver.answer = () => undefined;
    site.advance(4 * HOUR);
    expect((await told()).sort()).toEqual([
      [MOTHER, '7 nouvelles photos'],
      [FATHER, '7 nouvelles photos'],
    ]);
  });

  test('a mail that waits also tells of a stay in which nothing was new when it was written', async () => {
    receiver.answer = () => 'close';
    const other = await makeStay('Galets');
    await addChild(other, { prenom: 'Zoé', mailRL: MOTHER });
    receiver.answer = () => undefined;
    await sendCodes(other);
    receiver.answer = () => 'close';
    await publish(1);
    expect(await evening()).toEqual([]);
    await publish(2, today(), other);
    expect(await evening()).toEqual([]);
    receiver.answer = () => undefined;
    site.advance(4 * HOUR);
    expect((await told()).sort()).toEqual([
      [MOTHER, '3 nouvelles photos'],
      [FATHER, 'Une nouvelle photo'],
    ]);
  });

  test('an evening on which the site stood still is not caught up with at night', async () => {
    await publish(1);
    site.advance(DAY - 10 * HOUR);
    expect(await told()).toEqual([]);
    expect((await evening()).length).toBe(2);
  });

  test('two that tell at once tell once', async () => {
    await publish(1);
    advanceTo('20:30');
    // Two connections of one process to one SQLite file would wait for each other forever.
    const isSqlite = inject('database') === 'sqlite';
    const options = { clock: site.now, log: pino({ enabled: false }) };
    const second = isSqlite ? site.services : await openServices(site.services.config, options);
    await Promise.all([site.services, second, site.services, second].map(tellEvening));
    if (!isSqlite) await Promise.all([second.images.close(), second.pdfs.close(), second.database.close()]);
    expect((await told()).length).toBe(2);
  });
});

test('an address is told of what comes after its link, not of what was there', async () => {
  await publish(5);
  site.advance(MINUTE);
  await sendCodes(stay);
  await publish(1);
  expect((await evening()).map(([, subject]) => subject)).toEqual(Array(2).fill('Une photo d’aujourd’hui'));
});

test.each([
  ['autumn', '2026-10-18'],
  ['spring', '2027-03-21'],
])(
  'on fourteen evenings around the change of clocks in %s, each address is told once an evening',
  async (_season, from) => {
    site.advance(Date.parse(`${from}T09:00:00.000Z`) - site.now().getTime());
    admin = await site.tokenOf('admin');
    await site.call('POST /horloge', { token: admin });
    stay = await makeStay('Automne');
    await addChild(stay, { mailRL: MOTHER });
    await sendCodes(stay);
    const days: string[] = [];
    for (let day = 0; day < 14; day++) {
      // Nothing is published on every third day.
      if (day % 3 !== 2) await publish(1);
      for (const hour of ['20:25', '20:30', '20:35', '21:30', '02:30'])
        for (const [to, subject] of await evening(hour)) {
          expect([to, subject, hour]).toEqual([MOTHER, 'Une photo d’aujourd’hui', '20:30']);
          days.push(today());
        }
    }
    expect(days.length).toBe(10);
    expect(new Set(days).size).toBe(10);
  },
);

/* A process that is killed while it tells: the site is a process of its own, to a real mail server. */

const ADDRESSES = 600;

test('killed several times on the way, the evening mail comes once to each address', async () => {
  const place = await newPlace();
  place.env.SMTP_URL = receiver.url;
  place.env.MAIL_FROM = 'cse@exemple.fr';
  const services = await openServices(readConfig(place.env), { log: pino({ enabled: false }) });
  const { database, secrets } = services;
  const addresses = Array.from({ length: ADDRESSES }, (_, index) => `famille${index}@exemple.fr`);
  const colony = await addStay(services, 'Colonie');
  await addFamilies(services, colony, addresses);
  const before = new Date(Date.now() - HOUR);
  await database.write(async (transaction) => {
    const all = await listRecipients(transaction, 'stagiaire', [colony]);
    await ensureLinks(transaction, secrets, 'stagiaire', all, before);
    await writeSetting(transaction, 'message_soir_heure', '00:00', before);
  });
  await addPhotos(services, colony, 3, () => ({ publiee_le: new Date().toISOString() }));
  await Promise.all([services.images.close(), services.pdfs.close(), database.close()]);
  for (let turn = 0; turn < 3; turn++) {
    const server = await start(place);
    await pause(randomInt(400));
    await kill(server);
  }
  const last = await start(place);
  const arrived = () => new Set(receiver.received.map(({ to }) => to.join()));
  await expect.poll(() => arrived().size, { timeout: 240_000 }).toBe(ADDRESSES);
  expect(await stop(last)).toBe(0);
  const numbers = new Set(receiver.received.map(({ mail }) => mail.messageId));
  expect(numbers.size).toBe(ADDRESSES);
  await place.clean();
}, 300_000);
