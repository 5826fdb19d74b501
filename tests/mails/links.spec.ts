import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  addStay,
  arrive,
  ask,
  DESKTOP,
  enterPortal,
  type OpenStay,
  PHONE,
  refused,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';

/* The link of a mail: a page with one button, and what staff see and do of it. */

let site: RunningSite;
let admin: string;
let sea: OpenStay;
test.beforeAll(async () => {
  site = await startSite('sqlite', {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Les colos <colos@example.org>',
  });
  admin = await site.signIn();
  sea = await addStay(site, admin, 'Cabanes et rivières');
});
test.afterAll(() => site?.stop());

/** Adds a child with this address and sends it the codes; returns the address of its link on this site. */
async function linkOf(address: string): Promise<string> {
  const child = { nom: 'Roy', prenom: address, mailRL: address, stageId: sea.id };
  expect((await ask(site, admin, 'POST /add-stagiaire', child)).status).toBe(201);
  const codes = { type: 'stagiaire', stageIds: [sea.id], objet: 'Codes', texte: '', seulement: 'non_recus' };
  const sent = await ask(site, admin, 'POST /stages/envoi-mots-de-passe', codes);
  const { id } = (await sent.json()) as { id: number };
  const { messages } = (await (await ask(site, admin, `GET /envois/${id}`)).json()) as {
    messages: { id: number; destinataire: string }[];
  };
  const message = messages.find(({ destinataire }) => destinataire === address);
  const shown = await ask(site, admin, `GET /envois/${id}/messages/${message?.id}`);
  const { texte } = (await shown.json()) as { texte: string };
  const [, secret] = /\/acces#([\w-]{43})/.exec(texte) ?? [];
  return `/acces#${secret}`;
}

const opening = (page: Page) => page.getByRole('button', { name: 'Ouvrir les photos' });

for (const { screen, options } of SCREENS) {
  test(`a link opens the photos in one press, and nothing by being followed, ${screen}`, async ({
    visit,
  }) => {
    const link = await linkOf(`parent-${options.viewport.width}@exemple.org`);
    const { page } = await visit(site, options);
    // As scanners of mails do.
    for (const method of ['GET', 'HEAD']) {
      const followed = await page.request.fetch(link, { method });
      expect([followed.status(), followed.headers()['set-cookie']]).toEqual([200, undefined]);
    }
    await arrive(page, link);
    await expect(opening(page)).toBeEnabled();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
    await expectNoViolation(page);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await opening(page).click();
    await expect(page).toHaveURL(`/stage-details/${sea.id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Cabanes et rivières' })).toBeVisible();
  });
}

test('staff see which address has opened its link, and cut it off', async ({ visit }) => {
  const link = await linkOf('autre@exemple.org');
  const family = await visit(site, PHONE);
  await arrive(family.page, link);
  await opening(family.page).click();
  await expect(family.page.getByRole('heading', { level: 1, name: 'Cabanes et rivières' })).toBeVisible();

  const { page } = await enterPortal(
    visit,
    site,
    DESKTOP,
    `/portail?panneau=sejours&sejour=${sea.id}&onglet=codes`,
  );
  const row = page.getByRole('listitem').filter({ hasText: 'autre@exemple.org' });
  await expect(row).toContainText('1\u00a0appareil en ce moment');
  await expectNoViolation(page);
  await row.getByRole('button', { name: /^Couper l’accès/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Couper' }).click();
  await expect(row).toContainText('Accès coupé le');
  await expect(family.page.getByRole('alert').getByText('Votre accès a été fermé')).toBeVisible();
  for (const trouble of family.troubles.splice(0))
    expect(trouble).toMatch(/status of 401|récupération des photos: .+Votre accès a été fermé/);
  await arrive(family.page, link);
  await opening(family.page).click();
  await expect(family.page.getByRole('alert').getByText('Votre accès a été fermé')).toBeVisible();
  // One that the page before asked for may come after it.
  const troubles = family.troubles.splice(0);
  expect(troubles).toContainEqual(refused(401));
  for (const trouble of troubles) expect(trouble).toMatch(/status of 401|Votre accès a été fermé/);
});
