import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { answerInProcess, type Handlers } from '#platform/server/http/serve.ts';
import { COOKIES, findSession, tokenHash } from '#platform/server/sessionsStore.ts';
import { API_PREFIX, type Call, refusal } from '#platform/shared/call.ts';
import { ROLES, type Role } from '#platform/shared/roles.ts';
import { form } from '#tests/support/forms.ts';
import { type Answer, type AskOptions, admits, firstRoleOf, type TestSite } from '#tests/support/people.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';

/*
 * Who may call what, asked of every call of the table. A call added to the table is tested by being there; a
 * route added beside the table fails the last tests of this file.
 */

let site: TestSite;
const expired: Partial<Record<Role, string>> = {};
const revoked: Partial<Record<Role, string>> = {};
const loggedOut: Partial<Record<Role, string>> = {};

beforeAll(async () => {
  site = await openSite();
  // The sweep of a start is over: what is expired below stays in the database, and is refused all the same.
  await site.schedule.tick();
  for (const role of ROLES) expired[role] = await site.tokenOf(role);
  // What a call that lets its caller in records as work is not done here.
  await site.jobs.stop();
  site.advance(12 * 3_600_000 + 1);
  const { database } = site.services;
  for (const role of ROLES) {
    const deleted = await site.tokenOf(role);
    await database.write((db) =>
      db.deleteFrom('sessions').where('empreinte', '=', tokenHash(deleted)).execute(),
    );
    revoked[role] = deleted;
    const left = await site.tokenOf(role);
    expect((await site.call('POST /auth/logout', { token: left })).status).toBe(200);
    loggedOut[role] = left;
  }
});
afterAll(() => site?.close());

const UNKNOWN_ID = '999999999';

/** An address that names nothing, so that a call let in does no harm. */
function pathOf(path: string): string {
  return path.replace(/:genre\b/, 'actualites').replace(/:\w+/g, UNKNOWN_ID);
}

/** The least body of a call's kind: what is let in goes on to be found incomplete, never to be refused entry. */
function bodyOf(call: Call): unknown {
  if (!call.body) return undefined;
  if (call.body.as === 'json') return {};
  return call.body.as === 'form' ? new URLSearchParams() : form({ rien: '' });
}

function askCall(method: string, path: string, call: Call, options: AskOptions = {}): Promise<Answer> {
  const body = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(call);
  return site.call(`${method} ${pathOf(path)}`, { body, ...options });
}

/** Tokens worth nothing, each with the way it came to that. */
function badTokens(): [string, string][] {
  const valid = randomBytes(32).toString('base64url');
  return [
    ['unknown', valid],
    ['garbled', `${revoked.admin?.slice(0, -1)}!`],
    ['short', 'x'],
    ['long', 'A'.repeat(4_000)],
    ['an SQL text', `'OR'1'='1`],
    ...ROLES.flatMap((role): [string, string][] => [
      [`${role}, expired`, expired[role] ?? ''],
      [`${role}, revoked`, revoked[role] ?? ''],
      [`${role}, after logout`, loggedOut[role] ?? ''],
    ]),
  ];
}

function expectDenied(answer: Answer, status: number, who: string): void {
  expect(answer.status, who).toBe(status);
  expect(answer.headers.get('content-type'), who).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control'), who).toBe('no-store');
  expect(refusal.strict().safeParse(answer.json).success, `${who}: ${answer.text}`).toBe(true);
  expect(answer.json.message, who).toMatch(/^\p{Lu}.*\.$/u);
  expect(answer.headers.getSetCookie(), who).toEqual([]);
}

function expectAdmitted(answer: Answer, who: string): void {
  expect([401, 403], `${who}: ${answer.text}`).not.toContain(answer.status);
  expect(answer.status, `${who}: ${answer.text}`).toBeLessThan(500);
}

