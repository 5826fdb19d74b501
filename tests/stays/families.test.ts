import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
let admin: string;
let stay: number;
let count = 0;
beforeAll(async () => {
  site = await openSite();
  admin = await site.tokenOf('admin');
});
afterAll(() => site?.close());
beforeEach(async () => {
  stay = await addStay(`Été ${++count}`);
});

const DATES = { date_debut: '2026-07-06', date_fin: '2026-07-20' };
const addStay = (nom_stage: string, dates = DATES) =>
  site.services.database.write((transaction) =>
    insertStay(transaction, site.services.secrets, { nom_stage, ...dates }, site.now()),
  );

const LINA = { nom: 'Martin', prenom: 'Lina', mailRL: 'martin@example.org' };
const add = (child: object = LINA, stageId = stay) =>
  site.call('POST /add-stagiaire', { token: admin, body: { ...child, stageId } });
const update = (id: number, child: object) => site.call(`PUT /update/${id}`, { token: admin, body: child });
const listOf = async (stageId = stay) =>
  (await site.call(`GET /get-stagiaires/${stageId}`, { token: admin })).json;
const empty = (body: object) => site.call('DELETE /deletePaxBySejour', { token: admin, body });
const journalLines = async () =>
  (await site.call('GET /journal?limite=200', { token: admin })).json.entrees as Record<string, unknown>[];

