import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { violationsOf } from '#tests/browser/axe.ts';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { ask, refused, SCREENS, test } from '#tests/browser/visit.ts';

/** Staff look up an address in the portal, hand out what is known of it, and erase it. */

const EMAIL = 'marie-christine.delaunay-rocheteau@messagerie-exemple.org';

let site: RunningSite;
test.beforeEach(async () => {
  site = await startSite('sqlite');
  const token = await site.signIn();
  await ask(site, token, 'POST /contact', { nom: 'Marie', email: EMAIL, message: 'Bonjour.' });
});
test.afterEach(() => site.stop());

/** As it stands now, it reads well to everybody and fits the screen. */
async function expectSound(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
}

for (const { screen, options } of SCREENS) {
  test(`an address is looked up, handed out and erased once it is typed again ${screen}`, async ({
    visit,
  }) => {
    const { page, troubles } = await visit(site, { ...options, reducedMotion: 'reduce' });
    const answer = await page.request.post('/api/api/loginAdmin', { data: ADMIN });
    const { tokenAdmin } = (await answer.json()) as { tokenAdmin: string };
    await page.addInitScript((value) => localStorage.setItem('adminToken', value), tokenAdmin);
    await page.goto('/portail?panneau=donnees');
    const address = page.getByLabel('Adresse e-mail');
    const search = page.getByRole('main').getByRole('button', { name: 'Chercher' });
    const erase = page.getByRole('button', { name: 'Effacer définitivement' });
    const known = page.getByRole('region', { name: EMAIL });

    await address.fill('marie@messagerie');
    await search.click();
    await expect(page.getByText('Cette adresse e-mail n’est pas valable.', { exact: true })).toBeVisible();
    expect(troubles.splice(0)).toEqual([refused(422)]);
    await address.fill('inconnue@exemple.org');
    await search.click();
    await expect(page.getByText('Le site ne sait rien de cette adresse.')).toBeVisible();
    await expectSound(page);

    await address.fill(EMAIL);
    await search.click();
    await expect(known.getByText('Un message de contact\u202f: effacé.')).toBeVisible();
    await expectSound(page);
    const downloading = page.waitForEvent('download');
    await known.getByRole('button', { name: 'Télécharger' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^donnees-personnelles-[\d-]+\.json$/);
    expect(JSON.parse(await readFile(await file.path(), 'utf8')).donnees.contact).toMatchObject([
      { nom: 'Marie', message: 'Bonjour.' },
    ]);

    const reading = page.waitForEvent('download');
    await known.getByRole('button', { name: 'Document à lire' }).click();
    expect((await reading).suggestedFilename()).toMatch(/^donnees-personnelles-[\d-]+\.pdf$/);

    await erase.click();
    const question = page.getByRole('alertdialog');
    await expectSound(page);
    await question.getByRole('textbox').fill('marie@exemple.org');
    await question.getByRole('textbox').press('Enter');
    await expect(question.getByText(`Tapez ${EMAIL} pour confirmer.`)).toBeVisible();
    await question.getByRole('textbox').fill(EMAIL);
    await question.getByRole('button', { name: 'Effacer définitivement' }).click();
    await expect(known.getByText('Le site ne sait rien de cette adresse.')).toBeVisible();
    await expect(page.getByRole('heading', { name: EMAIL })).toBeFocused();
    await expect(erase).toHaveCount(0);
    await expectSound(page);

    const link = known.getByRole('link', { name: /^Preuve d’effacement du / });
    await link.click();
    const proof = page.getByRole('heading', { level: 1, name: /^Preuve d’effacement du / });
    await expect(proof).toBeVisible();
    const main = page.getByRole('main');
    for (const said of [
      'Un message de contact\u202f: effacé.',
      'Le site ne connaît aucune sauvegarde de lui-même.',
    ])
      await expect(main).toContainText(said);
    await expectSound(page);
    const handing = page.waitForEvent('download');
    await main.getByRole('button', { name: 'Preuve en PDF' }).click();
    expect((await handing).suggestedFilename()).toMatch(/^preuve-effacement-[\d-]+\.pdf$/);
    await page.emulateMedia({ media: 'print' });
    await expect(proof).toBeVisible();
    await expect(main.getByRole('link', { name: 'Données personnelles' })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    // Its address finds it again, and so does that of the person.
    await page.reload();
    await expect(proof).toBeVisible();
    await main.getByRole('link', { name: 'Données personnelles' }).click();
    await address.fill(EMAIL.toUpperCase());
    await search.click();
    await expect(link).toBeVisible();
  });
}
