import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Director } from '#features/stays/calls.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
let oleron: number;
let vercors: number;
beforeAll(async () => {
  site = await openSite();
  oleron = await open('Été à Oléron', '2026-07-06', '2026-07-20');
  vercors = await open('Neige en Vercors', '2027-02-08', '2027-02-14');
});
afterAll(() => site?.close());

const UNKNOWN = 999_999;

function open(nom_stage: string, date_debut: string, date_fin: string): Promise<number> {
  const { database, secrets } = site.services;
  return database.write((transaction) =>
    insertStay(transaction, secrets, { nom_stage, date_debut, date_fin }, site.now()),
  );
}

let added = 0;
/** Somebody whom no other test knows. */
function somebody(more: object = {}) {
  const mail = `direction${++added}@example.org`;
  return { nom: 'Kerviel', prenom: 'Inès', mail, telephone: '06 99 00 00 01', ...more };
}
async function send(what: string, body?: unknown): Promise<Answer> {
  return site.call(what, { token: await site.tokenOf('admin'), body });
}
const add = (body: object) => send('POST /formateurs/add', { cat: 'sejour', stageId: oleron, ...body });
async function hire(more: object = {}): Promise<Director> {
  const answer = await add(somebody(more));
  expect(answer.status, answer.text).toBe(201);
  const { message: _message, ...director } = answer.json;
  return director;
}
const change = ({ id }: { id: number }, body: object) => send(`PUT /formateurs/update/${id}`, body);
const assign = ({ id }: { id: number }, body: object) => send(`PUT /formateurs/${id}`, body);
const list = async (): Promise<Director[]> => (await send('GET /formateurs')).json;
const read = async ({ id }: { id: number }) => (await list()).find((one) => one.id === id);
/** Ids of the stays directed, each with the type. */
const typesOf = (director: Director | undefined) =>
  director?.sejours.map(({ stageId, cat }) => [stageId, cat]);
const lastLine = async () => (await send('GET /journal?limite=1')).json.entrees[0];

test('the original form adds a director to a stay, and staff read it in the list', async () => {
  const person = somebody({ nom: ' Delmas ' });
  const created = await add({ ...person, cat: 'centre' });
  expect(created.status).toBe(201);
  expect(created.json).toEqual({
    ...person,
    nom: 'Delmas',
    message: 'Formateur traité avec succès',
    id: expect.any(Number),
    version: 1,
    sejours: [
      {
        stageId: oleron,
        nom_stage: 'Été à Oléron',
        date_debut: '2026-07-06',
        date_fin: '2026-07-20',
        cat: 'centre',
      },
    ],
  });
  const { message: _message, ...director } = created.json;
  expect(await read(director)).toEqual(director);
  expect(await lastLine()).toMatchObject({
    acteur: 'Alice',
    action: 'ajout à un séjour',
    objet: 'formateurs',
    objet_id: director.id,
  });
});

test('the same e-mail, in whatever case, is the same person: the form updates and gains the stay', async () => {
  const first = await hire();
  const mail = first.mail.toUpperCase();
  const again = await add({ ...first, mail, prenom: 'Agnès', stageId: vercors, cat: 'centre' });
  expect(again.json).toMatchObject({ id: first.id, prenom: 'Agnès', mail, version: 2 });
  expect(typesOf(again.json)).toEqual([
    [vercors, 'centre'],
    [oleron, 'sejour'],
  ]);
  const third = await add({ ...first, cat: 'centre' });
  expect(typesOf(third.json)).toEqual([
    [vercors, 'centre'],
    [oleron, 'centre'],
  ]);
});

