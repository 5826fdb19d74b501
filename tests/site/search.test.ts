import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '#app/migrations/migrate.ts';
import { create } from '#tests/support/contents.ts';
import { form } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { AskOptions, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
let token: string;
beforeAll(async () => {
  site = await openSite();
  token = await site.tokenOf('admin');
});
afterAll(() => site?.close());

interface Found {
  nombre: number;
  resultats: { id: number; adresse: string; titre: string; extrait: string; date: string | null }[];
}
type Group = Found & { genre: string };

const ask = (q: string, options?: AskOptions) =>
  site.call(`GET /recherche-site?q=${encodeURIComponent(q)}`, options);
async function find(q: string, options?: AskOptions): Promise<Group[]> {
  const answer = await ask(q, options);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
async function titles(q: string): Promise<string[]> {
  return (await find(q)).flatMap(({ resultats }) => resultats.map(({ titre }) => titre));
}
async function findMinutes(q: string, role: 'reader' | 'admin' = 'reader'): Promise<Found> {
  const address = `GET /documents/recherche?q=${encodeURIComponent(q)}`;
  return (await site.call(address, { token: await site.tokenOf(role) })).json;
}
async function employ(values: Record<string, string>): Promise<number> {
  const body = form({ email: 'x@exemple.fr', ...values });
  const answer = await site.call('POST /create-employes', { token, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

describe('the search of visitors', () => {
  test('finds what has a page of its own, and people, in one order of kinds, each with its address', async () => {
    const benefit = await create(site, token, 'avantage', 'Quetzal réduit');
    const event = await create(site, token, 'events', 'Soirée quetzal');
    const featured = await create(site, token, 'alaune', 'Le quetzal');
    const news = await create(site, token, 'actualites', 'Un quetzal', { description: 'Il est **vert**.' });
    const person = await employ({ prenom: 'Ada', nom: 'Quetzal', poste: 'Trésorière' });
    const today = site.now().toISOString();
    const one = (genre: string, resultat: object) => ({
      genre,
      nombre: 1,
      resultats: [expect.objectContaining(resultat)],
    });
    expect(await find('quetzal')).toEqual([
      one('actualites', {
        id: news.id,
        adresse: `/?actualite=${news.id}`,
        titre: 'Un quetzal',
        extrait: 'Il est vert.',
        date: today,
      }),
      one('alaune', { adresse: `/une-details/${featured.id}`, date: today }),
      one('events', {
        adresse: `/event-detail/${event.id}`,
        date: '2026-09-20T18:30:00.000Z',
        passe: false,
      }),
      one('avantage', { adresse: `/avantage-detail/${benefit.id}` }),
      one('employes', {
        adresse: `/membres#employe-${person}`,
        titre: 'Ada Quetzal',
        extrait: 'Trésorière',
        date: null,
      }),
    ]);
  });

  test('finds words of the texts, and shows the words around them without their marks', async () => {
    const description = `${'Un début assez long pour être coupé. '.repeat(9)}Les **chèques-vacances** d’[été](https://exemple.fr/girafon) arrivent, et ${'la suite attend encore. '.repeat(9)}`;
    await create(site, token, 'actualites', 'Rentrée', { description });
    const [group] = await find('cheques ÉTÉ');
    expect(group?.resultats[0]).toMatchObject({ titre: 'Rentrée' });
    const extrait = group?.resultats[0]?.extrait ?? '';
    expect(extrait).toMatch(/^….*Les chèques-vacances d’été arrivent, et .*…$/);
    expect(extrait.length).toBeLessThan(170);
    // Where a link leads to is not said by the page.
    expect(await titles('girafon')).toEqual([]);
  });

  test('finds an event by its place and a benefit by what it saves, and a person by the post', async () => {
    await create(site, token, 'events', 'Pique-nique', { location: 'Parc des Écureuils' });
    await create(site, token, 'avantage', 'Cinéma', { economie: '4 € de moins qu’au tarif Zircon' });
    await employ({ prenom: 'Zoé', nom: 'Ndiaye', poste: 'Élue suppléante' });
    expect(await titles('ecureuils')).toEqual(['Pique-nique']);
    expect((await find('ecureuils'))[0]?.resultats[0]?.extrait).toBe('Parc des Écureuils');
    expect(await titles('zircon')).toEqual(['Cinéma']);
    expect(await titles('elue suppleante')).toEqual(['Zoé Ndiaye']);
    expect(await titles('suppleante zoe')).toEqual(['Zoé Ndiaye']);
  });

  test('takes accents, case, apostrophes and joined letters for what people type instead', async () => {
    const titre = 'Fête de l’Œuvre à ÉVIAN-les-Bains';
    await create(site, token, 'alaune', titre);
    for (const q of ['fete de l’oeuvre', 'FÊTE évian', "l'œuvre", 'E\u0301vian', ' bains\u202f fête '])
      expect(await titles(q), q).toEqual([titre]);
    expect(await titles('fête d’hiver')).toEqual([]);
  });

  test('puts titles before texts, what is to come before what is over, then the nearest', async () => {
    const at = (titre: string, date: string, more = {}) =>
      create(site, token, 'events', titre, { date, ...more });
    await at('Bal passé', '2026-01-10T20:00');
    await at('Bal du siècle dernier', '2025-01-10T20:00');
    await at('Grand bal', '2026-08-01T20:00');
    await at('Le bal', '2026-07-01T20:00');
    await at('Bal de minuit', '2026-12-31T20:00');
    await at('Goûter', '2026-06-25T16:00', { article: 'Suivi d’un bal.' });
    // It goes on today.
    await at('Le long bal', '2026-06-01T16:00', { fin: '2026-06-20T20:00' });
    expect(await titles('bal')).toEqual([
      'Bal de minuit',
      'Le long bal',
      'Le bal',
      'Grand bal',
      'Bal passé',
      'Bal du siècle dernier',
      'Goûter',
    ]);
    for (const titre of ['Tombola ancienne', 'Tombola récente', 'Une tombola']) {
      site.advance(1_000);
      await create(site, token, 'actualites', titre);
    }
    await create(site, token, 'actualites', 'Kermesse', { description: 'Avec une tombola.' });
    expect(await titles('tombola')).toEqual([
      'Tombola récente',
      'Tombola ancienne',
      'Une tombola',
      'Kermesse',
    ]);
  });

  test('shows the first of many, and counts them all', async () => {
    for (let i = 0; i < 10; i++) await create(site, token, 'actualites', `Pangolin ${i}`);
    const [group] = await find('pangolin');
    expect([group?.nombre, group?.resultats.length]).toEqual([10, 8]);
  });

  test('follows every write at once', async () => {
    const { id } = await create(site, token, 'actualites', 'Axolotl', { description: 'Un texte rosé.' });
    const change = (values: Record<string, string>) =>
      site.call(`PUT /actualites/${id}`, { token, body: form(values) });
    await change({ titre: 'Salamandre' });
    expect(await titles('axolotl')).toEqual([]);
    // A form may leave out what it does not change.
    expect(await titles('salamandre rose')).toEqual(['Salamandre']);
    await change({ description: 'Un texte noir.' });
    expect(await titles('salamandre rose')).toEqual([]);
    expect(await titles('salamandre noir')).toEqual(['Salamandre']);
  });

  test('finds contents that were there before it', async () => {
    const { database } = site.services;
    for (const genre of ['actualites', 'alaune', 'events', 'avantage'])
      await create(site, token, genre, `Diplodocus ${genre}`);
    await employ({ prenom: 'Ève', nom: 'Diplodocus', poste: 'Archiviste' });
    const before = await find('diplodocus');
    expect(before).toHaveLength(5);
    await database.write(async (db) => {
      for (const table of ['actualites', 'alaune', 'events', 'avantage', 'employes'])
        await sql`alter table ${sql.table(table)} drop column plie`.execute(db);
      await sql`delete from migrations where nom = '0028-search-text'`.execute(db);
    });
    await migrate(database);
    expect(await find('diplodocus')).toEqual(before);
    expect(await titles('chèques vacances')).toEqual(['Rentrée']);
    expect(await titles('diplodocus archiviste')).toEqual(['Ève Diplodocus']);
  });
});

describe('what visitors must not see', () => {
  test('drafts, what is to come or over, and what is in the bin is not found', async () => {
    for (const genre of ['actualites', 'alaune', 'events', 'avantage']) {
      await create(site, token, genre, 'Okapi brouillon', { brouillon: '1' });
      await create(site, token, genre, 'Okapi demain', { publie_du: '2026-07-01T09:00:00Z' });
      await create(site, token, genre, 'Okapi hier', { publie_au: '2026-06-01T09:00:00Z' });
      const { id } = await create(site, token, genre, 'Okapi supprimé');
      await site.call(`DELETE /${genre}/${id}`, { token });
    }
    const person = await employ({ prenom: 'Léa', nom: 'Okapi', poste: 'Élue' });
    expect(await titles('okapi')).toEqual(['Léa Okapi']);
    await site.call(`DELETE /employes/${person}`, { token });
    expect(await find('okapi')).toEqual([]);
    // Not for staff either: this is the site as visitors see it.
    expect(await find('okapi', { token })).toEqual([]);
  });

  test('an employee is not found by contact details, shown or not', async () => {
    await employ({
      prenom: 'Rémi',
      nom: 'Tapir',
      poste: 'Élu',
      email: 'remi.secret@exemple.fr',
      telephone: '06 98 76 54 32',
      email_public: '0',
      telephone_public: '0',
    });
    for (const q of ['secret', 'remi.secret@exemple.fr', '0698765432', '06 98 76']) {
      expect(await find(q), q).toEqual([]);
    }
    expect((await ask('tapir')).text).not.toMatch(/secret|98/);
  });

  test('families, stays, directors and messages are not found', async () => {
    const post = (what: string, body: object) => site.call(what, { token, body });
    const dates = { date_debut: '2026-07-04', date_fin: '2026-07-18' };
    const { id: stageId } = (await post('POST /stages', { nom_stage: 'Colo Wapiti', ...dates })).json;
    await post('POST /add-stagiaire', { nom: 'Wapiti', prenom: 'Zoé', mailRL: 'wapiti@exemple.fr', stageId });
    const director = { nom: 'Wapiti', prenom: 'Awa', mail: 'awa.wapiti@exemple.fr' };
    await post('POST /formateurs/add', { ...director, cat: 'sejour', stageId });
    await post('POST /contact', { nom: 'Wapiti', email: 'wapiti@exemple.fr', message: 'Wapiti' });
    expect(await find('wapiti')).toEqual([]);
  });

  test('the text that is searched leaves with no answer, not even with that to a stale form', async () => {
    const { id } = await create(site, token, 'actualites', 'Ocelot');
    const change = () =>
      site.call(`PUT /actualites/${id}`, { token, body: form({ titre: 'Ocelot', version: '1' }) });
    const answers = [
      await site.call(`GET /actualites/${id}`),
      await site.call('GET /actualites'),
      await change(),
      await change(),
      await ask('ocelot'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409, 200]);
    for (const { text } of answers) expect(text).not.toContain('plie');
  });
});

describe('the search in the minutes', () => {
  beforeAll(async () => {
    const add = async (nom: string, texte: string, more = {}) => {
      const url = [minutesPdf(nom, [texte]), 'cr.pdf', 'application/pdf'];
      await create(site, token, 'documents', nom, { url, ...more });
    };
    await add('Réunion de mars', 'Le lémurien est reconduit.', { date_ajout: '2026-05-12' });
    await add('Le lémurien', 'Rien à signaler.', { date_ajout: '2020-01-01' });
    await add('Brouillon de lémurien', 'x', { brouillon: '1' });
    await site.jobs.idle();
  });

  test('finds titles, then texts, with the page of the PDF', async () => {
    for (const role of ['reader', 'admin'] as const) {
      const { nombre, resultats } = await findMinutes('lemurien', role);
      expect(nombre).toBe(2);
      expect(resultats).toMatchObject([
        { titre: 'Le lémurien', date: '2020-01-01' },
        {
          titre: 'Réunion de mars',
          date: '2026-05-12',
          adresse: expect.stringMatching(/^\/api\/doc_stage_formateur\/[\w.]+\.pdf#page=1$/),
          extrait: expect.stringContaining('Le lémurien est reconduit.'),
          page: 1,
        },
      ]);
    }
    expect(await findMinutes('%')).toEqual({ nombre: 0, resultats: [] });
  });

  test('is for those who may read them: for others nothing is found or counted', async () => {
    expect(await find('lemurien')).toEqual([]);
    for (const role of ['reader', 'admin', 'family', 'director'] as const)
      expect(await find('lemurien', { token: await site.tokenOf(role) })).toEqual([]);
    const refused = async (role: 'family' | 'director') =>
      (await site.call('GET /documents/recherche?q=lemurien', { token: await site.tokenOf(role) })).status;
    expect((await site.call('GET /documents/recherche?q=lemurien')).status).toBe(401);
    expect([await refused('family'), await refused('director')]).toEqual([403, 403]);
  });

  test('is kept by nobody, while the answer to visitors is asked for again each time', async () => {
    const reader = await site.tokenOf('reader');
    const own = await site.call('GET /documents/recherche?q=lemurien', { token: reader });
    expect(own.headers.get('cache-control')).toBe('no-store');
    expect(own.headers.get('etag')).toBeNull();
    expect((await ask('lemurien')).headers.get('cache-control')).toBe('no-cache');
  });
});

test('a search finds nothing for nothing, and takes no text for more than a text', async () => {
  await create(site, token, 'actualites', '100\u202f% gratuit (ou presque)');
  for (const q of ['', ' ', '%', '_', '’', '\u0301', '🎉', "' or 1=1 --", '.*', '[', 'zzz', 'constructor'])
    expect(await find(q), q).toEqual([]);
  expect((await site.call('GET /recherche-site')).json).toEqual([]);
  expect(await titles('100%')).toEqual(['100\u202f% gratuit (ou presque)']);
  // Many words are no more work than eight.
  expect((await ask('a b c d e f g h i j k l m n o p q r s t u v w x y z')).status).toBe(200);
  for (const path of ['GET /recherche-site', 'GET /documents/recherche']) {
    for (const query of [`q=${'x'.repeat(101)}`, 'q=a%00', 'q=a&q=b'])
      expect((await site.call(`${path}?${query}`, { token })).status, query).toBe(422);
  }
});

test('what is searched is in no line of the log', async () => {
  site.logLines.length = 0;
  await find('ornithorynque');
  await findMinutes('ornithorynque');
  expect((await ask(`ornithorynque${'x'.repeat(100)}`)).status).toBe(422);
  expect(site.logLines.length).toBeGreaterThan(0);
  expect(site.logLines.join('\n')).not.toContain('ornithorynque');
});
