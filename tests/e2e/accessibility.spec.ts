import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { type RunningSite, startSite } from './site.ts';
import { arrive, ask, DESKTOP, putExampleIn, refused, SCREENS, test } from './visit.ts';

let site: RunningSite;
let token: string;

test.beforeAll(async () => {
  site = await startSite('sqlite');
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
  await putExampleIn(site, token);
});
test.afterAll(() => site.stop());

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
const PANELS = [
  'accueil',
  'employe-creer',
  'employe-modifier',
  'evenement-creer',
  'evenement-modifier',
  'actualite-creer',
  'actualite-modifier',
  'une-creer',
  'une-modifier',
  'avantage-creer',
  'avantage-modifier',
  'logos',
  'documents',
  'sejours',
  'sejours-importer',
  'familles-importer',
  'directeurs',
  'sejours-affecter',
  'familles',
  'mots-de-passe',
  'livrets',
  'photos',
  'messages',
  'administrateurs',
  'reglages',
  'journal',
  'corbeille',
];
const FORMS = ['employe', 'event', 'actu', 'une', 'avantage'].map((name) => `/${name}-modify/1`);
const PORTAL = [...PANELS.map((key) => `/portail?panneau=${key}`), ...FORMS];

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

for (const { screen, options } of SCREENS) {
  for (const [what, paths] of [
    ['page', PUBLIC],
    ['panel and form', PORTAL],
  ] as const) {
    test(`every ${what} is without a violation ${screen}, asks nobody else, and fits`, async ({ visit }) => {
      test.setTimeout(120_000);
      const { page, troubles } = await visit(site, { ...options, ...STILL });
      await arrive(page, '/');
      if (paths === PORTAL) await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
      for (const path of paths) {
        await arrive(page, path);
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
        await expect(page.getByText('Chargement…')).toHaveCount(0);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width, path).toBeLessThanOrEqual(options.viewport.width);
        expect(await violationsOn(page), `${path} ${screen}`).toEqual([]);
      }
      expect(troubles.splice(0)).toEqual(paths.filter((path) => GONE.includes(path)).map(() => refused(404)));
    });
  }
}

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
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(await violationsOn(page), 'search').toEqual([]);
  await page.keyboard.press('Escape');

  await page.goto(`/portail?panneau=actualite-creer`);
  await page.getByRole('button', { name: 'Publier' }).click();
  await expect(page.getByText('Ce champ est obligatoire.')).toHaveCount(2);
  expect(await violationsOn(page), 'errors').toEqual([]);
});
