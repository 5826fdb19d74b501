import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { form } from '#tests/support/forms.ts';
import { savedByLibreOffice } from '#tests/support/libreoffice.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { type BookCell, type BookSheet, book, workbook } from '#tests/support/workbooks.ts';

const site: TestSite = await openSite();
let token: string;
beforeAll(async () => {
  token = await site.tokenOf('admin');
  await send('/uploadSejour', 'Séjour;Du;Au\nMontagne;12/07/2026;26/07/2026\n');
});
afterAll(() => site?.close());

function send(path: string, file: string | Buffer, more: Record<string, string> = {}) {
  const body = form({ file: [Buffer.from(file as string), 'liste'], ...more });
  return site.call(`POST ${path}`, { token, body });
}

/** The preview of families; `seen`: the names and the address of each child that would come. */
async function preview(file: string | Buffer, more: Record<string, string> = {}) {
  const { status, json } = await send('/upload/apercu', file, more);
  const places = ['nom', 'prenom', 'email'].map((name) => (json.colonnes ?? []).indexOf(name));
  const seen = (json.extrait ?? []).map(({ cellules }: { cellules: string[] }) =>
    places.map((place) => cellules[place]).join(' '),
  );
  return { status, ...json, seen };
}

const TITLES = ['Nom', 'Prénom', 'E-mail', 'Séjour', 'Du', 'Au'];
const child = (nom: string, prenom: string, email = 'a@exemple.fr') => [
  ...[nom, prenom, email, 'Montagne', '12/07/2026', '26/07/2026'],
];
const csv = (...rows: readonly (readonly string[])[]) => `${rows.map((row) => row.join(';')).join('\n')}\n`;

