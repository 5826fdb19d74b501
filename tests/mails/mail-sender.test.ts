import { afterEach, describe, expect, inject, test } from 'vitest';
import { startJobs } from '#app/server/start.ts';
import { passwordVersion } from '#features/mails/server/compose.ts';
import { getStay, writeStayPasswords } from '#features/stays/server/staysStore.ts';
import { type JobWorker, openJobs } from '#platform/server/jobs/worker.ts';
import { findRelayTrouble, insertMailing, listSecondsLeft } from '#platform/server/mail/outboxStore.ts';
import { openMailer } from '#platform/server/mail/transport.ts';
import { addFamilies, addStay, queueCodes, statesOf } from '#tests/support/mails.ts';
import type { TestSite } from '#tests/support/people.ts';
import { freePort } from '#tests/support/ports.ts';
import { openSite } from '#tests/support/site.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/* The sender, from the outbox to a real mail server. The site's clock stands still unless it is moved. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const MAIL_FROM = 'Comité d’été <cse@exemple.fr>';
const PASSWORD = 'K7QF-2MXA-9TRD';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function openWith(receiver: { url: string }, env: Record<string, string> = {}): Promise<TestSite> {
  const site = await openSite({
    env: { SMTP_URL: receiver.url, MAIL_FROM, PUBLIC_URL: 'https://cse.example', ...env },
  });
  opened.push(site);
  return site;
}

async function receive(options?: Parameters<typeof openReceiver>[0]): Promise<Receiver> {
  const receiver = await openReceiver(options);
  opened.push(receiver);
  return receiver;
}

/** Writes the codes of a new stay to these families, and sends what is due. */
async function write(site: TestSite, addresses: string[]): Promise<number> {
  const stageId = await addStay(site.services, `Séjour de ${addresses[0]?.split('@')[0]}`, PASSWORD);
  await addFamilies(site.services, stageId, addresses);
  await queueCodes(
    site.services,
    addresses.map((address) => ({ address, stageId })),
  );
  await site.jobs.idle();
  return stageId;
}

/** The worker of another process on the same database. */
async function startAnew(services: TestSite['services']): Promise<JobWorker> {
  const mails = openMailer(services.config);
  opened.push({ close: async () => mails.transport?.close() });
  const jobs = openJobs(services.database, services.clock, services.log);
  await startJobs({ ...services, mails, jobs });
  return jobs;
}

async function later(site: TestSite, ms: number): Promise<void> {
  site.advance(ms);
  await site.jobs.idle();
}

const trouble = (site: TestSite) => findRelayTrouble(site.services.database.db);
const addressesOf = (receiver: Receiver) => receiver.received.map(({ to }) => to.join());

test('each family receives a message of its own, with the codes of its stay and no other address', async () => {
  const receiver = await receive();
  const site = await openWith(receiver);
  const addresses = ['ana@exemple.fr', 'bo@exemple.fr', 'cy@exemple.fr'];
  const stageId = await write(site, addresses);
  expect(receiver.received.map(({ to }) => to)).toEqual(addresses.map((address) => [address]));
  for (const [index, { from, mail, raw }] of receiver.received.entries()) {
    expect(from).toBe('cse@exemple.fr');
    expect(mail.from).toMatchObject({ name: 'Comité d’été', address: 'cse@exemple.fr' });
    expect(mail.to).toMatchObject([{ address: addresses[index] }]);
    expect(mail.subject).toBe('Vos codes d’accès au site photos du séjour');
    expect(mail.messageId).toMatch(/^<[0-9a-f]{32}\.\d+@cse\.example>$/);
    expect(mail.date).toBe('2026-06-20T09:00:00.000Z');
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain(PASSWORD);
      expect(body).toContain(`https://cse.example/connexion?stageId=${stageId}`);
    }
    const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(headers).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(headers).not.toMatch(/node|mailer|nmp/i);
    expect(raw).not.toMatch(new RegExp(addresses.filter((one) => one !== addresses[index]).join('|')));
  }
  expect(Object.values(await statesOf(site.services)).map(({ etat }) => etat)).toEqual(
    Array(3).fill('envoye'),
  );
  const { db } = site.services.database;
  const marks = await db.selectFrom('envois_messages').select('mdp_empreinte').distinct().execute();
  const stay = await getStay(db, stageId);
  expect(marks).toEqual([{ mdp_empreinte: passwordVersion(site.services.secrets, stay, 'stagiaire') }]);
});

