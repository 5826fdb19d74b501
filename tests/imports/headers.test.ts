import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { API_PREFIX } from '#platform/shared/call.ts';
import { form } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { workbook } from '#tests/support/workbooks.ts';

const site: TestSite = await openSite();
const { database } = site.services;
let token: string;
let stageId: number;
beforeEach(async () => {
  await database.write(async (db) => {
    for (const table of ['imports', 'imports_titres', 'stages', 'journal', 'sessions'] as const)
      await db.deleteFrom(table).execute();
  });
  token = await site.tokenOf('admin');
  await send('/uploadSejour', 'nom_stage;date_debut;date_fin\nMer;06/07/2026;20/07/2026\n');
  stageId = (await database.db.selectFrom('stages').select('id').executeTakeFirstOrThrow()).id;
});
afterAll(() => site?.close());

function send(path: string, file: string | Buffer, more: Record<string, string> = {}) {
  const body = form({ file: [Buffer.from(file as string), 'liste.csv'], ...more });
  return site.call(`POST ${path}`, { token, body });
}

const said = (titles: Record<string, string>) => ({
  titres: JSON.stringify(Object.entries(titles).map(([titre, colonne]) => ({ titre, colonne }))),
});
const remembered = () =>
  database.db.selectFrom('imports_titres').selectAll().orderBy('genre').orderBy('titre').execute();
const addresses = async () =>
  (await database.db.selectFrom('stagiaires').select(['email', 'email_2']).execute()).map((child) => [
    child.email,
    child.email_2,
  ]);

/** What a registration software exports: headers of its own, of which the site knows those of the child. */
const exported = (...lines: string[]) =>
  [
    'Nom;Prénom;Contact parent;Contact parent bis;Taille;stageId',
    ...lines.map((one) => `${one};${stageId}`),
  ].join('\n');
const LEA = 'Martin;Léa;lea@example.org;papa@example.org;128';

describe('A header that the site does not know', () => {
  test('is refused as ever while a column misses, with what may be said of it', async () => {
    for (const path of ['/upload', '/upload/apercu']) {
      const { status, json } = await send(path, exported(LEA));
      expect([status, json.champs.file]).toEqual([422, 'la colonne «\u00a0E-mail\u00a0» manque.']);
      // What their cells seem to hold is proposed, and counts once it is said.
      expect(json.titres).toEqual([
        { titre: 'Contact parent', colonne: 'email', retenu: false, exemples: ['lea@example.org'] },
        { titre: 'Contact parent bis', colonne: 'email_2', retenu: false, exemples: ['papa@example.org'] },
        { titre: 'Taille', colonne: '', retenu: false, exemples: ['128'] },
      ]);
      expect(json.libres).toContain('email');
      expect(json.libres).not.toContain('nom');
    }
    expect(await remembered()).toEqual([]);
  });

  test('stands for the column that staff say, and does so by itself from the next import on', async () => {
    const titles = { 'Contact parent': 'email', 'contact PARENT bis': 'email_2', Taille: '' };
    const { json: seen } = await send('/upload/apercu', exported(LEA), said(titles));
    expect(seen).toMatchObject({ creer: 1, erreurs: 0, ignorees: ['Taille'] });
    expect(seen.colonnes).toEqual(['nom', 'prenom', 'email', 'email_2', 'stageId']);
    expect(await remembered()).toEqual([]);
    expect((await send('/upload', exported(LEA), said(titles))).json).toMatchObject({ creer: 1 });
    expect(await addresses()).toEqual([['lea@example.org', 'papa@example.org']]);
    expect(await remembered()).toEqual([
      { genre: 'familles', titre: 'contact parent', colonne: 'email' },
      { genre: 'familles', titre: 'contact parent bis', colonne: 'email_2' },
    ]);

    const next = exported('Petit;Anaïs;anais@example.org;;130');
    const { json: again } = await send('/upload/apercu', next);
    expect(again.titres).toEqual([
      { titre: 'Contact parent', colonne: 'email', retenu: true, exemples: ['anais@example.org'] },
      { titre: 'Contact parent bis', colonne: 'email_2', retenu: true, exemples: [] },
      { titre: 'Taille', colonne: '', retenu: false, exemples: ['130'] },
    ]);
    expect((await send('/upload', next)).json).toMatchObject({ creer: 1 });
    // What is said now counts more than what was said then, and is what is remembered.
    const other = { 'Contact parent': 'email_2', 'Contact parent bis': 'email' };
    expect((await send('/upload', exported(LEA), said(other))).json).toMatchObject({ modifier: 1 });
    await send('/upload', exported(LEA), said({ 'Contact parent': 'email', 'Contact parent bis': '' }));
    expect(await remembered()).toEqual([{ genre: 'familles', titre: 'contact parent', colonne: 'email' }]);
  });

  test('is forgotten where the file names the column itself, or another kind is imported', async () => {
    await send('/upload', exported(LEA), said({ 'Contact parent': 'email' }));
    const both = `Nom;Prénom;E-mail;Contact parent;stageId\nRoux;Jo;jo@example.org;x;${stageId}\n`;
    const { json } = await send('/upload/apercu', both);
    expect(json).toMatchObject({
      erreurs: 0,
      titres: [{ titre: 'Contact parent', colonne: '', retenu: false, exemples: ['x'] }],
    });
    const stays = 'Séjour;Début;Fin;Contact parent\nNeige;01/02/2027;08/02/2027;x\n';
    expect((await send('/uploadSejour/apercu', stays)).json.ignorees).toEqual(['Contact parent']);
  });

  test('is not remembered from an import that fails, nor when it is an address', async () => {
    const faulty = exported('Martin;Léa;pas une adresse;;128');
    expect((await send('/upload', faulty, said({ 'Contact parent': 'email' }))).status).toBe(422);
    const headless = `Nom;Prénom;lea@example.org;stageId\nRoux;Jo;jo@example.org;${stageId}\n`;
    expect((await send('/upload', headless, said({ 'lea@example.org': 'email' }))).status).toBe(200);
    expect(await remembered()).toEqual([]);
    // Nor the names beside it, which are those of a child.
    const child = `Martin;Léa;lea@example.org;stageId\nRoux;Max;max@example.org;${stageId}\n`;
    const first = said({ Martin: 'nom', Léa: 'prenom', 'lea@example.org': 'email' });
    expect((await send('/upload', child, first)).status).toBe(200);
    expect(await remembered()).toEqual([]);
  });

  test('that comes twice is told by its letter', async () => {
    const file = `Nom;Prénom;Contact;contact;???;stageId\nRoux;Jo;jo@example.org;x;y;${stageId}\n`;
    const { json } = await send('/upload/apercu', file, said({ Contact: 'email' }));
    expect(json).toMatchObject({ erreurs: 0, ignorees: ['contact (colonne D)'] });
    expect(json.titres).toEqual([
      { titre: 'Contact', colonne: 'email', retenu: false, exemples: ['jo@example.org'] },
      { titre: 'contact (colonne D)', colonne: '', retenu: false, exemples: ['x'] },
    ]);
  });

  test.each([
    [
      'one column with another',
      { 'Contact parent': 'email', Taille: 'email' },
      { file: expect.stringContaining('deux fois') },
    ],
    ['no column of its kind', { Taille: 'mdp_formateur' }, { titres: expect.any(String) }],
    ['what every object has', { Taille: '__proto__' }, { titres: expect.any(String) }],
  ])('cannot stand for %s', async (_, titles, champs) => {
    const answer = await send('/upload', exported(LEA), said(titles as Record<string, string>));
    expect([answer.status, answer.json.champs]).toEqual([422, champs]);
  });

  test.each([
    '{',
    '{}',
    '[{"titre":"Taille"}]',
    JSON.stringify(Array(201).fill({ titre: 'a', colonne: '' })),
  ])('is not said by what is no list of them: %.30s', async (titres) => {
    const answer = await send('/upload', exported(LEA), { titres });
    expect([answer.status, Object.keys(answer.json.champs)]).toEqual([422, ['titres']]);
  });
});

