import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { COOKIES, cookieOf } from '#platform/server/sessionsStore.ts';
import { ALL_RIGHTS, ROLES } from '#platform/shared/roles.ts';
import type { Answer, AskOptions, TestSite } from '#tests/support/people.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';

const HOUR = 3_600_000;
const MEETING = 'tournesol-lanterne-26';
const TOKEN = /^[\w-]{43}$/;

let site: TestSite;
/** Every token and password that went over the wire, to be looked for where they must not be. */
const tokens: string[] = [];

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());
// Failures of one test must not make the next one wait.
beforeEach(() => site.advance(15 * 60_000));

async function signIn(on: TestSite = site, options: AskOptions = {}): Promise<Answer> {
  const answer = await on.call('POST /loginAdmin', { body: ADMIN, ...options });
  if (answer.json.tokenAdmin) tokens.push(answer.json.tokenAdmin);
  return answer;
}

async function openReports(on: TestSite = site, password = MEETING): Promise<Answer> {
  const answer = await on.call('POST /documents/acces', { body: { password } });
  if (answer.json.token) tokens.push(answer.json.token);
  return answer;
}

function login(body: unknown, options: AskOptions = {}): Promise<Answer> {
  return site.call('POST /loginAdmin', { body, ...options });
}

const statusWith = async (token: string) => (await site.call('GET /session', { token })).status;

/** What a guesser can compare, but for what changes with every answer. */
function lookOf({ status, headers, text }: Answer) {
  const rest = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)).sort();
  return { status, text, headers: rest };
}

describe('Signing in to the portal', () => {
  test('the right name and password give a token', async () => {
    const answer = await signIn();
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json).sort()).toEqual(['message', 'tokenAdmin']);
    expect(answer.json.tokenAdmin).toMatch(TOKEN);
    expect(answer.json.message).toBe('Connexion réussie. Redirection...');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await statusWith(answer.json.tokenAdmin)).toBe(200);
  });

  test('the name is taken in any case and with blanks around, the password as it stands only', async () => {
    for (const username of ['alice', 'ALICE', ' Alice ', 'aLiCe']) {
      expect((await login({ ...ADMIN, username })).status, username).toBe(200);
    }
    const { password } = ADMIN;
    for (const wrong of [
      password.toUpperCase(),
      ` ${password}`,
      `${password} `,
      password.slice(0, -1),
      `${password}x`,
    ]) {
      expect((await login({ ...ADMIN, password: wrong })).status, wrong).toBe(401);
    }
  });

  test('an unknown name, a wrong password and a blank password look the same', async () => {
    const wrong = await login({ username: 'Alice', password: 'poivron-lanterne-43' });
    expect(wrong.status).toBe(401);
    expect(wrong.json).toEqual({ message: 'Identifiant ou mot de passe incorrect.' });
    const others = [
      { username: 'Bruno', password: 'poivron-lanterne-42' },
      { username: 'Alice', password: '' },
      { username: 'x', password: '' },
      { username: `Alice' --`, password: 'x' },
      { username: 'Alice%', password: ADMIN.password },
      { username: 'admin', password: 'admin' },
    ];
    for (const body of others) expect(lookOf(await login(body)), JSON.stringify(body)).toEqual(lookOf(wrong));
  });

  test('missing, blank and wrong-typed fields are named', async () => {
    const { username, password } = ADMIN;
    const cases: [unknown, string[]][] = [
      [{}, ['username', 'password']],
      [{ username }, ['password']],
      [{ password }, ['username']],
      [{ username: '', password }, ['username']],
      [{ username: '  \t', password }, ['username']],
      [{ username: null, password }, ['username']],
      [{ username: ['Alice'], password }, ['username']],
      [{ username: { $ne: '' }, password }, ['username']],
      [{ username: 1, password: true }, ['username', 'password']],
      [{ username, password: [password] }, ['password']],
      [{ username, password: [password, password] }, ['password']],
      [{ username, password: { toString: 'x' } }, ['password']],
      [{ username, password: null }, ['password']],
      [{ username: 'A'.repeat(101), password }, ['username']],
      [{ username, password: 'p'.repeat(501) }, ['password']],
      [{ username: 'Ali\u0000ce', password }, ['username']],
      [{ username, password: 'a\u0000b' }, ['password']],
    ];
    for (const [body, names] of cases) {
      const answer = await login(body);
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(Object.keys(answer.json.champs).sort(), JSON.stringify(body)).toEqual(names.sort());
    }
    expect((await login({})).json.champs).toEqual({
      username: 'ce champ est obligatoire.',
      password: 'ce champ est obligatoire.',
    });
    for (const body of [null, [], ['x'], 'x', 3, true]) {
      const answer = await login(undefined, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status, JSON.stringify(body)).toBe(422);
    }
    expect((await login('{"username":"Ali\\ud800ce","password":"x"}', JSON_TYPE)).status).toBe(422);
  });

  test('a name given twice counts once, as the last', async () => {
    const twice = (first: string, last: string) =>
      `{"username":"Alice","password":${JSON.stringify(first)},"password":${JSON.stringify(last)}}`;
    expect((await login(twice('x', ADMIN.password), JSON_TYPE)).status).toBe(200);
    expect((await login(twice(ADMIN.password, 'x'), JSON_TYPE)).status).toBe(401);
  });

  test('a body of more than 100 KB is refused unread', async () => {
    expect((await login({ ...ADMIN, more: 'x'.repeat(100 * 1024) })).status).toBe(413);
    expect((await login({ ...ADMIN, more: 'x'.repeat(99 * 1024) })).status).toBe(200);
  });

  test('a password in the address is not read', async () => {
    const query = `username=Alice&password=${ADMIN.password}`;
    expect((await site.call(`POST /loginAdmin?${query}`, { body: {} })).status).toBe(422);
    const wrong = { ...ADMIN, password: 'faux-mot-de-passe' };
    expect((await site.call(`POST /loginAdmin?${query}`, { body: wrong })).status).toBe(401);
    expect((await site.call(`GET /loginAdmin?${query}`)).status).toBe(405);
    expect((await site.call(`POST /documents/acces?password=${MEETING}`, { body: {} })).status).toBe(422);
  });

  test('it is not taken as a form', async () => {
    const body = new URLSearchParams(ADMIN);
    expect((await site.call('POST /loginAdmin', { body })).status).toBe(415);
  });
});

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

