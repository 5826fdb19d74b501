import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { type OutsideService, startOutside } from '#tests/browser/outside.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, boxOf, DESKTOP, PHONE, SCREENS, test } from '#tests/browser/visit.ts';

const DAY_MS = 24 * 3_600_000;

let outside: OutsideService;
let site: RunningSite;
test.beforeAll(async () => {
  outside = await startOutside();
  site = await startSite('sqlite', {
    VISIT_COUNTER_URL: `${outside.url}/compteur?cle=abc`,
    ANALYTICS_URL: `${outside.url}/vues`,
  });
});
test.beforeEach(() => outside.received.splice(0));
test.afterAll(async () => {
  await site?.stop();
  await outside?.stop();
});

const banner = (page: Page) => page.getByRole('region', { name: /^Acceptez-vous / });
const refuse = (page: Page) => banner(page).getByRole('button', { name: 'Refuser' });
const accept = (page: Page) => banner(page).getByRole('button', { name: 'Accepter' });
const manage = (page: Page) => page.getByRole('button', { name: 'Gérer mes choix' });
const counter = (page: Page) => page.getByRole('img', { name: 'Compteur de visites' });

/** The paths that the service was told, in order. */
const told = () => outside.received.filter(({ method }) => method === 'POST').map(({ body }) => body);

/** Follows a link, sees the counter's image, and comes to rest once the site has counted the view. */
async function lookAround(page: Page): Promise<void> {
  const isCounted = page.waitForResponse((response) => response.url().endsWith('/pages-vues'));
  await page.getByRole('link', { name: 'Mentions légales' }).click();
  await isCounted;
  await counter(page).scrollIntoViewIfNeeded();
  await expect
    .poll(() => counter(page).evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
}

for (const { screen, options } of SCREENS) {
  test(`nothing reaches a service outside before an answer, nor after « Refuser », ${screen}`, async ({
    visit,
  }) => {
    const { page } = await visit(site, options);
    await arrive(page, '/');
    await expect(banner(page)).toContainText(outside.host);
    await expect(banner(page)).toContainText('13 mois');
    await expect(banner(page).getByRole('link', { name: 'En savoir plus' })).toHaveAttribute(
      'href',
      '/politique-confidentialite',
    );
    await lookAround(page);
    await page.keyboard.press('Escape');
    await refuse(page).click();
    await expect(banner(page)).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    await arrive(page, '/');
    await lookAround(page);
    await expect(banner(page)).toBeHidden();
    expect(outside.received).toEqual([]);
  });

  test(`the banner is easy to answer, hides nothing for good, and moves nothing, ${screen}`, async ({
    visit,
  }) => {
    const { page } = await visit(site, options);
    await arrive(page, '/');
    await expect(accept(page)).toBeVisible();
    await expectNoViolation(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
    const [no, yes] = [await boxOf(refuse(page)), await boxOf(accept(page))];
    expect([no.height, no.y]).toEqual([yes.height, yes.y]);
    expect(no.width).toBeCloseTo(yes.width, 0);
    expect(no.height).toBeGreaterThanOrEqual(44);
    expect(await refuse(page).getAttribute('class')).toBe(await accept(page).getAttribute('class'));

    const footer = page.getByRole('contentinfo');
    const before = await boxOf(footer);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const { y, height } = await boxOf(footer);
    // Less than a pixel is a matter of rounding.
    expect(y + height - (await boxOf(banner(page))).y).toBeLessThan(1);
    await page.evaluate(() => window.scrollTo(0, 0));
    await refuse(page).click();
    await expect(banner(page)).toBeHidden();
    expect(await boxOf(footer)).toEqual(before);
  });
}

test('the keyboard meets the banner after the way to the content, and what has the focus is never behind it', async ({
  visit,
}) => {
  const { page } = await visit(site, DESKTOP);
  await arrive(page, '/');
  await expect(accept(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Aller au contenu' })).toBeFocused();
  for (const one of [refuse(page), accept(page), banner(page).getByRole('link')]) {
    await page.keyboard.press('Tab');
    await expect(one).toBeFocused();
  }
  const top = (await boxOf(banner(page))).y;
  for (let seen = 0; !(await manage(page).evaluate((one) => one === document.activeElement)); seen++) {
    expect(seen).toBeLessThan(60);
    await page.keyboard.press('Tab');
    const { y, height } = await boxOf(page.locator(':focus'));
    expect(y + height, await page.locator(':focus').innerText()).toBeLessThanOrEqual(top);
  }
});

test('after « Accepter » the image and the views reach the services, and nothing of the visitor; a later refusal ends it', async ({
  visit,
}) => {
  const { page, troubles } = await visit(site, DESKTOP);
  await arrive(page, '/?provenance=lettre');
  await accept(page).click();
  await expect(banner(page)).toBeHidden();
  await expect.poll(told).toEqual(['page=%2F']);
  await lookAround(page);
  await expect.poll(told).toEqual(['page=%2F', 'page=%2Fmentions-legales']);
  expect(outside.received.find(({ method }) => method === 'GET')).toMatchObject({
    path: '/compteur',
    query: { cle: 'abc', page: 'site', style: 'passerelle', nbdigits: '5', type: 'page', initCount: '0' },
  });
  expect(outside.received.find(({ method }) => method === 'POST')).toMatchObject({
    path: '/vues',
    headers: { 'content-type': expect.stringMatching('^application/x-www-form-urlencoded') },
  });
  for (const { headers } of outside.received) {
    expect([headers.cookie, headers.referer]).toEqual([undefined, undefined]);
  }

  // Behind a sign-in: without one the portal gives way to its door, and only that is told.
  await arrive(page, '/portail');
  await expect(page).toHaveURL(/connexion-portail/);
  await expect(page.getByRole('textbox').first()).toBeFocused();
  await expect.poll(told).toContain('page=%2Fconnexion-portail');
  expect(told()).not.toContain('page=%2Fportail');

  await manage(page).click();
  await expect(banner(page)).toBeFocused();
  await expect(banner(page)).toContainText('Pour l’instant, vous avez accepté.');
  await refuse(page).click();
  await expect(manage(page)).toBeFocused();
  const asked = outside.received.length;
  await lookAround(page);
  await arrive(page, '/');
  await lookAround(page);
  expect(outside.received).toHaveLength(asked);
  // The visit of a site asks nobody else, but for these.
  expect(troubles.splice(0).filter((one) => !one.startsWith(`asked ${outside.url}/`))).toEqual([]);
});

test('a choice lasts thirteen months, and for the services that it was about', async ({ visit }) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/');
  await refuse(page).click();
  const chosen = Date.now();
  for (const [days, isAsked] of [
    [389, false],
    [391, true],
    // A clock that was set back.
    [-1, true],
  ] as const) {
    await page.clock.setFixedTime(chosen + days * DAY_MS);
    await arrive(page, '/');
    await expect(banner(page), `${days} days later`).toBeVisible({ visible: isAsked });
  }

  await page.clock.setFixedTime(chosen);
  await arrive(page, '/');
  await expect(banner(page)).toBeHidden();
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('consentement') ?? '');
    localStorage.setItem(
      'consentement',
      JSON.stringify({ ...kept, choix: 'oui', services: 'autre.example' }),
    );
  });
  await arrive(page, '/');
  await expect(banner(page)).toBeVisible();
  expect(outside.received).toEqual([]);
});

