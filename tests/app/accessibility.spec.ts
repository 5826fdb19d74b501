import { expect, type Page } from '@playwright/test';
import { COLOUR_RULES, violationsOf } from '#tests/browser/axe.ts';
import type { RunningSite } from '#tests/browser/site.ts';
import {
  arrive,
  ask,
  DESKTOP,
  PHONE,
  refused,
  SCREENS,
  startFilledSite,
  test,
} from '#tests/browser/visit.ts';

let site: RunningSite;
let token: string;

test.beforeAll(async () => {
  site = await startFilledSite();
  token = await site.signIn();
  await ask(site, token, 'PUT /reglages', {
    organisation_nom: 'CSE Les Grands Pins',
    offres_emploi_url: 'https://example.org/',
  });
  await ask(site, token, 'POST /contact', {
    nom: 'Jeanne Petit',
    email: 'jeanne@exemple.fr',
    message: 'Bonjour.',
  });
});
test.afterAll(() => site?.stop());

/** What moves is looked at where it stands. */
const STILL = { reducedMotion: 'reduce' } as const;

/** Pages of what does not exist. */
const GONE = ['/?actualite=999999', '/?actualites=x', '/event-detail/999999', '/pas-de-page-ici'];
const PUBLIC = [
  '/',
  '/?actualite=1',
  '/?actualites=1',
  '/une-details/1',
  '/Evenements',
  '/event-detail/1',
  // With pictures below its text.
  '/event-detail/5',
  '/avantages',
  '/avantage-detail/1',
  '/a-propos',
  '/contact',
  '/recherche',
  '/recherche?q=enfants',
  '/recherche?q=zzzz',
  '/mentions-legales',
  '/politique-confidentialite',
  '/politique-photos',
  '/accessibilite',
  ...GONE,
  '/connexion-portail',
  '/connexion',
  '/compte-rendus',
  '/membres',
];
const FORMS = ['employe', 'event', 'actu', 'une', 'avantage'].map((name) => `/${name}-modify/1`);

/** Everything that axe finds wrong, in a form that says what and where. The colours of the night are those of any width. */
async function violationsOn(page: Page): Promise<string[]> {
  const byDay = await violationsOf(page);
  if (page.viewportSize()?.width === PHONE.viewport.width) return byDay;
  await page.emulateMedia({ colorScheme: 'dark' });
  const byNight = await violationsOf(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...byDay, ...byNight.map((one) => `dark ${one}`)];
}

/** The page is without a violation, as wide as the screen, and has all it shows. */
async function expectSound(page: Page, path: string, width: number): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByText('Chargement…')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
  expect(await violationsOn(page), path).toEqual([]);
}

for (const { screen, options } of SCREENS) {
  const { width } = options.viewport;

  test(`every page is without a violation ${screen}, asks nobody else, and fits`, async ({ visit }) => {
    const { page, troubles } = await visit(site, { ...options, ...STILL });
    for (const path of PUBLIC) {
      await arrive(page, path);
      await expectSound(page, path, width);
    }
    expect(troubles.splice(0)).toEqual(GONE.map(() => refused(404)));
  });

  test(`every panel and form is without a violation ${screen}, asks nobody else, and fits`, async ({
    visit,
  }) => {
    const { page } = await visit(site, { ...options, ...STILL });
    await arrive(page, '/');
    await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
    await arrive(page, '/portail');
    const links = page.locator('nav[aria-label="Panneaux du portail"] a');
    await expect(links).not.toHaveCount(0);
    await expectSound(page, '/portail', width);
    const heading = page.getByRole('heading', { level: 1 });
    // The first one leads to where the portal begins.
    for (const link of (await links.all()).slice(1)) {
      const before = (await heading.textContent()) ?? '';
      const name = (await link.textContent()) ?? '';
      // Those of a menu that is closed, too.
      await link.dispatchEvent('click');
      await expect(heading, name).not.toHaveText(before);
      await expectSound(page, name, width);
    }
    for (const path of FORMS) {
      await arrive(page, path);
      await expectSound(page, path, width);
    }
  });
}

/** Headings and buttons of which a part is cut off or beside the screen, but for those of slides that wait their turn. */
function cutParts(): string[] {
  const parts = document.querySelectorAll<HTMLElement>('h1, h2, h3, .button, button');
  return [...parts].flatMap((part) => {
    const { left, right, width } = part.getBoundingClientRect();
    if (
      width <= 1 ||
      !part.checkVisibility() ||
      part.closest('[inert], [aria-roledescription], .filters, .chart-area, .sr-only')
    )
      return [];
    const { overflowX, webkitLineClamp } = getComputedStyle(part);
    const isCut =
      overflowX !== 'visible' && webkitLineClamp === 'none' && part.scrollWidth > part.clientWidth + 1;
    const isBeside = left < -1 || right > document.documentElement.clientWidth + 1;
    return isCut || isBeside ? [`${part.tagName} ${part.textContent}`] : [];
  });
}

test('every page fits in 320 px, and in letters of twice the size, with its headings and buttons whole', async ({
  visit,
}) => {
  const { page, troubles } = await visit(site, { viewport: { width: 320, height: 640 }, ...STILL });
  for (const path of PUBLIC) {
    await arrive(page, path);
    for (const [letters, width] of [
      ['100%', 320],
      ['200%', 640],
    ] as const) {
      await page.setViewportSize({ width, height: 640 });
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), letters);
      const name = `${path} at ${width} px, ${letters}`;
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(
        width,
      );
      expect(await page.evaluate(cutParts), name).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
  }
  expect(troubles.splice(0)).toEqual(GONE.map(() => refused(404)));
});

test('menus, dialogs and notices are without a violation', async ({ visit }) => {
  const { page } = await visit(site, { ...DESKTOP, ...STILL });
  await arrive(page, '/');
  await page.getByRole('button', { name: 'Informations utiles' }).click();
  expect(await violationsOn(page), 'submenu').toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await violationsOn(page), 'menu of a phone').toEqual([]);

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
  await page.goto(`/portail?panneau=une-modifier`);
  await page.getByRole('button', { name: 'Modifier', exact: true }).click();
  await expect(page.getByRole('alert').getByText('Veuillez sélectionner un élément À la Une.')).toBeVisible();
  expect(await violationsOn(page), 'notice').toEqual([]);
  await page.getByLabel('Élément À la Une').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Supprimer' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  expect(await violationsOn(page), 'question').toEqual([]);
  await page.keyboard.press('Escape');

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('séjours');
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  expect(await violationsOn(page), 'search').toEqual([]);
  await page.keyboard.press('Escape');

  await page.goto(`/portail?panneau=actualite-creer`);
  await page.getByRole('button', { name: 'Publier' }).click();
  await expect(page.getByText('Ce champ est obligatoire.')).toHaveCount(2);
  expect(await violationsOn(page), 'errors').toEqual([]);
});
