import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFamilies, addStay, queueCodes } from '#tests/support/mails.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

describe('GET /preparation', () => {
  let site: TestSite;
  let token: string;
  beforeAll(async () => {
    site = await openSite();
    token = await site.tokenOf('admin');
  });
  afterAll(() => site?.close());

  const ask = async (query = '') => (await site.call(`GET /preparation${query}`, { token })).json;
  const one = async (id: number) => (await ask(`?stageId=${id}`))[0];

  test('is for staff alone', async () => {
    expect((await site.call('GET /preparation')).status).toBe(401);
    for (const role of ['reader', 'family', 'director'] as const)
      expect((await site.call('GET /preparation', { token: await site.tokenOf(role) })).status).toBe(403);
  });

  test('says of a new stay that all is missing', async () => {
    expect(await ask()).toEqual([]);
    const id = await addStay(site.services, 'Colo Mer', 'K7QF-2MXA-9TRD');
    const none = { adresses: 0, recu: 0 };
    expect(await ask()).toEqual([
      {
        id,
        nom_stage: 'Colo Mer',
        date_debut: '2026-06-20',
        date_fin: '2026-07-04',
        enfants: 0,
        consentements_inconnus: 0,
        consentements_refuses: 0,
        directeurs: 0,
        codes: { stagiaire: none, formateur: none },
        informations_manquantes: ['adresse', 'horaires', 'telephone_urgence', 'consignes'],
        photos: 0,
        photos_a_verifier: 0,
        photos_demandees: 0,
        photos_finies: false,
      },
    ]);
  });

  test('counts children, consents, directors and what was written, of each stay', async () => {
    const id = await addStay(site.services, 'Colo Montagne');
    const body = {
      nom: 'Petit',
      prenom: 'Lou',
      mailRL: 'a@exemple.fr',
      email_2: 'b@exemple.fr',
      stageId: id,
    };
    for (const [prenom, consentement_image] of Object.entries({ Lou: 'oui', Max: 'non', Zoé: 'inconnu' }))
      await site.call('POST /add-stagiaire', { token, body: { ...body, prenom, consentement_image } });
    const director = { nom: 'Kone', prenom: 'Awa', mail: 'awa@exemple.fr', telephone: '06', cat: 'centre' };
    await site.call('POST /formateurs/add', { token, body: { ...director, stageId: id } });
    const { version, ...stay } = (await site.call(`GET /stages/${id}`, { token })).json;
    const { nom_stage, date_debut, date_fin } = stay;
    const told = { nom_stage, date_debut, date_fin, adresse: 'Là', telephone_urgence: '06', version };
    expect((await site.call(`PUT /stages/${id}`, { token, body: told })).status).toBe(200);
    expect(await one(id)).toMatchObject({
      enfants: 3,
      consentements_inconnus: 1,
      consentements_refuses: 1,
      directeurs: 1,
      // Brothers and sisters have the same two addresses.
      codes: { stagiaire: { adresses: 2, recu: 0 }, formateur: { adresses: 1, recu: 0 } },
      informations_manquantes: ['horaires', 'consignes'],
    });
  });

  test('counts as reached an address with a message of the current password on its way', async () => {
    const id = await addStay(site.services, 'Colo Lac', 'K7QF-2MXA-9TRD');
    await addFamilies(site.services, id, ['un@exemple.fr', 'deux@exemple.fr']);
    await queueCodes(site.services, [{ address: 'Un@exemple.fr', stageId: id }]);
    const reached = async () => (await one(id)).codes.stagiaire;
    expect(await reached()).toEqual({ adresses: 2, recu: 1 });
    await site.jobs.idle();
    expect(await reached()).toEqual({ adresses: 2, recu: 1 });
  });

  test('lists stays that are not past, the soonest first; one alone may be past', async () => {
    const past = await addStay(site.services, 'Fini');
    site.advance(20 * 24 * 3_600_000);
    token = await site.tokenOf('admin');
    const soon = await addStay(site.services, 'Bientôt');
    const names = (await ask()).map(({ nom_stage }: { nom_stage: string }) => nom_stage);
    expect(names).toEqual(['Bientôt']);
    expect((await one(past)).nom_stage).toBe('Fini');
    expect((await one(soon)).nom_stage).toBe('Bientôt');
    expect((await site.call('GET /preparation?stageId=99999', { token })).status).toBe(404);
    expect((await site.call('GET /preparation?stageId=x', { token })).status).toBe(422);
  });
});
