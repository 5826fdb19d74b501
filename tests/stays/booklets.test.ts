import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { COOKIES } from '#platform/server/sessionsStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import type { Role } from '#platform/shared/roles.ts';
import { form } from '#tests/support/forms.ts';
import { page, pdf, SCRIPT } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
const tokens = {} as Record<Role, string>;
beforeAll(async () => {
  site = await openSite();
  for (const role of ['admin', 'reader', 'family', 'director'] as const)
    tokens[role] = await site.tokenOf(role);
});
afterAll(() => site?.close());

const saying = (text: string) => pdf({ plain: page('', text) });
const send = (name: string, bytes: Uint8Array = saying(name.replace(/[^a-z]/g, '')), stageId?: unknown) =>
  site.call('POST /livrets-upload', {
    token: tokens.admin,
    body: form({
      livret: [bytes, name, 'application/pdf'],
      ...(stageId !== undefined && { stageId: String(stageId) }),
    }),
  });
const names = async (role: Role = 'admin') =>
  (await site.call('GET /livrets', { token: tokens[role] })).json as string[];
const remove = (name: string) =>
  site.call(`DELETE /livrets/${encodeURIComponent(name)}`, { token: tokens.admin });
const addressOf = (name: string) => `/api/doc_stage_formateur/${encodeURIComponent(name)}`;
const open = (name: string, headers: Record<string, string> = {}) =>
  site.ask(`GET ${addressOf(name)}`, { headers });
const bearer = (role: Role) => ({ authorization: `Bearer ${tokens[role]}` });

/** The stored names of all booklets, and what lies in the folder. */
async function kept() {
  const { db } = site.services.database;
  const rows = await db.selectFrom('fichiers').select('nom').where('objet', '=', 'livrets').execute();
  const files = readdirSync(join(site.directory, 'files'), { recursive: true, withFileTypes: true });
  return { rows: rows.map(({ nom }) => nom), files: files.filter((entry) => entry.isFile()).length };
}