test('without a mail server messages wait', async () => {
  const site = await openSite();
  opened.push(site);
  await write(site, ['ana@exemple.fr']);
  expect(await statesOf(site.services)).toMatchObject({ 'ana@exemple.fr': { etat: 'attente', essais: 0 } });
});

test('nothing that was typed adds a recipient or a header', async () => {
  const receiver = await receive();
  const site = await openWith(receiver);
  const texts = {
    objet: 'Bonjour\r\nBcc: intrus@exemple.fr',
    texte: '.\r\n.\r\nRCPT TO:<intrus@exemple.fr>',
  };
  const bad = [
    'a@b.fr\r\nBcc: intrus@exemple.fr',
    'Lou <a@b.fr>',
    'a@b.fr, c@d.fr',
    'groupe: a@b.fr;',
    'a b@c.fr',
  ];
  const messages = ['ana@exemple.fr', ...bad].map((address) => ({ address }));
  await queueCodes(site.services, messages, { genre: 'libre', texts });
  await site.jobs.idle();
  expect(receiver.asked).toEqual(['ana@exemple.fr']);
  expect(receiver.received[0]?.mail.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(receiver.received[0]?.mail.subject).toContain('Bonjour');
  const states = await statesOf(site.services);
  expect(bad.map((address) => states[address])).toMatchObject(
    bad.map(() => ({ etat: 'echec', erreur: 'autre' })),
  );
});

describe('refused', () => {
  test('for now, a message leaves a minute later under the same number', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    receiver.answer = () => ({ code: 451, text: '4.3.2 Système\r\nindisponible', at: 'text' });
    await write(site, ['ana@exemple.fr']);
    const { 'ana@exemple.fr': state } = await statesOf(site.services);
    expect(state).toMatchObject({ etat: 'attente', erreur: 'ralentit', essais: 1 });
    expect(state?.reponse).toMatch(/^451 .*4\.3\.2 Système/);
    expect(state?.reponse).not.toMatch(/[\r\n]/);
    receiver.answer = () => undefined;
    await later(site, 59 * SECOND);
    expect(receiver.received).toEqual([]);
    await later(site, SECOND);
    expect(receiver.numbers).toHaveLength(2);
    expect(new Set(receiver.numbers).size).toBe(1);
    expect(await statesOf(site.services)).toMatchObject({
      'ana@exemple.fr': { etat: 'envoye', erreur: null, essais: 2 },
    });
  });

  test('for good, it fails with its reason, and neither the log nor another message suffers', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    const answers: Record<string, [number, string, string]> = {
      'inconnue@exemple.fr': [550, '5.1.1 User unknown', 'adresse_inconnue'],
      'nullepart@exemple.fr': [550, '5.1.2 Domain not found', 'domaine_inconnu'],
      'pleine@exemple.fr': [552, '5.2.2 Mailbox full', 'boite_pleine'],
      'fermee@exemple.fr': [550, '5.2.1 Account disabled', 'boite_fermee'],
      'spam@exemple.fr': [554, '5.7.1 Message rejected as spam', 'refuse'],
      'obscure@exemple.fr': [550, 'Non', 'autre'],
    };
    receiver.answer = (address) => {
      const [code, text] = answers[address] ?? [];
      return code && text ? { code, text: `${text} <${address}>` } : undefined;
    };
    await write(site, [...Object.keys(answers), 'ana@exemple.fr']);
    const states = await statesOf(site.services);
    for (const [address, [code, text, erreur]] of Object.entries(answers)) {
      expect(states[address]).toMatchObject({ etat: 'echec', erreur, essais: 1 });
      expect(states[address]?.reponse).toContain(`${code} ${text}`);
    }
    expect(addressesOf(receiver)).toEqual(['ana@exemple.fr']);
    expect(site.logLines.join('')).toContain('adresse_inconnue');
    expect(site.logLines.join('')).not.toMatch(/exemple\.fr|User unknown/);
    await later(site, DAY);
    expect(receiver.asked).toHaveLength(7);
  });

  test('again and again, it is tried twelve times at growing intervals, then given up', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    receiver.answer = () => ({ code: 452, text: '4.2.2 Mailbox full' });
    await write(site, ['ana@exemple.fr']);
    const waits = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60];
    for (const [index, minutes] of waits.entries()) {
      await later(site, minutes * MINUTE - SECOND);
      expect(receiver.asked).toHaveLength(index + 1);
      await later(site, SECOND);
      expect(receiver.asked).toHaveLength(index + 2);
    }
    expect(await statesOf(site.services)).toMatchObject({
      'ana@exemple.fr': { etat: 'echec', erreur: 'boite_pleine', essais: 12 },
    });
  });
});