describe('Every call asks for what the table says', () => {
  // Sign-in calls answer 401 to a wrong password, and to nothing else: their empty body here is a 422.
  for (const { key, method, path, call } of calls) {
    const { access } = call;
    if (access === 'anyone') {
      test(`${key} is open to anyone, and a bad token is ignored`, async () => {
        expectAdmitted(await askCall(method, path, call), 'anonymous');
        for (const role of ROLES) {
          expectAdmitted(await askCall(method, path, call, { token: await site.tokenOf(role) }), role);
        }
        for (const [name, token] of badTokens()) {
          expectAdmitted(await askCall(method, path, call, { token }), name);
        }
      });
      continue;
    }
    test(`${key} is open to ${access.join(', ')} only`, async () => {
      expectDenied(await askCall(method, path, call), 401, 'anonymous');
      for (const [name, token] of badTokens()) {
        expectDenied(await askCall(method, path, call, { token }), 401, name);
      }
      for (const role of ROLES) {
        const token = await site.tokenOf(role);
        const answer = await askCall(method, path, call, { token });
        if (admits(access, role)) expectAdmitted(answer, role);
        else expectDenied(answer, 403, role);
      }
    });
  }
});

/** What gives a thief of an open session the keys: a call leaves this list only together with its reason. */
const FRESH = [
  'POST /admins',
  'PUT /admins/:id',
  'DELETE /admins/:id',
  'POST /admins/moi/cles-acces',
  'POST /admins/moi/second-facteur/confirmation',
  'POST /admins/moi/second-facteur',
  'POST /admins/moi/second-facteur/arret',
  'POST /admins/moi/codes-secours',
  'POST /admins/moi/cles-acces/defi',
  'DELETE /admins/moi/cles-acces/:id',
  'PUT /reglages',
  'GET /journal/csv',
  'GET /journal/jsonl',
  'POST /uploadSejour',
  'POST /uploadSejour/apercu',
  'POST /export',
  'GET /export.zip',
  'GET /stages/:id/etiquettes',
];

describe('What a stolen session must not get asks for a proof of ten minutes at most', () => {
  const fresh = calls.filter(({ call }) => call.fresh);

  test('it is these calls, and all of them are of staff alone', () => {
    expect(fresh.map(({ key }) => key).sort()).toEqual(FRESH.toSorted());
    const others = ROLES.filter((role) => role !== 'admin');
    expect(fresh.filter(({ call }) => others.some((role) => admits(call.access, role)))).toEqual([]);
  });

  test('they are refused by 403 once it is older, and open again after a new one; other roles learn nothing', async () => {
    const token = await site.tokenOf('admin');
    const others = await Promise.all(
      (['director', 'family', 'reader'] as const).map((role) => site.tokenOf(role)),
    );
    const ask = ({ method, path, call }: (typeof calls)[number], token?: string) =>
      askCall(method, path, call, { token });
    site.advance(10 * 60_000 - 1);
    for (const one of fresh) expectAdmitted(await ask(one, token), one.key);
    site.advance(1);
    for (const one of fresh) {
      const answer = await ask(one, token);
      expectDenied(answer, 403, one.key);
      expect(answer.json.etape, one.key).toBe('preuve');
      expectDenied(await ask(one), 401, one.key);
      for (const other of others) {
        const denied = await ask(one, other);
        expectDenied(denied, 403, one.key);
        expect(denied.json.etape, one.key).toBeUndefined();
      }
    }
    // Whatever else staff do goes on, as far as it shows no password and touches nothing.
    for (const { key, method, path, call } of calls) {
      if (
        call.access === 'anyone' ||
        !admits(call.access, 'admin') ||
        call.fresh ||
        key === 'POST /auth/logout'
      )
        continue;
      expectAdmitted(await askCall(method, path, call, { token }), key);
    }
    const proof = await site.call('POST /admins/moi/preuve', { token, body: { password: ADMIN.password } });
    expect(proof.status, proof.text).toBe(200);
    for (const one of fresh) expectAdmitted(await ask(one, token), one.key);
    // Of that session, and of no other one of the same person.
    const elsewhere = await site.tokenOf('admin');
    site.advance(10 * 60_000);
    await site.call('POST /admins/moi/preuve', { token, body: { password: ADMIN.password } });
    expectDenied(await site.call('GET /journal/csv', { token: elsewhere }), 403, 'elsewhere');
  });

  test('no page is rendered with them', async () => {
    const { services } = site;
    const session = await findSession(services.database.db, await site.tokenOf('admin'), site.now());
    const answer = answerInProcess(services, calls, {} as Handlers, 'GET /journal/csv', {}, session);
    await expect(answer).rejects.toThrow('proof');
  });
});