describe('Tokens', () => {
  test('each is new: 43 characters that stand in an address', async () => {
    const given = new Set<string>();
    for (let count = 0; count < 10; count++) given.add((await signIn()).json.tokenAdmin);
    for (let count = 0; count < 500; count++) given.add(await site.tokenOf('reader'));
    expect(given.size).toBe(510);
    for (const token of given) expect(token).toMatch(TOKEN);
  });

  test('signing in with a cookie set before gives another token', async () => {
    const chosen = 'A'.repeat(43);
    const answer = await signIn(site, { cookie: `${COOKIES.admin}=${chosen}`, token: chosen });
    expect(answer.json.tokenAdmin).not.toBe(chosen);
    expect(await statusWith(chosen)).toBe(401);
  });

  test('only their SHA-256 is kept', async () => {
    const token = (await signIn()).json.tokenAdmin as string;
    const hash = createHash('sha256').update(token).digest('hex');
    const { db } = site.services.database;
    const row = await db.selectFrom('sessions').selectAll().where('empreinte', '=', hash).executeTakeFirst();
    expect(row?.role).toBe('admin');
    expect(JSON.stringify(row)).not.toContain(token);
    // While nobody uses it.
    expect(row?.expire_le).toBe(new Date(site.now().getTime() + 2 * HOUR).toISOString());
    expect(await statusWith(hash)).toBe(401);
  });

  test('GET /verifyToken is 401 without a token, 403 for the others, 200 for an admin', async () => {
    expect((await site.call('GET /verifyToken')).status).toBe(401);
    for (const role of ['director', 'family', 'reader'] as const) {
      expect((await site.call('GET /verifyToken', { token: await site.tokenOf(role) })).status).toBe(403);
    }
    const answer = await site.call('GET /verifyToken', { token: (await signIn()).json.tokenAdmin });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      message: expect.any(String),
      facteur_avant: null,
      username: 'Alice',
      expire_le: new Date(site.now().getTime() + 2 * HOUR).toISOString(),
      droits: ALL_RIGHTS,
    });
  });

  test('GET /session tells each who they are, and nothing more', async () => {
    const expire_le = new Date(site.now().getTime() + 12 * HOUR).toISOString();
    const told = {
      admin: { role: 'admin', username: 'Alice', stageId: null, expire_le, droits: ALL_RIGHTS },
      director: { role: 'director', username: null, stageId: 7, expire_le, droits: [] },
      family: { role: 'family', username: null, stageId: 7, expire_le, droits: [] },
      reader: { role: 'reader', username: null, stageId: null, expire_le, droits: [] },
    };
    for (const role of ROLES) {
      const answer = await site.call('GET /session', { token: await site.tokenOf(role, 7) });
      expect(answer.json, role).toEqual(told[role]);
    }
  });

  test('a reader’s token ends after 12 hours', async () => {
    const reader = (await openReports()).json as { token: string; expire_le: string };
    expect(reader.expire_le).toBe(new Date(site.now().getTime() + 12 * HOUR).toISOString());
    site.advance(12 * HOUR - 1);
    expect(await statusWith(reader.token)).toBe(200);
    site.advance(1);
    expect(await statusWith(reader.token)).toBe(401);
  });
});

