import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deviceOf } from '#platform/server/http/access.ts';
import { UNATTENDED } from '#platform/shared/presence.ts';
import { addStay } from '#tests/support/mails.ts';
import type { AskOptions, TestSite } from '#tests/support/people.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/* Where people are signed in: what they see of it, what ends it, and what is told of a new device. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const DEVICE = 'passerelle_appareil';

let site: TestSite;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await openReceiver();
  const mails = { SMTP_URL: receiver.url, MAIL_FROM: 'site@exemple.fr', ALERT_EMAIL: 'alerte@exemple.fr' };
  site = await openSite({ env: { ...mails, PUBLIC_URL: 'http://localhost' } });
});
afterAll(async () => {
  await site?.close();
  await receiver?.close();
});

/** Signs an admin in on a device; returns the token and the cookie that the device keeps. */
async function signIn(device = FIREFOX, { who = ADMIN, cookie = '' } = {}) {
  const headers = { 'user-agent': device };
  const answer = await site.call('POST /loginAdmin', { body: who, headers, cookie });
  expect(answer.status).toBe(200);
  const kept = answer.headers.getSetCookie().find((line) => line.startsWith(DEVICE)) ?? '';
  return { token: answer.json.tokenAdmin as string, device: kept.split(';')[0] ?? '', line: kept };
}

const statusWith = async (token: string) => (await site.call('GET /session', { token })).status;
const listOf = async (token: string) => (await site.call('GET /admins/moi/connexions', { token })).json;
const endAll = (token: string, cookie = '') =>
  site.call('DELETE /admins/moi/connexions?sauf=celle-ci', { token, cookie });

/** Adds an admin, who has never signed in. */
async function addAdmin(username: string, email = '') {
  const who = { username, password: 'lanterne-poivron-43' };
  const answer = await site.call('POST /admins', {
    token: await site.tokenOf('admin'),
    body: { ...who, email },
  });
  expect(answer.status).toBe(201);
  return { id: answer.json.id as number, who };
}

/** The mails about new devices that left since the last call. */
async function told() {
  await site.jobs.idle();
  return receiver.received.splice(0).filter(({ mail }) => mail.subject?.startsWith('Nouvelle connexion'));
}

describe('One’s own sign-ins', () => {
  test('are listed with device, network and last use, the one that asks marked; nobody else’s are', async () => {
    const { who } = await addAdmin('liste');
    await signIn(IPHONE);
    const first = await signIn(IPHONE, { who });
    site.advance(10 * MINUTE);
    const { token } = await signIn(FIREFOX, { who });
    const [here, other, ...rest] = await listOf(token);
    expect(rest).toEqual([]);
    const at = site.now().toISOString();
    const known = { reseau: '127.0.0.0', id: expect.any(Number) };
    expect(here).toEqual({
      ...known,
      appareil: 'Firefox sur Windows',
      created_at: at,
      vu_le: at,
      est_celle_ci: true,
    });
    expect(other).toMatchObject({ ...known, appareil: 'Safari sur iPhone', est_celle_ci: false });
    // The use of a session is written beside what it is used for.
    expect(await statusWith(first.token)).toBe(200);
    await expect.poll(async () => (await listOf(token))[0].vu_le).toBe(at);
  });

  test('end one by one and all but this one; another admin’s and those that are over are not found', async () => {
    const { who } = await addAdmin('fin');
    const [here, one, two, three] = [
      await signIn(FIREFOX, { who }),
      await signIn(IPHONE, { who }),
      await signIn(IPHONE, { who }),
      await signIn(IPHONE, { who }),
    ];
    const other = await signIn();
    const end = (id: number, token: string) => site.call(`DELETE /admins/moi/connexions/${id}`, { token });
    const { id } = (await listOf(one.token)).find(
      ({ est_celle_ci }: { est_celle_ci: boolean }) => est_celle_ci,
    );
    expect((await end(id, other.token)).status).toBe(404);
    expect((await end(id, here.token)).status).toBe(200);
    expect((await end(id, here.token)).status).toBe(404);
    expect([await statusWith(one.token), await statusWith(two.token)]).toEqual([401, 200]);
    expect((await site.call('DELETE /admins/moi/connexions', { token: here.token })).status).toBe(422);
    expect((await endAll(here.token)).status).toBe(200);
    const all = [here, two, three, other].map(({ token }) => statusWith(token));
    expect(await Promise.all(all)).toEqual([200, 401, 401, 200]);
  });
});

