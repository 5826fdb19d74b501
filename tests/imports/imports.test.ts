import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openStayPassword, sealStayPassword } from '#features/stays/server/staysStore.ts';
import { NotAsExpected } from '#platform/server/db/database.ts';
import { form } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { workbook, workbookOf, zip } from '#tests/support/workbooks.ts';

const site: TestSite = await openSite();
const { database, secrets } = site.services;
let token: string;
beforeEach(async () => {
  await database.write(async (db) => {
    for (const table of ['imports', 'retraits', 'stages', 'journal', 'sessions'] as const)
      await db.deleteFrom(table).execute();
  });
  token = await site.tokenOf('admin');
});
afterAll(() => site?.close());

type Bytes = string | Buffer;

function send(path: string, file: Bytes, more: Record<string, string> = {}) {
  const body = form({ file: [Buffer.from(file as string), 'liste.csv'], ...more });
  return site.call(`POST ${path}`, { token, body });
}

/** The answers to what a file asks, each for all its lines. */
const answering = (answers: Record<string, string>) => ({
  reponses: JSON.stringify(Object.entries(answers).map(([question, reponse]) => ({ question, reponse }))),
});

const STAYS = `nom_stage;date_debut;date_fin
Été à la mer;06/07/2026;20/07/2026
Neige;01/02/2027;08/02/2027
`;
const FAMILIES = `nom;prenom;email;email_2;consentement_image;nom_stage;date_debut;date_fin
Martin;Léa;lea@example.org;;oui;Été à la mer;06/07/2026;20/07/2026
D’Abord;Œnone;oe@example.org;deux@example.org;non;Neige;01/02/2027;08/02/2027
`;

const stays = () => database.db.selectFrom('stages').selectAll().orderBy('nom_stage').execute();
const children = () => database.db.selectFrom('stagiaires').selectAll().orderBy('nom').execute();
const count = async (table: 'stages' | 'stagiaires' | 'imports' | 'imports_familles') =>
  (await database.db.selectFrom(table).select('id').execute()).length;
const counts = ({ creer, modifier, inchangees }: Record<string, number>) => [creer, modifier, inchangees];

