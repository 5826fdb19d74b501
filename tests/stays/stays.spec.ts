import { readFile } from 'node:fs/promises';
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import readWorkbook from 'read-excel-file/node';
import { openDatabase } from '#platform/server/db/open.ts';
import { violationsOf } from '#tests/browser/axe.ts';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { ask, DESKTOP, type OpenVisit, PHONE, refused, SCREENS, test } from '#tests/browser/visit.ts';

/** A stay is made, changed, looked up and deleted in the portal. */

let site: RunningSite;
let token: string;
test.beforeEach(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
});
test.afterEach(() => site.stop());

const LIST = '/portail?panneau=sejours';
const STAY = { nom_stage: 'Été à Oléron', date_debut: '2030-07-01', date_fin: '2030-07-20' };
const LABEL = 'Été à Oléron — du 1er au 20 juillet 2030';

/** A tab of a signed-in admin. */
async function enter(visit: OpenVisit, options: BrowserContextOptions, address: string) {
  const opened = await visit(site, { ...options, reducedMotion: 'reduce' });
  const { page } = opened;
  const answer = await page.request.post('/api/api/loginAdmin', { data: ADMIN });
  const { tokenAdmin } = (await answer.json()) as { tokenAdmin: string };
  await page.addInitScript((value) => localStorage.setItem('adminToken', value), tokenAdmin);
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return opened;
}

async function create(values: Record<string, string> = {}): Promise<number> {
  const answer = await ask(site, token, 'POST /stages', { ...STAY, ...values });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: number }).id;
}

