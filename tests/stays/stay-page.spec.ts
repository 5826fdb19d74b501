import { expect, type Page } from '@playwright/test';
import { violationsOf } from '#tests/browser/axe.ts';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { addStay, ask, DESKTOP, enterPortal, type OpenStay, SCREENS, test } from '#tests/browser/visit.ts';

/** The shorter ways of a secretary: the board, the page of a stay, and finding people. */

let site: RunningSite;
let token: string;
let stay: OpenStay;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
  stay = await addStay(site, token, 'Cap sur les îles');
  await addStay(site, token, 'Cabanes et rivières');
  for (const [prenom, nom] of [
    ['Éloïse', 'Lefèvre'],
    ['Max', 'Petit'],
  ])
    await ask(site, token, 'POST /add-stagiaire', {
      nom,
      prenom,
      mailRL: `${prenom}@exemple.fr`.replaceAll(/[^a-zA-Z@.]/g, 'e'),
      stageId: stay.id,
    });
});
test.afterAll(() => site?.stop());

async function expectSound(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
}

for (const { screen, options } of SCREENS) {
  test(`each gap of the board leads to where it is filled ${screen}`, async ({ visit }) => {
    const { page } = await enterPortal(visit, site, { ...options, reducedMotion: 'reduce' }, '/portail');
    const board = page.getByRole('region', { name: 'Préparer les séjours' });
    await expect(board).toContainText('Il manque quelque chose à ces 2 séjours.');
    await expectSound(page);
    await board
      .getByRole('row', { name: stay.nom_stage })
      .getByRole('link', { name: 'Directeur\u202f: Aucun' })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: stay.nom_stage })).toBeVisible();
    const tabs = page.getByRole('navigation', { name: 'Ce séjour' });
    await expect(tabs.getByRole('link', { name: /^Directeurs/ })).toHaveAttribute('aria-current', 'page');
    await page.getByLabel('Type').selectOption('Centre');
    await page.getByLabel('Nom', { exact: true }).fill('Kone');
    await page.getByLabel('Prénom').fill('Awa');
    await page.getByLabel('E-mail', { exact: true }).fill(`awa${options.viewport.width}@exemple.fr`);
    await page.getByLabel('Téléphone').fill('06 12 34 56 78');
    await page.getByRole('button', { name: 'Ajouter' }).click();
    // The state above follows.
    await expect(tabs.getByRole('link', { name: /^Directeurs ?, 1 directeur$/ })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Kone Awa' })).toBeVisible();
    await expectSound(page);
    await ask(site, token, 'POST /formateurs/delete', {
      nom: 'Kone',
      prenom: 'Awa',
      mail: `awa${options.viewport.width}@exemple.fr`,
    });
  });

  test(`the page of a stay does it all without choosing the stay again ${screen}`, async ({ visit }) => {
    const address = `/portail?panneau=sejours&sejour=${stay.id}&onglet=enfants`;
    const { page } = await enterPortal(visit, site, { ...options, reducedMotion: 'reduce' }, address);
    // The cookie that opens private files.
    await page.request.post('/api/api/loginAdmin', { data: ADMIN });
    const tabs = page.getByRole('navigation', { name: 'Ce séjour' });
    await expect(tabs.getByRole('link')).toHaveText([
      /^Enfants2, 2 enfants/,
      /^DirecteursAucun, Aucun directeur$/,
      /^Codes/,
      /^Photos/,
      'Livrets',
      'Étiquettes',
      'Bilan et avis',
      /^RéglagesIl en manque \d, Informations pratiques à compléter$/,
    ]);
    for (const [tab, shown] of [
      ['Enfants', '2 enfants'],
      ['Codes', 'Mots de passe'],
      ['Photos', 'Photos du séjour'],
      ['Livrets', 'Livrets en ligne'],
      ['Étiquettes', 'Préparer les étiquettes'],
      ['Bilan et avis', 'Télécharger le rapport'],
      ['Réglages', 'Informations pratiques'],
    ] as const) {
      await tabs.getByRole('link', { name: tab }).click();
      await expect(tabs.getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page');
      await expect(page.getByRole('main').getByText(shown).last()).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(stay.nom_stage);
      await expect(page.getByRole('combobox', { name: 'Séjour' })).toHaveCount(0);
      await expectSound(page);
    }
    await tabs.getByRole('link', { name: 'Codes' }).click();
    await page.getByRole('button', { name: 'Afficher le mot de passe Famille' }).click();
    await expect(page.getByRole('textbox', { name: 'Mot de passe Famille' })).toHaveValue(stay.family);
    await tabs.getByRole('link', { name: 'Étiquettes' }).click();
    await page.getByRole('button', { name: 'Préparer les étiquettes' }).click();
    await expect(page.getByRole('heading', { name: '2 étiquettes sur 1 feuille' })).toBeVisible();
  });
}

test('a stay that does not exist is said', async ({ visit }) => {
  const { page, troubles } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=sejours&sejour=999');
  await expect(page.getByRole('heading', { level: 1, name: 'Séjour introuvable' })).toBeVisible();
  troubles.length = 0;
});

test('two letters and Enter lead to a child; the arrow keys to what else can be done', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, { ...DESKTOP, reducedMotion: 'reduce' }, '/portail');
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('eloi');
  const child = page.getByRole('gridcell', { name: 'Éloïse Lefèvre' });
  await expect(child).toHaveAttribute('aria-selected', 'true');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('form', { name: 'Modifier Éloïse Lefèvre' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(stay.nom_stage);

  await page.keyboard.press('ControlOrMeta+K');
  // What fewer letters found is there before, and goes while these are searched.
  const answered = page.waitForResponse((response) => /recherche\?q=cap(\+|%20)sur$/.test(response.url()));
  await page.keyboard.type('cap sur');
  await answered;
  await expect(page.getByRole('gridcell', { name: 'Cap sur les îles' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  for (let key = 0; key < 3; key++) await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('gridcell', { name: 'Envoyer les codes' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/panneau=sejours&sejour=\d+&onglet=codes$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(stay.nom_stage);

  // A field of the settings, by its name.
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('siren');
  await page.getByRole('gridcell', { name: 'SIREN' }).click();
  await expect(page.getByLabel('SIREN')).toBeFocused();

  // Words that no menu has.
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('rgpd');
  await expect(page.getByRole('gridcell', { name: 'Données personnelles' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});
