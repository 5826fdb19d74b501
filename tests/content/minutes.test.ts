import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyOf } from '#platform/server/storage/storage.ts';
import type { Role } from '#platform/shared/roles.ts';
import { form } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
let admin: string;
const tokens = {} as Record<Role, string>;
beforeAll(async () => {
  site = await openSite();
  for (const role of ['admin', 'reader', 'family', 'director'] as const)
    tokens[role] = await site.tokenOf(role);
  admin = tokens.admin;
});
afterAll(() => site?.close());

const COOKIES: Record<Role, string> = {
  admin: 'passerelle_portail',
  reader: 'passerelle_lecture',
  family: 'passerelle_sejour',
  director: 'passerelle_sejour',
};
const MINUTES = minutesPdf('Compte rendu de la réunion du 12 juin', [
  'Étaient présents : tous.',
  ...Array.from({ length: 20 }, (_, index) => `${index + 1}. Rien de particulier n’est à signaler.`),
  'La séance est levée.',
]);

const add = (bytes: Uint8Array, nom = 'Réunion du 12 juin', name = 'cr.pdf') =>
  site.call('POST /documents', {
    token: admin,
    body: form({ nom, date_ajout: '2026-06-12', url: [bytes, name, 'application/pdf'] }),
  });
async function added(
  bytes: Uint8Array = MINUTES,
  nom?: string,
): Promise<{ id: number; url: string; path: string }> {
  const answer = await add(bytes, nom);
  expect(answer.status, answer.text).toBe(201);
  return { ...answer.json, path: `/api/doc_stage_formateur/${answer.json.url}` };
}
const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  site.ask(`${method} ${path}`, { headers });
const bearer = (role: Role) => ({ authorization: `Bearer ${tokens[role]}` });