describe('A cookie opens no call', () => {
  const cookieOf = (role: Role, token: string) =>
    `${COOKIES[role]}=${token}; __Host-${COOKIES[role]}=${token}`;

  test('calls that need a token answer 401 to every cookie', async () => {
    for (const { key, method, path, call } of calls) {
      if (call.access === 'anyone' || call.byCookie) continue;
      for (const role of ROLES) {
        const cookie = cookieOf(role, await site.tokenOf(role));
        expectDenied(await askCall(method, path, call, { cookie }), 401, `${key}, ${role}`);
      }
    }
  });

  test('but what browsers open by themselves: of the right role, under its own name, from the site itself', async () => {
    const opened = calls.filter(({ call }) => call.byCookie);
    expect(opened.map(({ method }) => method)).toEqual(opened.map(() => 'GET'));
    for (const { key, method, path, call } of opened) {
      for (const role of ROLES) {
        const token = await site.tokenOf(role);
        const ask = (options: AskOptions) => askCall(method, path, call, options);
        const cookie = cookieOf(role, token);
        const answer = await ask({ cookie });
        if (admits(call.access, role)) expectAdmitted(answer, `${key}, ${role}`);
        else expectDenied(answer, 403, `${key}, ${role}`);
        for (const from of ['cross-site', 'same-site']) {
          const headers = { 'sec-fetch-site': from };
          expectDenied(await ask({ cookie, headers }), 403, `${key}, ${role}, ${from}`);
        }
        const others = ROLES.filter((one) => COOKIES[one] !== COOKIES[role]);
        const misnamed = others.map((one) => cookieOf(one, token)).join('; ');
        expectDenied(await ask({ cookie: misnamed }), 401, `${key}, ${role}, misnamed`);
        expectDenied(await ask({ cookie: cookieOf(role, revoked[role] ?? '') }), 401, `${key}, revoked`);
      }
    }
  });

  test('on a call open to anyone an admin’s cookie counts for nothing', async () => {
    const cookie = cookieOf('admin', await site.tokenOf('admin'));
    expectDenied(await site.call('GET /actualites?tout=1', { cookie }), 401, 'admin');
  });
});

describe('Access is decided before the address and the body', () => {
  test('a bad id is 401, then 403, then 404', async () => {
    for (const { key, method, path, call } of calls) {
      if (call.access === 'anyone' || !path.includes(':id')) continue;
      const ask = (token?: string) =>
        site.call(`${method} ${pathOf(path).replace(UNKNOWN_ID, 'x')}`, { body: bodyOf(call), token });
      expectDenied(await ask(), 401, key);
      if (!admits(call.access, 'family')) expectDenied(await ask(await site.tokenOf('family')), 403, key);
      expectDenied(await ask(await site.tokenOf(firstRoleOf(call.access))), 404, key);
    }
  });

  test('a body that cannot be read is 401, then 403, then 400', async () => {
    const body = '{';
    const headers = { 'content-type': 'application/json' };
    for (const { key, method, path, call } of calls) {
      if (call.access === 'anyone' || call.body?.as !== 'json') continue;
      const ask = (token?: string) => site.call(`${method} ${pathOf(path)}`, { body, headers, token });
      expectDenied(await ask(), 401, key);
      if (!admits(call.access, 'family')) expectDenied(await ask(await site.tokenOf('family')), 403, key);
      expectDenied(await ask(await site.tokenOf(firstRoleOf(call.access))), 400, key);
    }
  });

  test('what is not published yet is listed for admins only: 401 without a token, 403 for the others', async () => {
    for (const path of ['/actualites', '/alaune', '/avantage', '/events', '/logos', '/documents']) {
      const ask = (token?: string) => site.call(`GET ${path}?tout=1`, { token });
      expectDenied(await ask(), 401, path);
      expectDenied(await ask(expired.admin), 401, path);
      expectAdmitted(await ask(await site.tokenOf('admin')), path);
      for (const role of ['director', 'family', 'reader'] as const) {
        expectDenied(await ask(await site.tokenOf(role)), 403, `${path}, ${role}`);
      }
    }
  });
});

