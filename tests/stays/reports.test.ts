import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { EVALUATION_QUESTIONS, REVIEW_SECTIONS } from '#features/stays/shared/terms.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { shownByLibreOffice } from '#tests/support/libreoffice.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { filesIn, unzip } from '#tests/support/workbooks.ts';

const CAMP = { nom_stage: 'Été à Oléron', date_debut: '2026-06-06', date_fin: '2026-06-20' };
const [FIRST, LAST] = [new Date('2026-06-06T00:00:00Z'), new Date('2026-06-20T00:00:00Z')];
const SHEETS = ['Synthèse', 'Bilan', 'Évaluations'];
const SECTIONS = Object.values(REVIEW_SECTIONS);
const QUESTIONS = Object.values(EVALUATION_QUESTIONS);
const DAY_MS = 24 * 3_600_000;
/** The last day of the stay, on which families may answer; clocks of the site show 11:00. */
const NOW = Date.parse('2026-06-20T09:00:00Z');

let site: TestSite;
let admin: string;
let stay: number;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());
beforeEach(async () => {
  site.advance(NOW - site.now().getTime());
  const { database } = site.services;
  await database.write((transaction) => transaction.deleteFrom('stages').execute());
  admin = await site.tokenOf('admin');
  stay = await addStay({});
});

function addStay(values: Partial<typeof CAMP>): Promise<number> {
  const { database, secrets } = site.services;
  return database.write((transaction) =>
    insertStay(transaction, secrets, { ...CAMP, ...values }, site.now()),
  );
}

async function enroll(prenom: string): Promise<void> {
  const body = { nom: 'Roux', prenom, mailRL: 'roux@exemple.org', stageId: stay };
  expect((await site.call('POST /add-stagiaire', { token: admin, body })).status).toBe(201);
}

/** An answer of another family. */
async function answer(notes: object, recommande: boolean | null = null, texte = ''): Promise<void> {
  const token = await site.tokenOf('family', stay);
  const body = { notes, recommande, texte };
  expect((await site.call(`POST /stages/${stay}/evaluation`, { token, body })).status).toBe(201);
}

async function review(...sections: { code: string; note: number | null; commentaire: string }[]) {
  const token = await site.tokenOf('director', stay);
  expect((await site.call(`PUT /stages/${stay}/bilan`, { token, body: { sections } })).status).toBe(200);
}

const named = (name: string) => `nomStage=${encodeURIComponent(name)}`;
const asked = (query: string) => site.call(`GET /download-rapport?${query}`, { token: admin });

async function download(path = `/download-rapport?${named(CAMP.nom_stage)}`) {
  const response = await fetch(`${site.origin}${API_PREFIX}${path}`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  expect(response.status).toBe(200);
  const file = Buffer.from(await response.arrayBuffer());
  return { headers: response.headers, file, sheets: await readWorkbook(file) };
}

/** Times are fractions of a day in a workbook, which are not exact. */
const toSecond = (cell: unknown) =>
  cell instanceof Date ? new Date(Math.round(cell.getTime() / 1_000) * 1_000) : cell;

/** The rows of the sheets, blank cells at the ends of rows left out. */
async function report(): Promise<unknown[][][]> {
  const { sheets } = await download();
  expect(sheets.map(({ sheet }) => sheet)).toEqual(SHEETS);
  return sheets.map(({ data }) =>
    data.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== null) + 1).map(toSecond)),
  );
}

const SUMMARY_TABLE = ['Évaluations des familles', 'Moyenne', 'Réponses', 1, 2, 3, 4, 5].map((title) =>
  typeof title === 'number' ? `Note ${title}` : title,
);
const EVALUATION_TITLES = ['Jour', ...QUESTIONS, 'Recommande le séjour', 'Commentaire'];
const REVIEW_TITLES = ['Section', 'Note', 'Commentaire', 'Modifié le'];