describe('Lines of a file', () => {
  test('that repeat a child are left out and told, those that say otherwise are faulty', async () => {
    const file = `Nom;Prénom;E-mail;Note;stageId
Martin;Léa;lea@example.org;a;${stageId}
Martin;Léa;autre@example.org;;${stageId}
 Martin ;Léa;LEA@example.org;b;${stageId}
`;
    const { json: seen } = await send('/upload/apercu', file);
    expect(seen).toMatchObject({ lignes: 3, creer: 1, erreurs: 1, doublons: 1, fautives: [3] });
    expect(seen.avertissements).toEqual([
      { ligne: 4, raison: 'elle répète la ligne 2, mot pour mot\u202f: elle est laissée de côté.' },
    ]);
    const corrections = JSON.stringify([{ ligne: 3, cellules: [] }]);
    const { json } = await send('/upload', file, { corrections });
    expect([json.creer, json.modifier, json.inchangees]).toEqual([1, 0, 0]);
  });

  test('that are equal stays are asked about', async () => {
    const line = 'Neige;01/02/2027;08/02/2027';
    const { json } = await send('/uploadSejour/apercu', `nom_stage;date_debut;date_fin\n${line}\n${line}\n`);
    expect(json.fautes[0].raisons).toEqual([{ colonne: '', raison: 'la ligne 2 dit déjà la même chose.' }]);
  });

  test('are all numbered when they are faulty, beyond those that are shown', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `Nom ${index};A;x;${stageId}`);
    const { json } = await send('/upload/apercu', ['nom;prenom;email;stageId', ...lines].join('\n'));
    expect([json.fautes.length, json.fautives.length, json.fautives.at(-1)]).toEqual([200, 300, 301]);
  });
});

test('What was imported is named by what it was, a workbook or a CSV file', async () => {
  const rows = [
    ['Nom', 'Prénom', 'E-mail', 'stageId'],
    ['Martin', 'Léa', 'lea@example.org', String(stageId)],
  ];
  expect((await send('/upload', workbook(rows))).json.message).toBe('Classeur chargé et traité avec succès');
  const text = rows.map((row) => row.join(';')).join('\n');
  expect((await send('/upload', text)).json.message).toBe('CSV chargé et traité avec succès');
});

test.each([
  ['sejours', '/uploadSejour'],
  ['familles', '/upload'],
  ['directeurs', '/uploadDirecteurs'],
])(
  'The model of %s is a workbook too, whose titles are known and whose example is not imported',
  async (genre, path) => {
    const headers = { authorization: `Bearer ${token}` };
    const model = await fetch(`${site.origin}${API_PREFIX}/modeles-excel/${genre}`, { headers });
    expect(model.headers.get('content-disposition')).toBe(`attachment; filename=modele-${genre}.xlsx`);
    const { json } = await send(`${path}/apercu`, Buffer.from(await model.arrayBuffer()));
    expect(json).toMatchObject({ lignes: 1, erreurs: 1, ignorees: [] });
  },
);
