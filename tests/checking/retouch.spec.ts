import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test';
import type { PhotoState } from '#features/photos/shared/states.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { ADMIN, openSite } from '#tests/browser/site.ts';
import { ask, boxOf, DESKTOP, type OpenVisit, PHONE, refused, test } from '#tests/browser/visit.ts';
import { addPhotos } from '#tests/support/gallery.ts';

/* Photos turned and zones drawn to be blurred, as directors and staff do. */

let site: Awaited<ReturnType<typeof openSite>>;
let last = 1;
test.beforeAll(async () => {
  site = await openSite();
});
test.afterAll(() => site?.stop());

const dayFromNow = (days: number) => dayAfter(dayAt(new Date(), 'Europe/Paris'), days);

/** A stay with one photo, 1920 × 1440. */
async function addStay(statut: PhotoState) {
  const n = ++last;
  const { database, secrets, clock } = site.services;
  const stay = { nom_stage: `Séjour ${n}`, date_debut: dayFromNow(-9), date_fin: dayFromNow(5) };
  const passwords = { formateur: `DIRECTEUR${n}`, stagiaire: `FAMILLES${n}` };
  const stageId = await database.write((transaction) =>
    insertStay(transaction, secrets, stay, clock(), passwords),
  );
  const [id = 0] = await addPhotos(site.services, stageId, 1, () => ({ statut, jour: dayFromNow(0) }));
  return { n, stageId, id };
}

