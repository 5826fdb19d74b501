import { expect, type Page } from '@playwright/test';
import { expectNoViolation, violationsOf } from '#tests/browser/axe.ts';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, ask, boxOf, DESKTOP, PHONE, refused, test } from '#tests/browser/visit.ts';
import { form } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';

const PASSWORD = 'tournesol-lanterne-26';
const LONG = Array.from(
  { length: 60 },
  (_, index) => `Point ${index}. Rien de particulier n’est à signaler.`,
);
const OLD = 'Réunion du 12 mars';
const NEW = 'Réunion du 17 novembre';

let site: RunningSite;
let admin: string;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  admin = await site.signIn();
  const changed = await ask(site, admin, 'PUT /reglages', { comptes_rendus_mot_de_passe: PASSWORD });
  expect(changed.status).toBe(200);
});
test.afterAll(() => site?.stop());

async function add(
  nom: string,
  date_ajout: string,
  paragraphs: string[],
  to: { site: RunningSite; admin: string } = { site, admin },
): Promise<void> {
  const url: [Uint8Array, string, string] = [minutesPdf(nom, paragraphs), 'cr.pdf', 'application/pdf'];
  expect((await ask(to.site, to.admin, 'POST /documents', form({ nom, date_ajout, url }))).status).toBe(201);
}

const field = (page: Page) => page.getByLabel('Mot de passe', { exact: true });
const searchField = (page: Page) =>
  page.getByRole('searchbox', { name: 'Rechercher dans les comptes rendus' });
const titles = (page: Page) => page.getByRole('heading', { level: 2 });
const frames = (page: Page) => page.locator('iframe');

async function type(page: Page, password: string): Promise<void> {
  await field(page).fill(password);
  await page.getByRole('button', { name: 'Ouvrir' }).click();
}

test('without minutes the page says so, from the server, and asks for no password', async ({ visit }) => {
  const { page } = await visit(site, { ...DESKTOP, javaScriptEnabled: false });
  await page.goto('/compte-rendus');
  await expect(page.getByText('Aucun compte rendu n’est encore publié.')).toBeVisible();
  await expect(field(page)).toHaveCount(0);
});

test('minutes whose password nobody knows yet are said to be closed, which leads staff to it', async ({
  visit,
}) => {
  const other = await startSite('sqlite');
  try {
    const token = await other.signIn();
    const said =
      'L’accès aux comptes rendus n’est pas encore ouvert\u202f: aucun mot de passe n’a été choisi.';
    await add(OLD, '2026-03-12', LONG, { site: other, admin: token });
    const { page } = await visit(other, PHONE);
    await arrive(page, '/compte-rendus');
    await expect(page.getByText(said)).toBeVisible();
    await expect(field(page)).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('link')).toHaveText(['Retour à l’accueil']);
    expect(await page.content()).not.toContain(OLD);
    expect(await violationsOf(page)).toEqual([]);

    const { page: portal } = await visit(other, DESKTOP);
    await portal.addInitScript((value) => localStorage.setItem('adminToken', value), token);
    await arrive(portal, '/compte-rendus');
    await expect(portal.getByText(said)).toBeVisible();
    await expect(titles(portal)).toHaveText([OLD]);
    await portal.getByRole('link', { name: 'Choisir le mot de passe' }).click();
    await expect(portal).toHaveURL('/portail?panneau=reglages');

    // Open to visitors as soon as somebody knows it.
    expect((await ask(other, token, 'PUT /reglages', { comptes_rendus_mot_de_passe: PASSWORD })).status).toBe(
      200,
    );
    await page.reload();
    await type(page, PASSWORD);
    await expect(titles(page)).toHaveText([OLD]);
  } finally {
    await other.stop();
  }
});

