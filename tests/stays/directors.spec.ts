import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import type { Director } from '#features/stays/calls.ts';
import { NIGHT_RULES, violationsOf } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { ask, DESKTOP, type OpenVisit, PHONE, refused, SCREENS, test } from '#tests/browser/visit.ts';

let site: RunningSite;
let token: string;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
});
test.afterAll(() => site?.stop());
// Each test begins without stays and without directors.
test.beforeEach(async () => {
  for (const { id } of await read('GET /stages')) await ask(site, token, `DELETE /stages/${id}`);
  for (const { id } of await listed()) await ask(site, token, `DELETE /formateurs/delete/${id}`);
});

const INCOMPLETE = 'Veuillez remplir tous les champs avant de soumettre.';
const FORM = '/portail?panneau=directeurs';
const ASSIGNMENT = '/portail?panneau=sejours-affecter';

async function enter(visit: OpenVisit, options: BrowserContextOptions, address: string) {
  const { page, troubles } = await visit(site, options);
  await page.addInitScript((value) => localStorage.setItem('adminToken', value), token);
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return { page, troubles };
}

/** Opens a stay over the API; the answer is its id. */
async function open(nom_stage: string, month: string): Promise<number> {
  const dates = { date_debut: `2027-${month}-06`, date_fin: `2027-${month}-20` };
  const created = await ask(site, token, 'POST /stages', { nom_stage, ...dates });
  expect(created.status).toBe(201);
  return ((await created.json()) as { id: number }).id;
}
const PERSON = { nom: 'Kerviel', prenom: 'Inès', mail: 'ines@example.org', telephone: '06 99 00 00 01' };
async function hire(stageIds: readonly number[], more: Partial<typeof PERSON> = {}): Promise<Director> {
  let director: Director | undefined;
  for (const id of stageIds) {
    const body = { ...PERSON, ...more, cat: 'sejour', stageId: String(id) };
    director = (await (await ask(site, token, 'POST /formateurs/add', body)).json()) as Director;
  }
  return director as Director;
}
async function read<T extends { id: number }>(key: string): Promise<T[]> {
  return (await (await ask(site, token, key)).json()) as T[];
}
const listed = () => read<Director>('GET /formateurs');
async function passwordOf(stageId: number): Promise<string | undefined> {
  const answer = await ask(site, token, `GET /stage-passwords/${stageId}`);
  return ((await answer.json()) as { mdp_formateur: string }[])[0]?.mdp_formateur;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const warned = (page: Page, text: string) => page.getByRole('alert').getByText(text, { exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const item = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
const tick = (page: Page, stay: string) => page.getByRole('checkbox', { name: stay });
const newPassword = (page: Page) =>
  page.getByRole('checkbox', { name: 'Donner un nouveau mot de passe aux directeurs de ce séjour' });

async function expectSound(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page, NIGHT_RULES)).toEqual([]);
  const { width } = page.viewportSize() ?? { width: 0 };
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
}

for (const { screen, options } of SCREENS) {
  test(`staff add a director to a stay, correct them and delete them, ${screen}`, async ({ visit }) => {
    const oleron = await open('Été à Oléron', '07');
    const { page } = await enter(visit, options, FORM);
    await button(page, 'Ajouter').click();
    await expect(warned(page, INCOMPLETE)).toBeVisible();
    await expect(field(page, 'Séjour')).toBeFocused();

    await field(page, 'Séjour').selectOption(String(oleron));
    await field(page, 'Type').selectOption('Centre');
    await expect(field(page, 'Directeur')).toHaveValue('add');
    await field(page, 'Nom').fill('Kerviel');
    await field(page, 'Prénom').fill('Inès');
    await field(page, 'E-mail').fill('ines@example.org');
    await button(page, 'Ajouter').click();
    await expect(warned(page, INCOMPLETE)).toBeVisible();
    await field(page, 'Téléphone').fill('06 99 00 00 01');
    await button(page, 'Ajouter').click();
    await expect(said(page, 'Formateur traité avec succès')).toBeVisible();
    for (const label of ['Séjour', 'Type', 'Nom', 'Prénom', 'E-mail', 'Téléphone'])
      await expect(field(page, label)).toHaveValue('');
    await expect(item(page, 'Kerviel Inès')).toContainText('Été à Oléron — du 6 au 20 juillet 2027Centre');
    const links = await item(page, 'Kerviel Inès')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links.slice(0, 2)).toEqual(['mailto:ines@example.org', 'tel:0699000001']);
    await expectSound(page);

    await button(page, 'Modifier Kerviel Inès').click();
    await expect(field(page, 'Séjour')).toHaveValue(String(oleron));
    await expect(field(page, 'Type')).toHaveValue('centre');
    await expect(field(page, 'Nom')).toHaveValue('Kerviel');
    await field(page, 'Type').selectOption('Séjour');
    await field(page, 'Nom').fill('Le Goff');
    await button(page, 'Enregistrer').click();
    await expect(said(page, 'Formateur traité avec succès')).toBeVisible();
    await expect(item(page, 'Le Goff Inès')).toContainText('Séjour');
    await expect(field(page, 'Directeur')).toHaveValue('add');

    const before = await passwordOf(oleron);
    await button(page, 'Supprimer Le Goff Inès').click();
    const dialog = page.getByRole('alertdialog', { name: 'Supprimer Inès Le Goff\u202f?' });
    await expect(newPassword(page)).toBeChecked();
    await expectSound(page);
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    const told =
      'Formateur supprimé avec succès. Nouveau mot de passe des directeurs\u202f: Été à Oléron — du\u00a06 au\u00a020 juillet 2027.';
    await expect(said(page, told)).toBeVisible();
    expect(await listed()).toEqual([]);
    expect(await passwordOf(oleron)).not.toBe(before);
    await button(page, 'Voir les mots de passe').click();
    await expect(page).toHaveURL(/panneau=mots-de-passe$/);
  });

  test(`staff tick the stays of a director, ${screen}`, async ({ visit }) => {
    const [oleron, vercors] = [await open('Été à Oléron', '07'), await open('Neige en Vercors', '02')];
    for (let n = 1; n <= 12; n++) await open(`Voile ${n}`, '09');
    const { id } = await hire([oleron]);
    const { page } = await enter(visit, options, FORM);
    await page.getByRole('link', { name: 'Affecter des séjours à Kerviel Inès' }).click();
    await expect(field(page, 'Directeur')).toHaveValue(String(id));
    await expect(page.getByRole('listitem').filter({ has: tick(page, 'Été à Oléron') })).toContainText(
      'Séjour',
    );
    await expect(tick(page, 'Été à Oléron')).toBeChecked();
    await field(page, 'Filtrer les séjours').fill('neige');
    await tick(page, 'Neige en Vercors').check();
    await expect(page.getByRole('checkbox')).toHaveCount(1);
    await button(page, 'Enregistrer').click();
    await expect(warned(page, INCOMPLETE)).toBeVisible();
    await field(page, 'Type pour les séjours ajoutés').selectOption('Centre');
    await button(page, 'Enregistrer').click();
    await expect(said(page, 'Mise à jour réussie du formateur')).toBeVisible();
    const types = async () => (await listed())[0]?.sejours.map(({ stageId, cat }) => [stageId, cat]);
    expect(await types()).toEqual([
      [oleron, 'sejour'],
      [vercors, 'centre'],
    ]);

    const before = await passwordOf(oleron);
    await field(page, 'Filtrer les séjours').fill('');
    await tick(page, 'Été à Oléron').uncheck();
    await expect(newPassword(page)).toBeChecked();
    await expectSound(page);
    await newPassword(page).uncheck();
    await tick(page, 'Été à Oléron').check();
    await tick(page, 'Été à Oléron').uncheck();
    await expect(newPassword(page)).not.toBeChecked();
    await button(page, 'Enregistrer').click();
    await expect(said(page, 'Mise à jour réussie du formateur')).toBeVisible();
    expect(await types()).toEqual([[vercors, 'centre']]);
    expect(await passwordOf(oleron)).toBe(before);

    const other = await passwordOf(vercors);
    await tick(page, 'Neige en Vercors').uncheck();
    await button(page, 'Enregistrer').click();
    await expect(page.getByText(/^Mise à jour réussie du formateur\. Nouveau mot de passe/)).toBeVisible();
    expect(await types()).toEqual([]);
    expect(await passwordOf(vercors)).not.toBe(other);
  });
}

