import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { PART_POLICY, securityHeaders } from '#platform/server/http/headers.ts';
import { API_PREFIX, refusal } from '#platform/shared/call.ts';
import { form, picture } from '#tests/support/forms.ts';
import { type Answer, type AskOptions, admits, type TestSite } from '#tests/support/people.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';

/** Stands in everything that must not come into the logs. */
const MARK = 'zebre';
const JSON_TYPE = 'application/json; charset=utf-8';

let site: TestSite;
let token: string;
let family: string;
let newsId: number;
let featuredId: number;
let image: string;

/** A body that never ends, a byte a second: sent from the beginning, as nobody waits for its 15 s; resolves to the answer. */
let endless: Promise<string>;

function sendEndlessly(): Promise<string> {
  return new Promise((resolve) => {
    const socket = toSite();
    let text = '';
    const timer = setInterval(() => socket.write('x'), 1_000);
    socket.on('data', (bytes) => (text += bytes));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve(text);
    });
    socket.write(
      'POST /api/api/loginAdmin HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{',
    );
  });
}

beforeAll(async () => {
  site = await openSite();
  endless = sendEndlessly();
  token = await site.tokenOf('admin');
  family = await site.tokenOf('family');
  const news = await site.call('POST /actualites', {
    token,
    body: form({ titre: 'Été', description: 'Bonjour', image: await picture() }),
  });
  newsId = news.json.id;
  image = news.json.image_url;
  const body = form({ titre: 'Une', resume: 'Résumé', description: 'Texte', lien_article: '' });
  featuredId = (await site.call('POST /alaune', { token, body })).json.id;
});
afterAll(() => site?.close());

function sendJson(what: string, body: string, options: AskOptions = {}): Promise<Answer> {
  return site.call(what, {
    ...options,
    body,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
}

interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Writes bytes to the site and reads until it closes, or until `answers` are there. */
function raw(
  bytes: string,
  answers = Number.POSITIVE_INFINITY,
  wait = 3_000,
): Promise<{ answers: RawAnswer[]; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = toSite();
    let text = '';
    const end = (closed: boolean) => {
      socket.destroy();
      resolve({ answers: readAnswers(text), closed });
    };
    socket.setTimeout(wait, () => end(false));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (readAnswers(text).length >= answers) end(false);
    });
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
    socket.write(bytes, 'latin1');
  });
}

function toSite(): Socket {
  const { hostname, port } = new URL(site.origin);
  return connect(Number(port), hostname);
}

function readAnswers(text: string): RawAnswer[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part.includes('\r\n\r\n'))
    .map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = new Map(
        lines.map((line): [string, string] => {
          const at = line.indexOf(':');
          return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
        }),
      );
      return { status: Number(first.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
    });
}

const HOST = 'Host: passerelle\r\n';
const CLOSE = 'Connection: close\r\n';

async function rawOne(bytes: string): Promise<RawAnswer> {
  const { answers } = await raw(bytes);
  expect(answers, bytes.slice(0, 80)).toHaveLength(1);
  return answers[0] as RawAnswer;
}

function expectRefusal({ status, headers, text, json }: Answer, expected: number, name: string): void {
  expect(status, `${name}: ${text}`).toBe(expected);
  expect(headers.get('content-type'), name).toBe(JSON_TYPE);
  expect(headers.get('cache-control'), name).toBe('no-store');
  expect(refusal.strict().safeParse(json).success, `${name}: ${text}`).toBe(true);
  expect(text, name).not.toMatch(/node:|node_modules|\bat .*:\d+:\d+|SQLITE|Error\b|undefined|<html/i);
}

