import { expect, type Page } from '@playwright/test';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, ask, DESKTOP, PHONE, refused, SCREENS, test } from '#tests/browser/visit.ts';
import { form } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';

/** Far enough from today that midnight changes nothing. */
const day = (offset: number) => dayAfter(dayAt(new Date(), 'Europe/Paris'), offset);
const PAST = 'Les sentiers du Mercantour';
const COMING = 'Neige en Vercors';
const BOOKLET = 'Trousseau & affaires à emporter.pdf';

let site: RunningSite;
let admin: string;
/** By name of the stay. */
const stays: Record<string, { id: number; stagiaire: string; formateur: string }> = {};

test.beforeAll(async () => {
  site = await startSite('sqlite');
  admin = await site.signIn();
  // These families sign in with the password that they share.
  const settings = await ask(site, admin, 'PUT /reglages', { sejours_lieu: 'tous' });
  expect(settings.status).toBe(200);
  await addStay(PAST, day(-12), day(-5), {
    adresse: 'Centre Les Grands Pins\n12 route des Crêtes',
    telephone_urgence: '05 46 00 00 00 (24 h sur 24)',
    consignes: 'Une gourde.\n\nUn chapeau.',
  });
  await addStay(COMING, day(10), day(17));
  for (const [prenom, nom, consentement_image] of [
    ['Adam', 'Petit', 'oui'],
    ['Zoé', 'Martin', 'non'],
    ['Inès', 'Durand', 'inconnu'],
  ] as const) {
    const child = { prenom, nom, consentement_image, mailRL: 'parent@exemple.fr', stageId: idOf(PAST) };
    expect((await ask(site, admin, 'POST /add-stagiaire', child)).status).toBe(201);
  }
  const livret: [Uint8Array, string, string] = [
    minutesPdf('Trousseau', ['Une gourde.']),
    BOOKLET,
    'application/pdf',
  ];
  expect((await ask(site, admin, 'POST /livrets-upload', form({ livret }))).status).toBe(201);
});
test.afterAll(() => site?.stop());

async function addStay(nom_stage: string, date_debut: string, date_fin: string, rest = {}): Promise<void> {
  const created = await ask(site, admin, 'POST /stages', { nom_stage, date_debut, date_fin, ...rest });
  const { id } = (await created.json()) as { id: number };
  const [passwords] = await (await ask(site, admin, `GET /stage-passwords/${id}`)).json();
  stays[nom_stage] = { id, stagiaire: passwords.mdp_stagiaire, formateur: passwords.mdp_formateur };
}

function stay(name: string) {
  const found = stays[name];
  if (!found) throw new Error(`no stay ${name}`);
  return found;
}
const idOf = (name: string) => String(stay(name).id);
const addressOf = (name: string) => `/stage-details/${idOf(name)}`;
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** At the door, whose number is filled in. */
async function typePassword(
  page: Page,
  name: string,
  type: 'stagiaire' | 'formateur',
  heading = name,
): Promise<void> {
  await expect(page).toHaveURL(`/connexion?stageId=${idOf(name)}`);
  await expect(page.getByLabel('Numéro du séjour')).toHaveValue(idOf(name));
  await page.getByLabel('Mot de passe', { exact: true }).fill(stay(name)[type]);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(title(page, heading)).toBeVisible();
}

async function enter(page: Page, name: string, type: 'stagiaire' | 'formateur'): Promise<void> {
  await arrive(page, `/connexion?stageId=${idOf(name)}`);
  await typePassword(page, name, type);
}

const mark = (page: Page, question: string, answer: string) =>
  page.getByRole('group', { name: question }).getByRole('radio', { name: answer });
const section = (page: Page, name: string) => page.locator('details').filter({ hasText: name });
const signedIn = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '');

/** Nothing overflows, and axe finds nothing, by day and by night. */
async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await expectNoViolation(page);
}

