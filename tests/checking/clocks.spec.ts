import { expect, type Page } from '@playwright/test';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { frenchDay } from '#platform/shared/dates.ts';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { ADMIN, openSite } from '#tests/browser/site.ts';
import { DESKTOP, PHONE, refused, test } from '#tests/browser/visit.ts';
import { addPhotos } from '#tests/support/gallery.ts';

/* Photos of a camera whose clock was off: what those who check are asked, and what families read then. */

let site: Awaited<ReturnType<typeof openSite>>;
let last = 1;

test.beforeAll(async () => {
  site = await openSite();
});
test.afterAll(() => site?.stop());

/** Of the beginning: it stays the same day if midnight comes meanwhile. */
const today = dayAt(new Date(), 'Europe/Paris');
const dayFromNow = (days: number) => dayAfter(today, days);

/** « mercredi 8 juillet ». */
function dayText(days: number): string {
  const { weekday, day, month } = frenchDay(dayFromNow(days));
  return `${weekday} ${day} ${month}`;
}

/** A stay with three published photos of another year, and one of today by the same camera. */
async function addStay() {
  const n = ++last;
  const { database, secrets, clock } = site.services;
  const stay = { nom_stage: `Dune ${n}`, date_debut: dayFromNow(-9), date_fin: dayFromNow(5) };
  const passwords = { formateur: `DIRECTEUR${n}`, stagiaire: `FAMILLES${n}` };
  const stageId = await database.write((transaction) =>
    insertStay(transaction, secrets, stay, clock(), passwords),
  );
  const appareil = 'Canon EOS 90D #4f2a';
  await addPhotos(site.services, stageId, 3, (index) => ({
    ...{ jour: dayFromNow(0), appareil },
    prise_le: `2020-01-0${index + 1}T10:00:00.000Z`,
  }));
  const prise_le = `${dayFromNow(-1)}T10:00:00.000Z`;
  await addPhotos(site.services, stageId, 1, () => ({ jour: dayFromNow(-1), prise_le, appareil }));
  return { n, stageId };
}

async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await expectNoViolation(page);
}

const asked = (page: Page) => page.getByRole('region', { name: 'Des photos mal datées' });

test('a director says when one photo was taken, all of the camera move, and families read them by their days', async ({
  visit,
}) => {
  const { n, stageId } = await addStay();
  const { page, troubles } = await visit(site, PHONE);
  await page.goto(`/connexion?stageId=${stageId}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(`DIRECTEUR${n}`);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByText('Une chose à décider').click();
  await expect(asked(page)).toContainText(
    /3\sphotos de l’appareil Canon EOS 90D sont datées du\s1er au\s3 janvier 2020, hors du séjour/,
  );
  await expect(page.getByRole('button', { name: /^Agrandir/ })).toBeVisible();
  await expectSound(page);
  // Its photo of yesterday is right: it is not moved unless somebody says so.
  await expect(asked(page).getByRole('checkbox')).not.toBeChecked();
  const when = asked(page).getByLabel('Quand a été prise celle-ci', { exact: false });
  await when.fill(`${dayFromNow(3)}T09:00`);
  const correct = asked(page).getByRole('button', { name: /^Corriger les 3\sphotos$/ });
  await correct.click();
  await expect(asked(page)).toContainText('À cette heure, la photo était déjà choisie pour l’envoi.');
  expect(troubles.splice(0)).toEqual([refused(422)]);
  await when.fill(`${dayFromNow(-4)}T09:41`);
  await expect(asked(page)).toContainText(
    `Elles seront datées du ${dayText(-4)} à\u00a09\u00a0h\u00a041 au ${dayText(-2)} à\u00a09\u00a0h\u00a041.`,
  );
  await correct.click();
  await expect(page.getByText('Date corrigée pour 3 photos')).toBeVisible();
  await expect(asked(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Les photos du séjour' })).toBeFocused();

  const { page: families } = await visit(site, PHONE);
  await families.goto(`/connexion?stageId=${stageId}`);
  await families.getByLabel('Mot de passe', { exact: true }).fill(`FAMILLES${n}`);
  await families.getByRole('button', { name: 'Se connecter' }).click();
  for (const days of [-1, -2, -3, -4]) {
    const heading = families.getByRole('heading', {
      name: new RegExp(dayText(days), 'i'),
    });
    await expect(heading).toHaveCount(1);
  }

  await page.getByText('Dates d’appareils réglées (1)').click();
  await expectSound(page);
  await page.getByRole('button', { name: 'Annuler la réponse sur Canon EOS 90D' }).click();
  await expect(page.getByText('Date de l’appareil rétablie pour 3 photos')).toBeVisible();
  await expect(asked(page)).toBeVisible();
});

test('whoever checks photos is asked about wrong dates there, before families see them', async ({
  visit,
}) => {
  const { n, stageId } = await addStay();
  await addPhotos(site.services, stageId, 1, () => ({
    ...{ statut: 'a_verifier', jour: dayFromNow(0), appareil: 'Canon EOS 90D #4f2a' },
    prise_le: '2020-01-04T10:00:00.000Z',
  }));
  const { page } = await visit(site, PHONE);
  await page.goto(`/connexion?stageId=${stageId}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(`DIRECTEUR${n}`);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByRole('button', { name: /^Vérifier/ }).click();
  const screen = page.getByRole('dialog', { name: 'Vérifier les photos' });
  const question = screen.getByRole('region', { name: 'Des photos mal datées' });
  await expect(question).toContainText(/4\sphotos .* hors du séjour/);
  await expectSound(page);
  await question.getByRole('button', { name: 'Laisser comme elles sont' }).click();
  await expect(question).toHaveCount(0);
  await expect(screen.locator('[data-first-focus]').first()).toBeFocused();
  await expect(screen.getByRole('button', { name: /^Publier/ })).toBeVisible();
});

test('staff leave photos of another year as they are, and take that back from the notice', async ({
  visit,
}) => {
  const { stageId } = await addStay();
  const { page } = await visit(site, DESKTOP);
  const signedIn = await page.request.post('/api/api/loginAdmin', { data: ADMIN });
  const { tokenAdmin } = (await signedIn.json()) as { tokenAdmin: string };
  await page.addInitScript((value) => localStorage.setItem('adminToken', value), tokenAdmin);
  await page.goto(`/photos-modify/${stageId}`);
  await asked(page).getByRole('button', { name: 'Laisser comme elles sont' }).click();
  await expect(page.getByText('Dates laissées')).toBeVisible();
  await expect(asked(page)).toHaveCount(0);
  await expect(page.getByText('Dates d’appareils réglées (1)')).toBeVisible();
  await page.getByRole('button', { name: 'Annuler', exact: true }).click();
  await expect(asked(page)).toBeVisible();
  await expectSound(page);
});
