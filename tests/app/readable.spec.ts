import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { violationsOf } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { ask, DESKTOP, type OpenVisit, refused, SCREENS, test } from '#tests/browser/visit.ts';
import { form } from '#tests/support/forms.ts';

/** What staff read and choose in panels of the portal: the journal, the settings, who changed what. */

let site: RunningSite;
let token: string;
test.beforeEach(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
});
test.afterEach(() => site.stop());

async function enter(visit: OpenVisit, options: BrowserContextOptions, path: string) {
  const seen = await visit(site, options);
  await seen.page.addInitScript((value) => localStorage.setItem('adminToken', value), token);
  await seen.page.goto(path);
  return seen;
}
const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string) => main(page).getByRole('button', { name });

async function expectSound(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
}

async function actions(): Promise<string[]> {
  const { entrees } = (await (await ask(site, token, 'GET /journal')).json()) as {
    entrees: { action: string }[];
  };
  return entrees.map(({ action }) => action);
}

for (const { screen, options } of SCREENS) {
  test(`the journal names what it is about, and is chosen by the address ${screen}`, async ({ visit }) => {
    const stay = { nom_stage: 'Mer', date_debut: '2026-07-06', date_fin: '2026-07-20' };
    await ask(site, token, 'POST /stages', stay);
    const { page } = await enter(visit, options, '/portail?panneau=journal');
    const named = main(page).getByText('Séjour\u202f: Mer, du\u00a06 au\u00a020 juillet 2026');
    await expect(named).toBeVisible();
    await page.getByLabel('Sur quoi').focus();
    await page.getByLabel('Sur quoi').selectOption('Administrateur');
    await expect(page.getByLabel('Sur quoi')).toBeFocused();
    await expect(page).toHaveURL(/panneau=journal&quoi=admins$/);
    await expect(named).toHaveCount(0);
    await expect(main(page).getByText('Connexion au portail')).toBeVisible();
    await page.getByLabel('Du', { exact: true }).fill('2020-01-01');
    await page.getByLabel('Au', { exact: true }).fill('2020-01-02');
    await expect(main(page).getByText('Rien ne correspond à ce choix.')).toBeVisible();
    await expectSound(page);
    await page.reload();
    await expect(page.getByLabel('Sur quoi')).toHaveValue('admins');
    await expect(main(page).getByText('Rien ne correspond à ce choix.')).toBeVisible();
    await main(page).getByRole('link', { name: 'Tout montrer' }).click();
    await expect(named).toBeVisible();
  });

  test(`the settings tell the password of the minutes when asked, ${screen}`, async ({ visit }) => {
    const { page, troubles } = await enter(visit, options, '/portail?panneau=reglages');
    await expect(page.getByLabel('SIREN')).toBeVisible();
    const reading = 'lecture du mot de passe des comptes rendus';
    const shown = page.getByLabel('Mot de passe des comptes rendus');
    await expect(shown).toHaveCount(0);
    await expectSound(page);
    expect(await actions()).not.toContain(reading);
    await page.getByLabel('SIREN').fill('732 829 320 00074');
    // What is wrong comes into sight, whichever tab was.
    await button(page, 'Photos').click();
    await button(page, 'Enregistrer').click();
    await expect(page.getByText(/^C’est un SIRET/)).toBeVisible();
    await expect(page.getByLabel('SIREN')).toBeFocused();
    expect(troubles.splice(0)).toEqual([refused(422)]);
    await page.getByLabel('SIREN').fill('732 829 320');
    await button(page, 'Enregistrer').click();
    await expect(page.getByText('Réglages enregistrés')).toBeVisible();
    expect(await actions()).not.toContain(reading);
    await button(page, 'Comptes rendus').click();
    await expectSound(page);
    await button(page, 'Afficher le mot de passe').click();
    await expect(shown).toBeFocused();
    await expect(shown).toHaveAttribute('type', 'text');
    await expectSound(page);
    expect((await actions())[0]).toBe(reading);
    await shown.fill('girafe-du-soir');
    await button(page, 'Enregistrer').click();
    await expect.poll(actions).toContain('changement du mot de passe des comptes rendus');
  });
}

test('a manager who was just added is in the list of the next person', async ({ visit }) => {
  const { page } = await enter(visit, DESKTOP, '/portail?panneau=employe-creer');
  const fill = async (prenom: string, nom: string) => {
    await page.getByLabel('Prénom').fill(prenom);
    await page.getByLabel('Nom', { exact: true }).fill(nom);
    await page.getByLabel('Poste').fill('Agent');
    await page.getByLabel('E-mail', { exact: true }).fill(`${nom}@exemple.org`);
  };
  const manager = page.getByLabel('Responsable hiérarchique');
  await expect(manager).toBeVisible();
  await fill('Claire', 'Dupont');
  await button(page, 'Ajouter').click();
  await expect(page.getByText('Employé ajouté avec succès')).toBeVisible();
  await fill('Jo', 'Petit');
  await manager.selectOption('Dupont Claire — Agent');
  await button(page, 'Ajouter').click();
  await expect
    .poll(async () => (await (await ask(site, token, 'GET /employes')).json()) as object[])
    .toHaveLength(2);
  const people = (await (await ask(site, token, 'GET /employes')).json()) as Record<string, unknown>[];
  const [one, other] = people;
  expect(other?.manager_id).toBe(one?.id);
});

test('a form that somebody else was faster than says who it was, and when', async ({ visit }) => {
  const body = form({ prenom: 'Claire', nom: 'Dupont', poste: 'Agent', email: 'c@exemple.org' });
  const created = await ask(site, token, 'POST /create-employes', body);
  const { id } = (await created.json()) as { id: number };
  const { page, troubles } = await enter(visit, DESKTOP, `/employe-modify/${id}`);
  await page.getByLabel('Poste').fill('Directrice');
  expect((await ask(site, token, `PUT /employes/${id}`, form({ poste: 'Comptable' }))).status).toBe(200);
  await button(page, 'Modifier').click();
  await expect(page.getByText(/^Modifié par alice le .*\d{4}/)).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(409)]);
  await expectSound(page);
});

test('the current entry of the menu is marked otherwise than the one under the pointer', async ({
  visit,
}) => {
  const { page } = await enter(visit, DESKTOP, '/portail?panneau=journal');
  const menu = page.getByRole('navigation').filter({ has: page.locator('.menu-link') });
  const mark = (name: string) =>
    menu.getByRole('link', { name, exact: true }).evaluate((link) => getComputedStyle(link).boxShadow);
  await menu.getByRole('link', { name: 'Santé du site', exact: true }).hover();
  expect(await mark('Santé du site')).toBe('none');
  expect(await mark('Journal')).toContain('inset');
});