for (const { screen, options } of SCREENS) {
  test(`a family is led to the door, finds its stay, and answers once, ${screen}`, async ({ visit }) => {
    const { page, troubles } = await visit(site, options);
    await arrive(page, addressOf(PAST));
    await typePassword(page, PAST, 'stagiaire');
    await expect(page).toHaveURL(addressOf(PAST));
    await expect(page).toHaveTitle(new RegExp(`^${PAST}`));
    await expect(page.getByRole('heading', { name: 'Les photos du séjour' })).toBeVisible();
    await expect(page.getByText('Le séjour est terminé.')).toBeVisible();
    await expect(page.getByRole('link', { name: '05 46 00 00 00' })).toHaveAttribute(
      'href',
      'tel:0546000000',
    );
    await expect(page.getByText('Un chapeau.')).toBeVisible();
    const booklet = page.getByRole('link', { name: 'Trousseau & affaires à emporter' });
    const opened = await page.request.get((await booklet.getAttribute('href')) ?? '');
    expect([opened.status(), opened.headers()['content-type']]).toEqual([200, 'application/pdf']);

    await page.getByRole('button', { name: 'Envoyer ma réponse' }).click();
    await expect(page.getByText('Donnez au moins une note, ou écrivez quelques mots.')).toBeVisible();
    expect(troubles.splice(0)).toEqual([refused(422)]);
    await mark(page, 'Les repas', '4 Bien').check();
    await page.getByRole('group', { name: 'Recommanderiez-vous' }).getByLabel('Oui').check();
    await page.getByLabel('Un mot à ajouter').fill('Merci à toute l’équipe.');
    await expectSound(page);
    await page.reload();
    await expect(mark(page, 'Les repas', '4 Bien')).toBeChecked();
    await page.getByRole('button', { name: 'Envoyer ma réponse' }).click();
    await expect(page.getByText('Vous avez répondu, merci')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Vous avez répondu, merci')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Envoyer ma réponse' })).toHaveCount(0);
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('brouillon'))),
    ).toEqual([]);
  });

  test(`a director sees whom not to photograph and keeps the review, ${screen}`, async ({ visit }) => {
    const { page } = await visit(site, options);
    await enter(page, PAST, 'formateur');
    await expect(page).toHaveURL('/formateur');
    await expect(page.getByText('3\u00a0enfants, dont 2 à ne pas photographier.')).toBeVisible();
    const children = page.getByRole('region', { name: 'Les enfants' });
    await expect(children.getByRole('heading', { level: 3 })).toHaveText([
      'Pas de photo (1)',
      'Accord inconnu (1)',
      'Accord donné (1)',
    ]);
    await expect(children.getByRole('listitem')).toHaveText(['Zoé M.', 'Inès D.', 'Adam P.']);

    await section(page, 'Hébergement').locator('summary').click();
    const lodging = section(page, 'Hébergement');
    // Another mark at each screen: both write the same review.
    const word = screen === SCREENS[0]?.screen ? '2 Faible' : '5 Très bien';
    await lodging.getByRole('radio', { name: word }).check();
    await lodging.getByLabel('Commentaire').fill(`Propre ${screen}.`);
    await expect(page.getByText('Modifications à enregistrer')).toBeVisible();
    await expectSound(page);

    await page.getByRole('link', { name: 'Voir comme une famille' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rester' }).click();
    // Somebody else writes another section meanwhile.
    const sections = [{ code: 'transport', note: 1, commentaire: 'Car en retard.' }];
    await fetch(`${site.url}/api/api/stages/${idOf(PAST)}/bilan`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sections }),
    });
    await page.getByRole('button', { name: 'Enregistrer le bilan' }).click();
    await expect(page.getByRole('status').getByText('Bilan enregistré')).toBeVisible();
    await page.reload();
    await expect(page.getByText('2 sections sur 9')).toBeVisible();
    await section(page, 'Hébergement').locator('summary').click();
    await expect(lodging.getByRole('radio', { name: word })).toBeChecked();
    await expect(section(page, 'Transport')).toContainText('1 sur 5, mauvais');

    await page.getByRole('link', { name: 'Voir comme une famille' }).click();
    await expect(page).toHaveURL(addressOf(PAST));
    await expect(page.getByText('Vous voyez la page comme une famille')).toBeVisible();
    await expectSound(page);
    await page.getByRole('link', { name: 'Revenir à mon espace' }).click();
    await expect(page).toHaveURL('/formateur');
    await page.getByRole('button', { name: 'Se déconnecter', exact: true }).click();
    await expect(page).toHaveURL('/deconnexion');
    await page.goto('/formateur');
    await expect(page).toHaveURL('/connexion');
  });
}

