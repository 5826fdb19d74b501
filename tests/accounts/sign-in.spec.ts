import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  addStay,
  arrive,
  ask,
  DESKTOP,
  type OpenStay,
  PHONE,
  refused,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';

let site: RunningSite;
let sea: OpenStay;
let snow: OpenStay;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  const admin = await site.signIn();
  sea = await addStay(site, admin, 'Été à Oléron');
  snow = await addStay(site, admin, 'Neige en Vercors');
});
test.afterAll(() => site?.stop());

const stay = (page: Page) => page.getByLabel('Numéro du séjour');
const password = (page: Page) => page.getByLabel('Mot de passe', { exact: true });
const trouble = (page: Page) => page.getByRole('main').getByRole('alert');
const submit = (page: Page) => page.getByRole('button', { name: 'Se connecter' });

test.describe('The background', () => {
  const pause = (page: Page) => page.getByRole('button', { name: 'Mettre le défilement en pause' });
  const resume = (page: Page) => page.getByRole('button', { name: 'Reprendre le défilement' });

  /** The place of the image on top: each hides those before it. */
  const shown = (page: Page) =>
    page
      .locator('main img')
      .evaluateAll((images) => images.findLastIndex((image) => getComputedStyle(image).opacity === '1'));

  /** The page, alive, its clock standing still; without motion an image is there at once, or not at all. */
  async function arriveOutOfTime(page: Page): Promise<void> {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    // A page whose clock stands still is never idle.
    await arrive(page, '/connexion', () => page.keyboard.press('Shift'));
  }

  test('goes from each of its three images to the next every 5000 ms', async ({ visit }) => {
    const { page } = await visit(site, { ...DESKTOP, reducedMotion: 'reduce' });
    await arriveOutOfTime(page);
    await expect(page.locator('main img')).toHaveCount(3);
    await resume(page).click();
    await expect(pause(page)).toBeVisible();
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      await page.clock.runFor(4_999);
      expect(await shown(page)).toBe(from);
      await page.clock.runFor(1);
      await expect.poll(() => shown(page)).toBe(to);
    }
  });

  test('stands still from when it is paused', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arriveOutOfTime(page);
    await pause(page).click();
    await expect(resume(page)).toBeVisible();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.clock.runFor(15_000);
    expect(await shown(page)).toBe(0);
    await resume(page).click();
    await expect(pause(page)).toBeVisible();
    await page.clock.runFor(5_000);
    await expect.poll(() => shown(page)).toBe(1);
  });

  test('stands still for whoever asked for less motion, until told to go on', async ({ visit }) => {
    const { page } = await visit(site, { ...DESKTOP, reducedMotion: 'reduce' });
    await arriveOutOfTime(page);
    await expect(resume(page)).toBeVisible();
    await page.clock.runFor(15_000);
    expect(await shown(page)).toBe(0);
  });
});

for (const { screen, options } of SCREENS) {
  test(`families find the sign-in in the footer, with its policy and whom to ask, ${screen}`, async ({
    visit,
  }) => {
    const { page } = await visit(site, options);
    await arrive(page, '/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Photos des séjours' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Photos des séjours' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Politique photos' })).toHaveAttribute(
      'href',
      '/politique-photos',
    );
    await expect(page.getByRole('link', { name: 'Écrivez-nous' })).toHaveAttribute('href', '/contact');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
  });
}

test('the number that a mail’s link carries is filled in, and nothing but a number', async ({ visit }) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/connexion?stageId=42');
  await expect(stay(page)).toHaveValue('42');
  await expect(password(page)).toBeFocused();
  await arrive(page, '/connexion?stageId=appelez+le+01');
  await expect(stay(page)).toHaveValue('');
});

