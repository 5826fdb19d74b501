import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { genreOf, KINDS } from '#features/content/shared/kinds.ts';
import { create } from '#tests/support/contents.ts';
import { form } from '#tests/support/forms.ts';
import type { AskOptions, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

describe('the search', () => {
  let site: TestSite;
  let token: string;
  beforeAll(async () => {
    site = await openSite();
    token = await site.tokenOf('admin');
  });
  afterAll(() => site?.close());

  const ask = (q: string, options: AskOptions = { token }) =>
    site.call(`GET /recherche?q=${encodeURIComponent(q)}`, options);
  const titles = async (q: string) =>
    (await ask(q)).json.map(({ titre }: { titre: string }) => titre) as string[];

  test('finds an item of every kind, and says which it is', async () => {
    for (const genre of KINDS.map(genreOf)) {
      const { id } = await create(site, token, genre, `Quetzal ${genre}`);
      expect((await ask(`quetzal ${genre}`)).json).toEqual([
        {
          genre,
          id,
          titre: `Quetzal ${genre}`,
          date_publication: site.now().toISOString(),
          dans_la_corbeille: false,
        },
      ]);
    }
    expect(await titles('quetzal')).toHaveLength(KINDS.length);
  });

  test('finds what is not published, no longer published, or in the bin, and marks the last', async () => {
    await create(site, token, 'actualites', 'Ornithorynque demain', { publie_du: '2026-07-01T09:00:00Z' });
    await create(site, token, 'actualites', 'Ornithorynque hier', { publie_au: '2026-06-01T09:00:00Z' });
    const { id } = await create(site, token, 'actualites', 'Ornithorynque supprimé');
    await site.call(`DELETE /actualites/${id}`, { token });
    const { json } = await ask('ornithorynque');
    const marks = json.map((one: Record<string, unknown>) => [
      one.titre,
      one.dans_la_corbeille,
      one.date_publication,
    ]);
    expect(marks).toEqual([
      ['Ornithorynque demain', false, '2026-07-01T09:00:00.000Z'],
      ['Ornithorynque supprimé', true, site.now().toISOString()],
      ['Ornithorynque hier', false, site.now().toISOString()],
    ]);
  });

  test('takes accents, case, apostrophes and joined letters for what people type instead', async () => {
    const titre = 'Fête de l’Œuvre à ÉVIAN-les-Bains';
    await create(site, token, 'alaune', titre);
    for (const q of [
      'fete de l’oeuvre',
      'FÊTE',
      "l'œuvre",
      'l’oeuvre',
      'evian',
      'E\u0301vian',
      'evian les bains',
      'évian-les-bains',
      ' bains\u202f fête ',
    ])
      expect(await titles(q), q).toEqual([titre]);
  });

  test('wants every word of the query, in any order', async () => {
    await create(site, token, 'avantage', 'Chèques vacances été');
    expect(await titles('été chèques')).toEqual(['Chèques vacances été']);
    expect(await titles('vacances chèques hiver')).toEqual([]);
    expect(await titles('chèques chèques')).toEqual(['Chèques vacances été']);
  });

  test('puts titles that begin with the query first, then words that do, then the rest; the newest first', async () => {
    for (const titre of [
      'Grand tournoi',
      'Le rétrotournoi',
      'Tournoi ancien',
      'Second tournoi',
      'Le retrotournoi bis',
      'Tournoi récent',
    ]) {
      site.advance(1_000);
      await create(site, token, 'actualites', titre);
    }
    expect(await titles('tournoi')).toEqual([
      'Tournoi récent',
      'Tournoi ancien',
      'Second tournoi',
      'Grand tournoi',
      'Le retrotournoi bis',
      'Le rétrotournoi',
    ]);
    expect(await titles('tournoi réc')).toEqual(['Tournoi récent']);
    expect(await titles('ancien tournoi')).toEqual(['Tournoi ancien']);
  });

  test('gives the first results of many, of each kind', async () => {
    for (let i = 0; i < 10; i++) {
      site.advance(1_000);
      await create(site, token, 'actualites', `Pangolin ${i}`);
    }
    await create(site, token, 'alaune', 'Le pangolin');
    expect(await titles('pangolin')).toEqual([
      ...[9, 8, 7, 6, 5, 4, 3, 2].map((n) => `Pangolin ${n}`),
      'Le pangolin',
    ]);
  });

  test('finds nothing for nothing, and takes no text for more than a text', async () => {
    await create(site, token, 'actualites', '100\u202f% gratuit (ou presque)');
    for (const q of ['', ' ', '%', '_', '’', '\u0301', '🎉', "' or 1=1 --", '.*', '[', 'zzz', 'constructor'])
      expect((await ask(q)).json, q).toEqual([]);
    expect((await site.call('GET /recherche', { token })).json).toEqual([]);
    expect(await titles('100%')).toEqual(['100\u202f% gratuit (ou presque)']);
    expect((await ask('x'.repeat(101))).status).toBe(422);
    expect((await ask('a\u0000')).status).toBe(422);
    expect((await site.call('GET /recherche?q=a&q=b', { token })).status).toBe(422);
  });

  test('follows every write at once', async () => {
    const { id } = await create(site, token, 'actualites', 'Axolotl');
    await site.call(`PUT /actualites/${id}`, { token, body: form({ titre: 'Salamandre' }) });
    expect(await titles('axolotl')).toEqual([]);
    expect(await titles('salamandre')).toEqual(['Salamandre']);
  });
});

describe('the search of people', () => {
  let site: TestSite;
  let token: string;
  let stageId: number;
  let childId: number;
  beforeAll(async () => {
    site = await openSite();
    token = await site.tokenOf('admin');
    const dates = { date_debut: '2026-07-04', date_fin: '2026-07-18' };
    stageId = (await post('POST /stages', { nom_stage: 'Colo Mer', ...dates })).id;
    const child = { nom: 'Lefèvre-Ozœil', prenom: 'Éloïse', mailRL: 'Parent.Un@Exemple.fr' };
    childId = (await post('POST /add-stagiaire', { ...child, email_2: 'papa@exemple.org', stageId })).id;
    const director = { nom: 'Kone', prenom: 'Awa', mail: 'awa@exemple.fr', telephone: '06 12 34 56 78' };
    await post('POST /formateurs/add', { ...director, cat: 'sejour', stageId });
  });
  afterAll(() => site?.close());

  async function post(what: string, body: object) {
    const answer = await site.call(what, { token, body });
    expect([200, 201], answer.text).toContain(answer.status);
    return answer.json;
  }
  const find = async (q: string, options: AskOptions = { token }) =>
    (await site.call(`GET /recherche?q=${encodeURIComponent(q)}`, options)).json;
  const kinds = async (q: string) => (await find(q)).map(({ genre }: { genre: string }) => genre);

  test('finds a child by parts of the names, and by either address of its family', async () => {
    const found = {
      genre: 'enfants',
      id: childId,
      titre: 'Éloïse Lefèvre-Ozœil',
      detail: 'Colo Mer, du\u00a04 au\u00a018 juillet 2026 · Parent.Un@Exemple.fr · papa@exemple.org',
      stageId,
      date_publication: '2026-07-04',
      dans_la_corbeille: false,
    };
    for (const q of ['eloise', 'LEFEVRE', 'fèvr', 'ozoeil elo', 'parent.un@exemple.fr', 'papa@exemple'])
      expect(await find(q), q).toEqual([found]);
    expect(await find('eloise martin')).toEqual([]);
  });

  test('finds a director by name, address and telephone, however it is typed', async () => {
    for (const q of ['awa kone', 'awa@exemple.fr', '06 12 34', '061234', '0612345678'])
      expect(await kinds(q), q).toEqual(['directeurs']);
    expect((await find('kone'))[0]).toMatchObject({ titre: 'Awa Kone', stageId });
  });

  test('finds an employee by what only staff see', async () => {
    const body = form({
      prenom: 'Zélie',
      nom: 'Ndiaye',
      poste: 'Comptable',
      telephone: '07 99 88 77 66',
      email: 'zelie@cse.fr',
    });
    expect((await site.call('POST /create-employes', { token, body })).status).toBe(201);
    for (const q of ['ndiaye', 'comptable', 'zelie@cse.fr', '0799'])
      expect(await kinds(q), q).toEqual(['employes']);
  });

  test('finds who wrote, and what was sent to an address', async () => {
    await site.call('POST /contact', {
      body: { nom: 'Inès Faure', email: 'ines@exemple.fr', message: 'Bonjour.' },
    });
    expect(await kinds('ines faure')).toEqual(['messages']);
    await post('POST /stages/envoi-mots-de-passe', { stageIds: [stageId], type: 'stagiaire' });
    const sent = (await find('papa@exemple')).filter(({ genre }: { genre: string }) => genre === 'envois');
    expect(sent).toMatchObject([
      { titre: 'papa@exemple.org', detail: expect.stringMatching(/^Codes d’accès, /) },
    ]);
  });

  test('finds a stay by name, number and date', async () => {
    for (const q of ['colo', 'mer juillet 2026', '04/07/2026']) expect(await kinds(q), q).toContain('stages');
    expect((await find('colo'))[0]).toMatchObject({
      titre: 'Colo Mer',
      detail: 'du\u00a04 au\u00a018 juillet 2026',
    });
  });

  test('puts the stay of a number first, however it is typed, and small words beside', async () => {
    for (const q of [
      `séjour n° ${stageId}`,
      `n°${stageId}`,
      `SEJOUR ${stageId}`,
      `le séjour numéro ${stageId}`,
    ])
      expect((await find(q))[0], q).toMatchObject({ genre: 'stages', id: stageId });
    expect(await kinds('la petite colo de la mer')).toEqual([]);
    expect(await kinds('la colo de la mer')).toContain('stages');
  });

  test('puts mails behind people, even where their titles fit better', async () => {
    const found = await kinds('parent.un@exemple.fr');
    expect(found).toContain('envois');
    expect(found[0]).toBe('enfants');
  });

  test('is recorded once a sign-in and kind of people, and not for what is no person', async () => {
    const fresh = { token: await site.tokenOf('admin') };
    const lines = async () =>
      (await site.call('GET /journal?limite=200', { token })).json.entrees.filter(
        ({ action }: { action: string }) => action === 'recherche',
      );
    const before = (await lines()).length;
    await find('colo mer juillet 04', fresh);
    await find('zzz', fresh);
    expect(await lines()).toHaveLength(before);
    for (const q of ['eloise', 'elo', 'awa', 'eloise']) await find(q, fresh);
    const added = (await lines()).slice(0, -before || undefined);
    expect(added.map(({ acteur, objet }: Record<string, string>) => [acteur, objet])).toEqual([
      ['Alice', 'formateurs'],
      ['Alice', 'stagiaires'],
    ]);
  });

  test('stays quick and short where everybody is called alike', async () => {
    const { database } = site.services;
    await database.write(async (db) => {
      for (let n = 0; n < 300; n++)
        await db
          .insertInto('stagiaires')
          .values({
            stage_id: stageId,
            nom: `Martin ${n}`,
            prenom: 'Léo',
            cle: `martin ${n}|leo`,
            email: `martin${n}@exemple.fr`,
            consentement_image: 'oui',
            created_at: site.now().toISOString(),
            modifie_le: site.now().toISOString(),
          })
          .execute();
    });
    expect((await kinds('leo')).filter((genre: string) => genre === 'enfants')).toHaveLength(8);
    expect((await find('leo martin 299'))[0].titre).toBe('Léo Martin 299');
  });
});
