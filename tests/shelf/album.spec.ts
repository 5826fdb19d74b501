import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { openSite } from '#tests/browser/site.ts';
import { ask, boxOf, DESKTOP, type OpenVisit, PHONE, test } from '#tests/browser/visit.ts';
import { addPhotos, type Made } from '#tests/support/gallery.ts';

/* All photos of a stay, as its director sees and orders them. */

let site: Awaited<ReturnType<typeof openSite>>;
let last = 0;

test.beforeAll(async () => {
  site = await openSite(() => new Date());
});
test.afterAll(() => site?.stop());

const dayFromNow = (days: number) => dayAfter(dayAt(new Date(), 'Europe/Paris'), days);

/** The album of a stay whose photos of today are these; `ids`: from the first of the day on. */
async function openAlbum(visit: OpenVisit, options: BrowserContextOptions, states: Made['statut'][]) {
  const n = ++last;
  const { database, secrets, clock } = site.services;
  const stay = { nom_stage: `Séjour ${n}`, date_debut: dayFromNow(-9), date_fin: dayFromNow(5) };
  const passwords = { formateur: `DIRECTEUR${n}`, stagiaire: `FAMILLES${n}` };
  const stageId = await database.write((transaction) =>
    insertStay(transaction, secrets, stay, clock(), passwords),
  );
  const ids = await addPhotos(site.services, stageId, states.length, (index) => ({
    statut: states[index] ?? 'publiee',
    jour: dayFromNow(0),
    prise_le: `${dayFromNow(0)}T09:00:0${index}.000Z`,
  }));
  const { page, troubles } = await visit(site, options);
  await page.goto(`/connexion?stageId=${stageId}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(passwords.formateur);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByRole('button', { name: `Toutes les photos (${ids.length})` }).click();
  const album = page.getByRole('dialog', { name: 'Toutes les photos' });
  await expect(album.locator('[data-photo]').first()).toBeVisible();
  return { page, troubles, album, ids, stageId, family: passwords.stagiaire };
}

/** Ids of the photos as they stand. */
const shown = (album: Locator) =>
  album
    .locator('[data-photo]')
    .evaluateAll((photos) => photos.map((photo) => Number((photo as HTMLElement).dataset.photo)));

async function kept(stageId: number, password: string): Promise<number[]> {
  const signedIn = await ask(site, '', 'POST /auth/login', { stageId, password });
  const { token } = (await signedIn.json()) as { token: string };
  const { photos } = await (await ask(site, token, `GET /stages/${stageId}/photos`)).json();
  return (photos as { id: number }[]).map(({ id }) => id);
}

/** Keeps requests from the server until they are released; `first` settles with the first one. */
async function holdRequests(page: Page, address: string) {
  const first = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    first.resolve();
    await released.promise;
    await route.continue();
  });
  return { first: first.promise, release: released.resolve };
}

async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await expectNoViolation(page);
}

test('a director orders the photos of a day by keys, by buttons, and puts them back', async ({ visit }) => {
  const { page, album, ids, stageId, family } = await openAlbum(visit, DESKTOP, Array(4).fill('publiee'));
  const [a, b, c, d] = ids as [number, number, number, number];
  await album.getByRole('button', { name: 'Ordonner' }).click();
  await expectSound(page);
  const tile = album.locator(`[data-photo="${d}"]`);
  await tile.focus();
  // Twice before the page is drawn again, as keys held on a slow machine.
  await tile.evaluate((focused) => {
    const init = { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true };
    for (let press = 0; press < 2; press++) focused.dispatchEvent(new KeyboardEvent('keydown', init));
  });
  await expect(album.getByRole('status').getByText('Photo 2 sur 4')).toBeAttached();
  await expect(tile).toBeFocused();
  await expect.poll(() => shown(album)).toEqual([a, d, b, c]);
  await expect.poll(() => kept(stageId, family)).toEqual([a, d, b, c]);

  // What the server says of a move changes no place that a later one has given.
  const changes = await holdRequests(page, '**/photos/changements?**');
  await page.keyboard.press('Alt+ArrowLeft');
  await changes.first;
  await page.keyboard.press('Alt+ArrowRight');
  const moves = await holdRequests(page, '**/ordre');
  changes.release();
  await moves.first;
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  expect(await shown(album)).toEqual([a, d, b, c]);
  moves.release();
  await expect.poll(() => kept(stageId, family)).toEqual([a, d, b, c]);
  expect(await shown(album)).toEqual([a, d, b, c]);

  await tile.press('Enter');
  const opened = page.getByRole('dialog', { name: 'Photo 2 sur 4' });
  await opened.getByRole('button', { name: 'Plus tôt' }).click();
  await expect(opened.getByText('1re des 4 photos du')).toBeVisible();
  await expect(opened.getByRole('button', { name: 'Plus tôt' })).toHaveAttribute('aria-disabled', 'true');
  await expectSound(page);
  await page.goBack();
  await expect(tile).toBeFocused();
  await expect.poll(() => kept(stageId, family)).toEqual([d, a, b, c]);

  await album.getByRole('button', { name: 'Remettre dans l’ordre des prises de vue' }).click();
  await page.getByRole('button', { name: 'Remettre dans l’ordre', exact: true }).click();
  await expect.poll(() => shown(album)).toEqual([a, b, c, d]);
  expect(await kept(stageId, family)).toEqual([a, b, c, d]);
});

test('a photo is dragged by mouse and by finger, and a move that fails is taken back', async ({ visit }) => {
  const mouse = await openAlbum(visit, DESKTOP, Array(4).fill('publiee'));
  const [a, b, c, d] = mouse.ids as [number, number, number, number];
  await mouse.album.getByRole('button', { name: 'Ordonner' }).click();
  const gripOf = (album: Locator, id: number) =>
    album
      .getByRole('listitem')
      .filter({ has: album.page().locator(`[data-photo="${id}"]`) })
      .locator('[data-grip]');
  const middle = async (place: Locator) => {
    const { x, y, width, height } = await boxOf(place);
    return { x: x + width / 2, y: y + height / 2 };
  };
  const drag = async (id: number, target: number) => {
    const from = await middle(gripOf(mouse.album, id));
    const to = await boxOf(mouse.album.locator(`[data-photo="${target}"]`));
    await mouse.page.mouse.move(from.x, from.y);
    await mouse.page.mouse.down();
    await mouse.page.mouse.move(to.x + 30, to.y + 40, { steps: 5 });
  };
  await drag(d, b);
  // Escape leaves all as it is, the album too.
  await mouse.page.keyboard.press('Escape');
  await mouse.page.mouse.up();
  expect(await shown(mouse.album)).toEqual([a, b, c, d]);
  await drag(d, b);
  await mouse.page.mouse.up();
  expect(await shown(mouse.album)).toEqual([a, d, b, c]);
  await expect.poll(() => kept(mouse.stageId, mouse.family)).toEqual([a, d, b, c]);

  await mouse.page.route('**/ordre', (route) => route.abort());
  await drag(c, a);
  await mouse.page.mouse.up();
  await expect(mouse.album.getByText('L’ordre n’a pas pu être enregistré.')).toBeVisible();
  await expect.poll(() => shown(mouse.album)).toEqual([a, d, b, c]);
  mouse.troubles.splice(0);

  const finger = await openAlbum(visit, PHONE, Array(4).fill('publiee'));
  const [first, , , fourth] = finger.ids as [number, number, number, number];
  await finger.album.getByRole('button', { name: 'Ordonner' }).tap();
  await finger.album.locator(`[data-photo="${fourth}"]`).scrollIntoViewIfNeeded();
  const touch = await finger.page.context().newCDPSession(finger.page);
  const from = await middle(gripOf(finger.album, fourth));
  const { x, y } = await boxOf(finger.album.locator(`[data-photo="${first}"]`));
  const send = (type: string, touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type: type as 'touchMove', touchPoints });
  await send('touchStart', [from]);
  for (const part of [0.3, 0.7, 1])
    await send('touchMove', [{ x: from.x + part * (x + 10 - from.x), y: from.y + part * (y + 20 - from.y) }]);
  await send('touchEnd', []);
  await expect.poll(() => kept(finger.stageId, finger.family)).toEqual([fourth, ...finger.ids.slice(0, 3)]);
});

test('a director corrects, takes back, refuses and deletes photos, before and after publishing', async ({
  visit,
}) => {
  const { page, troubles, album, stageId, family, ids } = await openAlbum(visit, PHONE, [
    ...['publiee', 'publiee', 'a_verifier', 'refusee', 'refusee', 'refusee'],
  ] as Made['statut'][]);
  await expectSound(page);
  await album
    .getByRole('button', { name: /^Photo du .+, publiée$/ })
    .first()
    .tap();
  const opened = page.getByRole('dialog', { name: 'Photo 1 sur 6' });
  await opened.getByLabel('Légende').fill('La veillée');
  await opened.getByRole('button', { name: 'Enregistrer', exact: true }).tap();
  await expect(opened.getByText('1 photo modifiée')).toBeVisible();
  await opened.getByRole('button', { name: 'Remettre à vérifier' }).tap();
  await expect(opened.getByText('À vérifier', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(album).toBeVisible();
  expect(await kept(stageId, family)).toEqual([ids[1]]);

  await album.getByRole('button', { name: 'À vérifier (2)' }).tap();
  await album.getByRole('button', { name: 'Cocher des photos' }).tap();
  await album.getByRole('button', { name: 'Tout cocher (2)' }).tap();
  await album.getByRole('button', { name: 'Écarter' }).tap();
  // The message is seen over the album.
  await expect(album.getByText('2 photos écartées')).toBeVisible();
  await album.getByRole('button', { name: 'Ne plus cocher' }).tap();

  await album.getByRole('button', { name: 'Écartées (5)' }).tap();
  await expectSound(page);
  await album.getByRole('button', { name: 'Mettre ces 5 photos à la corbeille' }).tap();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mettre à la corbeille' }).tap();
  await expect(album.getByText('5 photos mises à la corbeille pour 14 jours')).toBeVisible();
  // By mistake: the notice takes it back, and the bin does for whoever sees it later.
  await album.getByRole('button', { name: 'Annuler la mise à la corbeille' }).tap();
  await expect(album.getByText('5 photos rétablies, à vérifier')).toBeVisible();
  await album.getByRole('button', { name: 'À vérifier (5)' }).tap();
  await album.getByRole('button', { name: 'Cocher des photos' }).tap();
  await album.getByRole('button', { name: 'Tout cocher (5)' }).tap();
  await album.getByRole('button', { name: 'Mettre à la corbeille', exact: true }).tap();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mettre à la corbeille' }).tap();
  await album.getByRole('button', { name: 'Ne plus cocher' }).tap();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Toutes les photos (1)' })).toBeVisible();
  await page.getByRole('button', { name: 'Corbeille (5)' }).tap();
  await album
    .getByRole('button', { name: /, dans la corbeille$/ })
    .first()
    .tap();
  const thrown = page.getByRole('dialog', { name: 'Photo 1 sur 5' });
  await expect(thrown.getByText('Mise à la corbeille par la direction du séjour')).toBeVisible();
  // Only staff erase.
  await expect(thrown.getByRole('button', { name: 'Effacer pour de bon' })).toHaveCount(0);
  await expectSound(page);
  await thrown.getByRole('button', { name: 'Rétablir' }).tap();
  await expect(page.getByText('Cette photo n’est plus dans la corbeille.')).toBeVisible();
  await page.goBack();
  await expect(album.getByRole('button', { name: 'Corbeille (4)' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Toutes les photos (2)' })).toBeVisible();
  expect(await kept(stageId, family)).toEqual([ids[1]]);
  expect(troubles).toEqual([]);
});
