import { expect, type Page } from '@playwright/test';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { openSite } from '#tests/browser/site.ts';
import { ask, boxOf, test } from '#tests/browser/visit.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { takenBy } from '#tests/support/photos.ts';
import { send } from '#tests/support/sending.ts';

/* The page of directors on a phone held in one hand: sending is at hand, whatever waits for an answer. */

const IN_HAND = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

let site: Awaited<ReturnType<typeof openSite>>;
test.beforeAll(async () => {
  site = await openSite();
});
test.afterAll(() => site?.stop());

const dayFromNow = (days: number) => dayAfter(dayAt(new Date(), 'Europe/Paris'), days);

/** A stay with photos to check, a clock that is wrong, a photo whose removal is asked for and a file that cannot be read. */
async function addBusyStay(): Promise<number> {
  const { database, secrets, clock } = site.services;
  const stay = { nom_stage: 'Dune', date_debut: dayFromNow(-9), date_fin: dayFromNow(5) };
  const passwords = { formateur: 'DIRECTEUR', stagiaire: 'FAMILLES' };
  const stageId = await database.write((transaction) =>
    insertStay(transaction, secrets, stay, clock(), passwords),
  );
  const jour = dayFromNow(-1);
  const appareil = 'Canon EOS 90D #4f2a';
  await addPhotos(site.services, stageId, 13, () => ({ jour, statut: 'a_verifier' }));
  await addPhotos(site.services, stageId, 3, (index) => ({
    ...{ jour, appareil, prise_le: `2020-01-0${index + 1}T10:00:00.000Z` },
  }));
  const [asked] = await addPhotos(site.services, stageId, 1, () => ({ jour }));
  const signIn = async (password: string) => {
    const answer = await ask(site, '', 'POST /auth/login', { stageId, password });
    return ((await answer.json()) as { token: string }).token;
  };
  const mot = 'C’est ma fille, merci de la retirer.';
  await ask(site, await signIn('FAMILLES'), `POST /photos/${asked}/retrait`, { mot });
  const whole = await takenBy({ taken: `${jour}T10:00:00` });
  const sender = { origin: site.url, token: await signIn('DIRECTEUR'), stageId };
  await send(sender, whole.subarray(0, whole.length / 2), { filename: 'IMG_0042.jpg' });
  await expect
    .poll(
      async () =>
        (await database.db.selectFrom('photos').select('id').where('statut', '=', 'illisible').execute())
          .length,
      { timeout: 30_000 },
    )
    .toBe(1);
  return stageId;
}

const choice = (page: Page) => page.getByRole('button', { name: 'Choisir des photos' });

/** The words that are drawn above the button, and the controls. */
const before = (page: Page) =>
  choice(page).evaluate((button) => {
    const end = button.getBoundingClientRect().top;
    const isDrawn = (box: DOMRect) => box.width > 1 && box.height > 1 && box.top < end;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let words = 0;
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const parent = text.parentElement as Element;
      const isSeen =
        parent.checkVisibility({ visibilityProperty: true }) && isDrawn(range.getBoundingClientRect());
      if (isSeen && isDrawn(parent.getBoundingClientRect()))
        words += (text.nodeValue ?? '').split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
    }
    const controls = [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter(
      (one) => one.checkVisibility({ visibilityProperty: true }) && isDrawn(one.getBoundingClientRect()),
    ).length;
    return { words, controls, top: Math.round(end) };
  });

test('the first photo of an evening is one press away, above few words, wherever the page is', async ({
  visit,
}) => {
  const stageId = await addBusyStay();
  const { page } = await visit(site, IN_HAND);
  await page.goto(`/connexion?stageId=${stageId}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill('DIRECTEUR');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  const toDecide = page.getByText('3 choses à décider');
  await expect(toDecide).toBeVisible();
  await expect(page.getByText('Des photos mal datées')).toBeHidden();
  await expect(choice(page)).toBeEnabled();
  await expect(page.getByText('Fichiers illisibles (1)')).toBeAttached();
  for (const texte of ['3', '2', '1']) {
    await page.evaluate((value) => document.documentElement.setAttribute('data-texte', value), texte);
    for (const button of await page.locator('.send-bar button').all()) {
      const { x, width, y, height } = await boxOf(button);
      expect([x >= 0, x + width <= 360, height < 130, y + height <= 740], texte).toEqual([
        true,
        true,
        true,
        true,
      ]);
    }
  }
  await page.evaluate(() => document.documentElement.removeAttribute('data-texte'));
  const { words, controls } = await before(page);
  expect(words).toBeLessThan(80);
  expect(controls).toBeLessThan(18);
  await expectNoViolation(page);

  // Nothing lies over it, and nothing that has the focus lies under it, from the top of the page to its end.
  const bar = async () => (await boxOf(page.locator('.send-bar'))).y;
  const isOnTop = () =>
    choice(page).evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 0) break;
    if (await focused.evaluate((one) => one.closest('.send-bar') !== null)) continue;
    const { y, height } = await boxOf(focused);
    expect(y + Math.min(height, 44), (await focused.textContent()) ?? '').toBeLessThanOrEqual(
      (await bar()) + 1,
    );
    expect(await isOnTop()).toBe(true);
  }
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  expect(await isOnTop()).toBe(true);
  const last = await boxOf(page.getByRole('button', { name: 'Se déconnecter' }));
  expect(last.y + last.height).toBeLessThanOrEqual(await bar());

  const chooser = page.waitForEvent('filechooser');
  await choice(page).tap();
  const taken = await takenBy({ taken: `${dayFromNow(0)}T08:00:00` });
  const broken = taken.subarray(0, taken.length / 2);
  await (await chooser).setFiles([
    { name: 'IMG_0043.jpg', mimeType: 'image/jpeg', buffer: taken },
    { name: 'IMG_0044.jpg', mimeType: 'image/jpeg', buffer: broken },
  ]);
  const end = page.getByText(/^1\s*photo reçue, rien ne manque\s; 1\s*fichier ne peut pas être pris$/);
  await expect(end).toBeAttached({ timeout: 60_000 });
  const line = page.getByRole('listitem').filter({ hasText: 'IMG_0044.jpg' });
  // Said once, with the photos of the stay, where it is seen from every device.
  for (const isAgain of [false, true]) {
    if (isAgain) await page.reload();
    await expect(page.getByText('Fichiers illisibles (2)')).toBeAttached();
    await expect(page.getByText('1\u00a0fichier ne peut pas être pris', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: /^Voir pourquoi/ }).tap();
    await expect(line).toHaveCount(1);
    await expect(line).toBeInViewport();
  }
});
