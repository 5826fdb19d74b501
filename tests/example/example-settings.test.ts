import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE } from '#features/example/server/items.ts';
import { planItems } from '#features/example/server/store.ts';
import { IDENTITY } from '#features/site/calls.ts';
import { addJob } from '#platform/server/jobs/jobsStore.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/** JSON of an answer; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
type Json = any;

const items = EXAMPLE.filter(({ table }) => table === 'reglages');

let site: TestSite;
beforeAll(async () => {
  site = await openSite({
    pages: true,
    env: { ORGANISATION_PHONE: '01 99 00 77 00', HOSTING_NAME: 'Le nôtre' },
  });
});
afterAll(() => site?.close());
afterEach(async () => {
  const blank = Object.fromEntries(Object.keys(IDENTITY).map((name) => [name, '']));
  await save({ ...blank, organisation_telephone: '01 99 00 77 00', hebergeur_nom: 'Le nôtre' });
});

async function ask(what: string, body?: unknown): Promise<Json> {
  const answer = await site.call(what, { token: await site.tokenOf('admin'), body });
  expect(answer.status, `${what}: ${answer.text}`).toBe(200);
  return answer.json;
}
const read = (): Promise<Json> => ask('GET /reglages?mot_de_passe=non');
const save = (settings: Json): Promise<Json> => ask('PUT /reglages', settings);

async function doJob(isComing: boolean): Promise<void> {
  const { database } = site.services;
  await database.write(async (transaction) => {
    if (isComing) await planItems(transaction, items);
    for (const { cle } of items) await addJob(transaction, 'example', { cle, isComing }, site.now());
  });
  await site.jobs.idle();
  expect(await ask('GET /exemple')).toMatchObject({ etat: isComing ? 'present' : 'absent', erreur: null });
}
const bring = () => doJob(true);
const takeOut = () => doJob(false);

describe('The settings of the example', () => {
  test('fill in all that is blank but the address of the contact form, and are blank again without it', async () => {
    const before = await read();
    await bring();
    const during = await read();
    expect(during).toMatchObject({
      organisation_nom: 'CSE Les Grands Pins',
      organisation_telephone: '01 99 00 77 00',
      hebergeur_nom: 'Le nôtre',
      hebergeur_telephone: '01 99 00 30 00',
      photos_conservation_jours: before.photos_conservation_jours,
    });
    expect(Object.keys(IDENTITY).filter((name) => during[name] === '')).toEqual(['contact_email']);
    await takeOut();
    expect(await read()).toEqual(before);
  });

  test('leave no hole in the legal notice, and name the organisation in the other legal texts', async () => {
    const pageOf = async (path: string) => (await site.ask(`GET ${path}`)).text;
    const hole = /complét|à compléter/;
    await save({ organisation_telephone: '', hebergeur_nom: '' });
    expect(await pageOf('/mentions-legales')).toMatch(hole);
    await bring();
    const notice = await pageOf('/mentions-legales');
    expect(notice).not.toMatch(hole);
    const [item] = items;
    const { offres_emploi_url: offers, ...told } = item?.texts(site.now(), new Map()) ?? {};
    expect(Object.keys(told)).toHaveLength(11);
    for (const text of Object.values(told)) expect(notice).toContain(text);
    expect(notice).toContain(`href="${offers}"`);
    for (const path of ['/politique-confidentialite', '/accessibilite'])
      expect(await pageOf(path)).toContain('CSE Les Grands Pins');
    await takeOut();
  });

  test('never take the place of what staff wrote, before or since', async () => {
    await save({ organisation_nom: 'CSE Horizon', directeur_publication: 'Claire Fontaine' });
    await bring();
    await save({ organisation_adresse: 'Chez nous', organisation_email: '' });
    expect(await read()).toMatchObject({
      organisation_nom: 'CSE Horizon',
      organisation_siren: '000 000 000',
    });
    await takeOut();
    expect(await read()).toMatchObject({
      organisation_nom: 'CSE Horizon',
      directeur_publication: 'Claire Fontaine',
      organisation_adresse: 'Chez nous',
      organisation_email: '',
      organisation_siren: '',
      organisation_telephone: '01 99 00 77 00',
      hebergeur_nom: 'Le nôtre',
      offres_emploi_url: '',
    });
    await save({ organisation_nom: '' });
  });

  test('leave nothing behind that would override the environment', async () => {
    const { database } = site.services;
    await database.write((db) =>
      db.deleteFrom('reglages').where('cle', 'in', Object.keys(IDENTITY)).execute(),
    );
    const keys = async () =>
      (await database.db.selectFrom('reglages').select('cle').execute()).map(({ cle }) => cle);
    const before = await keys();
    await bring();
    expect(await keys()).toContain('organisation_siren');
    await takeOut();
    expect((await keys()).sort()).toEqual(before.sort());
  });

  test('give no address to which the mails of a real site would be answered', async () => {
    const former = site;
    site = await openSite({ env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'cse@exemple.org' } });
    try {
      await bring();
      expect(await read()).toMatchObject({ organisation_nom: 'CSE Les Grands Pins', organisation_email: '' });
    } finally {
      await site.close();
      site = former;
    }
  });

  test('come once when their work is done twice, as a change that the site made', async () => {
    const changes = async () =>
      (await ask('GET /journal?limite=200')).entrees.filter(
        ({ action, acteur }: Json) => action === 'modification des réglages' && acteur === 'le site',
      ).length;
    const before = await changes();
    await bring();
    await save({ organisation_nom: '' });
    await bring();
    expect((await read()).organisation_nom).toBe('');
    expect(await changes()).toBe(before + 1);
    await takeOut();
    expect(await changes()).toBe(before + 2);
  });

  test('change nothing where nothing is blank', async () => {
    const own: Record<string, string> = {
      ...Object.fromEntries(Object.keys(IDENTITY).map((name) => [name, 'Le nôtre'])),
      organisation_email: 'nous@exemple.org',
      organisation_siren: '732 829 320',
      organisation_rna: 'W381234567',
      contact_email: 'nous@exemple.org',
      offres_emploi_url: 'https://exemple.org/',
    };
    await save(own);
    await bring();
    expect(await read()).toMatchObject(own);
    await takeOut();
    expect(await read()).toMatchObject(own);
  });
});