describe('A file', () => {
  test('creates stays with two passwords, and families in them', async () => {
    const made = await send('/uploadSejour', STAYS);
    expect([made.status, made.json.message]).toEqual([200, 'CSV chargé et traité avec succès']);
    expect(counts(made.json)).toEqual([2, 0, 0]);
    const [neige, mer] = await stays();
    expect(neige).toMatchObject({ nom_stage: 'Neige', date_debut: '2027-02-01', date_fin: '2027-02-08' });
    const [first, second] = [mer, neige].map(
      (stay) => openStayPassword(secrets, stay as never, 'stagiaire').unseen,
    );
    expect(first).toMatch(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){2}$/);
    expect(first).not.toBe(second);
    expect(counts((await send('/upload', FAMILIES)).json)).toEqual([2, 0, 0]);
    expect(await children()).toMatchObject([
      {
        nom: 'D’Abord',
        prenom: 'Œnone',
        email_2: 'deux@example.org',
        consentement_image: 'non',
        stage_id: neige?.id,
      },
      { nom: 'Martin', prenom: 'Léa', email_2: '', consentement_image: 'oui', stage_id: mer?.id },
    ]);
    const lines = await database.db.selectFrom('journal').select('action').orderBy('id').execute();
    expect(lines.map(({ action }) => action)).toEqual([
      'début d’un import de séjours',
      'import de séjours (créations\u202f: 2, modifications\u202f: 0)',
      'début d’un import de familles',
      'import de familles (créations\u202f: 2, modifications\u202f: 0)',
    ]);
  });

  test('changes nothing when it comes twice', async () => {
    for (const [path, file] of [
      ['/uploadSejour', STAYS],
      ['/upload', FAMILIES],
    ] as const) {
      await send(path, file);
      const before = [await stays(), await children()];
      site.advance(60_000);
      expect(counts((await send(path, file)).json)).toEqual([0, 0, 2]);
      expect([await stays(), await children()]).toEqual(before);
    }
  });

  test('changes what it tells, and leaves what its blank cells do not', async () => {
    await send('/uploadSejour', STAYS);
    await send('/upload', FAMILIES);
    const changed =
      'prenom;nom;courriel;second e-mail;droit à l’image;séjour;du;au\nLEA;martin;autre@example.org;;;ete a la mer;6/7/26;2026-07-20\n';
    const replacing = answering({ adresses: 'remplacer' });
    expect(counts((await send('/upload', changed, replacing)).json)).toEqual([0, 1, 0]);
    expect((await children())[1]).toMatchObject({
      nom: 'martin',
      prenom: 'LEA',
      email: 'autre@example.org',
      consentement_image: 'oui',
      version: 2,
    });
  });

  test('is previewed without a trace', async () => {
    const stay = await send('/uploadSejour/apercu', STAYS, { suivi: 'apercu-des-sejours' });
    expect(stay.status).toBe(200);
    expect(counts(stay.json)).toEqual([2, 0, 0]);
    expect([await count('stages'), await count('imports')]).toEqual([0, 0]);
    await send('/uploadSejour', STAYS);
    const seen = await send(
      '/upload/apercu',
      `${FAMILIES}Martin;lea;x;;;Été à la mer;06/07/2026;20/07/2026\n`,
    );
    expect(seen.json).toMatchObject({
      creer: 2,
      lignes: 3,
      erreurs: 1,
      colonnes: [
        'nom',
        'prenom',
        'email',
        'email_2',
        'consentement_image',
        'nom_stage',
        'date_debut',
        'date_fin',
      ],
      fautes: [
        { ligne: 4, raisons: [{ colonne: 'email', raison: 'cette adresse e-mail n’est pas valable.' }] },
      ],
      extrait: [
        { ligne: 2, etat: 'creer' },
        { ligne: 3, etat: 'creer' },
      ],
    });
    expect(await count('stagiaires')).toBe(0);
  });

  test('says the same in every encoding, separator, line end, date and header', async () => {
    await send('/uploadSejour', STAYS);
    await send('/upload', FAMILIES);
    const dates = fc.constantFrom(
      ['06/07/2026', '20/07/2026'],
      ['6/7/26', '20/7/26'],
      ['2026-07-06', '2026-07-20'],
      ['06-07-2026', '20.07.2026'],
      ['06/07/2026 00:00', '2026-07-20T00:00:00'],
    );
    const headers = fc.tuple(
      fc.constantFrom('nom', 'NOM', 'Nom de l’enfant', ' nom '),
      fc.constantFrom('prenom', 'Prénom', 'PRÉNOM de l’enfant'),
      fc.constantFrom('email', 'E-mail', 'Mail', 'courriel', 'Mail responsable légal', 'mailRL'),
      fc.constantFrom('consentement_image', 'Droit à l’image', 'Autorisation photo', 'Consentement image'),
      fc.constantFrom('nom_stage', 'Séjour', 'Nom du séjour', 'stage', 'Nom du stage'),
      fc.constantFrom('date_debut', 'Début', 'Du', 'Date de début'),
      fc.constantFrom('date_fin', 'fin', 'AU', 'Date de fin du séjour'),
    );
    const encodings = fc.constantFrom<(text: string) => Buffer>(
      (text) => Buffer.from(text),
      (text) => Buffer.from(`\ufeff${text}`),
      (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
      // Windows’ own: Latin-1, but for the apostrophe and such.
      (text) => Buffer.from(text.replaceAll('’', '\x92'), 'latin1'),
    );
    const yes = fc.constantFrom('oui', 'OUI', 'o', 'Vrai', '1', 'x', '');
    await fc.assert(
      fc.asyncProperty(
        headers,
        dates,
        encodings,
        yes,
        fc.constantFrom(';', ',', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        async (titles, days, encode, consent, separator, end, isQuoted) => {
          const rows = [
            titles,
            ['Martin', 'Léa', 'lea@example.org', consent, 'Été à la mer', ...days],
            ['', ''],
          ];
          const cell = (text: string) => (isQuoted ? `"${text}"` : text);
          const text = rows.map((row) => row.map(cell).join(separator)).join(end);
          const { json } = await send('/upload/apercu', encode(text));
          expect(json).toMatchObject({ lignes: 1, erreurs: 0, inchangees: 1 });
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each<[string, Bytes, string | RegExp]>([
    ['is empty', '\n', 'ce fichier est vide.'],
    ['has a header alone', 'nom;prenom;email;stageId\n', 'il n’y a rien sous la ligne des titres.'],
    ['lacks a column', 'nom;email;stageId\na;a@b.fr;1', 'la colonne «\u00a0Prénom\u00a0» manque.'],
    [
      'lacks two',
      'email;stageId\na@b.fr;1',
      'les colonnes «\u00a0Nom\u00a0», «\u00a0Prénom\u00a0» manquent.',
    ],
    [
      'has a column twice',
      'nom;prenom;email;mail;stageId\na;b;c;d;1',
      '«\u00a0email\u00a0» et «\u00a0mail (colonne D)\u00a0» peuvent être la colonne «\u00a0E-mail\u00a0»\u202f: dites laquelle.',
    ],
    [
      'has a huge cell',
      `nom;prenom;email;stageId\na;b;${'c'.repeat(5_000)};1\n`,
      'ligne 2, une cellule est trop longue.',
    ],
    [
      'has a huge line',
      `nom;prenom;email;stageId\na;b;"${'c'.repeat(300_000)}\n`,
      /ligne 2, la ligne est trop longue/,
    ],
    ['has an endless line', ';'.repeat(700_000), 'ligne 1, la ligne est trop longue.'],
    [
      'has blank lines without end',
      `nom;prenom;email;stageId\n${';;;\n\n'.repeat(10_001)}a;b;c;1\n`,
      /^ligne 20002, il y a plus de 20\s000 lignes vides\.$/,
    ],
    [
      'is another archive',
      zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }),
      /n’est pas un classeur lisible/,
    ],
  ])('that %s is refused, with the line', async (_, file, reason) => {
    const answer = await send('/upload', file);
    expect(answer.status).toBe(422);
    expect(answer.json.champs.file).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    );
    expect(await count('imports')).toBe(0);
  });

  test('that is refused is not left open', async () => {
    const staging = join(site.directory, 'staging');
    const held = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(staging);
        } catch {
          return false;
        }
      });
    const long = 'a;b;c;1\n'.repeat(20_000);
    for (const head of ['nom;prenom', 'nom;prenom;email;stageId\n"a;b;c;1']) {
      for (const lines of ['', long]) expect((await send('/upload', `${head}\n${lines}`)).status).toBe(422);
    }
    await expect.poll(held).toEqual([]);
  });

  test('of too many lines is refused', async () => {
    const lines = Array.from({ length: 5_001 }, (_, index) => `Séjour ${index};01/07/2026;15/07/2026`);
    const answer = await send('/uploadSejour', ['nom_stage;date_debut;date_fin', ...lines].join('\n'));
    expect(answer.json.champs.file).toMatch(/^ligne 5002, il y a plus de 5\s000 lignes\.$/);
    expect([await count('stages'), await count('imports')]).toEqual([0, 0]);
  });

  test('of another kind is refused', async () => {
    const pdf = await send('/upload', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(64)]));
    expect([pdf.status, pdf.json.message]).toEqual([
      415,
      expect.stringContaining('CSV, Excel (.xlsx, .xls) ou LibreOffice (.ods)'),
    ]);
    for (const bytes of ['d0cf11e0a1b11ae1', '504b0304', '0001020304050607']) {
      const answer = await send('/upload', Buffer.concat([Buffer.from(bytes, 'hex'), Buffer.alloc(64)]));
      expect([answer.status, answer.json.champs.file]).toEqual([
        422,
        expect.stringMatching(/n’est pas un (classeur|tableau).+enregistrez-le en \.xlsx ou en CSV/),
      ]);
    }
  });
});