describe('Logging out', () => {
  test('the token and its cookie are dead at once, the admin’s other tokens are not', async () => {
    const [left, kept] = [
      (await signIn()).json.tokenAdmin as string,
      (await signIn()).json.tokenAdmin as string,
    ];
    const cookie = `${COOKIES.admin}=${left}`;
    expect((await site.ask('GET /api/doc_stage_formateur/x', { cookie })).status).toBe(404);
    const answer = await site.call('POST /auth/logout', { token: left });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('clear-site-data')).toBe('"cache"');
    expect(answer.headers.getSetCookie()).toEqual([
      'passerelle_portail=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    expect(await statusWith(left)).toBe(401);
    expect((await site.ask('GET /api/doc_stage_formateur/x', { cookie })).status).toBe(401);
    expect((await site.call('POST /auth/logout', { token: left })).status).toBe(401);
    expect(await statusWith(kept)).toBe(200);
  });

  test('each role’s own cookie is removed', async () => {
    for (const role of ROLES) {
      const answer = await site.call('POST /auth/logout', { token: await site.tokenOf(role) });
      const ofStay = { family: '_1', director: '_1_direction', admin: '', reader: '' };
      expect(answer.headers.getSetCookie(), role).toEqual([
        `${COOKIES[role]}${ofStay[role]}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
      ]);
    }
  });

  test('the cookie alone does not log out', async () => {
    const token = await site.tokenOf('admin');
    expect((await site.call('POST /auth/logout', { cookie: `${COOKIES.admin}=${token}` })).status).toBe(401);
    expect(await statusWith(token)).toBe(200);
  });
});

describe('Cookies', () => {
  test('there are three, one per kind of person; those of stays go on with the stay and the role', () => {
    expect(COOKIES).toEqual({
      admin: 'passerelle_portail',
      director: 'passerelle_sejour',
      family: 'passerelle_sejour',
      reader: 'passerelle_lecture',
    });
    const [family, director] = (['family', 'director'] as const).map((role) =>
      cookieOf({ role, stageId: 12 }),
    );
    expect([family, director]).toEqual(['passerelle_sejour_12', 'passerelle_sejour_12_direction']);
    expect(cookieOf({ role: 'admin', stageId: null })).toBe('passerelle_portail');
  });

  test('over http they are HttpOnly and SameSite=Strict, without Secure', async () => {
    const expires = new Date(site.now().getTime() + 12 * HOUR).toUTCString();
    const admin = await signIn();
    expect(admin.headers.getSetCookie()).toEqual([
      `passerelle_portail=${admin.json.tokenAdmin}; Path=/; HttpOnly; SameSite=Strict; Expires=${expires}`,
      // That of the device.
      expect.stringMatching(/^passerelle_appareil=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Expires=/),
    ]);
    const reader = await openReports();
    expect(reader.headers.getSetCookie()).toEqual([
      `passerelle_lecture=${reader.json.token}; Path=/; HttpOnly; SameSite=Strict; Expires=${expires}`,
    ]);
    expect(admin.headers.has('strict-transport-security')).toBe(false);
  });

  test('a refusal sets none', async () => {
    expect((await login({ username: 'Alice', password: 'x' })).headers.getSetCookie()).toEqual([]);
    expect((await openReports(site, 'x')).headers.getSetCookie()).toEqual([]);
  });

  test('with an https PUBLIC_URL they are Secure and __Host-, and the site asks for https', async () => {
    const secure = await openSite({ env: { PUBLIC_URL: 'https://cse.example' } });
    try {
      const admin = await signIn(secure);
      const [line, ofDevice] = admin.headers.getSetCookie();
      expect(line).toMatch(
        /^__Host-passerelle_portail=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Expires=/,
      );
      expect(line).not.toMatch(/domain/i);
      expect(ofDevice).toMatch(/^__Host-passerelle_appareil=.*; Secure;/);
      const reader = await openReports(secure);
      expect(reader.headers.getSetCookie()[0]).toMatch(/^__Host-passerelle_lecture=.*; Secure;/);
      for (const what of [
        'GET /api/api/actualites',
        'GET /api/nulle-part',
        'GET /healthz',
        'GET /api/api/admins',
      ]) {
        const { headers } = await secure.ask(what);
        expect(headers.get('strict-transport-security'), what).toBe('max-age=63072000; includeSubDomains');
      }
      const file = (cookie: string) => secure.ask('GET /api/doc_stage_formateur/x', { cookie });
      expect((await file(`__Host-passerelle_portail=${admin.json.tokenAdmin}`)).status).toBe(404);
      expect((await file(`passerelle_portail=${admin.json.tokenAdmin}`)).status).toBe(401);

      const write = (headers: Record<string, string>) =>
        secure.call('POST /loginAdmin', { body: ADMIN, headers });
      expect((await write({ origin: 'https://cse.example' })).status).toBe(200);
      for (const origin of [
        secure.origin,
        'http://cse.example',
        'https://cse.example:8443',
        'https://cse.example.evil',
      ]) {
        expect((await write({ origin })).status, origin).toBe(403);
      }
      const out = await secure.call('POST /auth/logout', { token: admin.json.tokenAdmin });
      expect(out.headers.getSetCookie()).toEqual([
        '__Host-passerelle_portail=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0',
      ]);
    } finally {
      await secure.close();
    }
  });
});

describe('Opening the meeting reports', () => {
  test('the right password gives a token that reads the list and nothing else', async () => {
    const answer = await openReports();
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json).sort()).toEqual(['expire_le', 'message', 'token']);
    const { token } = answer.json;
    expect((await site.call('GET /documents', { token })).status).toBe(200);
    const reads = ['GET /documents', 'GET /documents/recherche', 'GET /session', 'POST /auth/logout'];
    for (const { key, call } of calls) {
      if (call.access === 'anyone' || reads.includes(key)) continue;
      const what = key.replace(/:genre/, 'actualites').replace(/:\w+/g, '1');
      expect((await site.call(what, { token })).status, key).toBe(403);
    }
  });

  test('a wrong one is told in the words of the product', async () => {
    for (const password of ['x', '', 'Tournesol-2026', `${MEETING} `, 'tournesol-2027']) {
      const answer = await openReports(site, password);
      expect(answer.status, password).toBe(401);
      expect(answer.json, password).toEqual({ message: 'Mot de passe incorrect' });
    }
  });

  test('missing and wrong-typed passwords are named', async () => {
    for (const body of [
      {},
      { password: null },
      { password: [MEETING] },
      { password: 1 },
      { password: 'p'.repeat(501) },
    ]) {
      const answer = await site.call('POST /documents/acces', { body });
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(Object.keys(answer.json.champs)).toEqual(['password']);
    }
  });

  test('a changed password ends its readers’ tokens at once, and nobody else’s', async () => {
    const token = (await openReports()).json.token as string;
    const [admin, family, director] = await Promise.all(
      (['admin', 'family', 'director'] as const).map((role) => site.tokenOf(role)),
    );
    const change = (comptes_rendus_mot_de_passe: string) =>
      site.call('PUT /reglages', { token: admin, body: { comptes_rendus_mot_de_passe } });
    expect((await change(MEETING)).status).toBe(200);
    expect(await statusWith(token)).toBe(200);
    const weak = await change('comptes-rendus-2026');
    expect(weak.status).toBe(422);
    expect(weak.json.champs.comptes_rendus_mot_de_passe).toContain('se devine trop facilement');
    expect((await change('pivoine-lanterne-27')).status).toBe(200);
    expect((await site.call('GET /documents', { token })).status).toBe(401);
    const file = await site.ask('GET /api/doc_stage_formateur/x', { cookie: `${COOKIES.reader}=${token}` });
    expect(file.status).toBe(401);
    for (const other of [admin, family, director]) expect(await statusWith(other ?? '')).toBe(200);
    expect((await openReports()).status).toBe(401);
    expect((await openReports(site, 'pivoine-lanterne-27')).status).toBe(200);
  });
});

describe('Demands from other sites', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://attaquant.test' },
    { origin: 'null' },
    { origin: 'pas une adresse' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'CROSS-SITE' },
    { origin: 'https://attaquant.test', 'sec-fetch-site': 'same-origin' },
  ];

  test('a write is refused, with a token or without', async () => {
    const token = await site.tokenOf('admin');
    for (const headers of foreign) {
      const name = JSON.stringify(headers);
      expect((await login(ADMIN, { headers })).status, name).toBe(403);
      expect((await site.call('PUT /reglages', { token, body: {}, headers })).status, name).toBe(403);
      expect((await site.call('POST /auth/logout', { token, headers })).status, name).toBe(403);
    }
    expect(await statusWith(token)).toBe(200);
  });

  test('a reading with a token is refused, one without is not', async () => {
    const token = await site.tokenOf('admin');
    for (const headers of foreign) {
      const name = JSON.stringify(headers);
      expect((await site.call('GET /session', { token, headers })).status, name).toBe(403);
      expect((await site.call('GET /actualites', { token, headers })).status, name).toBe(403);
      expect((await site.call('GET /actualites', { headers })).status, name).toBe(200);
    }
  });

  test('a private file is refused to another site’s page', async () => {
    const cookie = `${COOKIES.admin}=${await site.tokenOf('admin')}`;
    for (const headers of foreign) {
      const answer = await site.ask('GET /api/doc_stage_formateur/x', { cookie, headers });
      expect(answer.status, JSON.stringify(headers)).toBe(403);
    }
  });

  test('the site’s own pages, and programs that say nothing of where they come from, pass', async () => {
    const own: Record<string, string>[] = [
      {},
      { origin: site.origin },
      { origin: site.origin, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of own) {
      expect((await signIn(site, { headers })).status, JSON.stringify(headers)).toBe(200);
    }
  });

  test('no answer ever shares itself with another site', async () => {
    const token = await site.tokenOf('admin');
    const headers = {
      origin: 'https://attaquant.test',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization',
    };
    const answers = [
      await site.call('OPTIONS /reglages', { headers }),
      await site.call('OPTIONS /actualites', { headers }),
      await site.call('GET /actualites', { headers }),
      await site.call('GET /actualites'),
      await site.call('GET /session', { token, headers }),
      await site.ask('GET /healthz', { headers }),
    ];
    expect([404, 405]).toContain(answers[0]?.status);
    for (const { headers: given } of answers) {
      expect([...given.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('What went through stands nowhere', () => {
  const secrets = () => [...tokens, ADMIN.password, MEETING];

  test('neither tokens nor passwords are in the logs', () => {
    expect(tokens.length).toBeGreaterThan(15);
    const logs = site.logLines.join('');
    expect(logs).toContain('POST /loginAdmin');
    expect(secrets().filter((secret) => logs.includes(secret))).toEqual([]);
  });

  test('neither tokens nor passwords are in the database', async () => {
    const held = await everythingHeld();
    expect(held).toContain('connexion au portail');
    expect(secrets().filter((secret) => held.includes(secret))).toEqual([]);
  });

  /** The rows of every table, and on SQLite the bytes of every file. */
  async function everythingHeld(): Promise<string> {
    const { db } = site.services.database;
    const tables = ['admins', 'sessions', 'tentatives', 'journal', 'reglages', 'jobs'] as const;
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
    const held = [JSON.stringify(rows)];
    if (inject('database') === 'sqlite') {
      const names = (await readdir(site.directory)).filter((name) => name.startsWith('passerelle.db'));
      expect(names).toContain('passerelle.db-wal');
      for (const name of names) held.push(await readFile(join(site.directory, name), 'latin1'));
    }
    return held.join('\n');
  }
});