describe('HEAD follows the rules of GET', () => {
  test('every GET call answers HEAD with the status of GET and no body', async () => {
    for (const { key, method, path, call } of calls) {
      if (method !== 'GET') continue;
      for (const token of [
        undefined,
        revoked.admin,
        ...(await Promise.all(ROLES.map((role) => site.tokenOf(role)))),
      ]) {
        const get = await askCall('GET', path, call, { token });
        const head = await askCall('HEAD', path, call, { token });
        expect(head.status, key).toBe(get.status);
        expect(head.text, key).toBe('');
        expect(head.headers.get('content-type'), key).toBe(get.headers.get('content-type'));
        expect(head.headers.get('cache-control'), key).toBe(get.headers.get('cache-control'));
      }
    }
  });
});

describe('The folders of files', () => {
  const unknown = `${'0'.repeat(32)}.webp`;

  test('the public folders say 404 to everybody for a name they do not hold', async () => {
    for (const folder of ['images', 'images_stages']) {
      for (const name of ['x', unknown, `${'0'.repeat(32)}-320.webp`, '..%2fsecret.key', 'x%00.webp']) {
        for (const method of ['GET', 'HEAD']) {
          const ask = (options?: AskOptions) => site.ask(`${method} /api/${folder}/${name}`, options);
          const statuses = [(await ask()).status];
          for (const [, token] of badTokens()) statuses.push((await ask({ token })).status);
          for (const role of ROLES) statuses.push((await ask({ token: await site.tokenOf(role) })).status);
          expect(new Set(statuses), `${method} ${folder}/${name}`).toEqual(new Set([404]));
        }
      }
    }
  });

  test('the private folder says 401 without a session, so that no one learns which names exist', async () => {
    for (const name of ['x', `${'0'.repeat(32)}.pdf`, '..%2fsecret.key']) {
      const ask = (options?: AskOptions) => site.ask(`GET /api/doc_stage_formateur/${name}`, options);
      expectDenied(await ask(), 401, name);
      expect((await site.ask(`HEAD /api/doc_stage_formateur/${name}`)).status).toBe(401);
      for (const [who, token] of badTokens()) {
        expectDenied(await ask({ token }), 401, who);
        if (/^[\w-]+$/.test(token)) {
          const cookie = Object.values(COOKIES).map((one) => `${one}=${token}`);
          expectDenied(await ask({ cookie: cookie.join('; ') }), 401, `${who}, as a cookie`);
        }
      }
    }
  });

  test('the private folder says 404 to any session for a name it does not hold', async () => {
    for (const role of ROLES) {
      const token = await site.tokenOf(role);
      const cookie = `${COOKIES[role]}=${token}`;
      for (const options of [{ token }, { cookie }, { token: revoked.admin, cookie }]) {
        const answer = await site.ask(`GET /api/doc_stage_formateur/${unknown}`, options);
        expectDenied(answer, 404, `${role} ${Object.keys(options)}`);
      }
    }
  });

  test('the folder of photos: 403 from another site, 401 without a session, 404 for what it does not hold', async () => {
    const names = ['x', `${'0'.repeat(32)}_320.webp`, '..%2fsecret.key', 'x%00.webp', 'a'.repeat(300)];
    for (const name of names) {
      const ask = (options?: AskOptions) => site.ask(`GET /api/photos/${name}`, options);
      expectDenied(await ask(), 401, name);
      expect((await site.ask(`HEAD /api/photos/${name}`)).status).toBe(401);
      for (const [who, token] of badTokens()) expectDenied(await ask({ token }), 401, who);
      for (const role of ROLES) {
        const token = await site.tokenOf(role);
        const cookie = `${COOKIES[role]}=${token}`;
        for (const options of [{ token }, { cookie }, { token: revoked.admin, cookie }]) {
          expectDenied(await ask(options), 404, `${role} ${Object.keys(options)}`);
          const headers = { 'sec-fetch-site': 'cross-site' };
          expectDenied(await ask({ ...options, headers }), 403, role);
        }
      }
    }
  });

  test('a cookie counts only under the name of its own role', async () => {
    const token = await site.tokenOf('family');
    const cookie = `${COOKIES.admin}=${token}; ${COOKIES.reader}=${token}; autre=${token}`;
    expect((await site.ask('GET /api/doc_stage_formateur/x', { cookie })).status).toBe(401);
  });
});

