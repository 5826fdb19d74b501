import { expect, type Page } from '@playwright/test';
import { expectFine } from '#tests/browser/axe.ts';
import { ADMIN, openSite } from '#tests/browser/site.ts';
import { arrive, PHONE, refused, SCREENS, test } from '#tests/browser/visit.ts';

/* Passkeys in a browser whose device has a finger print reader, so to speak: Chromium plays it. */

let now = Date.now();
let site: Awaited<ReturnType<typeof openSite>>;
test.beforeAll(async () => {
  site = await openSite(() => new Date(now));
});
test.afterAll(() => site?.stop());

const ACCOUNT = '/portail?panneau=compte';
const keys = (page: Page) => page.getByRole('region', { name: 'Mes clés d’accès' });
const useKey = (page: Page) => page.getByRole('button', { name: 'Utiliser ma clé d’accès' });

/** Gives a tab a device that knows its owner; returns what makes it refuse, or agree again. */
async function addDevice(page: Page): Promise<(isVerified: boolean) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async (isUserVerified) => {
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  };
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('adminToken'));
  await arrive(page, '/connexion-portail');
}

for (const { screen, options } of SCREENS) {
  test(`an admin adds a passkey, signs in with it, proves who they are and takes it away, ${screen}`, async ({
    visit,
  }) => {
    const { page, troubles } = await visit(site, { ...options, reducedMotion: 'reduce' });
    const { width } = options.viewport;
    const verify = await addDevice(page);
    await arrive(page, '/connexion-portail');
    await page.getByLabel('Identifiant').fill(ADMIN.username);
    await page.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/portail');
    await page.goto(ACCOUNT);

    const name = keys(page).getByLabel('Nom de la clé');
    const add = keys(page).getByRole('button', { name: 'Ajouter une clé d’accès' });
    await add.click();
    await expect(name).toHaveAccessibleDescription(/Donnez-lui un nom, pour la reconnaître\./);
    await name.fill('Ordinateur du bureau');
    await verify(false);
    await add.click();
    await expect(add).toBeEnabled();
    await expect(keys(page).getByRole('listitem')).toHaveCount(0);
    await verify(true);
    await expect(add).toHaveText('Ajouter une clé d’accès');
    await add.click();
    const codes = page.getByRole('region', { name: 'Notez vos dix codes de secours' });
    await expect(codes.getByRole('listitem')).toHaveCount(10);
    await codes.getByRole('button', { name: 'C’est noté' }).click();
    await expect(keys(page).getByText('jamais utilisée')).toBeVisible();
    await expectFine(page, width);
    await name.fill('La même');
    await add.click();
    await expect(page.getByText('Cet appareil a déjà une clé d’accès à ce compte.')).toBeVisible();

    await signOut(page);
    await expectFine(page, width);
    now += 1000;
    await useKey(page).click();
    await expect(page).toHaveURL('/portail');
    await expect(page.getByRole('heading', { name: 'À voir', exact: true })).toBeVisible();

    // The password alone is not enough any more.
    await signOut(page);
    await page.getByLabel('Identifiant').fill(ADMIN.username);
    await page.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Code de secours')).toBeFocused();
    await expectFine(page, width);
    await page.getByRole('button', { name: 'Recommencer' }).click();
    expect(troubles.splice(0)).toEqual([refused(401)]);
    now += 1000;
    await useKey(page).click();
    await expect(page).toHaveURL('/portail');
    await expect(page.getByRole('heading', { name: 'À voir', exact: true })).toBeVisible();

    await page.goto(ACCOUNT);
    now += 11 * 60_000;
    await keys(page)
      .getByRole('button', { name: /^Supprimer/ })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirmez que c’est vous' });
    await expect(proof.getByRole('button', { name: 'Utiliser ma clé d’accès' })).toBeVisible();
    await expectFine(page, width);
    await proof.getByRole('button', { name: 'Utiliser ma clé d’accès' }).click();
    await expect(proof).toBeHidden();
    await expect(keys(page).getByRole('listitem')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Mes codes de secours' })).toBeHidden();
    expect(troubles.splice(0)).toEqual([refused(403)]);

    await signOut(page);
    now += 1000;
    await useKey(page).click();
    await expect(
      page.getByRole('main').getByRole('alert').filter({ hasText: 'n’ouvre aucun compte' }),
    ).toBeVisible();
    expect(troubles.splice(0)).toEqual([refused(401)]);
  });
}

test('where a second factor is compulsory, the portal says until when, and what is missing afterwards', async ({
  visit,
}) => {
  const token = await site.signIn();
  const put = await fetch(`${site.url}/api/api/reglages`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ second_facteur: 'obligatoire' }),
  });
  expect(put.status).toBe(200);
  const { page } = await visit(site, { ...PHONE, reducedMotion: 'reduce' });
  await addDevice(page);
  await arrive(page, '/connexion-portail');
  await page.getByLabel('Identifiant').fill(ADMIN.username);
  await page.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^D’ici le .* mettez en place une clé d’accès/)).toBeVisible();
  // The notice is there before the panel under it.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectFine(page, 360);
  now += 7 * 24 * 60 * 60_000;
  await signOut(page);
  await page.getByLabel('Identifiant').fill(ADMIN.username);
  await page.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Votre compte attend une clé d’accès/)).toBeVisible();
  await page.getByRole('link', { name: 'Ouvrir « Mon compte »' }).click();
  await keys(page).getByLabel('Nom de la clé').fill('Téléphone');
  await keys(page).getByRole('button', { name: 'Ajouter une clé d’accès' }).click();
  await page.getByRole('button', { name: 'C’est noté' }).click();
  await expect(page.getByText('Votre compte attend')).toBeHidden();
  await page.goto('/portail?panneau=administrateurs');
  await expect(page.getByRole('heading', { name: 'Administrateurs', exact: true })).toBeVisible();
});
