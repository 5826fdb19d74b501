import { expect, type Page } from '@playwright/test';
import { violationsOf } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, ask, DESKTOP, PHONE, publish, SCREENS, test } from '#tests/browser/visit.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';

const PASSWORD = 'tournesol-lanterne-26';
const PROMPT = 'Pour chercher aussi dans les comptes rendus, saisissez d’abord leur mot de passe.';

let site: RunningSite;
let newsId: number;
let reader: string;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  const admin = await site.signIn();
  await ask(site, admin, 'PUT /reglages', { comptes_rendus_mot_de_passe: PASSWORD });
  newsId = await publish(site, admin, '/actualites', {
    titre: 'La fête de l’été',
    description: `Un **long** récit. ${'Il y aura des jeux et de la musique. '.repeat(60)}`,
  });
  for (let n = 1; n <= 9; n++)
    await publish(site, admin, '/actualites', { titre: `Sortie vélo ${n}`, description: 'À deux roues.' });
  await publish(site, admin, '/events', {
    title: 'Pique-nique',
    date: '2020-07-01T12:00',
    location: 'Au parc',
    summary: 'Un repas de fête.',
    article: 'Chacun apporte un plat.',
  });
  await publish(site, admin, '/create-employes', {
    prenom: 'Zoé',
    nom: 'Lafête',
    poste: 'Trésorière',
    email: 'zoe@exemple.fr',
  });
  const nom = 'Réunion de juin';
  const url: [Uint8Array, string, string] = [
    minutesPdf(nom, ['La fête est votée.']),
    'cr.pdf',
    'application/pdf',
  ];
  await publish(site, admin, '/documents', { nom, date_ajout: '2026-06-12', url });
  const answer = await ask(site, admin, 'POST /documents/acces', { password: PASSWORD });
  reader = ((await answer.json()) as { token: string }).token;
  const isRead = async () =>
    (await (await ask(site, reader, 'GET /documents/recherche?q=votee')).json()).nombre;
  await expect.poll(isRead).toBe(1);
});
test.afterAll(() => site?.stop());

const field = (page: Page) => page.getByLabel('Rechercher sur le site', { exact: true });
const groups = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 });
const results = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('link');
const status = (page: Page) => page.getByRole('main').getByRole('status');

for (const { screen, options } of SCREENS) {
  test(`the magnifier leads to the field, and answers come while one types, ${screen}`, async ({ visit }) => {
    const { page } = await visit(site, options);
    await arrive(page, '/');
    await page.getByRole('banner').getByRole('link', { name: 'Rechercher', exact: true }).first().click();
    await expect(page).toHaveURL('/recherche');
    await expect(page).toHaveTitle(/^Recherche — /);
    await expect(field(page)).toBeFocused();
    await page.keyboard.type('FETE');
    await expect(status(page)).toHaveText('3 résultats');
    await expect(page).toHaveURL('/recherche?q=FETE');
    await expect(field(page)).toBeFocused();
    await expect(groups(page)).toHaveText(['Actualités (1)', 'Événements (1)', 'Membres du CSE (1)']);
    await expect(page.locator('mark')).toHaveText(['fête', 'fête', 'Lafête']);
    await expect(page.getByText('Passé', { exact: true })).toBeVisible();
    await expect(page.getByText(PROMPT)).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
  });
}

test('Back returns from a result to the answers and to their place; before them, to where one came from', async ({
  visit,
}) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/contact');
  await page.getByRole('banner').getByRole('link', { name: 'Rechercher', exact: true }).first().click();
  await field(page).pressSequentially('velo');
  await expect(groups(page)).toHaveText(['Actualités (9)']);
  await expect(results(page)).toHaveCount(8);
  await expect(page.getByText('Seuls les 8 plus proches sont affichés.')).toBeVisible();
  await results(page).last().scrollIntoViewIfNeeded();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const place = await page.evaluate(() => window.scrollY);
  await results(page).last().click();
  await expect(page).toHaveURL(/actualite=/);
  await page.goBack();
  await expect(page).toHaveURL('/recherche?q=velo');
  await expect(field(page)).toHaveValue('velo');
  await expect(results(page)).toHaveCount(8);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
  // The keys typed are no steps of the way back.
  await page.goBack();
  await expect(page).toHaveURL('/contact');
});

test('the magnifier begins a new search from the answers of another', async ({ visit }) => {
  const { page } = await visit(site, DESKTOP);
  await arrive(page, '/recherche?q=velo');
  await expect(field(page)).toHaveValue('velo');
  await page.getByRole('banner').getByRole('link', { name: 'Rechercher', exact: true }).first().click();
  await expect(field(page)).toHaveValue('');
  await expect(field(page)).toBeFocused();
  await expect(page.getByText('un mot ou deux suffisent')).toBeVisible();
  await expect(results(page).filter({ hasText: 'vélo' })).toHaveCount(0);
});