test('forged JSON web tokens are worth nothing', async () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { role: 'admin', sub: '1', username: 'Alice', exp: 4_102_444_800, iat: 0 };
  const heads = [
    { alg: 'none', typ: 'JWT' },
    { alg: 'None' },
    { alg: '' },
    { alg: 'HS256', typ: 'JWT' },
    { alg: 'HS256', kid: '../../dev/null' },
    { alg: 'HS256', jku: 'https://attaquant.test/jwks.json' },
    { alg: 'HS256', crit: ['exp'], exp: 1 },
    { alg: 'RS256', x5u: 'https://attaquant.test/x5u' },
    { alg: 'HS256', jwk: { kty: 'oct', k: '' } },
    { alg: 'ES256' },
  ];
  const keys = ['', 'secret', 'a-key-that-only-tests-use-0123456789', 'passerelle'];
  const forged = heads.flatMap((head) => {
    const signed = `${part(head)}.${part(claims)}`;
    const signatures = keys.map((key) => createHmac('sha256', key).update(signed).digest('base64url'));
    return ['', ...signatures].map((signature) => `${signed}.${signature}`);
  });
  expect(forged).toHaveLength(50);
  for (const token of forged) {
    expectDenied(await site.call('GET /session', { token }), 401, token);
    expectDenied(await site.call('GET /admins', { token }), 401, token);
  }
});

test('a token counts only as one bearer value', async () => {
  const token = await site.tokenOf('admin');
  const ask = (authorization: string) => site.call('GET /session', { headers: { authorization } });
  expect((await ask(`Bearer ${token}`)).status).toBe(200);
  expect((await ask(`bearer ${token}`)).status).toBe(200);
  for (const value of [
    token,
    `Basic ${token}`,
    `Bearer ${token} x`,
    `Bearer ${token},`,
    `Bearer${token}`,
    'Bearer',
    `Bearer "${token}"`,
  ]) {
    expectDenied(await ask(value), 401, value);
  }
  expectDenied(await site.call(`GET /session?token=${token}`), 401, 'query');
  expectDenied(await site.call(`GET /session?access_token=${token}`), 401, 'query');
  expectDenied(await site.call('GET /session', { headers: { 'x-access-token': token } }), 401, 'header');
});

describe('The server has the routes of the table and no other', () => {
  const BESIDE = [
    'GET /api/images/:file',
    'GET /api/images_stages/:file',
    'GET /api/doc_stage_formateur/:file',
    'GET /api/photos/:file',
    'GET /api/photos/avant/:file',
    'POST /api/api/photos/envoi',
    'HEAD /api/api/photos/envoi/:nom',
    'PATCH /api/api/photos/envoi/:nom',
    'DELETE /api/api/photos/envoi/:nom',
    'GET /healthz',
    'GET /readyz',
    'GET /api/docs',
    'GET /api/docs/openapi.json',
  ];

  test('what is registered is what is written down', () => {
    const registered = routesOf(site.app.printRoutes({ commonPrefix: false }));
    const expected = [...calls.map(({ method, path }) => `${method} ${API_PREFIX}${path}`), ...BESIDE];
    const heads = expected.filter((one) => one.startsWith('GET ')).map((one) => one.replace('GET ', 'HEAD '));
    expect(registered.sort()).toEqual([...expected, ...heads].sort());
  });
});

/** `METHOD /path` of each route in the tree that Fastify prints. */
function routesOf(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((text) => {
    const match = /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(text);
    if (!match) return [];
    const depth = (match[1] ?? '').length / 4;
    above[depth] = match[2] ?? '';
    const path = above.slice(0, depth + 1).join('');
    return (match[3] ?? '')
      .split(', ')
      .filter(Boolean)
      .map((method) => `${method} ${path}`);
  });
}
