import { readdirSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { UPLOAD_PATH } from '#features/photos/shared/terms.ts';
import { PART_POLICY, securityHeaders } from '#platform/server/http/headers.ts';
import { COOKIES } from '#platform/server/sessionsStore.ts';
import { API_PREFIX, refusal } from '#platform/shared/call.ts';
import { form, picture } from '#tests/support/forms.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { metadata } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/*
 * What stands above every answer, by its kind, asked of a site that is reached by https: every kind once with all that
 * it says, then every address in every method.
 */

interface Head {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

let site: TestSite;
let agent: Agent;
let common: Record<string, string>;
/** Addresses of one thing of each kind, and what opens them. */
const at: Record<string, string> = {};
const filled = (text: string) => text.replace(/@(\w+)/g, (whole, name: string) => at[name] ?? whole);

beforeAll(async () => {
  agent = new Agent({ keepAlive: true });
  site = await openSite({ pages: true, env: { PUBLIC_URL: 'https://cse.exemple' } });
  common = securityHeaders(site.services.config, true);
  const token = await site.tokenOf('admin');
  const add = async (what: string, body: unknown) => (await site.call(what, { token, body })).json;
  const news = form({ titre: 'Été', description: 'Bonjour', image: await picture() });
  const { image_url } = await add('POST /actualites', news);
  const minutes = form({ nom: 'Juin', date_ajout: '2026-06-02', url: [minutesPdf('Juin', ['Un']), 'a.pdf'] });
  const { url } = await add('POST /documents', minutes);
  const stay = { nom_stage: 'Mer', date_debut: '2026-06-10', date_fin: '2026-06-20' };
  const { id } = await add('POST /stages', stay);
  await addPhotos(site.services, id, 1);
  const [photo] = (await site.call(`GET /stages/${id}/photos`, { token })).json.photos;
  const director = await site.tokenOf('director', id);
  await site.jobs.idle();
  const image = `/api/images_stages/${image_url}`;
  const { text } = await site.ask('GET /');
  Object.assign(at, {
    ...{ admin: token, director, stay: `${API_PREFIX}/stages/${id}`, stayId: id },
    ...{ image, narrow: image.replace('.webp', '-320.webp'), pdf: `/api/doc_stage_formateur/${url}` },
    ...{ photo: `/api/photos/${photo.fichiers.w320}`, asset: /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] },
    cookie: `__Host-${COOKIES.director}=${director}; __Host-${COOKIES.admin}=${token}`,
  });
});
afterAll(async () => {
  agent.destroy();
  await site?.close();
});

/** As it is, with any method; an answer without end is left after its headers. */
function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Head> {
  const { port } = new URL(site.origin);
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, method, path, headers }, (answer) => {
      const said = { status: answer.statusCode ?? 0, headers: answer.headers };
      const chunks: Buffer[] = [];
      if (answer.headers['content-type'] === 'text/event-stream') {
        resolve({ ...said, text: '' });
        answer.destroy();
        return;
      }
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => resolve({ ...said, text: Buffer.concat(chunks).toString('utf8') }));
    });
    asked.on('error', reject).end();
  });
}

const seen = new Set<unknown>();

function expectRefusal(name: string, { headers, text }: Head): void {
  expect(headers['content-type'], name).toBe('application/json; charset=utf-8');
  expect(headers['cache-control'], name).toBe('no-store');
  expect(refusal.strict().safeParse(JSON.parse(text)).success, `${name}: ${text}`).toBe(true);
}