describe('Faulty lines', () => {
  const FAULTY = `nom;prenom;email;note;stage;du;au
Un;A;un@example.org;"sur
deux lignes";Été à la mer;06/07/2026;20/07/2026

;B;deux@;;Été à la mer;06/07/2026;20/07/2026
Un;a;autre@example.org;;Été à la mer;06/07/2026;20/07/2026
Trois;C;trois@example.org;;Été à la mer;07/07/2026;20/07/2026
Quatre;D;quatre@example.org;;Inconnu;31/02/2026;20/07/2026
Cinq;E;cinq@example.org;;Été à la mer;06/07/2026;20/07/2026;de;trop
`;
  const LIGNES = [
    { ligne: 5, colonne: 'nom', raison: 'ce champ est obligatoire.' },
    { ligne: 5, colonne: 'email', raison: 'cette adresse e-mail n’est pas valable.' },
    {
      ligne: 6,
      colonne: 'email',
      raison: 'la ligne 2 nomme cet enfant à une autre adresse\u202f: est-ce le même\u202f?',
    },
    {
      ligne: 7,
      colonne: 'nom_stage',
      raison: 'ce séjour n’existe pas à ces dates\u202f; il est connu du 06/07/2026 au 20/07/2026.',
    },
    { ligne: 8, colonne: 'date_debut', raison: 'cette date n’existe pas (exemple\u202f: 20/06/2026).' },
    { ligne: 9, colonne: '', raison: 'il y a plus de cellules que de titres.' },
  ];

  /** The first lines under the header, left out. */
  const leavingOut = (lines: number) =>
    JSON.stringify(Array.from({ length: lines }, (_, index) => ({ ligne: index + 2, cellules: [] })));

  test('keep all others out, each told by its number', async () => {
    await send('/uploadSejour', STAYS);
    const answer = await send('/upload', FAULTY);
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual({
      message: '5 lignes sont fautives\u202f: rien n’a été importé.',
      lignes: LIGNES,
    });
    expect([await count('stagiaires'), await count('imports_familles')]).toEqual([0, 0]);
  });

  test('have a stay number and another stay’s name or dates', async () => {
    await send('/uploadSejour', STAYS);
    const [neige] = await stays();
    const raisonOf = async (...cells: string[]) => {
      const line = ['Un', 'A', 'un@example.org', neige?.id, ...cells].join(';');
      const file = `nom;prenom;email;stageId;nom_stage;date_debut;date_fin\n${line}\n`;
      return (await send('/upload/apercu', file)).json.fautes[0]?.raisons;
    };
    const other = [{ colonne: 'stageId', raison: 'ce numéro n’est pas celui de ce séjour.' }];
    expect(await raisonOf('Été à la mer', '06/07/2026', '20/07/2026')).toEqual(other);
    expect(await raisonOf('Neige', '01/02/2027', '09/02/2027')).toEqual(other);
    expect(await raisonOf('', 'lundi', '')).toEqual(other);
    expect(await raisonOf('neige', '1/2/27', '2027-02-08')).toBeUndefined();
    expect(await raisonOf('', '', '')).toBeUndefined();
  });

  test('are imported once they are corrected, or left out', async () => {
    await send('/uploadSejour', STAYS);
    const { json: seen } = await send('/upload/apercu', FAULTY);
    expect(seen.ignorees).toEqual(['note']);
    const stay = ['Été à la mer', '06/07/2026', '20/07/2026'];
    const corrections = JSON.stringify([
      { ligne: 5, cellules: ['Deux', 'B', 'deux@example.org', ...stay] },
      ...[6, 7, 8, 9].map((ligne) => ({ ligne, cellules: [] })),
    ]);
    expect(counts((await send('/upload', FAULTY, { corrections })).json)).toEqual([2, 0, 0]);
    expect((await children()).map(({ nom }) => nom)).toEqual(['Deux', 'Un']);
  });

  test.each<[string, string, string | RegExp]>([
    ['what is no list', '{', 'ces corrections ne sont pas lisibles.'],
    ['an object', '{}', 'ces corrections ne sont pas lisibles.'],
    ['a line without cells', '[{"ligne":2}]', 'ces corrections ne sont pas lisibles.'],
    ['too many lines', leavingOut(5_001), /^il y en a plus de 5\s000/],
    [
      'a line that is not there',
      '[{"ligne":99,"cellules":[]}]',
      'une ligne corrigée n’est pas dans ce fichier.',
    ],
  ])('are not corrected by %s', async (_, corrections, reason) => {
    await send('/uploadSejour', STAYS);
    const answer = await send('/upload', FAMILIES, { corrections });
    expect([answer.status, answer.json.champs]).toEqual([
      422,
      { corrections: typeof reason === 'string' ? reason : expect.stringMatching(reason) },
    ]);
    expect(await count('stagiaires')).toBe(0);
  });

  test('are left out by the hundred, but not all lines of a file', async () => {
    const bad = Array.from({ length: 1_000 }, () => 'Un;A;un;1').join('\n');
    const header = 'nom;prenom;email;stageId\n';
    const none = await send('/upload', `${header}${bad}`, { corrections: leavingOut(1_000) });
    expect(none.json.champs).toEqual({ file: 'il n’y a rien sous la ligne des titres.' });
    await send('/uploadSejour', STAYS);
    const [stay] = await stays();
    const good = `${header}${bad}\nDeux;B;deux@example.org;${stay?.id}\n`;
    const answer = await send('/upload', good, { corrections: leavingOut(1_000) });
    expect(counts(answer.json)).toEqual([1, 0, 0]);
  });
});

