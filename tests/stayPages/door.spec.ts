import { expect, type Locator, type Page } from '@playwright/test';
import { dayAt } from '#platform/shared/time.ts';
import { expectNoViolation } from '#tests/browser/axe.ts';
import { openSite } from '#tests/browser/site.ts';
import { addStay, arrive, ask, type OpenStay, PHONE, refused, SCREENS, test } from '#tests/browser/visit.ts';
import { addPhotos } from '#tests/support/gallery.ts';

/* Getting in, looking at a photo and getting out, as grandparents do: large targets, large texts, plain words. */

let site: Awaited<ReturnType<typeof openSite>>;
let admin: string;
let stay: OpenStay & { photos: number[] };

test.beforeAll(async () => {
  site = await openSite();
  admin = await site.signIn();
});
test.afterAll(() => site?.stop());

let stays = 0;

test.beforeEach(async () => {
  stays += 1;
  const made = await addStay(site, admin, `Étoile ${stays}`);
  const jour = dayAt(new Date(), 'Europe/Paris');
  stay = { ...made, photos: await addPhotos(site.services, made.id, 6, () => ({ jour })) };
});

const larger = (page: Page) => page.getByRole('button', { name: 'Textes plus grands' });
const lightbox = (page: Page) => page.getByRole('dialog', { name: 'Photos en grand' });
const tile = (page: Page, id: number | undefined) => page.locator(`[data-photo="${id}"]`);

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Mot de passe', { exact: true }).fill(stay.family);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(tile(page, stay.photos[0])).toBeVisible();
}

async function enter(page: Page): Promise<void> {
  await arrive(page, `/connexion?stageId=${stay.id}`);
  await signIn(page);
}