test('without stays the panels lead to where they come from, without directors to where one is added', async ({
  visit,
}) => {
  const { page } = await enter(visit, PHONE, FORM);
  for (const address of [FORM, ASSIGNMENT]) {
    await page.goto(address);
    await expect(page.getByRole('link', { name: 'Importer des séjours' })).toHaveAttribute(
      'href',
      '/portail?panneau=sejours-importer',
    );
  }
  await open('Été à Oléron', '07');
  await page.reload();
  await page.getByRole('link', { name: 'Ajouter un directeur' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Directeurs');
  await expect(page.getByText('Aucun directeur pour le moment.')).toBeVisible();
});

test('directors are found by name, address or stay, whatever the accents', async ({ visit }) => {
  const [oleron, vercors] = [await open('Été à Oléron', '07'), await open('Neige en Vercors', '02')];
  await hire([oleron]);
  await hire([vercors], { nom: 'Delmas', prenom: 'Awa', mail: 'awa.delmas@example.org' });
  const { page } = await enter(visit, DESKTOP, FORM);
  const search = page.getByRole('searchbox', { name: 'Rechercher un nom, une adresse ou un séjour' });
  for (const [typed, name] of [
    ['ines kerviel', 'Kerviel Inès'],
    ['awa.delmas', 'Delmas Awa'],
    ['ete oleron', 'Kerviel Inès'],
  ] as const) {
    await search.fill(typed);
    await expect(page.getByRole('heading', { level: 3 })).toHaveText([name]);
  }
  await search.fill('personne');
  await expect(said(page, 'Rien ne correspond, sur 2 directeurs.')).toBeVisible();
});

test('a phone dials the first number of what was written, where there is one', async ({ visit }) => {
  const oleron = await open('Été à Oléron', '07');
  const written = {
    '01 42 00 00 00 - 06 12 34 56 78': 'tel:0142000000',
    '06 12 34 56 78 24h/24': 'tel:0612345678',
    '24h/24 : 06.12.34.56.78': 'tel:0612345678',
    '(05) 46 00 00 00, poste 12': 'tel:0546000000',
    '+33 (0)5 46 00 00 00': 'tel:+33546000000',
    '0033 5 46 00 00 00 (24 h sur 24)': 'tel:+33546000000',
    '+44 (0)20 7946 0000': 'tel:+442079460000',
    '112': 'tel:112',
    'de 9 h à 18 h': null,
    '01 42 00 00 000': null,
  };
  for (const [index, telephone] of Object.keys(written).entries())
    await hire([oleron], { prenom: `Inès ${index}`, mail: `ines${index}@example.org`, telephone });
  const { page } = await enter(visit, DESKTOP, FORM);
  for (const [index, [telephone, address]] of Object.entries(written).entries()) {
    const links = item(page, `Kerviel Inès ${index}`).getByRole('link', { name: telephone, exact: true });
    await expect(item(page, `Kerviel Inès ${index}`)).toContainText(telephone);
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
      address === null ? [] : [address],
    );
  }
});

test('what is typed is not lost: not by leaving, another choice, somebody else’s change or a deletion', async ({
  visit,
}) => {
  const director = await hire([await open('Été à Oléron', '07')]);
  await hire([await open('Neige en Vercors', '02')], { prenom: 'Lou', mail: 'lou@example.org' });
  const { page, troubles } = await enter(visit, DESKTOP, FORM);
  await button(page, 'Modifier Kerviel Inès').click();
  await field(page, 'Téléphone').fill('06 99 00 00 02');
  const question = page.getByRole('alertdialog', { name: 'Quitter sans enregistrer\u202f?' });
  await page.getByRole('link', { name: 'Affecter des séjours à Kerviel Inès' }).click();
  await question.getByRole('button', { name: 'Rester' }).click();
  await field(page, 'Directeur').selectOption('Kerviel Lou');
  await question.getByRole('button', { name: 'Rester' }).click();
  await expect(field(page, 'Directeur')).toHaveValue(String(director.id));

  await hire([director.sejours[0]?.stageId as number], { prenom: 'Agnès' });
  await button(page, 'Enregistrer').click();
  await expect(warned(page, 'Erreur lors de l’enregistrement du directeur')).toBeVisible();
  await expect(page.getByRole('alert').getByText(/^Ce directeur a été modifié entre-temps/)).toBeVisible();
  await expect(item(page, 'Kerviel Agnès')).toBeVisible();
  await expect(field(page, 'Téléphone')).toHaveValue('06 99 00 00 02');
  await button(page, 'Enregistrer').click();
  await expect(said(page, 'Formateur traité avec succès')).toBeVisible();
  await expect(item(page, 'Kerviel Inès')).toContainText('06 99 00 00 02');
  expect(troubles.splice(0)).toEqual([refused(409)]);

  await button(page, 'Modifier Kerviel Lou').click();
  await field(page, 'Téléphone').fill('06 99 00 00 03');
  await button(page, 'Supprimer Kerviel Lou').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  await expect(item(page, 'Kerviel Lou')).toHaveCount(0);
  await button(page, 'Ajouter').click();
  await expect(item(page, 'Kerviel Lou')).toContainText('06 99 00 00 03');
});

test('a password that could not be changed is said, with the stay it belongs to', async ({ visit }) => {
  const [oleron, vercors] = [await open('Été à Oléron', '07'), await open('Neige en Vercors', '02')];
  await hire([oleron, vercors]);
  const { page, troubles } = await enter(visit, DESKTOP, FORM);
  await expect(item(page, 'Kerviel Inès')).toBeVisible();
  expect((await ask(site, token, `DELETE /stages/${vercors}`)).status).toBe(200);
  await button(page, 'Supprimer Kerviel Inès').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  const notice = page.getByRole('alert');
  await expect(notice).toContainText('Formateur supprimé avec succès, mais le mot de passe');
  await expect(notice).toContainText('est resté le même\u202f: Neige en Vercors');
  await expect(notice).toContainText('Nouveau mot de passe des directeurs\u202f: Été à Oléron');
  expect(troubles.splice(0)).toEqual([refused(404)]);
});