describe('Passwords of stays', () => {
  const withPasswords = (formateur: string, stagiaire: string) =>
    `nom_stage;date_debut;date_fin;mdp_formateur;mdp_stagiaire\nNeige;01/02/2027;08/02/2027;${formateur};${stagiaire}\n`;
  const opened = async () => {
    const [stay] = await stays();
    return (['formateur', 'stagiaire'] as const).map(
      (type) => openStayPassword(secrets, stay as never, type).unseen,
    );
  };

  test('come from the file, and a changed one ends the sessions it opened', async () => {
    await send('/uploadSejour', withPasswords('chamois-bleu-27', 'marmotte-rousse-27'));
    expect(await opened()).toEqual(['chamois-bleu-27', 'marmotte-rousse-27']);
    const stageId = (await stays())[0]?.id ?? 0;
    const [director, family] = [
      await site.tokenOf('director', stageId),
      await site.tokenOf('family', stageId),
    ];
    expect(counts((await send('/uploadSejour', withPasswords('', 'Marmotte Rousse 27'))).json)).toEqual([
      0, 0, 1,
    ]);
    const other = withPasswords('', 'bouquetin-agile-27');
    expect(counts((await send('/uploadSejour', other)).json)).toEqual([0, 0, 1]);
    expect((await site.call('GET /session', { token: family })).status).toBe(200);
    const replacing = answering({ 'mots-de-passe': 'oui' });
    expect(counts((await send('/uploadSejour', other, replacing)).json)).toEqual([0, 1, 0]);
    expect(await opened()).toEqual(['chamois-bleu-27', 'bouquetin-agile-27']);
    expect((await site.call('GET /session', { token: director })).status).toBe(200);
    expect((await site.call('GET /session', { token: family })).status).toBe(401);
  });

  test('too short, or one for both, are faulty', async () => {
    const reasonOf = async (formateur: string, stagiaire: string) =>
      (await send('/uploadSejour', withPasswords(formateur, stagiaire))).json.lignes[0];
    expect(await reasonOf('a-b-c-d-e-f', '')).toMatchObject({
      colonne: 'mdp_formateur',
      raison: expect.stringContaining('10 lettres'),
    });
    const same = { raison: 'les deux mots de passe d’un séjour doivent être différents.' };
    expect(await reasonOf('chamois-bleu-27', 'CHAMOIS BLEU 27')).toMatchObject(same);
    await send('/uploadSejour', withPasswords('chamois-bleu-27', ''));
    expect(await reasonOf('', 'chamois-bleu-27')).toMatchObject({ colonne: 'mdp_stagiaire', ...same });
  });

  test.each(['1234567890', '2027-2028-2029', 'aaaaaaaaaaaa', 'abab-abab-abab'])(
    'as simple as %s are faulty',
    async (simple) => {
      const answer = await send('/uploadSejour', withPasswords('', simple));
      expect(answer.json.lignes).toEqual([
        {
          ligne: 2,
          colonne: 'mdp_stagiaire',
          raison: 'ce mot de passe est trop simple\u202f: mêlez lettres et chiffres.',
        },
      ]);
    },
  );

  test.each(['azertyuiop', 'vacances2026', 'Neige-01-02-2027', 'password123', 'Séjour Neige 27'])(
    'guessed first, as %s, are faulty; the one that a stay has already stays',
    async (guessed) => {
      const answer = await send('/uploadSejour', withPasswords(guessed, ''));
      expect(answer.json.lignes).toEqual([
        {
          ligne: 2,
          colonne: 'mdp_formateur',
          raison: expect.stringMatching(/les plus utilisés|trop facilement/),
        },
      ]);
      await send('/uploadSejour', withPasswords('chamois-bleu-27', ''));
      const [stay] = await stays();
      const ofOld = sealStayPassword(secrets, stay?.id ?? 0, 'formateur', guessed);
      await site.services.database.write((db) =>
        db
          .updateTable('stages')
          .set({ mdp_formateur: ofOld })
          .where('id', '=', stay?.id ?? 0)
          .execute(),
      );
      expect(counts((await send('/uploadSejour', withPasswords(guessed, ''))).json)).toEqual([0, 0, 1]);
    },
  );

  test('of another stay are faulty, whichever of its two and wherever it is known from', async () => {
    const taken = 'ce mot de passe est déjà celui d’un autre séjour.';
    const other = (formateur: string, stagiaire: string) =>
      `Mer;06/07/2026;20/07/2026;${formateur};${stagiaire}\n`;
    const both = await send(
      '/uploadSejour',
      withPasswords('chamois-bleu-27', '') + other('', 'CHAMOIS BLEU 27'),
    );
    expect(both.json.lignes).toEqual([{ ligne: 3, colonne: 'mdp_stagiaire', raison: taken }]);
    await send('/uploadSejour', withPasswords('chamois-bleu-27', 'marmotte-rousse-27'));
    const known = await send(
      '/uploadSejour',
      withPasswords('chamois-bleu-27', 'marmotte-rousse-27') + other('marmotte-rousse-27', ''),
    );
    expect(known.json.lignes).toEqual([{ ligne: 3, colonne: 'mdp_formateur', raison: taken }]);
    expect(await count('stages')).toBe(1);
  });

  test('a known name with other dates is a warning', async () => {
    await send('/uploadSejour', STAYS);
    const { json } = await send('/uploadSejour/apercu', 'stage;du;au\nNEIGE;2/2/2027;8/2/2027\n');
    expect(json).toMatchObject({ creer: 1, erreurs: 0, avertissements: [{ ligne: 2 }] });
  });
});