/** What holds for every answer; what a kind says otherwise or besides is in `own`, a null for what it must not say. */
function expectHeaders(name: string, { headers }: Head, own: Record<string, string | null> = {}): void {
  const expected: Record<string, string | null> = {
    ...common,
    ...Object.fromEntries(
      [
        ...['server', 'x-powered-by', 'via', 'access-control-allow-origin', 'access-control-allow-methods'],
        ...['access-control-allow-headers', 'access-control-expose-headers', 'set-cookie'],
      ].map((header) => [header, null]),
    ),
    ...own,
  };
  const found = Object.keys(expected).map((header) => [header, headers[header] ?? null]);
  expect(Object.fromEntries(found), name).toEqual(expected);
  expect(headers['strict-transport-security'], name).toMatch(/^max-age=\d{8,}; includeSubDomains$/);
  expect(headers['x-request-id'], name).toMatch(/^[\w-]{5,40}$/);
  expect(seen.has(headers['x-request-id']), name).toBe(false);
  seen.add(headers['x-request-id']);
}

/** What the parts of a page say otherwise: what only documents heed is left out. */
const PART = {
  ...{ 'content-security-policy': PART_POLICY, 'cross-origin-opener-policy': null },
  ...{ 'x-frame-options': null, 'referrer-policy': null, 'permissions-policy': null },
};