test.describe('With minutes', () => {
  test.beforeAll(async () => {
    await add(OLD, '2026-03-12', [...LONG, 'Les chèques-vacances sont reconduits.']);
    await add(NEW, '2026-11-17', ['Le budget est voté à l’unanimité.']);
    const readers = await ask(site, admin, 'POST /documents/acces', { password: PASSWORD });
    const { token } = (await readers.json()) as { token: string };
    const isRead = async () => (await ask(site, token, 'GET /documents?recherche=reconduits')).json();
    await expect.poll(isRead).toHaveLength(1);
  });

  test('a wrong password is told, the right one opens the list, newest first', async ({ visit }) => {
    const { page, troubles } = await visit(site, DESKTOP);
    await arrive(page, '/compte-rendus');
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
    await type(page, 'lavande');
    await expect(page.getByRole('alert').getByText('Mot de passe incorrect')).toBeVisible();
    await expect(field(page)).toBeFocused();
    expect(troubles.splice(0)).toEqual([refused(401)]);
    await type(page, PASSWORD);
    await expect(titles(page)).toHaveText([NEW, OLD]);
    await expect(page.getByRole('article').first().getByText('17 novembre 2026')).toBeVisible();
    await expect(page.getByRole('status').getByText('2 comptes rendus')).toBeVisible();
    await page.reload();
    await expect(titles(page)).toHaveText([NEW, OLD]);
  });

  /** Whether browsers show PDFs within a page is asked of them: some do, some do not. */
  const showPdfs = (page: Page, isAble: boolean) =>
    page.addInitScript((value) => {
      Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => value });
    }, isAble);

  test('each PDF can be seen, the first in the page at once', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await showPdfs(page, true);
    await arrive(page, '/compte-rendus');
    await type(page, PASSWORD);
    const link = page.getByRole('link', { name: `Voir le PDF : ${OLD} (nouvel onglet)` });
    const address = await link.getAttribute('href');
    const shown = await page.request.get(address ?? '');
    expect([shown.status(), shown.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await expect(frames(page)).toHaveCount(1);
    await expect(page.getByTitle(`Aperçu\u202f: ${NEW}`)).toBeVisible();
    await page.getByRole('button', { name: `Aperçu\u202f: ${OLD}` }).click();
    await expect(page.getByTitle(`Aperçu\u202f: ${OLD}`)).toBeVisible();
    await page.getByRole('button', { name: `Aperçu\u202f: ${NEW}` }).click();
    await expect(frames(page)).toHaveCount(1);
    await page.emulateMedia({ media: 'print' });
    await expect(frames(page)).toBeHidden();
    await expect(searchField(page)).toBeHidden();
    await expect(titles(page).first()).toBeVisible();
  });

  test('a browser that shows no PDF within a page has the links only', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await showPdfs(page, false);
    await arrive(page, '/compte-rendus');
    await type(page, PASSWORD);
    await expect(page.getByRole('link', { name: /^Voir le PDF/ })).toHaveCount(2);
    await expect(page.getByRole('button', { name: /Aperçu/ })).toHaveCount(0);
    await expect(frames(page)).toHaveCount(0);
  });

  test('a search shows the page and the words, by the keyboard alone', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/compte-rendus');
    await field(page).focus();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(searchField(page)).toBeFocused();
    await page.keyboard.type('CHEQUES');
    await expect(page.getByRole('status').getByText('1 compte rendu trouvé')).toBeVisible();
    await expect(titles(page)).toHaveText([OLD]);
    await expect(page.locator('mark')).toHaveText(['chèques']);
    await page.keyboard.press('Tab');
    const passage = page.getByRole('link', { name: `Page 3\u202f: ${OLD} (nouvel onglet)` });
    await expect(passage).toBeFocused();
    await expect(passage).toHaveAttribute('href', /\.pdf#page=3$/);
    await page.keyboard.press('Shift+Tab');
    // Coming back by the keyboard selects what was typed.
    await page.keyboard.type('girafe');
    await expect(page.getByText('Aucun compte rendu ne contient «\u00a0girafe\u00a0».')).toBeVisible();
    await searchField(page).clear();
    await expect(titles(page)).toHaveText([NEW, OLD]);
  });

  test('an administrator need not type it, and signing out closes the page', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/connexion-portail');
    await page.getByLabel('Identifiant').fill(ADMIN.username);
    await field(page).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await expect(page).toHaveURL('/portail');
    await arrive(page, '/compte-rendus');
    await expect(titles(page)).toHaveText([NEW, OLD]);
    const other = await page.context().newPage();
    await arrive(other, '/');
    await other.getByRole('button', { name: 'Déconnexion' }).first().click();
    await expect(field(page)).toBeVisible();
    await expect(titles(page)).toHaveCount(0);
  });

  test('an access that has ended brings the password back, and what was looked for stays', async ({
    visit,
  }) => {
    const { page, troubles } = await visit(site, DESKTOP);
    await arrive(page, '/compte-rendus');
    await type(page, PASSWORD);
    await expect(titles(page)).toHaveCount(2);
    const token = await page.evaluate(() => localStorage.getItem('tokenLecture'));
    await ask(site, token ?? '', 'POST /auth/logout');
    await searchField(page).fill('budget');
    await expect(
      page.getByText('Votre accès a expiré\u202f: saisissez de nouveau le mot de passe.'),
    ).toBeVisible();
    await expect(field(page)).toBeFocused();
    expect(troubles.splice(0)).toEqual([
      refused(401),
      expect.stringContaining('Erreur lors de la récupération des documents:'),
    ]);
    await type(page, PASSWORD);
    await expect(titles(page)).toHaveText([NEW]);
  });

  test('an access of one kind that has ended does not hide another', async ({ visit }) => {
    const { page, troubles } = await visit(site, DESKTOP);
    const ended = 'x'.repeat(43);
    const hold = (tokens: Record<string, string>) =>
      page.evaluate((values) => Object.assign(localStorage, values), tokens);
    await arrive(page, '/');
    await hold({ adminToken: ended });
    await arrive(page, '/compte-rendus');
    await type(page, PASSWORD);
    await expect(titles(page)).toHaveText([NEW, OLD]);
    expect(troubles.splice(0)).toEqual([
      refused(401),
      expect.stringContaining('Erreur lors de la récupération des documents:'),
    ]);
    await page.reload();
    await expect(titles(page)).toHaveText([NEW, OLD]);
    expect(troubles).toEqual([]);
    await hold({ tokenLecture: ended, adminToken: admin });
    await page.reload();
    await expect(titles(page)).toHaveText([NEW, OLD]);
    expect(troubles.splice(0)).toEqual([refused(401)]);
  });

  test('opening them leaves a family signed in to its stay', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/');
    await page.evaluate(() => localStorage.setItem('token', 'celui-du-séjour'));
    await arrive(page, '/compte-rendus');
    await type(page, PASSWORD);
    await expect(titles(page)).toHaveText([NEW, OLD]);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBe('celui-du-séjour');
  });

  test('on a phone everything fits, and a PDF opens in a tab of its own', async ({ visit }) => {
    // Colours are looked at where they stand, not on their way from day to night.
    const { page } = await visit(site, { ...PHONE, reducedMotion: 'reduce' });
    await arrive(page, '/compte-rendus');
    await type(page, PASSWORD);
    await searchField(page).fill('reconduits');
    await expect(titles(page)).toHaveText([OLD]);
    await expect(frames(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: /Aperçu/ })).toHaveCount(0);
    for (const target of await page.getByRole('article').getByRole('link').all())
      expect((await boxOf(target)).height).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await expectNoViolation(page);
  });
});
