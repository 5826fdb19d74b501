import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { genreOf, KINDS } from '#features/content/shared/kinds.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { type FormValue, form, picture } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
let photo: [Uint8Array, string, string];
beforeAll(async () => {
  site = await openSite();
  photo = await picture('sittelle.jpg');
});
afterAll(() => site?.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ENVELOPE = [
  'brouillon',
  'created_at',
  'date_publication',
  'id',
  'illustrations',
  'publie_au',
  'publie_du',
  'version',
];

type Values = Record<string, FormValue | FormValue[]>;

interface Facts {
  genre: string;
  texts: Record<string, string>;
  /** A required field that takes any one line. */
  title: string;
  optional: string[];
  file: string;
  folder: string;
  /** Members beside the envelope, in the list and by id. */
  list: string[];
  byId: string[];
  readsAs: 'list' | 'object';
  created: string;
  updated: string;
  deleted: string;
  restored: string;
}

const ARTICLE = {
  titre: 'Chèques vacances',
  resume: 'Une demande par an.',
  description: 'Le **détail** de la demande.',
  lien_article: 'https://exemple.fr/a?b=1#c',
};

/** What the specification says of each kind, written down apart from the code. */
const FACTS: Facts[] = [
  {
    genre: 'actualites',
    texts: { titre: 'Assemblée générale', description: 'Elle aura lieu jeudi.' },
    title: 'titre',
    optional: [],
    file: 'image',
    folder: 'images_stages',
    list: ['titre', 'description', 'image_url'],
    byId: ['titre', 'description', 'image_url'],
    readsAs: 'list',
    created: 'Actualité ajoutée avec succès',
    updated: 'Actualité modifiée avec succès',
    deleted: 'Actualité supprimée avec succès',
    restored: 'Actualité restaurée avec succès',
  },
  {
    genre: 'alaune',
    texts: ARTICLE,
    title: 'titre',
    optional: ['lien_article'],
    file: 'image_url',
    folder: 'images_stages',
    list: ['titre', 'resume', 'description', 'lien_article', 'image_url'],
    byId: ['titre', 'resume', 'description', 'lien_article', 'image_url'],
    readsAs: 'object',
    created: 'Élément À la Une ajouté avec succès',
    updated: 'Élément À la Une modifié avec succès',
    deleted: 'Élément À la Une supprimé avec succès',
    restored: 'Élément À la Une restauré avec succès',
  },
  {
    genre: 'logos',
    texts: { nom: 'Mutuelle des Alpes', url_site: 'https://exemple.fr/' },
    title: 'nom',
    optional: [],
    file: 'image',
    folder: 'images_stages',
    list: ['nom', 'url_site', 'image'],
    byId: ['nom', 'url_site', 'image'],
    readsAs: 'object',
    created: 'Logo partenaire ajouté avec succès',
    updated: 'Logo modifié avec succès',
    deleted: 'Logo supprimé avec succès',
    restored: 'Logo restauré avec succès',
  },
  {
    genre: 'events',
    texts: {
      title: 'Soirée théâtre',
      date: '2026-09-20T18:30:00.000Z',
      location: 'Lyon',
      summary: 'Une pièce et un buffet.',
      article: 'Rendez-vous devant la salle.',
    },
    title: 'title',
    optional: ['fin', 'lien_plan', 'lien_inscription'],
    file: 'image_url',
    folder: 'images',
    list: ['title', 'date', 'fin', 'location', 'summary', 'article', 'image_url', 'images'],
    byId: [
      ...['title', 'date', 'fin', 'location', 'lien_plan', 'summary', 'article', 'lien_inscription'],
      ...['image_url', 'images'],
    ],
    readsAs: 'list',
    created: 'Événement ajouté avec succès',
    updated: 'Événement modifié avec succès',
    deleted: 'Événement supprimé avec succès',
    restored: 'Événement restauré avec succès',
  },
  {
    genre: 'avantage',
    texts: ARTICLE,
    title: 'titre',
    optional: ['categorie', 'economie', 'lien_article'],
    file: 'image_url',
    folder: 'images_stages',
    list: ['titre', 'categorie', 'economie', 'resume', 'image_url'],
    byId: ['titre', 'categorie', 'economie', 'resume', 'description', 'lien_article', 'image_url'],
    readsAs: 'object',
    created: 'Avantage ajouté avec succès',
    updated: 'Avantage modifié avec succès',
    deleted: 'Avantage supprimé avec succès',
    restored: 'Avantage restauré avec succès',
  },
  {
    genre: 'documents',
    texts: { nom: 'Réunion du 12 juin', date_ajout: '2026-06-12' },
    title: 'nom',
    optional: [],
    file: 'url',
    folder: 'doc_stage_formateur',
    list: ['nom', 'date_ajout', 'url'],
    byId: ['nom', 'date_ajout', 'url'],
    readsAs: 'object',
    created: 'Document ajouté avec succès',
    updated: 'Document modifié avec succès',
    deleted: 'Document supprimé avec succès',
    restored: 'Document restauré avec succès',
  },
];

const factsOf = (genre: string) => FACTS.find((one) => one.genre === genre) as Facts;
const MINUTES = minutesPdf('Réunion', ['Tout a été dit.']);
const fileOf = ({ genre, file }: Facts): Values => ({
  [file]: genre === 'documents' ? [MINUTES, 'cr.pdf', 'application/pdf'] : photo,
});
/** What a creation must send: all texts, and the file where there is no item without one. */
const bodyOf = (facts: Facts, more: Values = {}): Values => ({
  ...facts.texts,
  ...(facts.genre === 'documents' ? fileOf(facts) : {}),
  ...more,
});

const asAdmin = () => site.tokenOf('admin');
async function create(facts: Facts, more: Values = {}, token?: string): Promise<Answer> {
  return site.call(`POST /${facts.genre}`, {
    token: token ?? (await asAdmin()),
    body: form(bodyOf(facts, more)),
  });
}
async function created(facts: Facts, more: Values = {}, token?: string) {
  const answer = await create(facts, more, token);
  expect(answer.json, answer.text).toMatchObject({ id: expect.any(Number) });
  return answer.json;
}
async function put(facts: Facts, id: number, values: Values): Promise<Answer> {
  return site.call(`PUT /${facts.genre}/${id}`, { token: await asAdmin(), body: form(values) });
}
async function bin(facts: Facts, id: number): Promise<Answer> {
  return site.call(`DELETE /${facts.genre}/${id}`, { token: await asAdmin() });
}
async function restore(genre: string, id: number): Promise<Answer> {
  return site.call(`POST /corbeille/${genre}/${id}/restaurer`, { token: await asAdmin() });
}
/** The list as the public reads it (minutes: as their readers do). */
async function listed(facts: Facts, query = ''): Promise<Record<string, unknown>[]> {
  const token = facts.genre === 'documents' ? await site.tokenOf('reader') : undefined;
  const answer = await site.call(`GET /${facts.genre}${query}`, { token });
  expect(answer.status).toBe(200);
  return answer.json;
}
const idsIn = (list: Record<string, unknown>[], among: number[]) =>
  list.map((item) => item.id as number).filter((id) => among.includes(id));
const isListed = async (facts: Facts, id: number) => (await listed(facts)).some((item) => item.id === id);
const one = (facts: Facts, json: unknown) => (facts.readsAs === 'list' ? (json as unknown[])[0] : json);

test('the tests know every kind that the site has', () => {
  expect(FACTS.map((facts) => facts.genre).sort()).toEqual(KINDS.map(genreOf).sort());
});

describe.each(FACTS)('$genre', (facts) => {
  const address = (name: unknown) => `/api/${facts.folder}/${name}`;
  const fileColumn = facts.list.find((name) => ['image_url', 'image', 'url'].includes(name)) as string;
  const members = (names: string[]) =>
    [...names, ...ENVELOPE].filter((name) => facts.genre !== 'documents' || name !== 'illustrations').sort();

  test('a creation answers 201 with its message, its id and what was sent', async () => {
    const answer = await create(facts, fileOf(facts));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.json).toMatchObject({ ...facts.texts, message: facts.created, version: 1 });
    expect(answer.json.id).toBeGreaterThan(0);
    expect(Number.isInteger(answer.json.id)).toBe(true);
    expect(answer.json[fileColumn]).toMatch(
      facts.genre === 'documents' ? /^[0-9a-f]{32}\.pdf$/ : /^[0-9a-f]{32}\.webp$/,
    );
    expect(answer.json.created_at).toBe(site.now().toISOString());
    expect(answer.json.date_publication).toBe(answer.json.created_at);
    // Minutes without tags come with what to do about it.
    const said = facts.genre === 'documents' ? ['message', 'conseil'] : ['message'];
    expect(Object.keys(answer.json).sort()).toEqual([...members(facts.byId), ...said].sort());
  });

  test('the list holds exactly its members, with the values that were sent', async () => {
    const item = await created(facts);
    const found = (await listed(facts)).find(({ id }) => id === item.id) as Record<string, unknown>;
    expect(Object.keys(found).sort()).toEqual(members(facts.list));
    for (const name of facts.list) expect(found[name]).toEqual(item[name]);
    for (const name of ['created_at', 'date_publication', 'publie_du', 'publie_au', 'version'])
      expect(found[name]).toEqual(item[name]);
  });

  test('an item reads by id as the specification says', async () => {
    const item = await created(facts, fileOf(facts));
    const answer = await site.call(`GET /${facts.genre}/${item.id}`, {
      token: facts.genre === 'documents' ? await asAdmin() : undefined,
    });
    expect(answer.status).toBe(200);
    expect(Array.isArray(answer.json)).toBe(facts.readsAs === 'list');
    if (facts.readsAs === 'list') expect(answer.json).toHaveLength(1);
    const { message: _message, conseil: _conseil, ...expected } = item;
    expect(one(facts, answer.json)).toEqual(expected);
    expect(Object.keys(expected).sort()).toEqual(members(facts.byId));
  });

  test('an address that is no id answers 404', async () => {
    for (const id of ['0', '-1', '1.5', '01', 'abc', '999999', '9007199254740993', '1e3', '%31x', '1%00']) {
      const answer = await site.call(`DELETE /${facts.genre}/${id}`, { token: await asAdmin() });
      expect([id, answer.status]).toEqual([id, 404]);
      expect(answer.json.message).toBeTypeOf('string');
    }
  });

  test('a required text that is missing, blank, too long or no text is a 422 that names it', async () => {
    const token = await asAdmin();
    for (const name of Object.keys(facts.texts)) {
      const isOptional = facts.optional.includes(name);
      const bad: [string, FormValue | FormValue[]][] = [
        ['too long', 'x'.repeat(60_000)],
        ['a NUL', 'a\0b'],
        ['a control character', 'a\u001bb'],
        ['sent twice', ['un', 'deux']],
        ...(isOptional
          ? []
          : ([
              ['blank', ''],
              ['spaces', '  \t '],
            ] as [string, string][])),
      ];
      for (const [what, value] of bad) {
        const answer = await create(facts, { [name]: value }, token);
        expect([name, what, answer.status]).toEqual([name, what, 422]);
        expect(Object.keys(answer.json.champs)).toEqual([name]);
        expect(answer.json.message.length).toBeGreaterThan(5);
      }
      const without = bodyOf(facts);
      delete without[name];
      const answer = await site.call(`POST /${facts.genre}`, { token, body: form(without) });
      expect([name, answer.status]).toEqual([name, isOptional ? 201 : 422]);
      if (!isOptional) expect(answer.json.champs).toEqual({ [name]: 'ce champ est obligatoire.' });
    }
  });

  test('all wrong fields are named at once', async () => {
    const answer = await create(
      facts,
      Object.fromEntries(Object.keys(facts.texts).map((name) => [name, 'a\0b'])),
    );
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json.champs).sort()).toEqual(Object.keys(facts.texts).sort());
  });

  test('members that are not for the sender change nothing', async () => {
    const foreign = {
      id: '4242',
      version: '77',
      created_at: '2001-01-01T00:00:00.000Z',
      modifie_le: '2001-01-01T00:00:00.000Z',
      supprime_le: '2001-01-01T00:00:00.000Z',
      date_publication: '2001-01-01T00:00:00.000Z',
      illustrations: '[{"nom":"x"}]',
      inconnu: 'x',
    };
    const item = await created(facts, foreign);
    expect(item.id).not.toBe(4242);
    expect(item).toMatchObject({ version: 1, created_at: site.now().toISOString() });
    expect(item.date_publication).toBe(item.created_at);
    if (facts.genre !== 'documents') expect(item.illustrations).toEqual([]);
    expect(await isListed(facts, item.id)).toBe(true);
    const { version: _version, ...others } = foreign;
    const changed = await put(facts, item.id, others);
    expect(changed.status).toBe(200);
    expect(changed.json).toMatchObject({ id: item.id, version: 2, created_at: item.created_at });
    expect(await isListed(facts, item.id)).toBe(true);
  });

  test('a field named after what objects inherit is never taken in', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const answer = await create(facts, { [name]: '{"polluted":true}' });
      expect([201, 400]).toContain(answer.status);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('a deleted item goes to the bin: out of lists, 404 by id, its file closed to whoever had the address', async () => {
    const item = await created(facts, fileOf(facts));
    const token = facts.genre === 'documents' ? await site.tokenOf('reader') : undefined;
    expect((await site.ask(`GET ${address(item[fileColumn])}`, { token })).status).toBe(200);
    const answer = await bin(facts, item.id);
    expect([answer.status, answer.json]).toEqual([200, { message: facts.deleted }]);
    expect(await isListed(facts, item.id)).toBe(false);
    const admin = await asAdmin();
    for (const who of [token, admin]) {
      expect((await site.ask(`GET ${address(item[fileColumn])}`, { token: who })).status).toBe(404);
      const name = String(item[fileColumn]).replace('.', '-320.');
      expect((await site.ask(`GET ${address(name)}`, { token: who })).status).toBe(404);
      const etag = `"${String(item[fileColumn]).split('.')[0]}"`;
      const again = await site.ask(`GET ${address(item[fileColumn])}`, {
        token: who,
        headers: { 'if-none-match': etag },
      });
      expect(again.status).toBe(404);
    }
    const whole = await site.call(`GET /${facts.genre}?tout=1`, { token: admin });
    expect(idsIn(whole.json, [item.id])).toEqual([]);
    expect((await site.call(`GET /${facts.genre}/${item.id}`, { token: admin })).status).toBe(404);
    expect((await put(facts, item.id, { [facts.title]: 'x' })).status).toBe(404);
    expect((await bin(facts, item.id)).status).toBe(404);
  });

  test('the bin names what is in it and until when, and gives it back with its file', async () => {
    const item = await created(facts, fileOf(facts));
    await bin(facts, item.id);
    const held = (await site.call('GET /corbeille', { token: await asAdmin() })).json;
    const entry = held.find(
      (one: { genre: string; id: number }) => one.genre === facts.genre && one.id === item.id,
    );
    expect(entry).toEqual({
      genre: facts.genre,
      id: item.id,
      titre: facts.texts[facts.title],
      supprime_le: site.now().toISOString(),
      efface_le: new Date(site.now().getTime() + 30 * DAY).toISOString(),
    });
    const back = await restore(facts.genre, item.id);
    expect([back.status, back.json]).toEqual([200, { message: facts.restored }]);
    const found = (await listed(facts)).find(({ id }) => id === item.id) as Record<string, unknown>;
    expect(found).toMatchObject(Object.fromEntries(facts.list.map((name) => [name, item[name]])));
    const token = facts.genre === 'documents' ? await site.tokenOf('reader') : undefined;
    expect((await site.ask(`GET ${address(item[fileColumn])}`, { token })).status).toBe(200);
    const twice = await restore(facts.genre, item.id);
    expect([twice.status, twice.json.message]).toEqual([409, 'Cet élément n’est pas dans la corbeille.']);
  });

  test('a list can be cut to its first items', async () => {
    for (let i = 0; i < 3; i++) await created(facts);
    const all = await listed(facts);
    expect(await listed(facts, '?limite=2')).toEqual(all.slice(0, 2));
    expect(await listed(facts, '?limite=1')).toEqual(all.slice(0, 1));
    const token = await asAdmin();
    for (const wrong of ['0', '-1', 'x', '101', '1.5'])
      expect((await site.call(`GET /${facts.genre}?limite=${wrong}`, { token })).status).toBe(422);
  });

  test('a list can be read a part after another', async () => {
    for (let i = 0; i < 3; i++) await created(facts);
    const all = await listed(facts);
    expect(await listed(facts, '?debut=0&limite=100')).toEqual(all);
    expect(await listed(facts, '?debut=2&limite=100')).toEqual(all.slice(2));
    expect(await listed(facts, '?debut=1&limite=1')).toEqual(all.slice(1, 2));
    expect(await listed(facts, `?debut=${all.length}&limite=1`)).toEqual([]);
    // Each part is an answer of its own, also where answers are kept.
    expect(await listed(facts, '?debut=2&limite=1')).toEqual(all.slice(2, 3));
    expect(await listed(facts, '?debut=1&limite=1')).toEqual(all.slice(1, 2));
    const token = await asAdmin();
    for (const wrong of ['-1', 'x', '100001', '0.5', ''])
      expect((await site.call(`GET /${facts.genre}?debut=${wrong}&limite=1`, { token })).status).toBe(422);
    // Each would be an answer as long as the whole list.
    expect((await site.call(`GET /${facts.genre}?debut=1`, { token })).status).toBe(422);
  });

  test.runIf(['actualites', 'alaune', 'events', 'avantage'].includes(facts.genre))(
    'the neighbours of an item are those of the list, which what is not published has none of',
    async () => {
      for (const name of ['un', 'deux', 'trois']) await created(facts, { [facts.title]: name });
      const hidden = await created(facts, { brouillon: '1' });
      const binned = await created(facts);
      await bin(facts, binned.id);
      const all = await listed(facts);
      const around = async (id: unknown) => (await site.call(`GET /${facts.genre}/${id}/voisins`)).json;
      const named = (item?: Record<string, unknown>) =>
        item ? { id: item.id, titre: item[facts.title] } : null;
      for (const place of [0, 1, all.length - 2, all.length - 1]) {
        expect(await around(all[place]?.id)).toEqual({
          precedent: named(all[place - 1]),
          suivant: named(all[place + 1]),
        });
      }
      for (const id of [hidden.id, binned.id, 999999])
        expect(await around(id)).toEqual({ precedent: null, suivant: null });
    },
  );

  test('what is not published yet or no longer is for admins only, its file too', async () => {
    const visitor = facts.genre === 'documents' ? await site.tokenOf('reader') : undefined;
    const windows: Values[] = [{ publie_du: '2026-07-01T08:00' }, { publie_au: '2026-06-19T08:00' }];
    for (const window of windows) {
      const item = await created(facts, { ...fileOf(facts), ...window });
      const admin = await asAdmin();
      expect(await isListed(facts, item.id)).toBe(false);
      expect(idsIn((await site.call(`GET /${facts.genre}`, { token: admin })).json, [item.id])).toEqual([]);
      const whole = await site.call(`GET /${facts.genre}?tout=1`, { token: admin });
      expect(idsIn(whole.json, [item.id])).toEqual([item.id]);
      expect(whole.headers.get('cache-control')).toBe('no-store');
      const isPublic = facts.genre !== 'documents';
      expect((await site.call(`GET /${facts.genre}/${item.id}`)).status).toBe(isPublic ? 404 : 401);
      expect(
        (await site.call(`GET /${facts.genre}/${item.id}`, { token: await site.tokenOf('reader') })).status,
      ).toBe(isPublic ? 404 : 403);
      const seen = await site.call(`GET /${facts.genre}/${item.id}`, { token: admin });
      expect(seen.status).toBe(200);
      expect(seen.headers.get('cache-control')).toBe('no-store');
      const file = address(item[fileColumn]);
      expect((await site.ask(`GET ${file}`, { token: visitor })).status).toBe(404);
      const preview = await site.ask(`GET ${file}`, { cookie: `passerelle_portail=${admin}` });
      expect(preview.status).toBe(200);
      expect(preview.headers.get('cache-control')).toContain('no-store');
    }
  });

  test('reading everything needs an admin', async () => {
    expect((await site.call(`GET /${facts.genre}?tout=1`)).status).toBe(401);
    expect(
      (await site.call(`GET /${facts.genre}?tout=1`, { cookie: `passerelle_portail=${await asAdmin()}` }))
        .status,
    ).toBe(401);
    for (const role of ['reader', 'family', 'director'] as const)
      expect(
        (await site.call(`GET /${facts.genre}?tout=1`, { token: await site.tokenOf(role) })).status,
      ).toBe(403);
  });

  test('a publication that ends before it starts is refused', async () => {
    for (const publie_au of ['2026-06-25T08:00', '2026-06-24T08:00']) {
      const answer = await create(facts, { publie_du: '2026-06-25T08:00', publie_au });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.json.champs)).toEqual(['publie_au']);
    }
    const late = await created(facts, { publie_du: '2026-06-25T08:00' });
    expect((await put(facts, late.id, { publie_au: '2026-06-24T08:00' })).status).toBe(422);
    const early = await created(facts, { publie_au: '2026-06-25T08:00' });
    expect((await put(facts, early.id, { publie_du: '2026-06-26T08:00' })).status).toBe(422);
    expect((await put(facts, early.id, { publie_du: '2026-06-26T08:00', publie_au: '' })).json).toMatchObject(
      {
        publie_du: '2026-06-26T06:00:00.000Z',
        publie_au: null,
      },
    );
  });

  test('the text of people comes back as it was typed', async () => {
    const lines = [
      'Noël 🎄 👩‍👩‍👧 à l’été — « c’est ça »',
      "Robert'); DROP TABLE actualites;--",
      '<script>alert(1)</script> & &amp; %00 $x {{y}} \\ "\'',
      'עברית العربية 漢字 𝔘 e\u0301',
    ];
    for (const text of lines) {
      const item = await created(facts, { [facts.title]: text });
      expect(item[facts.title]).toBe(text);
      const found = (await listed(facts)).find(({ id }) => id === item.id);
      expect(found?.[facts.title]).toBe(text);
    }
  });

  test('only admins write', async () => {
    const item = await created(facts);
    for (const role of [undefined, 'reader', 'family', 'director'] as const) {
      const token = role && (await site.tokenOf(role));
      const status = role ? 403 : 401;
      expect((await site.call(`POST /${facts.genre}`, { token, body: form(bodyOf(facts)) })).status).toBe(
        status,
      );
      expect((await site.call(`DELETE /${facts.genre}/${item.id}`, { token })).status).toBe(status);
      expect((await site.call(`POST /corbeille/${facts.genre}/${item.id}/restaurer`, { token })).status).toBe(
        status,
      );
      expect((await site.call(`PUT /${facts.genre}/${item.id}`, { token, body: form({}) })).status).toBe(
        status,
      );
    }
    const cookie = `passerelle_portail=${await asAdmin()}`;
    expect((await site.call(`DELETE /${facts.genre}/${item.id}`, { cookie })).status).toBe(401);
    expect(await isListed(facts, item.id)).toBe(true);
  });
});