describe('An answer says what its kind says', () => {
  const JSON_TYPE = 'application/json; charset=utf-8';
  const error = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', etag: null };
  const kept = (type: string) => ({ 'content-type': type, 'cache-control': 'no-cache' });
  const page = { ...kept('text/html; charset=utf-8'), vary: 'accept-encoding, accept-language' };
  const own = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', etag: null };
  const shared = { ...PART, 'cache-control': 'public, max-age=600', vary: null };
  const photo = { ...PART, 'cache-control': 'private, no-cache', vary: 'Cookie, Authorization' };
  const unseen = { ...photo, 'content-type': 'image/webp', 'x-robots-tag': 'noindex, noimageindex' };
  const pdf = {
    ...{ 'content-type': 'application/pdf', 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' },
    // A sandbox, or a policy of sources, would leave it blank in Safari.
    ...{ 'content-security-policy': "frame-ancestors 'self'", 'x-frame-options': 'SAMEORIGIN' },
  };
  const zip = { 'content-type': 'application/zip', 'cache-control': 'private, no-cache' };
  const forEver = {
    ...PART,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  };
  const events = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  const tus = { 'cache-control': 'no-store', 'tus-resumable': '1.0.0' };
  const unchanged = { 'if-none-match': '*' };
  const range = { range: 'bytes=0-9' };
  const staff = { authorization: 'Bearer @admin' };
  const signedIn = { cookie: '@cookie' };

  /** What is asked, with `@name` for what the site gave that name; what is sent along; what is answered. */
  const rows: [string, Record<string, string>, number, Record<string, string | null>][] = [
    ['GET /', {}, 200, page],
    ['HEAD /', {}, 200, page],
    ['GET /nulle-part', {}, 404, page],
    ['GET /%', {}, 404, page],
    ['GET http://mechant.test/', {}, 404, page],
    ['GET /api/docs', {}, 200, { 'content-type': 'text/html; charset=utf-8' }],
    ['GET /api/docs/openapi.json', {}, 200, { 'content-type': JSON_TYPE }],
    ['GET /healthz', {}, 200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }],
    ['GET /readyz', {}, 200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }],
    ['GET /robots.txt', {}, 200, kept('text/plain; charset=utf-8')],
    ['GET /sitemap.xml', {}, 200, kept('application/xml; charset=utf-8')],
    ['GET /icon.svg', {}, 200, kept('image/svg+xml; charset=utf-8')],
    ['GET @asset', {}, 200, { ...forEver, 'content-type': 'text/javascript; charset=utf-8' }],
    ['GET @asset', unchanged, 304, forEver],
    ['GET /api/api/actualites', {}, 200, { ...kept(JSON_TYPE), vary: 'accept-encoding' }],
    ['GET /api/api/actualites', unchanged, 304, { 'cache-control': 'no-cache' }],
    ['GET /api/api/session', staff, 200, own],
    ['GET /api/api/compteur.svg', {}, 200, { 'content-type': 'image/svg+xml; charset=utf-8' }],
    ['GET /api/api/download-passwords', staff, 200, { 'cache-control': 'no-store' }],
    ['GET @image', {}, 200, { ...shared, 'content-type': 'image/webp' }],
    ['GET @narrow', {}, 200, { ...shared, 'content-type': 'image/webp' }],
    ['GET @image', range, 206, { ...shared, 'content-type': 'image/webp' }],
    ['GET @image', unchanged, 304, shared],
    ['GET @pdf', signedIn, 200, pdf],
    ['GET @pdf', { ...signedIn, ...range }, 206, pdf],
    ['GET @pdf', { ...signedIn, range: 'bytes=9999999-' }, 416, pdf],
    ['GET @pdf', {}, 401, error],
    ['GET @pdf', { 'sec-fetch-dest': 'document' }, 303, { location: '/compte-rendus' }],
    ['GET @photo', signedIn, 200, unseen],
    ['HEAD @photo', signedIn, 200, unseen],
    ['GET @photo', { ...signedIn, ...range }, 206, unseen],
    ['GET @photo', { ...signedIn, ...unchanged }, 304, photo],
    ['GET @photo', {}, 401, error],
    ['GET @photo', { ...signedIn, 'sec-fetch-site': 'cross-site' }, 403, error],
    ['GET @stay/photos.zip', signedIn, 200, { ...zip, vary: 'cookie, authorization' }],
    ['GET @stay/flux', signedIn, 200, events],
    ['HEAD @stay/flux', signedIn, 200, events],
    ['POST /api/api/photos/envoi', {}, 401, error],
    ['POST /api/api/photos/envoi', staff, 400, error],
    ['GET /api/api/nulle-part', {}, 404, error],
    ['DELETE /api/api/session', {}, 405, { ...error, allow: 'GET, HEAD' }],
    ['OPTIONS /api/api/session', { origin: 'https://x.test' }, 405, error],
    ['GET /apple-touch-icon.png', {}, 200, { ...PART, ...kept('image/png') }],
    ['GET /favicon.ico', {}, 200, { ...PART, ...kept('image/x-icon') }],
    ['GET /api/api/session', {}, 401, error],
    ['GET /api/api/%', {}, 400, error],
    [`GET /${'x'.repeat(8_300)}`, {}, 414, error],
    ['GET /', { 'x-long': 'x'.repeat(17_000) }, 431, error],
  ];
  test.each(rows)('%s, %j: %i', async (what, sent, status, said) => {
    const [method = '', path = ''] = filled(what).split(' ');
    const answer = await ask(method, path, JSON.parse(filled(JSON.stringify(sent))));
    expect(answer.status, answer.text).toBe(status);
    expectHeaders(what, answer, JSON.parse(filled(JSON.stringify(said))));
    if (method === 'HEAD' || status === 304) expect(answer.text).toBe('');
    if (answer.text !== '' && said === error) expectRefusal(what, answer);
  });

  test('an upload, from its beginning to its end', async () => {
    const said = { authorization: `Bearer ${at.director}`, 'tus-resumable': '1.0.0' };
    const bytes = (await picture())[0];
    const created = await ask('POST', API_PREFIX + UPLOAD_PATH, {
      ...said,
      'upload-length': String(bytes.length),
      'upload-metadata': metadata(Number(at.stayId), bytes),
    });
    expect(created.status, created.text).toBe(201);
    expectHeaders('created', created, tus);
    const { location = '' } = created.headers;
    // Where it goes on is an address of this site, whatever host was asked.
    expect(location).toMatch(new RegExp(`^${API_PREFIX}${UPLOAD_PATH}/`));
    const state = await ask('HEAD', location, said);
    expect([state.status, state.headers['upload-offset']]).toEqual([200, '0']);
    expectHeaders('state', state, tus);
    const odd = await ask('PATCH', location, { ...said, 'content-type': 'text/plain', 'upload-offset': '0' });
    expect(odd.status).toBe(415);
    expectHeaders('another type', odd, error);
    const ended = await ask('DELETE', location, said);
    expect(ended.status).toBe(204);
    expectHeaders('given up', ended, tus);
    const gone = await ask('HEAD', location, said);
    expect([gone.status, gone.text]).toEqual([404, '']);
    expectHeaders('gone', gone, { 'cache-control': 'no-store' });
  });
});

