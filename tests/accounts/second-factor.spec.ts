import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectFine } from '#tests/browser/axe.ts';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, refused, SCREENS, test } from '#tests/browser/visit.ts';
import { codeOf } from '#tests/support/authenticator.ts';

let site: RunningSite;
test.beforeAll(async () => {
  site = await startSite('sqlite');
});
test.afterAll(() => site?.stop());

const ACCOUNT = '/portail?panneau=compte';
const own = (page: Page) => page.getByRole('region', { name: 'Ma connexion en deux étapes' });
/** The codes that were just made, and how many are left later. */
const noted = (page: Page) => page.getByRole('region', { name: 'Notez vos dix codes de secours' });
const left = (page: Page) => page.getByRole('region', { name: 'Mes codes de secours' });
const password = (page: Page) => page.getByLabel('Mot de passe', { exact: true });
const code = (page: Page) => page.getByLabel('Code à 6 chiffres');
/** The code after the present one, which is taken as well: the present one was used. */
const next = (secret: string) => codeOf(secret, new Date(Date.now() + 30_000));

/** Name and password at the sign-in of the portal, with the keyboard alone. */
async function typeCredentials(page: Page): Promise<void> {
  await expect(page.getByLabel('Identifiant')).toBeFocused();
  await page.keyboard.type(ADMIN.username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(ADMIN.password);
  await page.keyboard.press('Enter');
}

for (const { screen, options } of SCREENS) {
  test(`an admin puts a second step before the portal, and passes it, ${screen}`, async ({ visit }) => {
    const { page, troubles } = await visit(site, { ...options, reducedMotion: 'reduce' });
    const { width } = options.viewport;
    await arrive(page, '/connexion-portail');
    await typeCredentials(page);
    await expect(page).toHaveURL('/portail');
    await page.goto(ACCOUNT);
    await own(page).getByLabel('Mot de passe actuel').fill(ADMIN.password);
    await page.keyboard.press('Enter');
    await expect(code(page)).toBeFocused();
    await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code');
    await expect(code(page)).toHaveAttribute('inputmode', 'numeric');
    await expectFine(page, width);
    const key = await own(page).getByText(/^Clé/).innerText();
    const secret = key.replace(/^Clé\s*:|\s/g, '');
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await expect(code(page)).toHaveAccessibleDescription(/Ce n’est pas le code que l’application montre\.$/);
    expect(troubles.splice(0)).toEqual([refused(422)]);
    await code(page).fill(codeOf(secret, new Date()));
    await page.keyboard.press('Enter');
    await expect(noted(page).getByRole('heading')).toBeFocused();
    const codes = await noted(page).getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(10);
    await expectFine(page, width);
    const saving = page.waitForEvent('download');
    await noted(page).getByRole('button', { name: 'Télécharger' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('codes-de-secours.txt');
    const text = await readFile(await file.path(), 'utf8');
    for (const one of [...codes, `Compte\u202f: ${ADMIN.username}`, new URL(site.url).host]) {
      expect(text).toContain(one);
    }
    await page.evaluate(() => {
      window.print = () =>
        document.body.append(Object.assign(document.createElement('i'), { id: 'printed' }));
    });
    await noted(page).getByRole('button', { name: 'Imprimer' }).click();
    await expect(page.locator('#printed')).toBeAttached();
    await page.emulateMedia({ media: 'print' });
    await expect(noted(page).getByText(codes[0] ?? '')).toBeVisible();
    await expect(page.getByText(`Compte\u202f: ${ADMIN.username}`)).toBeVisible();
    for (const hidden of ['Copier', 'C’est noté', 'Ajouter']) {
      await expect(page.getByRole('button', { name: hidden })).toBeHidden();
    }
    await expect(page.getByRole('heading', { name: 'Mon compte', exact: true })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await noted(page).getByRole('button', { name: 'C’est noté' }).click();
    await expect(left(page).getByText('Il reste 10 codes')).toBeVisible();

    await page.evaluate(() => localStorage.removeItem('adminToken'));
    await arrive(page, '/connexion-portail');
    await typeCredentials(page);
    await expect(code(page)).toBeFocused();
    await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code');
    await expectFine(page, width);
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'Ce code est incorrect, périmé ou déjà utilisé.',
    );
    await expect(code(page)).toBeFocused();
    await page.keyboard.type(next(secret));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/portail');
    // Until the page has all its answers, one would come back to nobody.
    await expect(page.getByRole('heading', { name: 'À voir', exact: true })).toBeVisible();

    await page.evaluate(() => localStorage.removeItem('adminToken'));
    await arrive(page, '/connexion-portail');
    await typeCredentials(page);
    await page.getByRole('button', { name: 'Je n’ai pas mon téléphone' }).click();
    await expect(page.getByLabel('Code de secours')).toBeFocused();
    await page.getByRole('button', { name: 'Recommencer' }).click();
    await password(page).fill(ADMIN.password);
    await page.getByLabel('Identifiant').fill(ADMIN.username);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Je n’ai pas mon téléphone' }).click();
    await page.keyboard.type(codes[3] ?? '');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/portail');
    expect(troubles.splice(0)).toEqual(Array(4).fill(refused(401)));

    await page.goto(ACCOUNT);
    await expect(left(page).getByText('Il reste 9 codes')).toBeVisible();
    await own(page).getByLabel('Mot de passe actuel').fill(ADMIN.password);
    await own(page).getByRole('button', { name: 'Arrêter' }).click();
    await expect(own(page).getByRole('button', { name: 'Mettre en place' })).toBeVisible();
  });
}
