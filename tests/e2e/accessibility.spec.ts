import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type RunningSite, startSite } from './site.ts';
import { arrive } from './visit.ts';

let site: RunningSite;
let token: string;

test.beforeAll(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await fetch(`${site.url}/api/api/reglages`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({
      organisation_nom: 'CSE Les Grands Pins',
      offres_emploi_url: 'https://example.org/',
    }),
  });
  await fetch(`${site.url}/api/api/exemple`, {
    method: 'POST',
    headers: { authorization: headers.authorization },
  });
  await expect
    .poll(
      async () =>
        (await (await fetch(`${site.url}/api/api/exemple`, { headers })).json()) as { etat: string },
      { timeout: 50_000 },
    )
    .toMatchObject({ etat: 'present' });
});
test.afterAll(() => site.stop());
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const PUBLIC = ['/', '/?actualite=1', '/?actualite=999999', '/pas-de-page-ici', '/connexion-portail'];
const PANELS = [
  'accueil',
  'actualite-creer',
  'actualite-modifier',
  'une-creer',
  'une-modifier',
  'logos',
  'administrateurs',
  'reglages',
  'journal',
  'corbeille',
];
const PORTAL = [...PANELS.map((key) => `/portail?panneau=${key}`), '/actu-modify/1', '/une-modify/1'];

/** What depends on the colours alone; the rest is the same by day and by night. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Everything that axe finds wrong in both colour schemes, in a form that says what and where. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const byDay = await new AxeBuilder({ page }).analyze();
  await page.emulateMedia({ colorScheme: 'dark' });
  const byNight = await new AxeBuilder({ page }).withRules(COLOUR_RULES).analyze();
  return [byDay, byNight].flatMap(({ violations }, index) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} (${index === 0 ? 'light' : 'dark'}): ${node.html}`),
    ),
  );
}

for (const width of [360, 1280]) {
  test(`every page and panel is without a violation at ${width} px, asks nobody else, and fits`, async ({
    page,
  }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height: 800 });
    const outside: string[] = [];
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (/^https?:$/.test(protocol) && origin !== site.url) outside.push(request.url());
    });
    for (const path of [...PUBLIC, ...PORTAL]) {
      if (path === PORTAL[0])
        await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
      await arrive(page, site.url + path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      await expect(page.getByText('Chargement…')).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(
        width,
      );
      expect(await violationsOn(page), `${path} at ${width}`).toEqual([]);
    }
    expect(outside).toEqual([]);
  });
}

test('menus, dialogs and notices are without a violation', async ({ page }) => {
  await arrive(page, site.url);
  await page.getByRole('button', { name: 'Informations utiles' }).click();
  expect(await violationsOn(page), 'submenu').toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await violationsOn(page), 'menu of a phone').toEqual([]);

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
  await page.goto(`${site.url}/portail?panneau=une-modifier`);
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
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(await violationsOn(page), 'search').toEqual([]);
  await page.keyboard.press('Escape');

  await page.goto(`${site.url}/portail?panneau=actualite-creer`);
  await page.getByRole('button', { name: 'Publier' }).click();
  await expect(page.getByText('Ce champ est obligatoire.')).toHaveCount(2);
  expect(await violationsOn(page), 'errors').toEqual([]);
});
