import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test';
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

/** A moment of today, so many seconds after eight o'clock. */
const takenAt = (seconds: number) =>
  new Date(Date.parse(`${today()}T08:00:00.000Z`) + 1_000 * seconds).toISOString();

/** A stay with photos of today, each a second younger than the one before. */
async function stayWith(count: number, name: string): Promise<OpenStay & { photos: number[] }> {
  const stay = await addStay(site, admin, name);
  const made = (index: number) => ({ jour: today(), prise_le: takenAt(index) });
  return { ...stay, photos: await addPhotos(site.services, stay.id, count, made) };
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
  await expect(page.getByRole('heading', { name: 'Les photos du séjour' })).toBeAttached();
  await expect(tiles(page).first()).toBeVisible();
  return page;
}

const tiles = (page: Page) => page.locator('[data-photo]');
const tile = (page: Page, id: number | undefined) => page.locator(`[data-photo="${id}"]`);
const lightbox = (page: Page) => page.getByRole('dialog', { name: 'Photos en grand' });

async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await expectNoViolation(page);
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

    // What is done then is done with the favourites alone.
    await page.getByRole('button', { name: 'Télécharger', exact: true }).click();
    await expectSound(page);
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Télécharger (1)' }).click();
    expect(storedIn(readFileSync(await (await file).path()))).toHaveLength(1);

    // The home page leads back to the photos in one tap.
    await page.goto('/');
    await page.getByRole('link', { name: 'Photos des séjours Familles et directeurs' }).click();
    await expect(tiles(page).first()).toHaveAccessibleName(/^Photo 1 sur 30, /);
    await page.goBack();
    await expect(page).toHaveURL(/\/$/);
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

test('while a stay is under way, a page without photos of today says of which day the last ones are', async ({
  visit,
}) => {
  const stay = await addStay(site, admin, 'Un jour sans photo');
  const yesterday = dayAfter(today(), -1);
  const said = (page: Page) => page.getByText(/Pas encore de photo aujourd’hui/);
  await addPhotos(site.services, stay.id, 2, () => ({ jour: yesterday }));
  const page = await enter(visit, PHONE, stay);
  const day = new Intl.DateTimeFormat('fr', { weekday: 'long', timeZone: 'UTC' }).format(new Date(yesterday));
  await expect(said(page)).toContainText(`; les dernières\u202f: ${day} `);
  await addPhotos(site.services, stay.id, 1, () => ({ jour: today() }));
  await expect(said(page)).toHaveCount(0);
});

test('photos that arrive move nothing under the eyes of who looks further down', async ({ visit }) => {
  const stay = await stayWith(120, 'Arrivées');
  const page = await enter(visit, PHONE, stay);
  await tile(page, stay.photos[0]).focus();
  await page.keyboard.press('End');
  const last = tile(page, stay.photos[119]);
  await expect(last).toBeFocused();
  const before = await boxOf(last);
  // One of the morning, which stands far above, and one of the evening.
  const [arrived] = await addPhotos(site.services, stay.id, 2, (index) => ({
    jour: today(),
    prise_le: takenAt(index === 0 ? 39.5 : 50_000),
  }));
  // Beside the filter of the same name.
  const pill = page.locator('.gallery-float').getByRole('button', { name: '2\u00a0nouvelles photos' });
  await expect(pill).toBeVisible();
  expect(await boxOf(last)).toEqual(before);
  await pill.click();
  await expect(tile(page, arrived)).toBeInViewport();
  await expect(tile(page, arrived)).toBeFocused();
  await expect(tile(page, arrived)).toHaveAccessibleName(/^Photo 41 sur 122, .*, nouvelle$/);
  await expect(pill).toHaveCount(0);
});

