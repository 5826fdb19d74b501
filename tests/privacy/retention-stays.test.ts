import readWorkbook from 'read-excel-file/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EXAMPLE } from '#features/example/server/items.ts';
import { planItems } from '#features/example/server/store.ts';
import { eraseEndedStays } from '#features/privacy/server/retention.ts';
import { ensureStayPasswords } from '#features/stays/server/staysStore.ts';
import { NotAsExpected } from '#platform/server/db/database.ts';
import { addJob } from '#platform/server/jobs/jobsStore.ts';
import { form } from '#tests/support/forms.ts';
import { importMeanwhile } from '#tests/support/imports.ts';
import { passDays, type TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/** The clock of the site stands at 20 June 2026 when it opens; the photos of this stay are over on 19 September. */
const SUMMER = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin: '2026-07-20' };
const DAY = 24 * 3_600_000;
/** Days until the last one of its photos is over, by a few hours; a day later all is erased. */
const OVER = 91;
const OFFLINE = 'Les photos de ce séjour ne sont plus en ligne';

let site: TestSite;
let token: string;
beforeEach(async () => {
  site = await openSite();
  token = await site.tokenOf('admin');
});
afterEach(() => site.close());

/** Lets days pass, and the works that come back do theirs; staff sign in again. */
async function pass(days: number): Promise<void> {
  await passDays(site, days);
  token = await site.tokenOf('admin');
}

const call = (what: string, body?: unknown) => site.call(what, { token, body });
// biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
async function ask(what: string, body?: unknown): Promise<any> {
  const answer = await call(what, body);
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(300);
  return answer.json;
}

const CHILD = { nom: 'Martin', prenom: 'Léa', mailRL: 'lea@exemple.fr' };

/** A stay with a child for each of these consents, and its passwords. */
async function stayWith(consents: readonly string[], values: Record<string, unknown> = {}) {
  const { id } = await ask('POST /stages', { ...SUMMER, ...values });
  for (const [index, consentement_image] of consents.entries())
    await ask('POST /add-stagiaire', { ...CHILD, nom: `Nom${index}`, consentement_image, stageId: id });
  const [passwords] = await ask(`GET /stage-passwords/${id}`);
  return { id: id as number, passwords: passwords as Record<string, string> };
}

const signIn = (stageId: number, password = '') =>
  site.call('POST /auth/login', { body: { stageId, password } });

async function erasures(): Promise<string[]> {
  const { database } = site.services;
  const rows = await database.db
    .selectFrom('journal')
    .select('action')
    .where('action', 'like', 'effacement des familles%')
    .execute();
  return rows.map(({ action }) => action);
}

