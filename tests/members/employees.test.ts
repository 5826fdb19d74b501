import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChartNode } from '#features/members/calls.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { type FormValue, form, picture } from '#tests/support/forms.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
let photo: [Uint8Array, string, string];
beforeAll(async () => {
  site = await openSite();
  photo = await picture('sittelle.jpg');
});
afterAll(() => site?.close());

const DAY = 24 * 3_600_000;
const UNKNOWN = 999_999;

type Values = Record<string, FormValue | FormValue[]>;
interface Person {
  id: number;
  nom: string;
  manager_id: number | null;
  photo: string;
  version: number;
  [name: string]: unknown;
}

const asAdmin = async () => ({ token: await site.tokenOf('admin') });
const PERSON = { nom: 'Aubry', prenom: 'Camille', email: 'camille.aubry@example.org', poste: 'Comptable' };
async function send(values: Values): Promise<Answer> {
  return site.call('POST /create-employes', { ...(await asAdmin()), body: form({ ...PERSON, ...values }) });
}
async function hire(nom: string, manager?: Person, more: Values = {}): Promise<Person> {
  const answer = await send({ nom, ...(manager ? { manager_id: String(manager.id) } : {}), ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
async function put({ id }: { id: number }, values: Values): Promise<Answer> {
  return site.call(`PUT /employes/${id}`, { ...(await asAdmin()), body: form(values) });
}
const under = (person: Person, manager: Person) => put(person, { manager_id: String(manager.id) });
const bin = async ({ id }: { id: number }) => site.call(`DELETE /employes/${id}`, await asAdmin());
const restore = async ({ id }: { id: number }) =>
  site.call(`POST /corbeille/employes/${id}/restaurer`, await asAdmin());
const read = async ({ id }: { id: number }): Promise<Person> =>
  (await site.call(`GET /employes/${id}`, await asAdmin())).json;
const managerOf = async (person: Person) => (await read(person)).manager_id;
const chart = async (): Promise<ChartNode[]> => (await site.call('GET /employe/orgchart')).json;
async function inChart({ id }: Person): Promise<ChartNode | undefined> {
  const all = (nodes: ChartNode[]): ChartNode[] => nodes.flatMap((one) => [one, ...all(one.children)]);
  return all(await chart()).find((one) => one.id === id);
}
/** The chart as lines, a dash a level. */
function outline(nodes: readonly ChartNode[], level = ''): string[] {
  return nodes.flatMap(({ prenom, nom, children }) => [
    `${level}${prenom} ${nom}`,
    ...outline(children, `${level}-`),
  ]);
}

test('the original form creates a person: four texts, and the manager as managerId', async () => {
  const first = await send({});
  expect(first.status).toBe(201);
  expect(first.json).toEqual({
    ...PERSON,
    message: 'Employé ajouté avec succès',
    id: expect.any(Number),
    role: 'Employé',
    manager_id: null,
    telephone: '',
    photo: null,
    illustrations: [],
    cadrage_x: 50,
    cadrage_y: 50,
    email_public: 1,
    telephone_public: 1,
    photo_public: 1,
    created_at: site.now().toISOString(),
    version: 1,
  });
  const { message: _message, ...employee } = first.json;
  expect(await read(employee)).toEqual(employee);
  const second = await send({
    nom: 'Martin',
    telephone: '01 99 00 00 01',
    role: 'Responsable',
    managerId: String(employee.id),
    photo,
  });
  expect(second.json).toMatchObject({ manager_id: employee.id, role: 'Responsable' });
  expect((await inChart(employee))?.children).toMatchObject([
    { id: second.json.id, telephone: '01 99 00 00 01', photo: second.json.photo, children: [] },
  ]);
  expect((await send({ managerId: '', role: '' })).json).toMatchObject({ manager_id: null, role: 'Employé' });
});

test('what is missing or wrong is a 422 that names the field as the form does', async () => {
  for (const name of Object.keys(PERSON)) {
    const blank = await send({ [name]: ' ' });
    expect([name, blank.status, blank.json.champs]).toEqual([
      name,
      422,
      { [name]: 'ce champ est obligatoire.' },
    ]);
  }
  expect((await send({ poste: '' })).json.message).toBe('Poste\u202f: ce champ est obligatoire.');
  const nobody = String(UNKNOWN);
  const wrong: [string, FormValue | FormValue[]][] = [
    ['email', 'camille'],
    ['email', 'camille@example.org, paul@example.org'],
    ['role', 'Chef'],
    ['role', 'responsable'],
    ['email_public', 'oui'],
    // Blank is no yes: it would show what is hidden.
    ['email_public', ''],
    ['photo_public', '2'],
    ['telephone', 'x'.repeat(51)],
    ['nom', 'a\0b'],
    ['nom', ['un', 'deux']],
    ['cadrage_x', '101'],
    ['cadrage_y', '-1'],
    ...['x', '0', '-1', '1.5', '1e3', '9'.repeat(15), nobody, '1;2', ' 1 2'].map(
      (value): [string, string] => ['manager_id', value],
    ),
  ];
  const someone = await hire('Vérifiée');
  for (const [name, value] of wrong) {
    for (const answer of [await send({ [name]: value }), await put(someone, { [name]: value })])
      expect([name, value, answer.status, Object.keys(answer.json.champs ?? {})]).toEqual([
        name,
        value,
        422,
        [name],
      ]);
  }
  expect((await send({ managerId: nobody })).json.champs).toEqual({
    manager_id: 'cette personne n’existe pas ou n’existe plus.',
  });
  expect(await read(someone)).toMatchObject({ version: 1 });
});

test('visitors see an e-mail, a telephone and a photo only where they are ticked', async () => {
  const person = await hire('Discrète', undefined, { telephone: '01 99 00 00 02', photo });
  await site.jobs.idle();
  const names = [person.photo, person.photo.replace('.webp', '-320.webp')];
  const open = (name: string, options = {}) => site.ask(`GET /api/images_stages/${name}`, options);
  for (const name of names) expect((await open(name)).status).toBe(200);
  const shown = { email: PERSON.email, telephone: '01 99 00 00 02', photo: person.photo };
  expect(await inChart(person)).toMatchObject(shown);

  const hidden = { email_public: '0', telephone_public: '0', photo_public: '0' };
  expect((await put(person, hidden)).status).toBe(200);
  expect(await inChart(person)).toMatchObject({
    email: null,
    telephone: null,
    photo: null,
    illustrations: [],
  });
  expect(JSON.stringify(await chart())).not.toContain(person.photo);
  const admin = await asAdmin();
  for (const name of names) {
    expect((await open(name)).status).toBe(404);
    expect((await open(name, { token: await site.tokenOf('reader') })).status).toBe(404);
    const preview = await open(name, { cookie: `passerelle_portail=${admin.token}` });
    expect([preview.status, preview.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  }
  expect(await read(person)).toMatchObject(shown);

  await put(person, { email_public: '1', telephone_public: '1', telephone: '', photo_public: '1' });
  expect(await inChart(person)).toMatchObject({ ...shown, telephone: null });
  await bin(person);
  for (const name of names) expect((await open(name, admin)).status).toBe(404);
});

test('a visitor’s chart is kept, and asked again only says that it has not changed', async () => {
  const { headers } = await site.call('GET /employe/orgchart');
  const etag = headers.get('etag') ?? '';
  const again = () => site.call('GET /employe/orgchart', { headers: { 'if-none-match': etag } });
  expect((await again()).status).toBe(304);
  await hire('Arrivée');
  expect((await again()).status).toBe(200);
});

test('the chart has those responsible first, then names as a French list has them', async () => {
  const own = await openSite();
  try {
    const token = await own.tokenOf('admin');
    const add = async (name: string, manager = '', role = 'Employé') => {
      const [prenom = '', nom = ''] = name.split(' ');
      const body = form({ ...PERSON, prenom, nom, role, manager_id: manager });
      return String((await own.call('POST /create-employes', { token, body })).json.id);
    };
    expect((await own.call('GET /employe/orgchart')).json).toEqual([]);
    await add('Zoé Étienne');
    await add('Ali évrard');
    await add('Ali Etienne');
    const head = await add('Paul Zimmer', '', 'Responsable');
    await add('Lou Œuvrard', head);
    await add('Lou Oudin', head);
    const second = await add('Lou Yvon', head, 'Responsable');
    await add('Léa Petit', second);
    expect(outline((await own.call('GET /employe/orgchart')).json)).toEqual([
      'Paul Zimmer',
      '-Lou Yvon',
      '--Léa Petit',
      '-Lou Œuvrard',
      '-Lou Oudin',
      'Ali Etienne',
      'Zoé Étienne',
      'Ali évrard',
    ]);
    const names = (await own.call('GET /employes', { token })).json.map((one: Person) => one.nom);
    expect(names).toEqual(['Etienne', 'Étienne', 'évrard', 'Œuvrard', 'Oudin', 'Petit', 'Yvon', 'Zimmer']);
  } finally {
    await own.close();
  }
});

test('nobody depends on themselves or on their team, and the refusal says why', async () => {
  const head = await hire('Martin', undefined, { prenom: 'Paul' });
  const deputy = await hire('Aubry', head);
  const assistant = await hire('Petit', deputy, { prenom: 'Léa' });
  const reasons: [Person, string][] = [
    [head, 'une personne ne peut pas dépendre d’elle-même.'],
    [deputy, 'Paul Martin ne peut pas dépendre de Camille Aubry, qui fait partie de son équipe.'],
    [assistant, 'Paul Martin ne peut pas dépendre de Léa Petit, qui fait partie de son équipe.'],
  ];
  for (const [manager, reason] of reasons) {
    const refused = await under(head, manager);
    expect([refused.status, refused.json]).toEqual([
      422,
      { message: `Responsable hiérarchique\u202f: ${reason}`, champs: { manager_id: reason } },
    ]);
  }
  await bin(assistant);
  expect((await under(head, assistant)).json.champs.manager_id).toMatch(/n’existe plus/);
  expect((await under(deputy, head)).status).toBe(200);
  expect((await put(deputy, { manager_id: '' })).json.manager_id).toBeNull();
  expect((await under(head, deputy)).json.manager_id).toBe(deputy.id);
});

test('admins who move people at once make no circle', async () => {
  for (let round = 0; round < 4; round++) {
    const [a, b, c] = [await hire('A'), await hire('B'), await hire('C')];
    const answers = await Promise.all([under(a, b), under(b, c), under(c, a)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422]);
    for (const one of [a, b, c]) expect(await inChart(one)).toBeDefined();
  }
});

test('a person put under somebody who leaves at the same moment stands above or is refused', async () => {
  for (let round = 0; round < 4; round++) {
    const manager = await hire('Partante');
    const [left, came] = await Promise.all([
      bin(manager),
      send({ nom: 'Arrivante', managerId: String(manager.id) }),
    ]);
    expect(left.status).toBe(200);
    expect([201, 422]).toContain(came.status);
    if (came.status === 201) expect(await managerOf(came.json)).toBeNull();
  }
});

test('the chart has twenty levels at most', async () => {
  const people = [await hire('Niveau 1')];
  for (let level = 2; level <= 20; level++) people.push(await hire(`Niveau ${level}`, people.at(-1)));
  const [top, second] = people as [Person, Person];
  const last = people.at(-1) as Person;
  const reason = { manager_id: 'l’organigramme a 20 niveaux au plus.' };
  expect((await send({ managerId: String(last.id) })).json.champs).toEqual(reason);
  const above = await hire('Au-dessus');
  expect((await under(top, above)).json.champs).toEqual(reason);
  expect((await put(last, { poste: 'Autre' })).status).toBe(200);

  await bin(second);
  const deeper = await hire('Niveau 20', last);
  const refused = await restore(second);
  expect([refused.status, refused.json.message]).toEqual([
    409,
    'Avec cette personne, l’organigramme aurait plus de 20 niveaux.',
  ]);
  await bin(deeper);
  expect((await restore(second)).status).toBe(200);
});

test('the team of a person who is deleted moves up a level, and back when the person is restored', async () => {
  const head = await hire('Cheffe');
  const deputy = await hire('Adjointe', head);
  const team = [await hire('Un', deputy), await hire('Deux', deputy), await hire('Trois', deputy)];
  const [one, two, three] = team as [Person, Person, Person];
  await bin(three);
  const gone = await bin(deputy);
  expect([gone.status, gone.json]).toEqual([200, { message: 'Employé supprimé avec succès' }]);
  expect(await inChart(deputy)).toBeUndefined();
  expect((await site.call(`GET /employes/${deputy.id}`, await asAdmin())).status).toBe(404);
  for (const member of [one, two])
    expect(await read(member)).toMatchObject({ manager_id: head.id, version: 2 });
  // A form drawn before knows another manager.
  expect((await put(one, { version: '1', manager_id: String(deputy.id) })).status).toBe(409);

  await put(two, { manager_id: '' });
  const back = await restore(deputy);
  expect([back.status, back.json]).toEqual([200, { message: 'Employé restauré avec succès' }]);
  await restore(three);
  expect(await managerOf(deputy)).toBe(head.id);
  expect(await managerOf(one)).toBe(deputy.id);
  expect(await managerOf(two)).toBeNull();
  expect(await managerOf(three)).toBe(deputy.id);
  expect([(await restore(deputy)).status, (await bin({ id: UNKNOWN })).status]).toEqual([409, 404]);

  // A second time nothing is left of the first.
  await put(one, { manager_id: String(head.id) });
  await bin(deputy);
  await restore(deputy);
  expect(await managerOf(one)).toBe(head.id);
});

test('of a line of managers in the bin each comes back to its place, in whatever order', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const head = await hire('Cheffe');
    const line = [await hire('Première', head)];
    line.push(await hire('Seconde', line[0]));
    const last = await hire('Dernière', line[1]);
    const [first, second] = line as [Person, Person];
    await bin(second);
    await bin(first);
    expect(await managerOf(last)).toBe(head.id);
    for (const index of order) expect((await restore(line[index] as Person)).status).toBe(200);
    expect([await managerOf(first), await managerOf(second), await managerOf(last)]).toEqual([
      head.id,
      first.id,
      second.id,
    ]);
  }
});

test('after thirty days in the bin a person is erased with the photo, and the team stays', async () => {
  const head = await hire('Cheffe', undefined, { photo });
  const member = await hire('Membre', head);
  await bin(head);
  await site.jobs.idle();
  const onDisk = () => existsSync(join(site.directory, 'files', keyOf('images_stages', head.photo)));
  const held = async () => {
    const entries: Person[] = (await site.call('GET /corbeille', await asAdmin())).json;
    return entries.find(({ genre, id }) => genre === 'employes' && id === head.id);
  };
  expect(await held()).toMatchObject({ titre: 'Camille Cheffe' });
  site.advance(30 * DAY);
  await site.schedule.tick();
  expect([(await held()) !== undefined, onDisk()]).toEqual([true, true]);
  site.advance(DAY);
  await site.schedule.tick();
  expect([await held(), onDisk()]).toEqual([undefined, false]);
  expect((await restore(head)).status).toBe(404);
  expect(await managerOf(member)).toBeNull();
  const { entrees } = (await site.call('GET /journal?limite=200', await asAdmin())).json;
  const told = entrees.filter(({ objet, objet_id }: Person) => objet === 'employes' && objet_id === head.id);
  expect(told.map(({ acteur, action }: Person) => [acteur, action])).toEqual([
    ['le site', 'effacement'],
    ['Alice', 'mise à la corbeille'],
    ['Alice', 'création'],
  ]);
});

test('another photo takes the place of the old one, which goes, and shows its middle', async () => {
  const texts = { texte_alternatif: 'Une sittelle', cadrage_x: '20', cadrage_y: '80' };
  const person = await hire('Photographiée', undefined, { photo, ...texts });
  const focus = async () => {
    const { cadrage_x, cadrage_y } = await read(person);
    return [cadrage_x, cadrage_y];
  };
  expect(await focus()).toEqual([20, 80]);
  expect((await put(person, { poste: 'Autre', photo: person.photo })).json).toMatchObject({
    photo: person.photo,
    illustrations: [{ nom: person.photo, texte_alternatif: 'Une sittelle' }],
  });
  await put(person, { cadrage_y: '0' });
  expect(await focus()).toEqual([20, 0]);

  const changed = (await put(person, { photo: await picture('libellule.jpg') })).json;
  expect(changed.photo).not.toBe(person.photo);
  expect(changed.illustrations).toMatchObject([{ nom: changed.photo, texte_alternatif: '' }]);
  expect(await focus()).toEqual([50, 50]);
  await site.jobs.idle();
  expect((await site.ask(`GET /api/images_stages/${person.photo}`, await asAdmin())).status).toBe(404);
  expect(existsSync(join(site.directory, 'files', keyOf('images_stages', person.photo)))).toBe(false);

  await put(person, { photo, cadrage_x: '10' });
  expect(await focus()).toEqual([10, 50]);
  expect((await put(person, { photo: changed.photo })).status).toBe(422);
  expect((await put(person, { photo: '' })).json).toMatchObject({ photo: null, illustrations: [] });
});

test('an edit drawn from an older version is refused with both texts', async () => {
  const person = await hire('Premier');
  expect((await put(person, { version: '1', nom: 'Second' })).json).toMatchObject({
    message: 'Employé modifié avec succès',
    nom: 'Second',
    poste: PERSON.poste,
    version: 2,
  });
  const stale = await put(person, { version: '1', nom: 'Troisième', email_public: '0' });
  expect(stale.status).toBe(409);
  expect(stale.json).toEqual({
    message: 'Cette fiche a été modifiée entre-temps par quelqu’un d’autre.',
    actuel: await read(person),
    envoye: { nom: 'Troisième', email_public: '0' },
    modifie: { par: 'Alice', le: site.now().toISOString() },
  });
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => put(person, { version: '2', nom: `Essai ${index}` })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
});

test('an address that names nobody answers 404', async () => {
  for (const id of ['0', '-1', '1.5', '01', 'abc', '9007199254740993', '1e3', '1%00', "1'--", UNKNOWN]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? form({ nom: 'x' }) : undefined;
      const answer = await site.call(`${method} /employes/${id}`, { ...(await asAdmin()), body });
      expect([method, id, answer.status]).toEqual([method, id, 404]);
    }
  }
});

test('the portal finds a person by first name and name, in either order, in the bin too', async () => {
  const person = await hire('Lefèvre', undefined, { prenom: 'Zélie' });
  const find = async (q: string) =>
    (await site.call(`GET /recherche?q=${encodeURIComponent(q)}`, await asAdmin())).json;
  const found = {
    genre: 'employes',
    id: person.id,
    titre: 'Zélie Lefèvre',
    detail: expect.any(String),
    date_publication: site.now().toISOString(),
    dans_la_corbeille: false,
  };
  for (const q of ['zelie lefevre', 'Lefèvre Z']) expect(await find(q)).toEqual([found]);
  await bin(person);
  expect(await find('zelie')).toEqual([{ ...found, dans_la_corbeille: true }]);
});