describe('a mail server', () => {
  test('that hangs up costs one try; when it does so again, everything waits for a while, at no cost', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    receiver.answer = () => 'close';
    await write(site, ['ana@exemple.fr', 'bo@exemple.fr', 'cy@exemple.fr']);
    expect(await statesOf(site.services)).toMatchObject({
      'ana@exemple.fr': { etat: 'attente', erreur: 'coupe', essais: 1 },
      'bo@exemple.fr': { etat: 'attente', erreur: 'coupe', essais: 0 },
      'cy@exemple.fr': { etat: 'attente', erreur: null, essais: 0 },
    });
    expect(await trouble(site)).toMatchObject({
      erreur: 'coupe',
      prochain_essai: '2026-06-20T09:00:05.000Z',
    });
    receiver.answer = () => undefined;
    await later(site, 5 * SECOND);
    expect(addressesOf(receiver)).toEqual(['cy@exemple.fr']);
    expect(await trouble(site)).toBeUndefined();
    await later(site, MINUTE);
    expect(addressesOf(receiver)).toEqual(['cy@exemple.fr', 'ana@exemple.fr', 'bo@exemple.fr']);
  });

  test('that refuses the site for days loses no message, and one that it alone refuses keeps nobody waiting', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    const denied = { code: 554, text: '5.7.1 Relay access denied' };
    receiver.answer = () => denied;
    const texts = { objet: 'Bonjour', texte: 'Bonjour' };
    await queueCodes(site.services, [{ address: 'ana@exemple.fr' }], { genre: 'libre', texts });
    for (let turn = 0; turn < 2 * 24 * 6; turn++) await later(site, 10 * MINUTE);
    expect(await statesOf(site.services)).toMatchObject({
      'ana@exemple.fr': { etat: 'attente', erreur: 'compte_refuse', essais: 1 },
    });
    expect(await trouble(site)).toMatchObject({ erreur: 'compte_refuse', depuis: expect.any(String) });
    receiver.answer = (address) => (address === 'ana@exemple.fr' ? denied : undefined);
    await write(site, ['bo@exemple.fr', 'cy@exemple.fr']);
    await later(site, 10 * MINUTE);
    expect(addressesOf(receiver)).toEqual(['bo@exemple.fr', 'cy@exemple.fr']);
    expect(await trouble(site)).toBeUndefined();
    receiver.answer = () => undefined;
    await later(site, 10 * MINUTE);
    expect(addressesOf(receiver).slice(2)).toEqual(['ana@exemple.fr']);
  });

  test('that is not there costs no try and is asked less and less often; once there, everything leaves', async () => {
    const port = await freePort();
    const site = await openWith({ url: `smtp://127.0.0.1:${port}` });
    await write(site, ['ana@exemple.fr', 'bo@exemple.fr']);
    const since = site.now().toISOString();
    for (const seconds of [5, 10, 20, 40, 80, 160, 320, 600, 600]) {
      const next = new Date(site.now().getTime() + seconds * SECOND).toISOString();
      expect(await trouble(site)).toEqual({ erreur: 'injoignable', depuis: since, prochain_essai: next });
      await later(site, seconds * SECOND);
    }
    expect(Object.values(await statesOf(site.services))).toMatchObject(
      Array(2).fill({ etat: 'attente', erreur: null, essais: 0 }),
    );
    expect(await listSecondsLeft(site.services)).toEqual(new Map());
    const receiver = await receive({ port });
    await later(site, 600 * SECOND);
    expect(addressesOf(receiver)).toEqual(['ana@exemple.fr', 'bo@exemple.fr']);
    expect(await trouble(site)).toBeUndefined();
  });

  test('that was mended is asked at once by a site that starts anew', async () => {
    const port = await freePort();
    const site = await openWith({ url: `smtp://127.0.0.1:${port}` });
    await write(site, ['ana@exemple.fr']);
    await later(site, 5 * SECOND);
    await site.jobs.stop();
    const receiver = await receive({ port });
    const again = await startAnew(site.services);
    await again.idle();
    await again.stop();
    expect(addressesOf(receiver)).toEqual(['ana@exemple.fr']);
  });

  test('that is not this machine is told nothing unless it proves who it is', async () => {
    for (const starttls of [false, true]) {
      const receiver = await receive({ host: '0.0.0.0', starttls });
      const site = await openWith(receiver);
      await write(site, ['ana@exemple.fr']);
      expect(await trouble(site), `starttls ${starttls}`).toMatchObject({ erreur: 'non_chiffre' });
      expect(await statesOf(site.services)).toMatchObject({
        'ana@exemple.fr': { etat: 'attente', essais: 0 },
      });
      expect(receiver.asked).toEqual([]);
    }
  });

  test('of this machine may have a certificate of its own making', async () => {
    const receiver = await receive({ starttls: true });
    const site = await openWith(receiver);
    await write(site, ['ana@exemple.fr']);
    expect(addressesOf(receiver)).toEqual(['ana@exemple.fr']);
  });

  test('that never comes back: thirty days after they were last sent messages are given up', async () => {
    const site = await openWith({ url: `smtp://127.0.0.1:${await freePort()}` });
    const wait = async (ms: number) => {
      await later(site, ms);
      await site.schedule.tick();
    };
    await write(site, ['ana@exemple.fr']);
    const { db } = site.services.database;
    const { id } = await db.selectFrom('envois').select('id').executeTakeFirstOrThrow();
    const written = site.now().toISOString();
    await wait(30 * DAY);
    expect(await statesOf(site.services)).toMatchObject({ 'ana@exemple.fr': { etat: 'attente' } });
    const late = { 'ana@exemple.fr': { etat: 'echec', erreur: 'trop_tard' } };
    await wait(DAY);
    expect(await statesOf(site.services)).toMatchObject(late);
    const again = await site.call(`POST /envois/${id}/relancer`, { token: await site.tokenOf('admin') });
    expect(again.status).toBe(200);
    await wait(29 * DAY);
    expect(await statesOf(site.services)).toMatchObject({ 'ana@exemple.fr': { etat: 'attente' } });
    await wait(2 * DAY);
    expect(await statesOf(site.services)).toMatchObject(late);
    const row = await db.selectFrom('envois_messages').select('created_at').executeTakeFirstOrThrow();
    expect(row.created_at).toBe(written);
  });
});