test('the words about photos that are new since the last visit lead to the first of them', async ({
  visit,
}) => {
  const stay = await stayWith(60, 'Depuis hier');
  const page = await enter(visit, PHONE, stay);
  // The visit was an hour ago.
  await page.evaluate((name) => {
    const kept = JSON.parse(localStorage.getItem(name) ?? '');
    localStorage.setItem(
      name,
      JSON.stringify({ ...kept, le: new Date(Date.now() - 3_600_000).toISOString() }),
    );
  }, `photos-du-sejour:${stay.id}`);
  await page.goto('about:blank');
  const [arrived] = await addPhotos(site.services, stay.id, 1, () => ({
    jour: today(),
    prise_le: takenAt(49.5),
    publiee_le: new Date().toISOString(),
  }));
  await arrive(page, `/stage-details/${stay.id}`);
  await page.getByRole('button', { name: 'Une nouvelle photo' }).tap();
  await expect(tile(page, arrived)).toBeInViewport({ ratio: 1 });
  await expect(tile(page, arrived)).toBeFocused();
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
  const [arrived] = await addPhotos(site.services, stay.id, 1, () => ({
    jour: today(),
    prise_le: takenAt(50_000),
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
  await expect(tile(page, arrived)).toBeFocused();
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

test('whoever takes photos home is told before how many are not there in full quality', async ({ visit }) => {
  const made = await addStay(site, admin, 'Légères');
  const photos = await addPhotos(site.services, made.id, 6, (index) => ({
    ...{ jour: today(), prise_le: takenAt(index), version: index < 2 ? 'legere' : 'complete' },
  }));
  const stay = { ...made, photos };
  const page = await enter(visit, PHONE, stay);
  const said = page.getByText('2\u00a0photos ne sont pas encore arrivées en pleine qualité.');
  await page.getByRole('button', { name: 'Télécharger', exact: true }).click();
  await expect(said).toBeVisible();
  await page.getByRole('button', { name: 'Fermer' }).click();
  // A day asks by the same dialog, where its file would come at once otherwise.
  await page.getByRole('button', { name: /^Télécharger 6\sphotos du/ }).click();
  await expect(said).toBeVisible();
  await expectSound(page);
  await page.getByRole('button', { name: 'Fermer' }).click();
  await page.getByRole('button', { name: 'Choisir', exact: true }).click();
  await tile(page, stay.photos[1]).click();
  await expect(page.getByText('1\u00a0photo n’est pas encore arrivée en pleine qualité.')).toBeVisible();
  await tile(page, stay.photos[1]).click();
  await tile(page, stay.photos[5]).click();
  await expect(page.getByText('pleine qualité')).toHaveCount(0);
  await page.getByRole('button', { name: 'Terminer' }).click();
  await tile(page, stay.photos[0]).click();
  await expect(lightbox(page).getByText('· pas encore en pleine qualité')).toBeVisible();
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
  expect((await saved).suggestedFilename()).toBe(`${today()}-001.jpg`);
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

const LINE = 'Grand soleil, cabanes dans les pins. ';

/** Publishes the word of today. */
async function say(stay: OpenStay, mot: string): Promise<void> {
  const said = await ask(site, admin, `PUT /stages/${stay.id}/jours/${today()}`, { mot });
  expect(said.status).toBe(200);
}

for (const { screen, options, top } of [
  { screen: 'of a phone', options: { ...PHONE, viewport: { width: 360, height: 740 } }, top: 400 },
  { screen: 'of a computer', options: DESKTOP, top: 430 },
]) {
  test(`the first photos stand on the first screen ${screen}, under the whole word of the day`, async ({
    visit,
  }) => {
    const stay = await stayWith(12, `Photos d’abord ${screen}`);
    // Four lines on the phone.
    await say(stay, LINE.repeat(4).trim());
    const page = await enter(visit, options, stay);
    const word = page.getByRole('blockquote');
    await expect(word).toBeInViewport({ ratio: 1 });
    expect(await word.evaluate((text) => text.scrollHeight - text.clientHeight)).toBe(0);
    await expect(page.getByRole('button', { name: 'Lire la suite' })).toHaveCount(0);
    expect((await boxOf(tiles(page).first())).y).toBeLessThanOrEqual(top);
    await expectSound(page);

    // Nine lines on the phone.
    const talkative = await stayWith(12, `Bavards ${screen}`);
    await say(talkative, LINE.repeat(9).trim());
    const other = await enter(visit, options, talkative);
    await expect(tiles(other).first()).toBeInViewport({ ratio: 1 });
    const long = other.getByRole('blockquote');
    expect(await long.evaluate((text) => text.scrollHeight - text.clientHeight)).toBe(0);
    await expect(other.getByRole('button', { name: 'Lire la suite' })).toHaveCount(0);
  });

  test(`a long word of the day leaves the first photos on the first screen ${screen}`, async ({ visit }) => {
    const stay = await stayWith(12, `Un long mot ${screen}`);
    await say(stay, LINE.repeat(30).trim());
    const page = await enter(visit, options, stay);
    await expect(tiles(page).first()).toBeInViewport({ ratio: 1 });
    await page.getByRole('button', { name: 'Lire la suite' }).click();
    const word = page.getByRole('blockquote');
    expect(await word.evaluate((text) => text.scrollHeight - text.clientHeight)).toBe(0);
    await page.getByRole('button', { name: 'Réduire' }).click();
    await expect(tiles(page).first()).toBeInViewport({ ratio: 1 });
  });
}

test('what stands on the page of a stay has the same edges on a computer', async ({ visit }) => {
  const stay = await stayWith(12, 'Bord à bord');
  await say(stay, LINE.trim());
  const page = await enter(visit, DESKTOP, stay);
  const left = async (thing: Locator) => Math.round((await boxOf(thing)).x);
  const right = async (thing: Locator) => {
    const { x, width } = await boxOf(thing);
    return Math.round(x + width);
  };
  const grid = page.getByRole('list').filter({ has: tiles(page) });
  const footer = page.locator('footer');
  const edges = [await left(footer), await right(footer)];
  for (const thing of [grid, page.locator('.day-word')])
    expect([await left(thing), await right(thing)]).toEqual(edges);
  for (const thing of [
    page.getByRole('heading', { level: 1 }),
    page.getByRole('button', { name: 'Choisir' }),
  ])
    expect(await left(thing)).toBe(edges[0]);
  expect(await left(page.getByRole('region', { name: 'Informations pratiques' }))).toBe(edges[0]);
  expect(await right(page.getByRole('region', { name: 'Livrets' }))).toBe(edges[1]);
});

test('a phone of three points a pixel fetches the size of 480 points, and what there is of older photos', async ({
  visit,
}) => {
  const stay = await stayWith(12, 'Trois points');
  await site.services.database.write((transaction) =>
    transaction.updateTable('photos').set({ a_480: 0 }).where('id', 'in', stay.photos.slice(6)).execute(),
  );
  const page = await enter(visit, { viewport: { width: 430, height: 932 }, deviceScaleFactor: 3 }, stay);
  const pictures = tiles(page).locator('img');
  await expect(pictures).toHaveCount(12);
  await pictures.last().scrollIntoViewIfNeeded();
  const fetched = () =>
    pictures.evaluateAll((all) =>
      all.map((one) => /_(\d+)\.webp$/.exec((one as HTMLImageElement).currentSrc)?.[1] ?? ''),
    );
  await expect.poll(async () => (await fetched()).filter((size) => size === '').length).toBe(0);
  const sizes = await fetched();
  // Those that lie across are wider than what 320 points show; narrow ones are not.
  expect(sizes.slice(0, 6)).toContain('480');
  expect(sizes.slice(6)).toContain('960');
  expect(sizes.slice(0, 6)).not.toContain('1920');
  expect(sizes.slice(6)).not.toContain('480');
});

for (const width of [360, 390, 412, 430]) {
  test(`a phone ${width} pixels wide fetches the photos of its first screen in one size each`, async ({
    visit,
  }) => {
    const stay = await stayWith(12, `Une fois ${width}`);
    const options = {
      viewport: { width, height: 800 },
      deviceScaleFactor: 3,
      isMobile: true,
      hasTouch: true,
    };
    const page = await enter(visit, options, stay);
    const sizes = new Map<string, Set<string>>();
    page.on('request', (request) => {
      const [, name, size] = /\/photos\/(\w+)_(\d+)\.webp$/.exec(request.url()) ?? [];
      if (name && size) sizes.set(name, (sizes.get(name) ?? new Set()).add(size));
    });
    // Now rendered by the server.
    await page.reload();
    const pictures = tiles(page).locator('img');
    await expect(pictures).toHaveCount(12);
    const isAllThere = () =>
      pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).complete));
    await expect.poll(isAllThere).toBe(true);
    expect(sizes.size).toBeGreaterThan(4);
    for (const [name, fetched] of sizes) expect([...fetched], name).toHaveLength(1);
  });
}

test('thumbnails that have gone by on a slow line are not waited for', async ({ visit }) => {
  const stay = await stayWith(300, 'Passées');
  const ended: string[] = [];
  const page = await enter(visit, PHONE, stay, async (page) => {
    // Never answered: a line on which nothing comes.
    await page.route(/\/photos\/\w+_\d+\.webp$/, () => {});
    page.on('requestfailed', (request) => ended.push(request.url()));
  });
  await tiles(page).first().focus();
  const first = tiles(page).first().locator('img');
  // Of whichever size.
  const name = /\/photos\/\w+_/.exec((await first.getAttribute('src')) ?? '')?.[0] ?? '?';
  await page.keyboard.press('End');
  await expect.poll(() => ended.filter((url) => url.includes(name)).length).toBeGreaterThan(0);
});
