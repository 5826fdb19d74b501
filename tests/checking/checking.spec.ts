import { type BrowserContextOptions, expect, type Page, type Route } from '@playwright/test';
import type { PhotoState } from '#features/photos/shared/states.ts';
import { ATTESTATION } from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { dayAfter, dayAt, HOUR_MS } from '#platform/shared/time.ts';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { ADMIN, openSite } from '#tests/browser/site.ts';
import {
  ask,
  boxOf,
  DESKTOP,
  lookAtAll,
  type OpenVisit,
  PHONE,
  refused,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';
import { addPhotos } from '#tests/support/gallery.ts';

let site: Awaited<ReturnType<typeof openSite>>;
/** Ms by which the clock of the site is ahead. */
let ahead = 0;
/** Of the stay added last: its number, which its passwords end with, too. */
let last = 1;

test.beforeAll(async () => {
  site = await openSite(() => new Date(Date.now() + ahead));
});
test.afterAll(() => site?.stop());

const dayFromNow = (days: number) => dayAfter(dayAt(new Date(), 'Europe/Paris'), days);

/** A stay with photos to check; the answers are its id and their ids, in the order of the checking. */
async function addStayToCheck(count: number) {
  const n = ++last;
  const { database, secrets, clock } = site.services;
  const stay = { nom_stage: `Séjour ${n}`, date_debut: dayFromNow(-9), date_fin: dayFromNow(5) };
  const passwords = { formateur: `DIRECTEUR${n}`, stagiaire: `FAMILLES${n}` };
  const stageId = await database.write((transaction) =>
    insertStay(transaction, secrets, stay, clock(), passwords),
  );
  const ids = await addPhotos(site.services, stageId, count, () => ({
    statut: 'a_verifier',
    jour: dayFromNow(0),
  }));
  return { n, stageId, ids: ids.toReversed() };
}

async function addChild(stageId: number, prenom: string, consentement_image: string): Promise<void> {
  const child = { prenom, nom: 'Martin', consentement_image, mailRL: 'parent@exemple.fr', stageId };
  expect((await ask(site, await site.signIn(), 'POST /add-stagiaire', child)).status).toBe(201);
}

async function statesOf(ids: readonly number[]): Promise<PhotoState[]> {
  const { db } = site.services.database;
  const rows = await db.selectFrom('photos').select(['id', 'statut']).where('id', 'in', ids).execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id)?.statut ?? []);
}

async function enter(visit: OpenVisit, options: BrowserContextOptions, password: string, stageId: number) {
  const visited = await visit(site, options);
  await visited.page.goto(`/connexion?stageId=${stageId}`);
  await visited.page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await visited.page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(visited.page.getByRole('heading', { level: 1, name: 'Séjour' })).toBeVisible();
  return visited;
}

async function signFamilyIn(n: number, stageId: number): Promise<string> {
  const answer = await ask(site, '', 'POST /auth/login', { stageId, password: `FAMILLES${n}` });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { token: string }).token;
}

/** With the cookie that opens the files of photos. */
async function enterAsStaff(visit: OpenVisit, options: BrowserContextOptions, stageId: number) {
  const visited = await visit(site, options);
  const { page } = visited;
  const signedIn = await page.request.post('/api/api/loginAdmin', { data: ADMIN });
  const { tokenAdmin } = (await signedIn.json()) as { tokenAdmin: string };
  await page.addInitScript((value) => localStorage.setItem('adminToken', value), tokenAdmin);
  await page.goto(`/photos-modify/${stageId}`);
  return visited;
}

/** Opens the photos to check one by one. */
async function lookAtEach(page: Page, count: number) {
  await page.getByRole('button', { name: `Vérifier ${count} photo` }).click();
  await page.getByRole('button', { name: 'Une par une', exact: true }).click();
  return page.getByRole('dialog', { name: 'Une par une' });
}

const publish = (page: Page) => page.getByRole('button', { name: 'Publier', exact: true });

