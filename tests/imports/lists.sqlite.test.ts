import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { form } from '#tests/support/forms.ts';
import { savedByLibreOffice } from '#tests/support/libreoffice.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { type BookCell, book } from '#tests/support/workbooks.ts';

/* Shapes of lists that secretaries send: each gives the right lines, or asks; none is silently wrong or a dead end. */

const site: TestSite = await openSite();
let token: string;
beforeAll(async () => {
  token = await site.tokenOf('admin');
  await send(
    '/uploadSejour',
    csv('Séjour;Du;Au', 'Montagne;12/07/2026;26/07/2026', 'Mer;06/07/2026;20/07/2026'),
  );
});
afterAll(() => site?.close());

const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

function send(path: string, file: string | Buffer, more: Record<string, string> = {}) {
  return site.call(`POST ${path}`, {
    token,
    body: form({ file: [Buffer.from(file as string), 'liste'], ...more }),
  });
}

type Said = Record<
  string,
  string | { question: string; reponse: string }[] | { titre: string; colonne: string }[]
>;

/** A preview; `seen`: the cells of each line that would come. */
async function preview(file: string | Buffer, said: Said = {}, path = '/upload') {
  const more = Object.fromEntries(
    Object.entries(said).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const { status, json } = await send(`${path}/apercu`, file, more);
  const seen = (json.extrait ?? []).map(({ cellules }: { cellules: string[] }) => cellules.join(' | '));
  const faulty = (json.fautes ?? []).map(({ ligne }: { ligne: number }) => ligne);
  const asked = (json.questions ?? []).map(({ question }: { question: string }) => question);
  return { status, ...json, seen, faulty, asked };
}

describe('One column for both names', () => {
  const rows = [
    'MARTIN Léo;a@exemple.fr;Mer',
    'DE LA TOUR Anne-Lise;b@exemple.fr;Mer',
    'Petit, Tom;c@exemple.fr;Mer',
  ];
  const SEEN = [
    'MARTIN | Léo | a@exemple.fr | Mer',
    'DE LA TOUR | Anne-Lise | b@exemple.fr | Mer',
    'Petit | Tom | c@exemple.fr | Mer',
  ];

  test('is known by its title, and by capitals, a comma or the order of two words', async () => {
    const file = csv('Nom et prénom de l’enfant;Mail;Séjour', ...rows, 'Roux Zoé;d@exemple.fr;Mer');
    expect((await preview(file)).seen).toEqual([...SEEN, 'Roux | Zoé | d@exemple.fr | Mer']);
    const other = csv('Prénom Nom;Mail;Séjour', 'Léo MARTIN;a@exemple.fr;Mer', 'Zoé Roux;d@exemple.fr;Mer');
    expect((await preview(other)).seen).toEqual([SEEN[0], 'Roux | Zoé | d@exemple.fr | Mer']);
  });

  test('may be said of any title; what cannot be parted is corrected on screen', async () => {
    const file = csv('Enfant;Mail;Séjour', ...rows, 'Le Goff Anne Marie;d@exemple.fr;Mer');
    const asked = await preview(file);
    expect(asked.status).toBe(422);
    expect(asked.libres).toEqual(expect.arrayContaining(['nom_prenom', 'prenom_nom']));
    const titres = [{ titre: 'Enfant', colonne: 'nom_prenom' }];
    const { seen, fautes, libres } = await preview(file, { titres });
    expect(seen).toEqual(SEEN);
    expect(libres).not.toContain('nom');
    expect(fautes).toMatchObject([{ ligne: 5, cellules: ['Le Goff Anne Marie', '', 'd@exemple.fr', 'Mer'] }]);
    const corrections = JSON.stringify([
      { ligne: 5, cellules: ['Le Goff', 'Anne Marie', 'd@exemple.fr', 'Mer'] },
    ]);
    expect((await preview(file, { titres, corrections })).seen.at(-1)).toBe(
      'Le Goff | Anne Marie | d@exemple.fr | Mer',
    );
  });

  test('is not read beside columns of their own', async () => {
    const file = csv('Nom;Prénom;Nom et prénom;Mail;Séjour', 'Martin;Léo;Anne Durand;a@exemple.fr;Mer');
    const { seen, ignorees } = await preview(file);
    expect([seen, ignorees]).toEqual([['Martin | Léo | a@exemple.fr | Mer'], ['Nom et prénom']]);
  });
});

describe('Days', () => {
  test('of a stay may stand in one column', async () => {
    const days = [
      'du 12/07/2026 au 26/07/2026',
      'du 13 au 20 février 2027',
      '12.07.26 - 26.07.26',
      '28 juillet – 4 août 2026',
    ];
    const file = csv('Séjour;Dates', ...days.map((text, index) => `Voile ${index};${text}`));
    expect((await preview(file, {}, '/uploadSejour')).seen).toEqual([
      'Voile 0 | 2026-07-12 | 2026-07-26',
      'Voile 1 | 2027-02-13 | 2027-02-20',
      'Voile 2 | 2026-07-12 | 2026-07-26',
      'Voile 3 | 2026-07-28 | 2026-08-04',
    ]);
    const other = await preview(csv('Nom;Prénom;Mail;Séjour;Dates', 'Petit;Tom;t@exemple.fr;Mer;août'));
    expect([other.seen, other.ignorees]).toEqual([['Petit | Tom | t@exemple.fr | Mer'], ['Dates']]);
  });

  test('that only an American would write so make all others of their file doubtful', async () => {
    const file = csv(
      'Séjour;Du;Au',
      'Un;07/06/2026;07/20/2026',
      'Deux;07/06/2026;08/06/2026',
      'Trois;07/07/2026;7 août 2026',
    );
    const asked = await preview(file, {}, '/uploadSejour');
    expect([asked.asked, asked.faulty]).toEqual([['ordre'], [2, 3]]);
    const answered = (reponse: string, corrections = '[]') =>
      preview(file, { reponses: [{ question: 'ordre', reponse }], corrections }, '/uploadSejour');
    expect((await answered('mois')).seen).toEqual([
      'Un | 2026-07-06 | 2026-07-20',
      'Deux | 2026-07-06 | 2026-08-06',
      'Trois | 2026-07-07 | 2026-08-07',
    ]);
    expect((await answered('jour')).faulty).toEqual([2]);
    // The line that tells may be left aside: it still tells.
    const corrected = JSON.stringify([{ ligne: 2, cellules: ['Un', '06/07/2026', '20/07/2026'] }]);
    expect((await answered('', corrected)).faulty).toEqual([3]);
  });

  test('without a year are refused for that', async () => {
    const { fautes } = await preview(csv('Séjour;Du;Au', 'Un;12/07;26 juillet'), {}, '/uploadSejour');
    expect(fautes[0].raisons.map(({ raison }: { raison: string }) => raison.slice(0, 17))).toEqual([
      'il manque l’année',
      'il manque l’année',
    ]);
  });
});

describe('Lines that are none of the list', () => {
  test('are its titles once more, which are left out', async () => {
    const { seen, avertissements } = await preview(
      csv('Nom;Prénom;Séjour', 'Martin;Léa;Mer', 'Nom;Prénom;Séjour', 'Petit;Tom;Mer'),
    );
    expect(seen).toEqual(['Martin | Léa | Mer', 'Petit | Tom | Mer']);
    expect(avertissements).toMatchObject([{ ligne: 3, raison: expect.stringContaining('répétés') }]);
  });

  test('are headings that name a stay, which is asked for apart', async () => {
    const file = csv(
      ...['Nom;Prénom;Mail', 'La montagne, 12 au 26;;', 'Martin;Léa;a@exemple.fr', 'Petit;Tom;b@exemple.fr'],
      ...['La mer;;', 'Roux;Jo;c@exemple.fr'],
    );
    const { asked, faulty, questions } = await preview(file);
    expect([asked, faulty]).toEqual([
      ['sejour la montagne, 12 au 26', 'sejour la mer'],
      [3, 4, 6],
    ]);
    expect(questions[1].texte).toContain('sous «\u00a0La mer\u00a0»');
    const reponses = [
      { question: 'sejour la montagne, 12 au 26', reponse: '1' },
      { question: 'sejour la mer', reponse: '2' },
    ];
    expect(await preview(file, { reponses })).toMatchObject({ creer: 3, erreurs: 0 });
  });

  test('stand above the titles, up to thirty', async () => {
    const above = Array.from({ length: 25 }, (_, index) => `Consigne ${index};voir`);
    const { seen, lu } = await preview(csv(...above, 'Nom;Prénom;Séjour', 'Martin;Léa;Mer'));
    expect([seen, lu.ligne_titres]).toEqual([['Martin | Léa | Mer'], 26]);
  });
});

test('A list without titles asks what its columns are, reads its first line and remembers nothing', async () => {
  const file = csv('Martin;Léa;a@exemple.fr;Mer', 'Petit;Tom;b@exemple.fr;Mer');
  const { status, titres, lu } = await preview(file);
  expect([status, lu.ligne_titres, titres.length]).toEqual([422, null, 4]);
  expect(titres[2]).toMatchObject({
    titre: 'Colonne C',
    colonne: 'email',
    exemples: ['a@exemple.fr', 'b@exemple.fr'],
  });
  const names = ['nom', 'prenom', 'email', 'nom_stage'];
  const said = names.map((colonne, index) => ({ titre: `Colonne ${'ABCD'[index]}`, colonne }));
  expect((await preview(file, { titres: said })).seen).toEqual([
    'Martin | Léa | a@exemple.fr | Mer',
    'Petit | Tom | b@exemple.fr | Mer',
  ]);
  expect((await send('/upload', file, { titres: JSON.stringify(said) })).status).toBe(200);
  expect((await preview(csv('Léa;Martin;a@exemple.fr;Mer', 'Tom;Petit;b@exemple.fr;Mer'))).status).toBe(422);
});

test('A column without a title is named by its letter, and may be read', async () => {
  const rows: BookCell[][] = [
    ['Nom', 'Prénom', 'E-mail', 'Séjour'],
    ['Faure', 'Ada', 'a@exemple.fr', 'Mer', 'b@exemple.fr'],
    ['Faure', 'Max', 'a@exemple.fr', 'Mer'],
  ];
  const file = book([{ name: 'Liste', rows }]);
  const { erreurs, ignorees } = await preview(file);
  expect([erreurs, ignorees]).toEqual([0, ['Colonne E']]);
  const titres = [{ titre: 'Colonne E', colonne: 'email_2' }];
  expect((await preview(file, { titres })).seen[0]).toBe('Faure | Ada | a@exemple.fr | b@exemple.fr | Mer');
});

test('A hidden column is read, and said, whatever spreadsheet hides it', async ({ skip }) => {
  const rows = [
    ['Nom', 'Prénom', 'E-mail', 'Séjour'],
    ['Faure', 'Ada', 'a@exemple.fr', 'Mer'],
  ];
  // Those behind its last one as well, as many do.
  const made = book([{ name: 'Liste', rows, hiddenColumns: [3, 7, 8] }]);
  for (const format of ['xlsx', 'xls', 'ods', 'fods']) {
    const saved = format === 'xlsx' ? made : await savedByLibreOffice(made, 'xlsx', format);
    if (!saved) return skip('LibreOffice is not installed');
    const { lu, seen } = await preview(saved);
    expect([format, lu.colonnes_masquees, seen]).toEqual([
      format,
      ['C'],
      ['Faure | Ada | a@exemple.fr | Mer'],
    ]);
  }
}, 120_000);

test('A cell that seems to name several children is asked about', async () => {
  const names = ['Léa et Tom', 'Ana, Jo', '"Luc\nMia"'];
  const file = csv(
    'Nom;Prénom;Séjour',
    ...names.map((name, index) => `Petit${'ABC'[index]};${name};Mer`),
    'Roux;Jean-Luc;Mer',
  );
  const { seen, asked, faulty } = await preview(file);
  expect([seen, asked, faulty]).toEqual([['Roux | Jean-Luc | Mer'], ['fratries'], [2, 3, 4]]);
  const answered = (reponse: string) => preview(file, { reponses: [{ question: 'fratries', reponse }] });
  expect(await answered('un')).toMatchObject({ erreurs: 0, creer: 4 });
  expect(await answered('laisser')).toMatchObject({ erreurs: 0, creer: 1, laissees: 3 });
});

test('A name whose accents became question marks is faulty; quotes around a cell are none of it', async () => {
  const { faulty, seen } = await preview(
    csv(
      'Nom;Prénom;Mail;Séjour',
      'Lef?vre;Jo;a@exemple.fr;Mer',
      'Petit;Zo?;b@exemple.fr;Mer',
      '“Roux”;« Léo »;“c@exemple.fr”;Mer',
    ),
  );
  expect([faulty, seen]).toEqual([[2, 3], ['Roux | Léo | c@exemple.fr | Mer']]);
});

test('Texts of other spreadsheets are read, and blank results of formulas are blank', async ({ skip }) => {
  const rows: BookCell[][] = [
    ['Nom', 'Prénom', 'Mail', 'Séjour'],
    ['Lefèvre', 'Zoë', 'a@exemple.fr', 'Mer'],
    [{ formula: 'IF(A9="","",A9)' }],
  ];
  for (const format of ['slk', 'dif', 'ods', 'fods']) {
    const saved = await savedByLibreOffice(book([{ name: 'Liste', rows }]), 'xlsx', format);
    if (!saved) return skip('LibreOffice is not installed');
    const { seen, erreurs } = await preview(saved);
    expect([format, seen, erreurs]).toEqual([format, ['Lefèvre | Zoë | a@exemple.fr | Mer'], 0]);
  }
  // Of a hidden line it is not known which one, in the flat format as in the other.
  const hiding = await savedByLibreOffice(book([{ name: 'Liste', rows, hidden: [2] }]), 'xlsx', 'fods');
  expect((await preview(hiding ?? '')).champs.file).toContain('masquées');
}, 120_000);
