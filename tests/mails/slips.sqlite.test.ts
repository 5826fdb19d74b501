import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertStay, type NewStay } from '#features/stays/server/staysStore.ts';
import type { TestSite } from '#tests/support/people.ts';
import { readQr } from '#tests/support/qr.ts';
import { openSite } from '#tests/support/site.ts';

const DAY = 24 * 3_600_000;
const STAY = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin: '2026-07-20' };
const PASSWORD = 'K7QF-2MXA-9TRD';

let site: TestSite;
let token: string;
beforeAll(async () => {
  const env = { PUBLIC_URL: 'https://photos.exemple.org', ORGANISATION_NAME: 'CSE des Hauts-Prés' };
  site = await openSite({ env });
  token = await site.tokenOf('admin');
});
afterAll(() => site?.close());

function addStay(stay: NewStay): Promise<number> {
  const { database, secrets } = site.services;
  const passwords = { stagiaire: PASSWORD };
  return database.write((transaction) => insertStay(transaction, secrets, stay, site.now(), passwords));
}

const slipsOf = (id: number, type = 'stagiaire') =>
  site.call(`GET /stages/${id}/etiquettes?type=${type}`, { token });

function journalOf(id: number) {
  const { db } = site.services.database;
  return db
    .selectFrom('journal')
    .selectAll()
    .where('objet', '=', 'stages')
    .where('objet_id', '=', id)
    .execute();
}

test('Slips of a stay say how to sign in; their code leads there, and does not say the password', async () => {
  const id = await addStay(STAY);
  const families = ['un@exemple.org', 'UN@exemple.org', 'deux@exemple.org', 'trois@exemple.org'];
  for (const [index, mailRL] of families.entries()) {
    const child = {
      nom: 'Roy',
      prenom: `Enfant ${index}`,
      mailRL,
      email_2: 'tante@exemple.org',
      stageId: id,
    };
    expect((await site.call('POST /add-stagiaire', { token, body: child })).status).toBe(201);
  }
  const answer = await slipsOf(id);
  const lien = `https://photos.exemple.org/connexion?stageId=${id}`;
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      id,
      ...STAY,
      type: 'stagiaire',
      etiquettes: ['Enfant 0 et Enfant 1 Roy', 'Enfant 2 Roy', 'Enfant 3 Roy'].map((noms) => ({
        noms,
        qr: { taille: expect.any(Number), trace: expect.any(String) },
      })),
      adresse_site: 'photos.exemple.org',
      lien,
      mot_de_passe: PASSWORD,
      familles: 3,
      sans_email: 0,
      organisation: 'CSE des Hauts-Prés',
      photos_jusquau: '2026-09-18',
      qr: { taille: expect.any(Number), trace: expect.any(String) },
    },
  ]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await readQr(answer.json.qr)).toBe(lien);
});

test('The code of each slip opens the stay by a link of its own, which is cut alone and printed anew', async () => {
  const id = await addStay({ ...STAY, nom_stage: 'Voile' });
  for (const prenom of ['Lou', 'Zoé']) {
    const child = { nom: 'Roy', prenom, mailRL: '', stageId: id };
    expect((await site.call('POST /add-stagiaire', { token, body: child })).status).toBe(201);
  }
  const director = {
    nom: 'Fouquier',
    prenom: 'Odile',
    mail: 'odile@exemple.org',
    telephone: '01',
    cat: 'sejour',
  };
  await site.call('POST /formateurs/add', { token, body: { ...director, stageId: id } });
  const secretsOf = async (type?: string): Promise<[string, string][]> => {
    const { etiquettes } = (await slipsOf(id, type)).json as { etiquettes: { noms: string; qr: never }[] };
    return Promise.all(
      etiquettes.map(async ({ noms, qr }) => {
        const address = (await readQr(qr)) ?? '';
        expect(address).toMatch(/^https:\/\/photos\.exemple\.org\/acces#[\w-]{43}$/);
        return [noms, address.slice(-43)] as [string, string];
      }),
    );
  };
  const open = (jeton = '') => site.call('POST /auth/lien', { body: { jeton } });
  const families = new Map(await secretsOf());
  expect([...families.keys()]).toEqual(['Lou Roy', 'Zoé Roy']);
  expect(await secretsOf()).toEqual([...families]);
  const [lou, zoe] = await Promise.all([...families.values()].map(open));
  expect([lou?.json.userRole, zoe?.json.stageId]).toEqual(['stagiaire', id]);
  const directors = await secretsOf('formateur');
  expect(directors.map(([noms]) => noms)).toEqual(['Odile Fouquier']);
  expect((await open(directors[0]?.[1])).json.userRole).toBe('formateur');
  const links = (await site.call(`GET /stages/${id}/liens`, { token })).json;
  expect(links.map((one: Record<string, unknown>) => [one.enfant, one.appareils])).toEqual([
    ['Lou Roy', 1],
    ['Zoé Roy', 1],
  ]);
  const body = { type: 'stagiaire', adresse: links[0].adresse };
  expect((await site.call(`POST /stages/${id}/liens/couper`, { token, body })).status).toBe(200);
  expect((await open(families.get('Lou Roy'))).status).toBe(401);
  expect((await open(families.get('Zoé Roy'))).status).toBe(200);
  const anew = new Map(await secretsOf());
  expect(anew.get('Zoé Roy')).toBe(families.get('Zoé Roy'));
  expect((await open(anew.get('Lou Roy'))).status).toBe(200);
  // Gone with the child.
  const child = Number(/\d+$/.exec(links[0].adresse)?.[0]);
  expect((await site.call(`DELETE /stagiaire/delete/${child}`, { token })).status).toBe(200);
  expect((await open(anew.get('Lou Roy'))).status).toBe(401);
});

test('Slips of a stay whose shared password is closed do not bear it', async () => {
  const id = await addStay({ ...STAY, nom_stage: 'Escalade' });
  const body = { mot_de_passe_commun: false };
  expect((await site.call(`PUT /stages/${id}/acces`, { token, body })).status).toBe(200);
  const answer = await slipsOf(id);
  expect([answer.json.mot_de_passe, answer.text.includes(PASSWORD)]).toEqual([null, false]);
});

test('Each reading of the slips is a line of the journal, which does not say the password', async () => {
  const id = await addStay({ ...STAY, nom_stage: 'Cirque' });
  await slipsOf(id);
  await slipsOf(id);
  const read = await journalOf(id);
  expect(read.map(({ action, objet, acteur }) => [action, objet, acteur])).toEqual(
    Array(2).fill([
      'lecture du mot de passe «\u00a0Famille\u00a0», pour des étiquettes',
      'stages',
      expect.any(String),
    ]),
  );
  expect(JSON.stringify(read)).not.toContain(PASSWORD);
});

test('A stay whose photos are gone has no slips any more, and nobody has read its password', async () => {
  const id = await addStay({ ...STAY, nom_stage: 'Neige', date_fin: '2026-07-07', conservation_jours: 2 });
  site.advance(30 * DAY);
  token = await site.tokenOf('admin');
  const answer = await slipsOf(id);
  expect([answer.status, answer.json]).toEqual([
    409,
    { message: 'Les photos de ce séjour ne sont plus en ligne\u202f: son mot de passe n’ouvre plus rien.' },
  ]);
  expect(await journalOf(id)).toEqual([]);
});

test('A stay that does not exist has no slips', async () => {
  expect((await slipsOf(999_999)).status).toBe(404);
});
