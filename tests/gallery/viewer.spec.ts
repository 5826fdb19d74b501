import { readdirSync, readFileSync } from 'node:fs';
import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test';
import { getDocumentProxy } from 'unpdf';
import { openSite } from '#tests/browser/site.ts';
import {
  addStay,
  arrive,
  DESKTOP,
  type OpenStay,
  type OpenVisit,
  PHONE,
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

const tiles = (page: Page) => page.locator('[data-photo]');
const lightbox = (page: Page) => page.getByRole('dialog', { name: 'Photos en grand' });
const large = (page: Page) => lightbox(page).locator('.yarl__slide_current .large-photo');

interface Entered {
  page: Page;
  stay: OpenStay;
  troubles: string[];
}

/** A family's tab on a new stay of so many photos of one day. */
async function enter(
  visit: OpenVisit,
  options: BrowserContextOptions,
  name: string,
  count: number,
): Promise<Entered> {
  const stay = await addStay(site, admin, name);
  await addPhotos(site.services, stay.id, count, () => ({ jour: '2026-07-14' }));
  const { page, troubles } = await visit(site, options);
  await arrive(page, `/connexion?stageId=${stay.id}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(stay.family);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(tiles(page)).toHaveCount(count);
  return { page, stay, troubles };
}

/** The finger of a tab: `doubleTap` taps twice, `rest` stays until something is seen. */
async function fingerOf(page: Page) {
  const touch = await page.context().newCDPSession(page);
  /** `timestamp` is in seconds since 1970; without it, the event carries the instant of its sending. */
  const send = (
    type: 'touchStart' | 'touchEnd',
    touchPoints: { x: number; y: number }[],
    timestamp?: number,
  ) => touch.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp });
  const placeOf = (thing: Locator) =>
    thing.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
  return {
    async doubleTap(thing: Locator): Promise<void> {
      const place = await placeOf(thing);
      // 50 ms apart for the page, however long a busy machine takes to pass them on.
      let at = Date.now() / 1000;
      for (const type of ['touchStart', 'touchEnd', 'touchStart', 'touchEnd'] as const) {
        await send(type, type === 'touchStart' ? [place] : [], at);
        at += 0.05;
      }
    },
    async rest(thing: Locator, until: () => Promise<void>): Promise<void> {
      await send('touchStart', [await placeOf(thing)]);
      await until();
      await send('touchEnd', []);
    },
  };
}

/** The number of sheets printed when a button is pressed, as a PDF: a browser without a screen has no print dialog. */
async function sheetsBy(page: Page, press: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await press();
  await page.locator('body[data-printed]').waitFor();
  const pages = await pagesOf(await page.pdf({ preferCSSPageSize: true }));
  await page.evaluate(() => {
    document.body.removeAttribute('data-printed');
    window.dispatchEvent(new Event('afterprint'));
  });
  return pages;
}

async function pagesOf(pdf: Buffer): Promise<number> {
  return (await getDocumentProxy(new Uint8Array(pdf))).numPages;
}

test('the page of a stay that the server rendered goes on living as it is, and asks for nothing twice', async ({
  visit,
}) => {
  const { page } = await enter(visit, PHONE, 'Rendu par le serveur', 12);
  const address = page.url();
  // What the page before still asks for does not count.
  await page.goto('about:blank');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(address);
  await expect(tiles(page)).toHaveCount(12);
  await expect(page.locator('[data-first]')).toHaveCount(0);
  const calls = asked.filter((path) => path.startsWith('/api/api/') && !path.endsWith('.webp'));
  expect(calls.filter((path) => /\/photos\/?$/.test(path))).toEqual([]);
  expect(calls).toEqual([...new Set(calls)]);
});

test('a photo pressed before the scripts have come is shown at once, and opens once they are there', async ({
  visit,
}) => {
  const { page } = await enter(visit, PHONE, 'Avant les scripts', 6);
  let letThrough = () => {};
  const open = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(/\/assets\/(?!boot).*\.js$/, async (route) => {
    await open;
    await route.fallback().catch(() => {});
  });
  await page.goto(page.url());
  const tile = page.locator('.on-phone [data-first]').first();
  const large = page.locator('.photo-opening img[src*="_960."]');
  const comes = () =>
    expect.poll(() => large.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);

  await tile.tap();
  await comes();
  // A second tap of the same finger closes nothing.
  await large.tap();
  await page.getByRole('button', { name: 'Fermer' }).tap();
  await expect(large).toHaveCount(0);
  await tile.press('Enter');
  await comes();
  await page.keyboard.press('Escape');
  await expect(large).toHaveCount(0);
  await tile.tap();
  letThrough();
  await expect(lightbox(page)).toContainText('1 sur 6');
  await expect(page.locator('.photo-opening.early')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(lightbox(page)).toHaveCount(0);
});

test('without scripts, a family that is signed in sees the first photos', async ({ visit, browser }) => {
  const { page } = await enter(visit, PHONE, 'Sans script', 12);
  const storageState = await page.context().storageState();
  const context = await browser.newContext({
    baseURL: site.url,
    ...PHONE,
    javaScriptEnabled: false,
    storageState,
  });
  const plain = await context.newPage();
  await plain.goto(new URL(page.url()).pathname);
  const pictures = plain.locator('.first-rows.on-phone img');
  await expect(pictures.first()).toBeVisible();
  await expect(plain.locator('.first-rows.on-computer')).toBeHidden();
  await expect
    .poll(() => pictures.first().evaluate((one) => (one as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await context.close();
});

test('two taps enlarge a photo to twice its size, and two more bring it back', async ({ visit }) => {
  const { page } = await enter(visit, PHONE, 'Deux tapes', 3);
  await tiles(page).nth(1).tap();
  await expect(large(page).locator('img[srcset]')).toHaveJSProperty('complete', true);
  const scale = () =>
    large(page).evaluate((element) => {
      const { width } = element.getBoundingClientRect();
      return Math.round((10 * width) / (element as HTMLElement).offsetWidth) / 10;
    });
  await expect.poll(scale).toBe(1);
  const finger = await fingerOf(page);
  await finger.doubleTap(large(page));
  await expect.poll(scale).toBe(2);
  await finger.doubleTap(large(page));
  await expect.poll(scale).toBe(1);
});

test('a finger that rests on a photo ticks it, and opens nothing', async ({ visit }) => {
  const { page } = await enter(visit, PHONE, 'Appui long', 6);
  const finger = await fingerOf(page);
  const bar = page.getByText(/^1\s*photo choisie/);
  await finger.rest(tiles(page).nth(1), () => expect(bar).toBeVisible());
  await expect(lightbox(page)).toHaveCount(0);
  await tiles(page).nth(2).tap();
  await expect(page.getByText(/^2\s*photos choisies/)).toBeVisible();
  await expect(lightbox(page)).toHaveCount(0);
});

test('on a phone, keeping a photo is the first thing offered under it', async ({ visit }) => {
  const { page } = await enter(visit, PHONE, 'Première action', 3);
  await tiles(page).first().tap();
  await expect(lightbox(page)).toContainText('1 sur 3');
  const names = await lightbox(page).locator('.photo-lightbox-bar button').allTextContents();
  expect(names[0]).toContain('Enregistrer');
});

test('a photo is printed alone on its sheet, and a day six a sheet', async ({ visit }) => {
  const { page } = await enter(visit, DESKTOP, 'Sur papier', 13);
  const day = await sheetsBy(page, () =>
    page.getByRole('button', { name: /^Imprimer les photos du/ }).click(),
  );
  expect(day).toBe(3);
  await page.getByRole('button', { name: 'Choisir' }).click();
  for (const place of [1, 3, 12]) await tiles(page).nth(place).click();
  expect(
    await sheetsBy(page, () => page.getByRole('button', { name: 'Imprimer', exact: true }).click()),
  ).toBe(1);
  await page.getByRole('button', { name: 'Terminer' }).click();
  await tiles(page).first().click();
  const photo = await sheetsBy(page, () => lightbox(page).getByRole('button', { name: 'Imprimer' }).click());
  expect(photo).toBe(1);
  await expect(page.locator('.print-paper')).toHaveCount(0);
  // By the menu of the browser.
  expect(await pagesOf(await page.pdf())).toBe(1);
});

test('a photo that opens shows its blur from its first frame on, and thumbnails step aside until it is sharp', async ({
  visit,
}) => {
  const { page } = await enter(visit, DESKTOP, 'Ligne lente', 12);
  let letThrough = () => {};
  const open = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(/_\d+\.webp$/, async (route) => {
    await open;
    await route.fallback().catch(() => {});
  });
  await page.reload({ waitUntil: 'commit' });
  await expect(tiles(page)).toHaveCount(12);
  const asked = () =>
    page.locator('.photo-tile img').evaluateAll((all) => all.filter((one) => one.hasAttribute('src')).length);
  await expect.poll(asked).toBeGreaterThan(0);
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const drawn = document.querySelector('.large-photo');
      if (!drawn) return;
      observer.disconnect();
      document.body.dataset.drawn = getComputedStyle(drawn).backgroundImage;
    }).observe(document.body, { childList: true, subtree: true });
  });
  await tiles(page).first().click();
  await expect(page.locator('body')).toHaveAttribute('data-drawn', /^url\(/);
  await expect.poll(asked).toBe(0);
  letThrough();
  await expect(large(page).locator('img[srcset]')).toHaveJSProperty('complete', true);
  await expect.poll(asked).toBeGreaterThan(0);
});

test('a large photo that does not come says so, and comes once it is asked for again', async ({ visit }) => {
  const { page, troubles } = await enter(visit, DESKTOP, 'Coupure', 3);
  await page.route(/_(960|1920)\.webp$/, (route) => route.abort());
  await page.clock.install();
  await tiles(page).first().click();
  const failed = lightbox(page).getByRole('alert').filter({ hasText: 'La photo n’arrive pas' });
  for (let seconds = 0; seconds < 120 && !(await failed.isVisible()); seconds += 5) {
    await page.clock.fastForward(5_000);
    await page.waitForTimeout(50);
  }
  await expect(failed).toBeVisible();
  await page.unroute(/_(960|1920)\.webp$/);
  await failed.getByRole('button', { name: 'Réessayer' }).click();
  await page.clock.resume();
  await expect(failed).toHaveCount(0);
  await expect
    .poll(() =>
      large(page)
        .locator('img[srcset]')
        .evaluate((one) => (one as HTMLImageElement).naturalWidth),
    )
    .toBeGreaterThan(0);
  expect(troubles.splice(0).every((line) => line.includes('ERR_FAILED'))).toBe(true);
});

test('what answers to a hovering mouse is left alone by a finger', () => {
  const folder = new URL('../../dist/', import.meta.url);
  const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  );
  expect(sheets.length).toBeGreaterThan(0);
  for (const name of sheets) {
    const css = readFileSync(new URL(name, folder), 'utf8');
    // Without the blocks that only a mouse enters.
    const rest = withoutBlocks(css, /@media\s*\(hover:\s*hover\)[^{]*\{/);
    expect(rest.match(/[^{}]*:hover[^{}]*\{/g) ?? []).toEqual([]);
  }
});

/** A style sheet without the blocks whose start matches, with all that they hold. */
function withoutBlocks(css: string, start: RegExp): string {
  let rest = css;
  for (let found = start.exec(rest); found; found = start.exec(rest)) {
    let end = found.index + found[0].length;
    for (let depth = 1; depth > 0 && end < rest.length; end++)
      depth += rest[end] === '{' ? 1 : rest[end] === '}' ? -1 : 0;
    rest = rest.slice(0, found.index) + rest.slice(end);
  }
  return rest;
}