describe('A text', () => {
  const LIST = csv(TITLES, child('Lefèvre', 'Zoë'), child('D’Aÿ', 'Anaïs'), child('BÉRARD', 'François'));
  const SEEN = ['Lefèvre Zoë a@exemple.fr', 'D’Aÿ Anaïs a@exemple.fr', 'BÉRARD François a@exemple.fr'];
  const plain = LIST.replace('’', "'");

  test.each([
    ['utf-8', Buffer.from(LIST), SEEN],
    ['win1252', iconv.encode(LIST, 'win1252'), SEEN],
    ['macroman', iconv.encode(LIST, 'macroman'), SEEN],
    ['cp850', iconv.encode(plain, 'cp850'), SEEN.map((name) => name.replace('’', "'"))],
    ['utf-16le', iconv.encode(LIST, 'utf-16le'), SEEN],
    ['utf-16be', iconv.encode(LIST, 'utf-16be'), SEEN],
    ['utf-16be', iconv.encode(LIST, 'utf-16be', { addBOM: true }), SEEN],
  ])('in %s is recognised, and its encoding said', async (encodage, bytes, seen) => {
    expect(await preview(bytes)).toMatchObject({ lu: { encodage, ligne_titres: 1 }, seen });
  });

  test.each(['LEFÈVRE', 'Éloïse', 'Noël', 'Château', 'Forêt', 'Maël', 'François', 'Cœur', 'Benoît', 'ÇELIK'])(
    'of which « %s » is all that is not plain is recognised',
    async (name) => {
      for (const encoding of ['win1252', 'cp850', 'macroman'] as const) {
        if (iconv.decode(iconv.encode(name, encoding), encoding) !== name) continue;
        const { seen } = await preview(
          iconv.encode(csv(['Nom', 'Prenom', 'Email', 'Sejour', 'Du', 'Au'], child(name, 'A')), encoding),
        );
        expect(seen, encoding).toEqual([`${name} A a@exemple.fr`]);
      }
    },
  );

  test('in UTF-8 with one line of another encoding is read line by line', async () => {
    const bytes = Buffer.concat([
      Buffer.from(csv(TITLES, child('Lefèvre', 'Zoë'))),
      iconv.encode(csv(child('Bérard', 'Anaïs', 'b@exemple.fr')), 'win1252'),
      Buffer.from(csv(child('Élie', 'Ève', 'e@exemple.fr'))),
    ]);
    const { seen } = await preview(bytes);
    expect(seen).toEqual(['Lefèvre Zoë a@exemple.fr', 'Bérard Anaïs b@exemple.fr', 'Élie Ève e@exemple.fr']);
  });

  test('is read in the encoding that staff choose', async () => {
    const bytes = iconv.encode(csv(TITLES, child('Lefèvre', 'A')), 'win1252');
    const { lu, status } = await preview(bytes, { encodage: 'cp850' });
    expect([status, lu.encodage]).toEqual([422, 'cp850']);
    expect((await preview(bytes, { encodage: 'win1252' })).seen).toEqual(['Lefèvre A a@exemple.fr']);
  });

  test('has its headers below a title, and what stands above is said', async () => {
    for (const above of [
      'Liste des inscrits, été 2026;;;;;\n;;;;;\n',
      'sep=;\n\n',
      'CSE\n« Étés », 2026\n',
    ]) {
      const { lu, seen } = await preview(above + csv(TITLES, child('Martin', 'Léa')));
      expect(seen).toEqual(['Martin Léa a@exemple.fr']);
      expect(lu.ligne_titres).toBe(above.split('\n').length);
      expect(lu.passees.length).toBeGreaterThan(0);
    }
  });

  test('has quotes amid cells; one that begins a cell and ends nowhere is a fault of its line', async () => {
    const lines = [
      child('Martin "Momo"', 'Léa'),
      child('O"Hara', 'Jo'),
      child('"Petit', 'Tom'),
      child('"Roux" bis', 'Ana'),
      child('"de; la ""Tour"""', 'Max'),
    ];
    const { seen, fautes } = await preview(csv(TITLES, ...lines));
    expect(seen).toEqual([
      ...['Martin "Momo" Léa a@exemple.fr', 'O"Hara Jo a@exemple.fr', 'de; la "Tour" Max a@exemple.fr'],
    ]);
    expect(fautes.map(({ ligne }: { ligne: number }) => ligne)).toEqual([4, 5]);
  });

  test('of a hundred columns is read, the unknown ones left out', async () => {
    const more = Array.from({ length: 100 }, (_, index) => `Question ${index}`);
    const { seen, ignorees } = await preview(csv([...TITLES, ...more], [...child('Martin', 'Léa'), ...more]));
    expect([seen, ignorees.length]).toEqual([['Martin Léa a@exemple.fr'], 100]);
  });

  test('is a page of a site under the name of a workbook', async () => {
    const rows = [TITLES, child('Lefèvre', 'Zoë')].map(
      (row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
    );
    const { seen } = await preview(`<html><body><table>${rows.join('')}</table></body></html>`);
    expect(seen).toEqual(['Lefèvre Zoë a@exemple.fr']);
  });
});

describe('Headers', () => {
  const headed = (titles: string[]) => preview(csv(titles, child('Martin', 'Léa')));

  test.each([
    ['NomEnfant', 'prenom_enfant', 'Courriel RL1', 'Colo demandée', 'Début du séjour', 'Fin du séjour'],
    [
      'Nom du participant',
      'Prénoms',
      'Adresse électronique',
      'Colonie',
      'Date de début du séjour',
      'Date au',
    ],
    ['NOM DE L’ENFANT', 'Prénom usuel', 'Email - Parent 1', 'Séjour choisi', 'du', 'au'],
    ['Last name', 'First name', 'E-mail du responsable légal', 'Stage', 'Start date', 'End date'],
    ['Nom de naissance', 'Prénom du jeune', 'Mails', 'Camp', 'Date début camp', 'Date fin camp'],
  ])('are known by their words: %s, %s, %s, %s, %s, %s', async (...titles) => {
    expect(await headed(titles)).toMatchObject({ status: 200, seen: ['Martin Léa a@exemple.fr'] });
  });

  test.each([
    'Nom du responsable',
    'Date de naissance',
    'E-mail envoyé',
    'Mail directeur',
    'Photo',
    'Nom du médecin',
  ])('with a word that means something else are asked about: %s', async (titre) => {
    const { titres, ignorees } = await preview(csv([...TITLES, titre], [...child('Martin', 'Léa'), 'x']));
    expect(titres).toEqual([{ titre, colonne: '', retenu: false, exemples: ['x'] }]);
    expect(ignorees).toEqual([titre]);
  });

  test('that may mean the same are asked about, and remembered once said', async () => {
    const titles = ['Nom de famille', 'Nom de l’enfant', ...TITLES.slice(1)];
    const file = csv(titles, ['Durand', ...child('Marceau', 'Lou')]);
    const asked = await preview(file);
    expect(asked).toMatchObject({ status: 422, champs: { file: expect.stringContaining('dites laquelle') } });
    expect(asked.titres.slice(0, 2)).toMatchObject([
      { titre: 'Nom de famille', colonne: '', exemples: ['Durand'] },
      { titre: 'Nom de l’enfant', colonne: '', exemples: ['Marceau'] },
    ]);
    const said = { titres: JSON.stringify([{ titre: 'Nom de l’enfant', colonne: 'nom' }]) };
    expect((await preview(file, said)).seen).toEqual(['Marceau Lou a@exemple.fr']);
    expect((await send('/upload', file, said)).status).toBe(200);
    expect(await preview(file)).toMatchObject({ status: 200, inchangees: 1 });
    // Beside another header than then, it is asked about again.
    const other = csv(['Nom', 'Nom de l’enfant', ...TITLES.slice(1)], ['Durand', ...child('Marceau', 'Lou')]);
    expect((await preview(other)).status).toBe(422);
  });

  test('spelt alike are told by their letters', async () => {
    const titles = ['Nom', 'Prénom', 'E-mail', 'Séjour', 'Du', 'Au', 'E-mail'];
    const file = csv(titles, [...child('Petit', 'Tom'), 'b@exemple.fr']);
    const { status, titres } = await preview(file);
    expect([status, titres.map(({ titre }: { titre: string }) => titre)]).toEqual([
      422,
      ['E-mail', 'E-mail (colonne G)'],
    ]);
    const said = { titres: JSON.stringify([{ titre: 'E-mail', colonne: '' }]) };
    expect((await preview(file, said)).seen).toEqual(['Petit Tom b@exemple.fr']);
  });

  test('that say nothing are guessed by the cells below, and count once that is said', async () => {
    const file = csv(
      ['Nom', 'Prénom', 'Contact', 'Séjour', 'Né le', 'Arrivée', 'Retour'],
      [...['Petit', 'Tom', 't@exemple.fr', 'Montagne', '03/05/2015', '12 juillet 2026', '26 juillet 2026']],
    );
    const { status, titres } = await preview(file);
    expect(status).toBe(422);
    expect(titres.map(({ titre, colonne }: Record<string, string>) => [titre, colonne])).toEqual([
      ...[
        ['Contact', 'email'],
        ['Né le', ''],
        ['Arrivée', 'date_debut'],
        ['Retour', 'date_fin'],
      ],
    ]);
    const said = titres.map(({ titre, colonne }: Record<string, string>) => ({ titre, colonne }));
    expect((await preview(file, { titres: JSON.stringify(said) })).seen).toEqual(['Petit Tom t@exemple.fr']);
  });
});

const LISTE: BookSheet = {
  name: 'Inscrits',
  rows: [TITLES, child('Martin', 'Léa'), child('Petit', 'Tom', 't@exemple.fr')],
};
const OLD: BookSheet = { name: 'Anciens', rows: [TITLES, child('Vieux', 'Paul')] };
const README: BookSheet = { name: 'Lisez-moi', rows: [['Comment remplir'], ['Une ligne par enfant']] };
const SEEN = ['Martin Léa a@exemple.fr', 'Petit Tom t@exemple.fr'];

describe('A workbook', () => {
  test('is read from its first visible sheet with headers, and the others are named and may be chosen', async () => {
    const file = book([{ ...OLD, state: 'hidden' }, README, LISTE, { ...OLD, name: 'Autres' }]);
    const { lu, seen } = await preview(file);
    expect(seen).toEqual(SEEN);
    expect(lu).toMatchObject({ feuille: 'Inscrits', encodage: null, ligne_titres: 1 });
    expect(lu.feuilles).toEqual([
      { nom: 'Anciens', lignes: 2, masquee: true },
      { nom: 'Lisez-moi', lignes: 2, masquee: false },
      { nom: 'Inscrits', lignes: 3, masquee: false },
      { nom: 'Autres', lignes: 2, masquee: false },
    ]);
    expect((await preview(file, { feuille: 'Autres' })).seen).toEqual(['Vieux Paul a@exemple.fr']);
    // A sheet in which nothing can be read is still one of which another may be chosen.
    const none = await preview(file, { feuille: 'Lisez-moi' });
    expect([none.status, none.lu.feuille, none.lu.feuilles.length]).toEqual([422, 'Lisez-moi', 4]);
  });

  test('has hidden lines that only come if that is wished, and that are named', async () => {
    const file = book([
      { ...LISTE, rows: [...LISTE.rows, child('Annulé', 'Jo', 'j@exemple.fr')], hidden: [4] },
    ]);
    const { lu, seen } = await preview(file);
    expect([seen, lu.masquees, lu.masquees_lues]).toEqual([SEEN, [4], false]);
    const all = await preview(file, { masquees: 'lire' });
    expect([all.seen.length, all.lu.masquees, all.lu.masquees_lues]).toEqual([3, [4], true]);
    expect((await send('/upload/apercu', file, { masquees: 'toutes' })).status).toBe(422);
  });

  test('has cells merged over several lines, which count in each', async () => {
    const rest = (nom: string) => ['', '', '', nom, 'Jo', `${nom}@exemple.fr`];
    const rows = [
      ['Séjour', 'Du', 'Au', 'Nom', 'Prénom', 'E-mail'],
      ['Montagne', '12/07/2026', '26/07/2026', 'Un', 'Jo', 'Un@exemple.fr'],
      rest('Deux'),
      rest('Trois'),
      [],
    ];
    const merges = ['A2:A5', 'B2:B5', 'C2:C5'];
    const { seen, erreurs } = await preview(book([{ name: 'I', rows, merges }]));
    expect([seen.length, erreurs]).toEqual([3, 0]);
  });

  test('counts its days from 1900 or from 1904, also where they are shown as numbers', async () => {
    const days = (from: BookCell, to: BookCell) => ['Voile', from, to];
    for (const date1904 of [false, true]) {
      const numbers = date1904 ? [45_118, 45_132] : [46_580, 46_594];
      const rows = [
        ['Séjour', 'Du', 'Au'],
        days({ day: '2027-07-12' }, { day: '2027-07-26' }),
        ['Mer', ...numbers],
        days({ day: '2028-07-12' }, { day: '2028-07-26T10:30:00Z' }),
      ] as BookCell[][];
      const { json } = await send('/uploadSejour/apercu', book([{ name: 'I', rows }], { date1904 }));
      expect(json.extrait.map(({ cellules }: { cellules: string[] }) => cellules.slice(1).join(' '))).toEqual(
        [...['2027-07-12 2027-07-26', '2027-07-12 2027-07-26', '2028-07-12 2028-07-26']],
      );
    }
  });

  test('has telephones that lost their 0, or all their digits', async () => {
    const rows = [
      ['Nom', 'Prénom', 'E-mail', 'Portable'],
      ['Un', 'A', 'a@exemple.fr', 612_345_678],
      ['Deux', 'B', 'b@exemple.fr', 33_612_345_678],
      ['Trois', 'C', 'c@exemple.fr', 3.361_234_567_8e21],
    ];
    const { json } = await send('/uploadDirecteurs/apercu', book([{ name: 'D', rows }]));
    expect(json.extrait.map(({ cellules }: { cellules: string[] }) => cellules[3])).toEqual([
      ...['06 12 34 56 78', '06 12 34 56 78'],
    ]);
    expect(json.fautes).toMatchObject([{ ligne: 4, raisons: [{ colonne: 'telephone' }] }]);
  });

  test('has formulas without a result, which are faults of their cells', async () => {
    const rows = [
      TITLES,
      ['Un', 'A', { error: '#N/A' }, ...child('', '').slice(3)],
      [{ formula: 'UPPER(A1)' }, 'B', 'b@exemple.fr', ...child('', '').slice(3)],
    ];
    const { fautes } = await preview(book([{ name: 'I', rows }]));
    expect(fautes).toMatchObject([
      { ligne: 2, raisons: [{ colonne: 'email', raison: expect.stringContaining('#N/A') }] },
      { ligne: 3, raisons: [{ colonne: 'nom', raison: expect.stringContaining('jamais été calculée') }] },
    ]);
  });

  test('says the same once LibreOffice has saved it, in each of its formats', async ({ skip }) => {
    const rows: BookCell[][] = [
      ['Liste des inscrits'],
      TITLES,
      ['Lefèvre', 'Zoë', 'z@exemple.fr', 'Montagne', { day: '2026-07-12' }, { day: '2026-07-26' }],
      child('Annulé', 'Jo', 'j@exemple.fr'),
      child('D’Aÿ', 'Anaïs', 'd@exemple.fr'),
    ];
    const made = book([README, { ...OLD, state: 'hidden' }, { name: 'Inscrits', rows, hidden: [4] }]);
    for (const format of ['xlsx', 'xls']) {
      const saved = await savedByLibreOffice(made, 'xlsx', format);
      if (!saved) return skip('LibreOffice is not installed');
      const { seen, lu } = await preview(saved);
      expect([format, seen]).toEqual([format, ['Lefèvre Zoë z@exemple.fr', 'D’Aÿ Anaïs d@exemple.fr']]);
      expect([format, lu.feuille, lu.ligne_titres, lu.masquees]).toEqual([format, 'Inscrits', 2, [4]]);
    }
    const plain = await savedByLibreOffice(book([README, LISTE]), 'xlsx', 'ods');
    expect((await preview(plain ?? '')).seen).toEqual(SEEN);
    // Of this format nobody says which lines are hidden.
    const hiding = await savedByLibreOffice(made, 'xlsx', 'ods');
    expect((await preview(hiding ?? '')).champs.file).toContain('masquées');
  }, 180_000);

  test('of which none is a list, or that asks for a password, is refused for what it is', async () => {
    expect((await preview(book([{ name: 'Vide', rows: [] }]))).champs.file).toBe(
      'il n’y a rien dans ce classeur.',
    );
    expect((await preview(workbook([['a']]))).status).toBe(422);
  });
});