describe('A change of an account', () => {
  test('of its password, name or address is told to the address that it had', async () => {
    const changes = async () => {
      await site.jobs.idle();
      const mails = receiver.received.splice(0).map(({ to, mail }) => [...to, mail.subject]);
      return mails.filter(([, subject]) => subject?.startsWith('Compte '));
    };
    const { id, who } = await addAdmin('change', 'avant@exemple.fr');
    const put = async (body: object) => {
      const answer = await site.call(`PUT /admins/${id}`, { token: await site.tokenOf('admin'), body });
      expect(answer.status).toBe(200);
    };
    await changes();
    // What is given again as it was is no news.
    await put({ username: 'change', email: 'avant@exemple.fr', droits: ['contenus'] });
    expect(await changes()).toEqual([]);
    await put({ username: 'changé', email: 'apres@exemple.fr', password: 'poivron-lanterne-44' });
    expect(await changes()).toEqual([
      [
        'avant@exemple.fr',
        'Compte change\u202f: nouveau mot de passe, nouvel identifiant, nouvelle adresse e-mail',
      ],
    ]);
    const { token } = await signIn(FIREFOX, {
      who: { ...who, username: 'changé', password: 'poivron-lanterne-44' },
    });
    const own = { ancien: 'poivron-lanterne-44', nouveau: 'poivron-lanterne-45' };
    expect((await site.call('POST /admins/moi/mot-de-passe', { token, body: own })).status).toBe(200);
    expect(await changes()).toEqual([['apres@exemple.fr', 'Compte changé\u202f: nouveau mot de passe']]);
  });
});

describe('A portal that nobody uses', () => {
  test('asks for the password after two hours; one that is used lasts twelve', async () => {
    const { who } = await addAdmin('repos');
    const [idle, used] = [(await signIn(FIREFOX, { who })).token, (await signIn(FIREFOX, { who })).token];
    for (let hours = 1; hours < 12; hours++) {
      site.advance(HOUR);
      expect(await statusWith(used), `after ${hours} h`).toBe(200);
      const end = new Date(site.now().getTime() + Math.min(2, 12 - hours) * HOUR).toISOString();
      await expect
        .poll(async () => (await site.call('GET /session', { token: used })).json.expire_le)
        .toBe(end);
      if (hours === 2) expect(await statusWith(idle)).toBe(401);
    }
    site.advance(HOUR);
    expect(await statusWith(used)).toBe(401);
  });

  test('is one too whose page asks for news by itself', async () => {
    const { who } = await addAdmin('absent');
    const { token } = await signIn(FIREFOX, { who });
    const asks = (headers: Record<string, string>) => site.call('GET /verifyToken', { token, headers });
    for (let hours = 1; hours < 3; hours++) {
      site.advance(HOUR - 1);
      expect((await asks({ [UNATTENDED]: '1' })).status, `after ${hours} h`).toBe(200);
    }
    site.advance(2);
    expect((await asks({ [UNATTENDED]: '1' })).status).toBe(401);
  });

  test('asks for it as soon as staff choose, for those who are signed in as well', async () => {
    const { token } = await signIn();
    const set = (hours: unknown) =>
      site.call('PUT /reglages', { token, body: { portail_inactivite_heures: hours } });
    expect((await set(13)).status).toBe(422);
    expect((await set(0)).status).toBe(422);
    expect((await set(1)).status).toBe(200);
    site.advance(HOUR);
    expect(await statusWith(token)).toBe(401);
    const again = await signIn();
    site.advance(HOUR - 1);
    expect(await statusWith(again.token)).toBe(200);
    const body = { portail_inactivite_heures: 2 };
    expect((await site.call('PUT /reglages', { token: await site.tokenOf('admin'), body })).status).toBe(200);
  });
});