describe('Every answer carries the security headers, an id and its type', () => {
  const ids = new Set<string>();

  /** Of those of documents, what the parts of a page leave out or shorten. */
  const OF_PART: Record<string, string | null> = {
    'content-security-policy': PART_POLICY,
    'x-frame-options': null,
    'referrer-policy': null,
    'cross-origin-opener-policy': null,
    'permissions-policy': null,
  };

  function expectHeaders(
    name: string,
    headers: { get(name: string): string | null | undefined },
    isPart = false,
  ): void {
    const common = securityHeaders(site.services.config, false);
    for (const [header, value] of Object.entries({ ...common, ...(isPart ? OF_PART : {}) })) {
      expect(headers.get(header) ?? null, `${name}: ${header}`).toBe(value);
    }
    const id = headers.get('x-request-id') ?? '';
    expect(id, `${name}: x-request-id`).toMatch(/^[\w-]{5,40}$/);
    expect(ids.has(id), `${name}: the same id twice`).toBe(false);
    ids.add(id);
    for (const header of ['server', 'x-powered-by', 'strict-transport-security']) {
      expect(headers.get(header) ?? null, `${name}: ${header}`).toBeNull();
    }
  }

  test('the policies themselves', () => {
    const common = securityHeaders(site.services.config, false);
    const policy = common['content-security-policy'] ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
    ]) {
      expect(policy.split('; ')).toContain(part);
    }
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*|http:/);
    expect(common).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  test('whatever the status', async () => {
    const list = await site.call('GET /actualites');
    const etag = list.headers.get('etag') ?? '';
    const item = await site.call(`GET /actualites/${newsId}`);
    const itemEtag = item.headers.get('etag') ?? '';
    const when = (value: string) => ({ headers: { 'if-none-match': value } });
    const limited = () => site.call('POST /loginAdmin', { body: { username: 'Tenace', password: 'faux' } });
    for (let turn = 0; turn < 6; turn++) await limited();
    const asked: [string, number, string | undefined, Promise<Answer>][] = [
      ['a list', 200, JSON_TYPE, site.call('GET /actualites?limite=7')],
      ['the same list again', 200, JSON_TYPE, site.call('GET /actualites?limite=7')],
      ['a list unchanged', 304, undefined, site.call('GET /actualites', when(etag))],
      ['an item unchanged', 304, undefined, site.call(`GET /actualites/${newsId}`, when(itemEtag))],
      ['one’s own data', 200, JSON_TYPE, site.call('GET /session', { token })],
      [
        'a creation',
        201,
        JSON_TYPE,
        site.call('POST /alaune', {
          token,
          body: form({ titre: 'T', resume: 'R', description: 'D', lien_article: '' }),
        }),
      ],
      ['a broken body', 400, JSON_TYPE, sendJson('POST /loginAdmin', '{')],
      ['a broken address', 400, JSON_TYPE, site.call('GET /actualites/%zz')],
      ['no token', 401, JSON_TYPE, site.call('GET /session')],
      ['another role', 403, JSON_TYPE, site.call('GET /admins', { token: family })],
      [
        'another site',
        403,
        JSON_TYPE,
        site.call('GET /session', { token, headers: { origin: 'https://x.test' } }),
      ],
      ['an unknown call', 404, JSON_TYPE, site.call('GET /nulle-part')],
      ['an unknown item', 404, JSON_TYPE, site.call('GET /actualites/999999')],
      ['an unknown page', 404, JSON_TYPE, site.ask('GET /nulle-part')],
      ['an unknown file', 404, JSON_TYPE, site.ask('GET /api/images/x')],
      ['another method', 405, JSON_TYPE, site.call('DELETE /session')],
      [
        'a preflight',
        405,
        JSON_TYPE,
        site.call('OPTIONS /actualites', { headers: { origin: 'https://x.test' } }),
      ],
      [
        'a large body',
        413,
        JSON_TYPE,
        site.call('POST /loginAdmin', { body: { username: 'x'.repeat(200_000) } }),
      ],
      ['a long address', 414, JSON_TYPE, site.call(`GET /actualites?x=${'x'.repeat(8_500)}`)],
      [
        'another type',
        415,
        JSON_TYPE,
        site.call('POST /loginAdmin', { body: 'x', headers: { 'content-type': 'text/plain' } }),
      ],
      ['faulty fields', 422, JSON_TYPE, site.call('POST /loginAdmin', { body: {} })],
      ['too many tries', 429, JSON_TYPE, limited()],
      ['a file', 200, 'image/webp', site.ask(`GET /api/images_stages/${image}`)],
      [
        'a part of a file',
        206,
        'image/webp',
        site.ask(`GET /api/images_stages/${image}`, { headers: { range: 'bytes=0-9' } }),
      ],
      [
        'no such part',
        416,
        'image/webp',
        site.ask(`GET /api/images_stages/${image}`, { headers: { range: 'bytes=99999999-' } }),
      ],
      ['HEAD', 200, JSON_TYPE, site.call('HEAD /actualites')],
      ['health', 200, 'text/plain; charset=utf-8', site.ask('GET /healthz')],
      ['readiness', 200, 'text/plain; charset=utf-8', site.ask('GET /readyz')],
      ['documentation', 200, 'text/html; charset=utf-8', site.ask('GET /api/docs')],
      ['documentation for programs', 200, JSON_TYPE, site.ask('GET /api/docs/openapi.json')],
    ];
    for (const [name, status, type, asking] of asked) {
      const answer = await asking;
      expect(answer.status, `${name}: ${answer.text}`).toBe(status);
      if (type) expect(answer.headers.get('content-type'), name).toBe(type);
      expectHeaders(name, answer.headers, type === 'image/webp');
      if (status >= 400 && status !== 416) expectRefusal(answer, status, name);
    }
  });

  test('an unforeseen error says nothing of its cause, which the log has under the answer’s id', async () => {
    const { db } = site.services.database;
    const key = 'comptes_rendus_mot_de_passe';
    const { valeur } = await db
      .selectFrom('reglages')
      .selectAll()
      .where('cle', '=', key)
      .executeTakeFirstOrThrow();
    const put = (value: string) =>
      site.services.database.write((transaction) =>
        transaction.updateTable('reglages').set({ valeur: value }).where('cle', '=', key).execute(),
      );
    await put('abîmé');
    const answer = await site.call('GET /reglages?mot_de_passe=oui', { token });
    await put(valeur);
    expectHeaders('unforeseen', answer.headers);
    expect(answer.status).toBe(500);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.json).toEqual({
      message: 'Une erreur inattendue est survenue\u202f; elle a été notée. Réessayez dans un instant.',
    });
    const id = answer.headers.get('x-request-id') ?? '';
    const line = site.logLines.find((one) => one.includes('unforeseen error') && one.includes(id));
    expect(JSON.parse(line ?? '{}').err.stack).toContain('Sealed with another key');
  });

  const strange: [string, number, string][] = [
    ['garbage', 400, 'n’importe quoi\r\n\r\n'],
    ['an unknown method', 400, `ZUT / HTTP/1.1\r\n${HOST}\r\n`],
    ['HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no host', 400, 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['headers over 16 KB', 431, `GET /healthz HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['an address over 16 KB', 431, `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`],
    ['an address over 8 KB', 414, `GET /${'x'.repeat(8_200)} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    [
      'an expectation',
      417,
      `POST ${API_PREFIX}/loginAdmin HTTP/1.1\r\n${HOST}Expect: une-merveille\r\n${CLOSE}Content-Length: 0\r\n\r\n`,
    ],
  ];
  for (const [name, status, bytes] of strange) {
    test(`${name}: ${status}`, async () => {
      const answer = await rawOne(bytes);
      expect(answer.status).toBe(status);
      expectHeaders(name, answer.headers);
      expect(answer.headers.get('content-type')).toBe(JSON_TYPE);
      const body = Buffer.from(answer.body, 'latin1').toString('utf8');
      expect(refusal.strict().safeParse(JSON.parse(body)).success, body).toBe(true);
    });
  }

  test('an id sent along is not taken over', async () => {
    const headers = { 'x-request-id': 'choisi', 'request-id': 'choisi' };
    expect((await site.call('GET /actualites', { headers })).headers.get('x-request-id')).not.toBe('choisi');
  });
});

