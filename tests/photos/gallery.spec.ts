import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { dayAt } from '#platform/shared/time.ts';
import { violationsOf } from '#tests/browser/axe.ts';
import { openSite } from '#tests/browser/site.ts';
import {
  addStay,
  arrive,
  boxOf,
  DESKTOP,
  type OpenStay,
  type OpenVisit,
  PHONE,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';
import { addPhotos } from '#tests/support/gallery.ts';

let site: Awaited<ReturnType<typeof openSite>>;
let admin: string;

test.beforeAll(async () => {
  site = await openSite();
  admin = await site.signIn();
});
test.afterAll(() => site?.stop());

const today = () => dayAt(new Date(), 'Europe/Paris');

/** A stay with photos, each a second older than the one before. */
async function stayWith(count: number, name: string): Promise<OpenStay & { photos: number[] }> {
  const stay = await addStay(site, admin, name);
  return { ...stay, photos: await addPhotos(site.services, stay.id, count, () => ({ jour: today() })) };
}

/** A family's tab, on the photos of its stay; `prepare`: before it goes anywhere. */
async function enter(
  visit: OpenVisit,
  options: BrowserContextOptions,
  stay: OpenStay,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Page> {
  const { page } = await visit(site, options);
  await prepare?.(page);
  await arrive(page, `/connexion?stageId=${stay.id}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(stay.family);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: 'Les photos du séjour' })).toBeVisible();
  await expect(tiles(page).first()).toBeVisible();
  return page;
}

const tiles = (page: Page) => page.locator('[data-photo]');
const tile = (page: Page, id: number | undefined) => page.locator(`[data-photo="${id}"]`);
const lightbox = (page: Page) => page.getByRole('dialog', { name: 'Photos en grand' });

async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violationsOf(page)).toEqual([]);
  }
}

/** The files of an archive that compresses none of them. */
function storedIn(archive: Buffer): { name: string; bytes: Buffer; crc: number }[] {
  const files = [];
  for (let place = 0; archive.toString('latin1', place, place + 4) === 'PK\x03\x04'; ) {
    const [crc, size] = [archive.readUInt32LE(place + 14), archive.readUInt32LE(place + 18)];
    const named = place + 30;
    const from = named + archive.readUInt16LE(place + 26) + archive.readUInt16LE(place + 28);
    const name = archive.toString('utf8', named, named + archive.readUInt16LE(place + 26));
    files.push({ name, crc, bytes: archive.subarray(from, from + size) });
    place = from + size;
  }
  return files;
}

for (const { screen, options } of SCREENS) {
  test(`a family opens a photo, keeps it as a favourite and finds it again, ${screen}`, async ({ visit }) => {
    const stay = await stayWith(30, `Favoris ${screen}`);
    const page = await enter(visit, options, stay);
    await expectSound(page);
    const third = tile(page, stay.photos[2]);
    await expect(third).toHaveAccessibleName(/^Photo 3 sur 30, /);
    if (options === PHONE) await third.tap();
    else await third.click();
    await expect(lightbox(page)).toContainText('3 sur 30');
    await expectSound(page);
    await lightbox(page).getByRole('button', { name: 'Favori' }).click();
    await page.goBack();
    await expect(lightbox(page)).toHaveCount(0);
    await expect(third).toBeFocused();
    await page.reload();
    await page.getByRole('button', { name: 'Mes favoris (1)' }).click();
    await expect(tiles(page)).toHaveCount(1);
    await expect(third).toHaveAccessibleName(/favorite$/);
  });
}

test('the keyboard leads from photo to photo, opens one and goes on from there', async ({ visit }) => {
  const stay = await stayWith(30, 'Au clavier');
  const page = await enter(visit, DESKTOP, stay);
  await tile(page, stay.photos[0]).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tile(page, stay.photos[1])).toBeFocused();
  await page.keyboard.press('End');
  await expect(tile(page, stay.photos[29])).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  const [above, under] = await Promise.all([
    boxOf(tile(page, stay.photos[0])),
    boxOf(page.locator('[data-photo]:focus')),
  ]);
  expect(under.y).toBeCloseTo(above.y + above.height + 4, 0);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(lightbox(page)).toContainText('1 sur 30');
  await page.keyboard.press('ArrowRight');
  await expect(lightbox(page)).toContainText('2 sur 30');
  await page.keyboard.press('Escape');
  await expect(lightbox(page)).toHaveCount(0);
  await expect(tile(page, stay.photos[1])).toBeFocused();
});

test('a photo whose removal is asked for is gone at once in another browser, where it was open', async ({
  visit,
}) => {
  const stay = await stayWith(12, 'Retrait');
  const other = await enter(visit, PHONE, stay);
  await tile(other, stay.photos[4]).tap();
  await expect(lightbox(other)).toContainText('5 sur 12');
  const address = await tile(other, stay.photos[4]).locator('img').getAttribute('src');
  const page = await enter(visit, DESKTOP, stay);
  await tile(page, stay.photos[4]).click();
  await lightbox(page).getByRole('button', { name: 'Demander le retrait' }).click();
  const dialog = page.getByRole('dialog', { name: 'Demander le retrait' });
  await dialog.getByLabel('Un mot pour l’équipe').fill('Mon fils ne veut pas.');
  await dialog.getByRole('button', { name: 'Demander le retrait' }).click();
  await expect(page.getByRole('heading', { name: 'Demande envoyée' })).toBeVisible();
  await page.getByRole('dialog', { name: 'Demande envoyée' }).getByRole('button', { name: 'Fermer' }).click();
  await expect(lightbox(page)).toContainText('5 sur 11');
  await page.keyboard.press('ArrowRight');
  await expect(lightbox(page)).toContainText('6 sur 11');
  await expect(lightbox(other)).toContainText('5 sur 11');
  await other.goBack();
  await expect(tile(other, stay.photos[3])).toBeVisible();
  await expect(tile(other, stay.photos[4])).toHaveCount(0);
  expect((await other.request.get(address ?? '')).status()).toBe(404);
});

test('photos that arrive move nothing under the eyes of who looks further down', async ({ visit }) => {
  const stay = await stayWith(120, 'Arrivées');
  const page = await enter(visit, PHONE, stay);
  await tile(page, stay.photos[0]).focus();
  await page.keyboard.press('End');
  const last = tile(page, stay.photos[119]);
  await expect(last).toBeFocused();
  const before = await boxOf(last);
  const [arrived] = await addPhotos(site.services, stay.id, 1, () => ({
    jour: today(),
    prise_le: `${today()}T23:59:00.000Z`,
  }));
  // Beside the filter of the same name.
  const pill = page.locator('.gallery-float').getByRole('button', { name: 'Une nouvelle photo' });
  await expect(pill).toBeVisible();
  expect(await boxOf(last)).toEqual(before);
  await pill.click();
  await expect(tile(page, arrived)).toBeInViewport();
  await expect(tile(page, arrived)).toHaveAccessibleName(/^Photo 1 sur 121, .*, nouvelle$/);
  await expect(pill).toHaveCount(0);
});

test('a long list comes whole while photos arrive, and a photo of its end opens again', async ({ visit }) => {
  const stay = await stayWith(150, 'Longue liste');
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let beginnings = 0;
  const page = await enter(visit, DESKTOP, stay, (tab) =>
    tab.route(/\/photos\?/, async (route) => {
      if (route.request().url().includes('apres=')) await isReleased;
      else beginnings += 1;
      await route.continue();
    }),
  );
  await expect(tiles(page).first()).toHaveAccessibleName(/^Photo 1 sur 120, /);
  await addPhotos(site.services, stay.id, 1, () => ({
    jour: today(),
    prise_le: `${today()}T23:59:00.000Z`,
  }));
  release();
  await expect(tiles(page).first()).toHaveAccessibleName(/^Photo 1 sur 151, /);
  expect(beginnings).toBe(1);
  await tiles(page).first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(lightbox(page)).toContainText('151 sur 151');
  await page.reload();
  await expect(lightbox(page)).toContainText('151 sur 151');
  await page.goBack();
  await expect(tile(page, stay.photos[149])).toBeFocused();
});

test('a line of events that was refused is asked for again, and tells of changes', async ({ visit }) => {
  const stay = await stayWith(2, 'Ligne refusée');
  const page = await enter(visit, PHONE, stay);
  await page.route('**/flux', (route) => route.fulfill({ status: 204 }), { times: 1 });
  const answered = (status: number) =>
    page.waitForResponse((answer) => answer.url().endsWith('/flux') && answer.status() === status);
  const answers = Promise.all([answered(204), answered(200)]);
  await page.reload();
  await answers;
  await addPhotos(site.services, stay.id, 1, () => ({ jour: today() }));
  await expect(tiles(page)).toHaveCount(3);
});

test('a picture that the site was too busy for is asked for again, and shown', async ({ visit }) => {
  const stay = await stayWith(3, 'Trop demandé');
  const asked = new Map<string, number>();
  let troubles: string[] = [];
  const noting: OpenVisit = async (...where) => {
    const opened = await visit(...where);
    troubles = opened.troubles;
    return opened;
  };
  const page = await enter(noting, PHONE, stay, (page) =>
    page.route('**/api/photos/**.webp', (route) => {
      const times = (asked.get(route.request().url()) ?? 0) + 1;
      asked.set(route.request().url(), times);
      return times === 1 ? route.fulfill({ status: 503, headers: { 'retry-after': '2' } }) : route.continue();
    }),
  );
  const pictures = tiles(page).locator('img');
  await expect(pictures).toHaveCount(3);
  const widths = () =>
    pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
  await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(0);
  expect([...asked.values()]).toEqual(Array(3).fill(2));
  // A browser says so of each.
  expect(troubles.splice(0)).toEqual(Array(3).fill(expect.stringContaining('503')));
});

test('photos that are taken down leave the one at the top of the window where it is', async ({ visit }) => {
  const stay = await stayWith(120, 'Départs');
  const page = await enter(visit, DESKTOP, stay);
  await tile(page, stay.photos[0]).focus();
  await page.keyboard.press('End');
  await expect(tile(page, stay.photos[119])).toBeFocused();
  const topmost = () =>
    page.evaluate(() => {
      const seen = [...document.querySelectorAll<HTMLElement>('[data-photo]')].map((element) => ({
        id: Number(element.dataset.photo),
        ...{ top: element.getBoundingClientRect().top, bottom: element.getBoundingClientRect().bottom },
      }));
      return seen.find(({ bottom }) => bottom >= 120);
    });
  const before = await topmost();
  const response = await page.request.post(`/api/api/photos/${stay.photos[0]}/retrait`, {
    headers: { authorization: `Bearer ${admin}` },
    data: {},
  });
  expect(response.status()).toBe(200);
  await expect(tile(page, stay.photos[119])).toHaveAccessibleName(/^Photo 119 sur 119/);
  const after = await tile(page, before?.id).evaluate((element) => element.getBoundingClientRect().top);
  expect(Math.abs(after - (before?.top ?? 0))).toBeLessThan(2);
});

test('the photos that are ticked come as one file', async ({ visit }) => {
  const stay = await stayWith(12, 'Choix');
  const page = await enter(visit, DESKTOP, stay);
  await page.getByRole('button', { name: 'Choisir', exact: true }).click();
  await tile(page, stay.photos[1]).click();
  await tile(page, stay.photos[3]).click({ modifiers: ['Shift'] });
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(3);
  await expectSound(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Télécharger (3)' }).click();
  const files = storedIn(readFileSync(await (await downloading).path()));
  expect(files).toHaveLength(3);
  for (const { name, bytes, crc } of files) {
    expect(name).toMatch(/^[-/\d]+\.jpg$/);
    expect(crc32(bytes)).toBe(crc);
  }
});

test('a photo that the sheet of a phone refuses is saved as a file, named as in an archive', async ({
  visit,
}) => {
  const stay = await stayWith(3, 'Refus du téléphone');
  // The browser of tests has no such sheet.
  const page = await enter(visit, PHONE, stay, (tab) =>
    tab.addInitScript(() => {
      navigator.canShare = () => true;
      navigator.share = () => Promise.reject(new DOMException('', 'DataError'));
    }),
  );
  await tile(page, stay.photos[0]).click();
  const saved = page.waitForEvent('download');
  await lightbox(page).getByRole('button', { name: 'Enregistrer' }).click();
  expect((await saved).suggestedFilename()).toBe(`${today()}-003.jpg`);
});

test('of 5,000 photos the page holds those near the window alone, and End reaches the last', async ({
  visit,
}) => {
  const stay = await stayWith(5_000, 'Un été de photos');
  const page = await enter(visit, PHONE, stay);
  await expect(tiles(page).first()).toHaveAccessibleName(/^Photo 1 sur 5000/);
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
  expect(await nodes()).toBeLessThan(1_000);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await tiles(page).first().focus();
  await page.keyboard.press('End');
  await expect(tile(page, stay.photos[4_999])).toBeInViewport();
  expect(await nodes()).toBeLessThan(1_000);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);
  await page.keyboard.press('Enter');
  await expect(lightbox(page)).toContainText('5000 sur 5000');
});
