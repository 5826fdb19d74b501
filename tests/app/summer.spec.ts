import { expect, type Page } from '@playwright/test';
import { API_PREFIX } from '#platform/shared/call.ts';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, DESKTOP, type OpenVisit, PHONE, test } from '#tests/browser/visit.ts';

/*
 * A summer made ready in one go, as staff do it in spring: files out of a French Excel, directors, a password read
 * out on the telephone; then a family and a director on their phones.
 */

let site: RunningSite;
test.beforeEach(async () => {
  site = await startSite('sqlite');
});
test.afterEach(() => site.stop());

const STAYS = 40;
const CHILDREN = 900;
const PLACES = ['Œil-du-Lac', 'Forêt d’Émeraude', 'Château-Roussel', 'Île aux Pêcheurs', 'Crête à Noël'];

interface Stay {
  name: string;
  start: Date;
  end: Date;
}

/** Two of them under way whatever the day, the others after them. */
const stays: Stay[] = Array.from({ length: STAYS }, (_, index) => {
  const place = PLACES[index % PLACES.length] ?? '';
  const name = `${place}, groupe ${Math.floor(index / PLACES.length) + 1}`;
  return { name, start: dayIn(index < 2 ? -3 : index * 2), end: dayIn(index * 2 + 9) };
});
const [ours, other] = stays as [Stay, Stay];

const children = Array.from({ length: CHILDREN }, (_, index) => {
  const stay = stays[index % STAYS] ?? ours;
  const consent = ['Oui', 'Oui', 'non', ''][Math.floor(index / STAYS) % 4] ?? '';
  const names = [`Nadège-Zoé ${index}`, `Lecœur d’Assas ${index}`];
  const mails = [`parent${index}@exemple.org`, index % 3 === 0 ? `autre${index}@exemple.org` : ''];
  return [...names, ...mails, consent, stay.name, french(stay.start), french(stay.end)];
});

function dayIn(days: number): Date {
  return new Date(Date.now() + days * 24 * 3_600_000);
}

function french(day: Date): string {
  return day.toLocaleDateString('fr-FR', { timeZone: 'Europe/Paris' });
}