test('a page that was opened by http is told where the site is, another site is refused', async () => {
  const said = async (origin: string, token = String(at.admin)) => {
    const answer = await site.call('GET /session', { token, headers: { origin } });
    return [answer.status, answer.json.message];
  };
  expect(await said('https://cse.exemple')).toEqual([200, undefined]);
  expect(await said(site.origin)).toEqual([
    403,
    'Cette page n’est pas ouverte à l’adresse du site\u202f: continuez sur https://cse.exemple.',
  ]);
  expect(await said('https://autre.exemple')).toEqual([
    403,
    'Cette demande vient d’un autre site\u202f: elle est refusée.',
  ]);
});

test('a host that a request names stands in no answer, nor leads anybody away', async () => {
  const away = {
    ...{ host: 'mechant.test', 'x-forwarded-host': 'mechant.test', 'x-forwarded-proto': 'http' },
    ...{
      forwarded: 'host=mechant.test',
      'x-original-url': '//mechant.test',
      referer: 'https://mechant.test/',
    },
    'sec-fetch-dest': 'document',
  };
  const question = '?next=//mechant.test&retour=https://mechant.test&url=https:mechant.test';
  const paths = ['/', '/connexion', '/nulle-part', '//mechant.test/', '/sitemap.xml', '/robots.txt', '@pdf'];
  const beside = [
    '/\\mechant.test',
    '/api/docs',
    '/api/api/actualites',
    '/api/doc_stage_formateur/mechant.test',
  ];
  for (const path of [...paths.map(filled), ...beside]) {
    const { status, headers, text } = await ask('GET', path + question, away);
    expect(status, path).toBeLessThan(500);
    expect(headers.location ?? '/', path).toMatch(/^\/(?![/\\])/);
    expect(JSON.stringify(headers) + text, path).not.toContain('mechant');
  }
});

/** Names under which careless sites leave what is nobody’s business. */
const SECRET_NAMES = [
  ...[
    '.git/config',
    '.git/HEAD',
    '.gitignore',
    '.svn/entries',
    '.hg/store',
    '.DS_Store',
    '.env',
    '.env.local',
  ],
  ...[
    '.env.production',
    '.npmrc',
    '.htaccess',
    '.htpasswd',
    '.ssh/id_rsa',
    '.vscode/settings.json',
    '.nvmrc',
  ],
  ...['.bash_history', '.dockerenv', '.well-known/x', 'Dockerfile', 'docker-compose.yml', 'package.json'],
  ...[
    'package-lock.json',
    'tsconfig.json',
    'biome.json',
    'vite.config.ts',
    'app/server/main.ts',
    'node_modules/',
  ],
  ...['data/', 'data/passerelle.db', 'passerelle.db', 'passerelle.db-wal', 'db.sqlite', 'database.sqlite3'],
  ...['secret.key', 'secrets.json', 'config.json', 'config.php', 'config.yml', 'settings.py', 'web.config'],
  ...[
    'backup.zip',
    'backup.sql',
    'dump.sql',
    'site.tar.gz',
    'backup/',
    'old/',
    'logs/',
    'error.log',
    'access.log',
  ],
  ...[
    'files/',
    'files/photos/',
    'staging/',
    'envois/x/y',
    'uploads/',
    'private/',
    'admin.php',
    'phpinfo.php',
  ],
  ...[
    'wp-login.php',
    'wp-config.php',
    'server-status',
    'metrics',
    'actuator/env',
    'debug',
    'console',
    'graphql',
  ],
  ...[
    'swagger.json',
    'openapi.yaml',
    'trace.axd',
    'crossdomain.xml',
    'index.html.bak',
    'index.html~',
    'index.ts',
  ],
];
/** Folders, and roads to where nobody should come. */
const PLACES = [
  ...['/', '/api/', `${API_PREFIX}/`, '/assets/', '/api/images/', '/api/images_stages/', '/api/docs/'],
  ...['/..%2f', '/%2e%2e/', '/assets/..%2f..%2f', '/api/images/..%2f..%2f', '/.//', '/%2f', '/..%5c'],
  ...['/server/', '/dist/', '/client/', '/public/', '/static/', '/src/'],
];