describe('in turn', () => {
  const orange = ['a@orange.fr', 'b@wanadoo.fr', 'c@orange.fr'];

  test('messages to one provider leave a second apart, the others meanwhile', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    await write(site, [...orange, 'ana@exemple.fr', 'd@free.fr']);
    expect(addressesOf(receiver)).toEqual(['a@orange.fr', 'ana@exemple.fr', 'd@free.fr']);
    expect([...(await listSecondsLeft(site.services)).values()]).toEqual([3]);
    await later(site, 999);
    expect(receiver.received).toHaveLength(3);
    await later(site, 1);
    expect(addressesOf(receiver).slice(3)).toEqual(['b@wanadoo.fr']);
    await later(site, SECOND);
    expect(addressesOf(receiver).slice(4)).toEqual(['c@orange.fr']);
    expect(await listSecondsLeft(site.services)).toEqual(new Map());
  });

  test('a provider that asks to wait is left alone for longer each time, the others go on', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    receiver.answer = (address) =>
      address.endsWith('exemple.fr') ? undefined : { code: 421, text: 'Trop de connexions' };
    await write(site, [...orange, 'ana@exemple.fr']);
    expect(addressesOf(receiver)).toEqual(['ana@exemple.fr']);
    const waited: number[] = [];
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      const before = receiver.asked.length;
      await later(site, seconds * SECOND - 1);
      expect(receiver.asked).toHaveLength(before);
      await later(site, 1);
      waited.push(receiver.asked.length - before);
    }
    expect(waited.every((asked) => asked > 0)).toBe(true);
    receiver.answer = () => undefined;
    for (let turn = 0; turn < 4; turn++) await later(site, 15 * MINUTE);
    expect(addressesOf(receiver).sort()).toEqual([...orange, 'ana@exemple.fr'].sort());
  });

  test('one small provider that asks to wait does not keep the others waiting', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    receiver.answer = (address) =>
      address === 'gris@exemple.fr' ? { code: 450, text: '4.7.1 Greylisted' } : undefined;
    await write(site, ['gris@exemple.fr', 'ana@exemple.fr']);
    expect(addressesOf(receiver)).toEqual(['ana@exemple.fr']);
  });

  test('whoever asks for one message does not wait behind a mailing', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    const { database, secrets } = site.services;
    const stageId = await addStay(site.services, 'Mer');
    const families = Array.from({ length: 5 }, (_, index) => `f${index}@exemple.fr`);
    await addFamilies(site.services, stageId, [...families, 'lou@exemple.fr']);
    const rest = {
      type: 'stagiaire' as const,
      texts: { objet: 'Codes', texte: '' },
      actor: { ip: '127.0.0.1' },
    };
    await database.write(async (db) => {
      const all = families.map((address) => ({ address, stageId }));
      await insertMailing(db, secrets, { genre: 'codes', messages: all, ...rest }, site.now());
      const lost = [{ address: 'lou@exemple.fr', stageId }];
      await insertMailing(db, secrets, { genre: 'perdu', messages: lost, ...rest }, site.now());
    });
    await site.jobs.idle();
    expect(addressesOf(receiver)).toEqual(['lou@exemple.fr', ...families]);
  });

  test('beyond the day’s limit messages wait until the hour of the first ones is a day old', async () => {
    const receiver = await receive();
    const site = await openWith(receiver, { MAIL_PER_DAY: '2' });
    await write(site, ['ana@exemple.fr']);
    await later(site, 60 * MINUTE);
    await write(site, ['bo@exemple.fr', 'cy@exemple.fr', 'di@exemple.fr']);
    expect(receiver.received).toHaveLength(2);
    expect([...(await listSecondsLeft(site.services)).values()]).toEqual([DAY / SECOND + 1]);
    await later(site, DAY - SECOND);
    expect(receiver.received).toHaveLength(2);
    await later(site, SECOND);
    expect(addressesOf(receiver).slice(2)).toEqual(['cy@exemple.fr']);
    await site.schedule.tick();
    const hours = await site.services.database.db.selectFrom('envois_heures').select('heure').execute();
    expect(hours).toEqual([{ heure: '2026-06-20T10' }, { heure: '2026-06-21T10' }]);
    await later(site, 60 * MINUTE);
    expect(addressesOf(receiver).slice(3)).toEqual(['di@exemple.fr']);
  });

  test('the day’s limit counts those whose stay is deleted', async () => {
    const receiver = await receive();
    const site = await openWith(receiver, { MAIL_PER_DAY: '1' });
    const stageId = await write(site, ['ana@exemple.fr']);
    const { status } = await site.call(`DELETE /stages/${stageId}`, { token: await site.tokenOf('admin') });
    expect(status).toBe(200);
    await write(site, ['bo@exemple.fr']);
    expect(addressesOf(receiver)).toEqual(['ana@exemple.fr']);
    const answer = await site.call('GET /messagerie', { token: await site.tokenOf('admin') });
    expect(answer.json).toMatchObject({ par_jour: 1, partis: 1, en_attente: 1 });
  });

  test('a clock that is set back holds nothing up', async () => {
    const receiver = await receive();
    const site = await openWith(receiver, { MAIL_PER_DAY: '1' });
    await write(site, ['a@orange.fr', 'b@orange.fr']);
    site.advance(-400 * DAY);
    await later(site, 0);
    expect(addressesOf(receiver)).toEqual(['a@orange.fr', 'b@orange.fr']);
  });
});