for (const [whose, address, first, other] of [
  ['of a stay is seen until one hides it', '/connexion', 'text', 'password'],
  ['of staff is hidden until one asks to see it', '/connexion-portail', 'password', 'text'],
] as const) {
  test(`the password ${whose}`, async ({ visit }) => {
    const { page } = await visit(site, PHONE);
    await arrive(page, address);
    await password(page).fill('lune-42');
    await expect(password(page)).toHaveAttribute('type', first);
    await expect(password(page)).toHaveAttribute('autocomplete', 'current-password');
    await expect(password(page)).toHaveAttribute('autocapitalize', 'none');
    await expect(password(page)).toHaveAttribute('spellcheck', 'false');
    const show = page.getByRole('button', { name: 'Afficher le mot de passe' });
    await show.click();
    await expect(password(page)).toHaveAttribute('type', other);
    await show.click();
    await expect(password(page)).toHaveAttribute('type', first);
    await expect(password(page)).toHaveValue('lune-42');
  });
}

test('what is missing or wrong is told beside its field', async ({ visit }) => {
  const { page, troubles } = await visit(site, PHONE);
  await arrive(page, '/connexion');
  await submit(page).click();
  await expect(stay(page)).toHaveAccessibleDescription(/Saisissez le numéro du séjour\.$/);
  await expect(password(page)).toHaveAccessibleDescription('Saisissez le mot de passe.');
  await expect(stay(page)).toBeFocused();
  await expect(trouble(page)).toHaveText('');

  await stay(page).fill('la mer');
  await password(page).fill('lune-42');
  await submit(page).click();
  await expect(stay(page)).toHaveAccessibleDescription(/Le numéro du séjour est attendu, par exemple 4\.$/);
  await expect(stay(page)).toBeFocused();
  await expect(trouble(page)).toHaveText('');
  expect(troubles.splice(0)).toEqual([refused(422)]);
});

test('a server that cannot be reached is told', async ({ visit }) => {
  const { page, troubles } = await visit(site, PHONE);
  await arrive(page, `/connexion?stageId=${sea.id}`);
  await page.context().route('**/auth/login', (route) => route.abort());
  await password(page).fill(sea.family);
  await submit(page).click();
  await expect(trouble(page)).toHaveText('Erreur de connexion au serveur.');
  expect(troubles.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
});

/** Signs in to a stay on its page. */
async function enter(page: Page, { id }: OpenStay, typed: string): Promise<void> {
  await arrive(page, '/connexion');
  await stay(page).fill(String(id));
  await password(page).fill(typed);
  await submit(page).click();
}

const openStays = (page: Page) =>
  page.getByRole('region', { name: 'Déjà ouvert sur cet appareil' }).getByRole('button');

const sessionOf = async (page: Page) => {
  const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? '';
  return { token, session: await (await ask(site, token, 'GET /session')).json() };
};

for (const { screen, options } of SCREENS) {
  test.describe(`A stay, ${screen}`, () => {
    test('is named under its number; a family goes to its page, and back there from the menu', async ({
      visit,
    }) => {
      const { page } = await visit(site, options);
      await arrive(page, '/connexion');
      await stay(page).fill(String(sea.id));
      await expect(stay(page)).toHaveAccessibleDescription(/^Été à Oléron — le/);
      await password(page).fill(sea.family.toLowerCase());
      let go = () => {};
      const isHeld = new Promise<void>((resolve) => {
        go = resolve;
      });
      await page.route('**/assets/StayPage-*.js', async (route) => {
        await isHeld;
        await route.continue();
      });
      await submit(page).click();
      const told = page.getByRole('status').getByText('Connexion réussie. Redirection...');
      await expect(told).toBeVisible();
      go();
      await expect(page.getByRole('heading', { level: 1, name: 'Été à Oléron' })).toBeVisible();
      await expect(page).toHaveURL(`/stage-details/${sea.id}`);
      // It would cover what one came for.
      await expect(told).toHaveCount(0);
      expect((await sessionOf(page)).session).toMatchObject({ role: 'family', stageId: sea.id });
      await arrive(page, '/');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Mon séjour' }).click();
      await expect(page).toHaveURL(`/stage-details/${sea.id}`);
    });

    test('leads directors to theirs', async ({ visit }) => {
      const { page } = await visit(site, options);
      await enter(page, snow, snow.director);
      await expect(page).toHaveURL('/formateur');
      expect((await sessionOf(page)).session).toMatchObject({ role: 'director', stageId: snow.id });
    });

    test('stays shut for a wrong password, which is typed anew over the old one', async ({ visit }) => {
      const { page, troubles } = await visit(site, options);
      await enter(page, sea, 'lune-42');
      await expect(trouble(page)).toHaveText('Numéro de séjour ou mot de passe incorrect.');
      expect(troubles.splice(0)).toEqual([refused(401)]);
      await expect(password(page)).toBeFocused();
      await page.keyboard.type(sea.family);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`/stage-details/${sea.id}`);
    });

    test('opened beside another needs no password any more; signing out ends both', async ({ visit }) => {
      const { page } = await visit(site, { ...options, reducedMotion: 'reduce' });
      await enter(page, sea, sea.family);
      await expect(page).toHaveURL(`/stage-details/${sea.id}`);
      const { token: first } = await sessionOf(page);
      await enter(page, snow, snow.director);
      await expect(page).toHaveURL('/formateur');
      const { token: second } = await sessionOf(page);

      await arrive(page, '/connexion');
      await expect(openStays(page)).toHaveText(['Neige en Vercors (direction)', 'Été à Oléron']);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
      await expectNoViolation(page);
      await openStays(page).last().click();
      await expect(page).toHaveURL(`/stage-details/${sea.id}`);
      expect((await sessionOf(page)).token).toBe(first);
      expect(await cookiesOf(page)).toEqual({
        [`passerelle_sejour_${sea.id}`]: first,
        [`passerelle_sejour_${snow.id}_direction`]: second,
      });

      if (options === PHONE) await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('button', { name: 'Déconnexion' }).click();
      await expect(page.getByRole('status').getByText('Vous êtes déconnecté.')).toBeVisible();
      await expect(page).toHaveURL('/');
      for (const token of [first, second]) expect((await ask(site, token, 'GET /session')).status).toBe(401);
      expect(
        await page.evaluate(() => Object.keys(localStorage).filter((key) => /token|sejours/i.test(key))),
      ).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);
      await arrive(page, '/connexion');
      await expect(openStays(page)).toHaveCount(0);
    });
  });
}

