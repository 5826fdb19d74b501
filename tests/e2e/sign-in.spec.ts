import { expect, type Page } from '@playwright/test';
import { type RunningSite, startSite } from './site.ts';
import { arrive, DESKTOP, PHONE, SCREENS, test } from './visit.ts';

let site: RunningSite;
test.beforeAll(async () => {
  site = await startSite('sqlite');
});
test.afterAll(() => site.stop());

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
  test(`families find the door in the footer, with its policy and whom to ask, ${screen}`, async ({
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
    await expect(page.getByRole('link', { name: 'Écrivez-nous' })).toHaveAttribute(
      'href',
      '/mentions-legales#contact',
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
  });
}

test('the number that a mail’s link carries is filled in, and nothing but a number', async ({ visit }) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/connexion?stageId=42');
  await expect(stay(page)).toHaveValue('42');
  await arrive(page, '/connexion?stageId=appelez+le+01');
  await expect(stay(page)).toHaveValue('');
});

test('the password is hidden until one asks to see it', async ({ visit }) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/connexion');
  await password(page).fill('lune-42');
  await expect(password(page)).toHaveAttribute('type', 'password');
  const show = page.getByRole('button', { name: 'Afficher le mot de passe' });
  await show.click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await show.click();
  await expect(password(page)).toHaveAttribute('type', 'password');
});

test('what is missing is told beside its field; whatever is typed, no stay is open yet', async ({
  visit,
}) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/connexion');
  await submit(page).click();
  for (const field of [stay(page), password(page)]) {
    await expect(field).toHaveAccessibleDescription('Ce champ est obligatoire.');
  }
  await expect(stay(page)).toBeFocused();
  await expect(trouble(page)).toHaveText('');
  await stay(page).fill('42');
  await password(page).fill('lune-42');
  await submit(page).click();
  await expect(trouble(page)).toHaveText('Aucun séjour n’est encore ouvert sur ce site.');
  await expect(stay(page)).toHaveAccessibleDescription('');
});
