import { expect, type Locator, type Page } from '@playwright/test';
import { API_PREFIX } from '#platform/shared/call.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  arrive,
  ask,
  boxOf,
  coloured,
  DESKTOP,
  PHONE,
  publish,
  refused,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';

const MEETING_PASSWORD = 'tournesol-lanterne-26';

let site: RunningSite;
let admin: string;
let newsId: number;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  admin = await site.signIn();
  await ask(site, admin, 'PUT /reglages', {
    organisation_nom: 'CSE des Deux-Rives',
    // On the site itself, so that following it asks nobody else.
    offres_emploi_url: `${site.url}/offres`,
    comptes_rendus_mot_de_passe: MEETING_PASSWORD,
  });
  newsId = await publish(site, admin, '/actualites', {
    titre: 'Le refuge rouvre',
    description: 'Un long récit.\n\n'.repeat(40),
    image: await coloured('#2f6f62', [600, 400]),
  });
});
test.afterAll(() => site?.stop());

const MAIN = [
  ['Accueil', '/'],
  ['A propos du CSE', '/a-propos'],
  ['Les membres', '/membres'],
  ['Nos événements', '/Evenements'],
];
const WAYS_IN = [
  ['Photos des séjours', '/connexion'],
  ['Contact', '/contact'],
];
const USEFUL = () => [
  ['Compte rendus', '/compte-rendus'],
  ['Offre d’emplois (nouvel onglet)', `${site.url}/offres`],
  ['Avantages du CSE', '/avantages'],
];

const usefulButton = (page: Page) => page.getByRole('button', { name: 'Informations utiles' });
const usefulLinks = (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ has: usefulButton(page) })
    .locator('ul');
const menuButton = (page: Page) => page.getByRole('button', { name: 'Menu' });
const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu', exact: true });
const main = (page: Page) => page.getByRole('main');

/** Words and address of each link that can be seen, in order. */
function linksIn(within: Locator): Promise<(string | null)[][]> {
  return within
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => [(link as HTMLElement).innerText.replace(/\s+/g, ' '), link.getAttribute('href')]),
    );
}