describe('who may open minutes', () => {
  let path: string;
  beforeAll(async () => {
    path = (await added()).path;
  });
  const expected: [Role | undefined, number][] = [
    [undefined, 401],
    ['family', 403],
    ['director', 403],
    ['reader', 200],
    ['admin', 200],
  ];

  test.each(expected)(
    '%s, by token and by cookie, in every form of the request: %i',
    async (role, status) => {
      const ways: Record<string, string>[] = role
        ? [
            bearer(role),
            { cookie: `${COOKIES[role]}=${tokens[role]}` },
            { cookie: `a=b; ${COOKIES[role]}=${tokens[role]}; c=d` },
          ]
        : [{}, { cookie: 'passerelle_lecture=' }, { authorization: 'Bearer x' }];
      for (const way of ways) {
        for (const method of ['GET', 'HEAD']) expect((await open(path, way, method)).status).toBe(status);
        const ranged = await open(path, { ...way, range: 'bytes=0-9' });
        expect(ranged.status).toBe(status === 200 ? 206 : status);
        const etag = `"${path.split('/').at(-1)?.replace('.pdf', '')}"`;
        expect((await open(path, { ...way, 'if-none-match': etag })).status).toBe(
          status === 200 ? 304 : status,
        );
        if (status !== 200) expect((await open(path, way)).text).not.toContain('%PDF');
      }
    },
  );

  test('one good token among several opens them', async () => {
    const cookie = `${COOKIES.family}=${tokens.family}; ${COOKIES.reader}=${tokens.reader}`;
    expect((await open(path, { cookie })).status).toBe(200);
    expect((await open(path, { ...bearer('family'), cookie: `${COOKIES.admin}=${admin}` })).status).toBe(200);
  });

  test('a cookie counts for its own kind of token only', async () => {
    expect((await open(path, { cookie: `${COOKIES.family}=${tokens.reader}` })).status).toBe(401);
    expect((await open(path, { cookie: `${COOKIES.reader}=${admin}` })).status).toBe(401);
    expect((await open(path, { cookie: `autre=${tokens.reader}` })).status).toBe(401);
  });

  test('a token in the address, an expired or a revoked one opens nothing', async () => {
    // In a tab of its own: to the page that opens it, rather than bare JSON.
    const tab = await open(path, { 'sec-fetch-dest': 'document' });
    expect([tab.status, tab.headers.get('location')]).toEqual([303, '/compte-rendus']);
    expect((await open(`${path}?token=${tokens.reader}`)).status).toBe(401);
    const token = await site.tokenOf('reader');
    expect((await open(path, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await site.call('POST /auth/logout', { token })).status).toBe(200);
    expect((await open(path, { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await open(path, { cookie: `${COOKIES.reader}=${token}` })).status).toBe(401);
  });

  test('another site’s page cannot open them with somebody’s cookie', async () => {
    const cookie = `${COOKIES.reader}=${tokens.reader}`;
    for (const place of ['cross-site', 'same-site'])
      expect([place, (await open(path, { cookie, 'sec-fetch-site': place })).status]).toEqual([place, 403]);
    expect((await open(path, { cookie, origin: 'https://autre.example' })).status).toBe(403);
    expect((await open(path, { cookie, origin: 'null' })).status).toBe(403);
    for (const place of ['same-origin', 'none'])
      expect((await open(path, { cookie, 'sec-fetch-site': place })).status).toBe(200);
  });

  test('a made-up name is 401 without a token and 404 with one', async () => {
    const wrong = `/api/doc_stage_formateur/${'0'.repeat(32)}.pdf`;
    expect((await open(wrong)).status).toBe(401);
    for (const role of ['admin', 'reader', 'family'] as const)
      expect((await open(wrong, bearer(role))).status).toBe(404);
    for (const name of [
      '..%2f..%2fpasserelle.db',
      '%2e%2e%2fsecret.key',
      'x.pdf%00',
      path.split('/').at(-1)?.replace('pdf', 'webp'),
    ])
      expect((await open(`/api/doc_stage_formateur/${name}`, bearer('admin'))).status).toBe(404);
    for (const folder of ['images', 'images_stages'])
      expect((await open(path.replace('doc_stage_formateur', folder), bearer('admin'))).status).toBe(404);
  });
});

test('anybody learns whether minutes are open, and nothing else of them', async () => {
  // Without a password of its own, the site makes one up.
  const other = await openSite({ env: { MEETING_REPORTS_PASSWORD: '' } });
  try {
    const token = await other.tokenOf('admin');
    const state = async () => {
      const answer = await other.call('GET /documents/acces');
      expect(answer.status).toBe(200);
      return answer.json;
    };
    const publish = (more: Record<string, string> = {}) =>
      other.call('POST /documents', {
        token,
        body: form({
          nom: 'Réunion du 12 juin',
          date_ajout: '2026-06-12',
          ...more,
          url: [MINUTES, 'cr.pdf', 'application/pdf'],
        }),
      });
    expect(await state()).toEqual({ etat: 'aucun' });
    expect((await publish({ brouillon: '1' })).status).toBe(201);
    expect((await publish({ publie_du: '2999-01-01T08:00' })).status).toBe(201);
    expect(await state()).toEqual({ etat: 'aucun' });
    const { json } = await publish();
    expect(await state()).toEqual({ etat: 'sans_mot_de_passe' });
    // Settings that are read without the password, or saved without it, tell nobody.
    await other.call('GET /reglages?mot_de_passe=non', { token });
    await other.call('PUT /reglages', { token, body: { organisation_nom: 'Les Grands Pins' } });
    expect(await state()).toEqual({ etat: 'sans_mot_de_passe' });
    await other.call('GET /reglages?mot_de_passe=oui', { token });
    expect(await state()).toEqual({ etat: 'ouvert' });
    await other.call(`DELETE /documents/${json.id}`, { token });
    expect(await state()).toEqual({ etat: 'aucun' });
  } finally {
    await other.close();
  }
});

describe('how minutes are sent', () => {
  const asReader = () => bearer('reader');

  test('as they were received, closed to caches, framed by this site only', async () => {
    const { path } = await added();
    const response = await fetch(site.origin + path, { headers: asReader() });
    expect(Buffer.from(await response.arrayBuffer()).equals(MINUTES)).toBe(true);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-length')).toBe(String(MINUTES.length));
    expect(response.headers.get('cache-control')).toMatch(/private/);
    expect(response.headers.get('cache-control')).toMatch(/no-store/);
    // A sandbox, or a policy of sources, would leave it blank in Safari.
    expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'self'");
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(response.headers.get('x-robots-tag')).toContain('noindex');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a refusal may not be framed nor kept', async () => {
    const { path } = await added();
    const refused = await open(path);
    expect(refused.headers.get('x-frame-options')).toBe('DENY');
    expect(refused.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.json.message).toBeTypeOf('string');
  });

  test.each([
    ['Réunion extraordinaire — été 2026', 'Réunion extraordinaire — été 2026.pdf'],
    ['Le « bilan » "final"', 'Le « bilan » "final".pdf'],
    ["L'œuvre sociale; filename=x.exe", "L'œuvre sociale; filename=x.exe.pdf"],
    ['100 % réussi %41', '100 % réussi %41.pdf'],
    ['🎉', '🎉.pdf'],
  ])('saved under its title: %s', async (nom, filename) => {
    const { path } = await added(MINUTES, nom);
    const header = (await open(path, asReader())).headers.get('content-disposition') ?? '';
    expect(header.startsWith('inline;')).toBe(true);
    expect(header).not.toMatch(/[\r\n]/);
    const extended = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1];
    const plain = /filename="((?:[^"\\]|\\.)*)"/.exec(header)?.[1]?.replace(/\\(.)/g, '$1');
    expect(extended === undefined ? plain : decodeURIComponent(extended)).toBe(filename);
    // Exactly one plain and at most one extended name: nothing of the title became a parameter.
    expect(header.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/filename\*?=/g)?.length).toBeLessThanOrEqual(2);
  });

  test('a slash in the title makes no folder', async () => {
    const { path } = await added(MINUTES, 'CSE 12/06/2026 ../../x');
    const header = (await open(path, asReader())).headers.get('content-disposition') ?? '';
    expect(header).not.toMatch(/filename="[^"]*\//);
    expect(header).toMatch(/\.pdf/);
  });

  test('a line break in the title is refused', async () => {
    for (const nom of ['a\r\nSet-Cookie: x=y', 'a\nb', 'a\rb']) {
      const answer = await add(MINUTES, nom);
      expect([answer.status, Object.keys(answer.json.champs)]).toEqual([422, ['nom']]);
    }
  });

  test('parts are sent as viewers ask', async () => {
    const { path } = await added();
    const part = async (range: string) => {
      const response = await fetch(site.origin + path, { headers: { ...asReader(), range } });
      return { response, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const { length } = MINUTES;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=0-1023', 0, 1024],
      ['bytes=100-', 100, length],
      ['bytes=-100', length - 100, length],
      [`bytes=0-${length * 9}`, 0, length],
    ] as const) {
      const { response, bytes } = await part(range);
      expect(response.status).toBe(206);
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${length}`);
      expect(response.headers.get('content-length')).toBe(String(end - start));
      expect(response.headers.get('cache-control')).toContain('no-store');
      expect(bytes.equals(MINUTES.subarray(start, end))).toBe(true);
    }
    for (const range of [`bytes=${length}-`, 'bytes=10-5', 'bytes=-0', 'bytes=99999999999-']) {
      const { response } = await part(range);
      expect([range, response.status]).toEqual([range, 416]);
      expect(response.headers.get('content-range')).toBe(`bytes */${length}`);
    }
    const head = await open(path, asReader(), 'HEAD');
    expect([head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      String(length),
      'bytes',
    ]);
  });

  test('deleted minutes close at once, and their file is kept until the bin is emptied', async () => {
    const { id, url, path } = await added();
    const file = join(site.directory, 'files', keyOf('doc_stage_formateur', url));
    expect(readFileSync(file).equals(MINUTES)).toBe(true);
    await site.call(`DELETE /documents/${id}`, { token: admin });
    for (const role of ['reader', 'admin'] as const) {
      expect((await open(path, bearer(role))).status).toBe(404);
      expect((await open(path, { ...bearer(role), range: 'bytes=0-9' })).status).toBe(404);
    }
    expect(existsSync(file)).toBe(true);
  });
});
