import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, PHONE, refused, SCREENS, test } from '#tests/browser/visit.ts';

let site: RunningSite;
test.beforeAll(async () => {
  site = await startSite('sqlite', {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Les colos <colos@example.org>',
  });
});
test.afterAll(() => site?.stop());

const button = (page: Page) => page.getByRole('button', { name: /^Mot de passe perdu/ });
const lost = (page: Page) => page.getByRole('form', { name: 'Recevoir le mot de passe de nouveau' });
const number = (page: Page) => lost(page).getByLabel('Numéro du séjour');
const email = (page: Page) => lost(page).getByLabel('E-mail');
const submit = (page: Page) => lost(page).getByRole('button', { name: 'Recevoir le mot de passe' });
const ANSWER = /^Si cette adresse est inscrite à ce séjour, elle reçoit un e-mail dans quelques minutes\./;

for (const { screen, options } of SCREENS) {
  test(`a lost code is asked for by the keyboard, and the answer stands under it, ${screen}`, async ({
    visit,
  }) => {
    const { page } = await visit(site, { ...options, reducedMotion: 'reduce' });
    await arrive(page, '/connexion');
    await page.getByLabel('Numéro du séjour').fill(' 42 ');
    await expect(button(page)).toHaveAttribute('aria-expanded', 'false');
    await button(page).focus();
    await page.keyboard.press('Enter');
    await expect(button(page)).toHaveAttribute('aria-expanded', 'true');
    await expect(number(page)).toHaveValue('42');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(email(page)).toBeFocused();
    await page.keyboard.type('parent@exemple.org');
    await page.keyboard.press('Enter');
    await expect(lost(page).getByRole('status')).toHaveText(ANSWER);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
    await expectNoViolation(page);
    await button(page).click();
    await expect(lost(page)).toHaveCount(0);
  });
}

test('what is missing or wrong is told beside its field, and too many demands as they are', async ({
  visit,
}) => {
  const { page, troubles } = await visit(site, PHONE);
  await arrive(page, '/connexion');
  await button(page).click();
  await submit(page).click();
  await expect(number(page)).toHaveAccessibleDescription('Saisissez le numéro du séjour.');
  await expect(email(page)).toHaveAccessibleDescription('Indiquez l’adresse qui a reçu le premier e-mail.');
  await expect(number(page)).toBeFocused();
  await number(page).fill('la mer');
  await email(page).fill('parent@exemple');
  await submit(page).click();
  await expect(number(page)).toHaveAccessibleDescription('Le numéro du séjour est attendu, par exemple 4.');
  expect(troubles.splice(0)).toEqual([refused(422)]);

  await number(page).fill('12');
  await email(page).fill('parent@exemple.org');
  const refusal = page.getByRole('alert').getByText('Trop de mots de passe ont été demandés');
  await expect(async () => {
    const answer = page.waitForResponse('**/auth/code-perdu');
    await submit(page).click();
    expect((await answer).status()).toBe(429);
  }).toPass({ intervals: [50] });
  await expect(refusal).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(429)]);
});
