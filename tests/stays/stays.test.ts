import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { childKey } from '#features/stays/server/staysStore.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

const NO_STAY = { message: 'Ce séjour n’existe pas ou n’existe plus.' };
/** Twelve symbols in three groups. */
const PASSWORD = /^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/;

let site: TestSite;
let token: string;
beforeAll(async () => {
  site = await openSite({ env: { PHOTO_RETENTION_DAYS: '60' } });
});
afterAll(() => site?.close());
beforeEach(async () => {
  token = await site.tokenOf('admin');
  await site.services.database.write(async (transaction) => {
    await transaction.deleteFrom('stages').execute();
  });
});

const call = (what: string, body?: unknown): Promise<Answer> => site.call(what, { token, body });

const SUMMER = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin: '2026-07-20' };

async function create(values: Record<string, unknown> = {}) {
  const answer = await call('POST /stages', { ...SUMMER, ...values });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { id: number; version: number };
}

/** Puts families and directors into a stay; a director may be in several. */
async function fill(stageId: number, { families = 0, directors = 0 }): Promise<void> {
  const at = site.now().toISOString();
  await site.services.database.write(async (transaction) => {
    for (let number = 0; number < families; number++) {
      const child = { nom: `Nom${number}`, prenom: 'Léa' };
      const rest = {
        email: 'a@exemple.fr',
        consentement_image: 'oui' as const,
        created_at: at,
        modifie_le: at,
      };
      const values = { ...child, ...rest, stage_id: stageId, cle: childKey(child) };
      await transaction.insertInto('stagiaires').values(values).execute();
    }
    for (let number = 0; number < directors; number++) {
      const mail = `d${number}-${stageId}@exemple.fr`;
      const person = { nom: 'Roux', prenom: 'Max', mail, cle_mail: mail, telephone: '1' };
      const { id } = await transaction
        .insertInto('formateurs')
        .values({ ...person, created_at: at, modifie_le: at })
        .returning('id')
        .executeTakeFirstOrThrow();
      const place = { formateur_id: id, stage_id: stageId, cat: 'centre' as const };
      await transaction.insertInto('affectations').values(place).execute();
    }
  });
}