describe('A sign-in on a device that the account does not know', () => {
  test('is told at its own address, once; neither is the first of all, nor one on a known device', async () => {
    await told();
    const { who } = await addAdmin('mail', 'mail@exemple.fr');
    const first = await signIn(FIREFOX, { who });
    expect(await told()).toEqual([]);
    await signIn(FIREFOX, { who, cookie: first.device });
    expect(await told()).toEqual([]);
    const second = await signIn(IPHONE, { who });
    const [mail, ...more] = await told();
    expect(more).toEqual([]);
    expect(mail?.to).toEqual(['mail@exemple.fr']);
    expect(mail?.mail.subject).toBe('Nouvelle connexion au compte mail');
    for (const text of ['Safari sur iPhone', '127.0.0.0', '/portail?panneau=compte'])
      expect(mail?.mail.text).toContain(text);
    for (const cookie of [second.device, first.device]) await signIn(IPHONE, { who, cookie });
    expect(await told()).toEqual([]);
  });

  test('is told to those who run the site when the account has no address, and to a name that is one', async () => {
    const silent = await addAdmin('silencieux');
    const named = await addAdmin('nom@exemple.fr');
    for (const { who } of [silent, named])
      for (const device of [FIREFOX, IPHONE]) await signIn(device, { who });
    expect((await told()).map(({ to }) => to)).toEqual([['alerte@exemple.fr'], ['nom@exemple.fr']]);
  });

  test('is one too with another’s cookie, a made-up one, or a wrong password', async () => {
    const { who } = await addAdmin('voleur', 'voleur@exemple.fr');
    await signIn(FIREFOX, { who });
    const { device } = await signIn();
    await told();
    await signIn(FIREFOX, { who, cookie: device });
    await signIn(FIREFOX, { who, cookie: `${DEVICE}=${'A'.repeat(43)}` });
    await signIn(FIREFOX, { who, cookie: `${DEVICE}=' or 1=1` });
    expect(await told()).toHaveLength(3);
    const body = { ...who, password: 'faux' };
    const refused = await site.call('POST /loginAdmin', { body, cookie: device });
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
    site.advance(15 * MINUTE);
  });

  test('leaves a cookie that scripts cannot read, of which the database has the hash', async () => {
    const { line, device } = await signIn();
    expect(line).toMatch(/^passerelle_appareil=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Expires=/);
    const rows = await site.services.database.db.selectFrom('appareils').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(device.split('=')[1]);
    site.advance(401 * 24 * HOUR);
    await site.schedule.tick();
    expect(await site.services.database.db.selectFrom('appareils').selectAll().execute()).toEqual([]);
  });
});