test.describe('The bar', () => {
  test('leads to the four pages and keeps the rest under « Informations utiles »', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/');
    const bar = page.getByRole('navigation', { name: 'Navigation principale' });
    expect(await linksIn(bar)).toEqual(MAIN);
    await usefulButton(page).click();
    expect(await linksIn(usefulLinks(page))).toEqual(USEFUL());
  });

  test('opens « Informations utiles » under a mouse that rests on it, until it has left', async ({
    visit,
  }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/');
    await expect(usefulLinks(page)).toBeHidden();
    await usefulButton(page).hover();
    await expect(usefulLinks(page)).toBeVisible();
    // The press that follows the rest means the same.
    await usefulButton(page).click();
    await expect(usefulLinks(page)).toBeVisible();
    await usefulLinks(page).getByRole('link', { name: 'Avantages du CSE' }).hover();
    await expect(usefulLinks(page)).toBeVisible();
    await main(page).hover();
    await expect(usefulLinks(page)).toBeHidden();
  });

  test('opens « Informations utiles » by a tap, and closes it by another or by one elsewhere', async ({
    visit,
  }) => {
    const { page } = await visit(site, { ...DESKTOP, hasTouch: true });
    await arrive(page, '/');
    await usefulButton(page).tap();
    await expect(usefulLinks(page)).toBeVisible();
    await usefulButton(page).tap();
    await expect(usefulLinks(page)).toBeHidden();
    await usefulButton(page).tap();
    await page.getByRole('heading', { name: 'Partenaires' }).tap();
    await expect(usefulLinks(page)).toBeHidden();
    await usefulButton(page).tap();
    await usefulLinks(page).getByRole('link', { name: 'Compte rendus' }).tap();
    await expect(page).toHaveURL('/compte-rendus');
    await expect(usefulLinks(page)).toBeHidden();
  });

  test('opens « Informations utiles » by the keyboard, which goes through it, and back by Escape', async ({
    visit,
  }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/');
    await usefulButton(page).focus();
    for (const key of ['Enter', 'Space']) {
      await page.keyboard.press(key);
      await expect(usefulButton(page)).toHaveAttribute('aria-expanded', 'true');
      for (const [words = ''] of USEFUL()) {
        await page.keyboard.press('Tab');
        await expect(usefulLinks(page).getByRole('link', { name: words })).toBeFocused();
      }
      await page.keyboard.press('Escape');
      await expect(usefulLinks(page)).toBeHidden();
      await expect(usefulButton(page)).toBeFocused();
      await expect(usefulButton(page)).toHaveAttribute('aria-expanded', 'false');
    }
    await page.keyboard.press('Enter');
    for (const _link of USEFUL()) await page.keyboard.press('Tab');
    await expect(usefulLinks(page)).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Rechercher' })).toBeFocused();
    await expect(usefulLinks(page)).toBeHidden();
    await page.keyboard.press('Tab');
    await expect(menuButton(page)).toBeFocused();
  });

  test('marks where one is, also on the page of an item and under « Informations utiles »', async ({
    visit,
  }) => {
    const { page, troubles } = await visit(site, DESKTOP);
    const bar = page.getByRole('navigation', { name: 'Navigation principale' });
    for (const [address, name, current] of [
      ['/', 'Accueil', 'page'],
      [`/?actualite=${newsId}`, 'Accueil', 'true'],
      ['/une-details/9', 'Accueil', 'true'],
      ['/event-detail/9', 'Nos événements', 'true'],
      ['/avantage-detail/9', 'Informations utiles', 'true'],
      ['/compte-rendus', 'Informations utiles', 'true'],
    ]) {
      await page.goto(address ?? '');
      const marked = bar.locator('.bar-link[aria-current]');
      await expect(marked).toHaveText(name ?? '');
      await expect(marked).toHaveAttribute('aria-current', current ?? '');
    }
    // The three items are none of this site.
    expect(troubles.splice(0)).toEqual([404, 404, 404].map(refused));
  });

  test('opens the job offers in a tab of their own, which cannot touch this one, once staff gave an address', async ({
    visit,
  }) => {
    const { page } = await visit(site, DESKTOP);
    await ask(site, admin, 'PUT /reglages', { offres_emploi_url: '' });
    await arrive(page, '/');
    await usefulButton(page).click();
    const [minutes, , benefits] = USEFUL();
    expect(await linksIn(usefulLinks(page))).toEqual([minutes, benefits]);

    await ask(site, admin, 'PUT /reglages', { offres_emploi_url: `${site.url}/offres` });
    await arrive(page, '/');
    await usefulButton(page).click();
    const link = page.getByRole('link', { name: 'Offre d’emplois' });
    await expect(link).toHaveAttribute('rel', /\bnoopener\b/);
    // An answer of its own, as the site has no such page.
    await page.context().route('**/offres', (route) => route.fulfill({ body: '', contentType: 'text/html' }));
    const opened = page.context().waitForEvent('page');
    await link.click();
    const tab = await opened;
    await expect(tab).toHaveURL('/offres');
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    await expect(usefulLinks(page)).toBeHidden();
    await expect(page).toHaveURL('/');
  });
});

test.describe('The three bars', () => {
  test('show the administrators’ way in at 1280 px', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/');
    await menuButton(page).click();
    // The rest stands in the bar, on the home page and at the foot of every page.
    expect(await linksIn(menu(page))).toEqual([['Administrateur', '/portail']]);
    await menu(page).getByRole('link', { name: 'Administrateur' }).click();
    await expect(page).toHaveURL(/portail$/);
    await expect(menu(page)).toBeHidden();
  });

  test('show the whole menu at 360 px, 45 px under the top of their button', async ({ visit }) => {
    const { page } = await visit(site, PHONE);
    await arrive(page, '/');
    await expect(page.getByRole('navigation', { name: 'Navigation principale' })).toBeHidden();
    await expect(menu(page)).toBeHidden();
    await menuButton(page).tap();
    expect(await linksIn(menu(page))).toEqual([
      ...MAIN,
      ...USEFUL(),
      ...WAYS_IN,
      ['Portail Administrateur', '/portail'],
    ]);
    const [button, opened] = [await boxOf(menuButton(page)), await boxOf(menu(page))];
    expect(opened.y - button.y).toBeCloseTo(45, 0);
    expect(opened.x).toBeGreaterThanOrEqual(0);
    expect(opened.x + opened.width).toBeLessThanOrEqual(360);
  });

  test('close their menu by Escape, by a tap elsewhere and by a choice', async ({ visit }) => {
    const { page } = await visit(site, PHONE);
    await arrive(page, '/');
    await menuButton(page).tap();
    await page.keyboard.press('Escape');
    await expect(menu(page)).toBeHidden();
    await expect(menuButton(page)).toBeFocused();

    await menuButton(page).tap();
    await expect(menu(page)).toBeVisible();
    await page.touchscreen.tap(20, 700);
    await expect(menu(page)).toBeHidden();

    await menuButton(page).tap();
    await menu(page).getByRole('link', { name: 'Les membres' }).tap();
    await expect(page).toHaveURL('/membres');
    await expect(menu(page)).toBeHidden();
  });
});

