import { expect, type Page } from '@playwright/test';
import type { RunningSite } from '#tests/browser/site.ts';
import { arrive, boxOf, DESKTOP, startFilledSite, test } from '#tests/browser/visit.ts';

/* What somebody who comes for the first time sees without scrolling, on the example content. */

let site: RunningSite;
test.beforeAll(async () => {
  site = await startFilledSite();
});
test.afterAll(() => site?.stop());

const SCREENS = [
  { screen: 'of a phone', options: { viewport: { width: 360, height: 740 } }, region: 'À la Une' },
  { screen: 'of a laptop', options: DESKTOP, region: 'L’Actualité' },
];

/** Has the page sum up what moves without having been asked to, from its start. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const shifts = () => (window as unknown as { shifts: number[] }).shifts;
  return async () => (await page.evaluate(shifts)).reduce((sum, value) => sum + value, 0);
}

/** The addresses of the cards of a page. */
const cardsOf = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('link', { name: /^En savoir plus/ })
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

for (const { screen, options, region } of SCREENS) {
  const { height } = options.viewport;

  test(`the first screen ${screen} says whose site it is, what is new, and where the photos are`, async ({
    visit,
  }) => {
    const { page } = await visit(site, options);
    await arrive(page, '/');
    // The bar, the drawing, the title.
    await expect(page.getByRole('banner').getByText('CSE Les Grands Pins')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('votre comité social et économique');
    expect((await boxOf(page.locator('.home-banner'))).height).toBeLessThanOrEqual(160);
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toContainText('CSE Les Grands Pins\u202f: nos colonies');
    await expect(title).toHaveCSS('font-size', '24px');
    const photos = page.getByRole('link', { name: 'Photos des séjours Familles et directeurs' });
    expect((await boxOf(title)).y).toBeLessThan((await boxOf(photos)).y);
    const news = page.getByRole('region', { name: region });
    const others = options === DESKTOP ? ['À la Une', 'Prochains événements'] : [];
    for (const part of [
      page.getByRole('heading', { level: 1 }),
      photos,
      page.getByText('Familles et directeurs'),
      page.getByRole('navigation', { name: 'Accès directs' }).getByRole('link', { name: 'Contact' }),
      news.getByText(/^Publié le/).first(),
      news.getByRole('heading', { level: 3 }).first(),
      news.getByRole('link', { name: /^En savoir plus/ }).first(),
      ...others.map((name) =>
        page.getByRole('region', { name, exact: true }).getByRole('heading', { level: 3 }).first(),
      ),
    ]) {
      await expect(part).toBeVisible();
      const box = await boxOf(part);
      expect(box.y + box.height, String(part)).toBeLessThanOrEqual(height);
    }
  });

  test(`« Détails » of events and benefits begins on the first screen ${screen}, and nothing moves`, async ({
    visit,
  }) => {
    const { page } = await visit(site, options);
    const shifted = await watchShifts(page);
    for (const list of ['/Evenements', '/avantages']) {
      await arrive(page, list);
      const [first = '', second = ''] = await cardsOf(page);
      for (const address of [first, second]) {
        await arrive(page, address);
        const title = page.getByRole('heading', { name: 'Détails' });
        await expect(title).toBeVisible();
        const box = await boxOf(title);
        expect(box.y + box.height, address).toBeLessThanOrEqual(height);
        await expect(page.getByRole('button', { name: /^(Partager|Copier le lien)$/ })).toBeVisible();
        // As browsers and their tools count: 0.00.
        expect(await shifted(), address).toBeLessThan(0.005);
      }
    }
  });
}

test('photos, contact and the details of an event are one press away', async ({ visit }) => {
  const { page } = await visit(site, DESKTOP);
  const door = (name: string) =>
    page.getByRole('navigation', { name: 'Accès directs' }).getByRole('link', { name });
  await arrive(page, '/');
  await door('Photos des séjours').click();
  await expect(page).toHaveURL('/connexion#photos');
  await expect(page.getByLabel('Mot de passe', { exact: true })).toBeVisible();
  await page.goBack();
  await door('Contact').click();
  await expect(page.getByLabel('Message')).toBeVisible();
  await page.goBack();
  await page.getByRole('region', { name: 'Prochains événements' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Détails' })).toBeVisible();
});

test('a picture grows from its card to its page, but not for whoever asked for less motion', async ({
  visit,
}) => {
  const { page } = await visit(site, DESKTOP);
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      void transition.ready.then(() => {
        const moving = document
          .getAnimations()
          .map(({ effect }) => (effect as KeyframeEffect).pseudoElement ?? '')
          .filter((name) => name.includes('(picture--event-detail'));
        Object.assign(window, { moving: moving.length });
      });
      return transition;
    };
  });
  const moving = () => page.evaluate(() => (window as { moving?: number }).moving);
  const event = page
    .getByRole('main')
    .getByRole('link', { name: /^En savoir plus/ })
    .first();
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion });
    await arrive(page, '/event-detail/1');
    // Once it is there the whole page is alive.
    await expect(page.getByRole('button', { name: /^(Partager|Copier le lien)$/ })).toBeVisible();
    await page.getByRole('link', { name: 'Tous les événements' }).click();
    await event.click();
    if (reducedMotion === 'reduce') await expect.poll(moving).toBe(0);
    else await expect.poll(moving).toBeGreaterThan(0);
    await expect(page.getByRole('heading', { name: 'Détails' })).toBeVisible();
  }
});

test('logos out of sight take no focus', async ({ visit }) => {
  const { page } = await visit(site, { ...DESKTOP, reducedMotion: 'reduce' });
  await arrive(page, '/');
  const logos = page.getByRole('region', { name: 'Partenaires' }).locator('.partner');
  const inTurn = page.getByRole('region', { name: 'Partenaires' }).locator('.partner:not([tabindex])');
  expect(await logos.count()).toBeGreaterThan(4);
  await expect(inTurn).toHaveCount(4);
  const frame = await boxOf(page.getByRole('region', { name: 'Partenaires' }));
  for (const logo of await inTurn.all()) {
    const { x, width } = await boxOf(logo);
    expect(x).toBeGreaterThanOrEqual(frame.x);
    expect(x + width).toBeLessThanOrEqual(frame.x + frame.width);
  }
});