describe('A workbook', () => {
  test('is read like a CSV file, real dates included', async () => {
    const sheet = workbook([
      ['nom_stage', 'date_debut', 'date_fin'],
      ['Été; à "la mer"', { day: '2026-07-06' }, { day: '2026-07-20' }],
      ['Neige', '01/02/2027', '08/02/2027'],
    ]);
    expect(counts((await send('/uploadSejour', sheet)).json)).toEqual([2, 0, 0]);
    expect((await stays()).map((stay) => [stay.nom_stage, stay.date_debut])).toEqual([
      ['Neige', '2027-02-01'],
      ['Été; à "la mer"', '2026-07-06'],
    ]);
  });

  test('with a cell of blanks is read in its turn', async () => {
    const sheet = workbook([
      ['nom_stage', 'date_debut', 'date_fin'],
      [`Mer${' '.repeat(400_000)}.`, '06/07/2026', '20/07/2026'],
    ]);
    const answer = await send('/uploadSejour', sheet);
    expect(answer.json.lignes).toEqual([
      { ligne: 2, colonne: '', raison: expect.stringContaining('trop longue') },
    ]);
  });

  test.each([
    ['inflates without end', () => Buffer.alloc(400_000_000, ' ')],
    [
      'has one cell far away',
      () => '<worksheet><sheetData><row><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>',
    ],
  ])('that %s is refused', async (_, sheet) => {
    const answer = await send('/uploadSejour', workbookOf(sheet()));
    expect([answer.status, answer.json.message]).toEqual([
      422,
      expect.stringMatching(/ce classeur (n’|en CSV)/),
    ]);
    expect((await send('/uploadSejour', STAYS)).status).toBe(200);
  });
});

