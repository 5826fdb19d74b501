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

const slipsOf = (id: number) => site.call(`GET /stages/${id}/etiquettes`, { token });

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