/** Ticks what is asked before the first publication. */
async function confirmConsents(page: Page): Promise<void> {
  // Which of the two there are is known once the list of children is here.
  await expect(
    page
      .getByRole('dialog')
      .getByText(/accord/)
      .first(),
  ).toBeVisible();
  await page.getByRole('checkbox', { name: ATTESTATION }).check();
  const unlisted = page.getByRole('checkbox', { name: 'Je publie sans liste d’enfants' });
  if ((await unlisted.count()) > 0) await unlisted.check();
  const confirm = page.getByRole('button', { name: 'Confirmer et publier' });
  await confirm.click();
  // The site publishes before the answer is here, and keys count once it is.
  await expect(confirm).toHaveCount(0);
}

async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await expectNoViolation(page);
}

test('a director checks by keys, confirms the consents once, and takes a decision back', async ({
  visit,
}) => {
  const { n, stageId, ids } = await addStayToCheck(4);
  await addChild(stageId, 'Zoé', 'non');
  await addChild(stageId, 'Inès', 'inconnu');
  await addChild(stageId, 'Adam', 'oui');
  const { page, troubles } = await enter(visit, DESKTOP, `DIRECTEUR${n}`, stageId);
  const each = await lookAtEach(page, 4);
  const screen = page.getByRole('dialog', { name: 'Vérifier les photos' });
  await expect(each.getByRole('listitem')).toHaveText(['Zoé M.', 'Inès M.']);
  await expect(publish(page)).toBeEnabled();
  await expectSound(page);

  await page.keyboard.press('ArrowRight');
  const asked = page.getByRole('dialog', { name: 'Première publication de ce séjour' });
  await expect(asked.getByRole('definition')).toHaveText(['1', '1', '1']);
  await expectSound(page);
  await confirmConsents(page);
  await expect.poll(() => statesOf(ids)).toEqual(['publiee', 'a_verifier', 'a_verifier', 'a_verifier']);
  expect(troubles.splice(0)).toEqual([refused(409)]);

  // A letter alone decides nothing.
  await page.keyboard.press('p');
  await page.keyboard.press('ArrowLeft');
  await expect(each.getByText('2 à vérifier', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(each.getByText('3 à vérifier', { exact: true })).toBeVisible();
  await expect(publish(page)).toBeEnabled();
  await page.keyboard.press('ArrowRight');
  await expect(each.getByText('2 à vérifier', { exact: true })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(each.getByText('1 à vérifier', { exact: true })).toBeVisible();
  await expect(publish(page)).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('ArrowRight');
  // After the last one, it closes by itself.
  await expect(each).toHaveCount(0);
  await expect(screen.getByText('3 photos publiées, 1 photo écartée.')).toBeVisible();
  await expect.poll(() => statesOf(ids)).toEqual(['publiee', 'publiee', 'refusee', 'publiee']);
  await expectSound(page);

  // One that arrives meanwhile is shown by itself; Back closes the screen, and nothing else.
  await addPhotos(site.services, stageId, 1, () => ({ statut: 'a_verifier', jour: dayFromNow(0) }));
  await expect(screen.getByText('1 à vérifier', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(screen).toHaveCount(0);
  await expect(page).toHaveURL('/formateur');
  await expect(page.getByRole('button', { name: 'Vérifier 1 photo' })).toBeVisible();

  // What was refused can be looked at and checked once more.
  await page.getByRole('button', { name: 'Photos écartées (1)' }).click();
  const album = page.getByRole('dialog', { name: 'Toutes les photos' });
  await album.getByRole('button', { name: /^Photo du .+, écartée$/ }).click();
  await page.getByRole('button', { name: 'Remettre à vérifier' }).click();
  await expect(page.getByText('1 photo à vérifier', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(album.getByText('Aucune photo ici')).toBeVisible();
  await page.goBack();
  await expect(album).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Vérifier 2 photos' })).toBeVisible();
  await expect(page.getByText('confirmé par la direction du séjour')).toBeVisible();
});

test('a director unticks in the grid of a day, publishes the rest, and what was unticked stays out', async ({
  visit,
}) => {
  const { n, stageId, ids } = await addStayToCheck(6);
  const older = await addPhotos(site.services, stageId, 2, () => ({
    statut: 'a_verifier',
    jour: dayFromNow(-1),
  }));
  const { page, troubles } = await enter(visit, PHONE, `DIRECTEUR${n}`, stageId);
  await page.getByRole('button', { name: 'Vérifier 8 photos' }).tap();
  const screen = page.getByRole('dialog', { name: 'Vérifier les photos' });
  const days = screen.getByRole('region');
  const photos = days.nth(1).getByRole('checkbox');
  await expect(days.first().getByRole('checkbox', { checked: true })).toHaveCount(2);
  const publishDay = screen.getByRole('button', { name: /^Publier les/ });
  await expect(publishDay.first()).toHaveText(/^Publier les 2\sphotos du/);
  await expectSound(page);
  await publishDay.first().tap();
  await confirmConsents(page);
  await expect.poll(() => statesOf(older)).toEqual(['publiee', 'publiee']);
  expect(troubles.splice(0)).toEqual([refused(409)]);
  await expect(days).toHaveCount(1);

  // Only photos that have been in sight are meant: the last ones are further down.
  const today = days.first().getByRole('checkbox');
  await expect(screen.getByText(/pas encore été affichée/)).toBeAttached();
  await lookAtAll(page);
  await expect(screen.getByRole('button', { name: /^Publier les 6\sphotos du/ })).toBeVisible();
  await today.nth(1).tap();
  await today.nth(4).tap();
  await expect(today.nth(1)).not.toBeChecked();
  await expect(days.first()).toContainText(/2\sphotos écartées/);
  // Unticking is a decision, kept at once: nothing is lost when the screen is closed.
  await expect
    .poll(() => statesOf(ids.filter((_, place) => [1, 4].includes(place))))
    .toEqual(['refusee', 'refusee']);
  await today.nth(1).tap();
  await expect(today.nth(1)).toBeChecked();
  await expect.poll(() => statesOf(ids.slice(1, 2))).toEqual(['a_verifier']);
  await today.nth(1).tap();
  await expect.poll(() => statesOf(ids.slice(1, 2))).toEqual(['refusee']);
  await expectSound(page);
  await page.goBack();
  await expect(screen).toHaveCount(0);
  await page.getByRole('button', { name: 'Vérifier 4 photos' }).tap();
  await lookAtAll(page);
  await expect(today).toHaveCount(6);
  await expect(today.nth(1)).not.toBeChecked();
  await expect(today.nth(4)).not.toBeChecked();

  // One that arrives after the button was read, out of sight, is not published with it.
  await addPhotos(site.services, stageId, 1, () => ({
    statut: 'a_verifier',
    jour: dayFromNow(-2),
  }));
  await expect(days).toHaveCount(2);
  const four = screen.getByRole('button', { name: /^Publier les 4\sphotos du/ });
  await four.tap();
  await expect
    .poll(() => statesOf(ids))
    .toEqual(['publiee', 'refusee', 'publiee', 'publiee', 'refusee', 'publiee']);
  await screen.getByRole('button', { name: 'Annuler la dernière décision' }).tap();
  await expect
    .poll(() => statesOf(ids))
    .toEqual(['a_verifier', 'refusee', 'a_verifier', 'a_verifier', 'refusee', 'a_verifier']);
  await four.tap();
  await expect(photos).toHaveCount(0);

  // One in large, and Back leads to the grid.
  await screen.getByRole('button', { name: 'Voir en grand' }).tap();
  await expect(publish(page)).not.toHaveAttribute('aria-disabled', 'true');
  await page.goBack();
  await expect(publish(page)).toHaveCount(0);
  await days.first().getByRole('checkbox').focus();
  await page.keyboard.press('Enter');
  await publish(page).tap();
  await expect(screen.getByText('5 photos publiées.')).toBeVisible();
  await screen.getByRole('button', { name: 'Terminer' }).tap();
  await expect(screen).toHaveCount(0);
});

test('a finger publishes to the right and rules out to the left', async ({ visit }) => {
  const { n, stageId, ids } = await addStayToCheck(2);
  const { page, troubles } = await enter(visit, PHONE, `DIRECTEUR${n}`, stageId);
  const each = await lookAtEach(page, 2);
  const picture = each.getByRole('img', { name: 'Photo du' });
  await expect(publish(page)).not.toHaveAttribute('aria-disabled', 'true');
  await expectSound(page);
  const touch = await page.context().newCDPSession(page);
  const push = async (by: number) => {
    const { x, y, width, height } = await boxOf(picture);
    const at = (dx: number) => [{ x: x + width / 2 + dx, y: y + height / 2 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (const part of [0.3, 0.6, 1])
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(part * by) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await push(150);
  await confirmConsents(page);
  await expect.poll(() => statesOf(ids)).toEqual(['publiee', 'a_verifier']);
  expect(troubles.splice(0)).toEqual([refused(409)]);
  await push(-40);
  // In a zoomed photo a finger looks around.
  await touch.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 });
  await expect.poll(() => page.evaluate(() => window.visualViewport?.scale)).toBe(2);
  await push(-150);
  await touch.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
  await expect.poll(() => page.evaluate(() => window.visualViewport?.scale)).toBe(1);
  await expect(each.getByText('1 à vérifier', { exact: true })).toBeVisible();
  await push(-150);
  await expect(page.getByText('1 photo publiée, 1 photo écartée.')).toBeVisible();
  await expect.poll(() => statesOf(ids)).toEqual(['publiee', 'refusee']);
});

test('a decision that could not be kept brings its photo back, and is told of after the screen', async ({
  visit,
}) => {
  const { n, stageId, ids } = await addStayToCheck(2);
  const { page, troubles } = await enter(visit, DESKTOP, `DIRECTEUR${n}`, stageId);
  // One route for all of them: a request may be lost while a browser begins or ends to intercept.
  let meet = (route: Route): unknown => route.abort();
  await page.route('**/api/api/photos', (route) => meet(route));
  const screen = await lookAtEach(page, 2);
  await page.keyboard.press('ArrowLeft');
  await expect(screen.getByText('leurs photos reviennent')).toBeVisible();
  await expect(screen.getByText('2 à vérifier', { exact: true })).toBeVisible();
  expect(troubles.splice(0)).toEqual([expect.stringMatching('ERR_FAILED')]);
  meet = (route) => route.continue();
  // The photo that was shown meanwhile is the one that is decided on.
  await page.keyboard.press('ArrowLeft');
  await expect(screen.getByText('1 à vérifier', { exact: true })).toBeVisible();
  await expect.poll(() => statesOf(ids)).toEqual(['a_verifier', 'refusee']);

  let held: Route | undefined;
  meet = (route) => {
    held = route;
  };
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => held).toBeDefined();
  await expect(screen).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await held?.abort();
  await expect(page.getByRole('alert').getByText('n’ont pas pu être enregistrées')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Vérifier 1 photo' })).toBeVisible();
  expect(troubles.splice(0)).toEqual([expect.stringMatching('ERR_FAILED')]);
});

test('the photo that is looked at stays when somebody else decides on it or deletes it', async ({
  visit,
}) => {
  const { n, stageId, ids } = await addStayToCheck(4);
  const { page, troubles } = await enter(visit, PHONE, `DIRECTEUR${n}`, stageId);
  const screen = await lookAtEach(page, 4);
  await expect(screen.getByText('4 à vérifier', { exact: true })).toBeVisible();
  const token = await site.signIn();
  const refuse = { ids: [ids[0]], statut: 'refusee' };
  expect((await ask(site, token, 'PATCH /photos', refuse)).status).toBe(200);
  const news = screen.getByRole('status').filter({ hasText: 'Déjà vérifiée par quelqu’un d’autre' });
  await expect(news).toContainText('écartée');
  await expect(screen.getByText('3 à vérifier', { exact: true })).toBeVisible();
  await expectSound(page);
  await screen.getByRole('button', { name: 'Continuer' }).click();
  await expect(screen.getByText('Déjà vérifiée')).toHaveCount(0);

  // One of those that are published together is deleted before anybody here knows of it.
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route('**/photos/changements?*', async (route) => {
    await held;
    await route.continue();
  });
  expect((await ask(site, token, 'POST /photos/supprimer', { ids: [ids[1]] })).status).toBe(200);
  const missed = page.waitForResponse((answer) => answer.status() === 404);
  await screen.getByRole('button', { name: 'Fermer' }).click();
  await lookAtAll(page);
  await page.getByRole('button', { name: /^Publier les 3\sphotos du/ }).click();
  await missed;
  go();
  await confirmConsents(page);
  await expect(page.getByText('2 photos publiées.', { exact: true })).toBeVisible();
  await expect.poll(() => statesOf(ids)).toEqual(['refusee', 'corbeille', 'publiee', 'publiee']);
  expect(troubles.splice(0)).toEqual([refused(404), refused(409)]);
});

test('photos published for an hour to come are seen by families from that hour', async ({ visit }) => {
  const { n, stageId } = await addStayToCheck(2);
  const { page, troubles } = await enter(visit, DESKTOP, `DIRECTEUR${n}`, stageId);
  const each = await lookAtEach(page, 2);
  await each.getByLabel('Les familles les voient').selectOption('à une autre heure');
  const tomorrow = page.getByRole('button', { name: /^Publier demain à\s20\sh$/ });
  await expect(tomorrow).not.toHaveAttribute('aria-disabled', 'true');
  await tomorrow.click();
  await confirmConsents(page);
  await expect(each.getByText(/^1\sphoto sera publiée demain à\s20\sh\. 1 à vérifier\.$/)).toBeAttached();
  await each.getByRole('button', { name: 'Fermer' }).click();
  await page.getByRole('button', { name: 'Fermer' }).click();
  await expect(page.getByText('1 photo sera vue des familles le')).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(409)]);

  // The hour that was chosen is still chosen, and nothing but another hour changes that of a publication.
  await page.getByRole('button', { name: 'Vérifier 1 photo' }).click();
  await expect(page.getByRole('button', { name: /^Publier la photo du .+ demain à\s20\sh$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Fermer' }).click();
  await page.getByRole('button', { name: 'Changer l’heure' }).click();
  await expect(tomorrow).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Les familles les voient').selectOption('maintenant');
  await expect(page.getByRole('button', { name: 'Publier maintenant' })).toBeEnabled();
  await page.getByRole('button', { name: 'Annuler', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Changer l’heure' })).toBeVisible();

  const token = await signFamilyIn(n, stageId);
  const seen = async () =>
    (await (await ask(site, token, `GET /stages/${stageId}/photos`)).json()).photos.length as number;
  expect(await seen()).toBe(0);
  ahead = 48 * HOUR_MS;
  expect(await seen()).toBe(1);
  ahead = 0;
});

for (const { screen, options } of SCREENS) {
  test(`staff tick photos and decide on all of them, ${screen}`, async ({ visit }) => {
    const { n, stageId, ids } = await addStayToCheck(6);
    const { page, troubles } = await enterAsStaff(visit, options, stageId);
    await expect(page.getByText('Pas encore confirmé')).toBeVisible();
    await page.getByRole('button', { name: 'Cocher des photos' }).click();
    const photos = page.getByRole('checkbox', { name: 'Photo du' });
    await photos.first().click();
    await photos.nth(2).click({ modifiers: ['Shift'] });
    await expect(page.getByRole('status').getByText('3 photos cochées')).toBeVisible();
    await expectSound(page);
    await publish(page).click();
    await confirmConsents(page);
    await expect(page.getByText('3 photos publiées', { exact: true })).toBeVisible();
    expect(troubles.splice(0)).toEqual([refused(409)]);
    // In the order in which they were taken.
    await expect
      .poll(() => statesOf(ids))
      .toEqual([...Array(3).fill('publiee'), ...Array(3).fill('a_verifier')]);
    await expect(page.getByText('Confirmé par alice')).toBeVisible();

    await page.getByRole('button', { name: 'À vérifier (3)' }).click();
    await page.getByRole('button', { name: 'Tout cocher (3)' }).click();
    await page.getByRole('button', { name: 'Mettre à la corbeille', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Mettre à la corbeille' }).click();
    await expect(page.getByText('3 photos mises à la corbeille pour 14 jours')).toBeVisible();
    expect(await statesOf(ids)).toEqual([...Array(3).fill('publiee'), ...Array(3).fill('corbeille')]);

    // From the bin one is put back, and the others are erased for good by whoever proves who they are.
    await page.getByRole('button', { name: 'Corbeille (3)' }).click();
    const binned = page.getByRole('checkbox', { name: /^Photo du .+, dans la corbeille$/ });
    await expect(page.getByRole('heading', { name: /^Effacées pour de bon le / })).toBeVisible();
    await binned.first().click();
    await expectSound(page);
    await page.getByRole('button', { name: 'Rétablir', exact: true }).click();
    await expect(page.getByText('1 photo rétablie, à vérifier')).toBeVisible();
    await expect(binned).toHaveCount(2);
    await site.services.database.write((transaction) =>
      transaction.updateTable('sessions').set({ prouve_le: null }).execute(),
    );
    await page.getByRole('button', { name: 'Tout cocher (2)' }).click();
    await page.getByRole('button', { name: 'Effacer pour de bon' }).click();
    const sure = page.getByRole('alertdialog').getByRole('button', { name: 'Effacer pour de bon' });
    await sure.click();
    const proof = page.getByRole('dialog', { name: 'Confirmez que c’est vous' });
    await proof.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
    await proof.getByRole('button', { name: 'Confirmer' }).click();
    await expect(page.getByText('2 photos effacées pour de bon')).toBeVisible();
    await expect(page.getByText('La corbeille est vide.')).toBeVisible();
    expect(troubles.splice(0)).toEqual([refused(403)]);
    expect((await statesOf(ids)).toSorted()).toEqual(['a_verifier', ...Array(3).fill('publiee')]);

    // A family asks for a removal: staff see it at once, and put the photo back.
    const token = await signFamilyIn(n, stageId);
    const mot = 'Mon fils est reconnaissable.';
    expect((await ask(site, token, `POST /photos/${ids[0]}/retrait`, { mot })).status).toBe(200);
    await expect(page.getByText(mot)).toBeVisible();
    await expectSound(page);
    await page.getByRole('button', { name: 'Remettre en ligne' }).click();
    const question = page.getByRole('alertdialog', { name: `«\u00a0${mot}\u00a0»` });
    await expect(question.locator('[data-first-focus]')).toBeFocused();
    await expectSound(page);
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    expect((await statesOf(ids.slice(0, 3))).sort()).toEqual(['publiee', 'publiee', 'retiree']);
    await page.getByRole('button', { name: 'Remettre en ligne' }).click();
    await question.getByLabel('Votre réponse à la famille').fill('On ne le reconnaît pas.');
    await question.getByRole('button', { name: 'Montrer' }).click();
    await expect(page.getByText(mot)).toHaveCount(0);
    expect(troubles.splice(0)).toEqual([refused(409), refused(409)]);
    const told = await (await ask(site, token, `GET /stages/${stageId}/retraits`)).json();
    expect(told).toMatchObject([{ decision: 'gardee', reponse: 'On ne le reconnaît pas.' }]);
    expect(await statesOf(ids.slice(0, 3))).toEqual(Array(3).fill('publiee'));

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Télécharger les photos publiées' }).click();
    await (await downloading).cancel();
    await expect(page.getByText('montrent d’autres enfants\u202f: ne les publiez pas.')).toBeVisible();

    await page.getByRole('button', { name: 'Toutes (4)' }).click();
    await page.getByRole('button', { name: 'Ne plus cocher' }).click();
    await page.getByRole('button', { name: 'Photo du' }).first().click();
    const opened = page.getByRole('dialog', { name: 'Photo 1 sur 4' });
    await opened.getByLabel('Légende').fill('Le phare des Baleines');
    await opened.getByRole('button', { name: 'Enregistrer', exact: true }).click();
    await expect(opened.getByText('1 photo modifiée')).toBeVisible();
    await expectSound(page);
    await page.goBack();
    await expect(page.getByRole('button', { name: 'Le phare des Baleines' })).toBeVisible();
  });
}

test('staff keep their place in photos of one state, and in lists whose items go', async ({ visit }) => {
  const { stageId, ids } = await addStayToCheck(3);
  const unreadable = await addPhotos(site.services, stageId, 2, () => ({
    statut: 'illisible',
    jour: dayFromNow(0),
  }));
  // Nothing was made from them that a grid could still be fetching when they are deleted.
  await site.services.database.write((transaction) =>
    transaction.updateTable('photos').set({ nom: null }).where('id', 'in', unreadable).execute(),
  );
  const { page } = await enterAsStaff(visit, PHONE, stageId);
  const failed = page.getByRole('region', { name: 'Fichiers illisibles' }).getByRole('button');
  await failed.first().click();
  await expect(failed).toHaveCount(1);
  await expect(failed).toBeFocused();
  await failed.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Séjour' })).toBeFocused();

  await page.getByRole('button', { name: 'À vérifier (3)' }).click();
  const photos = page.getByRole('button', { name: /^Photo du .+, à vérifier$/ });
  await photos.nth(1).click();
  const opened = page.getByRole('dialog', { name: 'Photo 2 sur 3' });
  await opened.getByRole('button', { name: 'Écarter' }).click();
  await expect(opened.getByText('1 photo écartée')).toBeVisible();
  await expect(opened.getByRole('button', { name: 'Enregistrer le motif' })).toBeFocused();
  await page.goBack();
  await expect(photos).toHaveCount(2);
  await expect(photos.last()).toBeFocused();

  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Mettre la photo à la corbeille' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mettre à la corbeille' }).click();
  await expect(page.getByText('Cette photo est à la corbeille.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Fermer', exact: true })).toBeFocused();
  await expectSound(page);
  await page.keyboard.press('Enter');
  await expect(photos).toBeFocused();
  expect(await statesOf(ids)).toEqual(['a_verifier', 'refusee', 'corbeille']);
});

test('a director writes the word of the day, keeps a draft, and takes it away', async ({ visit }) => {
  const { n, stageId } = await addStayToCheck(0);
  const { page } = await enter(visit, PHONE, `DIRECTEUR${n}`, stageId);
  const words = page.getByRole('region', { name: 'Le mot du jour' });
  const [field, save] = [
    words.getByLabel('Mot du jour'),
    words.getByRole('button', { name: 'Publier ce mot' }),
  ];
  await field.first().fill('Grand soleil sur la plage.');
  await expect(words.getByRole('figure')).toContainText('Grand soleil sur la plage.');
  await page.reload();
  await expect(field.first()).toHaveValue('Grand soleil sur la plage.');
  await save.first().click();
  const day = `GET /stages/${stageId}/jours/${dayFromNow(0)}`;
  const told = async () => (await (await ask(site, await signFamilyIn(n, stageId), day)).json()).mot;
  await expect.poll(told).toBe('Grand soleil sur la plage.');
  await expectSound(page);
  await words.getByRole('button', { name: 'Effacer' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Effacer' }).click();
  await expect(field.first()).toHaveValue('');
  expect(await told()).toBe('');
});