test.describe('« Déconnexion »', () => {
  const NAMES = ['adminToken', 'token', 'tokenLecture'] as const;
  type Held = Partial<Record<(typeof NAMES)[number], string>>;

  const holding = (held: Held) => ({
    storageState: {
      cookies: [],
      origins: [
        { origin: site.url, localStorage: Object.entries(held).map(([name, value]) => ({ name, value })) },
      ],
    },
  });

  const held = (page: Page) =>
    page.evaluate((names) => names.filter((name) => localStorage.getItem(name) !== null), NAMES);

  async function readerToken(): Promise<string> {
    const answer = await ask(site, admin, 'POST /documents/acces', { password: MEETING_PASSWORD });
    return ((await answer.json()) as { token: string }).token;
  }

  const statusOf = async (token: string) => (await ask(site, token, 'GET /session')).status;

  /** Where a person of that screen finds it. */
  async function findSignOut(page: Page, isPhone: boolean) {
    if (isPhone) await menuButton(page).click();
    return page.getByRole('button', { name: 'Déconnexion' });
  }

  for (const { names, screen, options } of [
    { names: ['adminToken'], screen: 'at 1280 px', options: DESKTOP },
    { names: ['tokenLecture'], screen: 'at 1280 px', options: DESKTOP },
    { names: ['adminToken', 'tokenLecture'], screen: 'at 360 px', options: PHONE },
  ] as const) {
    test(`ends what ${names.join(' and ')} opened, here and on the server, ${screen}`, async ({ visit }) => {
      const tokens: Held = {};
      for (const name of names) tokens[name] = await (name === 'adminToken' ? site.signIn() : readerToken());
      for (const token of Object.values(tokens)) expect(await statusOf(token)).toBe(200);
      const { page } = await visit(site, { ...options, ...holding(tokens) });
      await arrive(page, `/?actualite=${newsId}`);
      await (await findSignOut(page, options === PHONE)).click();
      await expect(page.getByRole('status')).toContainText('Vous êtes déconnecté.');
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('heading', { name: 'Le refuge rouvre' })).toBeVisible();
      expect(await held(page)).toEqual([]);
      for (const token of Object.values(tokens)) expect(await statusOf(token)).toBe(401);
      // Whoever is not signed in is not offered it.
      await expect(await findSignOut(page, options === PHONE)).toBeHidden();
    });
  }

  test('says the same of a token that the server no longer knew', async ({ visit }) => {
    const { page, troubles } = await visit(site, { ...DESKTOP, ...holding({ token: 'inconnu' }) });
    await arrive(page, '/');
    // What the home page reads with it is public: the token changes nothing.
    await (await findSignOut(page, false)).click();
    await expect(page.getByRole('status')).toContainText('Vous êtes déconnecté.');
    expect(await held(page)).toEqual([]);
    expect(troubles.splice(0)).toEqual([refused(401)]);
  });

  test('takes the tokens off this device even when the server cannot be reached, and says so', async ({
    visit,
  }) => {
    const token = await site.signIn();
    const { page, troubles } = await visit(site, { ...DESKTOP, ...holding({ adminToken: token }) });
    await page.context().route('**/auth/logout', (route) => route.abort());
    await arrive(page, '/');
    await (await findSignOut(page, false)).click();
    await expect(page.getByRole('alert')).toContainText('Vous êtes déconnecté de cet appareil.');
    expect(await held(page)).toEqual([]);
    await expect(page.getByRole('button', { name: 'Déconnexion' })).toBeHidden();
    expect(troubles.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
  });
});