async function cookiesOf(page: Page): Promise<Record<string, string>> {
  const cookies = await page.context().cookies();
  return Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
}

test('a new sign-in to the same stay ends the one before, and no other', async ({ visit }) => {
  const { page, troubles } = await visit(site, DESKTOP);
  const tokens: string[] = [];
  for (const typed of [sea.director, sea.family, sea.family]) {
    await enter(page, sea, typed);
    await expect(page).toHaveURL(typed === sea.family ? `/stage-details/${sea.id}` : '/formateur');
    tokens.push((await sessionOf(page)).token);
  }
  const [director = '', before = '', now = ''] = tokens;
  const statusOf = async (token: string) => (await ask(site, token, 'GET /session')).status;
  await expect.poll(() => statusOf(before)).toBe(401);
  expect([await statusOf(director), await statusOf(now)]).toEqual([200, 200]);
  expect(await cookiesOf(page)).toEqual({
    [`passerelle_sejour_${sea.id}`]: now,
    [`passerelle_sejour_${sea.id}_direction`]: director,
  });
  // So that the cookie of the new one stays.
  expect(troubles.splice(0)).toEqual([
    expect.stringMatching(/^Clear-Site-Data .+ credentials mode prohibits modifying cookies/),
  ]);
});

test('a stay of this device whose sign-in is over asks for its password again', async ({ visit }) => {
  const { page, troubles } = await visit(site, DESKTOP);
  await enter(page, sea, sea.family);
  await expect(page).toHaveURL(`/stage-details/${sea.id}`);
  await arrive(page, '/connexion');
  await ask(site, (await sessionOf(page)).token, 'POST /auth/logout');
  await openStays(page).click();
  await expect(page.getByRole('alert').getByText('Votre connexion est terminée.')).toBeVisible();
  await expect(openStays(page)).toHaveCount(0);
  await expect(stay(page)).toHaveValue(String(sea.id));
  expect(troubles.splice(0)).toEqual([refused(401)]);
});