describe('The report of a stay', () => {
  test('tells what families answered and directors wrote: numbers, dates and texts', async () => {
    await enroll('Zoé');
    await enroll('Max');
    await review(
      { code: 'transport', note: 2, commentaire: 'Car en retard.\nDeux fois.' },
      { code: 'repas', note: 5, commentaire: '' },
    );
    await answer({ repas: 4, equipe: 5 }, true, 'Merci\nà tous');
    await answer({ repas: 5 }, false);
    await answer({ repas: 5, photos: null }, true);
    site.advance(DAY_MS);
    admin = await site.tokenOf('admin');
    await answer({ equipe: 1 });

    const [summary, written, answers] = await report();
    expect(summary).toEqual([
      ['Séjour', 'Été à Oléron'],
      ['Premier jour', FIRST],
      ['Dernier jour', LAST],
      ['Enfants inscrits', 2],
      ['Évaluations des familles', 4],
      ['Moyenne des évaluations', 4],
      ['Recommanderaient le séjour', 2 / 3],
      ['Réponses à cette question', 3],
      ['Bilan des directeurs', new Date('2026-06-20T11:00:00Z')],
      ['Moyenne du bilan', 3.5],
      [],
      SUMMARY_TABLE,
      [QUESTIONS[0], null, 0, 0, 0, 0, 0, 0],
      [QUESTIONS[1], null, 0, 0, 0, 0, 0, 0],
      [QUESTIONS[2], 14 / 3, 3, 0, 0, 0, 1, 2],
      [QUESTIONS[3], null, 0, 0, 0, 0, 0, 0],
      [QUESTIONS[4], 3, 2, 1, 0, 0, 0, 1],
      [QUESTIONS[5], null, 0, 0, 0, 0, 0, 0],
      [],
      ['Bilan des directeurs', 'Note'],
      ...SECTIONS.map((title) => {
        const mark = { Transport: 2, Repas: 5 }[title as string];
        return mark ? [title, mark] : [title];
      }),
    ]);
    const at = new Date('2026-06-20T11:00:00Z');
    expect(written).toEqual([
      REVIEW_TITLES,
      ...SECTIONS.map((title) => {
        if (title === 'Transport') return [title, 2, 'Car en retard.\nDeux fois.', at];
        return title === 'Repas' ? [title, 5, null, at] : [title];
      }),
    ]);
    const [titles, ...rows] = answers ?? [];
    expect(titles).toEqual(EVALUATION_TITLES);
    expect(rows).toHaveLength(4);
    expect(rows).toContainEqual([LAST, null, null, 4, null, 5, null, 'Oui', 'Merci\nà tous']);
    expect(rows).toContainEqual([LAST, null, null, 5, null, null, null, 'Non']);
    expect(rows).toContainEqual([LAST, null, null, 5, null, null, null, 'Oui']);
    expect(rows.at(-1)).toEqual([new Date('2026-06-21T00:00:00Z'), null, null, null, null, 1]);
  });

  test('without a review and answers says so, and its averages are blank', async () => {
    const [summary, written, answers] = await report();
    expect(summary?.slice(3, 10)).toEqual([
      ['Enfants inscrits', 0],
      ['Évaluations des familles', 0],
      ['Moyenne des évaluations'],
      ['Recommanderaient le séjour'],
      ['Réponses à cette question', 0],
      ['Bilan des directeurs', 'Pas encore écrit'],
      ['Moyenne du bilan'],
    ]);
    expect(written).toEqual([REVIEW_TITLES, ['Le bilan n’est pas encore écrit.']]);
    expect(answers).toEqual([EVALUATION_TITLES, ['Aucune évaluation pour le moment.']]);
  });

  test('lists the answers of a day in an order that says nothing of who came first', async () => {
    for (let index = 0; index < 12; index++) await answer({ repas: 3 }, null, `Réponse ${index}`);
    const { db } = site.services.database;
    const drawn = await db.selectFrom('evaluations').select('texte').orderBy('cle').execute();
    const [, , answers] = await report();
    expect(answers?.slice(1).map((row) => row.at(-1))).toEqual(drawn.map(({ texte }) => texte));
  });

  test('computes and follows nothing that people typed, and shows it as typed', async () => {
    // What spreadsheets and their files could take for something else.
    const texts = [
      ...['=1+1', '@SUM(A1)', '+33 1 99 00 00 01', '-1', '2026-07-01', '0012', 'TRUE', '#REF!'],
      ...['https://exemple.org', '=HYPERLINK("https://exemple.org")', '<c><f>1</f></c> & "x" ]]>'],
      ...['constructor', '__proto__', 'toString', '_x0041_', '_x000D_', '_x005F_x0041_', '_x'],
      ...['😀 ’ « œ »', 'a\tb\n\nc', 'x'.repeat(5_000), '😀'.repeat(5_000)],
    ];
    // A stay takes two answers a child.
    for (let child = 0; child < texts.length / 2; child++) await enroll(`Enfant ${child}`);
    for (const text of texts) await answer({}, null, text);
    await review({ code: 'repas', note: null, commentaire: '=1+1' });
    const { file, sheets } = await download();
    const shown = sheets[2]?.data.slice(1).map((row) => row.at(-1));
    expect(shown?.toSorted()).toEqual(texts.toSorted());
    const files = unzip(file);
    const all = Object.entries(files);
    const pages = all.filter(([name]) => name.startsWith('xl/worksheets/sheet')).map(([, xml]) => xml);
    expect(pages).toHaveLength(3);
    for (const page of pages) {
      expect(page).toMatch(/<pane [^>]*ySplit="1"[^>]*state="frozen"/);
      // Texts stand apart, under numbers.
      for (const [, value] of page.matchAll(/<v>(.*?)<\/v>/g)) expect(value).toMatch(/^[\d.]+$/);
      expect(page).not.toMatch(/<f\b|<hyperlink/);
    }
    const links = all.filter(
      ([name, xml]) => name.includes('external') || xml.includes('TargetMode="External"'),
    );
    expect(links).toEqual([]);
  });

  test('is printed on A4 as wide as the page, with its titles, its stay and the number on each page', async () => {
    const name = 'Mer & <neige> &P 100%';
    await addStay({ nom_stage: name });
    const files = unzip((await download(`/download-rapport?${named(name)}`)).file);
    const about = 'Mer &amp;&amp; &lt;neige&gt; &amp;&amp;P 100%, du\u00a06 au\u00a020 juin 2026';
    const foot = `<oddFooter>&amp;L${about}&amp;C&amp;A&amp;RPage &amp;P sur &amp;N</oddFooter>`;
    for (const [index, sheet] of SHEETS.entries()) {
      const page = files[`xl/worksheets/sheet${index + 1}.xml`];
      expect(page).toMatch(/<worksheet [^>]*><sheetPr><pageSetUpPr fitToPage="1"\/><\/sheetPr><sheetViews>/);
      // A height of 0 pages: as many as it takes.
      expect(page).toMatch(
        /<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"\/>/,
      );
      expect(page).toContain(foot);
      const rows = `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">'${sheet}'!$1:$1</definedName>`;
      expect(files['xl/workbook.xml']).toContain(rows);
    }
    expect(files['xl/styles.xml']).toMatch(/<left style="thin">.*<bottom style="thin">/);
    // « Pas encore écrit » has its row whole.
    expect(files['xl/worksheets/sheet2.xml']).toContain('<mergeCell ref="A2:D2"/>');
    const passwords = unzip((await download('/download-passwords')).file);
    expect(passwords['xl/worksheets/sheet1.xml']).toMatch(/orientation="portrait".*le 20\/06\/2026&amp;C/);
  });

  test('has a foot that spreadsheets take, however long the name of the stay', async () => {
    const name = `${'&'.repeat(149)}😀`;
    await addStay({ nom_stage: name });
    const files = unzip((await download(`/download-rapport?${named(name)}`)).file);
    const [, foot = ''] = /<oddFooter>(.*)<\/oddFooter>/.exec(files['xl/worksheets/sheet1.xml'] ?? '') ?? [];
    expect(foot.replaceAll('&amp;', '&').length).toBeLessThan(255);
    expect(foot).toContain('…&amp;C');
  });

  test('prints long texts whole: in small letters, in a wider column, in a row of the height there may be', async () => {
    await review({ code: 'repas', note: 3, commentaire: 'mot '.repeat(1_250).trim() });
    const page = unzip((await download()).file)['xl/worksheets/sheet2.xml'] ?? '';
    const width = Number(/<col min="3" max="3" width="(\d+)"/.exec(page)?.[1]);
    expect(width).toBeGreaterThan(80);
    expect(width).toBeLessThanOrEqual(160);
    const height = Number(/<row r="4"[^>]* ht="([\d.]+)"/.exec(page)?.[1]);
    expect(height).toBeGreaterThan(300);
    expect(height).toBeLessThanOrEqual(409);
  });

  test('is found by the name of the stay however it is typed, and by its dates where others have it', async () => {
    const other = { date_debut: '2026-08-01', date_fin: '2026-08-01', nom_stage: 'ÉTÉ A OLÉRON' };
    expect((await asked(named(' ete  à OLERON '))).status).toBe(200);
    await addStay(other);
    const several = await asked(named(CAMP.nom_stage));
    const dates = 'du\u00a06 au\u00a020 juin 2026 ou le\u00a01er août 2026';
    expect([several.status, several.json.message]).toEqual([
      409,
      `Plusieurs séjours portent ce nom\u202f: ajoutez ses dates, ${dates}.`,
    ]);
    const first = `${named(CAMP.nom_stage)}&date_debut=2026-08-01`;
    const { headers, sheets } = await download(`/download-rapport?${first}`);
    expect(sheets[0]?.data[0]?.[1]).toBe('ÉTÉ A OLÉRON');
    expect(headers.get('cache-control')).toBe('no-store');
    for (const query of [named('Été'), named('%'), `${first}&date_fin=2026-06-20`]) {
      const { status, json } = await asked(query);
      expect([status, json]).toEqual([404, { message: 'Ce séjour n’existe pas ou n’existe plus.' }]);
    }
    for (const query of ['', named(' \t')]) {
      const { status, json } = await asked(query);
      expect([status, json.message]).toEqual([422, 'Veuillez choisir un séjour']);
    }
    const strange = await asked(`${named(CAMP.nom_stage)}&date_debut=2026-02-30`);
    expect([strange.status, Object.keys(strange.json.champs)]).toEqual([422, ['date_debut']]);
  });

  test('is saved under the name of the stay, without the signs that no disk takes or nobody sees', async () => {
    // The mark makes what follows be shown from right to left.
    const STRANGE = '..\u202e\\a/b "c"; d*';
    await addStay({ nom_stage: STRANGE });
    const nameFor = async (nomStage: string) => {
      const { headers } = await download(`/download-rapport?${named(nomStage)}`);
      return headers.get('content-disposition');
    };
    expect(await nameFor(CAMP.nom_stage)).toContain(
      "filename*=UTF-8''%C3%89t%C3%A9%20%C3%A0%20Ol%C3%A9ron.xlsx",
    );
    expect(await nameFor(STRANGE)).toBe('attachment; filename="-a-b -c-; d-.xlsx"');
  });

  test('leaves in the journal that it was taken, and no word of it', async () => {
    await answer({}, null, 'Témoin');
    await asked(named(CAMP.nom_stage));
    const lines = await site.services.database.db
      .selectFrom('journal')
      .select(['acteur', 'action', 'objet'])
      .where('objet_id', '=', stay)
      .execute();
    expect(lines).toEqual([
      { acteur: 'Alice', action: 'téléchargement du rapport d’un séjour', objet: 'stages' },
    ]);
    expect(JSON.stringify(site.logLines)).not.toContain('Témoin');
  });

  test('opens in LibreOffice, which shows what it tells; so do the passwords', async ({ skip }) => {
    await answer({ repas: 4 }, true, '=1+1');
    await answer({ repas: 5 }, true, 'Deux\nlignes');
    await answer({ repas: 4 }, false, 'constructor');
    await review({ code: 'repas', note: 3, commentaire: '_x0041_' });
    const { file } = await download();
    const shown = await shownByLibreOffice(file);
    if (!shown) return skip('LibreOffice is not installed (Debian: libreoffice-calc-nogui)');
    expect(Object.keys(shown).sort()).toEqual(SHEETS.toSorted());
    expect(shown.Synthèse).toEqual(
      expect.arrayContaining([
        'Séjour;Été à Oléron;;;;;;',
        'Premier jour;06/06/2026;;;;;;',
        'Moyenne des évaluations;4.3;;;;;;',
        'Recommanderaient le séjour;67%;;;;;;',
        'Les repas;4.3;3;0;0;0;2;1',
      ]),
    );
    expect(shown.Bilan).toContain('Repas;3;_x0041_;20/06/2026 11:00');
    expect(shown.Évaluations?.slice(1).toSorted()).toEqual([
      '20/06/2026;;;4;;;;Non;constructor',
      '20/06/2026;;;4;;;;Oui;=1+1',
      '20/06/2026;;;5;;;;Oui;"Deux',
      'lignes"',
    ]);
    const passwords = await shownByLibreOffice((await download('/download-passwords')).file);
    expect(passwords?.['Mots de passe']?.[1]).toMatch(
      new RegExp(`^${stay};Été à Oléron;06/06/2026;20/06/2026(;[A-Z2-9-]{14}){2}$`),
    );
  });
});

