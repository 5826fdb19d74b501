import { expect, type Page } from '@playwright/test';
import { UNATTENDED } from '#platform/shared/presence.ts';
import { expectNoViolation, violationsOf } from '#tests/browser/axe.ts';
import { ADMIN, openSite } from '#tests/browser/site.ts';
import {
  addStay,
  arrive,
  ask,
  DESKTOP,
  enterPortal,
  PHONE,
  refused,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';
import { codeOf } from '#tests/support/authenticator.ts';

/* Who works in the portal proves again who they are, before what a thief of an open session must not get. */

let now = Date.now();
let site: Awaited<ReturnType<typeof openSite>>;
test.beforeAll(async () => {
  site = await openSite(() => new Date(now));
  await addStay(site, await site.signIn(), 'Été à Oléron');
});
test.afterAll(() => site?.stop());

const PASSWORD = 'girafe-boussole-71';
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirmez que c’est vous' });
const password = (page: Page) => dialog(page).getByLabel('Mot de passe', { exact: true });
const pass = (minutes: number) => {
  now += minutes * 60_000;
};

for (const { screen, options } of SCREENS) {
  test(`an admin is added after eleven minutes, once a password was given, ${screen}`, async ({ visit }) => {
    const address = '/portail?panneau=administrateurs';
    const { page, troubles } = await enterPortal(visit, site, options, address);
    const form = page.getByRole('region', { name: 'Inviter une personne' });
    await form.getByLabel('de vive voix').check();
    const name = `Mathieu-${options.viewport.width}`;
    await form.getByLabel('Nom', { exact: true }).fill(name);
    await form.getByLabel('Premier mot de passe').fill(PASSWORD);
    const expectKept = async () => {
      await expect(form.getByLabel('Nom', { exact: true })).toHaveValue(name);
      await expect(form.getByLabel('Premier mot de passe')).toHaveValue(PASSWORD);
    };
    pass(11);
    await form.getByRole('button', { name: 'Ajouter' }).click();
    await expect(password(page)).toBeFocused();
    expect(troubles.splice(0)).toEqual([refused(403)]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
    await expectNoViolation(page);

    // Nothing is done, and nothing is lost, when one would rather not.
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByText('Rien n’a été fait')).toBeVisible();
    await expectKept();
    await form.getByRole('button', { name: 'Ajouter' }).click();
    await dialog(page).getByRole('button', { name: 'Annuler' }).click();
    await expect(dialog(page)).toBeHidden();
    await expectKept();
    expect(troubles.splice(0)).toEqual([refused(403)]);

    await form.getByRole('button', { name: 'Ajouter' }).click();
    await password(page).fill('pas-le-bon-du-tout');
    await page.keyboard.press('Enter');
    await expect(password(page)).toHaveAccessibleDescription(/Ce n’est pas votre mot de passe actuel\./);
    await expect(password(page)).toBeFocused();
    expect(troubles.splice(0)).toEqual([refused(403), refused(422)]);

    await page.context().setOffline(true);
    await password(page).fill(ADMIN.password);
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('alert')).toHaveText('Erreur de connexion au serveur.');
    await page.context().setOffline(false);
    troubles.length = 0;
    await password(page).press('Enter');
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByText('Administrateur ajouté avec succès')).toBeVisible();
    await expect(page.getByRole('button', { name: `Renommer ${name}` })).toBeVisible();
    await expect(form.getByLabel('Nom', { exact: true })).toHaveValue('');

    // For ten minutes nothing more is asked; then once, whatever is downloaded.
    pass(9);
    await page.goto('/portail?panneau=mots-de-passe');
    const button = page.getByRole('button', { name: /Télécharger/ });
    const download = page.waitForEvent('download');
    await button.click();
    expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
    pass(2);
    const second = page.waitForEvent('download');
    await button.click();
    await password(page).fill(ADMIN.password);
    await page.keyboard.press('Enter');
    expect((await second).suggestedFilename()).toMatch(/\.xlsx$/);
    await expect(dialog(page)).toBeHidden();
    expect(troubles.splice(0)).toEqual([refused(403)]);
  });
}