describe('a booklet', () => {
  test('is opened under its name by staff, directors and families, and by nobody else', async () => {
    const sent = await send('Livret d’été 100 % nature.pdf');
    expect([sent.status, sent.json]).toEqual([
      201,
      {
        message: 'Livret téléchargé avec succès',
        nom: 'Livret d’été 100 % nature.pdf',
        conseil: expect.stringMatching(/^Ce PDF n’a pas de .*balises\u202f: /),
      },
    ]);
    const stored = (await kept()).rows[0] ?? '';
    for (const name of [sent.json.nom, stored, "LIVRET D'ETE 100 % NATURE.PDF"]) {
      for (const role of ['admin', 'director', 'family'] as const) {
        const ways: Record<string, string>[] = [bearer(role), { cookie: `${COOKIES[role]}=${tokens[role]}` }];
        for (const way of ways) {
          const opened = await open(name, way);
          expect([opened.status, opened.text.slice(0, 5)]).toEqual([200, '%PDF-']);
        }
        expect((await open(name, { ...bearer(role), range: 'bytes=0-9' })).status).toBe(206);
      }
      expect((await open(name, bearer('reader'))).status).toBe(403);
      expect((await open(name)).status).toBe(401);
      expect((await open(name, { ...bearer('family'), 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    }
    const { headers } = await open(stored, bearer('family'));
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('Livret d’été 100 % nature.pdf')}`,
    );
  });

  test('asked for in a tab without a session leads to the sign-in of stays, whether it exists or not', async () => {
    await send('Trousseau.pdf');
    for (const name of ['Trousseau.pdf', 'Autre chose.pdf']) {
      expect((await open(name)).status).toBe(401);
      const tab = await open(name, { 'sec-fetch-dest': 'document' });
      expect([tab.status, tab.headers.get('location')]).toEqual([303, '/connexion']);
    }
    expect((await open('Autre chose.pdf', bearer('family'))).status).toBe(404);
  });

  test('takes the place of the one of its name, whose file is erased', async () => {
    await send('Règles de vie.pdf', saying('avant'));
    const before = await kept();
    const sent = await send('REGLES DE VIE.PDF', saying('apres'));
    expect(sent.json.nom).toBe('REGLES DE VIE.PDF');
    const after = await kept();
    expect([after.rows.length, after.files]).toEqual([before.rows.length, before.files]);
    expect((await open('Règles de vie.pdf', bearer('family'))).text).toContain('(apres)');
    expect((await names()).filter((name) => /vie/i.test(name))).toEqual(['REGLES DE VIE.PDF']);
    const gone = before.rows.filter((name) => !after.rows.includes(name));
    expect(gone).toHaveLength(1);
    for (const name of gone) {
      expect((await open(name, bearer('admin'))).status).toBe(404);
      expect(existsSync(join(site.directory, 'files', keyOf('doc_stage_formateur', name)))).toBe(false);
    }
    // Twice at once: one stays, with one file.
    const answers = await Promise.all(
      ['un', 'deux', 'trois'].map((text) => send('Ensemble.pdf', saying(text))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const together = await kept();
    expect([together.rows.length, together.files]).toEqual([after.rows.length + 1, after.files + 1]);
  });

  test('is deleted for good by its name', async () => {
    const before = await kept();
    await send('À jeter ∕ vieux.pdf');
    expect((await remove('Inconnu.pdf')).status).toBe(404);
    const deleted = await remove('à jeter ∕ VIEUX.pdf');
    expect([deleted.status, deleted.json]).toEqual([200, { message: 'Fichier supprimé avec succès' }]);
    expect((await remove('à jeter ∕ VIEUX.pdf')).status).toBe(404);
    expect((await open('à jeter ∕ VIEUX.pdf', bearer('admin'))).status).toBe(404);
    expect(await kept()).toEqual(before);
  });
});

describe('the list of booklets', () => {
  test('has their names in order, for staff, directors and families', async () => {
    for (const name of ['Zèbre 10.pdf', 'élan.pdf', 'Zèbre 9.pdf']) await send(name);
    for (const role of ['admin', 'director', 'family'] as const) {
      const own = (await names(role)).filter((name) => /^(z|é)/i.test(name));
      expect(own).toEqual(['élan.pdf', 'Zèbre 9.pdf', 'Zèbre 10.pdf']);
    }
  });
});

describe('a booklet of a stay', () => {
  let a: number;
  let b: number;
  let of: Record<'A' | 'B', Record<'family' | 'director', string>>;
  const tokensOf = async (stay: number) => ({
    family: await site.tokenOf('family', stay),
    director: await site.tokenOf('director', stay),
  });
  beforeEach(async () => {
    [a, b] = [await addStay('Été à Oléron'), await addStay('Ski à Morzine')];
    of = { A: await tokensOf(a), B: await tokensOf(b) };
  });
  afterEach(async () => {
    for (const id of [a, b]) await site.call(`DELETE /stages/${id}`, { token: tokens.admin });
  });

  async function addStay(nom_stage: string): Promise<number> {
    const body = { nom_stage, date_debut: '2026-06-10', date_fin: '2026-06-20' };
    return (await site.call('POST /stages', { token: tokens.admin, body })).json.id;
  }
  const listed = async (token: string, query = '') =>
    (await site.call(`GET /livrets${query}`, { token })).json;
  const tracked = async () => {
    const { json } = await site.call('GET /livrets-suivi', { token: tokens.admin });
    return (json as { nom: string; sejour: { id: number } | null }[]).map(({ nom, sejour }) => [
      nom,
      sejour?.id ?? null,
    ]);
  };
  const statusFor = async (name: string, token: string) =>
    (await open(name, { authorization: `Bearer ${token}` })).status;

  test('is seen and opened by its own people and staff, under any of its names', async () => {
    await send('Pour tous.pdf');
    expect((await send('Pour A.pdf', undefined, a)).status).toBe(201);
    const { db } = site.services.database;
    const { nom: stored } = await db
      .selectFrom('fichiers')
      .innerJoin('livrets', 'livrets.id', 'fichiers.objet_id')
      .select('fichiers.nom')
      .where('livrets.stage_id', '=', a)
      .executeTakeFirstOrThrow();
    for (const role of ['family', 'director'] as const) {
      expect(await listed(of.A[role])).toEqual(expect.arrayContaining(['Pour A.pdf', 'Pour tous.pdf']));
      expect(await listed(of.B[role])).toContain('Pour tous.pdf');
      expect(await listed(of.B[role])).not.toContain('Pour A.pdf');
      for (const name of ['Pour A.pdf', 'pour a.pdf', stored]) {
        expect(await statusFor(name, of.A[role])).toBe(200);
        const refused = await open(name, { authorization: `Bearer ${of.B[role]}` });
        expect([refused.status, refused.json]).toEqual([
          404,
          (await open('Inconnu.pdf', { authorization: `Bearer ${of.B[role]}` })).json,
        ]);
        expect((await open(name, { cookie: `${COOKIES[role]}=${of.B[role]}` })).status).toBe(404);
      }
      // Who has signed in to both stays holds a cookie of each role.
      const both = `${COOKIES.family}=${of.A.family}; ${COOKIES.director}=${of.B.director}`;
      expect((await open('Pour A.pdf', { cookie: both })).status).toBe(200);
      expect((await open('Pour A.pdf', bearer('reader'))).status).toBe(403);
      expect((await site.call(`GET /livrets?stageId=${a}`, { token: of.B[role] })).status).toBe(404);
    }
    expect(await statusFor('Pour A.pdf', tokens.admin)).toBe(200);
    expect(await names()).toEqual(expect.arrayContaining(['Pour A.pdf', 'Pour tous.pdf']));
    // Staff who look at a stay as its families do.
    expect(await listed(tokens.admin, `?stageId=${b}`)).not.toContain('Pour A.pdf');
    expect(await listed(tokens.admin, `?stageId=${a}`)).toEqual(await listed(of.A.family));
    expect(await tracked()).toEqual(
      expect.arrayContaining([
        ['Pour A.pdf', a],
        ['Pour tous.pdf', null],
      ]),
    );
  });

  test('is for those that the last sending of its name says', async () => {
    const before = await kept();
    await send('Trajet.pdf', saying('tous'));
    await send('TRAJET.pdf', saying('un'), a);
    expect(await statusFor('Trajet.pdf', of.B.family)).toBe(404);
    await send('Trajet.pdf', saying('autre'), b);
    expect(await statusFor('Trajet.pdf', of.A.family)).toBe(404);
    expect(await statusFor('Trajet.pdf', of.B.family)).toBe(200);
    await send('Trajet.pdf', saying('tous'));
    expect(await statusFor('Trajet.pdf', of.A.family)).toBe(200);
    const after = await kept();
    expect([after.rows.length, after.files]).toEqual([before.rows.length + 1, before.files + 1]);
  });

  test('is erased with its stay, and its file too', async () => {
    await send('Reste.pdf');
    const before = await kept();
    await send('Part un.pdf', undefined, a);
    await send('Part deux.pdf', undefined, a);
    const deleted = await site.call(`DELETE /stages/${a}`, { token: tokens.admin });
    expect(deleted.json.message).toBe('Séjour supprimé avec succès, avec ses mots de passe et 2 livrets');
    expect(await kept()).toEqual(before);
    expect(await names()).toContain('Reste.pdf');
    expect((await names()).filter((name) => name.startsWith('Part'))).toEqual([]);
    expect(await statusFor('Part un.pdf', tokens.admin)).toBe(404);
  });

  test('sent while its stay is deleted leaves no file without a booklet', async () => {
    const before = await kept();
    const [sent, moved, deleted] = await Promise.all([
      send('Course.pdf', undefined, a),
      send('Course.pdf', undefined, b),
      site.call(`DELETE /stages/${a}`, { token: tokens.admin }),
    ]);
    expect([201, 404]).toContain(sent.status);
    expect([moved.status, deleted.status]).toEqual([201, 200]);
    const { db } = site.services.database;
    const rows = await db.selectFrom('livrets').select('stage_id').where('nom', '=', 'Course.pdf').execute();
    const after = await kept();
    expect([after.rows.length, after.files]).toEqual([
      before.rows.length + rows.length,
      before.files + rows.length,
    ]);
    for (const { stage_id } of rows) expect(stage_id).toBe(b);
  });

  test('is refused for a stay that does not exist, and nothing of it is kept', async () => {
    const before = await kept();
    const unknown = await send('Perdu.pdf', undefined, 999_999);
    expect([unknown.status, unknown.json.message]).toEqual([404, 'Ce séjour n’existe pas ou n’existe plus.']);
    for (const wrong of ['', 'x', '0', '-1']) {
      const answer = await send('Perdu.pdf', undefined, wrong);
      expect([answer.status, Object.keys(answer.json.champs)]).toEqual([422, ['stageId']]);
    }
    expect(await kept()).toEqual(before);
  });
});

describe('what is sent', () => {
  test('gets the ending that opens it', async () => {
    expect((await send('  Guide ')).json.nom).toBe('Guide.pdf');
    // A name as macOS writes it.
    expect((await send('Réveil.pdf'.normalize('NFD'))).json.nom).toBe('Réveil.pdf');
  });

  test.each([
    ['without a name', '.pdf', 'ce fichier n’a pas de nom : renommez-le.'],
    ['of signs only', '— …!.pdf', 'ce fichier n’a pas de nom : renommez-le.'],
    [
      'with a turned direction',
      'a\u202efdp.exe.pdf',
      'le nom de ce fichier contient des caractères qui ne vont pas : renommez-le.',
    ],
    ['with a control character', 'a\u0007b.pdf', 'ce texte contient des caractères illisibles.'],
    ['of more than 150 characters', `${'x'.repeat(147)}.pdf`, '150 caractères au plus (151 reçus).'],
  ])('is refused %s', async (_what, name, reason) => {
    const before = await kept();
    const answer = await send(name, saying('x'));
    expect([answer.status, answer.json]).toEqual([
      422,
      { message: `Livret\u202f: ${reason}`, champs: { livret: reason } },
    ]);
    expect(await kept()).toEqual(before);
  });

  test('is refused when it is no PDF, or one that acts, and nothing of it is kept', async () => {
    const before = await kept();
    const acts = await send('Piégé.pdf', pdf({ plain: page(`/OpenAction ${SCRIPT}`) }));
    expect([acts.status, Object.keys(acts.json.champs)]).toEqual([422, ['livret']]);
    expect((await send('Image.pdf', Buffer.from('\x89PNG\r\n\x1a\n0000'))).status).toBe(415);
    expect((await send('Vide.pdf', Buffer.alloc(0))).status).toBe(422);
    const none = await site.call('POST /livrets-upload', { token: tokens.admin, body: form({ a: 'b' }) });
    expect([none.status, none.json.champs]).toEqual([422, { livret: 'ce fichier est obligatoire.' }]);
    expect(await kept()).toEqual(before);
  });
});