describe('Addresses', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

  test('an unknown one under /api is a JSON 404 in every method', async () => {
    const paths = [
      '/api',
      '/api/',
      '/api/api',
      '/api/api/',
      '/api/api/nulle-part',
      '/api/api/actualites/',
      '/api/api/Actualites',
      '/api/API/actualites',
      '/api/api//actualites',
      '//api/api/actualites',
      '/api/api/actualites/1/2',
      '/api/actualites',
      '/api/api/api/actualites',
      '/api/api/constructor',
      '/api/api/__proto__',
      '/api/api/toString',
      '/api/api/admin',
      '/api/api/users',
      '/api/api/auth',
      '/api/api/corbeille/actualites',
      '/api/api/actualites.json',
      '/api/api/*',
      '/api/images',
      '/api/images/',
      '/api/images/a/b',
      '/api/docs/',
      '/api/docs/x',
      '/api/docs/openapi.yaml',
      '/api/v1/login',
      '/api/graphql',
      '/api/.env',
      '/api/docs.html',
    ];
    expect(paths.length).toBeGreaterThanOrEqual(30);
    for (const path of paths) {
      for (const method of METHODS) {
        const answer = await site.ask(`${method} ${path}`, { token });
        const name = `${method} ${path}`;
        if (method === 'HEAD') expect([answer.status, answer.text], name).toEqual([404, '']);
        else expectRefusal(answer, 404, name);
      }
    }
  });

  test('a path of the table in another method is a 405', async () => {
    const methodsOf = new Map<string, string[]>();
    for (const { method, path } of calls) methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
    for (const [path, known] of methodsOf) {
      const allowed = known.includes('GET') ? [...known, 'HEAD'] : known;
      for (const method of METHODS.filter((one) => !allowed.includes(one))) {
        const address = path.replace(':genre', 'actualites').replace(':id', '1');
        // A fixed last part may also be an id of a neighbouring path; HEAD is answered where GET is.
        const asked = method === 'HEAD' ? 'GET' : method;
        const shadowed = calls.some((one) => one.method === asked && matches(one.path, address));
        if (shadowed) continue;
        const answer = await site.call(`${method} ${address}`, { token });
        expect(answer.status, `${method} ${path}`).toBe(405);
        if (method !== 'HEAD') expectRefusal(answer, 405, `${method} ${path}`);
      }
    }
  });

  test('a 405 names the methods that are taken', async () => {
    const allow = async (what: string) => {
      const { headers } = await site.call(what, { token });
      return (headers.get('allow') ?? '').split(/, */).sort();
    };
    expect(await allow('PATCH /actualites')).toEqual(['GET', 'HEAD', 'POST']);
    expect(await allow('POST /session')).toEqual(['GET', 'HEAD']);
    expect(await allow('GET /loginAdmin')).toEqual(['POST']);
  });

  test('files, health and documentation in another method are a 405', async () => {
    const found: string[] = [];
    for (const path of ['/healthz', '/readyz', '/api/docs', '/api/docs/openapi.json', '/api/images/x']) {
      const answer = await site.ask(`POST ${path}`, { token });
      if (answer.status !== 405) found.push(`${path}: ${answer.status}`);
    }
    expect(found).toEqual([]);
  });

  test('TRACE and its like are refused and say nothing back', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'MKCOL', 'LINK', 'SEARCH', 'PURGE']) {
      for (const path of [`${API_PREFIX}/actualites`, '/api/nulle-part', '/']) {
        const answer = await rawOne(`${method} ${path} HTTP/1.1\r\n${HOST}${CLOSE}X-Secret: ${MARK}\r\n\r\n`);
        expect([400, 404, 405, 501], `${method} ${path}`).toContain(answer.status);
        expect(answer.body).not.toContain(MARK);
        expect(answer.headers.get('content-type'), `${method} ${path}`).toBe(JSON_TYPE);
        expect(answer.headers.get('x-content-type-options'), `${method} ${path}`).toBe('nosniff');
      }
    }
    const { answers } = await raw(`CONNECT x:80 HTTP/1.1\r\n${HOST}\r\n`);
    expect(answers.every(({ status }) => status >= 400)).toBe(true);
  });

  test('a broken %-coding is a 400', async () => {
    for (const path of [
      '/api/api/actualites/%zz',
      '/api/api/%',
      '/api/api/%c0%af',
      '/api/api/actualites/%ff',
      '/api/images/%',
    ]) {
      const answer = await site.ask(`GET ${path}`);
      expectRefusal(answer, 400, path);
    }
    // That of a page is read as it was typed, and names none.
    for (const path of ['/%', '/%e0%a4%a', '/%?x=%']) expectRefusal(await site.ask(`GET ${path}`), 404, path);
  });

  test('an address of up to 8 KB is read', async () => {
    const query = (bytes: number) => `GET /actualites?x=${'x'.repeat(bytes)}`;
    expect((await site.call(query(8_000))).status).toBe(200);
    expect((await site.call(query(8_200))).status).toBe(414);
  });

  test('an id is a whole number from 1 on, written plainly; anything else is a 404', async () => {
    const ids = [
      '0',
      '-1',
      '+1',
      '1.5',
      '1.0',
      '01',
      `0${newsId}`,
      '%201',
      '1%20',
      '1e3',
      '0x1',
      '1_000',
      '9999999999999999999',
      '99999999999999',
      '999999999999999',
      '1%00',
      '%00',
      '..%2f',
      '1%2f2',
      'null',
      'NaN',
      '١',
      '１',
      '%F0%9F%98%80',
      "1'--",
      '1;drop',
      '1,2',
      '[1]',
      '{}',
      'a'.repeat(199),
      'true',
      '*',
    ];
    for (const id of ids) {
      for (const path of ['/actualites', '/alaune', '/events', '/avantage']) {
        expectRefusal(await site.call(`GET ${path}/${id}`), 404, `GET ${path}/${id}`);
      }
      for (const what of [
        `DELETE /actualites/${id}`,
        `DELETE /admins/${id}`,
        `POST /corbeille/actualites/${id}/restaurer`,
      ]) {
        expectRefusal(await site.call(what), 401, what);
        expectRefusal(await site.call(what, { token: family }), 403, what);
        expectRefusal(await site.call(what, { token }), 404, what);
      }
      const what = `PUT /alaune/${id}`;
      expectRefusal(await site.call(what, { token, body: form({ titre: 'x' }) }), 404, what);
    }
    // Nor does a very long one.
    for (const id of ['a'.repeat(201), '1'.repeat(3_000)]) {
      for (const what of [`GET /actualites/${id}`, `DELETE /admins/${id}`]) {
        expectRefusal(await site.call(what), what.startsWith('GET') ? 404 : 401, what);
        expectRefusal(await site.call(what, { token }), 404, what);
      }
    }
    const coded = [...String(newsId)].map((digit) => `%3${digit}`).join('');
    expect((await site.call(`GET /actualites/${coded}`)).json[0].id).toBe(newsId);
    expect((await site.call(`GET /actualites/${newsId}?id=0`)).json[0].id).toBe(newsId);
  });

  test('an address cannot climb', async () => {
    for (const path of [
      '/api/api/../admins',
      '/api/api/%2e%2e/admins',
      '/api/images/../../secret.key',
      '/api/images/..%2f..%2fsecret.key',
      '/api/images/%2e%2e%5csecret.key',
      '/../secret.key',
      '/api/api/actualites/../admins',
      '/./api/api/admins',
    ]) {
      const answer = await rawOne(`GET ${path} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
      expect(answer.status, path).toBe(404);
    }
  });

  test('a kind that does not exist is a 404', async () => {
    for (const genre of ['x', 'admins', '__proto__', 'constructor', 'ACTUALITES', '..%2f', 'x'.repeat(41)]) {
      const what = `POST /corbeille/${genre}/1/restaurer`;
      expectRefusal(await site.call(what, { token }), 404, what);
    }
  });

  test('a faulty question is a 422', async () => {
    for (const query of [
      'limite=0',
      'limite=101',
      'limite=x',
      'limite=1.5',
      'limite=',
      'limite=1&limite=2',
      'tout=2',
      'tout=1&tout=1',
      'limite=-1',
    ]) {
      expectRefusal(await site.call(`GET /actualites?${query}`, { token }), 422, query);
    }
    for (const query of [
      'autre=1',
      '__proto__=1',
      'constructor=1&constructor=2',
      'limite[]=1',
      '=',
      '&&&',
      'limite%00=1',
    ]) {
      expect((await site.call(`GET /actualites?${query}`)).status, query).toBe(200);
    }
  });
});

function matches(pattern: string, address: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(address);
}

describe('Bodies', () => {
  test('JSON that cannot be read is a 400', async () => {
    for (const body of [
      '{',
      '{"a":}',
      "{'a':1}",
      'undefined',
      '{"a":1}}',
      '\u0000',
      '{"a":1',
      '[1,]',
      'NaN',
      '\uFEFF{',
      '{"a":"\n"}',
    ]) {
      expectRefusal(await sendJson('POST /loginAdmin', body), 400, JSON.stringify(body));
      expectRefusal(await sendJson('PUT /reglages', body, { token }), 400, JSON.stringify(body));
    }
  });

  test('an empty one is a 422 that names what is missing', async () => {
    const answer = await sendJson('POST /loginAdmin', '');
    expectRefusal(answer, 422, 'empty');
    expect(Object.keys(answer.json.champs)).toEqual(['username', 'password']);
  });

  test('JSON of more than 100 KB is a 413 on every call that takes JSON', async () => {
    const body = JSON.stringify({ x: 'x'.repeat(101 * 1024) });
    for (const { key, path, method, call } of calls) {
      if (call.body?.as !== 'json') continue;
      const what = `${method} ${path.replace(/:\w+/g, '1')}`;
      const isOfFamilies = !admits(call.access, 'admin');
      expectRefusal(await sendJson(what, body, { token: isOfFamilies ? family : token }), 413, key);
    }
    const chunked = [
      'POST /api/api/loginAdmin HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      'Connection: close',
      '',
      '',
    ].join('\r\n');
    const chunk = `${(60_000).toString(16)}\r\n${' '.repeat(60_000)}\r\n`;
    expect((await rawOne(`${chunked}${chunk}${chunk}0\r\n\r\n`)).status).toBe(413);
  });

  test('JSON deeper than 20 levels is a 400', async () => {
    const deep = (levels: number) => `{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect((await sendJson('PUT /reglages', deep(15), { token })).status).toBe(200);
    for (const levels of [21, 100, 50_000]) {
      expectRefusal(await sendJson('PUT /reglages', deep(levels), { token }), 400, String(levels));
    }
    const objects = `${'{"x":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    expectRefusal(await sendJson('POST /loginAdmin', objects), 400, 'objects');
  });

  test('keys that every object has count for nothing', async () => {
    const { username, password } = ADMIN;
    const inner = JSON.stringify({ username, password });
    for (const body of [
      `{"__proto__":${inner}}`,
      `{"constructor":{"prototype":${inner}}}`,
      `{"constructor":${inner}}`,
    ]) {
      const answer = await sendJson('POST /loginAdmin', body);
      expectRefusal(answer, 422, body);
      expect(Object.keys(answer.json.champs)).toEqual(['username', 'password']);
    }
    const right = await sendJson(
      'POST /loginAdmin',
      `{"__proto__":{"x":1},"username":"${username}","password":"${password}"}`,
    );
    expect(right.status).toBe(200);
    expect('username' in {}).toBe(false);
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      const body = form({ titre: 'T', resume: 'R', description: 'D', lien_article: '', [name]: 'x' });
      const texts = await site.call('POST /alaune', { token, body: form({ titre: 'T', [name]: 'x' }) });
      expect([400, 422], `${name}: ${texts.text}`).toContain(texts.status);
      expect([201, 400], name).toContain((await site.call('POST /alaune', { token, body })).status);
      const withFile = new FormData();
      withFile.append(name, new Blob(['x']), 'x.jpg');
      expect([400, 415, 422], `${name}, a file`).toContain(
        (await site.call('POST /alaune', { token, body: withFile })).status,
      );
    }
  });

  test('the content type cannot be played with to skip validation', async () => {
    const right = JSON.stringify(ADMIN);
    const wrong = JSON.stringify({ username: 1, password: [] });
    const types = [
      'application/json',
      'APPLICATION/JSON',
      'Application/Json; Charset=UTF-8',
      'application/json;charset=x',
      'application/json; charset="utf-8',
      'application/json;',
      'application/json ;',
      'application/json\t;charset=utf-8',
      'application/json\ta',
      'application/json, text/plain',
      'application/json; boundary=x',
      'application/jsonx',
      'application/json-patch+json',
      'application/vnd.api+json',
      'application/json+x',
      'text/json',
      'text/plain',
      'text/html',
      'json',
      '*/*',
      'application/*',
      '/',
      ';',
      'x',
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded; charset=utf-8',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=x',
      'multipart/form-data; boundary=x, application/json',
      'application/octet-stream',
      '__proto__',
      'constructor',
      `x/${'y'.repeat(1_000)}`,
    ];
    for (const type of types) {
      const headers = { 'content-type': type };
      const bad = await site.call('POST /loginAdmin', { body: wrong, headers });
      expect([400, 415, 422], `${type}: ${bad.text}`).toContain(bad.status);
      expectRefusal(bad, bad.status, type);
      const good = await site.call('POST /loginAdmin', { body: right, headers });
      expect([200, 400, 415], `${type}: ${good.text}`).toContain(good.status);
      const multipart = await site.call('POST /actualites', { token, body: wrong, headers });
      expect([400, 415, 422], `${type}, for a form with files: ${multipart.text}`).toContain(
        multipart.status,
      );
      const closed = await site.call('PUT /reglages', { body: wrong, headers });
      expect(closed.status, type).toBe(401);
    }
  });

  test('no type, two types and a folded header are refused or validated', async () => {
    const body = '{"username":1}';
    const post = (headers: string) =>
      rawOne(
        `POST ${API_PREFIX}/loginAdmin HTTP/1.1\r\n${HOST}${CLOSE}${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    for (const headers of [
      '',
      'Content-Type:\r\n',
      'Content-Type: text/plain\r\nContent-Type: application/json\r\n',
      'Content-Type: application/json\r\nContent-Type: text/plain\r\n',
      'Content-Type: multipart/form-data; boundary=x\r\nContent-Type: application/json\r\n',
      'Content-Type: application/json;\r\n charset=utf-8\r\n',
      'Content-Type : application/json\r\n',
      'Content-Encoding: gzip\r\nContent-Type: application/json\r\n',
    ]) {
      const answer = await post(headers);
      expect([400, 415, 422], `${JSON.stringify(headers)}: ${answer.body}`).toContain(answer.status);
    }
  });
});

describe('Caching', () => {
  const paths = () => [
    '/actualites',
    '/alaune',
    '/logos',
    '/events',
    '/avantage',
    '/actualites?limite=2',
    `/actualites/${newsId}`,
    `/alaune/${featuredId}`,
  ];

  test('public readings have an ETag and are not sent again unchanged', async () => {
    for (const path of paths()) {
      // Twice: made anew, then as kept in memory.
      for (const turn of [1, 2]) {
        const first = await site.call(`GET ${path}`);
        const etag = first.headers.get('etag') ?? '';
        expect(etag, `${path} ${turn}`).toMatch(/^W\/"[\w-]{6,}"$/);
        expect(first.headers.get('cache-control'), path).toBe('no-cache');
        const again = await site.call(`GET ${path}`, { headers: { 'if-none-match': etag } });
        expect([again.status, again.text, again.headers.get('etag')], path).toEqual([304, '', etag]);
        const other = await site.call(`GET ${path}`, { headers: { 'if-none-match': '"autre"' } });
        expect([other.status, other.headers.get('etag')], path).toEqual([200, etag]);
        const head = await site.call(`HEAD ${path}`);
        expect([head.status, head.text, head.headers.get('etag')], path).toEqual([200, '', etag]);
      }
    }
  });

  test('an ETag in a list, as a weak one or a star also says unchanged', async () => {
    for (const path of ['/actualites', `/actualites/${newsId}`]) {
      const etag = (await site.call(`GET ${path}`)).headers.get('etag') ?? '';
      for (const value of [`"autre", ${etag}`, etag.slice(2), `${etag},"x"`, '*']) {
        const answer = await site.call(`GET ${path}`, { headers: { 'if-none-match': value } });
        expect(answer.status, `${path}: ${value}`).toBe(304);
      }
    }
  });

  test('a change is seen by the very next reading', async () => {
    const read = async () => (await site.call('GET /alaune')).headers.get('etag') ?? '';
    const body = () => form({ titre: 'Autre', resume: 'R', description: 'D', lien_article: '' });
    let last = await read();
    const created = await site.call('POST /alaune', { token, body: body() });
    for (const work of [
      async () => {},
      () => site.call(`PUT /alaune/${created.json.id}`, { token, body: form({ titre: 'Encore' }) }),
      () => site.call(`DELETE /alaune/${created.json.id}`, { token }),
    ]) {
      await work();
      const next = await site.call('GET /alaune', { headers: { 'if-none-match': last } });
      expect(next.status).toBe(200);
      last = next.headers.get('etag') ?? '';
    }
  });

  test('what is not for everybody is not stored', async () => {
    const asked = [
      site.call('GET /session', { token }),
      site.call('GET /verifyToken', { token }),
      site.call('GET /admins', { token }),
      site.call('GET /journal', { token }),
      site.call('GET /reglages', { token }),
      site.call('GET /corbeille', { token }),
      site.call('GET /documents', { token }),
      site.call('GET /actualites?tout=1', { token }),
      site.call(`GET /actualites/${newsId}`, { token }),
      site.call('PUT /reglages', { token, body: {} }),
      site.call('POST /loginAdmin', { body: ADMIN }),
      site.ask('GET /healthz'),
      site.ask('GET /readyz'),
    ];
    for (const [turn, asking] of asked.entries()) {
      const answer = await asking;
      expect([answer.status, answer.headers.get('cache-control')], String(turn)).toEqual([200, 'no-store']);
      expect(answer.headers.has('etag'), String(turn)).toBe(false);
    }
  });
});

describe('On the wire', () => {
  const login = (headers: string, body: string) =>
    `POST ${API_PREFIX}/loginAdmin HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`;
  const smuggled = `GET ${API_PREFIX}/session HTTP/1.1\r\n${HOST}\r\n`;

  const ambiguous: [string, string][] = [
    [
      'a length and chunks',
      login('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`),
    ],
    [
      'chunks and a length',
      login('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${smuggled}`),
    ],
    ['two lengths', login('Content-Length: 2\r\nContent-Length: 5\r\n', `{}${smuggled}`)],
    ['a length with a sign', login('Content-Length: +2\r\n', `{}${smuggled}`)],
    ['a length in hexadecimal', login('Content-Length: 0x2\r\n', `{}${smuggled}`)],
    ['a length below zero', login('Content-Length: -1\r\n', smuggled)],
    ['an unknown coding', login('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`)],
    ['a coding after chunks', login('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled}`)],
    ['a bad chunk size', login('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n0\r\n\r\n${smuggled}`)],
    [
      'a chunk longer than said',
      login('Transfer-Encoding: chunked\r\n', `2\r\n{}xx\r\n0\r\n\r\n${smuggled}`),
    ],
    ['a blank before a colon', login('Content-Length : 2\r\n', `{}${smuggled}`)],
    ['a folded header', login('X-Long: a\r\n b\r\nContent-Length: 2\r\n', `{}${smuggled}`)],
    ['a NUL in a header', login('X-Nul: a\u0000b\r\nContent-Length: 2\r\n', `{}${smuggled}`)],
    ['a bare CR in a header', login('X-Cr: a\rContent-Length: 2\r\n', `{}${smuggled}`)],
    ['a header without a name', login(': x\r\nContent-Length: 2\r\n', `{}${smuggled}`)],
    ['bare line feeds', `GET ${API_PREFIX}/session HTTP/1.1\nHost: x\n\n${smuggled}`],
  ];
  for (const [name, bytes] of ambiguous) {
    test(`${name}: 400, and the connection is closed`, async () => {
      const { answers, closed } = await raw(bytes);
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(closed).toBe(true);
    });
  }

  test('two demands on one connection have their answers in order', async () => {
    const bytes = `GET /healthz HTTP/1.1\r\n${HOST}\r\nGET ${API_PREFIX}/session HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;
    const { answers } = await raw(bytes);
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });

  test('a body of a refused call is no next demand', async () => {
    const bytes = `POST ${API_PREFIX}/admins HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`;
    const { answers } = await raw(bytes, 2, 300);
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });

  test('those who send their headers slowly keep nobody waiting', async () => {
    const slow = Array.from({ length: 200 }, () => {
      const socket = toSite();
      socket.on('error', () => {});
      socket.write(`GET /healthz HTTP/1.1\r\n${HOST}X-Slow: `);
      return socket;
    });
    try {
      for (let turn = 0; turn < 20; turn++) {
        for (const socket of slow) socket.write('x');
        expect((await site.call('GET /events')).status).toBe(200);
        expect((await site.call('GET /session', { token })).status).toBe(200);
      }
    } finally {
      for (const socket of slow) socket.destroy();
    }
  });

  test('a JSON body has 15 s to arrive; then it is answered 408, and its connection closed', async () => {
    const answer = await endless;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).toContain('La demande a mis trop de temps à arriver.');
  }, 30_000);

  test('slow and silent connections have an end', () => {
    const { server } = site.app;
    expect(server.headersTimeout).toBe(10_000);
    expect(server.timeout).toBe(30_000);
    expect(server.maxRequestsPerSocket ?? 0).toBe(0);
  });
});

describe('The log', () => {
  const lines = () => site.logLines.map((line) => JSON.parse(line));
  const linesOf = ({ headers }: Answer) =>
    lines().filter(({ requestId }) => requestId === headers.get('x-request-id'));

  test('has one line a request, under the id that the answer carries', async () => {
    const asked: [string, Promise<Answer>][] = [
      ['GET /actualites', site.call('GET /actualites?limite=31')],
      ['GET /actualites/:id', site.call(`GET /actualites/${newsId}`)],
      ['GET /admins', site.call('GET /admins')],
      ['POST /loginAdmin', site.call('POST /loginAdmin', { body: {} })],
      ['GET /healthz', site.ask('GET /healthz')],
      ['GET /api/images/:file', site.ask('GET /api/images/x')],
      ['GET', site.call('GET /nulle-part')],
      ['GET', site.call('GET /%zz')],
      ['DELETE', site.call('DELETE /session')],
    ];
    for (const [name, asking] of asked) {
      const answer = await asking;
      await new Promise((resolve) => setTimeout(resolve, 5));
      const { requestId, call, status, ms } = linesOf(answer)[0] ?? {};
      expect(linesOf(answer), `${name} ${answer.status}`).toHaveLength(1);
      expect({ requestId, call, status }, name).toEqual({
        requestId: answer.headers.get('x-request-id'),
        call: name,
        status: answer.status,
      });
      expect(ms).toBeGreaterThanOrEqual(0);
    }
  });

  test('also for a list kept in memory', async () => {
    await site.call('GET /logos');
    const kept = await site.call('GET /logos');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(linesOf(kept)).toHaveLength(1);
  });

  test('holds nothing of what people send', async () => {
    const before = site.logLines.length;
    const headers = {
      'user-agent': MARK,
      referer: `https://x.test/${MARK}`,
      'x-forwarded-for': MARK,
      'accept-language': MARK,
      'x-request-id': MARK,
    };
    const mail = `${MARK}@exemple.fr`;
    await site.call(`GET /actualites?q=${MARK}`, { headers });
    await site.call(`GET /${MARK}?x=${MARK}`, { headers });
    await site.call(`GET /%zz${MARK}`, { headers });
    await site.ask(`GET /api/images/${MARK}.webp`, { headers });
    await site.ask(`GET /${MARK}`, { headers });
    await site.call('GET /session', { headers, token: MARK });
    await site.call('GET /session', { headers, cookie: `passerelle_portail=${MARK}` });
    await site.call(`POST /loginAdmin?password=${MARK}`, {
      headers,
      body: { username: MARK, password: MARK },
    });
    await site.call('POST /loginAdmin', { headers, body: { [MARK]: MARK, username: [MARK] } });
    await sendJson('POST /loginAdmin', `{"${MARK}`, { headers });
    await site.call('POST /loginAdmin', { body: MARK, headers: { 'content-type': `${MARK}/${MARK}` } });
    await site.call('PUT /reglages', {
      token,
      headers,
      body: { contact_email: mail, organisation_nom: MARK },
    });
    await site.call('PUT /reglages', { token, headers, body: { contact_email: MARK } });
    await site.call('POST /actualites', {
      token,
      body: form({ titre: MARK, description: MARK, image: [new Uint8Array(9), `${MARK}.jpg`] }),
    });
    await site.call('POST /actualites', {
      token,
      body: form({ titre: MARK, description: MARK, [MARK]: [new Uint8Array(9), MARK] }),
    });
    await site.call('GET /session', { token, headers: { origin: `https://${MARK}.test` } });
    await raw(`${MARK}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(site.logLines.length).toBeGreaterThan(before + 10);
    expect(site.logLines.filter((line) => line.toLowerCase().includes(MARK))).toEqual([]);
  });

  test('holds no token, name, e-mail or question, in any line of this file’s run', () => {
    const text = site.logLines.join('');
    expect(lines().length).toBeGreaterThan(500);
    const words = [
      token,
      family,
      ADMIN.password,
      ADMIN.username,
      'tournesol-lanterne-26',
      'limite=',
      'password=',
      '127.0.0.1:',
    ];
    // The line that says where the site listens is the one with an address.
    const said = text
      .split('\n')
      .filter((line) => !line.includes('Server listening'))
      .join('\n');
    expect(words.filter((word) => said.includes(word))).toEqual([]);
    expect(said).not.toMatch(/[\w.+-]+@[\w-]+\.\w+/);
    expect(lines().filter(({ msg }) => msg === 'unforeseen error')).toHaveLength(1);
  });
});