test('sign-ins on a lost device are ended where they are listed, of oneself and of a stay', async ({
  visit,
}) => {
  const { page } = await enterPortal(visit, site, PHONE, '/portail?panneau=compte');
  const other = await site.signIn();
  await page.reload();
  const own = page.getByRole('region', { name: 'Mes connexions' });
  await expect(own.getByRole('listitem').filter({ hasText: 'celle-ci' })).toHaveCount(1);
  const before = await own.getByRole('listitem').count();
  await own
    .getByRole('button', { name: /^Mettre fin à la connexion/ })
    .first()
    .click();
  await expect(own.getByRole('listitem')).toHaveCount(before - 1);
  expect((await ask(site, other, 'GET /session')).status).toBe(401);
  expect(await violationsOf(page)).toEqual([]);

  const devices = page.getByRole('region', { name: 'Mes appareils' });
  await expect(devices.getByRole('listitem').first()).toContainText('dernière connexion le');
  const known = await devices.getByRole('listitem').count();
  await devices
    .getByRole('button', { name: /^Oublier l’appareil/ })
    .first()
    .click();
  await expect(page.getByText('Appareil oublié.')).toBeVisible();
  await expect(devices.getByRole('listitem')).toHaveCount(known - 1);

  const stay = await addStay(site, await site.signIn(), 'Téléphone perdu');
  const body = { stageId: stay.id, password: stay.family };
  const opened = await ask(site, '', 'POST /auth/login', body);
  const { token } = (await opened.json()) as { token: string };
  await page.goto(`/portail?panneau=mots-de-passe&sejour=${stay.id}`);
  const ofStay = page.getByRole('region', { name: 'Connexions ouvertes' });
  await expect(ofStay.getByRole('listitem')).toHaveCount(1);
  expect(await violationsOf(page)).toEqual([]);
  await ofStay.getByRole('button', { name: /^Mettre fin à la connexion/ }).click();
  await expect(ofStay.getByText('Personne n’est connecté à ce séjour.')).toBeVisible();
  expect((await ask(site, token, 'GET /session')).status).toBe(401);
});

test('a portal left open on the photos of a stay is not used, until a person acts', async ({ visit }) => {
  const stay = await addStay(site, await site.signIn(), 'Portail laissé ouvert');
  const other = await site.signIn();
  const { page } = await visit(site, DESKTOP);
  await page.clock.install();
  pass(1);
  // By the form, as the stream of news asks for its cookie.
  await arrive(page, '/connexion-portail');
  await page.getByLabel('Identifiant').fill(ADMIN.username);
  await page.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/portail');
  const opened = new Date(now).toISOString();
  const news = (isAlone: boolean) =>
    page.waitForResponse(
      (answer) =>
        answer.url().includes('/photos/changements') && UNATTENDED in answer.request().headers() === isAlone,
    );
  // The photos are there once their stream is, which asks for the first news.
  const first = news(false);
  await page.goto(`/photos-modify/${stay.id}`);
  await first;
  const uses = async () => {
    const list = await (await ask(site, other, 'GET /admins/moi/connexions')).json();
    return list.find(({ created_at }: { created_at: string }) => created_at === opened).vu_le;
  };
  // The browser's clock, then the site's: within five minutes after the page was opened somebody is there.
  await page.clock.fastForward(6 * 60_000);
  pass(6);
  const alone = news(true);
  await page.clock.runFor(61_000);
  await alone;
  pass(1);
  const accompanied = news(false);
  await page.mouse.move(200, 200);
  await page.clock.runFor(61_000);
  await accompanied;
  // Had the page alone been taken for a person, that use would be noted, and not this one a minute later.
  await expect.poll(uses).toBe(new Date(now).toISOString());
});

test('an account that has a second factor gives its code as well', async ({ visit }) => {
  const { page, troubles } = await enterPortal(visit, site, PHONE, '/portail?panneau=mots-de-passe');
  const token = await page.evaluate(() => localStorage.getItem('adminToken') ?? '');
  const own = 'POST /admins/moi/second-facteur';
  const begun = await ask(site, token, own, { mot_de_passe: ADMIN.password });
  const { secret } = (await begun.json()) as { secret: string };
  const confirmed = await ask(site, token, `${own}/confirmation`, { code: codeOf(secret, new Date(now)) });
  expect(confirmed.status).toBe(200);
  pass(11);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /Télécharger/ }).click();
  await password(page).fill(ADMIN.password);
  await page.keyboard.press('Enter');
  const code = dialog(page).getByLabel('Code à 6 chiffres');
  await expect(code).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.viewport.width);
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('Ce code est incorrect, périmé ou déjà utilisé.');
  await code.fill(codeOf(secret, new Date(now)));
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
  await expect(dialog(page)).toBeHidden();
  expect(troubles.splice(0)).toEqual([refused(403), refused(422), refused(422)]);
});
