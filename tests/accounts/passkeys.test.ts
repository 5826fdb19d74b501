import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { product } from '#app/server/features.ts';
import { insertPasskey, listPasskeys } from '#features/accounts/server/factorsStore.ts';
import { codeOf } from '#tests/support/authenticator.ts';
import { openDevice } from '#tests/support/passkey.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

const GOOD = 'girafe-boussole-71';
const MINUTE = 60_000;
type Device = ReturnType<typeof openDevice>;

let receiver: Receiver;
let site: TestSite;
let staff: string;
beforeAll(async () => {
  receiver = await openReceiver();
  const mails = { SMTP_URL: receiver.url, MAIL_FROM: 'site@exemple.org', ALERT_EMAIL: 'alerte@exemple.org' };
  const env = { PUBLIC_URL: 'https://cse.exemple.org', ORGANISATION_NAME: 'Horizon', ...mails };
  site = await openSite({ env });
});
afterAll(async () => {
  await site?.close();
  await receiver?.close();
});
beforeEach(async () => {
  site.advance(15 * MINUTE);
  staff = await site.tokenOf('admin');
});

const newDevice = () => openDevice(site.services.publicUrl);
const statesOf = async (token: string) => (await site.call('GET /admins/moi/second-facteur', { token })).json;
const isLive = async (token: string) => (await site.call('GET /session', { token })).status === 200;
const signIn = (username: string, code?: string) =>
  site.call('POST /loginAdmin', { body: { username, password: GOOD, code } });

async function create(username: string): Promise<{ id: number; token: string }> {
  const { json } = await site.call('POST /admins', { token: staff, body: { username, password: GOOD } });
  return { id: json.id, token: (await signIn(username)).json.tokenAdmin };
}

const askToMake = async (token: string) =>
  (await site.call('POST /admins/moi/cles-acces/defi', { token })).json;
async function add(token: string, device: Device, fault: Parameters<Device['make']>[1] = {}) {
  const { options, jeton } = await askToMake(token);
  const body = { jeton, reponse: device.make(options, fault), nom: 'Bureau' };
  return site.call('POST /admins/moi/cles-acces', { token, body });
}
async function remove(token: string, at = 0) {
  const { id } = (await statesOf(token)).cles[at];
  return site.call(`DELETE /admins/moi/cles-acces/${id}`, { token });
}

/** A signed challenge, made after the last one. */
async function signed(device: Device, fault: Parameters<Device['sign']>[1] = {}) {
  site.advance(1000);
  const { options, jeton } = (await site.call('POST /cles-acces/defi')).json;
  return { jeton, reponse: device.sign(options, fault) };
}
const open = async (body: object) => site.call('POST /loginAdmin/cle-acces', { body });

/** A new admin with a passkey alone, and the recovery codes that it gave. */
async function equipped(username: string) {
  const { id, token } = await create(username);
  const device = newDevice();
  const { codes_secours: codes } = (await add(token, device)).json;
  return { id, token, device, codes: codes as string[] };
}

async function actionsOn(id: number): Promise<string[]> {
  const lines = await site.services.database.db
    .selectFrom('journal')
    .select('action')
    .where('objet', '=', 'admins')
    .where('objet_id', '=', id)
    .orderBy('id')
    .execute();
  return lines.map(({ action }) => action);
}