test('an answer in one tab counts in the others', async ({ visit }) => {
  const { page } = await visit(site, DESKTOP);
  await arrive(page, '/');
  const other = await page.context().newPage();
  await arrive(other, '/');
  await refuse(other).click();
  await expect(banner(page)).toBeHidden();
});

test('a browser that refuses for its owner is not asked, whatever was answered before', async ({ visit }) => {
  const { page } = await visit(site, DESKTOP);
  await page.addInitScript(
    ([services]) => {
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
      const le = new Date().toISOString();
      localStorage.setItem('consentement', JSON.stringify({ choix: 'oui', le, services }));
    },
    [outside.host],
  );
  await arrive(page, '/');
  await lookAround(page);
  await expect(banner(page)).toBeHidden();
  await expect(manage(page)).toBeHidden();
  expect(outside.received).toEqual([]);
});

test('a browser that keeps nothing counts as a refusal, is told so, and asked again at the next visit', async ({
  visit,
}) => {
  const { page } = await visit(site, DESKTOP);
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('no room', 'QuotaExceededError');
    };
  });
  await arrive(page, '/');
  await accept(page).click();
  await expect(page.getByRole('alert')).toContainText('Il compte comme un refus.');
  await lookAround(page);
  await expect(banner(page)).toBeHidden();
  await arrive(page, '/');
  await expect(banner(page)).toBeVisible();
  expect(outside.received).toEqual([]);
});

test('a banner that does not arrive leaves the page whole, and nobody outside is asked', async ({
  visit,
}) => {
  const { page, troubles } = await visit(site, DESKTOP);
  await page.route('**/assets/ConsentBanner-*.js', (route) => route.abort());
  await arrive(page, '/');
  await lookAround(page);
  expect(outside.received).toEqual([]);
  expect(troubles.splice(0)).toEqual([expect.stringContaining('net::ERR_FAILED')]);
});

test('whoever asks it in the privacy policy is counted by nobody, until they change their mind', async ({
  visit,
}) => {
  const { page, troubles } = await visit(site, DESKTOP);
  await arrive(page, '/politique-confidentialite');
  await expect(page.getByText('compte aussi vos visites')).toContainText(outside.host);
  await accept(page).click();
  await expect.poll(told).toHaveLength(1);
  troubles.splice(0);
  await page.getByRole('button', { name: 'Ne pas compter mes visites' }).click();
  await expect(page.getByText('vos visites ne sont pas comptées.')).toBeVisible();

  const views: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') views.push(request.url());
  });
  await page.getByRole('link', { name: 'Mentions légales' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mentions légales' })).toBeVisible();
  await page.goto('/politique-confidentialite');
  const again = page.getByRole('button', { name: 'Compter de nouveau mes visites' });
  await expect(again).toBeVisible();
  await counter(page).scrollIntoViewIfNeeded();
  await expect(counter(page)).toHaveAttribute('src', /^\/api\//);
  expect(views).toEqual([]);
  await again.click();
  await expect(page.getByText('Vous n’avez pas refusé le comptage de vos visites.')).toBeVisible();
  await arrive(page, '/');
  const here = 'page=%2Fpolitique-confidentialite';
  await expect.poll(told).toEqual([here, here, 'page=%2F']);
  expect(troubles.splice(0).every((one) => one.startsWith(`asked ${outside.url}/`))).toBe(true);
});

test.describe('a site that asks nobody outside', () => {
  let alone: RunningSite;
  test.beforeAll(async () => {
    alone = await startSite('sqlite');
  });
  test.afterAll(() => alone?.stop());

  test('has no banner and nothing to choose', async ({ visit }) => {
    const { page } = await visit(alone, DESKTOP);
    await arrive(page, '/');
    await lookAround(page);
    await expect(banner(page)).toBeHidden();
    await expect(manage(page)).toBeHidden();
  });
});