test('Ctrl K leads to the field, and the arrows from there through the results and back', async ({
  visit,
}) => {
  const { page } = await visit(site, DESKTOP);
  await arrive(page, '/contact');
  await page.keyboard.press('Control+K');
  await expect(page).toHaveURL('/recherche');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('fete');
  await expect(results(page)).toHaveCount(3);
  for (const place of [0, 1, 2]) {
    await page.keyboard.press('ArrowDown');
    await expect(results(page).nth(place)).toBeFocused();
  }
  await page.keyboard.press('ArrowDown');
  await expect(results(page).last()).toBeFocused();
  for (const place of [1, 0]) {
    await page.keyboard.press('ArrowUp');
    await expect(results(page).nth(place)).toBeFocused();
  }
  await page.keyboard.press('ArrowUp');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/?actualite=${newsId}`);
});

test('an answer that comes after the next one was asked for is not shown', async ({ visit }) => {
  const { page } = await visit(site, DESKTOP);
  let late = () => {};
  const isLate = new Promise<void>((resolve) => {
    late = resolve;
  });
  await page.route('**/recherche-site?q=velo', async (route) => {
    await isLate;
    await route.continue().catch(() => {});
  });
  await arrive(page, '/recherche');
  const isAsked = page.waitForRequest(/recherche-site\?q=velo$/);
  await field(page).fill('velo');
  await isAsked;
  await field(page).fill('pique');
  await expect(results(page)).toHaveText(['Pique-nique']);
  late();
  await page.unrouteAll({ behavior: 'wait' });
  await expect(results(page)).toHaveText(['Pique-nique']);
  await expect(status(page)).toHaveText('1 résultat');
});

test('what is not found is said, with where else to look', async ({ visit }) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/recherche?q=girafe+%3Cb%3E');
  await expect(groups(page)).toHaveText(['Rien ne correspond à «\u00a0girafe <b>\u00a0».']);
  await expect(status(page)).toHaveText('Aucun résultat');
  const addresses = await results(page).evaluateAll((links) =>
    links.map((link) => link.getAttribute('href')),
  );
  expect(addresses).toEqual(['/?actualites=1', '/Evenements', '/avantages', '/contact']);
  expect(await violationsOf(page)).toEqual([]);
});

test('whoever may read the minutes finds their pages, until the access ends', async ({ visit }) => {
  const { page, troubles } = await visit(site, DESKTOP);
  await page.addInitScript((token) => localStorage.setItem('tokenLecture', token), reader);
  await arrive(page, '/recherche?q=fete');
  await expect(groups(page)).toHaveText([
    'Actualités (1)',
    'Événements (1)',
    'Membres du CSE (1)',
    'Comptes rendus (1)',
  ]);
  await expect(status(page)).toHaveText('4 résultats');
  await expect(page.getByText(PROMPT)).toBeHidden();
  const link = page.getByRole('link', { name: 'Réunion de juin (PDF, nouvel onglet)' });
  await expect(link).toHaveAttribute('href', /\.pdf#page=1$/);
  await expect(page.getByText('Page 1\u202f: ')).toContainText('La fête est votée.');
  expect(await violationsOf(page)).toEqual([]);

  await ask(site, reader, 'POST /auth/logout');
  await field(page).fill('zoe');
  await expect(page.getByText(PROMPT)).toBeVisible();
  await expect(status(page)).toHaveText('1 résultat');
  await field(page).fill('fete');
  await expect(status(page)).toHaveText('3 résultats');
  // Told once: an access that has ended is not tried with each key.
  expect(troubles.splice(0)).toHaveLength(2);
});

test('without script a form finds the same, from the menu and from an address', async ({ visit }) => {
  const { page } = await visit(site, { ...DESKTOP, javaScriptEnabled: false });
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Rechercher', exact: true }).first().click();
  await expect(page).toHaveURL('/recherche');
  await field(page).fill('la fête');
  await page.getByRole('button', { name: 'Rechercher', exact: true }).click();
  await expect(page).toHaveURL('/recherche?q=la+f%C3%AAte');
  await expect(field(page)).toHaveValue('la fête');
  await expect(page.locator('mark').first()).toHaveText('La');
  await expect(status(page)).toHaveText('3 résultats');
  await expect(page.getByText(PROMPT)).toBeVisible();
  await results(page).first().click();
  await expect(page).toHaveURL(`/?actualite=${newsId}`);
});

test('no search engine keeps the page, and a text that is too long or no text is searched as far as it goes', async ({
  visit,
}) => {
  const { page } = await visit(site, DESKTOP);
  await arrive(page, '/recherche?q=velo');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  expect(await (await page.request.get('/sitemap.xml')).text()).not.toContain('recherche');
  for (const query of [`velo%0A${'x'.repeat(4_000)}`, 'velo%00', '%ED%A0%80', '%25', 'a&q=b'])
    expect((await page.request.get(`/recherche?q=${query}`)).status(), query).toBe(200);
});