async function passwordsOf(id: number) {
  const answer = await call(`GET /stage-passwords/${id}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json).toHaveLength(1);
  return answer.json[0] as { mdp_formateur: string; mdp_stagiaire: string };
}

const sessionOf = (of: string) => site.call('GET /session', { token: of });

/** What the journal gained while `work` ran, oldest first. */
async function journalOf(work: () => Promise<unknown>): Promise<[string, string | null, number | null][]> {
  const [last] = (await call('GET /journal?limite=1')).json.entrees;
  await work();
  const { entrees } = (await call('GET /journal?limite=200')).json;
  return entrees
    .filter(({ id }: { id: number }) => id > (last?.id ?? 0))
    .reverse()
    .map((one: { action: string; objet: string; objet_id: number }) => [one.action, one.objet, one.objet_id]);
}

describe('What anybody may know', () => {
  test('is names and dates, the latest first, under the three names the site has always had', async () => {
    expect((await site.call('GET /stages')).json).toEqual([]);
    const past = await create({ nom_stage: 'Hiver', date_debut: '2026-02-01', date_fin: '2026-02-08' });
    const coming = await create({ adresse: '1, rue du Port', consignes: 'Un duvet' });
    const same = await create({ nom_stage: 'Été à Vars' });
    await fill(coming.id, { families: 2, directors: 1 });
    const { json, headers } = await site.call('GET /stages');
    expect(json).toEqual([
      { id: same.id, ...SUMMER, nom_stage: 'Été à Vars' },
      { id: coming.id, ...SUMMER },
      { id: past.id, nom_stage: 'Hiver', date_debut: '2026-02-01', date_fin: '2026-02-08' },
    ]);
    const etag = headers.get('etag') ?? '';
    expect((await site.call('GET /stages', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await site.call('GET /unique-sejours')).json[1]).toEqual({
      nomSejour: 'Été à Oléron',
      dateDebut: '2026-07-06',
      dateFin: '2026-07-20',
    });
    expect((await site.call('GET /stages-names')).json[1]).toEqual({
      nomStage: 'Été à Oléron',
      dateDebut: '2026-07-06',
      dateFin: '2026-07-20',
    });
  });

  test('never holds a password, an address or a count', async () => {
    const { id } = await create({ adresse: 'Adresse secrète' });
    const { mdp_formateur, mdp_stagiaire } = await passwordsOf(id);
    for (const path of ['stages', 'unique-sejours', 'stages-names']) {
      const { text } = await site.call(`GET /${path}`);
      for (const word of [mdp_formateur, mdp_stagiaire, 'secrète', 'familles', 'mdp']) {
        expect(text, path).not.toContain(word);
      }
    }
  });
});

describe('One stay', () => {
  const INFORMATION = {
    adresse: '1, rue du Port\n17310 Saint-Pierre',
    horaires: 'Départ à 9 h',
    telephone_urgence: '06 00 00 00 00',
    consignes: 'Un duvet.',
  };

  test('tells its own families and directors its practical information and until when photos stay', async () => {
    const { id } = await create(INFORMATION);
    const other = await create({ nom_stage: 'Un autre' });
    for (const role of ['family', 'director'] as const) {
      const mine = await site.tokenOf(role, id);
      const { json } = await site.call(`GET /stages/${id}`, { token: mine });
      // Where and when children are, the password that all families share does not tell.
      const hidden = { adresse: '', horaires: '', telephone_urgence: '', lieu: 'lien' };
      const told = role === 'family' ? hidden : { lieu: 'oui' };
      expect(json).toEqual({ id, ...SUMMER, ...INFORMATION, ...told, photos_jusquau: '2026-09-18' });
      for (const stranger of [other.id, 999_999]) {
        const answer = await site.call(`GET /stages/${stranger}`, { token: mine });
        expect([answer.status, answer.json]).toEqual([404, NO_STAY]);
      }
    }
  });

  test('loses its photos sooner only for whoever has just proved who they are', async () => {
    const { id } = await create({ conservation_jours: 60 });
    const without = await create({ nom_stage: 'Sans photo', conservation_jours: 60 });
    await addPhotos(site.services, id, 1);
    const change = async (stageId: number, values: Record<string, unknown>) => {
      const { nom_stage } = (await call(`GET /stages/${stageId}`)).json;
      const { status, json } = await call(`PUT /stages/${stageId}`, { ...SUMMER, nom_stage, ...values });
      return [status, json.etape];
    };
    site.advance(10 * 60_000);
    expect(await change(id, { conservation_jours: 60, consignes: 'Un bonnet.' })).toEqual([200, undefined]);
    expect(await change(id, { conservation_jours: 61 })).toEqual([200, undefined]);
    const shorter = { conservation_jours: 30, consignes: 'Deux bonnets.' };
    const earlier = { conservation_jours: 61, date_fin: '2026-07-19' };
    // Without a number of its own it has the 60 days of the settings.
    for (const sooner of [shorter, earlier, { conservation_jours: null }])
      expect(await change(id, sooner)).toEqual([403, 'preuve']);
    const kept = { conservation_jours: 61, date_fin: SUMMER.date_fin, version: 3 };
    expect((await call(`GET /stages/${id}`)).json).toMatchObject(kept);
    expect(await change(without.id, shorter)).toEqual([200, undefined]);
    token = await site.tokenOf('admin');
    expect(await change(id, shorter)).toEqual([200, undefined]);
    expect((await call(`DELETE /stages/${id}`)).status).toBe(200);
  });

  test('tells staff what it takes to manage it', async () => {
    const { id } = await create({ ...INFORMATION, conservation_jours: 10 });
    await fill(id, { families: 3, directors: 2 });
    expect((await call(`GET /stages/${id}`)).json).toEqual({
      id,
      ...SUMMER,
      ...INFORMATION,
      lieu: 'oui',
      photos_jusquau: '2026-07-30',
      conservation_jours: 10,
      photos: 0,
      familles: 3,
      directeurs: 2,
      efface_le: null,
      version: 1,
    });
    const counts = { familles: 3, directeurs: 2, photos: 0, bilans: 0, evaluations: 0 };
    const line = { id, ...SUMMER, ...counts, photos_a_verifier: 0, photos_demandees: 0 };
    expect((await call('GET /stages-suivi')).json).toEqual([{ ...line, photos_finies: false }]);
    const past = { date_debut: '2026-02-07', date_fin: '2026-02-14', created_at: '2026-02-01T00:00:00.000Z' };
    const { database } = site.services;
    await database.write((db) => db.updateTable('stages').set(past).where('id', '=', id).execute());
    expect((await call('GET /stages-suivi')).json).toMatchObject([{ id, photos_finies: true }]);
  });

  test('that ended before it was recorded keeps its photos from that day on', async () => {
    const { id } = await create({ date_debut: '2025-07-01', date_fin: '2025-07-08' });
    expect((await call(`GET /stages/${id}`)).json.photos_jusquau).toBe('2026-08-19');
  });
});

describe('The form of a stay', () => {
  test('names each field that is wrong', async () => {
    const { status, json } = await call('POST /stages', { nom_stage: ' ', conservation_jours: '0' });
    expect(status).toBe(422);
    expect(json.champs).toEqual({
      nom_stage: 'ce champ est obligatoire.',
      date_debut: 'ce champ est obligatoire.',
      date_fin: 'ce champ est obligatoire.',
      conservation_jours: 'un nombre entier de 1 à 365 est attendu.',
    });
    const backwards = await call('POST /stages', { ...SUMMER, date_fin: '2026-07-05' });
    expect([backwards.status, backwards.json]).toEqual([
      422,
      {
        message: 'Date de fin\u202f: le séjour finit avant de commencer.',
        champs: { date_fin: 'le séjour finit avant de commencer.' },
      },
    ]);
    expect((await call('POST /stages', { ...SUMMER, date_debut: '2026-02-30' })).status).toBe(422);
    expect((await site.call('GET /stages')).json).toEqual([]);
  });

  test('refuses a name at dates that another stay has, however the name is written, also twice at once', async () => {
    const answers = await Promise.all(
      ['Été à Oléron', 'été  à oleron', 'ETE A OLÉRON'].map((nom_stage) =>
        call('POST /stages', { ...SUMMER, nom_stage }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)?.json;
    expect(refused).toEqual({
      message: 'Un séjour du même nom et aux mêmes dates existe déjà.',
      champs: { nom_stage: 'un autre séjour porte ce nom à ces dates.' },
    });
    const august = await create({ date_debut: '2026-08-06', date_fin: '2026-08-20' });
    const moved = await call(`PUT /stages/${august.id}`, SUMMER);
    expect([moved.status, moved.json]).toEqual([409, refused]);
    expect((await site.call('GET /stages')).json).toHaveLength(2);
  });

  test('changes a stay, and refuses to write over what somebody else saved meanwhile', async () => {
    const { id } = await create();
    const changed = await call(`PUT /stages/${id}`, { ...SUMMER, nom_stage: 'Oléron', version: 1 });
    expect(changed.json).toMatchObject({
      message: 'Séjour modifié avec succès',
      nom_stage: 'Oléron',
      version: 2,
    });
    const stale = await call(`PUT /stages/${id}`, { ...SUMMER, nom_stage: 'Autre', version: 1 });
    expect(stale.status).toBe(409);
    expect(stale.json.actuel).toEqual((await call(`GET /stages/${id}`)).json);
    const modifie = { par: 'Alice', le: site.now().toISOString() };
    expect(stale.json.modifie).toEqual(modifie);
    // Who reads its passwords later has changed nothing; nor does the journal say who did what an import did.
    site.advance(1_000);
    await call(`GET /stage-passwords/${id}`);
    expect((await call(`PUT /stages/${id}`, { ...SUMMER, version: 1 })).json.modifie).toEqual(modifie);
    const later = site.now().toISOString();
    await site.services.database.write((db) =>
      db.updateTable('stages').set({ modifie_le: later }).where('id', '=', id).execute(),
    );
    expect((await call(`PUT /stages/${id}`, { ...SUMMER, version: 1 })).json.modifie).toEqual({
      par: null,
      le: later,
    });
    expect(stale.json.actuel.nom_stage).toBe('Oléron');
    // The key follows the name: the old one is free again, the new one is taken.
    await create();
    expect((await call('POST /stages', { ...SUMMER, nom_stage: 'oléron' })).status).toBe(409);
    expect((await call('PUT /stages/999999', SUMMER)).status).toBe(404);
  });
});

describe('Passwords of a stay', () => {
  test('are made with it, one of each type, and each reading is in the journal', async () => {
    const { id } = await create();
    const lines = await journalOf(async () => {
      const { mdp_formateur, mdp_stagiaire } = await passwordsOf(id);
      expect(mdp_formateur).toMatch(PASSWORD);
      expect(mdp_stagiaire).toMatch(PASSWORD);
      expect(mdp_formateur).not.toBe(mdp_stagiaire);
    });
    expect(lines).toEqual([['lecture des mots de passe', 'stages', id]]);
    const unknown = await call('GET /stage-passwords/999999');
    expect([unknown.status, unknown.json]).toEqual([404, NO_STAY]);
  });

  test('are neither in the database nor in the logs as they are read', async () => {
    const { id } = await create();
    const { mdp_formateur, mdp_stagiaire } = await passwordsOf(id);
    const row = await site.services.database.db.selectFrom('stages').selectAll().executeTakeFirst();
    const lines = await site.services.database.db.selectFrom('journal').selectAll().execute();
    for (const password of [mdp_formateur, mdp_stagiaire]) {
      expect(JSON.stringify([row, lines, site.logLines])).not.toContain(password);
    }
  });

  test('made anew end the sign-ins of their type in that stay, and no other', async () => {
    const { id } = await create();
    const other = await create({ nom_stage: 'Un autre' });
    const before = await passwordsOf(id);
    const family = await site.tokenOf('family', id);
    const stay = [
      await site.tokenOf('director', id),
      await site.tokenOf('family', other.id),
      await site.tokenOf('reader'),
    ];
    let made = '';
    const lines = await journalOf(async () => {
      const { json } = await call(`POST /stage-passwords/${id}/regenerer`, { type: 'stagiaire' });
      made = json.mot_de_passe;
    });
    expect(made).toMatch(PASSWORD);
    expect(made).not.toBe(before.mdp_stagiaire);
    expect(await passwordsOf(id)).toEqual({ mdp_formateur: before.mdp_formateur, mdp_stagiaire: made });
    expect((await sessionOf(family)).status).toBe(401);
    for (const one of stay) expect((await sessionOf(one)).status).toBe(200);
    expect(lines).toEqual([['nouveau mot de passe «\u00a0Famille\u00a0»', 'stages', id]]);
    expect((await call(`POST /stage-passwords/${id}/regenerer`, { type: 'admin' })).status).toBe(422);
    expect((await call('POST /stage-passwords/999999/regenerer', { type: 'formateur' })).status).toBe(404);
  });

  test('are downloaded as a workbook, a row a stay, whose names are never formulas', async () => {
    const download = async () => {
      const response = await fetch(`${site.origin}/api/api/download-passwords`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.headers.get('content-disposition')).toBe('attachment; filename=mot_de_passe.xlsx');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const [sheet] = await readWorkbook(Buffer.from(await response.arrayBuffer()));
      return sheet?.data ?? [];
    };
    const HEADER = ['Numéro', 'Séjour', 'Date de début', 'Date de fin', 'Directeur', 'Famille'];
    expect(await download()).toEqual([HEADER]);
    const { id } = await create({ nom_stage: '=1+1' });
    const { mdp_formateur, mdp_stagiaire } = await passwordsOf(id);
    let rows: unknown[] = [];
    const lines = await journalOf(async () => {
      rows = await download();
    });
    const [first, last] = [new Date('2026-07-06T00:00:00Z'), new Date('2026-07-20T00:00:00Z')];
    expect(rows).toEqual([HEADER, [id, '=1+1', first, last, mdp_formateur, mdp_stagiaire]]);
    expect(lines).toEqual([['téléchargement des mots de passe de tous les séjours', null, null]]);
  });
});

describe('Sign-ins of a stay', () => {
  test('end no later than its photos when its dates come nearer, and are not made longer', async () => {
    const { id } = await create({ conservation_jours: 1 });
    const other = await create({ nom_stage: 'Un autre', conservation_jours: 1 });
    const [family, stranger] = [await longSession('family', id), await longSession('family', other.id)];
    await call(`PUT /stages/${id}`, { ...SUMMER, date_fin: '2026-07-10', conservation_jours: 1 });
    const until = async (one: string) => (await sessionOf(one)).json.expire_le;
    // The photos are seen for the whole of 11 July, on the clocks of Paris.
    expect(await until(family)).toBe('2026-07-11T22:00:00.000Z');
    expect(await until(stranger)).toBe(FAR);
    await call(`PUT /stages/${id}`, { ...SUMMER, conservation_jours: 300 });
    expect(await until(family)).toBe('2026-07-11T22:00:00.000Z');
  });

  test('follow the retention of the settings, where the stay has none of its own', async () => {
    const { id } = await create();
    const own = await create({ nom_stage: 'À part', conservation_jours: 200 });
    const sessions = [await longSession('director', id), await longSession('director', own.id)];
    expect((await call('PUT /reglages', { photos_conservation_jours: '2' })).status).toBe(200);
    const ends = await Promise.all(sessions.map(async (one) => (await sessionOf(one)).json.expire_le));
    expect(ends).toEqual(['2026-07-22T22:00:00.000Z', FAR]);
    expect((await call(`GET /stages/${id}`)).json.photos_jusquau).toBe('2026-07-22');
    await call('PUT /reglages', { photos_conservation_jours: '60' });
  });

  const FAR = '2026-12-31T00:00:00.000Z';
  async function longSession(role: 'family' | 'director', stageId: number): Promise<string> {
    const opened = await site.tokenOf(role, stageId);
    await site.services.database.write(async (transaction) => {
      const last = transaction.selectFrom('sessions').select(({ fn }) => fn.max('id').as('id'));
      await transaction.updateTable('sessions').set({ expire_le: FAR }).where('id', '=', last).execute();
    });
    return opened;
  }
});

test('a stay that is deleted takes its people and its sign-ins along, and says how many', async () => {
  const { id } = await create();
  const other = await create({ nom_stage: 'Un autre' });
  await fill(id, { families: 3, directors: 1 });
  await fill(other.id, { families: 1, directors: 1 });
  const mine = [await site.tokenOf('family', id), await site.tokenOf('director', id)];
  const stranger = await site.tokenOf('family', other.id);
  let answer: Answer | undefined;
  const lines = await journalOf(async () => {
    answer = await call(`DELETE /stages/${id}`);
  });
  const gone = 'ses mots de passe, 3 enfants et une affectation de directeur';
  expect(answer?.json).toEqual({ message: `Séjour supprimé avec succès, avec ${gone}` });
  expect(lines).toEqual([[`suppression, avec ${gone}`, 'stages', id]]);
  for (const one of mine) expect((await sessionOf(one)).status).toBe(401);
  expect((await sessionOf(stranger)).status).toBe(200);
  const { db } = site.services.database;
  expect(await db.selectFrom('stagiaires').select('stage_id').execute()).toEqual([{ stage_id: other.id }]);
  expect(await db.selectFrom('affectations').select('stage_id').execute()).toEqual([{ stage_id: other.id }]);
  const again = await call(`DELETE /stages/${id}`);
  expect([again.status, again.json]).toEqual([404, NO_STAY]);
});

describe('The portal', () => {
  const dashboard = async () => (await call('GET /tableau-de-bord')).json;

  test('warns of stays that run or start within a fortnight without anybody, and names two', async () => {
    const about = async () =>
      (await dashboard()).alertes.filter(({ panneau }: { panneau: string }) => panneau === 'sejours');
    await create({ date_debut: '2026-07-04', date_fin: '2026-07-10' });
    await create({ date_debut: '2026-06-10', date_fin: '2026-06-19' });
    expect(await about()).toEqual([]);
    const second = await create({ nom_stage: 'Voile', date_debut: '2026-07-03', date_fin: '2026-07-10' });
    const first = await create({ nom_stage: 'Neige', date_debut: '2026-06-10', date_fin: '2026-06-20' });
    await fill(first.id, { families: 1 });
    const missing = (subject: string, who: string, named: string) => ({
      texte: `${subject} dans moins de 14 jours sans ${who}\u202f: ${named}.`,
      panneau: 'sejours',
      adresse: null,
    });
    expect(await about()).toEqual([
      missing('2 séjours sont en cours ou commencent', 'directeur', 'Neige et Voile'),
      missing('Un séjour est en cours ou commence', 'enfant inscrit', 'Voile'),
    ]);
    const third = await create({ nom_stage: 'Cirque', date_debut: '2026-07-03', date_fin: '2026-07-09' });
    await fill(third.id, { families: 1 });
    expect((await about())[0]).toEqual(
      missing('3 séjours sont en cours ou commencent', 'directeur', 'Neige, Voile et un autre'),
    );
    await fill(second.id, { families: 1, directors: 1 });
    await fill(third.id, { directors: 1 });
    await fill(first.id, { directors: 1 });
    expect(await about()).toEqual([]);
  });
});