describe('A device that an account knows', () => {
  const devicesOf = async (token: string, cookie = '') =>
    (await site.call('GET /admins/moi/appareils', { token, cookie })).json;
  const namesOf = async (token: string) =>
    (await devicesOf(token)).map(({ appareil }: { appareil: string }) => appareil);

  /** An account opened on its owner’s computer, then on a thief’s phone, which is told. */
  async function shared(username: string) {
    const { id, who } = await addAdmin(username, `${username}@exemple.fr`);
    const owner = await signIn(FIREFOX, { who });
    site.advance(MINUTE);
    const thief = await signIn(IPHONE, { who });
    await told();
    return { id, who, owner, thief };
  }

  test('is listed with its network and its last sign-in, the one that asks marked; nobody else’s are', async () => {
    const { owner, thief } = await shared('appareils');
    await signIn();
    const [phone, computer, ...rest] = await devicesOf(owner.token, owner.device);
    expect(rest).toEqual([]);
    const known = { reseau: '127.0.0.0', id: expect.stringMatching(/^[\da-f]{64}$/) };
    expect(phone).toEqual({
      ...known,
      appareil: 'Safari sur iPhone',
      vu_le: site.now().toISOString(),
      est_celui_ci: false,
    });
    expect(computer).toMatchObject({ ...known, appareil: 'Firefox sur Windows', est_celui_ci: true });
    expect(JSON.stringify([phone, computer])).not.toContain(thief.device.split('=')[1]);
  });

  test('is forgotten by its owner alone; its next sign-in is told', async () => {
    const { who, owner, thief } = await shared('oubli');
    const other = await signIn();
    await told();
    const [{ id }] = await devicesOf(owner.token);
    const forget = (token: string, device: string) =>
      site.call(`DELETE /admins/moi/appareils/${device}`, { token });
    expect((await forget(other.token, id)).status).toBe(404);
    expect((await forget(owner.token, 'x')).status).toBe(404);
    expect((await forget(owner.token, id)).status).toBe(200);
    expect((await forget(owner.token, id)).status).toBe(404);
    await signIn(IPHONE, { who, cookie: thief.device });
    expect(await told()).toHaveLength(1);
    await signIn(FIREFOX, { who, cookie: owner.device });
    expect(await told()).toEqual([]);
  });

  test('is forgotten by a new password of one’s own, but for the device where it is chosen', async () => {
    const { who, owner, thief } = await shared('change-soi');
    const body = { ancien: who.password, nouveau: 'poivron-lanterne-45' };
    const changed = await site.call('POST /admins/moi/mot-de-passe', {
      token: owner.token,
      cookie: owner.device,
      body,
    });
    expect(changed.status).toBe(200);
    expect(await namesOf(owner.token)).toEqual(['Firefox sur Windows']);
    await told();
    const now = { ...who, password: body.nouveau };
    await signIn(FIREFOX, { who: now, cookie: owner.device });
    expect(await told()).toEqual([]);
    await signIn(IPHONE, { who: now, cookie: thief.device });
    expect(await told()).toHaveLength(1);
  });

  test('is forgotten by a password that somebody else gives, whatever it was', async () => {
    const { id, who, owner } = await shared('change-autre');
    const given = { password: 'poivron-lanterne-46' };
    const staff = await site.tokenOf('admin');
    expect((await site.call(`PUT /admins/${id}`, { token: staff, body: given })).status).toBe(200);
    await told();
    const { token } = await signIn(FIREFOX, { who: { ...who, ...given }, cookie: owner.device });
    expect(await namesOf(token)).toEqual(['Firefox sur Windows']);
    expect(await told()).toHaveLength(1);
  });

  test('is forgotten with the other sign-ins, but for that of the page', async () => {
    const { owner } = await shared('fin-de-tout');
    expect((await endAll(owner.token, owner.device)).status).toBe(200);
    expect(await namesOf(owner.token)).toEqual(['Firefox sur Windows']);
    // One that has no cookie is none of them.
    expect((await endAll(owner.token)).status).toBe(200);
    expect(await namesOf(owner.token)).toEqual([]);
  });
});

describe('The sign-ins of a stay', () => {
  test('are seen and ended by staff, one or all; those of other stays stay', async () => {
    const token = await site.tokenOf('admin');
    const [sea, wood] = [await addStay(site.services, 'La mer'), await addStay(site.services, 'Les bois')];
    const [director, family, other] = [
      await site.tokenOf('director', sea),
      await site.tokenOf('family', sea),
      await site.tokenOf('family', wood),
    ];
    const path = `/stages/${sea}/connexions`;
    const ask = (call: string, options: AskOptions = {}) => site.call(call, { token, ...options });
    const list = (await ask(`GET ${path}`)).json as { id: number; type: string }[];
    expect(list.map(({ type }) => type).sort()).toEqual(['formateur', 'stagiaire']);
    const lost = list.find(({ type }) => type === 'formateur')?.id ?? 0;
    expect((await ask(`DELETE /stages/${wood}/connexions/${lost}`)).status).toBe(404);
    expect((await ask(`DELETE ${path}/${lost}`)).status).toBe(200);
    expect([await statusWith(director), await statusWith(family)]).toEqual([401, 200]);
    expect((await ask(`DELETE ${path}`)).status).toBe(200);
    expect([await statusWith(family), await statusWith(other)]).toEqual([401, 200]);
    expect((await ask(`GET ${path}`)).json).toEqual([]);
    expect((await ask('GET /stages/999999/connexions')).status).toBe(404);
    expect((await ask('DELETE /stages/999999/connexions')).status).toBe(404);
  });
});

test('a device is named by its browser and system', () => {
  const android =
    'Mozilla/5.0 (Linux; Android 15; SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
  const edge =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0';
  expect([FIREFOX, IPHONE, android, edge].map(deviceOf)).toEqual([
    'Firefox sur Windows',
    'Safari sur iPhone',
    'Chrome sur Android',
    'Edge sur Windows',
  ]);
  expect(['curl/8.5.0', '', undefined].map(deviceOf)).toEqual(['', '', '']);
});
