import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '#app/migrations/migrate.ts';
import type { ListItem, minutes } from '#features/content/shared/kinds.ts';
import { form } from '#tests/support/forms.ts';
import { minutesPdf, page, pdf, stream } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
let admin: string;
let reader: string;
beforeAll(async () => {
  site = await openSite();
  admin = await site.tokenOf('admin');
  reader = await site.tokenOf('reader');
});
afterAll(() => site?.close());

const MB = 1024 * 1024;
type Found = ListItem<typeof minutes>;

async function add(nom: string, bytes: Uint8Array, more: Record<string, string> = {}): Promise<number> {
  const body = form({ nom, date_ajout: '2026-06-12', url: [bytes, 'cr.pdf', 'application/pdf'], ...more });
  const answer = await site.call('POST /documents', { token: admin, body });
  expect(answer.status, answer.text).toBe(201);
  await site.jobs.idle();
  return answer.json.id;
}
/** A PDF with one page for each text, wide enough to show it on one line. */
function paged(...texts: string[]): Buffer {
  const numbers = texts.map((_, index) => 10 + 2 * index);
  const objects = texts.map((text, index) => {
    const number = numbers[index] ?? 0;
    const shown = Buffer.from(`BT /F1 12 Tf 72 720 Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`, 'latin1');
    return {
      [number]: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99999 842] /Contents ${number + 1} 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
      [number + 1]: stream('', shown),
    };
  });
  const kids = numbers.map((number) => `${number} 0 R`).join(' ');
  return pdf({
    plain: Object.assign(
      {
        1: '<< /Type /Catalog /Pages 2 0 R >>',
        2: `<< /Type /Pages /Count ${texts.length} /Kids [${kids}] >>`,
        5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      },
      ...objects,
    ),
  });
}
/** In a few kilobytes. */
function gigabyteOfBlanks(): Buffer {
  const part = deflateRawSync(Buffer.alloc(64 * MB, 0x20), { finishFlush: constants.Z_FULL_FLUSH });
  return deflateSync(Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(16).fill(part)]));
}
async function search(recherche: string, more = '', token = reader): Promise<Found[]> {
  const address = `GET /documents?${new URLSearchParams({ recherche })}${more}`;
  const answer = await site.call(address, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
const namesOf = async (recherche: string, more?: string) =>
  (await search(recherche, more)).map(({ nom }) => nom);
const pagesOf = async (recherche: string) =>
  (await search(recherche)).map(({ nom, passages }) => [nom, passages?.map((one) => one.page)]);

describe('a search in the minutes', () => {
  beforeAll(async () => {
    await add('Réunion de printemps', paged('Ouverture', 'Les chèques-vacances', 'Été 2026', 'Clôture'));
    await add('Bilan d’automne', paged('Le cœur du débat', 'Rien', 'Rien'), { date_ajout: '2026-10-01' });
    await add(
      'Procès-verbal',
      paged('remise', 'remise et tarif', 'tarif', 'la remise', 'un tarif, une remise'),
      { date_ajout: '2025-01-01' },
    );
  });

  test('finds a word on its page, whatever its case and accents', async () => {
    for (const asked of ['chèques', 'CHEQUES', 'cheques', 'vacances', 'Chèques-Vacances', 'été'])
      expect(await namesOf(asked), asked).toEqual(['Réunion de printemps']);
    expect(await pagesOf('vacances')).toEqual([['Réunion de printemps', [2]]]);
    expect(await pagesOf('ETE')).toEqual([['Réunion de printemps', [3]]]);
    for (const asked of ['debat', 'l’automne', "d'automne"])
      expect(await namesOf(asked), asked).toEqual(['Bilan d’automne']);
  });

  test('wants every word, on any page or in the title', async () => {
    expect(await pagesOf('cheques 2026')).toEqual([['Réunion de printemps', [2, 3]]]);
    expect(await pagesOf('printemps cheques')).toEqual([['Réunion de printemps', [2]]]);
    expect(await pagesOf('cheques tarif')).toEqual([]);
    expect(await pagesOf('girafe')).toEqual([]);
  });

  test('finds a title, without any page', async () => {
    expect(await pagesOf('bilan')).toEqual([['Bilan d’automne', []]]);
  });

  test('shows three pages at the most, those with the most of the words first', async () => {
    expect(await pagesOf('remise tarif')).toEqual([['Procès-verbal', [2, 5, 1]]]);
  });

  test('keeps the order and the limit of the list', async () => {
    const all = ['Bilan d’automne', 'Réunion de printemps', 'Procès-verbal'];
    expect(await namesOf('r')).toEqual(all);
    expect(await namesOf('r', '&limite=2')).toEqual(all.slice(0, 2));
    expect(await namesOf('tarif', '&limite=1')).toEqual(['Procès-verbal']);
  });

  test('of nothing, of blanks or of signs is the list, which has no passages', async () => {
    for (const asked of ['', '  ', '%', '_', '\\', '% _', '«\u00a0»', "l'"]) {
      const list = await search(asked);
      expect(list, asked).toHaveLength(3);
      expect(list[0], asked).not.toHaveProperty('passages');
    }
  });

  test('takes signs for gaps between words, and for nothing else', async () => {
    for (const sign of ['%', '_', '\\', '*', "'"])
      expect(await pagesOf(`tar${sign}mise`), sign).toEqual([['Procès-verbal', [2, 5, 1]]]);
    expect(await namesOf('%vacances_\\')).toEqual(['Réunion de printemps']);
    expect(await namesOf("'; drop table documents; --")).toEqual([]);
  });

  test('of more than a line, of more than 100 characters or of two texts is refused', async () => {
    expect(await namesOf('x'.repeat(100))).toEqual([]);
    for (const asked of [
      `recherche=${'x'.repeat(101)}`,
      'recherche=a%0Ab',
      'recherche=%00',
      'recherche=a&recherche=b',
    ])
      expect((await site.call(`GET /documents?${asked}`, { token: reader })).status, asked).toBe(422);
  });

  test('is for readers and admins, and its answer is kept nowhere', async () => {
    expect((await site.call('GET /documents?recherche=tarif')).status).toBe(401);
    for (const role of ['family', 'director'] as const) {
      const token = await site.tokenOf(role);
      expect((await site.call('GET /documents?recherche=tarif', { token })).status).toBe(403);
    }
    const answer = await site.call('GET /documents?recherche=tarif', { token: reader });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('means nothing where there is no PDF', async () => {
    const plain = await site.call('GET /actualites');
    expect((await site.call('GET /actualites?recherche=tarif')).text).toBe(plain.text);
  });
});

describe('an excerpt', () => {
  const filler = (word: string, times: number) => Array(times).fill(word).join(' ');

  test('is the whole of a short page, as it is written', async () => {
    await add('Courte', minutesPdf('Courte', ['La girafe « Zoé » dort.', 'Le budget est voté.']));
    const [found] = await search('zoe');
    expect(found?.passages).toEqual([
      { page: 1, extrait: 'Courte La girafe « Zoé » dort. Le budget est voté. 1 / 1' },
    ]);
  });

  test('of a long page is cut between words around the first one found', async () => {
    const text = `${filler('avant', 40)} ornithorynque ${filler('ensuite', 40)}`;
    await add('Longue', paged(text));
    const extrait = (await search('ornithorynque'))[0]?.passages?.[0]?.extrait ?? '';
    expect(extrait).toMatch(/^…(avant )+ornithorynque( ensuite)+…$/);
    expect(extrait.length).toBeGreaterThan(100);
    expect(extrait.length).toBeLessThanOrEqual(162);
    await add('Au bord', paged(`tamanoir ${filler('ensuite', 40)}`, `${filler('avant', 40)} tamanoir`));
    const passages = (await search('tamanoir'))[0]?.passages ?? [];
    expect(passages[0]?.extrait).toMatch(/^tamanoir( ensuite)+…$/);
    expect(passages[1]?.extrait).toMatch(/^…(avant )+tamanoir$/);
  });

  test('of one endless word is bounded too', async () => {
    await add('Sans fin', paged('z'.repeat(3_000)));
    expect((await search('zzzz'))[0]?.passages?.[0]?.extrait).toBe(`${'z'.repeat(100)}…`);
  });
});

describe('what may be found', () => {
  test('what is not published, or no longer, only by an admin who asks for all', async () => {
    await add('Demain', paged('hippocampe'), { publie_du: '2026-06-21T09:00:00Z' });
    await add('Hier', paged('hippocampe'), {
      publie_du: '2026-06-18T09:00:00Z',
      publie_au: '2026-06-19T09:00:00Z',
    });
    expect(await search('hippocampe')).toEqual([]);
    expect(await search('hippocampe', '', admin)).toEqual([]);
    expect((await search('hippocampe', '&tout=1', admin)).map(({ nom }) => nom).sort()).toEqual([
      'Demain',
      'Hier',
    ]);
    expect((await site.call('GET /documents?recherche=x&tout=1', { token: reader })).status).toBe(403);
  });

  test('what is deleted no more, what is restored again', async () => {
    const id = await add('Perdu et retrouvé', paged('axolotl'));
    expect((await site.call(`DELETE /documents/${id}`, { token: admin })).status).toBe(200);
    for (const more of ['', '&tout=1']) expect(await search('axolotl', more, admin)).toEqual([]);
    await site.call(`POST /corbeille/documents/${id}/restaurer`, { token: admin });
    expect(await pagesOf('axolotl')).toEqual([['Perdu et retrouvé', [1]]]);
  });

  test('minutes that were there before their text was read, once it is', async () => {
    const { database } = site.services;
    const id = await add('D’avant', paged('dromadaire'));
    await database.write(async (db) => {
      await db.schema.dropTable('documents_pages').execute();
      await sql`delete from migrations where nom = '0004-minutes-text'`.execute(db);
    });
    await migrate(database);
    expect(await search('dromadaire')).toEqual([]);
    // Twice: the migration’s job beside one that was left.
    await database.write((db) =>
      db
        .insertInto('jobs')
        .columns(['nom', 'charge', 'essais', 'a_faire_le', 'created_at'])
        .expression((one) =>
          one
            .selectFrom('jobs')
            .select(['nom', 'charge', 'essais', 'a_faire_le', 'created_at'])
            .where('charge', '=', JSON.stringify({ id })),
        )
        .execute(),
    );
    await site.jobs.idle();
    expect(await pagesOf('dromadaire')).toEqual([['D’avant', [1]]]);
    expect(await database.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
  });
});

describe('a PDF that is hard to read', () => {
  test('whose page unfolds into a gigabyte is found by its title, and is not tried again', async () => {
    site.logLines.length = 0;
    const content = stream('/Filter [/FlateDecode /FlateDecode] ', gigabyteOfBlanks());
    await add('Illisible', pdf({ plain: { ...page(), 4: content } }));
    expect(site.logLines.filter((line) => line.includes('the text of minutes cannot be read'))).toHaveLength(
      1,
    );
    expect(await pagesOf('illisible')).toEqual([['Illisible', []]]);
    expect(await site.services.database.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
  });

  test('of 500 pages and more than two million letters is read up to there', async () => {
    const text = `lamantin ${'mot '.repeat(1_500)}`;
    await add('Énorme', paged(...Array<string>(499).fill(text), 'calmar'));
    expect(await pagesOf('lamantin')).toEqual([['Énorme', [1, 2, 3]]]);
    expect(await search('calmar')).toEqual([]);
    const { letters } = await site.services.database.db
      .selectFrom('documents_pages')
      .select(({ fn }) => fn.sum<number>(sql`length(texte)`).as('letters'))
      .where('plie', 'like', '%lamantin%')
      .executeTakeFirstOrThrow();
    expect(Number(letters)).toBeLessThanOrEqual(2_000_000);
  });
});