describe.each(FACTS)('editing $genre', (facts) => {
  const read = async (id: number) =>
    one(facts, (await site.call(`GET /${facts.genre}/${id}`, { token: await asAdmin() })).json) as Record<
      string,
      unknown
    >;

  test('what an edit leaves out stays as it is', async () => {
    const window = { publie_du: '2026-06-10T08:00', publie_au: '2026-12-10T08:00' };
    const item = await created(facts, { ...fileOf(facts), ...window, texte_alternatif: 'Un oiseau' });
    const answer = await put(facts, item.id, { [facts.title]: 'Autre titre' });
    expect(answer.status).toBe(200);
    const { message, ...changed } = answer.json;
    expect(message).toBe(facts.updated);
    const { message: _created, conseil: _conseil, ...before } = item;
    expect(changed).toEqual({ ...before, [facts.title]: 'Autre titre', version: 2 });
    expect(await read(item.id)).toEqual(changed);
  });

  test('an edit that sends nothing keeps everything', async () => {
    const item = await created(facts, fileOf(facts));
    const body = form({ version: '1' });
    expect((await site.call(`PUT /${facts.genre}/${item.id}`, { token: await asAdmin(), body })).status).toBe(
      200,
    );
    const { message: _message, conseil: _conseil, ...before } = item;
    expect(await read(item.id)).toEqual({ ...before, version: 2 });
  });

  test('each text can be changed alone, and a blank required one is refused', async () => {
    const item = await created(facts);
    for (const name of Object.keys(facts.texts)) {
      const isOptional = facts.optional.includes(name);
      const blank = await put(facts, item.id, { [name]: '' });
      expect([name, blank.status]).toEqual([name, isOptional ? 200 : 422]);
      const others: Record<string, string> = {
        date: '2027-01-31T07:05:00.000Z',
        date_ajout: '2027-01-31',
        lien_article: 'http://a.fr/',
        url_site: 'http://a.fr/',
      };
      const value = others[name] ?? `Neuf ${name}`;
      expect((await put(facts, item.id, { [name]: value })).json[name]).toBe(value);
    }
  });

  test('an edit drawn from an older version is refused with both texts', async () => {
    const item = await created(facts);
    expect((await put(facts, item.id, { version: '1', [facts.title]: 'Premier' })).status).toBe(200);
    const stale = await put(facts, item.id, { version: '1', [facts.title]: 'Second' });
    expect(stale.status).toBe(409);
    expect(stale.json.message).toContain('modifié');
    expect(stale.json.envoye).toEqual({ [facts.title]: 'Second' });
    expect(stale.json.actuel).toEqual(await read(item.id));
    expect(stale.json.modifie).toEqual({ par: 'Alice', le: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(stale.json.actuel).toMatchObject({ [facts.title]: 'Premier', version: 2 });
    expect((await put(facts, item.id, { version: '3', [facts.title]: 'x' })).status).toBe(409);
    expect((await put(facts, item.id, { [facts.title]: 'Sans version' })).status).toBe(200);
    for (const version of ['x', '0', '-1', '1.5'])
      expect((await put(facts, item.id, { version, [facts.title]: 'x' })).status).toBe(422);
    expect(await read(item.id)).toMatchObject({ [facts.title]: 'Sans version', version: 3 });
  });

  test('of edits sent at once from the same version exactly one wins', async () => {
    const item = await created(facts);
    const titles = Array.from({ length: 8 }, (_, index) => `Essai ${index}`);
    const answers = await Promise.all(
      titles.map((title) =>
        put(facts, item.id, {
          version: '1',
          [facts.title]: title,
          ...(facts.genre === 'alaune' ? fileOf(facts) : {}),
        }),
      ),
    );
    const won = answers.findIndex(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect(await read(item.id)).toMatchObject({ [facts.title]: titles[won], version: 2 });
  });

  test('a draft needs its title only, is for staff only, and is published once it is whole', async () => {
    const own = facts.genre === 'documents' ? fileOf(facts) : {};
    const isPublic = facts.genre !== 'documents';
    const others = Object.keys(facts.texts).filter((name) => name !== facts.title);
    const title = facts.texts[facts.title] ?? '';
    const nameless = await site.call(`POST /${facts.genre}`, {
      token: await asAdmin(),
      body: form({ ...own, brouillon: '1' }),
    });
    expect([nameless.status, Object.keys(nameless.json.champs)]).toEqual([422, [facts.title]]);

    const begun = await site.call(`POST /${facts.genre}`, {
      token: await asAdmin(),
      body: form({ ...own, [facts.title]: title, brouillon: '1' }),
    });
    expect(begun.json).toMatchObject({
      brouillon: 1,
      message: 'Brouillon enregistré\u202f: les visiteurs ne le voient pas.',
    });
    const { id } = begun.json;
    for (const name of others) expect(begun.json[name]).toBe('');
    const readAs = (token: string | undefined) => site.call(`GET /${facts.genre}/${id}`, { token });
    expect((await readAs(undefined)).status).toBe(isPublic ? 404 : 401);
    expect((await readAs(await asAdmin())).status).toBe(200);
    expect(await isListed(facts, id)).toBe(false);
    const whole = await site.call(`GET /${facts.genre}?tout=1`, { token: await asAdmin() });
    expect(whole.json).toContainEqual(expect.objectContaining({ id, brouillon: 1 }));

    const required = others.filter((name) => !facts.optional.includes(name));
    const tooSoon = await put(facts, id, { brouillon: '0' });
    if (required.length > 0) {
      expect(tooSoon.json.champs).toEqual(
        Object.fromEntries(required.map((name) => [name, 'ce champ est obligatoire.'])),
      );
    }
    const still = await put(facts, id, { [facts.title]: 'Encore un brouillon', brouillon: '1' });
    expect(still.json.brouillon).toBe(1);
    site.advance(1000);
    const published = await put(facts, id, { ...facts.texts, brouillon: '0' });
    // Visitors read when it was published, not when it was begun.
    expect(published.json).toMatchObject({
      ...facts.texts,
      brouillon: 0,
      message: facts.created,
      date_publication: site.now().toISOString(),
    });
    expect(await isListed(facts, id)).toBe(true);
    expect((await readAs(undefined)).status).toBe(isPublic ? 200 : 401);

    await put(facts, id, { brouillon: '1' });
    expect(await isListed(facts, id)).toBe(false);
    // No start was set: the end has to come after now.
    await put(facts, id, { publie_du: '', publie_au: '2026-06-01T08:00', brouillon: '1' });
    const over = await put(facts, id, { brouillon: '0' });
    expect([over.status, Object.keys(over.json.champs)]).toEqual([422, ['publie_au']]);
    expect((await readAs(undefined)).status).toBe(isPublic ? 404 : 401);
  });

  test('an item that is not there cannot be edited', async () => {
    const answer = await put(facts, 999_999, { [facts.title]: 'x' });
    expect(answer.status).toBe(404);
    expect(answer.json.message).toContain('n’existe');
  });
});

test('minutes are listed for admins and readers only', async () => {
  expect((await site.call('GET /documents')).status).toBe(401);
  for (const role of ['family', 'director'] as const)
    expect((await site.call('GET /documents', { token: await site.tokenOf(role) })).status).toBe(403);
  for (const role of ['reader', 'admin'] as const) {
    const answer = await site.call('GET /documents', { token: await site.tokenOf(role) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  const cookie = `passerelle_lecture=${await site.tokenOf('reader')}`;
  expect((await site.call('GET /documents', { cookie })).status).toBe(401);
});

test('minutes need their PDF', async () => {
  const token = await asAdmin();
  const answer = await site.call('POST /documents', { token, body: form(factsOf('documents').texts) });
  expect([answer.status, answer.json.champs]).toEqual([422, { url: 'ce fichier est obligatoire.' }]);
});

test('an address that could run a script is refused, in every kind that has one', async () => {
  const fields: [string, string][] = [
    ['logos', 'url_site'],
    ['alaune', 'lien_article'],
    ['avantage', 'lien_article'],
  ];
  const bad = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    '//exemple.fr/x',
    '/ici',
    'exemple.fr',
    'ftp://exemple.fr/',
    'https:exemple.fr',
    'https://',
    'http:///x',
    'https://exemple.fr/\r\nSet-Cookie: a=b',
    'https://a b.fr/',
  ];
  for (const [genre, field] of fields) {
    for (const value of bad) {
      const answer = await create(factsOf(genre), { [field]: value });
      expect([value, answer.status]).toEqual([value, 422]);
      expect(Object.keys(answer.json.champs)).toEqual([field]);
    }
    for (const value of ['https://exemple.fr', 'HTTP://exemple.fr/é?a=b&c=d#e', 'http://localhost:3000/x'])
      expect((await created(factsOf(genre), { [field]: value }))[field]).toBe(value);
  }
});

test('texts are limited in length as a person counts', async () => {
  const news = factsOf('actualites');
  expect((await created(news, { titre: 'é'.repeat(200) })).titre).toHaveLength(200);
  expect((await created(news, { titre: '😀'.repeat(200) })).titre).toHaveLength(400);
  expect((await create(news, { titre: 'é'.repeat(201) })).json.champs.titre).toBe(
    '200 caractères au plus (201 reçus).',
  );
  expect((await create(news, { titre: '😀'.repeat(201) })).status).toBe(422);
  expect((await create(factsOf('avantage'), { resume: 'x'.repeat(2_001) })).status).toBe(422);
  expect((await create(news, { description: 'x'.repeat(50_001) })).status).toBe(422);
});

test('a long text of 40,000 characters is kept whole, its line breaks as line feeds', async () => {
  const long = 'Un paragraphe — « été » 🎉\n\n'.repeat(1_600).slice(0, 40_000);
  for (const [genre, field] of [
    ['actualites', 'description'],
    ['events', 'article'],
    ['avantage', 'description'],
  ] as const) {
    const item = await created(factsOf(genre), { [field]: long });
    const read = one(factsOf(genre), (await site.call(`GET /${genre}/${item.id}`)).json) as Record<
      string,
      string
    >;
    expect(read[field]).toBe(long);
  }
  const typed = await created(factsOf('actualites'), { description: 'un\r\ndeux\n\n\ttrois' });
  expect(typed.description).toBe('un\ndeux\n\n\ttrois');
});

test('half of a character never gets in as something else than text', async () => {
  // Bytes ED A0 80 are the half of an emoji, which UTF-8 forbids.
  const boundary = 'limite';
  const part = (name: string, value: Buffer) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      value,
      Buffer.from('\r\n'),
    ]);
  const body = Buffer.concat([
    part('titre', Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62])),
    part('description', Buffer.from('x')),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  const response = await fetch(`${site.origin}/api/api/actualites`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${await asAdmin()}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
  expect([201, 400, 422]).toContain(response.status);
  const answer = (await response.json()) as { id?: number; titre?: string };
  if (response.status === 201) {
    expect(answer.titre?.isWellFormed()).toBe(true);
    const [read] = (await site.call(`GET /actualites/${answer.id}`)).json;
    expect(read.titre).toBe(answer.titre);
  }
});

describe('publication times', () => {
  const news = () => factsOf('actualites');
  test.each([
    ['in winter, without a zone', '2026-01-15T08:00', '2026-01-15T07:00:00.000Z'],
    ['in summer, without a zone', '2026-07-14T08:00', '2026-07-14T06:00:00.000Z'],
    ['with seconds and a space', '2026-07-14 08:00:30', '2026-07-14T06:00:30.000Z'],
    ['with Z', '2026-07-14T08:00:00.000Z', '2026-07-14T08:00:00.000Z'],
    ['with an offset', '2026-07-14T08:00+02:00', '2026-07-14T06:00:00.000Z'],
    ['with an offset far away', '2026-01-15T08:00:00-10:00', '2026-01-15T18:00:00.000Z'],
    ['in the hour that spring skips', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['in the hour that autumn repeats', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ])('%s', async (_name, sent, kept) => {
    const item = await created(news(), { publie_du: sent });
    expect(item.publie_du).toBe(kept);
    expect(item.date_publication).toBe(kept);
    const [read] = (await site.call(`GET /actualites/${item.id}`, { token: await asAdmin() })).json;
    expect(read).toMatchObject({ publie_du: kept, publie_au: null });
    const again = await put(news(), item.id, { publie_du: read.publie_du, publie_au: '' });
    expect(again.json).toMatchObject({ publie_du: kept, publie_au: null });
    const cleared = await put(news(), item.id, { publie_du: '' });
    expect(cleared.json).toMatchObject({ publie_du: null, date_publication: item.created_at });
  });

  test.each([
    '2026-02-30T08:00',
    'demain',
    '2026-07-14',
    '2026-07-14T24:00',
    '2026-07-14T08:00+99:00',
    '14/07/2026',
    '0',
  ])('what is no date is refused: %s', async (sent) => {
    for (const edge of ['publie_du', 'publie_au']) {
      const answer = await create(news(), { [edge]: sent });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.json.champs)).toEqual([edge]);
    }
  });

  test('a list that is kept changes by itself when a start or an end comes, to the millisecond', async () => {
    const at = (ms: number) => new Date(site.now().getTime() + ms).toISOString();
    const starts = await created(news(), { publie_du: at(60_000) });
    const ends = await created(news(), { publie_au: at(120_000) });
    const both = [starts.id, ends.id];
    const seen = async () => idsIn(await listed(news()), both).sort((a, b) => a - b);
    const first = await site.call('GET /actualites?limite=100');
    expect(await seen()).toEqual([ends.id]);
    site.advance(59_999);
    expect(await seen()).toEqual([ends.id]);
    site.advance(1);
    expect(await seen()).toEqual(both);
    expect((await site.call(`GET /actualites/${starts.id}`)).status).toBe(200);
    const etag = (await site.call('GET /actualites?limite=100')).headers.get('etag');
    expect(etag).not.toBe(first.headers.get('etag'));
    site.advance(59_999);
    expect(await seen()).toEqual(both);
    site.advance(1);
    expect(await seen()).toEqual([starts.id]);
    expect((await site.call(`GET /actualites/${ends.id}`)).status).toBe(404);
  });

  test('the newest publication comes first, then the last created', async () => {
    const day = (n: number) => new Date(site.now().getTime() - n * DAY).toISOString();
    const a = await created(news(), { publie_du: day(3) });
    const b = await created(news(), { publie_du: day(1) });
    const c = await created(news(), { publie_du: day(2) });
    const d = await created(news(), { publie_du: day(1) });
    const e = await created(news());
    const ids = [a.id, b.id, c.id, d.id, e.id];
    expect(idsIn(await listed(news()), ids)).toEqual([e.id, d.id, b.id, c.id, a.id]);
    const whole = await site.call('GET /actualites?tout=1', { token: await asAdmin() });
    expect(idsIn(whole.json, ids)).toEqual([e.id, d.id, b.id, c.id, a.id]);
  });
});

test('minutes come by date, the newest first', async () => {
  const minutes = factsOf('documents');
  const dates = ['2024-02-29', '2026-01-01', '2025-12-31', '2026-01-01'];
  const ids: number[] = [];
  for (const date_ajout of dates) ids.push((await created(minutes, { date_ajout })).id);
  expect(idsIn(await listed(minutes), ids)).toEqual([ids[3], ids[1], ids[2], ids[0]]);
  for (const date_ajout of ['2026-02-29', '12/06/2026', '2026-13-01', 'hier'])
    expect((await create(minutes, { date_ajout })).status).toBe(422);
  expect((await created(minutes, { date_ajout: '2026-06-12T00:00:00.000Z' })).date_ajout).toBe('2026-06-12');
});

describe('event dates', () => {
  const events = () => factsOf('events');

  test.each([
    '2026-09-20T18:30',
    '2026-09-20T18:30:00',
    '2026-09-20T18:30:00.000Z',
    '2026-12-20T18:30',
    '2027-03-28T02:30',
  ])('the hour on the poster stays what it is: %s', async (sent) => {
    const kept = `${sent.slice(0, 16)}:00.000Z`;
    const item = await created(events(), { date: sent });
    expect(item.date).toBe(kept);
    const [read] = (await site.call(`GET /events/${item.id}`)).json;
    expect(read.date).toBe(kept);
    for (const again of [read.date, read.date.slice(0, 16), undefined]) {
      const edited = await put(events(), item.id, { title: 'Autre', ...(again ? { date: again } : {}) });
      expect(edited.json.date).toBe(kept);
    }
    expect((await listed(events())).find(({ id }) => id === item.id)?.date).toBe(kept);
  });

  test.each([
    '2026-09-20T18:30+02:00',
    '2026-09-31T18:30',
    '2026-09-20',
    '2026-09-20T25:00',
    'ce soir',
    '2026-9-2T1:1',
  ])('what is no hour on a poster is refused: %s', async (date) => {
    const answer = await create(events(), { date });
    expect([answer.status, Object.keys(answer.json.champs)]).toEqual([422, ['date']]);
  });

  test('what is to come is first, nearest first; what is past follows, newest first', async () => {
    const dates = [
      '2026-08-01',
      '2026-06-20',
      '2026-05-01',
      '2026-07-01',
      '2024-01-01',
      '2026-06-19',
      '2026-07-01',
    ];
    const ids: number[] = [];
    for (const date of dates) ids.push((await created(events(), { date: `${date}T10:00` })).id);
    const order = [1, 6, 3, 0, 5, 2, 4].map((index) => ids[index]);
    expect(idsIn(await listed(events()), ids)).toEqual(order);
    const whole = await site.call('GET /events?tout=1', { token: await asAdmin() });
    expect(idsIn(whole.json, ids)).toEqual(order);
  });

  test('an event of today is to come until midnight of the place, and past right after', async () => {
    // 20 June 2026: midnight in Paris is 22:00 UTC.
    const tonight = await created(events(), { date: '2026-06-20T18:30' });
    const tomorrow = await created(events(), { date: '2026-06-21T09:00' });
    const ids = [tonight.id, tomorrow.id];
    expect(idsIn(await listed(events()), ids)).toEqual([tonight.id, tomorrow.id]);
    site.advance(Date.parse('2026-06-20T21:59:59.999Z') - site.now().getTime());
    expect(idsIn(await listed(events()), ids)).toEqual([tonight.id, tomorrow.id]);
    site.advance(1);
    expect(idsIn(await listed(events()), ids)).toEqual([tomorrow.id, tonight.id]);
    site.advance(DAY - 1);
    expect(idsIn(await listed(events()), ids)).toEqual([tomorrow.id, tonight.id]);
    const later = await created(events(), { date: '2026-07-21T09:00' });
    expect(idsIn(await listed(events()), [...ids, later.id])).toEqual([tomorrow.id, later.id, tonight.id]);
    site.advance(1);
    expect(idsIn(await listed(events()), [...ids, later.id])).toEqual([later.id, tomorrow.id, tonight.id]);
  });

  test('an end comes after its start, whichever of both is sent, and may be taken away', async () => {
    const date = '2026-09-20T18:30';
    const early = await create(events(), { date, fin: '2026-09-20T18:30' });
    expect([early.status, early.json.champs]).toEqual([422, { fin: 'la fin doit venir après le début.' }]);
    const item = await created(events(), { date, fin: '2026-09-20T22:00' });
    expect((await put(events(), item.id, { fin: '2026-09-20T18:00' })).status).toBe(422);
    expect((await put(events(), item.id, { date: '2026-09-21T18:30' })).status).toBe(422);
    const moved = await put(events(), item.id, { date: '2026-09-21T18:30', fin: '' });
    expect([moved.status, moved.json.fin]).toEqual([200, '']);
  });

  test('an end keeps an event among those to come until its last day is over', async () => {
    const now = site.now().getTime();
    const day = (ahead: number) => new Date(now + ahead * DAY).toISOString().slice(0, 10);
    const camp = await created(events(), { date: `${day(-2)}T10:00`, fin: `${day(1)}T10:00` });
    const past = await created(events(), { date: `${day(-1)}T10:00` });
    const next = await created(events(), { date: `${day(1)}T09:00` });
    const ids = [camp.id, past.id, next.id];
    expect(idsIn(await listed(events()), ids)).toEqual([camp.id, next.id, past.id]);
  });
});

describe('shortened lists', () => {
  // Two code units a character, so that counting units or bytes would be seen.
  const long = `${'𝒜é'.repeat(400)} fin`;
  const start = '𝒜é'.repeat(300);

  test('hold the first 600 characters of texts of several lines, and all the rest as it is', async () => {
    for (const facts of FACTS) {
      const texts = facts.genre === 'logos' || facts.genre === 'documents' ? {} : longTexts(facts);
      const item = await created(facts, texts);
      const find = async (query: string) => (await listed(facts, query)).find(({ id }) => id === item.id);
      const whole = (await find('?limite=100')) ?? {};
      const expected = Object.fromEntries(
        Object.entries(whole).map(([name, value]) => [name, value === long ? start : value]),
      );
      expect(await find('?limite=100&abrege=1'), facts.genre).toEqual(expected);
      expect(await find('?abrege=1&limite=100'), facts.genre).toEqual(expected);
      expect(Object.values(expected).includes(start), facts.genre).toBe(
        'description' in texts || 'article' in texts,
      );
    }
  });

  const longTexts = ({ texts }: Facts) =>
    Object.fromEntries(
      Object.keys(texts)
        .filter((name) => ['resume', 'description', 'summary', 'article'].includes(name))
        .map((name) => [name, long]),
    );

  test('a short text is not touched, also when it has exactly 600 characters', async () => {
    const facts = factsOf('actualites');
    for (const description of ['x', start]) {
      const item = await created(facts, { description });
      const found = (await listed(facts, '?abrege=1')).find(({ id }) => id === item.id);
      expect(found?.description).toBe(description);
    }
  });

  test('are kept apart from whole ones, and follow the same writes', async () => {
    const facts = factsOf('actualites');
    const item = await created(facts, { description: long });
    const queries: [string, string][] = [
      ['', long],
      ['?abrege=1', start],
      ['?limite=3', long],
      ['?limite=3&abrege=1', start],
    ];
    const read = async (query: string) =>
      (await listed(facts, query)).find(({ id }) => id === item.id)?.description;
    for (const turn of [1, 2]) {
      for (const [query, text] of queries) expect(await read(query), `${turn} ${query}`).toBe(text);
    }
    await put(facts, item.id, { description: 'Bref.' });
    for (const [query] of queries) expect(await read(query), query).toBe('Bref.');
  });

  test('an admin may ask for them too, and `abrege` takes 1 only', async () => {
    const facts = factsOf('actualites');
    const item = await created(facts, { description: long, publie_du: '2027-01-01T00:00' });
    const { json } = await site.call('GET /actualites?tout=1&abrege=1', { token: await asAdmin() });
    expect(json.find(({ id }: { id: number }) => id === item.id).description).toBe(start);
    for (const wrong of ['0', '2', 'oui', ''])
      expect((await site.call(`GET /actualites?abrege=${wrong}`)).status, wrong).toBe(422);
  });
});

describe('kept lists', () => {
  const news = () => factsOf('actualites');

  test('a list answers 304 while nothing changed, and a new tag after each write', async () => {
    const first = await site.call('GET /actualites');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const same = await site.call('GET /actualites', { headers: { 'if-none-match': etag } });
    expect([same.status, same.text]).toEqual([304, '']);
    const item = await created(news());
    let last = (await site.call('GET /actualites')).headers.get('etag') ?? '';
    expect(last).not.toBe(etag);
    const writes = [
      () => put(news(), item.id, { titre: 'Neuf' }),
      () => bin(news(), item.id),
      () => restore('actualites', item.id),
    ];
    for (const write of writes) {
      expect((await write()).status).toBe(200);
      const after = await site.call('GET /actualites', { headers: { 'if-none-match': last } });
      expect(after.status).toBe(200);
      expect(after.headers.get('etag')).not.toBe(last);
      last = after.headers.get('etag') ?? '';
    }
  });

  test('a cached answer is the same whether compressed or not, and carries the security headers', async () => {
    for (let i = 0; i < 3; i++) await created(news());
    const plain = await site.call('GET /actualites', { headers: { 'accept-encoding': 'identity' } });
    for (const encoding of ['br', 'gzip', 'gzip, deflate, br']) {
      const packed = await site.call('GET /actualites', { headers: { 'accept-encoding': encoding } });
      expect(packed.headers.get('content-encoding')).toBe(encoding.includes('br') ? 'br' : 'gzip');
      expect(packed.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
      expect(packed.text).toBe(plain.text);
    }
    for (const name of [
      'content-security-policy',
      'x-content-type-options',
      'x-frame-options',
      'x-request-id',
    ])
      expect(plain.headers.get(name)).toBeTruthy();
  });

  test('the read after a write sees it, fifty times over', async () => {
    const item = await created(news());
    const token = await asAdmin();
    const url = `PUT /actualites/${item.id}`;
    for (let i = 0; i < 50; i++) {
      const titre = `Version ${i}`;
      expect((await site.call(url, { token, body: form({ titre }) })).status).toBe(200);
      const found = (await listed(news())).find(({ id }) => id === item.id);
      expect(found?.titre).toBe(titre);
    }
  });

  test('readers at work during writes never see less than the last acknowledged one', async () => {
    const item = await created(news(), { titre: '0' });
    const token = await asAdmin();
    let acknowledged = 0;
    let done = false;
    let reads = 0;
    const reader = async () => {
      while (!done) {
        const atLeast = acknowledged;
        const found = (await listed(news())).find(({ id }) => id === item.id);
        expect(Number(found?.titre)).toBeGreaterThanOrEqual(atLeast);
        reads++;
      }
    };
    const writer = async () => {
      try {
        for (let i = 1; i <= 40; i++) {
          const answer = await site.call(`PUT /actualites/${item.id}`, {
            token,
            body: form({ titre: String(i) }),
          });
          expect(answer.status).toBe(200);
          acknowledged = i;
        }
      } finally {
        done = true;
      }
    };
    await Promise.all([writer(), ...Array.from({ length: 20 }, reader)]);
    expect(reads).toBeGreaterThan(40);
  });
});

test('sixty items are all listed, each once', async () => {
  const benefits = factsOf('avantage');
  const token = await asAdmin();
  const ids: number[] = [];
  for (let i = 0; i < 60; i++) ids.push((await created(benefits, { titre: `Avantage ${i}` }, token)).id);
  expect(idsIn(await listed(benefits), ids)).toEqual([...ids].reverse());
  expect((await listed(benefits, '?limite=100')).length).toBeGreaterThanOrEqual(60);
});

describe('the bin', () => {
  test('is for admins', async () => {
    expect((await site.call('GET /corbeille')).status).toBe(401);
    for (const role of ['reader', 'family', 'director'] as const)
      expect((await site.call('GET /corbeille', { token: await site.tokenOf(role) })).status).toBe(403);
  });

  test('lists the last deleted first', async () => {
    const [first, second] = [await created(factsOf('actualites')), await created(factsOf('logos'))];
    await bin(factsOf('logos'), second.id);
    site.advance(1_000);
    await bin(factsOf('actualites'), first.id);
    const held = (await site.call('GET /corbeille', { token: await asAdmin() })).json;
    expect(held.slice(0, 2)).toMatchObject([
      { genre: 'actualites', id: first.id },
      { genre: 'logos', id: second.id },
    ]);
  });

  test('knows no other kinds', async () => {
    for (const genre of ['inconnu', 'admins', 'sessions', 'constructor', '__proto__', '..%2Factualites'])
      expect((await restore(genre, 1)).status).toBe(404);
    expect((await restore('actualites', 999_999)).status).toBe(404);
  });

  test('a deletion and a restoration sent together leave one of the two states, never half of one', async () => {
    const facts = factsOf('actualites');
    const item = await created(facts, fileOf(facts));
    await bin(facts, item.id);
    const answers = await Promise.all([
      restore('actualites', item.id),
      restore('actualites', item.id),
      restore('actualites', item.id),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const deletions = await Promise.all([bin(facts, item.id), bin(facts, item.id)]);
    expect(deletions.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  // The last of the file, as it moves the clock by a month.
  test('after thirty days the row and all its files are erased, and its id is never given again', async () => {
    const items: { facts: Facts; id: number; keys: string[] }[] = [];
    for (const facts of FACTS) {
      const images: Values = facts.genre === 'events' ? { images: [photo, photo] } : {};
      const item = await created(facts, { ...fileOf(facts), ...images });
      items.push({ facts, id: item.id, keys: [] });
    }
    await site.jobs.idle();
    const { db } = site.services.database;
    const filesOf = async (facts: Facts, id: number) => {
      const table = KINDS.find((kind) => genreOf(kind) === facts.genre)?.table ?? '';
      return db
        .selectFrom('fichiers')
        .selectAll()
        .where('objet', '=', table)
        .where('objet_id', '=', id)
        .execute();
    };
    for (const item of items) {
      for (const { nom, dossier, largeurs } of await filesOf(item.facts, item.id)) {
        const widths = largeurs === '' ? [] : largeurs.split(';');
        item.keys.push(
          keyOf(dossier, nom),
          ...widths.map((width) => keyOf(dossier, nom.replace('.webp', `-${width}.webp`))),
        );
      }
      expect(item.keys.length).toBeGreaterThanOrEqual(item.facts.genre === 'documents' ? 1 : 3);
      await bin(item.facts, item.id);
    }
    const pathOf = (key: string) => join(site.directory, 'files', key);
    const deletedAt = site.now().getTime();
    const held = async () =>
      (await site.call('GET /corbeille', { token: await asAdmin() })).json.map(
        ({ genre, id }: { genre: string; id: number }) => `${genre} ${id}`,
      );

    site.advance(deletedAt + 30 * DAY - 60_000 - site.now().getTime());
    await site.schedule.tick();
    for (const { facts, id, keys } of items) {
      expect(await held()).toContain(`${facts.genre} ${id}`);
      for (const key of keys) expect(existsSync(pathOf(key))).toBe(true);
    }
    // One more may be taken back a minute before the end.
    const saved = items.shift() as (typeof items)[number];
    expect((await restore(saved.facts.genre, saved.id)).status).toBe(200);

    site.advance(2 * HOUR);
    await site.schedule.tick();
    for (const { facts, id, keys } of items) {
      expect(await held()).not.toContain(`${facts.genre} ${id}`);
      expect(await filesOf(facts, id)).toEqual([]);
      expect(keys.filter((key) => existsSync(pathOf(key)))).toEqual([]);
      expect((await restore(facts.genre, id)).status).toBe(404);
      expect((await created(facts)).id).toBeGreaterThan(id);
    }
    for (const key of saved.keys) expect(existsSync(pathOf(key))).toBe(true);
    expect(await isListed(saved.facts, saved.id)).toBe(true);
  });

  test('and nothing went wrong in the logs of all this', () => {
    const errors = site.logLines
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 'error' || level === 'fatal');
    expect(errors).toEqual([]);
  });
});

test('the PDF of minutes can be replaced: the old one closes, and its words are no longer found', async () => {
  const facts = factsOf('documents');
  const token = await site.tokenOf('reader');
  const found = async (words: string) =>
    idsIn((await site.call(`GET /documents?recherche=${words}`, { token })).json, [item.id]);
  const item = await created(facts, {
    url: [minutesPdf('Avant', ['Le toboggan rouge.']), 'a.pdf', 'application/pdf'],
  });
  await expect.poll(() => found('toboggan')).toEqual([item.id]);
  const changed = await put(facts, item.id, {
    url: [minutesPdf('Après', ['La balançoire verte.']), 'b.pdf', 'application/pdf'],
  });
  expect(changed.json.url).not.toBe(item.url);
  expect((await site.ask(`GET /api/doc_stage_formateur/${item.url}`, { token })).status).toBe(404);
  expect((await site.ask(`GET /api/doc_stage_formateur/${changed.json.url}`, { token })).status).toBe(200);
  await expect.poll(() => found('balançoire')).toEqual([item.id]);
  expect(await found('toboggan')).toEqual([]);
});