async function enterAsDirector(page: Page): Promise<void> {
  await arrive(page, `/connexion?stageId=${stay.id}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill(stay.director);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('button', { name: 'Choisir des photos' })).toBeVisible();
}

/** Nothing overflows, and axe finds nothing, by day and by night. */
async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await expectNoViolation(page);
}

/**
 * Links and buttons lower or narrower than 44 px, but links within a running text, fields with a label to press, and
 * thumbnails, which are as narrow as their photos.
 */
function tooSmall(within: Locator): Promise<string[]> {
  return within.evaluate((root) =>
    [
      ...root.querySelectorAll<HTMLElement>('a[href], button, select, summary, input:not([type=hidden])'),
    ].flatMap((element) => {
      const target = element.matches('[type=radio], [type=checkbox]')
        ? (element.closest('label') ?? element)
        : element;
      const { width, height } = target.getBoundingClientRect();
      const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      const isOffScreen = element.matches('.skip-link, .sr-only');
      const isThumbnail = element.matches('[data-photo]');
      const isInText =
        element.matches('a') &&
        getComputedStyle(element).display === 'inline' &&
        element.parentElement?.textContent !== element.textContent;
      // A pseudo-element may cover a whole card, which can thus be pressed.
      const covers = getComputedStyle(element, '::after').position === 'absolute';
      if (!isSeen || isOffScreen || isThumbnail || isInText || covers || width === 0) return [];
      const isLarge = Math.round(width) >= 44 && Math.round(height) >= 44;
      return isLarge ? [] : [`${element.outerHTML.slice(0, 120)} ${width} × ${height}`];
    }),
  );
}

test('every target of the sign-in, of a stay and of its photos is large enough for a thumb', async ({
  visit,
}) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, `/connexion?stageId=${stay.id}`);
  await page.getByRole('button', { name: 'Mot de passe perdu' }).click();
  // Passwords are typed from paper: what is typed is seen.
  await expect(page.getByLabel('Mot de passe', { exact: true })).toHaveAttribute('type', 'text');
  expect(await tooSmall(page.locator('body'))).toEqual([]);
  await signIn(page);
  expect(await tooSmall(page.locator('body'))).toEqual([]);
  await page.getByRole('button', { name: 'Choisir', exact: true }).click();
  await tile(page, stay.photos[0]).click();
  expect(await tooSmall(page.locator('body'))).toEqual([]);
  await page.getByRole('button', { name: 'Terminer' }).click();
  await tile(page, stay.photos[1]).click();
  await expect(lightbox(page)).toContainText('5 sur 6');
  expect(await tooSmall(lightbox(page))).toEqual([]);
  await page.goto('/mes-sejours');
  await expect(tile(page, stay.photos[0])).toBeVisible();
  expect(await tooSmall(page.locator('body'))).toEqual([]);
});

test('every target of the page of a stay’s directors is large enough for a thumb, checking and album included', async ({
  visit,
}) => {
  await addPhotos(site.services, stay.id, 2, () => ({ statut: 'a_verifier' }));
  await addPhotos(site.services, stay.id, 1, () => ({ statut: 'refusee' }));
  const { page } = await visit(site, PHONE);
  await enterAsDirector(page);
  await page.getByRole('button', { name: 'Toutes les photos (9)' }).click();
  await expect(tile(page, stay.photos[0])).toBeVisible();
  expect(await tooSmall(page.getByRole('dialog'))).toEqual([]);
  await page.getByRole('button', { name: 'Photo du' }).first().click();
  await expect(page.getByLabel('Légende')).toBeVisible();
  expect(await tooSmall(page.getByRole('dialog').last())).toEqual([]);
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await tooSmall(page.locator('body'))).toEqual([]);
  await page.getByRole('button', { name: /^Vérifier 2/ }).click();
  await expect(page.getByRole('button', { name: /^Publier les 2\sphotos du/ })).toBeVisible();
  expect(await tooSmall(page.getByRole('dialog'))).toEqual([]);
});

for (const { screen, options } of SCREENS) {
  test(`a large text size holds from the sign-in on, and gives a photo's buttons words, ${screen}`, async ({
    visit,
  }) => {
    const { page } = await visit(site, options);
    await arrive(page, `/connexion?stageId=${stay.id}`);
    const size = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    const normal = await size();
    await larger(page).click();
    await larger(page).click();
    expect(Number.parseFloat(await size())).toBeGreaterThan(Number.parseFloat(normal) * 1.3);
    await expectSound(page);
    const large = await size();
    await signIn(page);
    expect(await size()).toBe(large);
    await tile(page, stay.photos[1]).click();
    await expect(lightbox(page)).toContainText('5 sur 6');
    const words = ['Diaporama', 'Agrandir', 'Réduire', 'Fermer', 'Précédente', 'Suivante'];
    for (const word of [...words, 'Favori', 'Enregistrer', 'Demander le retrait'])
      await expect(lightbox(page).getByText(word, { exact: true }), word).toBeInViewport({ ratio: 1 });
    const boxes = await lightbox(page)
      .locator('button, .photo-lightbox-bar p')
      .evaluateAll((all) =>
        all.flatMap((element) => {
          const { left, top, right, bottom, width } = element.getBoundingClientRect();
          const isCut = element.scrollWidth > element.clientWidth + 1;
          return width > 0 ? [{ name: element.textContent, left, top, right, bottom, isCut }] : [];
        }),
      );
    expect(boxes.filter(({ isCut }) => isCut)).toEqual([]);
    for (const one of boxes)
      for (const other of boxes.slice(boxes.indexOf(one) + 1)) {
        const isApart =
          one.right <= other.left + 1 ||
          other.right <= one.left + 1 ||
          one.bottom <= other.top + 1 ||
          other.bottom <= one.top + 1;
        expect(isApart, `${one.name} and ${other.name}`).toBe(true);
      }
    await expectSound(page);
    await page.evaluate(() => localStorage.setItem('taille-des-textes', 'normale'));
    await page.reload();
    await expect(lightbox(page).getByRole('button', { name: 'Fermer' })).toBeVisible();
    await expect(lightbox(page).getByText('Diaporama', { exact: true })).toBeHidden();
  });

  test(`who signs out is told what stays on the device, ${screen}`, async ({ visit }) => {
    const { page, troubles } = await visit(site, options);
    await enter(page);
    await tile(page, stay.photos[1]).click();
    await lightbox(page).getByRole('button', { name: 'Favori' }).click();
    await page.goBack();
    await page.getByRole('button', { name: 'Se déconnecter', exact: true }).click();
    await expect(page).toHaveURL('/deconnexion');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vous êtes déconnecté');
    await expect(page.getByText('plus personne ne voit les photos sans le mot de passe')).toBeVisible();
    await expect(page.getByText('Le numéro de la photo que vous avez mise en favori')).toBeVisible();
    await expect(page.getByText('Rien\u202f: ni photo, ni texte.')).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    expect(await tooSmall(page.locator('body'))).toEqual([]);
    await expectSound(page);
    await expect(page.getByRole('main').getByRole('link', { name: 'Aller à l’accueil' })).toHaveAttribute(
      'href',
      '/',
    );
    // The same page once nothing is left.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(page.getByText('Rien\u202f: ni photo, ni texte.')).toBeVisible();
    await page.getByRole('link', { name: 'Se connecter de nouveau' }).click();
    await expect(page).toHaveURL('/connexion');

    // Ended by the server, in the same words.
    await enter(page);
    const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
    await ask(site, token, 'POST /auth/logout');
    await page.reload();
    await expect(page).toHaveURL(`/connexion?stageId=${stay.id}`);
    await expect(
      page.getByRole('alert').getByText('plus personne ne voit les photos sans le mot de passe'),
    ).toBeVisible();
    troubles.splice(0);
  });

  test(`a family reads what was decided on its request, until it has read it, ${screen}`, async ({
    visit,
  }) => {
    const { page } = await visit(site, options);
    await enter(page);
    const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
    const [kept, gone, hidden] = stay.photos;
    for (const id of [kept, gone, hidden])
      expect((await ask(site, token, `POST /photos/${id}/retrait`, { mot: 'Ma fille.' })).status).toBe(200);
    await ask(site, admin, `POST /stages/${stay.id}/attestation`);
    const decide = (id: number | undefined, change: object) =>
      ask(site, admin, `PATCH /photos/${id}`, change);
    expect((await decide(kept, { statut: 'publiee' })).status).toBe(409);
    const reponse = 'On n’y reconnaît personne.';
    await decide(kept, { statut: 'publiee', malgre_demandes: true, reponse });
    await decide(gone, { statut: 'refusee', motif: 'Pour nous seuls' });
    const director = (await visit(site, options)).page;
    await enterAsDirector(director);
    // Behind one line on a phone.
    if (options.viewport.width < 640) await director.getByText('Une chose à décider').click();
    await director.getByRole('button', { name: 'Garder cachée' }).click();
    const question = director.getByRole('alertdialog', { name: 'Garder cette photo cachée' });
    await expectSound(director);
    await question.getByLabel('Votre réponse à la famille').fill('Merci de nous l’avoir dit.');
    await question.getByRole('button', { name: 'Garder cachée' }).click();
    await expect(director.getByText('demande de retrait à décider')).toHaveCount(0);
    await page.reload();
    const answers = page.getByRole('region', { name: 'Les réponses à vos demandes' });
    await expect(answers.getByRole('listitem')).toHaveText([
      /^Votre demande de retrait du .+ la photo a été retirée\..*Merci de nous l’avoir dit\./,
      /^Votre demande de retrait du .+ la photo a été retirée\.$/,
      /^Votre demande de retrait du .+ l’équipe a choisi de garder la photo.*On n’y reconnaît personne\./,
    ]);
    await expect(page.getByText('Pour nous seuls')).toHaveCount(0);
    await expect(tile(page, gone)).toHaveCount(0);
    await expectSound(page);
    await answers.getByRole('button', { name: 'J’ai lu' }).click();
    await expect(answers).toHaveCount(0);
    await page.reload();
    await expect(tile(page, kept)).toBeVisible();
    await expect(answers).toHaveCount(0);
  });
}

