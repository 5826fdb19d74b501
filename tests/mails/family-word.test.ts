import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* What staff write to the families, or the directors, of stays. */

let site: TestSite;
let admin: string;
beforeAll(async () => {
  site = await openSite({ env: { PUBLIC_URL: 'https://cse.exemple', ORGANISATION_NAME: 'CSE Horizon' } });
});
afterAll(() => site?.close());
beforeEach(async () => {
  site.advance(3_600_000);
  admin = await site.tokenOf('admin');
});

let stays = 0;
const passwords = { formateur: 'DIRECTION26', stagiaire: 'FAMILLES26' };
const addStay = (change: object = {}): Promise<number> =>
  site.services.database.write((transaction) => {
    const stay = { nom_stage: `Été ${++stays}`, date_debut: '2026-07-06', date_fin: '2026-07-20', ...change };
    return insertStay(transaction, site.services.secrets, stay, site.now(), passwords);
  });
const ask = (what: string, body?: unknown): Promise<Answer> => site.call(what, { token: admin, body });
let children = 0;
const addChild = async (stageId: number, mailRL: string, email_2 = '') =>
  (await ask('POST /add-stagiaire', { nom: 'Roy', prenom: `Lou ${++children}`, mailRL, email_2, stageId }))
    .json.id as number;

const WORD = { type: 'stagiaire', objet: 'Départ demain', texte: 'Le car part à **7 h**.' };
const SEND = 'POST /stages/message';
const write = (stageIds: unknown, change: object = {}) => ask(SEND, { ...WORD, stageIds, ...change });
const readAll = async ({ json }: Answer) => {
  const { messages } = (await ask(`GET /envois/${json.id}`)).json;
  return Promise.all(
    messages.map(async ({ id }: { id: number }) => (await ask(`GET /envois/${json.id}/messages/${id}`)).json),
  );
};
const destinationsOf = async (answer: Answer) =>
  ((await ask(`GET /envois/${answer.json.id}`)).json.messages as { destinataire: string }[])
    .map(({ destinataire }) => destinataire)
    .sort();

test('a message goes once to each address of the families of some stays, and holds no password', async () => {
  const [first, second] = [await addStay(), await addStay()];
  await addChild(first, 'zoe@exemple.org', 'papa@exemple.org');
  await addChild(second, 'PAPA@exemple.org');
  await addChild(second, 'max@exemple.org');
  await addChild(second, '');
  const preview = await ask(`${SEND}/apercu`, { ...WORD, stageIds: [first, second] });
  expect(preview.json).toMatchObject({
    nombre: 3,
    par_sejour: [
      { id: first, nombre: 2, deja: 0, sans_email: 0 },
      { id: second, nombre: 1, deja: 0, sans_email: 1 },
    ],
    exemple: { destinataire: 'papa@exemple.org', objet: 'Départ demain' },
  });
  const sent = await write([first, second]);
  expect([sent.status, sent.json.nombre]).toEqual([201, 3]);
  expect(await destinationsOf(sent)).toEqual(['max@exemple.org', 'papa@exemple.org', 'zoe@exemple.org']);
  for (const { html, texte } of await readAll(sent)) {
    expect(html).toContain('Le car part à <strong>7 h</strong>.');
    expect(texte).toMatch(/^Le car part à 7 h\.\n\nCSE Horizon\n\nVous recevez ce message/);
    for (const secret of Object.values(passwords)) expect(html + texte).not.toContain(secret);
  }
  expect((await ask(`GET /envois/${sent.json.id}`)).json).toMatchObject({ genre: 'mot', type: 'stagiaire' });
});