// A SQLite database has one sender.
describe.runIf(inject('database') === 'postgres')('two senders of one database', () => {
  /** Holds the first message up until it is let go. */
  async function openHeld(addresses: string[]) {
    const receiver = await receive();
    const site = await openWith(receiver);
    await site.jobs.stop();
    await write(site, addresses);
    const held = Promise.withResolvers<void>();
    receiver.answer = async (address) => {
      if (address === addresses[0]) await held.promise;
      return undefined;
    };
    const aheadBy = (ms: number) => ({
      ...site.services,
      clock: () => new Date(site.now().getTime() + ms),
    });
    const first = await startAnew(aheadBy(20 * SECOND));
    await expect.poll(() => receiver.asked).toEqual([addresses[0]]);
    const second = await startAnew(aheadBy(0));
    await second.idle();
    return {
      ...{ site, receiver, second },
      async letGo() {
        held.resolve();
        await first.idle();
        await first.stop();
      },
    };
  }

  test('whose clocks differ send each message once', async () => {
    const addresses = ['ana@exemple.fr', 'bo@exemple.fr', 'cy@exemple.fr'];
    const { receiver, second, letGo } = await openHeld(addresses);
    expect(receiver.asked).toEqual(addresses);
    await letGo();
    await second.stop();
    expect(addressesOf(receiver).sort()).toEqual(addresses);
  });

  test('have one message to a provider under way between them, then the pause', async () => {
    const { site, receiver, second, letGo } = await openHeld(['a@orange.fr', 'b@wanadoo.fr', 'd@free.fr']);
    site.advance(30 * SECOND);
    await second.idle();
    expect(receiver.asked).toEqual(['a@orange.fr', 'd@free.fr']);
    await letGo();
    await second.idle();
    expect(addressesOf(receiver)).toEqual(['d@free.fr', 'a@orange.fr']);
    site.advance(MINUTE);
    await second.idle();
    await second.stop();
    expect(addressesOf(receiver).slice(2)).toEqual(['b@wanadoo.fr']);
  });
});

describe('read when it leaves', () => {
  test('a message to a child taken out meanwhile is cancelled', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    await write(site, ['a@orange.fr', 'b@orange.fr']);
    await site.services.database.write((db) =>
      db.deleteFrom('stagiaires').where('email', '=', 'b@orange.fr').execute(),
    );
    await later(site, SECOND);
    expect(addressesOf(receiver)).toEqual(['a@orange.fr']);
    expect(await statesOf(site.services)).toMatchObject({
      'b@orange.fr': { etat: 'annule', erreur: 'plus_inscrite' },
    });
  });

  test('a message brings the password that counts now', async () => {
    const receiver = await receive();
    const site = await openWith(receiver);
    const stageId = await write(site, ['a@orange.fr', 'b@orange.fr']);
    const { database, secrets } = site.services;
    await database.write((db) => writeStayPasswords(db, secrets, stageId, { stagiaire: 'NEUF-NEUF-NEUF' }));
    await later(site, SECOND);
    expect(
      receiver.received.map(({ mail }) => /[A-Z0-9]{4}(-[A-Z0-9]{4}){2}/.exec(mail.text ?? '')?.[0]),
    ).toEqual([PASSWORD, 'NEUF-NEUF-NEUF']);
  });
});
