import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, enterPortal, PHONE, refused, SCREENS, test } from '#tests/browser/visit.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/* A colleague is invited by mail, chooses a password behind the link, and is in the portal. */

const GOOD = 'girafe-boussole-71';

let receiver: Receiver;
let site: RunningSite;
test.beforeAll(async () => {
  receiver = await openReceiver();
  site = await startSite('sqlite', { SMTP_URL: receiver.url, MAIL_FROM: 'CSE <cse@example.org>' });
});
test.afterAll(async () => {
  await site?.stop();
  await receiver?.close();
});

/** The link that came to an address, on this site. */
async function linkTo(address: string): Promise<string> {
  const mail = () => receiver.received.findLast(({ to }) => to[0] === address)?.mail.text ?? '';
  await expect.poll(mail).toContain('/invitation#');
  const [link = ''] = /\/invitation#\S+/.exec(mail()) ?? [];
  return link;
}

const choosing = (page: Page) => page.getByLabel('Mot de passe', { exact: true });

for (const { screen, options } of SCREENS) {
  test(`somebody invited chooses a password and is in the portal, ${screen}`, async ({ visit }) => {
    const name = `Sophie.Moreau${options.viewport.width}`;
    const address = `${name}@example.org`.toLowerCase();
    const { page } = await enterPortal(visit, site, options, '/portail?panneau=administrateurs');
    const form = page.getByRole('region', { name: 'Inviter une personne' });
    await form.getByLabel('Nom', { exact: true }).fill(name.replace('.', ' '));
    await form.getByLabel('Adresse e-mail').fill(address);
    await form.getByRole('button', { name: 'Inviter' }).click();
    await expect(page.getByText(`Invitation envoyée à ${address}`)).toBeVisible();
    const row = page.getByRole('listitem').filter({ hasText: name });
    await expect(row).toContainText('Invitée, en attente');
    await expectNoViolation(page);

    const link = await linkTo(address);
    const { page: own, troubles } = await visit(site, options);
    // As scanners of mails do.
    for (const method of ['GET', 'HEAD']) {
      const followed = await own.request.fetch(link, { method });
      expect([followed.status(), followed.headers()['set-cookie']]).toEqual([200, undefined]);
    }
    await own.goto(link);
    await expect(own.getByLabel('Identifiant')).toHaveValue(name);
    await expect(choosing(own)).toBeFocused();
    expect(await own.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
    await expectNoViolation(own);
    await choosing(own).fill('trop court');
    await own.keyboard.press('Enter');
    await expect(choosing(own)).toHaveAccessibleDescription(/12 caractères au moins/);
    await expect.poll(() => troubles.splice(0)).toEqual([refused(422)]);
    await choosing(own).fill(GOOD);
    await own.keyboard.press('Enter');
    await expect(own).toHaveURL('/portail');
    await expect(own.getByRole('heading', { level: 1 })).toBeVisible();

    await page.reload();
    await expect(row).toContainText('dernière connexion le');
    await expect(row).not.toContainText('en attente');
  });
}

test('an invitation is sent again and withdrawn from its row, and its link says that it is over', async ({
  visit,
}) => {
  const { page } = await enterPortal(visit, site, PHONE, '/portail?panneau=administrateurs');
  const form = page.getByRole('region', { name: 'Inviter une personne' });
  await form.getByLabel('Nom', { exact: true }).fill('Lin Petit');
  await form.getByLabel('Adresse e-mail').fill('lin@example.org');
  await form.getByRole('button', { name: 'Inviter' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Lin.Petit' });
  await expect(row).toContainText('Invitée, en attente');
  const first = await linkTo('lin@example.org');
  await row.getByRole('button', { name: 'Renvoyer l’invitation' }).click();
  await expect(page.getByText('Nouvelle invitation envoyée à lin@example.org')).toBeVisible();
  await row.getByRole('button', { name: 'Retirer l’invitation de Lin.Petit' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByText('Invitation retirée')).toBeVisible();

  const { page: own, troubles } = await visit(site, PHONE);
  await arrive(own, first);
  await choosing(own).fill(GOOD);
  await own.keyboard.press('Enter');
  await expect(own.locator('#contenu').getByRole('alert')).toContainText('Ce lien n’ouvre plus rien');
  await expect.poll(() => troubles.splice(0)).toEqual([refused(401)]);
});
