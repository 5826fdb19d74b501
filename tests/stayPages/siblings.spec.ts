import { expect, type Page } from '@playwright/test';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { openSite } from '#tests/browser/site.ts';
import {
  addStay,
  arrive,
  ask,
  boxOf,
  DESKTOP,
  type OpenStay,
  PHONE,
  refused,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';
import { addPhotos } from '#tests/support/gallery.ts';

/* Siblings in two stays: both on one page of one device. */

let site: Awaited<ReturnType<typeof openSite>>;
let admin: string;

test.beforeAll(async () => {
  site = await openSite();
  admin = await site.signIn();
});
test.afterAll(() => site?.stop());

const today = () => dayAt(new Date(), 'Europe/Paris');
const yesterday = () => dayAfter(today(), -1);

interface Stay extends OpenStay {
  /** In the order in which they were taken: one of yesterday, two of today. */
  photos: number[];
}

/** A stay with three photos, taken so many minutes after those of another one. */
async function stayWithPhotos(name: string, minutes: number): Promise<Stay> {
  const stay = await addStay(site, admin, name);
  const takenAt = (jour: string, place: number) =>
    new Date(Date.parse(`${jour}T08:00:00.000Z`) + (60 * place + minutes) * 60_000).toISOString();
  const photos = await addPhotos(site.services, stay.id, 3, (index) => {
    const jour = index === 0 ? yesterday() : today();
    return { jour, prise_le: takenAt(jour, index) };
  });
  return { ...stay, photos };
}

async function signIn(page: Page, { id }: OpenStay, password: string): Promise<void> {
  await arrive(page, `/connexion?stageId=${id}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
}

/** A tab signed in to both, as their families. */
async function signInToBoth(page: Page, lake: Stay, sea: Stay): Promise<void> {
  await signIn(page, lake, lake.family);
  await expect(page).toHaveURL(`/stage-details/${lake.id}`);
  await signIn(page, sea, sea.family);
  await expect(page).toHaveURL('/mes-sejours');
  await expect(tiles(page)).toHaveCount(6);
}

const tiles = (page: Page) => page.locator('[data-photo]');
const idsOf = (page: Page) =>
  tiles(page).evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset.photo)));
const lightbox = (page: Page) => page.getByRole('dialog', { name: 'Photos en grand' });
const choice = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Séjours à montrer' }).getByRole('button', { name, exact: true });

async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await expectNoViolation(page);
}

for (const { screen, options } of SCREENS) {
  test(`the photos of both stays are one list by day, each with its stay, ${screen}`, async ({ visit }) => {
    const lake = await stayWithPhotos(`Été au lac ${screen}`, 0);
    const sea = await stayWithPhotos(`Été à la mer ${screen}`, 10);
    for (const [{ id }, mot] of [
      [lake, 'Nous avons ramé.'],
      [sea, 'Nous avons pêché.'],
    ] as const) {
      expect((await ask(site, admin, `PUT /stages/${id}/jours/${today()}`, { mot })).status).toBe(200);
    }
    const { page } = await visit(site, options);
    await signInToBoth(page, lake, sea);

    const [l0, l1, l2] = lake.photos;
    const [s0, s1, s2] = sea.photos;
    expect(await idsOf(page)).toEqual([l1, s1, l2, s2, l0, s0]);
    // Every picture comes: the cookies of both open them.
    for (const tile of await tiles(page).all()) {
      await tile.scrollIntoViewIfNeeded();
      await expect
        .poll(() => tile.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
    }
    await expect(tiles(page).first()).toHaveAccessibleName(
      new RegExp(`^Photo 1 sur 6, .*, ${lake.nom_stage}$`),
    );
    await expect(tiles(page).first()).toContainText('au lac');
    // Yesterday’s begin anew; a photo of the stay of the one before says nothing.
    await expect(tiles(page).nth(4)).toContainText('au lac');
    if (options === PHONE) expect((await boxOf(tiles(page).first())).y).toBeLessThanOrEqual(350);
    for (const text of ['Nous avons ramé.', 'Nous avons pêché.'])
      await expect(page.getByText(text)).toBeVisible();
    await expectSound(page);

    await choice(page, sea.nom_stage).click();
    await expect(choice(page, sea.nom_stage)).toHaveAttribute('aria-pressed', 'true');
    await expect(tiles(page)).toHaveCount(3);
    expect(await idsOf(page)).toEqual([s1, s2, s0]);
    await expect(page.getByText('Nous avons ramé.')).toHaveCount(0);
    await expectSound(page);
    await choice(page, 'Tous').click();
    await expect(tiles(page)).toHaveCount(6);

    await tiles(page).nth(1).click();
    await expect(lightbox(page).getByText(`2 sur 6`)).toContainText(sea.nom_stage);
    await lightbox(page).getByRole('button', { name: 'Favori' }).click();
    await page.keyboard.press('Escape');
    await expect(lightbox(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Mes favoris (1)' }).click();
    await expect(tiles(page)).toHaveCount(1);
    expect(await idsOf(page)).toEqual([s1]);
    // The page of the stay knows the same favourite.
    await arrive(page, `/stage-details/${sea.id}`);
    await expect(page.getByRole('button', { name: 'Mes favoris (1)' })).toBeVisible();
  });
}

test('downloads are one file a stay, and a removal goes to the stay of the photo', async ({ visit }) => {
  const [lake, sea] = [await stayWithPhotos('Rivière', 0), await stayWithPhotos('Forêt', 10)];
  const { page } = await visit(site, DESKTOP);
  await signInToBoth(page, lake, sea);
  await page.getByRole('button', { name: 'Télécharger', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Télécharger les photos' });
  await expect(dialog.getByText('Un fichier ZIP par séjour')).toBeVisible();
  for (const { nom_stage } of [lake, sea]) {
    const download = page.waitForEvent('download');
    await dialog.getByRole('link', { name: new RegExp(`^${nom_stage} \\(3`) }).click();
    expect((await download).suggestedFilename()).toBe(`${nom_stage}.zip`);
  }
  await dialog.getByRole('button', { name: 'Fermer' }).click();

  await page.getByRole('button', { name: 'Choisir' }).click();
  await tiles(page).nth(0).click();
  await tiles(page).nth(1).click();
  await tiles(page).nth(2).click();
  for (const [{ nom_stage }, count] of [
    [lake, 2],
    [sea, 1],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: `Télécharger ${nom_stage} (${count})` }).click();
    expect((await download).suggestedFilename()).toBe(`${nom_stage} - sélection.zip`);
  }
  await page.getByRole('button', { name: 'Terminer' }).click();

  await tiles(page).nth(1).click();
  await lightbox(page).getByRole('button', { name: 'Demander le retrait' }).click();
  await page.getByRole('button', { name: 'Demander le retrait' }).last().click();
  await expect(page.getByRole('dialog', { name: 'Demande envoyée' })).toBeVisible();
  await page.getByRole('button', { name: 'Fermer', exact: true }).last().click();
  await page.keyboard.press('Escape');
  await expect(tiles(page)).toHaveCount(5);
  const states = await (await ask(site, admin, `GET /stages/${sea.id}/photos/suivi`)).json();
  expect(states.demandes).toBe(1);
});

test('photos that are published arrive by themselves, of either stay', async ({ visit }) => {
  const [lake, sea] = [await stayWithPhotos('Volcan', 0), await stayWithPhotos('Glacier', 10)];
  const { page } = await visit(site, DESKTOP);
  await signInToBoth(page, lake, sea);
  for (const [count, { id }] of [
    [7, lake],
    [8, sea],
  ] as const) {
    await addPhotos(site.services, id, 1, () => ({ jour: today() }));
    await expect(tiles(page)).toHaveCount(count);
  }
});

test('closing one stay leaves the other, and so does a sign-in that ends', async ({ visit }) => {
  const [lake, sea] = [await stayWithPhotos('Dune', 0), await stayWithPhotos('Marais', 10)];
  const { page, troubles } = await visit(site, PHONE);
  await signInToBoth(page, lake, sea);
  await page.getByRole('region', { name: 'Dune' }).getByRole('button', { name: 'Fermer ce séjour' }).click();
  await expect(page.getByRole('status').getByText('est fermé sur cet appareil.')).toBeVisible();
  await expect(tiles(page)).toHaveCount(3);
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual([`passerelle_sejour_${sea.id}`]);
  await expect(page.getByRole('group', { name: 'Séjours à montrer' })).toHaveCount(0);

  await signIn(page, lake, lake.family);
  await expect(tiles(page)).toHaveCount(6);
  const stays = await page.evaluate(() => JSON.parse(localStorage.getItem('sejours') ?? '[]'));
  const { token } = stays.find(({ stageId }: { stageId: number }) => stageId === sea.id);
  await ask(site, token, 'POST /auth/logout');
  await page.reload();
  await expect(
    page.getByRole('alert').getByText('Votre connexion à «\u00a0Marais\u00a0» est terminée.'),
  ).toBeVisible();
  await expect(page).toHaveURL('/mes-sejours');
  await expect(tiles(page)).toHaveCount(3);
  expect(await idsOf(page)).toEqual([lake.photos[1], lake.photos[2], lake.photos[0]]);
  const others = troubles.splice(0).filter((trouble) => !refused(401).asymmetricMatch(trouble));
  expect(others.filter((trouble) => !trouble.startsWith('Erreur lors de la récupération'))).toEqual([]);
});

test('a director keeps their page beside the stays of their children', async ({ visit }) => {
  const [lake, sea] = [await stayWithPhotos('Causse', 0), await stayWithPhotos('Gorges', 10)];
  const { page } = await visit(site, DESKTOP);
  await signIn(page, lake, lake.director);
  await expect(page).toHaveURL('/formateur');
  await signIn(page, sea, sea.family);
  await expect(page).toHaveURL(`/stage-details/${sea.id}`);
  await signIn(page, lake, lake.family);
  await expect(page).toHaveURL('/mes-sejours');
  await expect(tiles(page)).toHaveCount(6);
  await arrive(page, '/connexion');
  await expect(page.getByRole('link', { name: 'Tous mes séjours' })).toBeVisible();
  await page.getByRole('button', { name: 'Causse (direction)' }).click();
  await expect(page).toHaveURL('/formateur');
  await page.getByRole('button', { name: 'Changer de séjour' }).click();
  await page.getByRole('link', { name: 'Tous mes séjours' }).click();
  await expect(tiles(page)).toHaveCount(6);
});
