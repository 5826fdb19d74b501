import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertEvaluation } from '#features/stays/server/reviewsStore.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { REVIEW_SECTIONS } from '#features/stays/shared/terms.ts';
import { addFamilies } from '#tests/support/mails.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/** A stay ends at midnight in Paris, two hours before it does in Greenwich. */
const LAST_DAY = '2026-07-18';
const OPENS = Date.parse('2026-07-17T22:00:00.000Z');
const NOT_YET = 'Le questionnaire s’ouvre le dernier jour du séjour.';
const ANSWERED = 'Vous avez déjà répondu, merci\u202f!';

let site: TestSite;
let stay: number;
let director: string;
let family: string;
beforeAll(async () => {
  site = await openSite();
  site.advance(OPENS - site.now().getTime());
});
afterAll(() => site?.close());
beforeEach(async () => {
  const { database } = site.services;
  await database.write((transaction) => transaction.deleteFrom('stages').execute());
  stay = await addStay(LAST_DAY);
  director = await site.tokenOf('director', stay);
  family = await site.tokenOf('family', stay);
});

function addStay(date_fin: string): Promise<number> {
  const { database, secrets } = site.services;
  const camp = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin };
  return database.write((transaction) => insertStay(transaction, secrets, camp, site.now()));
}

const review = (token: string, id: number = stay) => site.call(`GET /stages/${id}/bilan`, { token });
const save = (token: string, sections: unknown, id: number = stay) =>
  site.call(`PUT /stages/${id}/bilan`, { token, body: { sections } });
const state = (token: string, id: number = stay) => site.call(`GET /stages/${id}/evaluation`, { token });
const answer = (token: string, body: object, id: number = stay) =>
  site.call(`POST /stages/${id}/evaluation`, { token, body: { notes: {}, recommande: null, ...body } });
const told = ({ status, json }: Answer) => [status, json.message];
const answers = () => site.services.database.db.selectFrom('evaluations').selectAll().execute();

describe('The review of a stay', () => {
  const blank = Object.keys(REVIEW_SECTIONS).map((code) => ({ code, note: null, commentaire: '' }));

  test('is blank section by section at first, and keeps those that a save does not name', async () => {
    expect((await review(director)).json).toEqual({ sections: blank, modifie_le: null });
    const meals = { code: 'repas', note: 4, commentaire: 'Copieux.\n  « Œufs » le lundi 😀' };
    expect(told(await save(director, [meals]))).toEqual([200, 'Bilan enregistré']);
    site.advance(60_000);
    const transport = { code: 'transport', note: null, commentaire: 'Car en retard.' };
    const admin = await site.tokenOf('admin');
    await save(admin, [{ ...transport, note: 1, commentaire: '' }, transport]);
    expect((await review(admin)).json).toEqual({
      sections: blank.map((one) => [meals, transport].find(({ code }) => code === one.code) ?? one),
      modifie_le: site.now().toISOString(),
    });
  });

  test('saved section by section by several at once misses none', async () => {
    const sections = blank.map(({ code }, index) => ({ code, note: (index % 5) + 1, commentaire: code }));
    const saves = sections.flatMap((section) => [save(director, [section]), save(director, [section])]);
    for (const one of await Promise.all(saves)) expect(one.status).toBe(200);
    expect((await review(director)).json.sections).toEqual(sections);
  });

  test('takes known sections, whole marks from 1 to 5 and texts, or nothing of what was sent', async () => {
    const good = { code: 'repas', note: 3, commentaire: '' };
    const faulty = [
      { ...good, code: 'piscine' },
      ...[0, 6, 2.5, true, [3]].map((note) => ({ ...good, note })),
      ...['x'.repeat(5_001), 'a\u0000b', 3, null].map((commentaire) => ({ ...good, commentaire })),
    ];
    for (const one of faulty) {
      const refused = await save(director, [{ ...good, code: 'transport' }, one]);
      expect([refused.status, Object.keys(refused.json.champs)], JSON.stringify(one).slice(0, 60)).toEqual([
        422,
        ['sections'],
      ]);
    }
    expect((await save(director, Array(10).fill(good))).status).toBe(422);
    expect((await review(director)).json.sections).toEqual(blank);
  });

  test('of another stay, or of none, does not exist for a director', async () => {
    const other = await addStay('2026-07-20');
    const admin = await site.tokenOf('admin');
    for (const [token, id] of [
      [director, other],
      [director, other + 1],
      [admin, other + 1],
    ] as const) {
      expect((await review(token, id)).status).toBe(404);
      expect((await save(token, [], id)).status).toBe(404);
    }
    expect((await review(family)).status).toBe(403);
    expect((await save(family, [])).status).toBe(403);
  });

  test('leaves in the journal that it was saved, and no word of it', async () => {
    await save(director, [{ code: 'repas', note: 1, commentaire: 'Témoin' }]);
    const lines = await site.services.database.db
      .selectFrom('journal')
      .selectAll()
      .where('objet_id', '=', stay)
      .execute();
    expect(lines).toMatchObject([
      {
        acteur: `directeur du séjour ${stay}`,
        action: 'enregistrement du bilan d’un séjour',
        objet: 'stages',
      },
    ]);
    expect(JSON.stringify([lines, site.logLines])).not.toContain('Témoin');
  });
});