describe('An import', () => {
  const last = async (genre: string) =>
    (await site.call(`GET /imports/dernier?genre=${genre}`, { token })).json.dernier;
  const undo = (id: number) => site.call(`POST /imports/${id}/annuler`, { token });
  const MER = { nom_stage: 'Été à la mer', date_debut: '2026-07-06', date_fin: '2026-07-20' };
  /** Read piece by piece, of which there are many. */
  const long = (header: string, lineOf: (index: number) => string) =>
    [header, ...Array.from({ length: 3_000 }, (_, index) => `${lineOf(index)};${'x'.repeat(4_000)}`)].join(
      '\n',
    );
  const LONG_STAYS = long('nom_stage;date_debut;date_fin;note', (index) =>
    index === 0 ? 'ÉTÉ À LA MER;06/07/2026;20/07/2026' : `Séjour ${index};06/07/2026;20/07/2026`,
  );
  const LONG_FAMILIES = long(
    'nom;prenom;email;nom_stage;date_debut;date_fin;note',
    (index) => `Un;A${index};un@example.org;Été à la mer;06/07/2026;20/07/2026`,
  );

  test('is undone as a whole, once', async () => {
    await send('/uploadSejour', STAYS);
    await send('/upload', FAMILIES);
    const second = FAMILIES.replace('lea@', 'lea.martin@').replace('Œnone', 'Oscar');
    const replacing = answering({ adresses: 'remplacer' });
    expect(counts((await send('/upload', second, replacing)).json)).toEqual([1, 1, 0]);
    const found = await last('familles');
    expect(found).toMatchObject({ acteur: 'Alice', crees: 1, modifies: 1, obstacle: null });
    expect((await undo(found.id)).json).toEqual({ message: 'Import annulé' });
    expect((await children()).map(({ prenom, email }) => [prenom, email])).toEqual([
      ['Œnone', 'oe@example.org'],
      ['Léa', 'lea@example.org'],
    ]);
    expect((await undo(found.id)).status).toBe(404);
    expect(await last('familles')).toBeNull();
  });

  test('is not undone once something was built on it', async () => {
    await send('/uploadSejour', STAYS);
    const staysImport = await last('sejours');
    await send('/upload', FAMILIES);
    const families = await last('familles');
    expect((await last('sejours')).obstacle).toContain('familles');
    expect((await undo(staysImport.id)).status).toBe(409);
    const [child] = (await children()).filter(({ nom }) => nom === 'Martin');
    const body = { nom: 'Martin', prenom: 'Léa', mailRL: 'lea.martin@example.org' };
    expect((await site.call(`PUT /update/${child?.id}`, { token, body })).status).toBe(200);
    expect((await last('familles')).obstacle).toContain('modifiées');
    expect((await undo(families.id)).status).toBe(409);
    expect([await count('stages'), await count('stagiaires')]).toEqual([2, 2]);
  });

  test.each([
    [
      'edited',
      (id: number) => site.call(`PUT /stages/${id}`, { token, body: { ...MER, adresse: 'Oléron' } }),
    ],
    [
      'given a new password',
      (id: number) =>
        site.call(`POST /stage-passwords/${id}/regenerer`, { token, body: { type: 'stagiaire' } }),
    ],
    ['deleted', (id: number) => site.call(`DELETE /stages/${id}`, { token })],
  ])('of a stay that was %s since is not undone', async (_, change) => {
    await send('/uploadSejour', STAYS);
    const mer = (await stays()).find(({ nom_stage }) => nom_stage === MER.nom_stage);
    expect((await change(mer?.id ?? 0)).status).toBe(200);
    const left = await stays();
    const { id, obstacle } = await last('sejours');
    expect(obstacle).toContain('modifiés ou supprimés');
    const answer = await undo(id);
    expect([answer.status, answer.json.message]).toEqual([409, obstacle]);
    expect(await stays()).toEqual(left);
  });

  test('of a stay that has got a booklet since is not undone', async () => {
    await send('/uploadSejour', STAYS);
    const [stay] = await stays();
    const livret: [Uint8Array, string] = [minutesPdf('Trajet', ['Le car.']), 'Trajet.pdf'];
    const body = form({ livret, stageId: String(stay?.id) });
    expect((await site.call('POST /livrets-upload', { token, body })).status).toBe(201);
    const { id, obstacle } = await last('sejours');
    expect(obstacle).toContain('des livrets');
    expect((await undo(id)).status).toBe(409);
    expect((await site.call('GET /livrets', { token })).json).toEqual(['Trajet.pdf']);
  });

  test('is undone once when two ask for it at the same time', async () => {
    await send('/uploadSejour', STAYS);
    const { id } = await last('sejours');
    const answers = await Promise.all([undo(id), undo(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await count('stages')).toBe(0);
  });

  test.each([
    [
      'a stay it changes is renamed',
      '/uploadSejour',
      (id: number) =>
        site.call(`PUT /stages/${id}`, { token, body: { ...MER, nom_stage: 'Été à la montagne' } }),
    ],
    [
      'a stay it makes is made by hand',
      '/uploadSejour',
      () => site.call('POST /stages', { token, body: { ...MER, nom_stage: 'Séjour 2500' } }),
    ],
    [
      'the stay of its families is deleted',
      '/upload',
      (id: number) => site.call(`DELETE /stages/${id}`, { token }),
    ],
  ])('comes to nothing when %s meanwhile', async (_, path, change) => {
    await send('/uploadSejour', STAYS);
    const mer = (await stays()).find(({ nom_stage }) => nom_stage === MER.nom_stage);
    const answer = send(path, path === '/upload' ? LONG_FAMILIES : LONG_STAYS, {
      suivi: 'un-import-qui-dure',
    });
    // Once a part is read, the stays are known; the rest is read long after the change.
    while ((await site.call('GET /imports/suivi/un-import-qui-dure', { token })).json.avance === 0);
    expect((await change(mer?.id ?? 0)).status).toBeLessThan(300);
    const before = await stays();
    const { status, json } = await answer;
    expect([status, json.message]).toEqual([409, expect.stringContaining('rien n’a été importé')]);
    expect([await stays(), await count('stagiaires')]).toEqual([before, 0]);
  });

  test('of stays takes them out, and puts back the passwords it changed', async () => {
    const line = 'nom_stage;date_debut;date_fin;mdp_stagiaire\nNeige;01/02/2027;08/02/2027;';
    await send('/uploadSejour', `${line}marmotte-rousse-27\n`);
    const second = `${line}bouquetin-agile-27\nAutre;01/02/2027;08/02/2027;\n`;
    const replacing = answering({ 'mots-de-passe': 'oui' });
    expect(counts((await send('/uploadSejour', second, replacing)).json)).toEqual([1, 1, 0]);
    await undo((await last('sejours')).id);
    const left = await stays();
    expect(left.map((stay) => openStayPassword(secrets, stay, 'stagiaire').unseen)).toEqual([
      'marmotte-rousse-27',
    ]);
  });

  test('keeps another of its kind waiting, until it gives no more sign of life', async () => {
    await send('/uploadSejour', STAYS);
    const at = site.now().toISOString();
    const row = {
      genre: 'familles',
      etape: 'lecture',
      suivi: 'un-import-qui-dure',
      avance: 40,
      acteur: 'x',
    } as const;
    await database.write((db) =>
      db
        .insertInto('imports')
        .values({ ...row, created_at: at, vu_le: at })
        .execute(),
    );
    const progress = await site.call('GET /imports/suivi/un-import-qui-dure', { token });
    expect(progress.json).toEqual({ etape: 'lecture', avance: 40 });
    const answer = await send('/upload', FAMILIES);
    expect([answer.status, answer.json.message]).toEqual([409, 'Un import est déjà en cours.']);
    site.advance(61_000);
    expect((await send('/upload', FAMILIES)).status).toBe(200);
    const forgotten = await site.call('GET /imports/suivi/un-import-qui-dure', { token });
    expect(forgotten.json).toEqual({ etape: 'lecture', avance: 0 });
  });
});

test('Statements run apart change nothing when one of them finds other rows than it was made for', async () => {
  await send('/uploadSejour', STAYS);
  const wrong = { query: sql`delete from stages where id = -1`, rows: 1 };
  await expect(database.apart([{ query: sql`delete from stages` }, wrong])).rejects.toThrow(NotAsExpected);
  expect(await count('stages')).toBe(2);
});

describe('Model files', () => {
  test.each([
    ['sejours', '/uploadSejour'],
    ['familles', '/upload'],
  ])('of %s have all columns and an example that is not imported', async (genre, path) => {
    const model = await site.call(`GET /modeles-csv/${genre}`, { token });
    expect(model.headers.get('content-disposition')).toBe(`attachment; filename=modele-${genre}.csv`);
    const { json } = await send(`${path}/apercu`, model.text);
    expect(json).toMatchObject({ lignes: 1, erreurs: 1, ignorees: [] });
  });
});