test('a browser that holds two stays goes from one to the other, and loses neither', async ({ visit }) => {
  const { page } = await visit(site, PHONE);
  await enter(page, PAST, 'stagiaire');
  await expect(page.getByRole('button', { name: 'Changer de séjour' })).toHaveCount(0);
  await arrive(page, addressOf(COMING));
  await typePassword(page, COMING, 'stagiaire', 'Mes séjours');
  await expect(page).toHaveURL('/mes-sejours');
  await arrive(page, addressOf(COMING));
  await expect(page.getByText('Un questionnaire d’une minute vous attend')).toBeVisible();
  await page.getByRole('button', { name: 'Changer de séjour' }).click();
  await expect(page.getByRole('link', { name: 'Tous mes séjours' })).toBeVisible();
  await page.getByRole('button', { name: PAST }).click();
  await expect(page).toHaveURL(addressOf(PAST));
  await expect(title(page, PAST)).toBeVisible();
  await arrive(page, addressOf(COMING));
  const opener = page.getByRole('button', { name: `Ouvrir ${COMING}` });
  await expect(opener).toBeVisible();
  await expectSound(page);
  await opener.click();
  await expect(title(page, COMING)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Les photos arriveront ici' })).toBeVisible();
  await expectSound(page);

  const closed = await signedIn(page);
  await expect(page.getByRole('button', { name: 'Se déconnecter de tous les séjours' })).toBeVisible();
  await page.getByRole('button', { name: 'Fermer ce séjour' }).click();
  await expect(title(page, PAST)).toBeVisible();
  await expect(page.getByRole('status').getByText('Ce séjour est fermé sur cet appareil.')).toBeVisible();
  expect((await ask(site, closed, 'GET /session')).status).toBe(401);
  expect((await ask(site, await signedIn(page), 'GET /session')).status).toBe(200);
  const booklet = page.getByRole('link', { name: 'Trousseau & affaires à emporter' });
  expect((await page.request.get((await booklet.getAttribute('href')) ?? '')).status()).toBe(200);
  await expect(page.getByRole('button', { name: 'Fermer ce séjour' })).toHaveCount(0);
});

test('a sign-in that ends leads back to the door, and what was typed is there again', async ({ visit }) => {
  const { page, troubles } = await visit(site, DESKTOP);
  await enter(page, PAST, 'stagiaire');
  await page.getByLabel('Un mot à ajouter').fill('À bientôt.');
  await ask(site, await signedIn(page), 'POST /auth/logout');
  await page.getByRole('button', { name: 'Envoyer ma réponse' }).click();
  await expect(page.getByRole('alert').getByText('Votre connexion est terminée.')).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(401)]);
  await typePassword(page, PAST, 'stagiaire');
  await expect(page.getByLabel('Un mot à ajouter')).toHaveValue('À bientôt.');
});

test('a page of photos closes by itself once staff change the password, and says why', async ({ visit }) => {
  const { page, troubles } = await visit(site, PHONE);
  const stream = page.waitForResponse('**/flux');
  await enter(page, PAST, 'stagiaire');
  expect((await stream).status()).toBe(200);
  const renewed = await ask(site, admin, `POST /stage-passwords/${idOf(PAST)}/regenerer`, {
    type: 'stagiaire',
  });
  stay(PAST).stagiaire = ((await renewed.json()) as { mot_de_passe: string }).mot_de_passe;
  await expect(page.getByRole('alert').getByText('Le mot de passe a changé')).toBeVisible();
  await expect(title(page, PAST)).toHaveCount(0);
  for (const trouble of troubles.splice(0))
    expect(trouble).toMatch(/status of 401|récupération des photos: .+Le mot de passe a changé/);
});

test('staff open the page of any stay, and are told of one that does not exist', async ({ visit }) => {
  const { page, troubles } = await visit(site, DESKTOP);
  // With the cookie that photos are opened by.
  const signedIn = await page.request.post('/api/api/loginAdmin', { data: ADMIN });
  const { tokenAdmin } = (await signedIn.json()) as { tokenAdmin: string };
  await arrive(page, '/');
  await page.evaluate((token) => localStorage.setItem('adminToken', token), tokenAdmin);
  await arrive(page, addressOf(PAST));
  await expect(title(page, PAST)).toBeVisible();
  await expect(page.getByText('Vue d’administrateur')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Envoyer ma réponse' })).toHaveCount(0);
  await arrive(page, '/stage-details/999999');
  await expect(title(page, 'Ce séjour n’existe pas ou n’existe plus.')).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(404)]);
  // A token of staff that has ended is none.
  await page.evaluate(() => localStorage.setItem('adminToken', 'x'.repeat(43)));
  await arrive(page, addressOf(PAST));
  await expect(page).toHaveURL(`/connexion?stageId=${idOf(PAST)}`);
  troubles.length = 0;
});