describe('The questionnaire for families', () => {
  test('is open from the last day of the stay on, on the clocks of the site', async () => {
    const tomorrow = await addStay('2026-07-19');
    const early = await site.tokenOf('family', tomorrow);
    expect((await state(early, tomorrow)).json).toEqual({ ouverte: false, faite: false });
    expect(told(await answer(early, { texte: 'Bravo' }, tomorrow))).toEqual([409, NOT_YET]);
    expect((await state(family)).json).toEqual({ ouverte: true, faite: false });
    expect((await answer(family, { texte: 'Bravo' })).status).toBe(201);
    expect(await answers()).toHaveLength(1);
  });

  test('keeps the answer with its day, and nothing that says whose it is', async () => {
    const notes = { repas: 2, activites: 5, equipe: null };
    const sent = await answer(family, { notes, recommande: true, texte: 'Témoin\r\nMerci' });
    expect(told(sent)).toEqual([201, 'Merci pour votre réponse\u202f!']);
    const kept = await answers();
    expect(kept).toEqual([
      {
        cle: expect.stringMatching(/^[0-9a-f]{32}$/),
        stage_id: stay,
        notes: expect.any(String),
        recommande: 1,
        texte: 'Témoin\nMerci',
        jour: LAST_DAY,
      },
    ]);
    expect(JSON.parse(kept[0]?.notes ?? '')).toEqual({ repas: 2, activites: 5 });
    const { db } = site.services.database;
    const journal = await db.selectFrom('journal').selectAll().where('acteur', 'like', 'famille%').execute();
    expect(journal).toEqual([]);
    expect(JSON.stringify(site.logLines)).not.toContain('Témoin');
  });

  test('is answered once a sign-in, however often it is sent at once', async () => {
    const sent = await Promise.all(Array.from({ length: 5 }, () => answer(family, { texte: 'Bravo' })));
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(told(await answer(family, { texte: 'Encore' }))).toEqual([409, ANSWERED]);
    expect((await state(family)).json).toEqual({ ouverte: true, faite: true });
    const other = await site.tokenOf('family', stay);
    expect((await state(other)).json).toEqual({ ouverte: true, faite: false });
    expect((await answer(other, { notes: { photos: 1 }, recommande: false })).status).toBe(201);
    expect(await answers()).toHaveLength(2);
  });

  test('wants one mark or a few words, and can still be answered after a refusal', async () => {
    const faulty: [object, string][] = [
      [{}, 'notes'],
      [{ recommande: true, texte: ' \n\u200b', notes: { repas: null } }, 'notes'],
      [{ notes: { piscine: 3 } }, 'notes'],
      ...[0, 6, 1.5, 'x'].map((repas): [object, string] => [{ notes: { repas } }, 'notes']),
      [{ notes: { repas: 3 }, recommande: 'oui' }, 'recommande'],
      [{ notes: { repas: 3 }, texte: 'x'.repeat(5_001) }, 'texte'],
    ];
    for (const [body, field] of faulty) {
      const refused = await answer(family, body);
      expect([refused.status, Object.keys(refused.json.champs)], JSON.stringify(body).slice(0, 60)).toEqual([
        422,
        [field],
      ]);
    }
    expect(await answers()).toEqual([]);
    expect((await answer(family, { notes: { repas: 3 } })).status).toBe(201);
  });

  test('is a family’s own: of another stay it does not exist, and nobody else answers it', async () => {
    const other = await addStay('2026-07-17');
    expect((await state(family, other)).status).toBe(404);
    expect((await answer(family, { texte: 'Bravo' }, other)).status).toBe(404);
    for (const role of ['director', 'admin'] as const) {
      const token = await site.tokenOf(role, stay);
      expect((await state(token)).status).toBe(403);
      expect((await answer(token, { texte: 'Bravo' })).status).toBe(403);
    }
    expect(await answers()).toEqual([]);
  });

  test('comes twice for each child and twenty times at least, however often somebody signs in anew', async () => {
    const other = await addStay('2026-07-17');
    const answerAnew = async () => {
      const token = await site.tokenOf('family', other);
      return (await answer(token, { notes: { repas: 1 } }, other)).status;
    };
    const { database } = site.services;
    const row = { stage_id: other, jour: '2026-07-17', notes: '{}', recommande: null, texte: '' };
    const fill = (count: number) =>
      database.write(async (transaction) => {
        for (let one = 0; one < count; one++) await insertEvaluation(transaction, row);
      });
    await fill(19);
    expect(await answerAnew()).toBe(201);
    expect(await answerAnew()).toBe(409);
    await addFamilies(
      site.services,
      other,
      Array.from({ length: 11 }, (_, index) => `p${index}@exemple.org`),
    );
    expect(await answerAnew()).toBe(201);
    await fill(1);
    expect(await answerAnew()).toBe(409);
  });
});