test.describe('The footer', () => {
  const counter = async () => {
    const drawing = await (await fetch(`${site.url}${API_PREFIX}/compteur.svg`)).text();
    return Number(/<title>([\d\s]+) visites?</.exec(drawing)?.[1]?.replace(/\s/g, ''));
  };

  for (const { screen, options } of SCREENS) {
    test(`names the portal, leads to the stays’ photos and the legal pages, and shows the visits, ${screen}`, async ({
      visit,
    }) => {
      const { page } = await visit(site, options);
      await arrive(page, '/');
      const footer = page.getByRole('contentinfo');
      await expect(
        footer.getByTitle('Portail du comité social et économique — CSE des Deux-Rives'),
      ).toBeVisible();
      expect(await linksIn(footer)).toEqual([
        ['Photos des séjours', '/connexion'],
        ['Contact', '/contact'],
        ['Mentions légales', '/mentions-legales'],
        ['Politique de confidentialité', '/politique-confidentialite'],
        ['Accessibilité', '/accessibilite'],
      ]);
      const visits = footer.getByRole('img', { name: 'Compteur de visites' });
      const address = new URL((await visits.getAttribute('src')) ?? '', site.url);
      expect(Object.fromEntries(address.searchParams)).toMatchObject({
        nbdigits: '5',
        type: 'page',
        initCount: '0',
      });
      await visits.scrollIntoViewIfNeeded();
      await expect
        .poll(() => visits.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
    });
  }

  test('counts a view at each change of path', async ({ visit }) => {
    const before = await counter();
    const { page } = await visit(site, DESKTOP);
    const seen: unknown[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/pages-vues')) seen.push(response.request().postDataJSON().page);
    });
    await page.goto('/');
    await expect.poll(() => seen).toEqual(['/']);
    await page.getByRole('link', { name: 'En savoir plus' }).click();
    await expect(page).toHaveURL(`/?actualite=${newsId}`);
    await page.getByRole('link', { name: 'Les membres' }).click();
    await expect.poll(() => seen).toEqual(['/', '/membres']);
    await page.goBack();
    await expect.poll(() => seen).toEqual(['/', '/membres', '/']);
    // At the least: a view of the test before may have come in late.
    expect(await counter()).toBeGreaterThanOrEqual(before + 3);
  });
});

test.describe('Another page', () => {
  const height = (page: Page) => page.evaluate(() => window.scrollY);
  /** A browser tells of a scroll with the next picture that it draws: no person is faster. */
  const aFrame = (page: Page) =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

  for (const { screen, options } of SCREENS) {
    test(`starts at its top, with its title and the focus; Back finds the old place, ${screen}`, async ({
      visit,
    }) => {
      const { page } = await visit(site, options);
      await arrive(page, '/');
      await expect(page).toHaveTitle('Portail CSE — CSE des Deux-Rives');
      const canonical = page.locator('link[rel="canonical"]');
      await expect(canonical).toHaveCount(1);
      const link = page.getByRole('link', { name: 'En savoir plus' });
      await link.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      await aFrame(page);
      const place = await height(page);
      expect(place).toBeGreaterThan(0);

      await link.click();
      await expect(page).toHaveTitle('Le refuge rouvre — Portail CSE — CSE des Deux-Rives');
      // A browser would share the first page in the place of this one.
      await expect(canonical).toHaveCount(0);
      expect(await height(page)).toBe(0);
      await expect(page.getByRole('heading', { level: 1, name: 'Le refuge rouvre' })).toBeFocused();
      // The page is tall enough once the items before and after it are there.
      const goDown = async () => {
        await page.evaluate(() => window.scrollTo(0, 120));
        return height(page);
      };
      await expect.poll(goDown).toBe(120);
      await aFrame(page);

      await page.goBack();
      await expect(page).toHaveTitle('Portail CSE — CSE des Deux-Rives');
      await expect.poll(() => height(page)).toBe(place);
      await expect(link).toBeFocused();
      await page.goForward();
      await expect(page).toHaveTitle('Le refuge rouvre — Portail CSE — CSE des Deux-Rives');
      await expect.poll(() => height(page)).toBe(120);
    });
  }

  test('can be reached past the bar by the keyboard', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Aller au contenu' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(main(page)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(main(page).getByRole('link').first()).toBeFocused();
  });
});

