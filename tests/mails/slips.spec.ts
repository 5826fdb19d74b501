import { expect, type Page } from '@playwright/test';
import jsqr from 'jsqr';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  addStay,
  ask,
  boxOf,
  DESKTOP,
  enterPortal,
  type OpenStay,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';

let site: RunningSite;
let admin: string;
let sea: OpenStay;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  admin = await site.signIn();
  sea = await addStay(site, admin, 'Été à Oléron');
  for (const [prenom, mailRL] of [
    ['Lou', 'un@exemple.org'],
    ['Ana', 'un@exemple.org'],
    ['Zoé', 'deux@exemple.org'],
  ] as const) {
    const child = { nom: 'Roy', prenom, mailRL, stageId: String(sea.id) };
    expect((await ask(site, admin, 'POST /add-stagiaire', child)).status).toBe(201);
  }
});
test.afterAll(() => site?.stop());

const PANEL = '/portail?panneau=etiquettes';
const stay = (page: Page) => page.getByRole('combobox', { name: 'Séjour' });
const number = (page: Page) => page.getByLabel('Nombre d’étiquettes');
const prepare = (page: Page) => page.getByRole('button', { name: 'Préparer les étiquettes' });
const heading = (page: Page, text: string | RegExp) =>
  page.getByRole('heading', { level: 2, name: text, exact: true });

/** The text of each page that comes out of the printer. */
async function printed(page: Page): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ preferCSSPageSize: true })));
  const size = (await pdf.getPage(1)).view.map((side) => Math.round(side));
  expect(size).toEqual([0, 0, 595, 842]);
  return (await extractText(pdf)).text;
}

const timesIn = (text: string, what: string) => text.split(what).length - 1;

test('slips are printed eight a sheet, whole, with nothing else of the portal', async ({ visit }) => {
  const long = await addStay(site, admin, 'Grande aventure de la mer et du vent '.repeat(4).trim());
  const { page } = await enterPortal(visit, site, { ...DESKTOP, colorScheme: 'dark' }, PANEL);
  for (const { id, family } of [sea, long]) {
    await page.goto(`${PANEL}&sejour=${id}`);
    for (const [count, sheets] of [
      [1, [1]],
      [8, [8]],
      [9, [8, 1]],
      [60, [8, 8, 8, 8, 8, 8, 8, 4]],
    ] as const) {
      await number(page).fill(String(count));
      await prepare(page).click();
      await expect(page.locator('.slip')).toHaveCount(count);
      const pages = await printed(page);
      expect(pages.map((text) => timesIn(text, family))).toEqual(sheets);
      expect(pages.map((text) => timesIn(text, 'ne le transmettez à personne'))).toEqual(sheets);
      for (const text of pages)
        expect(text).not.toMatch(/Étiquettes à imprimer|Imprimer|Déconnexion|Visites/);
    }
    // However long the name is, nothing is written over something else.
    const steps = await boxOf(page.locator('.slip-step').nth(1));
    expect(steps.y + steps.height).toBeLessThan((await boxOf(page.locator('.slip-whole').first())).y + 1);
  }
});

/** What a telephone reads in the code of the first slip. */
async function readCode(page: Page): Promise<string | undefined> {
  const picture = await page.locator('.slip svg').first().screenshot();
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

test('the code of a slip opens the photos of its family, or without a name leads to the sign-in', async ({
  visit,
}) => {
  const { page } = await enterPortal(visit, site, DESKTOP, `${PANEL}&sejour=${sea.id}`);
  await prepare(page).click();
  await expect(page.locator('.slip-who')).toHaveText(['Pour Ana et Lou Roy', 'Pour Zoé Roy']);
  const origin = `http://localhost:${new URL(site.url).port}`;
  expect(await readCode(page)).toMatch(new RegExp(`^${origin}/acces#[\\w-]{43}$`));
  await page.emulateMedia({ media: 'print' });
  const { width } = await boxOf(page.locator('.slip path').first());
  // 96 pixels an inch of paper.
  expect((width / 96) * 25.4).toBeGreaterThanOrEqual(25);
  await page.emulateMedia({ media: 'screen' });
  await number(page).fill('1');
  await expect(page.locator('.slip-who')).toHaveText(['']);
  expect(await readCode(page)).toBe(`${origin}/connexion?stageId=${sea.id}`);
});

for (const { screen, options } of SCREENS) {
  test(`slips are one a family unless told otherwise, ${screen}`, async ({ visit }) => {
    const { page } = await enterPortal(visit, site, options, PANEL);
    await prepare(page).click();
    await expect(stay(page)).toHaveAccessibleDescription('Veuillez sélectionner un séjour.');
    await stay(page).selectOption(String(sea.id));
    await prepare(page).click();
    await expect(heading(page, '2 étiquettes sur 1 feuille')).toBeFocused();
    await expect(page.getByText('2 familles sont inscrites à ce séjour.')).toBeVisible();
    for (const wrong of ['0', '501', '1,5', 'x']) {
      await number(page).fill(wrong);
      await expect(number(page)).toHaveAccessibleDescription(/De 1 à 500 étiquettes\.$/);
      await expect(page.locator('.slip')).toHaveCount(0);
    }
    await prepare(page).click();
    await expect(number(page)).toBeFocused();
    await number(page).fill('9');
    await expect(heading(page, '9 étiquettes sur 2 feuilles')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
    await expectNoViolation(page);
    await page.evaluate(() => {
      window.addEventListener('beforeprint', () => document.body.setAttribute('data-printed', ''));
    });
    await page.getByRole('button', { name: 'Imprimer', exact: true }).click();
    await expect(page.locator('body')).toHaveAttribute('data-printed', '');
  });
}

test('slips of several stays are printed at once, those of each on sheets of their own', async ({
  visit,
}) => {
  const { page } = await enterPortal(visit, site, DESKTOP, PANEL);
  await page.getByRole('button', { name: 'Plusieurs séjours à la fois' }).click();
  await prepare(page).click();
  await expect(page.getByText('Veuillez sélectionner un séjour.').first()).toBeVisible();
  for (const all of await page.getByRole('button', { name: 'Tout cocher' }).all()) await all.click();
  await prepare(page).click();
  await expect(heading(page, /^\d+ étiquettes sur \d+ feuilles$/)).toBeFocused();
  const stays = await page.getByRole('checkbox', { checked: true }).count();
  expect(stays).toBeGreaterThan(1);
  const sheets = await page.locator('.slip-sheet').count();
  expect(sheets).toBeGreaterThanOrEqual(stays);
  const pages = await printed(page);
  expect(pages).toHaveLength(sheets);
  for (const text of pages) expect(new Set(text.match(/Numéro du séjour\s*:\s*\d+/g)).size).toBe(1);
});

test('slips of all stays are four presses away from the home page of the portal', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail');
  await page.getByRole('link', { name: 'Tous les séjours' }).click();
  await page.getByLabel('Tout cocher').click();
  await page.getByRole('link', { name: 'Imprimer les étiquettes' }).click();
  await expect(heading(page, /^\d+ étiquettes sur \d+ feuilles?$/)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Imprimer', exact: true })).toBeVisible();
});
