import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf } from '#tests/support/authenticator.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { killAll, newPlace, type Place, start, stop } from '#tests/support/process.ts';
import { readQr } from '#tests/support/qr.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';
import { builtCommand } from '#tools/build.mjs';

const GOOD = 'girafe-boussole-71';
const STEP = 30_000;
/** What an account has that is let in by its password alone. */
const NONE = { actif_le: null, codes_restants: 0, cles: [], exige_avant: null };
const WRONG = { message: 'Ce code est incorrect, périmé ou déjà utilisé.', etape: 'code' };

let site: TestSite;
let staff: string;
beforeAll(async () => {
  site = await openSite({ env: { TRUST_PROXY: '1', ORGANISATION_NAME: 'Horizon: des Alpes' } });
});
afterAll(() => site?.close());
beforeEach(async () => {
  // Past the window of the limits.
  site.advance(15 * 60_000);
  staff = await site.tokenOf('admin');
});

async function create(username: string): Promise<number> {
  const answer = await site.call('POST /admins', { token: staff, body: { username, password: GOOD } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

function signIn(username: string, code?: string, password = GOOD, from = '203.0.113.77'): Promise<Answer> {
  const headers = { 'x-forwarded-for': from };
  return site.call('POST /loginAdmin', { body: { username, password, code }, headers });
}

async function tokenFor(username: string, code?: string): Promise<string> {
  const answer = await signIn(username, code);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.tokenAdmin;
}

const begin = (token: string, mot_de_passe = GOOD) =>
  site.call('POST /admins/moi/second-facteur', { token, body: { mot_de_passe } });
const confirm = (token: string, code: string) =>
  site.call('POST /admins/moi/second-facteur/confirmation', { token, body: { code } });
const stopOf = (token: string, mot_de_passe = GOOD) =>
  site.call('POST /admins/moi/second-facteur/arret', { token, body: { mot_de_passe } });
const stateOf = async (token: string) => (await site.call('GET /admins/moi/second-facteur', { token })).json;
const isLive = async (token: string) => (await site.call('GET /session', { token })).status === 200;

/** A new admin with a second factor, whose application shows `show()`; the code that set it up is used. */
async function equipped(username: string) {
  const id = await create(username);
  const token = await tokenFor(username);
  const { secret } = (await begin(token)).json;
  const show = (aside = 0) => codeOf(secret, new Date(site.now().getTime() + aside * STEP));
  const { codes_secours: codes } = (await confirm(token, show())).json;
  site.advance(STEP);
  return { id, token, secret, show, codes: codes as string[] };
}

async function actionsOn(id: number): Promise<string[]> {
  const { db } = site.services.database;
  const lines = await db
    .selectFrom('journal')
    .select('action')
    .where('objet', '=', 'admins')
    .where('objet_id', '=', id)
    .orderBy('id')
    .execute();
  return lines.map(({ action }) => action);
}

describe('Switching it on', () => {
  test('shows a secret as text and as a QR code, and changes nothing before a first code has come', async () => {
    await create('Agnès');
    const token = await tokenFor('Agnès');
    expect(await stateOf(token)).toEqual(NONE);
    const { secret, qr } = (await begin(token)).json;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(await readQr(qr)).toBe(
      `otpauth://totp/Horizon%20%20des%20Alpes:Agn%C3%A8s?secret=${secret}&issuer=Horizon%20%20des%20Alpes`,
    );
    expect(await stateOf(token)).toEqual(NONE);
    expect((await signIn('Agnès')).status).toBe(200);
  });

  test('asks for the password, then for a code; tells ten codes once and ends the other sign-ins', async () => {
    const id = await create('Boris');
    const [token, other] = [await tokenFor('Boris'), await tokenFor('Boris')];
    const refused = await begin(token, 'pas-le-bon-du-tout');
    expect([refused.status, Object.keys(refused.json.champs)]).toEqual([422, ['mot_de_passe']]);
    const { secret } = (await begin(token)).json;
    for (const code of ['000000', '', '12345', 'ABCD-EFGH-JKLM', codeOf(secret, new Date(0))]) {
      const answer = await confirm(token, code);
      expect([answer.status, Object.keys(answer.json.champs)], code).toEqual([422, ['code']]);
    }
    expect((await signIn('Boris')).status).toBe(200);
    const answer = await confirm(token, codeOf(secret, site.now()));
    expect(answer.status, answer.text).toBe(200);
    expect(new Set(answer.json.codes_secours).size).toBe(10);
    for (const code of answer.json.codes_secours) expect(code).toMatch(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){2}$/);
    expect(await stateOf(token)).toEqual({ ...NONE, actif_le: site.now().toISOString(), codes_restants: 10 });
    expect([await isLive(token), await isLive(other)]).toEqual([true, false]);
    expect(await actionsOn(id)).toContain('mise en place de la connexion en deux étapes');
  });

  test('begun anew, only the last secret counts; in place, it is a 409', async () => {
    await create('Carla');
    const token = await tokenFor('Carla');
    const first = (await begin(token)).json.secret;
    const second = (await begin(token)).json.secret;
    expect((await confirm(token, codeOf(first, site.now()))).status).toBe(422);
    expect((await confirm(token, codeOf(second, site.now()))).status).toBe(200);
    expect((await begin(token)).status).toBe(409);
    expect((await confirm(token, codeOf(second, site.now()))).status).toBe(409);
  });

  test('confirmed twice at once, it tells one set of codes', async () => {
    await create('Denis');
    const token = await tokenFor('Denis');
    const { secret } = (await begin(token)).json;
    const both = await Promise.all([1, 2].map(() => confirm(token, codeOf(secret, site.now()))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await stateOf(token)).codes_restants).toBe(10);
  });

  test('is for one’s own account: without a beginning there is nothing to confirm', async () => {
    await create('Édith');
    expect((await confirm(await tokenFor('Édith'), '000000')).status).toBe(409);
  });
});

describe('Signing in with it', () => {
  test('asks for a code once the password is right, and gives no token before', async () => {
    const { show } = await equipped('Fanny');
    const asked = await signIn('Fanny');
    expect([asked.status, asked.json]).toEqual([
      401,
      { message: 'Donnez aussi le code que votre application montre.', etape: 'code' },
    ]);
    expect(asked.headers.getSetCookie()).toEqual([]);
    const opened = await signIn('Fanny', show());
    expect(opened.status, opened.text).toBe(200);
    expect(await isLive(opened.json.tokenAdmin)).toBe(true);
    // That of the session, and that of the device.
    expect(opened.headers.getSetCookie()).toHaveLength(2);
  });

  test('a wrong password hears nothing of codes, with or without a right one', async () => {
    const { show } = await equipped('Gaston');
    const nobody = await signIn('Personne', show());
    for (const code of [undefined, '', show(), '000000']) {
      const answer = await signIn('Gaston', code, 'pas-le-bon-du-tout');
      expect([answer.status, answer.text]).toEqual([401, nobody.text]);
    }
    expect((await signIn('Gaston', show())).status).toBe(200);
  });

  test('an account without it takes no notice of a code', async () => {
    await create('Hélène');
    expect((await signIn('Hélène', '000000')).status).toBe(200);
  });

  test('takes a code once, in its own thirty seconds or the next to them, and never an older one after it', async () => {
    const { show } = await equipped('Igor');
    const refused = async (code: string) => {
      const answer = await signIn('Igor', code);
      expect([answer.status, answer.json]).toEqual([401, WRONG]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    };
    await refused(show(-2));
    await refused(show(2));
    await refused('000000');
    // It was used to set this up.
    await refused(show(-1));
    const early = show(1);
    const present = show();
    expect((await signIn('Igor', early)).status).toBe(200);
    await refused(early);
    await refused(present);
    site.advance(2 * STEP);
    await refused(early);
    expect((await signIn('Igor', ` ${show().slice(0, 3)} ${show().slice(3)} `)).status).toBe(200);
  });

  test('takes one code once of those sent at the same time', async () => {
    const { show, codes } = await equipped('Jeanne');
    for (const code of [show(), codes[0]]) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => signIn('Jeanne', code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    }
  });

  test('takes each recovery code once, however it is typed, and counts those that are left', async () => {
    const { token, codes, id } = await equipped('Karim');
    const [first = '', second = ''] = codes;
    expect((await signIn('Karim', first)).status).toBe(200);
    expect((await signIn('Karim', first)).json).toEqual(WRONG);
    expect((await signIn('Karim', second.replaceAll('-', ' ').toLowerCase())).status).toBe(200);
    expect((await stateOf(token)).codes_restants).toBe(8);
    const actions = (await actionsOn(id)).slice(-3);
    expect(actions).toEqual([
      'connexion au portail avec un code de secours',
      'code de connexion refusé',
      'connexion au portail avec un code de secours',
    ]);
  });

  test('takes nobody else’s codes', async () => {
    const { codes, show } = await equipped('Léa');
    await equipped('Marius');
    for (const code of [codes[0], show()]) expect((await signIn('Marius', code)).json).toEqual(WRONG);
  });

  test('hears ten codes an account in ten minutes, from wherever they come', async () => {
    const { show } = await equipped('Noé');
    // The windows are of the clock: at the start of one.
    site.advance(600_000 - (site.now().getTime() % 600_000));
    const from = (turn: number) => `198.51.${turn}.7`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => signIn('Noé', '000000', GOOD, from(turn))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await signIn('Noé', show(), GOOD, from(99))).status).toBe(429);
    // Who does not know the password neither hears of it nor counts.
    expect((await signIn('Noé', show(), 'pas-le-bon-du-tout', from(98))).status).toBe(401);
    expect((await signIn('Alice', undefined, ADMIN.password)).status).toBe(200);
    site.advance(600_000);
    expect((await signIn('Noé', show())).status).toBe(200);
  });

  test('opens nothing for whoever is deleted meanwhile, and leaves nothing of them', async () => {
    const { id, show } = await equipped('Olga');
    const [deleted, answer] = await Promise.all([
      site.call(`DELETE /admins/${id}`, { token: staff }),
      signIn('Olga', show()),
    ]);
    expect(deleted.status).toBe(200);
    if (answer.status === 200) expect(await isLive(answer.json.tokenAdmin)).toBe(false);
    else expect(answer.status).toBe(401);
    const { db } = site.services.database;
    for (const table of ['seconds_facteurs', 'codes_secours'] as const) {
      const rows = await db.selectFrom(table).selectAll().where('admin_id', '=', id).execute();
      expect(rows).toEqual([]);
    }
  });
});

describe('It stays', () => {
  test('through a new name and new passwords, one’s own or given by somebody else', async () => {
    const { id, token, show } = await equipped('Paule');
    const change = { ancien: GOOD, nouveau: 'loutre-cerise-88' };
    const changed = await site.call('POST /admins/moi/mot-de-passe', { token, body: change });
    expect(changed.status).toBe(200);
    expect((await signIn('Paule', undefined, 'loutre-cerise-88')).json.etape).toBe('code');
    const body = { username: 'Paulette', password: GOOD };
    expect((await site.call(`PUT /admins/${id}`, { token: staff, body })).status).toBe(200);
    expect((await signIn('Paulette')).json.etape).toBe('code');
    expect((await signIn('Paulette', show())).status).toBe(200);
  });
});

describe('Proving again who one is', () => {
  const OLD = 10 * 60_000;
  const prove = (token: string, body: object) => site.call('POST /admins/moi/preuve', { token, body });
  const isFresh = async (token: string) => (await site.call('GET /journal/jsonl', { token })).status === 200;

  test('takes the password, and a code where the account has one, each code once', async () => {
    const { id, token, show, codes } = await equipped('Tania');
    site.advance(OLD);
    const refused = await site.call('POST /admins', { token, body: { username: 'Voleur', password: GOOD } });
    expect([refused.status, refused.json.etape]).toEqual([403, 'preuve']);
    // A thief of the open session who knows the password goes no further than a sign-in would let them.
    const half = await prove(token, { password: GOOD });
    expect([half.status, half.json.etape]).toEqual([422, 'code']);
    const wrong = await prove(token, { password: GOOD, code: '000000' });
    expect([wrong.status, wrong.json]).toEqual([422, WRONG]);
    expect(await isFresh(token)).toBe(false);
    const code = show();
    expect((await prove(token, { password: GOOD, code })).status).toBe(200);
    expect(await isFresh(token)).toBe(true);
    expect(await isLive(token)).toBe(true);
    site.advance(OLD);
    expect((await prove(token, { password: GOOD, code })).json).toEqual(WRONG);
    expect((await prove(token, { password: GOOD, code: codes[3] })).status).toBe(200);
    expect(await isFresh(token)).toBe(true);
    expect((await prove(token, { password: GOOD, code: codes[3] })).json).toEqual(WRONG);
    const actions = await actionsOn(id);
    expect(actions).toContain('code de connexion refusé');
    expect(actions.slice(-3)).toEqual([
      'code de connexion refusé',
      'identité confirmée avec un code de secours',
      'code de connexion refusé',
    ]);
  });

  test('a wrong password neither counts nor ends the session, and is slowed down like a sign-in', async () => {
    await create('Ugo');
    const token = await tokenFor('Ugo');
    site.advance(OLD);
    for (let tries = 0; tries < 6; tries++) {
      const answer = await prove(token, { password: 'pas-le-bon-du-tout' });
      expect([answer.status, Object.keys(answer.json.champs)]).toEqual([422, ['password']]);
    }
    expect((await prove(token, { password: GOOD })).status).toBe(429);
    expect([await isLive(token), await isFresh(token)]).toEqual([true, false]);
    site.advance(1_000);
    expect((await prove(token, { password: GOOD })).status).toBe(200);
    expect(await isFresh(token)).toBe(true);
  });

  test('passwords are counted for the account, whatever address they come from', async () => {
    await create('Wanda');
    const token = await tokenFor('Wanda');
    const guess = (tries: number, password: string) => {
      const headers = { 'x-forwarded-for': `203.0.113.${tries}` };
      return site.call('POST /admins/moi/preuve', { token, body: { password }, headers });
    };
    for (let tries = 0; tries < 20; tries++)
      expect((await guess(tries, 'pas-le-bon-du-tout')).status, String(tries)).toBe(422);
    expect((await guess(20, GOOD)).status).toBe(429);
    // Whoever is kept waiting by a thief signs in anew.
    expect(await isFresh(await tokenFor('Wanda'))).toBe(true);
  });

  test('codes are counted with those of sign-ins, whatever address they come from', async () => {
    const { token, show } = await equipped('Violette');
    for (let tries = 0; tries < 10; tries++) {
      const headers = { 'x-forwarded-for': `203.0.113.${tries}` };
      const body = { password: GOOD, code: '000000' };
      const answer = await site.call('POST /admins/moi/preuve', { token, body, headers });
      expect(answer.json, String(tries)).toEqual(WRONG);
    }
    expect((await prove(token, { password: GOOD, code: show() })).status).toBe(429);
    expect((await signIn('Violette', show())).status).toBe(429);
  });
});

describe('Switching it off', () => {
  test('asks for the password; then that alone opens, and the codes are gone', async () => {
    const { id, token, show, codes } = await equipped('Quiterie');
    const refused = await stopOf(token, 'pas-le-bon-du-tout');
    expect([refused.status, Object.keys(refused.json.champs)]).toEqual([422, ['mot_de_passe']]);
    const elsewhere = await tokenFor('Quiterie', show());
    expect((await stopOf(token)).status).toBe(200);
    // Whoever is signed in elsewhere signs in anew.
    expect([await isLive(elsewhere), await isLive(token)]).toEqual([false, true]);
    expect((await signIn('Quiterie')).status).toBe(200);
    expect(await stateOf(token)).toEqual(NONE);
    // A second time it changes nothing, and says no more in the journal.
    expect((await stopOf(token)).status).toBe(200);
    const ends = (await actionsOn(id)).filter((action) => action.startsWith('arrêt'));
    expect(ends).toEqual(['arrêt de la connexion en deux étapes']);
    const { secret } = (await begin(token)).json;
    expect((await confirm(token, codeOf(secret, site.now()))).status).toBe(200);
    expect((await signIn('Quiterie', codes[5])).json).toEqual(WRONG);
  });
});

test('neither secrets nor codes are in answers to others, in the logs or in the database', async () => {
  const { secret, codes, show } = await equipped('Rita');
  const code = show();
  await signIn('Rita', code);
  const { db } = site.services.database;
  const tables = ['admins', 'seconds_facteurs', 'codes_secours', 'journal', 'tentatives'] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  const others = await Promise.all(
    ['GET /admins', 'GET /journal', 'GET /admins/moi/second-facteur'].map(
      async (what) => (await site.call(what, { token: staff })).text,
    ),
  );
  const held = [JSON.stringify(rows), site.logLines.join(''), ...others].join('\n');
  expect(held).toContain('Rita');
  expect([secret, ...codes].filter((one) => held.includes(one))).toEqual([]);
});

describe('On the machine', () => {
  let place: Place;
  beforeAll(async () => {
    place = await newPlace();
  });
  afterAll(async () => {
    killAll();
    await place?.clean();
  });

  const run = async (...words: string[]) => {
    const env = { PATH: process.env.PATH, ...place.env };
    return (await promisify(execFile)(process.execPath, [builtCommand('admin'), ...words], { env })).stdout;
  };

  async function at(url: string, key: string, body?: unknown, token?: string) {
    const response = await fetch(`${url}/api/api${key}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
    return { status: response.status, json: (await response.json()) as any };
  }

  /** Gives the first admin a second factor, without keeping the secret. */
  async function equip(url: string): Promise<void> {
    const { tokenAdmin } = (await at(url, '/loginAdmin', ADMIN)).json;
    const mine = '/admins/moi/second-facteur';
    const { secret } = (await at(url, mine, { mot_de_passe: ADMIN.password }, tokenAdmin)).json;
    const code = codeOf(secret, new Date());
    expect((await at(url, `${mine}/confirmation`, { code }, tokenAdmin)).status).toBe(200);
    expect((await at(url, '/loginAdmin', ADMIN)).status).toBe(401);
  }

  test('the operator takes it from an admin who lost it, and it goes with a lost key', async () => {
    const server = await start(place);
    await equip(server.url);
    expect(await run('sans-second-facteur', ADMIN.username)).toContain('avec son seul mot de passe');
    expect(await run('sans-second-facteur', ADMIN.username)).toContain('déjà avec son seul mot de passe');
    expect((await at(server.url, '/loginAdmin', ADMIN)).status).toBe(200);
    await expect(run('sans-second-facteur', 'Personne')).rejects.toThrow('Aucun administrateur');
    // Where one is compulsory, whoever it is taken from has seven days.
    const { tokenAdmin } = (await at(server.url, '/loginAdmin', ADMIN)).json;
    const put = await fetch(`${server.url}/api/api/reglages`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokenAdmin}` },
      body: JSON.stringify({ second_facteur: 'obligatoire' }),
    });
    expect(put.status).toBe(200);
    await equip(server.url);
    await run('sans-second-facteur', ADMIN.username);
    const again = (await at(server.url, '/loginAdmin', ADMIN)).json.tokenAdmin;
    const verified = await fetch(`${server.url}/api/api/verifyToken`, {
      headers: { authorization: `Bearer ${again}` },
    });
    expect(await verified.json()).toMatchObject({ facteur_avant: expect.any(String) });
    await equip(server.url);
    expect(await run('forget-key')).toContain('Plus aucun compte ne demande de code');
    expect((await at(server.url, '/loginAdmin', ADMIN)).status).toBe(200);
    expect(await stop(server)).toBe(0);
  });
});