test.describe('Whatever the page', () => {
  for (const { screen, options } of SCREENS) {
    test(`an address that names none is a 404 with a way home and the search, ${screen}`, async ({
      visit,
    }) => {
      const { page, troubles } = await visit(site, options);
      const answer = await page.goto('/pas-de-page-ici');
      expect(answer?.status()).toBe(404);
      expect(troubles.splice(0)).toEqual([refused(404)]);
      await expect(page).toHaveTitle('Page non trouvée — Portail CSE — CSE des Deux-Rives');
      await expect(main(page).getByRole('heading', { name: 'Page non trouvée' })).toBeVisible();
      await expect(main(page)).toContainText(
        'La page que vous recherchez n’existe pas. Voici un lien pour vous rediriger\u202f:',
      );
      await main(page).getByLabel('Rechercher sur le site', { exact: true }).fill('refuge');
      await main(page).getByRole('button', { name: 'Rechercher' }).click();
      await expect(page).toHaveURL('/recherche?q=refuge');
      await expect(main(page).getByRole('link', { name: 'Le refuge rouvre' })).toBeVisible();
      await page.goBack();
      await main(page).getByRole('link', { name: 'Retour Accueil' }).click();
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('heading', { name: 'À la Une' })).toBeVisible();
      // Back may have asked for the page again.
      expect(troubles.splice(0).filter((one) => !one.includes('404'))).toEqual([]);
    });
  }
});

test('a button pressed before the page is alive does its work once it is; scripts that do not come are said', async ({
  visit,
}) => {
  const { page } = await visit(site, PHONE);
  let go = () => {};
  const isHeld = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route('**/assets/frame-*.js', async (route) => {
    await isHeld;
    await route.continue();
  });
  await page.goto('/');
  await menuButton(page).click();
  go();
  await expect(page.getByRole('link', { name: 'Portail Administrateur' })).toBeVisible();

  const { page: cut, troubles } = await visit(site, PHONE);
  await cut.route('**/assets/entry-browser-*.js', (route) => route.abort());
  await cut.goto('/');
  await expect(cut.getByRole('link', { name: 'Recharger la page' })).toBeVisible();
  // Said of the script that was on its way, and again as it was needed.
  expect(new Set(troubles.splice(0))).toEqual(new Set(['Failed to load resource: net::ERR_FAILED']));
});

test('a page that was open before an update of the site goes on with the new version, and tells when the site is away', async ({
  visit,
}) => {
  const { page, troubles } = await visit(site, DESKTOP);
  await page.clock.install();
  await arrive(page, '/');
  // As if the update had replaced them: the next scripts are gone, until the page is fetched anew.
  let gone = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) gone = false;
  });
  await page.route(/\/assets\/.*\.js$/, (route) =>
    gone ? route.fulfill({ status: 404 }) : route.fallback(),
  );
  await page.clock.fastForward(60_000);
  await page.getByRole('link', { name: 'Les membres' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Notre équipe' })).toBeVisible();
  expect(gone).toBe(false);
  await expect(page).toHaveURL('/membres');

  await arrive(page, '/');
  await page.clock.fastForward(60_000);
  gone = true;
  await page.route('**/Evenements', (route) => route.abort());
  await page.getByRole('link', { name: 'Nos événements' }).first().click();
  await expect(page.getByRole('heading', { name: 'Cette page n’a pas pu s’afficher' })).toBeVisible();
  expect(troubles.splice(0).filter((one) => !/404|ERR_FAILED|dynamically imported/.test(one))).toEqual([]);
});

const OLD = 'Ce navigateur est trop ancien pour ce site';

test('a browser older than those served is told so, and goes on as far as it can', async ({ visit }) => {
  const userAgent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36';
  const { page } = await visit(site, { ...DESKTOP, userAgent });
  await arrive(page, '/');
  await expect(page.getByRole('alert').getByText(OLD)).toBeVisible();
  const { page: served } = await visit(site, DESKTOP);
  await arrive(served, '/');
  await expect(served.getByText(OLD)).toHaveCount(0);
});

test('a browser in which our scripts would stop keeps the page as it was rendered, with its menu', async ({
  visit,
}) => {
  const { page } = await visit(site, PHONE);
  await page.addInitScript(() => Reflect.deleteProperty(String.prototype, 'isWellFormed'));
  await page.goto('/');
  await expect(page.getByRole('alert').getByText(OLD)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Le refuge rouvre' })).toBeVisible();
  await page.getByRole('link', { name: 'Nos événements' }).first().click();
  await expect(page).toHaveURL('/Evenements');
  await expect(page.getByRole('alert').getByText(OLD)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});