/** Its photos are over since long ago, with the dates that its form was filled with. */
async function endPhotosOf(id: number): Promise<void> {
  const database = openDatabase({ directory: site.directory });
  const erased = {
    ...{ mdp_formateur: '', mdp_stagiaire: '', efface_le: '2031-02-03T10:00:00.000Z' },
    conservation_jours: -9_999,
  };
  await database.write((transaction) =>
    transaction.updateTable('stages').set(erased).where('id', '=', id).execute(),
  );
  await database.close();
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const said = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const warned = (page: Page, text: string) => page.getByRole('alert').getByText(text, { exact: true });
/** By the whole of its label. */
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

/** As it stands now, it reads well to everybody and fits the screen. */
async function expectSound(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
}

for (const { screen, options } of SCREENS) {
  test(`staff make a stay, change it and delete it ${screen}`, async ({ visit }) => {
    const { page, troubles } = await enter(visit, options, LIST);
    await expect(page.getByText('Aucun séjour pour le moment.')).toBeVisible();
    await expectSound(page);
    await page.getByRole('link', { name: 'Créer un séjour' }).click();
    await expect(heading(page, 'Créer un séjour')).toBeVisible();
    await field(page, 'Nom du séjour').fill('Été à Oléron');
    await field(page, 'Date de début').fill('2030-07-01');
    await field(page, 'Date de fin').fill('2030-06-20');
    await field(page, 'Adresse').fill('1, rue du Port');
    await button(page, 'Créer le séjour').click();
    await expect(warned(page, 'Erreur lors de la création du séjour')).toBeVisible();
    await expect(page.getByText('Le séjour finit avant de commencer.', { exact: true })).toBeVisible();
    await expect(field(page, 'Date de fin')).toBeFocused();
    expect(troubles.splice(0)).toEqual([refused(422)]);
    await expectSound(page);
    await field(page, 'Date de fin').fill('2030-07-20');
    await button(page, 'Créer le séjour').click();
    await expect(said(page, 'Séjour ajouté avec succès')).toBeVisible();

    await expect(page).toHaveURL(LIST);
    await expect(heading(page, 'À venir (1)')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Du 1er au 20 juillet 2030' })).toContainText(
      'aucun enfant, aucun directeur',
    );
    await page.getByRole('link', { name: `Modifier ${LABEL}` }).click();
    // Its address is its own: it can be opened again.
    await expect(page).toHaveURL(`${LIST}&sejour=1&onglet=reglages`);
    await page.reload();
    await expect(field(page, 'Adresse')).toHaveValue('1, rue du Port');
    await field(page, 'Consignes aux familles').fill('Un duvet.');
    await page.getByRole('link', { name: 'Tous les séjours' }).click();
    const leaving = page.getByRole('alertdialog', { name: 'Quitter sans enregistrer' });
    await leaving.getByRole('button', { name: 'Rester' }).click();
    await button(page, 'Modifier').click();
    await expect(said(page, 'Séjour modifié avec succès')).toBeVisible();
    await page.getByRole('link', { name: `Modifier ${LABEL}` }).click();
    await expect(field(page, 'Consignes aux familles')).toHaveValue('Un duvet.');
    await expectSound(page);

    await ask(site, token, 'POST /stages', { ...STAY, nom_stage: 'Un autre' });
    await field(page, 'Nom du séjour').fill('UN AUTRE');
    await button(page, 'Modifier').click();
    await expect(warned(page, 'Un séjour du même nom et aux mêmes dates existe déjà.')).toBeVisible();
    await expect(field(page, 'Nom du séjour')).toBeFocused();
    expect(troubles.splice(0)).toEqual([refused(409)]);

    await button(page, 'Supprimer').click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText('Avec lui partent ses mots de passe, son bilan et ses évaluations.');
    await dialog.getByRole('button', { name: 'Annuler' }).click();
    await button(page, 'Supprimer').click();
    await dialog.getByRole('button', { name: 'Supprimer définitivement' }).click();
    await expect(said(page, 'Séjour supprimé avec succès, avec ses mots de passe')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Un autre' })).toBeVisible();
    await expect(page.getByText('Été à Oléron')).toHaveCount(0);
    await page.goto(`${LIST}&sejour=1`);
    await expect(page.getByText('Ce séjour n’existe pas ou n’existe plus.')).toBeVisible();
    expect(troubles.splice(0)).toEqual([refused(404)]);
  });

  test(`staff look a password up, copy it and replace it ${screen}`, async ({ visit }) => {
    const id = await create();
    const { page } = await enter(visit, options, '/portail?panneau=mots-de-passe');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Afficher le mot de passe').click();
    await expect(warned(page, 'Veuillez sélectionner un séjour.')).toBeVisible();
    await expect(field(page, 'Séjour')).toBeFocused();
    await field(page, 'Séjour').selectOption(LABEL);
    await button(page, 'Afficher le mot de passe').click();
    const password = page.getByLabel(/^Mot de passe /);
    await expect(password).toBeFocused();
    const director = await password.inputValue();
    await field(page, 'Type').selectOption('Famille');
    await expect(password).toHaveCount(0);
    await button(page, 'Afficher le mot de passe').click();
    await expect(password).not.toHaveValue(director);
    const family = await password.inputValue();
    const answer = await ask(site, token, `GET /stage-passwords/${id}`);
    expect(await answer.json()).toEqual([{ mdp_formateur: director, mdp_stagiaire: family }]);
    await button(page, 'Copier').click();
    await expect(button(page, 'Copié')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(family);
    await expectSound(page);

    await button(page, 'Régénérer').click();
    const dialog = page.getByRole('alertdialog', { name: 'Remplacer le mot de passe Famille' });
    await expect(dialog).toContainText('les connexions faites avec lui prendront fin');
    await dialog.getByRole('button', { name: 'Régénérer' }).click();
    await expect(said(page, 'Nouveau mot de passe enregistré')).toBeVisible();
    await expect(password).not.toHaveValue(family);
    const replaced = await password.inputValue();

    const file = page.waitForEvent('download');
    await button(page, 'Télécharger tous les mots de passe').click();
    expect((await file).suggestedFilename()).toBe('mot_de_passe.xlsx');
    const [sheet] = await readWorkbook(await readFile(await (await file).path()));
    expect(sheet?.data[1]?.slice(4)).toEqual([director, replaced]);
  });

  test(`staff are led to the photos of a stay ${screen}`, async ({ visit }) => {
    const id = await create({ conservation_jours: '10' });
    const { page, troubles } = await enter(visit, options, '/portail?panneau=photos');
    await button(page, 'Modifier').click();
    await expect(warned(page, 'Veuillez sélectionner un séjour.')).toBeVisible();
    await field(page, 'Séjour').selectOption(LABEL);
    await button(page, 'Modifier').click();
    await expect(page).toHaveURL(`/photos-modify/${id}`);
    await expect(heading(page, 'Été à Oléron')).toBeVisible();
    const until = page.getByRole('term').filter({ hasText: 'Visibles jusqu’au' });
    await expect(until.locator('..')).toContainText('30 juillet 2030');
    await expectSound(page);
    await page.goto('/photos-modify/999999');
    await expect(page.getByText('Ce séjour n’existe pas ou n’existe plus.')).toBeVisible();
    expect(troubles.splice(0)).toEqual([refused(404)]);
  });
}

test('a password is shown under its own name or not at all, however late it comes', async ({ visit }) => {
  await create();
  const { page } = await enter(visit, DESKTOP, '/portail?panneau=mots-de-passe');
  const password = page.getByLabel(/^Mot de passe /);
  /** The next such request is held until the answer is called. */
  const holdNext = async (address: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(address, (route) => promise.then(() => route.continue()), { times: 1 });
    return resolve;
  };
  await field(page, 'Séjour').selectOption(LABEL);
  const letRead = await holdNext('**/stage-passwords/*');
  await button(page, 'Afficher le mot de passe').click();
  await field(page, 'Type').selectOption('Famille');
  letRead();
  await expect(button(page, 'Lecture…')).toHaveCount(0);
  await expect(password).toHaveCount(0);

  await button(page, 'Afficher le mot de passe').click();
  await expect(password).toBeVisible();
  const letReplace = await holdNext('**/regenerer');
  await button(page, 'Régénérer').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Régénérer' }).click();
  await field(page, 'Type').selectOption('Directeur');
  letReplace();
  await expect(said(page, 'Nouveau mot de passe enregistré')).toBeVisible();
  await expect(password).toHaveCount(0);
});

test('a password that is missing, blank or out of reach is said', async ({ visit }) => {
  await create();
  const { page, troubles } = await enter(visit, DESKTOP, '/portail?panneau=mots-de-passe');
  await field(page, 'Séjour').selectOption(LABEL);
  for (const [type, answer] of [
    ['Directeur', []],
    ['Famille', [{ mdp_formateur: 'lune-42', mdp_stagiaire: '' }]],
  ] as const) {
    await page.route('**/stage-passwords/*', (route) => route.fulfill({ json: answer }), { times: 1 });
    await field(page, 'Type').selectOption(type);
    await button(page, 'Afficher le mot de passe').click();
    await expect(warned(page, `Mot de passe non trouvé pour le type: ${type}`)).toBeVisible();
    await expect(page.getByLabel(/^Mot de passe /)).toHaveCount(0);
  }
  await page.route('**/stage-passwords/*', (route) => route.abort());
  await button(page, 'Afficher le mot de passe').click();
  await expect(warned(page, 'Erreur lors de la récupération du mot de passe.')).toBeVisible();
  expect(troubles.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
});

test('of a stay whose photos are over, each panel says what became of its people', async ({ visit }) => {
  const id = await create();
  await endPhotosOf(id);
  const text =
    'Les photos de ce séjour ne sont plus en ligne\u202f: elles ont été effacées le 3 février 2031, avec ses familles et ses mots de passe.';
  const { page } = await enter(visit, PHONE, '/portail?panneau=mots-de-passe');
  await field(page, 'Séjour').selectOption(LABEL);
  await button(page, 'Afficher le mot de passe').click();
  await expect(said(page, text)).toBeVisible();
  await expectSound(page);
  await page.goto(`/portail?panneau=familles&sejour=${id}`);
  await expect(page.getByText(text, { exact: true })).toBeVisible();
  await expect(button(page, 'Ajouter un enfant')).toHaveCount(0);
  await expectSound(page);
  await page.goto(`${LIST}&sejour=${id}`);
  await expect(page.getByText(text)).toBeVisible();
  for (const panel of ['codes-envoyer', 'etiquettes']) {
    await page.goto(`/portail?panneau=${panel}&sejour=${id}`);
    await expect(page.getByText('1 séjour n’est pas proposé', { exact: false })).toBeVisible();
    await expect(page.getByText('Aperçu')).toHaveCount(0);
    await expect(page.getByText('Préparer les étiquettes')).toHaveCount(0);
    await expectSound(page);
  }
});

test('a form older than what somebody else saved writes over nothing by itself', async ({ visit }) => {
  const id = await create();
  const { page, troubles } = await enter(visit, DESKTOP, `${LIST}&sejour=${id}`);
  const meanwhile = (nom_stage: string) => ask(site, token, `PUT /stages/${id}`, { ...STAY, nom_stage });
  await field(page, 'Adresse').fill('Ici');
  await meanwhile('Oléron');
  await button(page, 'Modifier').click();
  const choice = page.getByRole('region', { name: 'Ce séjour a été modifié entre-temps' });
  await expect(choice.getByText('Oléron', { exact: true })).toBeVisible();
  await expectSound(page);
  await choice.getByRole('button', { name: 'Reprendre ce qui est enregistré' }).click();
  await expect(field(page, 'Nom du séjour')).toHaveValue('Oléron');
  await expect(field(page, 'Adresse')).toHaveValue('');

  await field(page, 'Adresse').fill('Là');
  await meanwhile('Oléron plage');
  await button(page, 'Modifier').click();
  await choice.getByRole('button', { name: 'Enregistrer mon formulaire' }).click();
  await expect(said(page, 'Séjour modifié avec succès')).toBeVisible();
  await page.getByRole('link', { name: 'Modifier Oléron — du 1er au 20 juillet 2030' }).click();
  await expect(field(page, 'Adresse')).toHaveValue('Là');
  expect(troubles.splice(0)).toEqual([refused(409), refused(409)]);
});

test('the list finds stays by name or date, and the search of the portal leads to one', async ({ visit }) => {
  await create();
  await create({ nom_stage: 'Ski à Vars', date_debut: '2020-02-01', date_fin: '2020-02-08' });
  const { page } = await enter(visit, DESKTOP, LIST);
  await expect(heading(page, 'Passés (1)')).toBeVisible();
  await field(page, 'Rechercher un séjour').fill('oleron');
  await expect(heading(page, 'Passés (1)')).toHaveCount(0);
  await expect(heading(page, 'À venir (1)')).toBeVisible();
  await field(page, 'Rechercher un séjour').fill('février 2020');
  await expect(page.getByText('Ski à Vars')).toBeVisible();
  await field(page, 'Rechercher un séjour').fill('nulle part');
  await expect(said(page, 'Rien ne correspond, sur 2 séjours.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('vars');
  await page.getByRole('gridcell', { name: 'Ski à Vars' }).click();
  await expect(heading(page, 'Ski à Vars')).toBeVisible();
  await expect(page).toHaveURL(/&onglet=enfants$/);
});

for (const { screen, options } of SCREENS) {
  test(`stays are sorted, shown by state, and done several at once ${screen}`, async ({ visit }) => {
    const sea = await create();
    const lake = await create({ nom_stage: 'Au lac' });
    const past = await create({ nom_stage: 'Ski à Vars', date_debut: '2020-02-01', date_fin: '2020-02-08' });
    await endPhotosOf(past);
    const { page, troubles } = await enter(visit, options, LIST);
    const list = page.getByRole('region', { name: 'Liste' });
    const names = () => list.locator('.row-open').allTextContents();
    await expect(heading(page, 'À venir (2)')).toBeVisible();
    await page.getByLabel('Trier').selectOption('De A à Z');
    await expect.poll(names).toEqual(['Au lac', 'Été à Oléron', 'Ski à Vars']);
    await expect(heading(page, 'À venir (2)')).toHaveCount(0);
    await page.getByLabel('Montrer').selectOption('Passés (1)');
    await expect.poll(names).toEqual(['Ski à Vars']);
    await expect(page).toHaveURL(/&tri=nom&montrer=passes$/);
    await page.getByLabel('Montrer').selectOption('Tous (3)');

    await page.getByLabel('Tout cocher').check();
    await expectSound(page);
    const coming = page.waitForEvent('download');
    await button(page, 'Télécharger les rapports').click();
    expect((await coming).suggestedFilename()).toBe('3 rapports.zip');
    // No code is given out for the stay whose photos are over.
    await page.getByRole('link', { name: 'Imprimer les étiquettes' }).click();
    await expect(page).toHaveURL(`/portail?panneau=etiquettes&sejour=${lake}&sejour=${sea}`);
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2);
    await page.goBack();
    await page.getByLabel(`Cocher ${LABEL}`).check();
    await page.getByLabel('Cocher Ski à Vars').check();
    await list.getByRole('link', { name: 'Envoyer les codes' }).click();
    await expect(page).toHaveURL(`/portail?panneau=codes-envoyer&sejour=${sea}`);
    await expect(page.getByRole('checkbox', { name: LABEL })).toBeChecked();

    await page.goBack();
    const row = page.getByRole('listitem').filter({ hasText: 'Ski à Vars' });
    await row.click({ position: { x: 150, y: 50 } });
    await expect(page).toHaveURL(`${LIST}&sejour=${past}&onglet=enfants`);
    expect(troubles).toEqual([]);
  });
}