describe('a child', () => {
  test('is added, changed and taken off, with the addresses of its family', async () => {
    const added = await add({ ...LINA, email_2: 'papa@example.org', consentement_image: 'non' });
    const { id } = added.json;
    const child = {
      id,
      nom: 'Martin',
      prenom: 'Lina',
      email: 'martin@example.org',
      email_2: 'papa@example.org',
      consentement_image: 'non',
      stageId: stay,
      version: 1,
    };
    expect([added.status, added.json]).toEqual([
      201,
      { message: 'Nouveau stagiaire ajouté avec succès', ...child },
    ]);
    expect(await listOf()).toEqual([child]);

    // What a form does not send stays as it is; a blank second address goes.
    const changed = await update(id, { ...LINA, prenom: 'Lina Rose' });
    const after = { ...child, prenom: 'Lina Rose', version: 2 };
    expect([changed.status, changed.json]).toEqual([
      200,
      { message: 'Stagiaire mis à jour avec succès', ...after },
    ]);
    expect((await update(id, { ...LINA, email_2: '', consentement_image: 'oui', version: 2 })).status).toBe(
      200,
    );
    expect(await listOf()).toEqual([{ ...child, email_2: '', consentement_image: 'oui', version: 3 }]);

    const deleted = await site.call(`DELETE /stagiaire/delete/${id}`, { token: admin });
    expect([deleted.status, deleted.json]).toEqual([200, { message: 'Famille supprimée avec succès' }]);
    expect(await listOf()).toEqual([]);
    expect((await update(id, LINA)).status).toBe(404);
    expect((await site.call(`DELETE /stagiaire/delete/${id}`, { token: admin })).status).toBe(404);
  });

  test('has consented to nothing that nobody asked, and its mail address is one address', async () => {
    expect((await add()).json.consentement_image).toBe('inconnu');
    const wrong: [object, string[]][] = [
      [{}, ['nom', 'prenom', 'mailRL']],
      [{ ...LINA, nom: ' \u200b ' }, ['nom']],
      [{ ...LINA, prenom: 'a\u0000b' }, ['prenom']],
      [{ ...LINA, nom: 'x'.repeat(101) }, ['nom']],
      [{ ...LINA, mailRL: 'a@example.org, b@example.org' }, ['mailRL']],
      [{ ...LINA, mailRL: 'a@example.org\r\nBcc: b@example.org' }, ['mailRL']],
      [{ ...LINA, email_2: 'personne' }, ['email_2']],
      [{ ...LINA, consentement_image: 'peut-être' }, ['consentement_image']],
    ];
    for (const [child, fields] of wrong) {
      const answer = await add(child);
      expect([answer.status, Object.keys(answer.json.champs)]).toEqual([422, fields]);
    }
    expect((await add(LINA, 999_999)).status).toBe(404);
    expect(await listOf()).toHaveLength(1);
  });

  test('stands once in a stay, however its name is written, and may go to several', async () => {
    expect((await add({ ...LINA, nom: 'Lefèvre-Noël', prenom: 'Chloé' })).status).toBe(201);
    const again = await add({ ...LINA, nom: 'LEFEVRE NOEL', prenom: 'chloe' });
    expect([again.status, again.json.message]).toEqual([409, 'Cet enfant est déjà inscrit à ce séjour.']);
    const other = await add();
    expect(
      (await update(other.json.id, { ...LINA, nom: 'lefevre noel', prenom: 'CHLOÉ' })).json.message,
    ).toBe('Cet enfant est déjà inscrit à ce séjour.');
    expect((await add(LINA, await addStay('Autre'))).status).toBe(201);
    // Twice at once: one of them.
    const pair = { ...LINA, prenom: 'Deux' };
    const answers = await Promise.all([add(pair), add(pair), add(pair)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('is not overwritten by a form that is older than what somebody else saved', async () => {
    const { id } = (await add()).json;
    await update(id, { ...LINA, mailRL: 'neuve@example.org', version: 1 });
    const stale = await update(id, { ...LINA, prenom: 'Autre', version: 1 });
    expect([stale.status, stale.json]).toEqual([
      409,
      {
        message: 'Cette fiche a été modifiée entre-temps par quelqu’un d’autre.',
        actuel: expect.objectContaining({ id, email: 'neuve@example.org', version: 2, stageId: stay }),
      },
    ]);
    expect((await listOf())[0]).toMatchObject({ prenom: 'Lina', email: 'neuve@example.org' });
  });
});

test('the answer about pictures is written for several at once, and can be taken back', async () => {
  const { id } = (await add()).json;
  const twin = (await add({ ...LINA, prenom: 'Noé', consentement_image: 'non' })).json;
  const set = (ids: readonly number[], consentement_image: string) =>
    site.call('POST /stagiaires/droit-image', { token: admin, body: { ids, consentement_image } });
  const answers = async () =>
    (await listOf()).map((child: { consentement_image: string }) => child.consentement_image).sort();
  const answer = await set([id, twin.id, id], 'oui');
  expect([answer.status, answer.json.message]).toEqual([200, 'Droit à l’image de 2\u00a0enfants\u202f: oui']);
  expect(await answers()).toEqual(['oui', 'oui']);
  const { avant } = answer.json;
  expect(avant).toHaveLength(2);
  for (const { ids, consentement_image } of avant) await set(ids, consentement_image);
  expect(await answers()).toEqual(['inconnu', 'non']);
  // A form that was open meanwhile is told.
  expect((await update(id, { ...LINA, version: 1 })).status).toBe(409);
  expect((await set([id, 999_999], 'non')).status).toBe(404);
  expect(await answers()).toEqual(['inconnu', 'non']);
  expect((await set([id], 'inconnu')).json.avant).toEqual([]);
});

describe('children who change stays', () => {
  const move = (ids: readonly number[], stageId: number, token = admin) =>
    site.call('POST /stagiaires/deplacer', { token, body: { ids, stageId } });

  test('leave one and are in the other, and forms opened before are told', async () => {
    const { id } = (await add()).json;
    const twin = (await add({ ...LINA, prenom: 'Noé' })).json;
    const other = await addStay(`Bis ${count}`);
    const answer = await move([id, twin.id, id], other);
    expect([answer.status, answer.json]).toEqual([
      200,
      { message: `2 enfants inscrits désormais à «\u00a0Bis ${count}\u00a0»` },
    ]);
    expect(await listOf()).toEqual([]);
    expect(await listOf(other)).toMatchObject([
      { id, stageId: other, version: 2 },
      { id: twin.id, stageId: other, version: 2 },
    ]);
    expect((await update(id, { ...LINA, version: 1 })).status).toBe(409);
    expect((await move([id], other)).status).toBe(200);
    expect((await listOf(other))[0]).toMatchObject({ version: 2 });
    const lines = (await journalLines()).filter(({ action }) => action === 'changement de séjour');
    expect(lines).toHaveLength(2);
  });

  test('all go or none: where one is enrolled already, is unknown, or the stay is', async () => {
    const { id } = (await add()).json;
    const free = (await add({ ...LINA, prenom: 'Noé' })).json.id;
    const other = await addStay(`Bis ${count}`);
    await add(LINA, other);
    const refused = await move([free, id], other);
    expect([refused.status, refused.json.message]).toEqual([
      409,
      'Lina Martin est déjà inscrit à ce séjour\u202f: rien n’a été déplacé.',
    ]);
    expect((await move([free, 999_999], other)).status).toBe(404);
    expect((await move([free], 999_999)).status).toBe(404);
    expect((await move([], other)).json.champs).toEqual({ ids: 'choisissez au moins un enfant.' });
    expect((await listOf()).map((child: { id: number }) => child.id).sort()).toEqual([id, free].sort());
  });
});

describe('children deleted together', () => {
  test('all go, or none when one is gone already', async () => {
    const ids = [];
    for (const prenom of ['Lina', 'Noé', 'Zoé']) ids.push((await add({ ...LINA, prenom })).json.id);
    const erase = (some: readonly number[]) =>
      site.call('POST /stagiaires/effacer', { token: admin, body: { ids: some } });
    expect((await erase([...ids, 999_999])).status).toBe(404);
    expect(await listOf()).toHaveLength(3);
    expect((await erase([ids[0], ids[2], ids[0]])).json).toEqual({ message: '2 enfants supprimés' });
    expect(await listOf()).toMatchObject([{ id: ids[1] }]);
    const many = Array.from({ length: 1_001 }, (_, index) => index + 1);
    expect((await erase(many)).json.champs).toEqual({ ids: '1 000 enfants au plus à la fois.' });
  });
});

describe('the children of a stay', () => {
  test('are handed to staff as a workbook, which leaves a line in the journal', async () => {
    await add({ ...LINA, nom: '=1+1', email_2: 'papa@example.org', consentement_image: 'non' });
    const answer = await fetch(`${site.origin}/api/api/stages/${stay}/enfants`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="Enfants - .*\.xlsx"/);
    const [sheet] = await readWorkbook(Buffer.from(await answer.arrayBuffer()));
    expect(sheet?.data).toEqual([
      ['Nom', 'Prénom', 'E-mail', 'Second e-mail', 'Droit à l’image'],
      ['=1+1', 'Lina', 'martin@example.org', 'papa@example.org', 'Non'],
    ]);
    expect((await journalLines())[0]).toMatchObject({ action: 'téléchargement de la liste des enfants' });
  });

  test('stand by name, as a French list has them', async () => {
    for (const [nom, prenom] of [
      ['Zola', 'Émile'],
      ['élan', 'Bob'],
      ['Dupont', 'Zoé'],
      ['Dupont', 'Élise'],
      ['Évrard', 'Ana'],
    ])
      await add({ ...LINA, nom, prenom });
    const names = (await listOf()).map(({ nom, prenom }: typeof LINA) => `${nom} ${prenom}`);
    expect(names).toEqual(['Dupont Élise', 'Dupont Zoé', 'élan Bob', 'Évrard Ana', 'Zola Émile']);
  });

  test('are first names, initials and consents for their director, and nothing for anybody else', async () => {
    const { id } = (await add({ ...LINA, nom: 'évrard', consentement_image: 'oui' })).json;
    const asked = async (role: 'director' | 'family' | 'reader', stageId: number) =>
      site.call(`GET /get-stagiaires/${stay}`, { token: await site.tokenOf(role, stageId) });
    expect((await asked('director', stay)).json).toEqual([
      { id, prenom: 'Lina', initiale: 'É', consentement_image: 'oui' },
    ]);
    expect((await asked('director', await addStay('Autre séjour'))).status).toBe(404);
    expect((await asked('family', stay)).status).toBe(403);
    expect((await site.call('GET /get-stagiaires/999999', { token: admin })).status).toBe(404);
  });

  test('are all deleted by the name and the dates of their stay, however these are written', async () => {
    const other = await addStay(`Été ${count}`, { ...DATES, date_fin: '2026-07-21' });
    await add();
    await add({ ...LINA, prenom: 'Noé' });
    await add(LINA, other);
    const asked = { sejour: `ete  ${count}`, dateDebut: '2026-07-06', dateFin: '2026-07-20' };
    for (const wrong of [
      { ...asked, sejour: 'Hiver' },
      { ...asked, dateFin: '2026-07-19' },
    ])
      expect((await empty(wrong)).status).toBe(404);
    expect((await empty({ ...asked, dateFin: '2026-02-30' })).status).toBe(422);
    expect((await empty({})).status).toBe(422);
    expect(await listOf()).toHaveLength(2);

    const emptied = await empty({ ...asked, dateDebut: '2026-07-06T00:00:00.000Z' });
    expect([emptied.status, emptied.json]).toEqual([
      200,
      { message: 'Stagiaires supprimés avec succès', nombre: 2 },
    ]);
    expect(await listOf()).toEqual([]);
    expect(await listOf(other)).toHaveLength(1);
    expect((await empty(asked)).json.nombre).toBe(0);
  });

  test('leave lines in the journal that name nobody', async () => {
    const { id } = (await add({ ...LINA, nom: 'Secrète' })).json;
    await update(id, { ...LINA, nom: 'Secrète', prenom: 'Cachée' });
    await site.call(`DELETE /stagiaire/delete/${id}`, { token: admin });
    await add({ ...LINA, nom: 'Secrète' });
    await empty({ sejour: `Été ${count}`, dateDebut: DATES.date_debut, dateFin: DATES.date_fin });
    const lines = await journalLines();
    expect(lines.slice(0, 5).map(({ action, objet, objet_id }) => [action, objet, objet_id])).toEqual([
      ['effacement de tous les enfants (1)', 'stages', stay],
      ['création', 'stagiaires', expect.any(Number)],
      ['effacement', 'stagiaires', id],
      ['modification', 'stagiaires', id],
      ['création', 'stagiaires', id],
    ]);
    expect(JSON.stringify(lines) + site.logLines.join('')).not.toMatch(/Secr|Cach|martin@|Lina/);
  });
});