/** The files of the build in which nothing but the build itself is interested. */
function besideAssets(): string[] {
  const folder = join(import.meta.dirname, '../../dist/client/assets');
  const names = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
  return names.flatMap((name) => ['.map', '.br', '.gz', '.bak', '~'].map((end) => `/assets/${name}${end}`));
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

function addresses(): string[] {
  const paths = [...new Set(calls.map(({ path }) => API_PREFIX + path.replace(/:\w+/g, '1')))];
  const beside = [
    '/healthz',
    '/readyz',
    '/robots.txt',
    '/sitemap.xml',
    '/api/docs',
    '/api/docs/openapi.json',
  ];
  const pages = ['/', '/Evenements', '/membres', '/connexion', '/portail', '/compte-rendus', '/nulle-part'];
  const odd = paths.flatMap((path) => [`${path}/`, `${path}.json`, path.replace('/api/api', '/api')]);
  const files = ['images', 'images_stages', 'doc_stage_formateur', 'photos'].map(
    (one) => `/api/${one}/x.webp`,
  );
  const secrets = SECRET_NAMES.map((name) => `/${name}`);
  return [
    ...paths,
    ...beside,
    ...pages,
    ...odd,
    ...files,
    ...secrets,
    ...['@asset', '@image', '@pdf', '@photo'].map(filled),
  ];
}

describe('Every address in every method', () => {
  test('has the headers of all answers, and is an error in its form where it is one', async () => {
    const all = addresses();
    expect(all.length).toBeGreaterThanOrEqual(500);
    for (const path of all) {
      for (const method of METHODS) {
        const name = `${method} ${path}`;
        const answer = await ask(method, path, { 'x-secret': 'zebre' });
        expect(answer.status, name).toBeLessThan(500);
        const isPart = answer.status === 200 && ['@asset', '@image'].map(filled).includes(path);
        expectHeaders(name, answer, isPart ? PART : {});
        expect(answer.text, name).not.toContain('zebre');
        if (answer.text !== '') expect(answer.headers['content-type'], name).toMatch(/^\w+\/[\w.+-]+/);
        const isPage = answer.headers['content-type'] === 'text/html; charset=utf-8';
        const isReading = method === 'GET' || method === 'HEAD';
        if (isPage) expect(isReading && (path === '/api/docs' || !path.startsWith('/api/')), name).toBe(true);
        else if (answer.status >= 400 && method !== 'HEAD') expectRefusal(name, answer);
        if (answer.status === 405) expect(answer.headers.allow, name).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
        if (!isReading && method !== 'POST') expect(answer.status, name).toBeGreaterThanOrEqual(400);
      }
    }
  });

  test('two thousand that careless sites answer are unknown here', async () => {
    const secrets = [
      ...PLACES.flatMap((place) => SECRET_NAMES.map((name) => place + name)),
      ...besideAssets(),
    ];
    expect(secrets.length).toBeGreaterThanOrEqual(1_500);
    const found: string[] = [];
    for (const path of secrets) {
      const { status, text } = await ask('GET', path);
      if (status !== 404 || /\[core\]|DATABASE_URL|"dependencies"/.test(text))
        found.push(`${path}: ${status}`);
    }
    expect(found).toEqual([]);
  });
});