/** As Excel saves it where French is spoken: semicolons, and letters of Windows-1252. */
function excelFile(name: string, rows: readonly (readonly string[])[]) {
  const text = rows.map((row) => `${row.join(';')}\r\n`).join('');
  const beyondLatin1 = text.replaceAll('’', '\x92').replaceAll('œ', '\x9c').replaceAll('Œ', '\x8c');
  return { name, mimeType: 'text/csv', buffer: Buffer.from(beyondLatin1, 'latin1') };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const said = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const line = (page: Page, number: number) =>
  page.getByRole('group', { name: `Ligne ${number}`, exact: true });

async function verify(
  page: Page,
  file: ReturnType<typeof excelFile>,
  heading = 'Ce que fera l’import',
): Promise<void> {
  await field(page, 'Fichier à importer').setInputFiles(file);
  await button(page, 'Vérifier le fichier').click();
  await expect(page.getByRole('heading', { name: heading })).toBeFocused();
}

async function importIt(page: Page, told: string): Promise<void> {
  await button(page, 'Importer').click();
  await expect(said(page, 'CSV chargé et traité avec succès')).toBeVisible();
  await expect(page.getByText(told)).toBeVisible();
}

async function importStays(page: Page): Promise<void> {
  await page.goto('/portail?panneau=sejours-importer');
  const rows = stays.map(({ name, start, end }) => [name, french(start), french(end)]);
  await verify(page, excelFile('séjours.csv', [['Nom du séjour', 'Début', 'Fin'], ...rows]));
  await importIt(page, `${STAYS}\u00a0séjours créés, 0\u00a0modifié, 0 déjà à jour.`);
}

/** Two lines of the file are wrong: an address without its @, a stay on a day on which it does not end. */
async function importFamilies(page: Page): Promise<void> {
  const header = ['Prénom', 'Nom', 'Courriel', 'Second e-mail', 'Droit à l’image', 'Séjour', 'Du', 'Au'];
  const rows = children.map((row) => [...row]);
  rows[11]?.splice(2, 1, 'parent11 exemple.org');
  rows[700]?.splice(7, 1, '31/12/2031');
  await page.getByRole('main').getByRole('link', { name: 'Importer des familles' }).click();
  // The panel of the stays has a field of the same name.
  await expect(page.getByRole('heading', { level: 1, name: 'Importer des familles' })).toBeVisible();
  await verify(page, excelFile('familles.csv', [header, ...rows]), 'Ce fichier pose des questions');
  const meant = page.getByLabel('Ligne 702', { exact: true });
  await meant.selectOption({ label: await labelOf(page, stays[700 % STAYS] ?? ours) });
  await expect(page.getByRole('group', { name: /^Ligne \d+$/ })).toHaveCount(1);
  await line(page, 13).getByLabel('E-mail', { exact: true }).fill('parent11@exemple.org');
  await button(page, 'Vérifier de nouveau').click();
  await expect(line(page, 13)).toHaveCount(0);
  await importIt(page, `${CHILDREN}\u00a0enfants créés, 0\u00a0modifié, 0 déjà à jour.`);
}

/** Somebody new directs one stay, then a second one as well. */
async function nameDirector(page: Page): Promise<void> {
  await page.goto('/portail?panneau=directeurs');
  await field(page, 'Séjour').selectOption({ label: await labelOf(page, ours) });
  await field(page, 'Type').selectOption('Séjour');
  await field(page, 'Nom').fill('Kerviel');
  await field(page, 'Prénom').fill('Inès');
  await field(page, 'E-mail').fill('ines@exemple.org');
  await field(page, 'Téléphone').fill('06 39 98 00 01');
  await button(page, 'Ajouter').click();
  await expect(said(page, 'Formateur traité avec succès')).toBeVisible();

  await page.goto('/portail?panneau=sejours-affecter');
  await field(page, 'Directeur').selectOption('Kerviel Inès');
  await page.getByRole('searchbox', { name: 'Filtrer les séjours' }).fill(other.name);
  await page.getByRole('checkbox', { name: other.name }).check();
  await field(page, 'Type pour les séjours ajoutés').selectOption('Centre');
  await button(page, 'Enregistrer').click();
  await expect(said(page, 'Mise à jour réussie du formateur')).toBeVisible();
}

/** As it stands in a dropdown: its name, then its dates. */
async function labelOf(page: Page, stay: Stay): Promise<string> {
  return (await page.getByRole('option', { name: stay.name }).textContent()) ?? '';
}

async function lookUp(page: Page, stay: Stay, type: 'Directeur' | 'Famille'): Promise<string> {
  await page.goto('/portail?panneau=mots-de-passe');
  await field(page, 'Séjour').selectOption({ label: await labelOf(page, stay) });
  await field(page, 'Type').selectOption(type);
  await button(page, 'Afficher le mot de passe').click();
  return page.getByLabel(`Mot de passe ${type}`).inputValue();
}

async function signIn(visit: OpenVisit, stageId: number, password: string): Promise<Page> {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/connexion');
  await field(page, 'Numéro du séjour').fill(String(stageId));
  // As one types it from a sheet of paper: in small letters, without the dashes.
  await field(page, 'Mot de passe').fill(password.toLowerCase().replaceAll('-', ''));
  await button(page, 'Se connecter').click();
  await expect(page.getByRole('heading', { level: 1, name: ours.name })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  return page;
}

const PATHS = [
  '/stages/:id',
  '/stages/:id/bilan',
  '/stages/:id/evaluation',
  '/get-stagiaires/:id',
  '/formateurs/by-stage/:id',
  '/stage-passwords/:id',
];

/** What the calls of a stay answer to whoever is signed in on a page. */
async function statuses(page: Page, stageId: number): Promise<Record<string, number>> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const found: Record<string, number> = {};
  for (const path of PATHS) {
    const address = `${site.url}${API_PREFIX}${path.replace(':id', String(stageId))}`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    found[path] = answer.status;
  }
  return found;
}

test('a summer comes out of two files, and each of its people finds their own stay on a phone', async ({
  visit,
}) => {
  test.slow();
  const { page } = await visit(site, DESKTOP);
  await arrive(page, '/connexion-portail');
  await field(page, 'Identifiant').fill(ADMIN.username);
  await field(page, 'Mot de passe').fill(ADMIN.password);
  await button(page, 'Se connecter').click();
  await expect(page).toHaveURL(/\/portail$/);
  await importStays(page);
  await importFamilies(page);
  await nameDirector(page);

  const listed = (await (await fetch(`${site.url}${API_PREFIX}/stages`)).json()) as {
    id: number;
    nom_stage: string;
  }[];
  expect(listed).toHaveLength(STAYS);
  const idOf = (stay: Stay) => listed.find(({ nom_stage }) => nom_stage === stay.name)?.id ?? 0;
  const forFamilies = await lookUp(page, ours, 'Famille');
  const forDirectors = await lookUp(page, ours, 'Directeur');

  const family = await signIn(visit, idOf(ours), forFamilies);
  await expect(family).toHaveURL(`/stage-details/${idOf(ours)}`);
  expect(await statuses(family, idOf(ours))).toEqual({
    '/stages/:id': 200,
    '/stages/:id/bilan': 403,
    '/stages/:id/evaluation': 200,
    '/get-stagiaires/:id': 403,
    '/formateurs/by-stage/:id': 403,
    '/stage-passwords/:id': 403,
  });
  expect(await statuses(family, idOf(other))).toEqual({
    '/stages/:id': 404,
    '/stages/:id/bilan': 403,
    '/stages/:id/evaluation': 404,
    '/get-stagiaires/:id': 403,
    '/formateurs/by-stage/:id': 403,
    '/stage-passwords/:id': 403,
  });

  const director = await signIn(visit, idOf(ours), forDirectors);
  await expect(director).toHaveURL('/formateur');
  const own = children.filter((row) => row[5] === ours.name);
  const hidden = own.filter((row) => row[4] !== 'Oui');
  const told = `${own.length}\u00a0enfants, dont ${hidden.length} à ne pas photographier.`;
  await expect(director.getByText(told)).toBeVisible();
  await expect(director.getByText('Nadège-Zoé 0 L.')).toBeVisible();
  await expect(director.getByText('Inès Kerviel')).toBeVisible();
  // They direct the other stay too, and have its own password for that.
  expect(await statuses(director, idOf(other))).toEqual({
    '/stages/:id': 404,
    '/stages/:id/bilan': 404,
    '/stages/:id/evaluation': 403,
    '/get-stagiaires/:id': 404,
    '/formateurs/by-stage/:id': 404,
    '/stage-passwords/:id': 403,
  });
});