test('every download says that the photos are not to be published', async ({ visit }) => {
  const { page } = await visit(site, PHONE);
  await enter(page);
  const told = page.getByText('Ces photos montrent d’autres enfants\u202f: ne les publiez pas.');
  const downloaded = async (press: () => Promise<void>) => {
    const downloading = page.waitForEvent('download');
    await press();
    await (await downloading).cancel();
    await expect(told).toBeVisible();
  };
  // Of a day.
  await downloaded(() => page.getByRole('link', { name: /^Télécharger 6\s?photos du / }).click());
  await page.getByRole('button', { name: 'Fermer le message' }).click();
  await expect(told).toHaveCount(0);
  // Of all.
  await page.getByRole('button', { name: 'Télécharger', exact: true }).click();
  await downloaded(() => page.getByRole('link', { name: 'Tout télécharger' }).click());
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();
  // Of several.
  await page.getByRole('button', { name: 'Choisir', exact: true }).click();
  await tile(page, stay.photos[0]).click();
  await downloaded(() => page.getByRole('button', { name: 'Télécharger (1)' }).click());
  await page.getByRole('button', { name: 'Terminer' }).click();
  // Of one.
  await tile(page, stay.photos[1]).click();
  await downloaded(() => lightbox(page).getByRole('button', { name: 'Enregistrer' }).click());
});

test('who publishes first where no child is listed confirms that no refusal can be shown', async ({
  visit,
}) => {
  await addPhotos(site.services, stay.id, 2, () => ({ statut: 'a_verifier' }));
  const { page, troubles } = await visit(site, PHONE);
  await enterAsDirector(page);
  await page.getByRole('button', { name: /^Vérifier 2/ }).click();
  await page.getByRole('button', { name: /^Publier les 2\sphotos du/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Première publication de ce séjour' });
  await expect(dialog.getByText('aucun refus de famille ne peut vous être montré')).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Confirmer et publier' });
  await dialog.getByRole('checkbox', { name: 'Je confirme que les autorisations' }).check();
  await confirm.click({ force: true });
  await expect(dialog.getByText('Cochez les deux cases.')).toBeVisible();
  await expectSound(page);
  await dialog.getByRole('checkbox', { name: 'Je publie sans liste d’enfants' }).check();
  await confirm.click();
  await expect(dialog).toHaveCount(0);
  expect(troubles.splice(0)).toEqual([refused(409)]);
});