test('two who add the same person at once add one', async () => {
  const person = somebody();
  const answers = await Promise.all([
    add(person),
    add({ ...person, stageId: vercors }),
    add({ ...person, prenom: 'Agnès' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const found = (await list()).filter(({ mail }) => mail === person.mail);
  expect(found.map(typesOf)).toEqual([
    [
      [vercors, 'sejour'],
      [oleron, 'sejour'],
    ],
  ]);
});

test('what is missing or wrong is a 422 that names the field, and nothing is saved', async () => {
  const before = await list();
  const good = { ...somebody(), cat: 'centre', stageId: oleron };
  for (const name of Object.keys(good)) {
    const { [name as keyof typeof good]: _left, ...rest } = good;
    const answer = await add({ cat: undefined, stageId: undefined, ...rest });
    expect([name, answer.status, Object.keys(answer.json.champs)]).toEqual([name, 422, [name]]);
  }
  const wrong: [string, unknown][] = [
    ['nom', ' '],
    ['prenom', 'x'.repeat(101)],
    ['mail', 'ines'],
    ['mail', 'ines@example.org, lou@example.org'],
    ['telephone', 'a\nb'],
    ['cat', 'Centre'],
    ['stageId', 'x'],
    ['stageId', 0],
  ];
  for (const [name, value] of wrong) {
    const answer = await add({ ...good, [name]: value });
    expect([name, value, answer.status, Object.keys(answer.json.champs)]).toEqual([name, value, 422, [name]]);
  }
  const nowhere = await add({ ...good, stageId: UNKNOWN });
  expect([nowhere.status, nowhere.json.message]).toEqual([404, 'Ce séjour n’existe pas ou n’existe plus.']);
  expect(await list()).toEqual(before);
});

test('an update changes the person, and the type only for the stay it names', async () => {
  const director = await hire();
  const renamed = await change(director, { ...director, nom: 'Le Goff' });
  expect(renamed.json).toMatchObject({ message: 'Formateur traité avec succès', nom: 'Le Goff', version: 2 });
  expect(typesOf(renamed.json)).toEqual([[oleron, 'sejour']]);
  const there = { ...director, version: undefined, stageId: vercors };
  expect((await change(director, there)).json.champs).toEqual({
    cat: 'ce champ est obligatoire quand un séjour est nommé.',
  });
  await change(director, { ...there, cat: 'centre' });
  expect(typesOf(await read(director))).toEqual([
    [vercors, 'centre'],
    [oleron, 'sejour'],
  ]);
  expect((await change(director, { ...there, cat: 'centre', stageId: UNKNOWN })).json.message).toBe(
    'Ce séjour n’existe pas ou n’existe plus.',
  );
});

test('an address that is somebody else’s, or a form older than what is saved, is a 409 that saves nothing', async () => {
  const [one, other] = [await hire(), await hire()];
  const taken = await change(one, { ...one, mail: other.mail.toUpperCase() });
  expect([taken.status, taken.json]).toEqual([
    409,
    {
      message: 'E-mail\u202f: cette adresse est déjà celle d’un autre directeur.',
      champs: { mail: 'cette adresse est déjà celle d’un autre directeur.' },
    },
  ]);
  const asking = { ...one, cat: 'centre', stageIds: [vercors] };
  expect((await assign(one, { ...asking, mail: other.mail })).status).toBe(409);
  expect(await read(one)).toEqual(one);
  expect((await change(one, { ...one, telephone: '06 99 00 00 02' })).status).toBe(200);
  for (const stale of [await change(one, { ...one, nom: 'Autre' }), await assign(one, asking)]) {
    expect(stale.status).toBe(409);
    expect(stale.json.message).toMatch(/^Ce directeur a été modifié entre-temps/);
  }
  expect(await read(one)).toMatchObject({ nom: one.nom, telephone: '06 99 00 00 02', version: 2 });
  expect(typesOf(await read(one))).toEqual([[oleron, 'sejour']]);
});

test('an assignment sets the whole list of stays: kept ones keep their type, new ones get the one it names', async () => {
  const director = await hire();
  const third = await open('Escalade', '2026-08-01', '2026-08-08');
  const person = { ...director, version: undefined, cat: 'centre' };
  const set = await assign(director, { ...person, stageIds: [third, oleron, third] });
  expect([set.status, set.json.message]).toEqual([200, 'Mise à jour réussie du formateur']);
  const both = [
    [third, 'centre'],
    [oleron, 'sejour'],
  ];
  expect(typesOf(set.json)).toEqual(both);
  const unknown = await assign(director, { ...person, stageIds: [vercors, UNKNOWN] });
  expect([unknown.status, Object.keys(unknown.json.champs)]).toEqual([422, ['stageIds']]);
  for (const wrong of [
    { cat: undefined, stageIds: [] },
    { stageIds: undefined },
    { stageIds: 'tous' },
    { stageIds: ['x'] },
    { stageIds: Array(501).fill(oleron) },
  ])
    expect((await assign(director, { ...person, ...wrong })).status, JSON.stringify(wrong)).toBe(422);
  expect(typesOf(await read(director))).toEqual(both);
  expect(typesOf((await assign(director, { ...person, stageIds: [] })).json)).toEqual([]);
  expect(await lastLine()).toMatchObject({ action: 'changement de séjours', objet_id: director.id });
});

test('staff read whom to call for a stay, its directors names and types alone, everybody else nothing', async () => {
  const stay = await open('Voile', '2026-09-01', '2026-09-08');
  const zoe = await hire({ nom: 'Évrard', prenom: 'Zoé', stageId: stay, cat: 'centre' });
  const lou = await hire({ nom: 'Evrard', prenom: 'Lou', stageId: stay });
  const ask = async (role: 'admin' | 'director' | 'family', of = stay, path = '') =>
    site.call(`GET /formateurs/by-stage/${stay}${path}`, { token: await site.tokenOf(role, of) });
  const contact = ({ id, nom, prenom, mail, telephone }: Director) => ({ id, nom, prenom, mail, telephone });
  expect((await ask('admin')).json).toEqual([
    { ...contact(lou), cat: 'sejour' },
    { ...contact(zoe), cat: 'centre' },
  ]);
  expect((await ask('director')).json).toEqual([
    { id: lou.id, nom: 'Evrard', prenom: 'Lou', cat: 'sejour' },
    { id: zoe.id, nom: 'Évrard', prenom: 'Zoé', cat: 'centre' },
  ]);
  expect((await ask('admin', stay, '/centre')).json).toEqual([{ ...contact(zoe), cat: 'centre' }]);
  expect((await ask('director', stay, '/sejour')).json).toMatchObject([{ prenom: 'Lou' }]);
  expect((await ask('admin', stay, '/Centre')).status).toBe(404);
  for (const path of ['', '/centre']) {
    expect((await ask('director', vercors, path)).status).toBe(404);
    expect((await ask('family', stay, path)).status).toBe(403);
  }
  expect((await send(`GET /formateurs/by-stage/${UNKNOWN}`)).status).toBe(404);
});

test('a director is deleted by number, or by names and e-mail that all agree, for good', async () => {
  const [one, other] = [await hire({ nom: 'Le Goff', prenom: 'Maël' }), await hire()];
  const missing = { status: 404, json: { message: 'Formateur non trouvé' } };
  const identity = { nom: 'LE GOFF', prenom: 'Mael', mail: one.mail.toUpperCase() };
  for (const wrong of [{ nom: 'Goff' }, { prenom: 'Léa' }, { mail: other.mail }, { mail: 'x@example.org' }])
    expect(await send('POST /formateurs/delete', { ...identity, ...wrong })).toMatchObject(missing);
  expect((await send('POST /formateurs/delete', { nom: 'Le Goff', mail: one.mail })).status).toBe(422);
  const gone = await send('POST /formateurs/delete', identity);
  expect([gone.status, gone.json]).toEqual([200, { message: 'Formateur supprimé avec succès' }]);
  expect(await lastLine()).toMatchObject({ action: 'suppression', objet: 'formateurs', objet_id: one.id });
  expect(await send('POST /formateurs/delete', identity)).toMatchObject(missing);
  expect((await send(`DELETE /formateurs/delete/${other.id}`)).json.message).toBe(
    'Formateur supprimé avec succès',
  );
  const stayed = (await send(`GET /formateurs/by-stage/${oleron}`)).json as { id: number }[];
  expect(stayed.map(({ id }) => id)).not.toContain(other.id);
  const person = { ...somebody(), cat: 'centre', stageIds: [] };
  for (const answer of [
    await send(`DELETE /formateurs/delete/${other.id}`),
    await change(other, person),
    await assign(other, person),
  ])
    expect(answer).toMatchObject(missing);
});