describe('Adding a passkey', () => {
  test('asks the device for its owner, and for a passkey that it has none of yet', async () => {
    const { token, device } = await equipped('Agnès');
    const { options } = await askToMake(token);
    expect(options).toMatchObject({
      rp: { id: 'cse.exemple.org', name: 'Horizon' },
      user: { name: 'Agnès' },
      attestation: 'none',
      excludeCredentials: [{ id: device.id, type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  test('gives ten recovery codes once, ends the other sign-ins, and opens the account without a password', async () => {
    const { id, token } = await create('Boris');
    const other = (await signIn('Boris')).json.tokenAdmin;
    const device = newDevice();
    const first = await add(token, device);
    expect([first.status, new Set(first.json.codes_secours).size]).toEqual([201, 10]);
    expect([await isLive(token), await isLive(other)]).toEqual([true, false]);
    expect((await add(token, newDevice())).json.codes_secours).toEqual([]);
    const answer = await open(await signed(device));
    expect(answer.status, answer.text).toBe(200);
    const { json } = await site.call('GET /verifyToken', { token: answer.json.tokenAdmin });
    expect(json.username).toBe('Boris');
    expect(await statesOf(token)).toMatchObject({
      ...{ actif_le: null, codes_restants: 10, exige_avant: null },
      cles: [
        { nom: 'Bureau', vu_le: site.now().toISOString() },
        { nom: 'Bureau', vu_le: null },
      ],
    });
    expect(await actionsOn(id)).toEqual(
      expect.arrayContaining(['ajout d’une clé d’accès', 'connexion au portail avec une clé d’accès']),
    );
  });

  test('by another way than the site’s is named by the doctor', async () => {
    const { id, token } = await create('Chloé');
    await add(token, newDevice());
    const { database } = site.services;
    const said = async () => {
      const check = product.checks(site.services).find(({ key }) => key === 'comptes');
      return JSON.stringify(await check?.operator?.(false));
    };
    expect(await said()).not.toContain('Chloé');
    const [genuine] = await listPasskeys(database.db, id);
    if (!genuine) throw new Error('no passkey');
    const { id: _, ...values } = genuine;
    // A second one of the same instant, and one that bears an old date.
    const forged = ['2020-01-01T00:00:00.000Z', genuine.created_at];
    for (const [index, created_at] of forged.entries()) {
      const identifiant = `forgée-${index}`;
      await database.write((db) => insertPasskey(db, { ...values, identifiant, created_at }));
      expect(await said()).toContain('une clé d’accès de Chloé');
      await database.write((db) =>
        db.deleteFrom('cles_acces').where('identifiant', '=', identifiant).execute(),
      );
      expect(await said()).not.toContain('Chloé');
    }
  });

  test('is told by mail to the account’s owner, else to who runs the site, as is every change of what opens it', async () => {
    const { id, token } = await create('Béa');
    const told = async () => {
      await site.jobs.idle();
      const mails = receiver.received.splice(0).map(({ to, mail }) => [to[0], mail.subject]);
      return mails.filter(([, subject]) => subject?.startsWith('Compte Béa'));
    };
    await told();
    await add(token, newDevice());
    expect(await told()).toEqual([['alerte@exemple.org', 'Compte Béa\u202f: ajout d’une clé d’accès']]);
    await site.call(`PUT /admins/${id}`, { token: staff, body: { email: 'bea@exemple.org' } });
    await site.call('POST /admins/moi/codes-secours', { token });
    await remove(token);
    expect(await told()).toEqual([
      ['alerte@exemple.org', 'Compte Béa\u202f: nouvelle adresse e-mail'],
      ['bea@exemple.org', 'Compte Béa\u202f: nouveaux codes de secours'],
      ['bea@exemple.org', 'Compte Béa\u202f: suppression d’une clé d’accès'],
    ]);
    // What was refused is not told.
    expect((await site.call('POST /admins/moi/codes-secours', { token })).status).toBe(409);
    expect(await told()).toEqual([]);
  });

  test('refuses what was not made here, by the owner of the device, for this account and now', async () => {
    const { token } = await create('Carla');
    const stranger = (await create('Colin')).token;
    for (const fault of [
      { origin: 'https://cse.exemple.net' },
      { rpId: 'exemple.org' },
      { isUnverified: true },
      { challenge: 'AAAA' },
    ])
      expect((await add(token, newDevice(), fault)).status, JSON.stringify(fault)).toBe(422);
    const { options, jeton } = await askToMake(token);
    const body = { jeton, reponse: newDevice().make(options), nom: 'Bureau' };
    const ask = (by: string, change = {}) =>
      site.call('POST /admins/moi/cles-acces', { token: by, body: { ...body, ...change } });
    expect((await ask(stranger)).status).toBe(422);
    expect((await ask(token, { nom: ' ' })).status).toBe(422);
    expect((await ask(token, { jeton: `${jeton.slice(0, -2)}AA` })).status).toBe(422);
    site.advance(6 * MINUTE);
    expect((await ask(token)).status).toBe(422);
    expect((await statesOf(token)).cles).toEqual([]);
  });

  test('takes what one challenge made once, in however many tabs, and after it was taken away too', async () => {
    const { token } = await create('Dalila');
    const { options, jeton } = await askToMake(token);
    const end = () => {
      const body = { jeton, reponse: newDevice().make(options), nom: 'Bureau' };
      return site.call('POST /admins/moi/cles-acces', { token, body });
    };
    const both = await Promise.all([end(), end()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await end()).status).toBe(422);
    expect((await remove(token)).status).toBe(200);
    expect((await end()).status).toBe(422);
    expect((await statesOf(token)).cles).toEqual([]);
  });

  test('ends under a fresh proof, as it begins', async () => {
    const { token, device } = await equipped('Damien');
    site.advance(9 * MINUTE);
    const { options, jeton } = await askToMake(token);
    site.advance(2 * MINUTE);
    const body = { jeton, reponse: newDevice().make(options), nom: 'Bureau' };
    const end = () => site.call('POST /admins/moi/cles-acces', { token, body });
    const refused = await end();
    expect([refused.status, refused.json.etape]).toEqual([403, 'preuve']);
    await site.call('POST /admins/moi/preuve/cle-acces', { token, body: await signed(device) });
    expect((await end()).status).toBe(201);
  });

  test('takes a passkey once, for one account, and twenty an account', async () => {
    const { token, device } = await equipped('Denis');
    expect((await add(token, device)).status).toBe(409);
    expect((await add((await create('Dina')).token, device)).status).toBe(409);
    for (let count = 1; count < 20; count++) expect((await add(token, newDevice())).status).toBe(201);
    expect((await site.call('POST /admins/moi/cles-acces/defi', { token })).status).toBe(409);
  });
});

describe('Signing in with a passkey', () => {
  test('is refused to whoever copies, forges or replays what a device signed', async () => {
    const { device } = await equipped('Emma');
    for (const fault of [
      { origin: 'https://cse.exemple.net' },
      { rpId: 'exemple.org' },
      { isUnverified: true },
      { challenge: 'AAAA' },
      { isForged: true },
      { id: 'AAAA' },
    ]) {
      const answer = await open(await signed(device, fault));
      expect([answer.status, answer.json.tokenAdmin], JSON.stringify(fault)).toEqual([401, undefined]);
    }
    const body = await signed(device);
    const both = await Promise.all([open(body), open(body)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await open(body)).status).toBe(422);
    const late = await signed(device);
    site.advance(6 * MINUTE);
    expect((await open(late)).status).toBe(422);
  });

  test('uses its challenge up for every other passkey', async () => {
    const { device } = await equipped('Elsa');
    const { device: other } = await equipped('Éloi');
    const { options, jeton } = (await site.call('POST /cles-acces/defi')).json;
    expect((await open({ jeton, reponse: device.sign(options) })).status).toBe(200);
    expect((await open({ jeton, reponse: other.sign(options) })).status).toBe(422);
    // Neither a later one changes it, nor a clock that was set back.
    expect((await open(await signed(device))).status).toBe(200);
    expect((await open({ jeton, reponse: other.sign(options) })).status).toBe(422);
    site.advance(61 * MINUTE);
    await site.schedule.tick();
    site.advance(-61 * MINUTE);
    expect((await open({ jeton, reponse: other.sign(options) })).status).toBe(422);
  });

  test('is refused a challenge that is yet to be made, as after a clock that was set back', async () => {
    const { device } = await equipped('Enzo');
    const ahead = await signed(device);
    site.advance(-MINUTE);
    expect((await open(ahead)).status).toBe(422);
    site.advance(MINUTE);
    expect((await open(ahead)).status).toBe(200);
  });

  test('is refused to a copy of a device that counts', async () => {
    const { device } = await equipped('Farid');
    expect((await open(await signed(device, { counter: 7 }))).status).toBe(200);
    expect((await open(await signed(device, { counter: 7 }))).status).toBe(401);
    expect((await open(await signed(device, { counter: 8 }))).status).toBe(200);
  });

  test('does not open what was made to add one, nor the account of somebody else than was signed in', async () => {
    const { token, device } = await equipped('Gaby');
    const made = await askToMake(token);
    expect((await open({ jeton: made.jeton, reponse: device.sign(made.options) })).status).toBe(422);
    expect((await open({ ...(await signed(device)), username: 'Hugo' })).status).toBe(401);
    expect((await open({ ...(await signed(device)), username: 'gaby' })).status).toBe(200);
  });

  test('takes the place of the password alone, which then wants a recovery code', async () => {
    const { codes } = await equipped('Inès');
    const asked = await signIn('Inès');
    expect([asked.status, asked.json.etape, asked.json.tokenAdmin]).toEqual([401, 'secours', undefined]);
    expect((await signIn('Inès', '000000')).status).toBe(401);
    expect((await signIn('Inès', codes[0])).status).toBe(200);
    expect((await signIn('Inès', codes[0])).status).toBe(401);
  });

  test('is limited by address', async () => {
    const { device } = await equipped('Jules');
    for (let count = 0; count < 60; count++) await open(await signed(device, { isForged: true }));
    expect((await open(await signed(device))).status).toBe(429);
  });
});

describe('A proof by a passkey', () => {
  test('is taken from one’s own alone', async () => {
    const { token, device } = await equipped('Karim');
    const { device: foreign } = await equipped('Lou');
    site.advance(11 * MINUTE);
    const wanted = () => site.call('POST /admins/moi/codes-secours', { token });
    expect((await wanted()).json.etape).toBe('preuve');
    const prove = (body: object) => site.call('POST /admins/moi/preuve/cle-acces', { token, body });
    expect((await prove(await signed(foreign))).status).toBe(422);
    expect((await prove(await signed(device, { isForged: true }))).status).toBe(422);
    expect((await wanted()).status).toBe(403);
    expect((await prove(await signed(device))).status).toBe(200);
    expect((await wanted()).status).toBe(200);
  });
});

test('A proof that is yet to be given, as after a clock that was set back, counts for nothing', async () => {
  const { token } = await create('Kenza');
  const renew = () => site.call('POST /admins/moi/cles-acces/defi', { token });
  site.advance(-MINUTE);
  expect((await renew()).json.etape).toBe('preuve');
  site.advance(MINUTE);
  expect((await renew()).status).toBe(200);
});

describe('Taking a passkey away', () => {
  test('leaves the password alone once it was the last, and the codes go with it', async () => {
    const { id, token, device, codes } = await equipped('Maud');
    await add(token, newDevice());
    expect((await remove(token)).status).toBe(200);
    expect((await statesOf(token)).codes_restants).toBe(10);
    expect((await open(await signed(device))).status).toBe(401);
    expect((await remove(token)).status).toBe(200);
    expect(await statesOf(token)).toMatchObject({ cles: [], codes_restants: 0 });
    expect((await signIn('Maud', codes[1])).status).toBe(200);
    expect((await site.call('POST /admins/moi/codes-secours', { token })).status).toBe(409);
    expect(await actionsOn(id)).toContain('suppression d’une clé d’accès');
  });

  test('of somebody else is a 404; with an application in place its codes stay', async () => {
    const { token } = await equipped('Noé');
    const { token: other } = await create('Olga');
    const [{ id }] = (await statesOf(token)).cles;
    expect((await site.call(`DELETE /admins/moi/cles-acces/${id}`, { token: other })).status).toBe(404);
    const begun = await site.call('POST /admins/moi/second-facteur', { token, body: { mot_de_passe: GOOD } });
    const code = codeOf(begun.json.secret, site.now());
    const { json } = await site.call('POST /admins/moi/second-facteur/confirmation', {
      token,
      body: { code },
    });
    await remove(token);
    expect((await statesOf(token)).codes_restants).toBe(10);
    expect((await signIn('Noé')).json.etape).toBe('code');
    expect((await signIn('Noé', json.codes_secours[0])).status).toBe(200);
  });
});

describe('A second factor for all', () => {
  const setRule = (second_facteur: string) =>
    site.call('PUT /reglages', { token: staff, body: { second_facteur } });
  const DAY = 24 * 60 * MINUTE;
  const deadlineOf = async (token: string) =>
    (await site.call('GET /verifyToken', { token })).json.facteur_avant;
  const rightsOf = async (token: string) => (await site.call('GET /session', { token })).json.droits.length;

  test('gives seven days, then leaves an account without rights until it has one', async () => {
    const { token: ready, device } = await equipped('Paul');
    const { token } = await create('Rita');
    expect((await setRule('parfois')).status).toBe(422);
    expect((await setRule('obligatoire')).status).toBe(200);
    const until = new Date(site.now().getTime() + 7 * DAY).toISOString();
    expect([await deadlineOf(token), await deadlineOf(ready)]).toEqual([until, null]);
    const listed = (await site.call('GET /admins', { token: staff })).json;
    const dates = ['Paul', 'Rita'].map(
      (name) => listed.find(({ username }: { username: string }) => username === name).facteur_avant,
    );
    expect(dates).toEqual([null, until]);
    site.advance(DAY);
    staff = await site.tokenOf('admin');
    await setRule('obligatoire');
    const late = (await create('Sam')).token;
    expect(await deadlineOf(late)).toBe(new Date(site.now().getTime() + 7 * DAY).toISOString());

    site.advance(6 * DAY - 1000);
    const rita = (await signIn('Rita')).json.tokenAdmin;
    expect([await deadlineOf(rita), await rightsOf(rita)]).toEqual([until, 4]);
    site.advance(1000);
    expect(await rightsOf(rita)).toBe(0);
    const refused = await site.call('GET /admins', { token: rita });
    expect([refused.status, refused.json.message]).toEqual([
      403,
      'Votre compte attend une clé d’accès ou une connexion en deux étapes\u202f: mettez-la en place dans «\u00a0Mon compte\u00a0».',
    ]);
    expect((await site.call('GET /stages-suivi', { token: rita })).status).toBe(403);
    const paul = (await open(await signed(device))).json.tokenAdmin;
    expect(await rightsOf(paul)).toBe(4);

    expect((await add(rita, newDevice())).status).toBe(201);
    expect([await deadlineOf(rita), await rightsOf(rita)]).toEqual([null, 4]);
    const kept = await remove(rita);
    expect([kept.status, (await statesOf(rita)).cles.length]).toEqual([409, 1]);
    await add(rita, newDevice());
    expect((await remove(rita)).status).toBe(200);

    const sam = (await signIn('Sam')).json.tokenAdmin;
    site.advance(2 * DAY);
    expect(await rightsOf((await signIn('Sam')).json.tokenAdmin)).toBe(0);
    expect(sam).toBeTruthy();
    staff = (await open(await signed(device))).json.tokenAdmin;
    expect((await setRule('au_choix')).status).toBe(200);
    expect(await rightsOf((await signIn('Sam')).json.tokenAdmin)).toBe(4);
    expect((await remove((await open(await signed(device))).json.tokenAdmin)).status).toBe(200);
  });
});