describe('A stay whose photos are over', () => {
  test('loses its families, its passwords and its sign-ins, and nothing else', async () => {
    const { id, passwords } = await stayWith(['oui', 'oui', 'non', 'inconnu']);
    await stayWith([], { nom_stage: 'Sans enfant' });
    const other = await stayWith(['oui'], { nom_stage: 'Plus longtemps', conservation_jours: 365 });
    const sections = [{ code: 'repas', note: 4, commentaire: 'Bons.' }];
    await ask(`PUT /stages/${id}/bilan`, { sections });
    await pass(OVER - 1);
    const family = await signIn(id, passwords.mdp_stagiaire);
    expect(family.status).toBe(200);
    expect(await ask(`GET /stages/${id}`)).toMatchObject({ familles: 4, efface_le: null });

    await pass(1);
    expect(await ask(`GET /stages/${id}`)).toMatchObject({ familles: 4, efface_le: null });
    await pass(1);
    expect(await ask(`GET /stages/${id}`)).toMatchObject({
      ...SUMMER,
      familles: 0,
      efface_le: site.now().toISOString(),
    });
    expect(await ask(`GET /get-stagiaires/${id}`)).toEqual([]);
    expect(await ask(`GET /stage-passwords/${id}`)).toEqual([]);
    expect((await site.call('GET /session', { token: family.json.token })).status).toBe(401);
    expect((await ask(`GET /stages/${id}/bilan`)).sections).toContainEqual(sections[0]);
    expect(await erasures()).toEqual([
      'effacement des familles d’un séjour terminé (4 enfants\u202f: 2 oui, 1 non, 1 inconnu)',
      'effacement des familles d’un séjour terminé (aucun enfant)',
    ]);
    expect(await ask(`GET /stages/${other.id}`)).toMatchObject({ familles: 1, efface_le: null });
  });

  test('is erased once, also when two processes see to it, and gets no passwords from a restart', async () => {
    const { id } = await stayWith(['oui']);
    await passDays(site, OVER);
    site.advance(DAY);
    await Promise.all([eraseEndedStays(site.services), eraseEndedStays(site.services)]);
    expect(await erasures()).toHaveLength(1);
    token = await site.tokenOf('admin');
    const erased = await ask(`GET /stages/${id}`);
    await ensureStayPasswords(site.services.database, site.services.secrets);
    await pass(1);
    expect(await ask(`GET /stages/${id}`)).toEqual(erased);
    expect(await ask(`GET /stage-passwords/${id}`)).toEqual([]);
  });

  test('opens to nobody, and looks like a stay that never was', async () => {
    const { id, passwords } = await stayWith([]);
    await pass(OVER);
    await pass(1);
    for (const password of [passwords.mdp_stagiaire, passwords.mdp_formateur, '', 'x']) {
      const [known, unknown] = [await signIn(id, password), await signIn(9_999, password)];
      expect([known.status, known.text]).toEqual([401, unknown.text]);
    }
  });

  test('takes no child and no new password, and says why', async () => {
    const { id, passwords } = await stayWith(['oui']);
    await pass(OVER);
    await pass(1);
    const child = await call('POST /add-stagiaire', { ...CHILD, stageId: id });
    expect([child.status, child.json.message]).toEqual([
      409,
      `${OFFLINE}\u202f: il ne reçoit plus de familles.`,
    ]);
    const password = await call(`POST /stage-passwords/${id}/regenerer`, { type: 'formateur' });
    expect([password.status, password.json.message]).toEqual([
      409,
      `${OFFLINE}\u202f: il n’a plus de mots de passe. Prolongez la conservation des photos pour qu’il en ait de nouveaux.`,
    ]);
    const workbook = await fetch(`${site.origin}/api/api/download-passwords`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const [sheet] = await readWorkbook(Buffer.from(await workbook.arrayBuffer()));
    expect(sheet?.data[1]?.slice(4)).toEqual(['effacé', 'effacé']);

    const line = `${SUMMER.nom_stage};06/07/2026;20/07/2026`;
    const send = (path: string, file: string) =>
      call(`POST ${path}`, form({ file: [Buffer.from(file), 'liste.csv'] }));
    const families = `nom;prenom;email;nom_stage;date_debut;date_fin\nMartin;Léa;lea@exemple.fr;${line}\n`;
    const refused = await send('/upload', families);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('ne reçoit plus de familles'),
    ]);
    const stays = 'nom_stage;date_debut;date_fin;mdp_stagiaire\n';
    const withPassword = await send('/uploadSejour', `${stays}${line};K7QF-2MXA-9TRD\n`);
    expect([withPassword.status, withPassword.text]).toEqual([
      422,
      expect.stringContaining('n’a plus de mots de passe'),
    ]);
    expect((await send('/uploadSejour', `${stays}${line};\n`)).json).toMatchObject({ inchangees: 1 });
    // The password that the stay had is free for another.
    const freed = `Autre;06/07/2026;20/07/2026;${passwords.mdp_stagiaire}`;
    expect((await send('/uploadSejour', `${stays}${freed}\n`)).json).toMatchObject({ creer: 1 });
  });

  test('leaves nothing behind that the undo of an import could bring back', async () => {
    const { id } = await ask('POST /stages', { ...SUMMER, date_debut: '2026-06-01', date_fin: '2026-06-02' });
    const reponses = JSON.stringify([{ question: 'mots-de-passe', reponse: 'oui' }]);
    const send = (path: string, file: string) =>
      ask(`POST ${path}`, form({ file: [Buffer.from(file), 'liste.csv'], reponses }));
    await pass(58);
    await send('/upload', `nom;prenom;email;stageId\nMartin;Léa;lea@exemple.fr;${id}\n`);
    const dates = '01/06/2026;02/06/2026';
    await send(
      '/uploadSejour',
      `nom_stage;date_debut;date_fin;mdp_stagiaire\n${SUMMER.nom_stage};${dates};K7QF-2MXA-9TRD\n`,
    );
    await pass(3);
    await pass(1);
    expect(await ask(`GET /stages/${id}`)).toMatchObject({ familles: 0, efface_le: expect.any(String) });
    for (const genre of ['familles', 'sejours']) {
      const { dernier } = await ask(`GET /imports/dernier?genre=${genre}`);
      expect(dernier.obstacle).toEqual(expect.any(String));
      expect((await call(`POST /imports/${dernier.id}/annuler`)).status).toBe(409);
    }
    const { db } = site.services.database;
    for (const table of ['imports_familles', 'imports_sejours'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});

test('An import that is under way as a stay of its lines is erased comes to nothing', async () => {
  const { database } = site.services;
  const { id: stage_id } = await stayWith([]);
  await pass(OVER);
  const child = { stage_id, nom: 'Martin', prenom: 'Léa', cle: 'martin|lea', email: 'lea@exemple.fr' };
  const erase = async () => {
    site.advance(DAY);
    await eraseEndedStays(site.services);
  };
  await expect(importMeanwhile(site, child, erase)).rejects.toThrow(NotAsExpected);
  await expect(importMeanwhile(site, child, async () => {})).rejects.toThrow(NotAsExpected);
  expect(await database.db.selectFrom('stagiaires').selectAll().execute()).toEqual([]);
});

describe('A slip of the finger', () => {
  test('in the dates of a stay, put right within a day, erases nothing', async () => {
    const { id } = await stayWith(['oui']);
    await pass(70);
    await ask(`PUT /stages/${id}`, { ...SUMMER, date_debut: '2025-07-06', date_fin: '2025-07-20' });
    await pass(0.9);
    expect(await ask(`GET /stages/${id}`)).toMatchObject({ familles: 1, photos_jusquau: '2026-08-19' });
    await ask(`PUT /stages/${id}`, { ...SUMMER });
    await pass(2);
    expect(await ask(`GET /stages/${id}`)).toMatchObject({ familles: 1, efface_le: null });
  });

  test('in how long photos are kept likewise, and erases after that day', async () => {
    const { id } = await stayWith(['oui']);
    await pass(70);
    await ask('PUT /reglages', { photos_conservation_jours: '6' });
    await pass(0.1);
    await pass(0.9);
    expect((await ask(`GET /stages/${id}`)).familles).toBe(1);
    await pass(0.2);
    expect((await ask(`GET /stages/${id}`)).familles).toBe(0);
  });
});

test('A stay, or the settings, changed while the clock ran years ahead is erased in its time all the same', async () => {
  // The works of the start are over before the clock jumps, and somebody confirms its day.
  await site.schedule.tick();
  site.advance(3_000 * DAY);
  token = await site.tokenOf('admin');
  await ask('POST /horloge', { jour: site.now().toISOString().slice(0, 10) });
  const { id } = await stayWith(['oui']);
  await ask('PUT /reglages', { photos_conservation_jours: '60' });
  const before = { created_at: '2026-06-20T09:00:00.000Z' };
  await site.services.database.write((db) =>
    db.updateTable('stages').set(before).where('id', '=', id).execute(),
  );
  site.advance((OVER - 3_000) * DAY);
  await pass(0);
  await pass(1);
  expect((await ask(`GET /stages/${id}`)).familles).toBe(0);
});

test('An erased stay takes along the links of its families, those on paper as well', async () => {
  const { id } = await stayWith(['oui', 'non']);
  await ask('POST /stages/envoi-mots-de-passe', { type: 'stagiaire', stageIds: [id] });
  expect((await ask(`GET /stages/${id}/etiquettes`)).etiquettes.length).toBeGreaterThan(0);
  const links = () =>
    site.services.database.db
      .selectFrom('destinataires')
      .select(['adresse', 'lien'])
      .where('stage_id', '=', id)
      .where('type', '=', 'stagiaire')
      .execute();
  expect((await links()).filter(({ lien }) => lien !== null).length).toBeGreaterThan(1);
  await pass(OVER);
  await pass(1);
  expect(await links()).toEqual([]);
});

describe('An erased stay whose photos are kept longer', () => {
  test('has new passwords at once, by its own days or those of the settings, and takes children again', async () => {
    const { id, passwords } = await stayWith(['oui']);
    const other = await stayWith([], { nom_stage: 'Un autre' });
    await pass(OVER);
    await pass(1);
    await ask(`PUT /stages/${id}`, { ...SUMMER, conservation_jours: 200 });
    const [fresh] = await ask(`GET /stage-passwords/${id}`);
    expect(fresh.mdp_stagiaire).not.toBe(passwords.mdp_stagiaire);
    expect((await signIn(id, passwords.mdp_stagiaire)).status).toBe(401);
    expect((await signIn(id, fresh.mdp_stagiaire)).status).toBe(200);
    expect(await ask(`GET /stages/${id}`)).toMatchObject({ familles: 0, efface_le: null });
    await ask('POST /add-stagiaire', { ...CHILD, stageId: id });

    expect(await ask(`GET /stage-passwords/${other.id}`)).toEqual([]);
    await ask('PUT /reglages', { photos_conservation_jours: '100' });
    expect(await ask(`GET /stage-passwords/${other.id}`)).toHaveLength(1);
    await pass(1);
    expect(await ask(`GET /stages/${id}`)).toMatchObject({ familles: 1, efface_le: null });
  });
});

test('The example goes wholly when its people were erased before', async () => {
  const { database } = site.services;
  const tables = ['stages', 'formateurs'];
  const items = EXAMPLE.filter(({ table }) => tables.includes(table));
  await database.write(async (transaction) => {
    await planItems(transaction, items);
    for (const { cle } of items) await addJob(transaction, 'example', { cle, isComing: true }, site.now());
  });
  await site.jobs.idle();
  expect(await ask('GET /formateurs')).not.toEqual([]);
  await pass(800);
  expect(await ask('GET /formateurs')).toEqual([]);
  expect(await ask('GET /stages')).not.toEqual([]);
  await ask('DELETE /exemple');
  await site.jobs.idle();
  expect(await ask('GET /exemple')).toMatchObject({ etat: 'absent', erreur: null });
  expect(await ask('GET /stages')).toEqual([]);
});
