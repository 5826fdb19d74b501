import { expect } from '@playwright/test';
import { openSite } from '#tests/browser/site.ts';
import { ask, enterPortal, SCREENS, test } from '#tests/browser/visit.ts';

/* What happens when the network loses the answer to a form. */

let site: Awaited<ReturnType<typeof openSite>>;
let token: string;
test.beforeAll(async () => {
  site = await openSite();
  token = await site.signIn();
});
test.afterAll(() => site?.stop());

for (const { screen, options } of SCREENS) {
  test(`a news item whose answer was lost is not made again when the button is pressed again ${screen}`, async ({
    visit,
  }) => {
    const { page, troubles } = await enterPortal(visit, site, options, '/portail?panneau=actualite-creer');
    const titre = `Fête ${screen}`;
    const publish = page.getByRole('button', { name: 'Publier', exact: true });
    const count = async () => {
      const items = (await (await ask(site, token, 'GET /actualites')).json()) as { titre: string }[];
      return items.filter((one) => one.titre === titre).length;
    };
    await page.getByLabel('Titre', { exact: true }).first().fill(titre);
    await page.getByRole('textbox', { name: 'Description' }).click();
    await page.keyboard.type('Venez nombreux.');
    let cuts = 0;
    await page.route('**/api/api/actualites', async (route) => {
      if (route.request().method() !== 'POST' || cuts++ > 0) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await publish.click();
    await expect(page.getByText('Le serveur ne répond pas.')).toBeVisible();
    expect(troubles.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
    expect(await count()).toBe(1);

    await publish.click();
    await expect(page.getByRole('status').filter({ hasText: 'C’était déjà fait' })).toContainText(
      'C’était déjà fait\u202f: rien n’a été fait en double.',
    );
    expect(await count()).toBe(1);
  });
}
