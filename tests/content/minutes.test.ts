import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyOf } from '#platform/server/storage/storage.ts';
import type { Role } from '#platform/shared/roles.ts';
import { form } from '#tests/support/forms.ts';
import { minutesPdf, page, pages, pdf, SCRIPT, stream } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { camera } from '#tests/support/photos.ts';
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

const MB = 1024 * 1024;
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
    await other.call('GET /reglages', { token });
    expect(await state()).toEqual({ etat: 'ouvert' });
    await other.call(`DELETE /documents/${json.id}`, { token });
    expect(await state()).toEqual({ etat: 'aucun' });
  } finally {
    await other.close();
  }
});

describe('how minutes are sent', () => {
  const asReader = () => bearer('reader');

  test('as they were received, closed to caches, framed by this site only, and unable to act', async () => {
    const { path } = await added();
    const response = await fetch(site.origin + path, { headers: asReader() });
    expect(Buffer.from(await response.arrayBuffer()).equals(MINUTES)).toBe(true);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-length')).toBe(String(MINUTES.length));
    expect(response.headers.get('cache-control')).toMatch(/private/);
    expect(response.headers.get('cache-control')).toMatch(/no-store/);
    const policy = (response.headers.get('content-security-policy') ?? '').split('; ').sort();
    expect(policy).toEqual(["default-src 'none'", "frame-ancestors 'self'", 'sandbox']);
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

const CATALOG = '/OpenAction 5 0 R';
const LINK = '<< /Type /Annot /Subtype /Link /A << /S /URI /URI (https://exemple.fr) >> >>';

describe('what is taken', () => {
  const text = (word: string) => page('', word);
  const fine: [string, () => Uint8Array][] = [
    ['a plain one', () => pdf({ plain: page() })],
    [
      'one with compressed objects',
      () =>
        pdf({
          plain: { 1: page()[1] ?? '', 4: page()[4] ?? '' },
          packed: { 2: String(page()[2]), 3: String(page()[3]) },
        }),
    ],
    [
      'one whose text speaks of /JavaScript and /Launch',
      () => pdf({ plain: text('/JavaScript /Launch /Encrypt') }),
    ],
    [
      'one with a link and an outline',
      () =>
        pdf({
          plain: {
            ...page('/Outlines 5 0 R /PageMode /UseOutlines'),
            5: '<< /Type /Outlines /Count 0 >>',
            6: LINK,
          },
        }),
    ],
    ['one that opens on a page', () => pdf({ plain: page('/OpenAction [3 0 R /XYZ null null 1]') })],
    [
      'one that opens on a page by a jump',
      () => pdf({ plain: page('/OpenAction << /S /GoTo /D [3 0 R /Fit] >>') }),
    ],
    [
      'one that opens on a page by a jump elsewhere in the file, with links',
      () =>
        pdf({
          plain: { ...page(CATALOG), 5: '<< /Type /Action /S /GoTo /D <FEFF0031> >>', 6: LINK },
        }),
    ],
    [
      'the same in compressed objects',
      () => pdf({ plain: page(CATALOG), packed: { 6: LINK, 5: '<< /S /GoTo /D [3 0 R /Fit] >>', 7: LINK } }),
    ],
    ['one with a resource of two letters', () => pdf({ plain: page('/Extra << /AAB 5 0 R /F /AA >>') })],
    ['one of 500 pages', () => pages(500, false)],
    ['one of 500 pages in compressed objects', () => pages(500, true)],
    ['one with blanks after its end', () => Buffer.concat([pdf({ plain: page() }), Buffer.from('\r\n  \n')])],
    [
      'one of 20 MB',
      () => {
        const small = pdf({ plain: page() });
        return pdf({ plain: { ...page(), 9: stream('', Buffer.alloc(20 * MB - small.length - 200, 0x20)) } });
      },
    ],
  ];
  test.each(fine)('%s', async (_what, make) => {
    const bytes = make();
    const { path } = await added(bytes);
    const response = await fetch(site.origin + path, { headers: bearer('reader') });
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
  });

  test.skipIf(!existsSync('/usr/bin/qpdf'))('what a common tool writes', async () => {
    expect((await add(withQpdf(MINUTES, ['--object-streams=generate', '--linearize']))).status).toBe(201);
    expect((await add(withQpdf(MINUTES, ['--object-streams=disable']))).status).toBe(201);
  });
});

function withQpdf(bytes: Uint8Array, options: string[]): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'qpdf-'));
  try {
    writeFileSync(join(directory, 'in.pdf'), bytes);
    execFileSync('/usr/bin/qpdf', [...options, join(directory, 'in.pdf'), join(directory, 'out.pdf')], {
      stdio: 'pipe',
    });
    return readFileSync(join(directory, 'out.pdf'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

describe('what is refused', () => {
  const ACTS =
    'ce PDF contient un script, un fichier joint ou un formulaire actif\u202f: il ne peut pas être publié.';
  const LEADS = 'ce PDF ouvre de lui-même un autre fichier ou une adresse\u202f: il ne peut pas être publié.';
  const BROKEN = 'ce PDF est abîmé ou incomplet.';
  const LOCKED = 'ce PDF est protégé par un mot de passe.';
  const UNREAD =
    'ce PDF est fait d’une façon que le site ne sait pas vérifier\u202f: enregistrez-le à nouveau en PDF.';

  async function snapshot() {
    const { db } = site.services.database;
    const rows = await Promise.all([
      db.selectFrom('documents').select('id').execute(),
      db.selectFrom('fichiers').select('nom').execute(),
    ]);
    const files = readdirSync(join(site.directory, 'files'), { recursive: true, withFileTypes: true });
    return [...rows.map((list) => list.length), files.filter((entry) => entry.isFile()).length];
  }
  async function expectRefused(status: number, bytes: Uint8Array, ...reasons: string[]) {
    const before = await snapshot();
    const answer = await add(bytes);
    expect(answer.status, answer.text).toBe(status);
    expect(Object.keys(answer.json.champs)).toEqual(['url']);
    expect(reasons).toContain(answer.json.champs.url);
    expect(answer.json.message).toBe(`Fichier PDF\u202f: ${answer.json.champs.url}`);
    expect(await snapshot()).toEqual(before);
    await expect.poll(() => readdirSync(site.services.staging.directory)).toEqual([]);
  }

  test('a picture under the name of a PDF', async () => {
    await expectRefused(415, await camera('right.jpg'), 'un fichier PDF est attendu.');
  });
  test('a text, a page, or nothing much under the name of a PDF', async () => {
    for (const text of ['Bonjour', '<html>%PDF-1.4', ' %PDF-1.4', '%PD'])
      await expectRefused(415, Buffer.from(text.padEnd(64)), 'un fichier PDF est attendu.');
  });
  test('an empty file', async () => {
    await expectRefused(422, Buffer.alloc(0), 'ce fichier est vide.');
  });
  test('a file of more than 20 MB', async () => {
    const bytes = pdf({ plain: { ...page(), 9: stream('', Buffer.alloc(20 * MB, 0x20)) } });
    await expectRefused(413, bytes, 'ce fichier est trop lourd (20\u00a0Mo au plus).');
  });

  const deflated = (text: string) => deflateSync(Buffer.from(text, 'latin1'));
  const broken: [string, () => Uint8Array][] = [
    ['cut in its middle', () => MINUTES.subarray(0, MINUTES.length >> 1)],
    ['cut before its last line', () => MINUTES.subarray(0, MINUTES.length - 10)],
    ['its first line only', () => Buffer.from('%PDF-1.7\n')],
    [
      'without a page',
      () =>
        pdf({ plain: { 1: '<< /Type /Catalog /Pages 2 0 R >>', 2: '<< /Type /Pages /Count 0 /Kids [] >>' } }),
    ],
    [
      'with bytes after its end',
      () => Buffer.concat([MINUTES, Buffer.from('PK\u0003\u0004'.padEnd(3_000, 'z'))]),
    ],
  ];
  test.each(broken)('a damaged one: %s', async (_what, make) => {
    await expectRefused(422, make(), BROKEN);
  });

  test('a protected one', async () => {
    const encrypt = '/Encrypt << /Filter /Standard /V 1 /R 2 /O (x) /U (x) /P -4 >>';
    await expectRefused(422, pdf({ plain: page(), trailer: encrypt }), LOCKED);
    await expectRefused(
      422,
      pdf({ plain: page(), trailer: encrypt.replace('/Encrypt', '/#45ncrypt') }),
      LOCKED,
    );
    await expectRefused(422, pdf({ plain: page(), packed: { 8: '<< /A 1 >>' }, trailer: encrypt }), LOCKED);
  });
  test.skipIf(!existsSync('/usr/bin/qpdf'))('one protected by a common tool', async () => {
    await expectRefused(
      422,
      withQpdf(MINUTES, ['--encrypt', 'lecture', 'proprietaire', '256', '--']),
      LOCKED,
    );
  });

  const acting: [string, string, string][] = [
    ['a script', CATALOG, SCRIPT],
    ['a script, its name escaped', CATALOG, '<< /S /J#61vaScript /J#53 (app.alert\\(1\\)) >>'],
    ['a script, its name wholly escaped', CATALOG, '<< /S /#4A#61#76#61#53#63#72#69#70#74 >>'],
    [
      'a script among the names of the document',
      '/Names << /JavaScript 5 0 R >>',
      '<< /Names [(a) 6 0 R] >>',
    ],
    ['a program to launch', CATALOG, '<< /S /Launch /F (cmd.exe) >>'],
    [
      'an attached file',
      '/Names << /EmbeddedFiles 5 0 R >>',
      '<< /Names [(a.exe) << /Type /Filespec /EF << /F 6 0 R >> >>] >>',
    ],
    ['a jump into an attached file', CATALOG, '<< /S /GoToE /T << /R /C >> >>'],
    ['a form that sends', CATALOG, '<< /S /SubmitForm /F (https://exemple.fr) >>'],
    ['a form that imports', CATALOG, '<< /S /ImportData /F (x.fdf) >>'],
    ['an XFA form', '/AcroForm 5 0 R', '<< /XFA 6 0 R >>'],
    ['rich media', '/Extra 5 0 R', '<< /Type /Annot /Subtype /RichMedia >>'],
  ];
  test.each(acting)('one with %s, plain or in compressed objects', async (_what, catalog, object) => {
    await expectRefused(422, pdf({ plain: { ...page(catalog), 5: object } }), ACTS);
    await expectRefused(422, pdf({ plain: page(catalog), packed: { 5: object } }), ACTS);
    // The catalog itself compressed, and its name of a type escaped.
    const { 1: first, ...rest } = page(catalog);
    await expectRefused(422, pdf({ plain: rest, packed: { 1: String(first), 5: object } }), ACTS);
    await expectRefused(
      422,
      pdf({ plain: page(catalog), packed: { 5: object }, type: '/Type /Obj#53tm ' }),
      ACTS,
      UNREAD,
    );
  });

  const leading: [string, string, string][] = [
    ['an address to open', CATALOG, '<< /S /URI /URI (https://exemple.fr) >>'],
    [
      'an address to open, its name escaped',
      '/Open#41ction 5 0 R',
      '<< /S /U#52I /UR#49 (https://exemple.fr) >>',
    ],
    ['an address behind a jump', CATALOG, '<< /S /GoTo /D [3 0 R /Fit] /Next 6 0 R >>'],
    [
      'an address among the words of a jump',
      CATALOG,
      '<< /D (/S /GoTo) /S /URI /URI (https://exemple.fr) >>',
    ],
    ['something else to do when it opens', CATALOG, '<< /S /Hide /T (x) >>'],
    [
      'a jump into another file',
      '/Extra 5 0 R',
      '<< /Subtype /Link /A << /S /GoToR /F (x.pdf) /D [0 /Fit] >> >>',
    ],
    ['an action when it is printed', '/AA << /WP 5 0 R >>', '<< /S /URI /URI (https://exemple.fr) >>'],
    [
      'an action when a page is shown',
      '/Extra 5 0 R',
      '<< /AA<< /O << /S /URI /URI (https://exemple.fr) >> >> >>',
    ],
  ];
  test.each(leading)('one with %s, plain or in compressed objects', async (_what, catalog, object) => {
    await expectRefused(422, pdf({ plain: { ...page(catalog), 5: object } }), LEADS);
    await expectRefused(422, pdf({ plain: page(catalog), packed: { 5: object } }), LEADS);
    const { 1: first, ...rest } = page(catalog);
    await expectRefused(422, pdf({ plain: rest, packed: { 1: String(first), 5: object } }), LEADS);
  });

  test('one that opens an address whose number stands behind a comment, beside an innocent one', async () => {
    const address = '5 % 7 8\n0 obj\n<< /S /URI /URI (https://exemple.fr) >>\nendobj';
    const plain = { ...page(CATALOG), 5: '[3 0 R /Fit]', 8: `null\nendobj\n${address}` };
    await expectRefused(422, pdf({ plain, inside: { 5: '5 % 7 8' } }), LEADS);
  });

  test('one with an attached file’s own bytes', async () => {
    const file = stream('/Type /EmbeddedFile ', Buffer.from('MZ'));
    await expectRefused(422, pdf({ plain: { ...page(), 5: file } }), ACTS);
  });

  const hidden: [string, () => Uint8Array][] = [
    [
      'behind two filters',
      () =>
        pdf({
          plain: page(CATALOG),
          packed: { 5: SCRIPT },
          filter: '[/FlateDecode /ASCIIHexDecode]',
          encode: (bytes) => deflated(`${bytes.toString('hex')}>`),
        }),
    ],
    [
      'behind a filter written before deflate',
      () =>
        pdf({
          plain: page(CATALOG),
          packed: { 5: SCRIPT },
          filter: '[/ASCIIHexDecode /FlateDecode]',
          encode: (bytes) => Buffer.from(`${deflateSync(bytes).toString('hex')}>`),
        }),
    ],
    [
      'deflated twice',
      () =>
        pdf({
          plain: page(CATALOG),
          packed: { 5: SCRIPT },
          filter: '[/FlateDecode /FlateDecode]',
          encode: (bytes) => deflateSync(deflateSync(bytes)),
        }),
    ],
    [
      'in hexadecimal',
      () =>
        pdf({
          plain: page(CATALOG),
          packed: { 5: SCRIPT },
          filter: '/ASCIIHexDecode',
          encode: (bytes) => Buffer.from(`${bytes.toString('hex')}>`),
        }),
    ],
    [
      'in compressed objects that do not say their type',
      () => pdf({ plain: page(CATALOG), packed: { 5: SCRIPT }, type: '' }),
    ],
    [
      'behind a title that holds the word « stream »',
      () =>
        pdf({
          plain: {
            ...page('/OpenAction 6 0 R'),
            5: '<< /Title (Le mot stream) >>',
            6: SCRIPT,
            7: stream('', Buffer.from('x')),
          },
          trailer: '/Info 5 0 R',
        }),
    ],
    [
      'behind a remark that holds the word « stream »',
      () =>
        pdf({
          plain: {
            ...page('/OpenAction 6 0 R'),
            5: '<< /A 1 >> % stream\n',
            6: SCRIPT,
            7: stream('', Buffer.from('x')),
          },
        }),
    ],
    [
      'in the data of a stream, where the table finds it',
      () =>
        pdf({
          plain: { ...page('/OpenAction 9 0 R'), 5: stream('', Buffer.from(`9 0 obj\n${SCRIPT}\nendobj\n`)) },
          inside: { 9: '9 0 obj' },
        }),
    ],
    [
      'in compressed objects that swell to 100 MB',
      () =>
        pdf({
          plain: page(CATALOG),
          packed: { 5: SCRIPT },
          encode: (bytes) => deflateSync(Buffer.concat([bytes, Buffer.alloc(100 * MB, 0x20)])),
        }),
    ],
    [
      'in compressed objects that are damaged',
      () =>
        pdf({
          plain: page(CATALOG),
          packed: { 5: SCRIPT },
          encode: (bytes) => deflateSync(bytes).subarray(0, 12),
        }),
    ],
  ];
  test.each(hidden)('one with a script %s', async (_what, make) => {
    await expectRefused(422, make(), ACTS, UNREAD, BROKEN);
  });

  test('one of more than 500 pages', async () => {
    await expectRefused(422, pages(501, false), 'ce PDF a 501 pages (500 au plus).');
    await expectRefused(422, pages(501, true), 'ce PDF a 501 pages (500 au plus).');
  });

  test('two files where one is expected', async () => {
    const before = await snapshot();
    const file: [Uint8Array, string] = [MINUTES, 'a.pdf'];
    const body = form({ nom: 'x', date_ajout: '2026-06-12', url: [file, file] });
    const answer = await site.call('POST /documents', { token: admin, body });
    expect([answer.status, answer.json.champs]).toEqual([422, { url: 'un seul fichier.' }]);
    expect(await snapshot()).toEqual(before);
  });

  test('and none of it was an error of the server', async () => {
    expect(site.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).toEqual([]);
    expect((await add(MINUTES)).status).toBe(201);
  });
});
