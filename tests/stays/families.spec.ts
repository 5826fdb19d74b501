import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { NIGHT_RULES, violationsOf } from '#tests/browser/axe.ts';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { ask, DESKTOP, type OpenVisit, refused, SCREENS, test } from '#tests/browser/visit.ts';
import { page as pageOf, pdf } from '#tests/support/pdfs.ts';

let site: RunningSite;
let token: string;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
});
test.afterAll(() => site?.stop());

/** A tab of a signed-in admin. */
async function enter(visit: OpenVisit, options: BrowserContextOptions, address: string) {
  const { page, troubles } = await visit(site, { ...options, reducedMotion: 'reduce' });
  const answer = await page.request.post('/api/api/loginAdmin', { data: ADMIN });
  const { tokenAdmin } = (await answer.json()) as { tokenAdmin: string };
  await page.addInitScript((value) => localStorage.setItem('adminToken', value), tokenAdmin);
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return { page, troubles };
}

async function add(path: string, body: Record<string, string>): Promise<number> {
  const answer = await ask(site, token, `POST ${path}`, body);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: number }).id;
}
const addStay = (nom_stage: string) =>
  add('/stages', { nom_stage, date_debut: '2027-07-06', date_fin: '2027-07-20' });
const addChild = (stageId: number, nom: string, consentement_image = 'oui') =>
  add('/add-stagiaire', {
    nom,
    prenom: 'Lina',
    mailRL: 'famille@example.org',
    consentement_image,
    stageId: String(stageId),
  });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const warned = (page: Page, text: string) => page.getByRole('alert').getByText(text, { exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const child = (page: Page, name: string) => page.getByRole('checkbox', { name });
const dialog = (page: Page, name: string) => page.getByRole('alertdialog', { name });

/** Nothing that axe finds wrong by day and by night, and nothing wider than the screen. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page, colorScheme === 'dark' ? NIGHT_RULES : undefined)).toEqual([]);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}

for (const { screen, options } of SCREENS) {
  test(`${screen} staff add, change and take off the children of a stay`, async ({ visit }) => {
    const name = `Lac ${screen}`;
    const id = await addStay(name);
    const { page, troubles } = await enter(visit, options, '/portail?panneau=familles');
    await button(page, 'Supprimer tous les enfants de ce séjour').click();
    await expect(warned(page, 'Veuillez sélectionner un séjour.')).toBeVisible();
    await expect(field(page, 'Séjour')).toBeFocused();

    await field(page, 'Séjour').selectOption(String(id));
    await expect(page).toHaveURL(`/portail?panneau=familles&sejour=${id}`);
    await expect(field(page, 'Séjour')).toBeFocused();
    await expect(page.getByText('Aucun enfant pour le moment.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Importez un fichier', exact: true })).toHaveAttribute(
      'href',
      `/portail?panneau=familles-importer&sejour=${id}`,
    );
    await button(page, 'Ajouter un enfant').click();
    await expect(field(page, 'Nom')).toBeFocused();
    await button(page, 'Ajouter').click();
    await expect(warned(page, 'Tous les champs sont nécessaires pour ajouter un stagiaire.')).toBeVisible();
    await expectAccessible(page);
    for (const prenom of ['Lina', 'Noé']) {
      await field(page, 'Nom').fill('Martin');
      await field(page, 'Prénom').fill(prenom);
      await field(page, 'E-mail').fill(`${prenom === 'Noé' ? 'noe' : 'lina'}@example.org`);
      await button(page, 'Ajouter').click();
      await expect(said(page, 'Nouveau stagiaire ajouté avec succès')).toBeVisible();
      // On to the next one.
      await expect(field(page, 'Prénom')).toHaveValue('');
      await expect(field(page, 'Nom')).toBeFocused();
    }
    await button(page, 'Annuler').click();
    await expect(page.getByText('2 enfants, dont l’accord est inconnu')).toBeVisible();

    await button(page, 'Modifier').click();
    await expect(warned(page, 'Veuillez sélectionner un stagiaire pour mettre à jour.')).toBeVisible();
    await button(page, 'Supprimer').click();
    await expect(warned(page, 'Veuillez sélectionner une famille à supprimer.')).toBeVisible();
    await expectAccessible(page);
    await child(page, 'Martin Noé').check();
    await expect(warned(page, 'Veuillez sélectionner une famille à supprimer.')).toHaveCount(0);
    await button(page, 'Modifier').click();
    await field(page, 'Second e-mail').fill('papa@example.org');
    await field(page, 'Droit à l’image').selectOption('Non');
    await button(page, 'Enregistrer').click();
    await expect(said(page, 'Stagiaire mis à jour avec succès')).toBeVisible();
    await expect(child(page, 'noe@example.org, papa@example.org Sans droit à l’image')).toBeChecked();

    await button(page, 'Supprimer').click();
    await dialog(page, 'Supprimer Noé Martin de ce séjour ?')
      .getByRole('button', { name: 'Supprimer' })
      .click();
    await expect(said(page, 'Famille supprimée avec succès')).toBeVisible();
    await expect(child(page, 'Martin Noé')).toHaveCount(0);
    await page.reload();
    await expect(child(page, 'Martin Lina')).toBeVisible();
    expect(troubles).toEqual([]);
  });

  test(`${screen} booklets are sent, replaced after a question, opened and deleted`, async ({ visit }) => {
    const name = `Trousseau d’été ${screen}.pdf`;
    const { page, troubles } = await enter(visit, options, '/portail?panneau=livrets');
    const give = (fileName: string, text: string) =>
      field(page, 'Livret').setInputFiles({
        name: fileName,
        mimeType: 'application/pdf',
        buffer: pdf({ plain: pageOf('', text) }),
      });
    await button(page, 'Envoyer').click();
    await expect(page.getByText('Choisissez un fichier.')).toBeVisible();
    await give(name, 'un');
    await button(page, 'Envoyer').click();
    await expect(said(page, 'Livret téléchargé avec succès')).toBeVisible();
    const link = page.getByRole('link', { name: `${name} (nouvel onglet)` });
    const opened = async () => (await page.request.get((await link.getAttribute('href')) ?? '')).text();
    expect(await opened()).toContain('(un)');
    await expectAccessible(page);

    const question = dialog(page, `Remplacer le livret « ${name} » ?`);
    await give(name.toUpperCase(), 'deux');
    await button(page, 'Envoyer').click();
    await question.getByRole('button', { name: 'Annuler' }).click();
    expect(await opened()).toContain('(un)');
    await button(page, 'Envoyer').click();
    await question.getByRole('button', { name: 'Remplacer' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: /^TROUSSEAU/ })).toHaveCount(1);
    const [path] = await page
      .getByRole('link', { name: /^TROUSSEAU/ })
      .evaluateAll((all) => (all as HTMLAnchorElement[]).map(({ href }) => href));
    expect(await (await page.request.get(path ?? '')).text()).toContain('(deux)');

    await button(page, `Supprimer ${name.toUpperCase()}`).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
    await expect(said(page, 'Fichier supprimé avec succès')).toBeVisible();
    await expect(page.getByRole('link', { name: /^TROUSSEAU/ })).toHaveCount(0);
    expect(troubles).toEqual([]);
  });
}

for (const { screen, options } of SCREENS) {
  test(`${screen} a booklet of one stay is sent from its page, and says whose it is`, async ({ visit }) => {
    const [sea, snow] = [await addStay(`Océan ${screen}`), await addStay(`Glacier ${screen}`)];
    const common = `Règles ${screen}.pdf`;
    const own = `Trajet ${screen}.pdf`;
    const { page, troubles } = await enter(visit, options, '/portail?panneau=livrets');
    const give = (name: string) =>
      field(page, 'Livret').setInputFiles({
        name,
        mimeType: 'application/pdf',
        buffer: pdf({ plain: pageOf('', 'un') }),
      });
    const send = async (name: string) => {
      await give(name);
      await button(page, 'Envoyer').click();
    };
    const sent = () => expect(said(page, 'Livret téléchargé avec succès')).toBeVisible();
    const line = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await send(common);
    await sent();

    // Two presses on the page of the stay: the file, and to send it.
    await page.goto(`/portail?panneau=sejours&sejour=${sea}&onglet=livrets`);
    await expect(page.getByText('Aucun livret pour ce séjour.')).toBeVisible();
    await send(own);
    await sent();
    await expect(button(page, `Supprimer ${own}`)).toBeVisible();
    await expect(line(common)).toBeVisible();
    await expect(button(page, `Supprimer ${common}`)).toHaveCount(0);
    await expectAccessible(page);
    await send(common);
    const question = dialog(page, `Remplacer le livret « ${common} » ?`);
    await expect(question).toContainText(
      /pour tous les séjours\s: son fichier sera effacé définitivement\. Le nouveau sera pour «\sOcéan/,
    );
    await question.getByRole('button', { name: 'Annuler' }).click();
    await field(page, 'Livret').setInputFiles([]);

    await page.goto('/portail?panneau=livrets');
    await expect(line(own)).toContainText(`Pour Océan ${screen} — `);
    await expect(line(common)).not.toContainText('Pour');
    await expectAccessible(page);
    await field(page, 'Séjour').selectOption(String(snow));
    await send(own);
    const moving = dialog(page, `Remplacer le livret « ${own} » ?`);
    await expect(moving).toContainText(/pour «\sOcéan .*Le nouveau sera pour «\sGlacier/);
    await moving.getByRole('button', { name: 'Remplacer' }).click();
    await sent();
    await expect(line(own)).toContainText(`Pour Glacier ${screen} — `);

    // Staff who look at a stay as a family does see what its family sees.
    await page.goto(`/stage-details/${sea}`);
    await expect(page.getByRole('link', { name: /^Règles/ }).first()).toBeVisible();
    await expect(page.getByRole('link', { name: own.replace('.pdf', '') })).toHaveCount(0);
    await page.goto(`/stage-details/${snow}`);
    await expect(page.getByRole('link', { name: own.replace('.pdf', '') })).toBeVisible();
    expect(troubles).toEqual([]);
  });
}

test('the stay chosen is the one that the address names', async ({ visit }) => {
  const [lake, forest] = [await addStay('Lac'), await addStay('Forêt')];
  const { page } = await enter(visit, DESKTOP, `/portail?panneau=familles&sejour=${lake}`);
  await expect(field(page, 'Séjour')).toHaveValue(String(lake));
  await field(page, 'Séjour').selectOption(String(forest));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Forêt' })).toBeVisible();
  await page.goto('/portail?panneau=familles');
  await field(page, 'Séjour').selectOption(String(forest));
  await page.getByRole('link', { name: 'Familles', exact: true }).click();
  await expect(page).toHaveURL('/portail?panneau=familles');
  await expect(field(page, 'Séjour')).toHaveValue('');
  await expect(page.getByRole('heading', { name: 'Forêt' })).toHaveCount(0);
});

test('a stay of many is searched, and emptied once the word is typed', async ({ visit }) => {
  const id = await addStay('Colonie de cinquante');
  for (let index = 0; index < 50; index++) await addChild(id, `Enfant ${index}`, index < 3 ? 'non' : 'oui');
  const { page } = await enter(visit, DESKTOP, `/portail?panneau=familles&sejour=${id}`);
  await expect(page.getByText('50 enfants, dont 3 sans droit à l’image')).toBeVisible();
  const children = page.getByRole('region', { name: 'Enfants de ce séjour' }).getByRole('listitem');
  await page.getByLabel('Rechercher un nom ou une adresse').fill('lina ENFANT 4');
  await expect(children).toHaveCount(14);
  await page.getByLabel('Montrer').selectOption('Sans droit à l’image (3)');
  await expect(page.getByText('Rien ne correspond, sur 3 enfants.')).toBeVisible();
  await page.getByLabel('Rechercher un nom ou une adresse').fill('');
  await expect(children).toHaveCount(3);

  await button(page, 'Supprimer tous les enfants de ce séjour').click();
  const question = dialog(page, 'Êtes-vous sûr de vouloir supprimer tous les stagiaires pour ce séjour ?');
  await expect(question).toContainText('50 enfants');
  const yes = question.getByRole('button', { name: 'Supprimer' });
  const word = question.getByLabel('Pour confirmer, tapez SUPPRIMER');
  await yes.click({ force: true });
  await expect(word).toBeFocused();
  await expect(word).toHaveAccessibleDescription('Tapez SUPPRIMER pour confirmer.');
  await expectAccessible(page);
  await word.fill('supprimer');
  await page.keyboard.press('Enter');
  await expect(said(page, 'Stagiaires supprimés avec succès')).toBeVisible();
  await expect(page.getByText('Aucun enfant pour le moment.')).toBeVisible();
});

test('a form older than what somebody else saved says so, and its texts stay', async ({ visit }) => {
  const stay = await addStay('Montagne');
  const id = await addChild(stay, 'Petit');
  const { page, troubles } = await enter(visit, DESKTOP, `/portail?panneau=familles&sejour=${stay}`);
  await child(page, 'Petit Lina').check();
  await button(page, 'Modifier').click();
  await field(page, 'Prénom').fill('Lina Rose');
  await ask(site, token, `PUT /update/${id}`, { nom: 'Grand', prenom: 'Lina', mailRL: 'neuve@example.org' });
  await button(page, 'Enregistrer').click();
  await expect(warned(page, 'Cette fiche a été modifiée entre-temps par quelqu’un d’autre.')).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(409)]);
  await expect(page.getByText('Lina Grand, neuve@example.org, photos autorisées')).toBeVisible();
  await page.getByRole('button', { name: 'Réglages et santé' }).click();
  await page.getByRole('link', { name: 'Journal' }).click();
  await expect(page.getByText('Ce que vous avez saisi pour cet enfant sera perdu.')).toBeVisible();
  await button(page, 'Rester').click();
  await button(page, 'Enregistrer').click();
  await expect(said(page, 'Stagiaire mis à jour avec succès')).toBeVisible();
  await expect(child(page, 'Petit Lina Rose')).toBeVisible();
});