test('what is typed is light Markdown, and nothing else', async () => {
  const stay = await addStay();
  await addChild(stay, 'zoe@exemple.org');
  const texte = [
    '## À emporter',
    '',
    '1. un *duvet*',
    '2. une [liste](https://exemple.org/a?b=1&c=2)',
    '',
    '<img src=x onerror=alert(1)> [ici](javascript:alert(1)) [là](/portail)',
    'https://exemple.org/plan',
  ].join('\n');
  const [{ html, texte: plain }] = await readAll(await write([stay], { texte }));
  expect(html).toContain('<ol start="1"');
  expect(html).toContain('<em>duvet</em>');
  expect(html).toContain('href="https://exemple.org/a?b=1&amp;c=2"');
  expect(html).toContain('href="https://exemple.org/plan"');
  expect(html).toContain('&lt;img src=x');
  expect(html).not.toMatch(/<img|href="(javascript|\/)/);
  expect(plain).toContain('À emporter\n\n1. un duvet\n2. une liste (https://exemple.org/a?b=1&c=2)');
  expect(plain).toContain('https://exemple.org/plan');
});

test('it may go to the families of some children alone, whatever was just sent', async () => {
  const stay = await addStay();
  const [zoe, ada] = [
    await addChild(stay, 'zoe@exemple.org', 'papa@exemple.org'),
    await addChild(stay, 'ada@exemple.org'),
  ];
  expect((await write([stay])).status).toBe(201);
  expect(await destinationsOf(await write([stay], { enfants: [zoe] }))).toEqual([
    'papa@exemple.org',
    'zoe@exemple.org',
  ]);
  expect((await write([await addStay()], { enfants: [ada] })).status).toBe(422);
  const codes = await ask('POST /stages/envoi-mots-de-passe', {
    type: 'stagiaire',
    stageIds: [stay],
    enfants: [ada],
  });
  expect(await destinationsOf(codes)).toEqual(['ada@exemple.org']);
});

test('it goes to directors, and to families whose photos are over; to nobody it is refused', async () => {
  const old = await addStay({ date_debut: '2024-07-06', date_fin: '2024-07-20' });
  await addChild(old, 'zoe@exemple.org');
  expect((await write([old])).json.nombre).toBe(1);
  const stay = await addStay();
  expect((await write([stay])).status).toBe(422);
  await ask('POST /formateurs/add', {
    ...{ nom: 'Fouquier', prenom: 'Odile', telephone: '1', cat: 'centre' },
    ...{ mail: 'odile@exemple.org', stageId: stay },
  });
  expect(await destinationsOf(await write([stay], { type: 'formateur' }))).toEqual(['odile@exemple.org']);
});

test('it is not sent twice in a minute, nor to an address that was cut or whose child has left', async () => {
  const stay = await addStay();
  const child = await addChild(stay, 'zoe@exemple.org');
  await addChild(stay, 'max@exemple.org');
  await ask('POST /stages/envoi-mots-de-passe', { type: 'stagiaire', stageIds: [stay] });
  await ask(`POST /stages/${stay}/liens/couper`, { type: 'stagiaire', adresse: 'max@exemple.org' });
  const sent = await write([stay]);
  expect(await destinationsOf(sent)).toEqual(['zoe@exemple.org']);
  const again = await write([stay]);
  expect([again.status, again.json.message]).toEqual([
    429,
    `Un message vient de partir pour «\u00a0Été ${stays}\u00a0»\u202f: attendez 1\u00a0min.`,
  ]);
  await ask(`DELETE /stagiaire/delete/${child}`);
  const [{ id }] = (await ask(`GET /envois/${sent.json.id}`)).json.messages;
  const read = await ask(`GET /envois/${sent.json.id}/messages/${id}`);
  expect([read.status, read.json.message]).toEqual([
    409,
    'Ce message ne peut plus être lu\u202f: cette adresse n’est plus inscrite au séjour.',
  ]);
});

test('a trial goes to one address, and says that it is one', async () => {
  const tried = await ask(`${SEND}/essai`, { ...WORD, email: 'alice@exemple.org' });
  expect(tried.status).toBe(201);
  const [message] = await readAll(tried);
  expect(message).toMatchObject({ destinataire: 'alice@exemple.org', objet: '[Essai] Départ demain' });
  expect(message.html).toContain('<strong>7 h</strong>');
});

test('a subject or a text that is blank is refused', async () => {
  const stay = await addStay();
  await addChild(stay, 'zoe@exemple.org');
  for (const change of [{ objet: ' ' }, { texte: '' }, { objet: 'a =?b' }, { enfants: [] }])
    expect((await write([stay], change)).status).toBe(422);
});
