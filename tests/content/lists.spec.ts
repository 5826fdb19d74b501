import { expect, type Page } from '@playwright/test';
import { violationsOf } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { ask, DESKTOP, enterPortal, PHONE, publish, test } from '#tests/browser/visit.ts';

/* The lists of the portal: what stands in a row, what is searched, shown and sorted, what is done with several rows. */

let site: RunningSite;
let token: string;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
});
test.afterAll(() => site?.stop());

const rows = (page: Page, list: string) => page.getByRole('region', { name: list }).getByRole('listitem');
const said = (page: Page, text: string) => page.getByRole('status').getByText(text);
const addNews = (titre: string, more: Record<string, string> = {}) =>
  publish(site, token, '/actualites', { titre, description: `Le texte de ${titre}`, ...more });

for (const [screen, options] of [
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const) {
  test(`${screen}: a draft is begun with its title alone, found in the list, and published`, async ({
    visit,
  }) => {
    const title = `La fête du ${screen}`;
    const { page, troubles } = await enterPortal(visit, site, options, '/portail?panneau=actualite-creer');
    await page.getByLabel('Titre', { exact: true }).fill(title);
    await page.getByRole('button', { name: 'Enregistrer comme brouillon' }).click();
    await expect(said(page, 'Brouillon enregistré')).toBeVisible();
    await expect(page).toHaveURL(/\/actu-modify\/\d+$/);

    await page.goto('/portail?panneau=actualites');
    const row = rows(page, 'Liste').filter({ hasText: title });
    await expect(row).toContainText('Brouillon');
    expect(await violationsOf(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(width).toBeLessThanOrEqual(0);

    // Anywhere on the row.
    await row.click({ position: { x: 200, y: 20 } });
    await expect(page.getByLabel('Titre', { exact: true })).toHaveValue(title);
    await page.getByRole('button', { name: 'Publier', exact: true }).click();
    await expect(page.getByLabel('Description')).toBeFocused();
    await page.getByLabel('Description').fill('Elle aura lieu samedi.');
    await page.getByRole('button', { name: 'Publier', exact: true }).click();
    await expect(said(page, 'Actualité ajoutée avec succès')).toBeVisible();
    const visitor = await visit(site, options);
    await visitor.page.goto('/');
    await expect(visitor.page.getByRole('heading', { name: title })).toBeVisible();
    expect(troubles).toEqual([]);
  });
}

test('what is searched, shown and sorted stands in the address, and Back finds it again', async ({
  visit,
}) => {
  for (const name of ['Zèbre', 'Guépard', 'Loutre', 'Loup', 'Lynx']) await addNews(`Mont ${name}`);
  await addNews('Mont Lièvre', { publie_du: '2199-01-01T08:00' });
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualites');
  const list = rows(page, 'Liste');
  await page.getByLabel('Filtrer la liste').fill('mont L');
  await expect(list).toHaveCount(4);
  await expect(page.getByLabel('Filtrer la liste')).toBeFocused();
  await page.getByLabel('Trier').selectOption('De A à Z');
  await expect(list.getByRole('link', { name: /^Mont / })).toHaveText([
    'Mont Lièvre',
    'Mont Loup',
    'Mont Loutre',
    'Mont Lynx',
  ]);
  await page.getByLabel('Montrer').selectOption('programmes');
  await expect(list).toHaveText([
    /Mont Lièvre.*Mise en ligne programmée pour le 1er janvier 2199.*Programmé/s,
  ]);
  await expect(page).toHaveURL('/portail?panneau=actualites&q=mont+L&tri=titre&montrer=programmes');
  await list.getByRole('link', { name: 'Mont Lièvre' }).click();
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('Mont Lièvre');
  await page.goBack();
  await expect(list).toHaveText([/Mont Lièvre/]);
  await expect(page.getByLabel('Filtrer la liste')).toHaveValue('mont L');
  await page.getByLabel('Filtrer la liste').fill('tortue');
  await expect(list).toHaveCount(0);
  await expect(page.getByText('Rien ne correspond, sur 1 actualité.')).toBeVisible();
});

test('saving leads back to the list as it was filtered, or to the public page, and says from when on it is seen', async ({
  visit,
}) => {
  for (const name of ['Castor', 'Chamois', 'Cigogne', 'Corbeau', 'Crabe', 'Criquet'])
    await addNews(`Lac ${name}`);
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualites');
  const title = page.getByLabel('Titre', { exact: true });
  const save = () => page.getByRole('button', { name: 'Modifier', exact: true }).click();
  await page.getByLabel('Filtrer la liste').fill('lac');
  await rows(page, 'Liste').getByRole('link', { name: 'Lac Castor', exact: true }).click();
  await title.fill('Lac Castor et Pollux');
  await save();
  await expect(page).toHaveURL('/portail?panneau=actualites&q=lac');
  await expect(page.getByLabel('Filtrer la liste')).toHaveValue('lac');
  await expect(rows(page, 'Liste').filter({ hasText: 'Lac Castor et Pollux' })).toBeVisible();
  await expect(said(page, 'Actualité modifiée avec succès')).toBeVisible();
  await page.getByRole('button', { name: 'Voir sur le site' }).click();

  await expect(page).toHaveURL(/actualite=\d+$/);
  const seen = page.url();
  await page.getByRole('link', { name: 'Modifier' }).click();
  await title.fill('Lac des deux castors');
  await save();
  await expect(page).toHaveURL(seen);
  await expect(page.getByRole('heading', { name: 'Lac des deux castors' })).toBeVisible();
  await expect(said(page, 'Actualité modifiée avec succès')).toBeVisible();

  // What visitors will see later has no page to go back to: the way of the specification.
  await page.getByRole('link', { name: 'Modifier' }).click();
  await page.getByText('Dates de publication').click();
  await page.getByLabel('Publié à partir du').fill('2199-03-02T07:30');
  await save();
  await expect(page).toHaveURL('/portail');
  await expect(said(page, 'Mise en ligne programmée pour le 2 mars 2199 à 7 h 30')).toBeVisible();
  await page.getByRole('button', { name: 'Revoir ses dates' }).click();
  await expect(page.getByLabel('Publié à partir du')).toHaveValue('2199-03-02T07:30');

  // By the two steps of the specification as well.
  await page.goto('/portail?panneau=actualite-modifier');
  const chosen = page.getByRole('option', { name: /^Lac Chamois/ });
  await page.getByLabel('Actualité').selectOption(await chosen.getAttribute('value'));
  await save();
  await title.fill('Lac aux chamois');
  await save();
  await expect(page).toHaveURL('/portail');
});

test('several are put into the bin at once, seen there, and taken back', async ({ visit }) => {
  for (const name of ['un', 'deux', 'trois']) await addNews(`Essai ${name}`);
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=actualites&q=essai');
  const list = rows(page, 'Liste');
  await page.getByLabel('Cocher Essai un').check();
  await page.getByLabel('Cocher Essai trois').check();
  await page.getByRole('button', { name: 'Mettre à la corbeille', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Mettre à la corbeille : 2 actualités ?' });
  await question.getByRole('button', { name: 'Mettre à la corbeille' }).click();
  await expect(list).toHaveText([/Essai deux/]);
  expect(await (await ask(site, token, 'GET /corbeille')).json()).toHaveLength(2);

  await page.getByLabel('Montrer').selectOption('corbeille');
  await expect(list).toHaveCount(2);
  await page.getByLabel('Tout cocher').check();
  await page.getByRole('button', { name: 'Restaurer', exact: true }).first().click();
  await expect(list).toHaveCount(0);
  await page.getByLabel('Montrer').selectOption('');
  await expect(list).toHaveCount(3);
});

test('minutes and logos are corrected where they are', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=logos');
  await publish(site, token, '/logos', { nom: 'Mutuelle', url_site: 'https://exemple.fr/' });
  await page.reload();
  await rows(page, 'Liste').getByRole('link', { name: 'Mutuelle' }).click();
  // The list's own form, for a new logo, has such a field too.
  await expect(page.getByLabel('Nom')).toHaveValue('Mutuelle');
  await page.getByLabel('Nom').fill('Mutuelle des Alpes');
  await page.getByRole('button', { name: 'Modifier', exact: true }).click();
  await expect(said(page, 'Logo modifié avec succès')).toBeVisible();
  await expect(page).toHaveURL('/portail?panneau=logos');
  await expect(rows(page, 'Liste')).toHaveText([/Mutuelle des Alpes/]);
});

test('a list of thousands shows its first rows, and finds the last one', async ({ visit }) => {
  const five = Array.from({ length: 120 }, (_, index) => index);
  for (const index of five) {
    await publish(site, token, '/create-employes', {
      prenom: 'Camille',
      nom: `Nom${index}`,
      poste: 'Animatrice',
      email: `c${index}@example.org`,
    });
  }
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail?panneau=employes');
  const list = rows(page, 'Liste');
  await expect(list).toHaveCount(50);
  await page.getByRole('button', { name: 'Afficher la suite (70)' }).click();
  await expect(list).toHaveCount(100);
  await page.getByLabel('Filtrer la liste').fill('nom119');
  await expect(list).toHaveText([/Camille Nom119/]);
  // Names of people stay out of the address.
  await expect(page).toHaveURL('/portail?panneau=employes');
});

test('children change stays, together, and come back', async ({ visit }) => {
  const stay = async (nom_stage: string): Promise<number> => {
    const dates = { date_debut: '2199-07-06', date_fin: '2199-07-20' };
    return (await (await ask(site, token, 'POST /stages', { nom_stage, ...dates })).json()).id;
  };
  const [from, to] = [await stay('Le lac'), await stay('La mer')];
  for (const prenom of ['Lina', 'Noé', 'Zoé'])
    await ask(site, token, 'POST /add-stagiaire', {
      nom: 'Martin',
      prenom,
      mailRL: 'm@example.org',
      stageId: from,
    });
  const { page } = await enterPortal(
    visit,
    site,
    DESKTOP,
    `/portail?panneau=sejours&sejour=${from}&onglet=enfants`,
  );
  const list = rows(page, 'Enfants de ce séjour');
  await page.getByRole('checkbox', { name: 'Martin Lina' }).check();
  await page.getByRole('checkbox', { name: 'Martin Zoé' }).check();
  await page.getByRole('button', { name: 'Changer de séjour' }).click();
  const question = page.getByRole('alertdialog', { name: 'Changer de séjour : 2 enfants ?' });
  await question.getByLabel('Nouveau séjour').selectOption(String(to));
  await question.getByRole('button', { name: 'Changer de séjour' }).click();
  await expect(said(page, '2 enfants inscrits désormais à « La mer »')).toBeVisible();
  await expect(list).toHaveText([/Martin Noé/]);
  await page.getByRole('button', { name: 'Annuler', exact: true }).click();
  await expect(list).toHaveCount(3);

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('table')).toBeVisible();
  await expect(list.first()).toBeHidden();
});