describe('The reports of several stays', () => {
  const several = (query: string) => site.call(`GET /rapports?${query}`, { token: admin });
  async function archive(ids: readonly number[]) {
    const response = await fetch(`${site.origin}${API_PREFIX}/rapports?sejours=${ids.join(',')}`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    expect(response.status).toBe(200);
    return { headers: response.headers, files: filesIn(Buffer.from(await response.arrayBuffer())) };
  }

  test('come as one archive, a workbook each, as it is alone', async () => {
    await answer({ repas: 4 }, true, 'Merci');
    const other = await addStay({ nom_stage: 'Mer', date_debut: '2026-06-07' });
    const same = await addStay({ nom_stage: '..\\a/b "c"', date_debut: '2026-06-07' });
    const { headers, files } = await archive([same, stay, other, stay]);
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-disposition')).toBe('attachment; filename="3 rapports.zip"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(files)).toEqual([
      `2026-06-07 ..-a-b -c- (${same}).xlsx`,
      `2026-06-06 Été à Oléron (${stay}).xlsx`,
      `2026-06-07 Mer (${other}).xlsx`,
    ]);
    const [, first, second] = await Promise.all(Object.values(files).map((file) => readWorkbook(file)));
    expect(first).toEqual((await download()).sheets);
    expect(second?.[0]?.data[0]?.[1]).toBe('Mer');
    const lines = await site.services.database.db
      .selectFrom('journal')
      .select(['acteur', 'action', 'objet', 'objet_id'])
      .where('objet_id', 'in', [other, same])
      .orderBy('objet_id')
      .execute();
    const line = { acteur: 'Alice', action: 'téléchargement du rapport d’un séjour', objet: 'stages' };
    expect(lines).toEqual([other, same].map((objet_id) => ({ ...line, objet_id })));
  });

  test('have names that every disk takes, however long those of their stays are', async () => {
    const long = await addStay({ nom_stage: '😀'.repeat(75) });
    const { headers, files } = await archive([long]);
    expect(headers.get('content-disposition')).toBe('attachment; filename=Rapport.zip');
    expect(Object.keys(files)).toEqual([`2026-06-06 ${'😀'.repeat(50)} (${long}).xlsx`]);
  });

  test('are a hundred at most, of stays that exist: else nothing comes, nor stands in the journal', async () => {
    const wrong = [
      '',
      'sejours=',
      'sejours=x',
      'sejours=1,',
      `sejours=${stay}&sejours=${stay}`,
      'sejours=-1',
    ];
    for (const query of [...wrong, `sejours=${Array.from({ length: 101 }, (_, index) => index + 1)}`]) {
      const { status, json } = await several(query);
      expect([query, status, Object.keys(json.champs)]).toEqual([query, 422, ['sejours']]);
    }
    const gone = await several(`sejours=${stay},999999`);
    expect([gone.status, gone.json]).toEqual([404, { message: 'Ce séjour n’existe pas ou n’existe plus.' }]);
    const { db } = site.services.database;
    expect(await db.selectFrom('journal').select('id').where('objet_id', '=', stay).execute()).toEqual([]);

    const all = [stay];
    for (let index = 1; index < 100; index++) all.push(await addStay({ nom_stage: `Séjour ${index}` }));
    expect(Object.keys((await archive(all)).files)).toHaveLength(100);
  });
});
