import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import readWorkbook from 'read-excel-file/node';
import { violationsOf } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { addStay, ask, enterPortal, refused, SCREENS, test } from '#tests/browser/visit.ts';
import { filesIn } from '#tests/support/workbooks.ts';

/** Staff take the report of a stay out of the portal. */

let site: RunningSite;
let token: string;
test.beforeEach(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
});
test.afterEach(() => site.stop());

for (const { screen, options } of SCREENS) {
  test(`staff download the report of a stay, named after it ${screen}`, async ({ visit }) => {
    const other = await addStay(site, token, 'Ski ; montagne');
    const stay = await addStay(site, token, 'Été « Oléron » ; mer/plage');
    const sections = [{ code: 'repas', note: 4, commentaire: 'Très bien.' }];
    const written = await ask(site, token, `PUT /stages/${stay.id}/bilan`, { sections });
    expect(written.status).toBe(200);

    const { page, troubles } = await enterPortal(visit, site, options, '/portail?panneau=rapport');
    const take = page.getByRole('button', { name: 'Télécharger le rapport' });
    await take.click();
    const missing = 'Veuillez choisir un séjour';
    await expect(page.getByRole('alert').getByText(missing, { exact: true })).toBeVisible();
    const choice = page.getByLabel('Séjour', { exact: true });
    await expect(choice).toBeFocused();
    await choice.selectOption(String(stay.id));
    await expect(page.getByText(missing, { exact: true })).toHaveCount(0);
    await expect(page.getByText('Le bilan des directeurs est écrit.')).toBeVisible();
    await expect(page.getByText('Aucune famille n’a répondu au questionnaire pour le moment.')).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);

    // The choice stands in the address.
    await page.reload();
    await expect(choice).toHaveValue(String(stay.id));
    const download = async () => {
      const coming = page.waitForEvent('download');
      await take.click();
      return coming;
    };
    const file = await download();
    expect(file.suggestedFilename()).toBe('Été « Oléron » ; mer-plage.xlsx');
    const [, review] = await readWorkbook(await readFile(await file.path()));
    expect(review?.data.map((row) => row.slice(0, 3))).toContainEqual(['Repas', 4, 'Très bien.']);
    await choice.selectOption(String(other.id));
    expect((await download()).suggestedFilename()).toBe('Ski ; montagne.xlsx');

    await ask(site, token, `DELETE /stages/${other.id}`);
    await take.click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Erreur lors du téléchargement du rapport');
    await expect(alert).toContainText('Ce séjour n’existe pas ou n’existe plus.');
    expect(troubles.splice(0)).toEqual([refused(404)]);
  });
}

for (const { screen, options } of SCREENS) {
  test(`the reports of all stays are four presses away from the portal ${screen}`, async ({ visit }) => {
    for (const name of ['Lac', 'Forêt', 'Neige']) await addStay(site, token, name);
    const { page, troubles } = await enterPortal(visit, site, options, '/portail?panneau=rapport');
    await page.evaluate(() => {
      window.addEventListener('click', () => {
        document.body.dataset.presses = String(Number(document.body.dataset.presses ?? 0) + 1);
      });
    });
    const take = page.getByRole('button', { name: 'Télécharger les rapports' });
    // The first press is that of the panel.
    await page.getByRole('button', { name: 'Plusieurs séjours à la fois' }).click();
    await page.getByRole('button', { name: 'Tout cocher' }).click();
    const coming = page.waitForEvent('download');
    await take.click();
    const file = await coming;
    expect(await page.evaluate(() => document.body.dataset.presses)).toBe('3');
    expect(file.suggestedFilename()).toBe('3 rapports.zip');
    const files = filesIn(await readFile(await file.path()));
    const names = Object.keys(files).map((name) => name.replace(/^[\d-]+ | \(\d+\)\.xlsx$/g, ''));
    expect(names.sort()).toEqual(['Forêt', 'Lac', 'Neige']);
    for (const bytes of Object.values(files)) expect(await readWorkbook(bytes)).toHaveLength(3);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);

    await page.getByRole('button', { name: 'Tout décocher' }).click();
    await take.click();
    await expect(page.getByText('Veuillez sélectionner un séjour.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Un seul séjour' }).click();
    await expect(page.getByRole('button', { name: 'Télécharger le rapport' })).toBeVisible();
    expect(troubles).toEqual([]);
  });
}