async function rowOf(id: number) {
  const { db } = site.services.database;
  return db.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
const zonesOf = async (id: number) => JSON.parse((await rowOf(id)).retouche || '{"zones":[]}').zones;

async function enterChecking(visit: OpenVisit, options: BrowserContextOptions, n: number, stageId: number) {
  const visited = await visit(site, options);
  const { page } = visited;
  await page.goto(`/connexion?stageId=${stageId}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(`DIRECTEUR${n}`);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByRole('button', { name: 'Vérifier 1 photo' }).click();
  await page.getByRole('button', { name: 'Une par une', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Publier', exact: true })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  );
  return visited;
}

async function openAsStaff(visit: OpenVisit, options: BrowserContextOptions, stageId: number) {
  const visited = await visit(site, options);
  const { page } = visited;
  const signedIn = await page.request.post('/api/api/loginAdmin', { data: ADMIN });
  const { tokenAdmin } = (await signedIn.json()) as { tokenAdmin: string };
  await page.addInitScript((value) => localStorage.setItem('adminToken', value), tokenAdmin);
  await page.goto(`/photos-modify/${stageId}`);
  await page.getByRole('button', { name: /^Photo du .*, (publiée|vue)/i }).click();
  return visited;
}

const editorOf = (page: Page) => page.getByRole('dialog', { name: 'Flouter des zones' });
const zonesIn = (editor: Locator) => editor.getByRole('button', { name: /^Zone \d/ });

async function expectSound(page: Page): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  for (const wide of [320, width]) {
    await page.setViewportSize({ width: wide, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  }
  await expectNoViolation(page);
}

test('a director turns a photo that is checked, and blurs zones of it by mouse and keys', async ({
  visit,
}) => {
  const { n, stageId, id } = await addStay('a_verifier');
  const { page } = await enterChecking(visit, DESKTOP, n, stageId);
  const screen = page.getByRole('dialog', { name: 'Une par une' });
  await screen.getByRole('button', { name: 'Tourner à droite' }).click();
  await expect(screen.getByText('Photo tournée')).toBeVisible();
  expect(await rowOf(id)).toMatchObject({ largeur: 1440, hauteur: 1920, statut: 'a_verifier' });
  const shown = screen.getByRole('img', { name: 'Photo du' });
  await expect
    .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalHeight > image.naturalWidth))
    .toBe(true);
  await expectSound(page);
  await screen.getByRole('button', { name: 'Tourner à gauche' }).click();
  await expect.poll(async () => (await rowOf(id)).largeur).toBe(1920);

  await screen.getByRole('button', { name: 'Flouter une zone' }).click();
  const editor = editorOf(page);
  const picture = editor.getByRole('img');
  await expect(picture).toBeVisible();
  const { x, y, width, height } = await boxOf(picture);
  await page.mouse.move(x + width * 0.1, y + height * 0.2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.2, y + height * 0.3);
  await page.mouse.move(x + width * 0.3, y + height * 0.5);
  await page.mouse.up();
  const [first] = [zonesIn(editor).first()];
  await expect(first).toHaveAccessibleName(
    /à 10.% de la gauche et 20.% du haut, large de 20.%, haute de 30.%/,
  );
  await expect(first).toBeFocused();
  // Moved by its middle, enlarged by its corner, then both by keys.
  await page.mouse.move(x + width * 0.2, y + height * 0.35);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.3, y + height * 0.35);
  await page.mouse.up();
  await expect(first).toHaveAccessibleName(/à 20.% de la gauche et 20.% du haut, large de 20.%/);
  await page.mouse.move(x + width * 0.4, y + height * 0.5);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.5, y + height * 0.6);
  await page.mouse.up();
  await expect(first).toHaveAccessibleName(/large de 30.%, haute de 40.%/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(first).toHaveAccessibleName(
    /à 22.% de la gauche et 18.% du haut, large de 28.%, haute de 40.%/,
  );
  await editor.getByRole('button', { name: 'Nouvelle zone' }).press('Enter');
  await expect(zonesIn(editor)).toHaveCount(2);
  await expectSound(page);
  await expect(zonesIn(editor).last()).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(zonesIn(editor)).toHaveCount(1);
  await expect(editor.getByRole('button', { name: 'Nouvelle zone' })).toBeFocused();

  // Escape leaves the editor alone, and nothing has changed.
  await page.keyboard.press('Escape');
  await expect(editor).toHaveCount(0);
  expect(await zonesOf(id)).toEqual([]);
  await screen.getByRole('button', { name: 'Flouter une zone' }).click();
  await editor.getByRole('button', { name: 'Nouvelle zone' }).click();
  await editor.getByRole('button', { name: 'Flouter', exact: true }).click();
  const asked = page.getByRole('alertdialog', { name: 'Flouter cette zone' });
  await expect(asked).toContainText('L’équipe du CSE seule peut l’annuler, pendant 14 jours');
  await asked.getByRole('button', { name: 'Annuler' }).click();
  await editor.getByRole('button', { name: 'Flouter', exact: true }).click();
  await expectSound(page);
  await asked.getByRole('button', { name: 'Flouter', exact: true }).click();
  await expect(screen.getByText('Zone floutée')).toBeVisible();
  await expect(editor).toHaveCount(0);
  expect(await zonesOf(id)).toHaveLength(1);
  await expectSound(page);
  // None of those keys was a decision.
  expect(await rowOf(id)).toMatchObject({ statut: 'a_verifier' });
});

test('staff blur a published photo with a finger, which scrolls nothing meanwhile', async ({ visit }) => {
  const { n, stageId, id } = await addStay('publiee');
  const { page, troubles } = await openAsStaff(visit, PHONE, stageId);
  const view = page.getByRole('dialog', { name: 'Photo 1 sur 1' });
  await view.getByRole('button', { name: 'Flouter une zone' }).scrollIntoViewIfNeeded();
  await expectSound(page);
  await view.getByRole('button', { name: 'Flouter une zone' }).tap();
  const editor = editorOf(page);
  const picture = editor.getByRole('img');
  await expect(picture).toBeVisible();
  const { x, y, width, height } = await boxOf(picture);
  // A touch is enough for a face.
  await page.touchscreen.tap(x + width * 0.25, y + height * 0.5);
  await expect(zonesIn(editor)).toHaveCount(1);
  const corner = await boxOf(editor.locator('[data-corner]'));
  expect(Math.min(corner.width, corner.height)).toBeGreaterThanOrEqual(44);
  const touch = await page.context().newCDPSession(page);
  const at = (fx: number, fy: number) => [{ x: x + width * fx, y: y + height * fy }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0.6, 0.2) });
  for (const to of [0.3, 0.5, 0.6])
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: at(0.6 + to / 2, 0.2 + to),
    });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(zonesIn(editor)).toHaveCount(2);
  await expect(zonesIn(editor).last()).toHaveAccessibleName(
    /à 60.% de la gauche et 20.% du haut, large de 30.%, haute de 60.%/,
  );
  expect(await boxOf(picture)).toEqual({ x, y, width, height });
  await expectSound(page);

  // Turned by somebody else meanwhile: refused once, looked at, and done.
  const { nom } = await rowOf(id);
  const body = { fichier: `${nom}_320.webp`, quarts: 2 };
  expect((await ask(site, await site.signIn(), `POST /photos/${id}/retouche`, body)).status).toBe(200);
  await expect(picture).not.toHaveAttribute('src', new RegExp(String(nom)));
  const blur = async () => {
    await editor.getByRole('button', { name: 'Flouter', exact: true }).tap();
    const asked = page.getByRole('alertdialog', { name: 'Flouter ces 2 zones' });
    await expect(asked).toContainText('La page des familles change aussitôt');
    await asked.getByRole('button', { name: 'Flouter', exact: true }).tap();
  };
  await blur();
  await expect(editor.getByText('Cette photo vient de changer')).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(409)]);
  await expectSound(page);
  expect(await zonesOf(id)).toEqual([]);
  await blur();
  await expect(view.getByText('2 zones floutées')).toBeVisible();
  expect(await zonesOf(id)).toHaveLength(2);
  expect(await rowOf(id)).toMatchObject({ statut: 'publiee' });
  await expectSound(page);

  const { token } = (await (
    await ask(site, '', 'POST /auth/login', { stageId, password: `FAMILLES${n}` })
  ).json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const open = async (name: string) => (await fetch(`${site.url}/api/photos/${name}`, { headers })).status;
  expect(await open(`${(await rowOf(id)).nom}_1920.webp`)).toBe(200);
  expect(await open(`${nom}_1920.webp`)).toBe(404);
});

test('staff see what a director blurred, as it was, and give it back or keep it blurred', async ({
  visit,
}) => {
  const { n, stageId, id } = await addStay('publiee');
  const { database } = site.services;
  const signedIn = await ask(site, '', 'POST /auth/login', { stageId, password: `DIRECTEUR${n}` });
  const { token: director } = (await signedIn.json()) as { token: string };
  const blur = async () => {
    const body = { fichier: `${(await rowOf(id)).nom}_320.webp`, zones: [{ x: 0, y: 0, l: 1, h: 1 }] };
    expect((await ask(site, director, `POST /photos/${id}/retouche`, body)).status).toBe(200);
  };
  await blur();
  // As beyond the limits.
  await database.write((transaction) =>
    transaction.updateTable('photos_avant').set({ effacement_le: null }).execute(),
  );
  const { page } = await openAsStaff(visit, PHONE, stageId);
  const view = page.getByRole('dialog', { name: 'Photo 1 sur 1' });
  const before = view.getByText(/^Floutée le .* par la direction du séjour\./);
  await expect(before).toContainText('attend votre réponse');
  await before.scrollIntoViewIfNeeded();
  await view.getByRole('button', { name: 'Voir avant' }).tap();
  const picture = view.getByRole('img', { name: ', avant' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1920);
  await expectSound(page);
  await view.getByRole('button', { name: 'Garder floutée' }).tap();
  const asked = page.getByRole('alertdialog');
  await expect(asked).toContainText('La photo d’avant sera effacée dans 14 jours.');
  await expectSound(page);
  await asked.getByRole('button', { name: 'Garder floutée' }).tap();
  await expect(view.getByText('1 photo reste floutée')).toBeVisible();
  await expect(before).toContainText('La photo d’avant reste jusqu’au');
  await expect(view.getByRole('button', { name: 'Garder floutée' })).toHaveCount(0);
  await view.getByRole('button', { name: 'Annuler le floutage' }).tap();
  await expect(asked).toContainText('La photo est montrée comme avant, aux familles aussi.');
  await asked.getByRole('button', { name: 'Annuler le floutage' }).tap();
  await expect(view.getByText('Floutage annulé')).toBeVisible();
  await expect(before).toHaveCount(0);
  expect(await rowOf(id)).toMatchObject({ statut: 'publiee', retouche: '' });
  await expectSound(page);

  // Those that were blurred are found by it.
  await blur();
  await page.reload();
  await page.getByRole('button', { name: 'Floutées (1)' }).tap();
  await expectSound(page);
});
