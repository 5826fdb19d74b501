import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { ask, DESKTOP, LONG, PHONE, publish, refused, test } from '#tests/browser/visit.ts';
import { form } from '#tests/support/forms.ts';

const PICTURES = join(import.meta.dirname, '../../features/example/fixtures/pictures');
const LOGOS = join(import.meta.dirname, '../../features/example/fixtures/logos');

let site: RunningSite;
test.beforeAll(async () => {
  site = await startSite('sqlite');
});
test.afterAll(() => site?.stop());

async function signIn(page: Page): Promise<void> {
  await page.goto(`${site.url}/portail`);
  await expect(page).toHaveURL(`${site.url}/connexion-portail`);
  await page.getByLabel('Identifiant').fill(ADMIN.username);
  await page.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: `Bonjour ${ADMIN.username}` })).toBeVisible();
}

/** By the entry of the menu; `then`: and by a link on its panel. */
async function openPanel(page: Page, name: string, then?: string): Promise<void> {
  const more = page.getByRole('button', { name: 'Plus', exact: true });
  if (await more.isVisible()) await more.click();
  const menu = page.getByRole('navigation', { name: 'Panneaux du portail' });
  const group = menu.locator('li:has(> button)').filter({ has: page.locator('a', { hasText: name }) });
  const unfold = group.locator('> button');
  if ((await unfold.getAttribute('aria-expanded')) === 'false') await unfold.click();
  await menu.getByRole('link', { name }).click();
  await expect(page).toHaveTitle(`${name} — Portail CSE`);
  if (!then) return;
  await page.getByRole('main').getByRole('link', { name: then }).first().click();
  await expect(page).toHaveTitle(`${then} — Portail CSE`);
}

/** A file as an application puts it on the clipboard or drags it; browsers let nobody do it from outside. */
async function handOver(page: Page, path: string) {
  const bytes = (await readFile(path)).toString('base64');
  return page.evaluateHandle((text) => {
    const data = new DataTransfer();
    const content = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    data.items.add(new File([content], 'photo.jpg', { type: 'image/jpeg' }));
    return data;
  }, bytes);
}

async function paste(page: Page, where: Locator, path: string): Promise<void> {
  const data = await handOver(page, path);
  await where.evaluate((element, clipboardData) => {
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

async function drop(page: Page, path: string): Promise<void> {
  const dataTransfer = await handOver(page, path);
  await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer });
}

/** An item as the site has it now, by its call. */
async function itemAt(path: string): Promise<Record<string, unknown>> {
  const answer = await (await ask(site, await site.signIn(), `GET ${path}`)).json();
  return Array.isArray(answer) ? answer[0] : answer;
}

/** Another administrator saves meanwhile. */
async function otherSaves(path: string, texts: Record<string, string>): Promise<void> {
  const answer = await ask(site, await site.signIn(), `PUT ${path}`, form(texts));
  expect(answer.status).toBe(200);
}

for (const [device, options] of [
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const) {
  test(`staff publish, edit beside one another, delete and restore on ${device}, and visitors see it`, async ({
    visit,
  }) => {
    const { page, troubles } = await visit(site, options);
    const title = `Portes ouvertes vues sur ${device}`;
    await signIn(page);

    await openPanel(page, 'Actualités', 'Créer une actualité');
    await page.getByLabel('Titre', { exact: true }).fill(title);
    await page.getByLabel('Description').fill('Venez ');
    await page.keyboard.press('ControlOrMeta+B');
    await page.keyboard.type('nombreux');
    await page.keyboard.press('ControlOrMeta+B');
    await page.keyboard.type(' au refuge.');
    await page.getByRole('button', { name: 'Voir comme un visiteur' }).click();
    const preview = page.getByRole('dialog', { name: 'Voir comme un visiteur' });
    await expect(preview.locator('.prose strong')).toHaveText('nombreux');
    await preview.getByRole('button', { name: 'Fermer' }).click();
    await expect(preview).toBeHidden();
    await paste(page, page.getByLabel('Titre', { exact: true }), join(PICTURES, 'prairie-en-montagne.jpg'));
    await expect(page.locator('img.preview')).toBeVisible();
    await page.getByLabel('Texte alternatif de l’image').fill('Une prairie');
    await page.getByRole('button', { name: 'Publier' }).click();
    await expect(page.getByRole('status').getByText('Actualité ajoutée avec succès')).toBeVisible();
    await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('');

    await openPanel(page, 'Éléments À la Une', 'Créer un élément « À LA UNE »');
    await page.getByLabel('Titre', { exact: true }).fill(`À la une sur ${device}`);
    await page.getByLabel('Résumé').fill('En bref.');
    await page.getByLabel('Description').fill('En long.');
    await drop(page, join(PICTURES, 'libellule.jpg'));
    await page.getByRole('button', { name: 'Publier' }).click();
    await expect(page.getByText('Élément À la Une ajouté avec succès')).toBeVisible();

    await openPanel(page, 'Logos partenaires', 'Ajouter un logo partenaire');
    await page.getByRole('button', { name: 'Publier' }).click();
    await expect(page.getByText('Ce champ est obligatoire.')).toHaveCount(2);
    await expect(page.getByLabel('Nom')).toBeFocused();
    await page.getByLabel('Nom').fill(`Vélombelle sur ${device}`);
    await page.getByLabel('Adresse du site').fill('https://example.org/velo');
    await page.setInputFiles('input[type=file]', join(LOGOS, 'velombelle.png'));
    await page.getByRole('button', { name: 'Publier' }).click();
    await expect(page.getByText('Logo partenaire ajouté avec succès')).toBeVisible();

    const visitor = await visit(site, options);
    await visitor.page.goto('/');
    await expect(visitor.page.getByRole('heading', { name: title })).toBeVisible();
    await expect(visitor.page.getByRole('heading', { name: `À la une sur ${device}` })).toBeVisible();
    await expect(visitor.page.getByRole('img', { name: `Vélombelle sur ${device}` })).toBeVisible();
    const cover = visitor.page.getByRole('article').filter({ hasText: title }).locator('img');
    await cover.scrollIntoViewIfNeeded();
    await expect.poll(() => cover.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);

    await page.goto('/portail?panneau=actualite-modifier');
    await page.getByRole('button', { name: 'Modifier', exact: true }).click();
    await expect(page.getByRole('alert').getByText('Veuillez sélectionner une actualité.')).toBeVisible();
    await page.getByLabel('Actualité').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Modifier', exact: true }).click();
    await expect(page).toHaveURL(/\/actu-modify\/\d+$/);
    const path = `/actualites/${page.url().split('/').at(-1)}`;
    await expect(page.getByLabel('Titre', { exact: true })).toHaveValue(title);
    await page.getByLabel('Titre', { exact: true }).fill(`${title}, le titre d’Alice`);
    await otherSaves(path, { titre: `${title}, le titre de Bruno`, description: 'La description de Bruno' });
    await page.getByRole('button', { name: 'Modifier', exact: true }).click();
    const choice = page.getByRole('region', { name: 'Cette actualité a été modifiée entre-temps' });
    await expect(choice).toBeVisible();
    await expect(choice.getByText(`${title}, le titre de Bruno`)).toBeVisible();
    expect(await itemAt(path)).toMatchObject({ titre: `${title}, le titre de Bruno` });
    // What Alice did not touch is Bruno’s unless she says otherwise; what both changed is hers to settle.
    const chosen = (name: string) =>
      choice.getByRole('group', { name }).getByRole('radio', { checked: true });
    await expect(chosen('Titre')).toHaveAccessibleName(/^Votre texte/);
    await expect(chosen('Description')).toHaveAccessibleName(/^Le texte enregistré entre-temps/);
    await choice.getByRole('button', { name: 'Enregistrer ce choix' }).click();
    await expect(page).toHaveURL(`${site.url}/portail`);
    await expect(page.getByText('Actualité modifiée avec succès')).toBeVisible();
    expect(await itemAt(path)).toMatchObject({
      titre: `${title}, le titre d’Alice`,
      description: 'La description de Bruno',
      version: 3,
    });
    await visitor.page.reload();
    await expect(visitor.page.getByRole('heading', { name: `${title}, le titre d’Alice` })).toBeVisible();

    await page.goto('/portail?panneau=une-modifier');
    await page.getByLabel('Élément À la Une').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Modifier', exact: true }).click();
    await expect(page).toHaveURL(/\/une-modify\/\d+$/);
    await page.getByLabel('Résumé').fill('En plus bref.');
    await page.getByRole('button', { name: 'Modifier', exact: true }).click();
    await expect(page.getByText('Élément À la Une modifié avec succès')).toBeVisible();
    await expect(page).toHaveURL(/\/une-modify\/\d+$/);

    await page.getByRole('button', { name: 'Supprimer' }).click();
    const dialog = page.getByRole('alertdialog', {
      name: 'Êtes-vous sûr de vouloir supprimer cet élément À la Une ?',
    });
    await dialog.getByRole('button', { name: 'Annuler' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Supprimer' }).click();
    await dialog.getByRole('button', { name: 'Mettre à la corbeille' }).click();
    await expect(page.getByText('Élément À la Une supprimé avec succès')).toBeVisible();
    await visitor.page.reload();
    await expect(visitor.page.getByRole('heading', { name: `À la une sur ${device}` })).toHaveCount(0);

    await openPanel(page, 'Corbeille');
    await page.getByRole('button', { name: `Restaurer : À la une sur ${device}` }).click();
    await expect(page.getByText('Élément À la Une restauré avec succès')).toBeVisible();
    await visitor.page.reload();
    await expect(visitor.page.getByRole('heading', { name: `À la une sur ${device}` })).toBeVisible();

    expect(troubles.splice(0)).toEqual([refused(409)]);
  });
}

test('a wrong password says so beside what was typed, and an unreachable server in other words', async ({
  page,
}) => {
  await page.goto(`${site.url}/connexion-portail`);
  await page.getByLabel('Identifiant').fill('bruno');
  await page.getByLabel('Mot de passe', { exact: true }).fill('pas le bon mot de passe');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('alert').getByText('Identifiant ou mot de passe incorrect.')).toBeVisible();
  await expect(page.getByLabel('Identifiant')).toHaveValue('bruno');
  await page.route('**/api/api/loginAdmin', (route) => route.abort());
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('alert').getByText('Erreur de connexion au serveur.')).toBeVisible();
});

test('nothing typed is lost: not by a refusal, a closed tab, or a session that has ended', async ({
  page,
}) => {
  await signIn(page);
  await openPanel(page, 'Actualités', 'Créer une actualité');
  await page.getByLabel('Titre', { exact: true }).fill('Un titre bien long à taper');
  await page.route('**/api/api/actualites', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { message: 'Une erreur est survenue.' } })
      : route.continue(),
  );
  await page.getByLabel('Description').fill('Et une description.');
  await page.getByRole('button', { name: 'Publier' }).click();
  await expect(page.getByRole('alert').getByText('Erreur lors de la création')).toBeVisible();
  await expect(page.getByRole('alert').getByText('Une erreur est survenue.')).toBeVisible();
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('Un titre bien long à taper');
  await page.unroute('**/api/api/actualites');

  // Closed without a word, as when a phone runs out of power; opened again.
  const again = await page.context().newPage();
  await page.close();
  await again.goto(`${site.url}/portail?panneau=actualite-creer`);
  await expect(again.getByLabel('Titre', { exact: true })).toHaveValue('Un titre bien long à taper');
  await expect(again.getByText('Voici votre brouillon')).toBeVisible();

  const token = await again.evaluate(() => localStorage.getItem('adminToken'));
  await ask(site, token ?? '', 'POST /auth/logout');
  await again.getByRole('button', { name: 'Publier' }).click();
  const dialog = again.getByRole('dialog', { name: 'Votre session est terminée' });
  await again.keyboard.press('Escape');
  await again.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await expect(dialog.getByLabel('Identifiant')).toHaveValue(ADMIN.username);
  await expect(dialog.getByLabel('Mot de passe', { exact: true })).toBeFocused();
  await dialog.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Se connecter' }).click();
  await expect(dialog).toBeHidden();
  await expect(again.getByLabel('Titre', { exact: true })).toHaveValue('Un titre bien long à taper');
  await again.getByRole('button', { name: 'Publier' }).click();
  await expect(again.getByText('Actualité ajoutée avec succès')).toBeVisible();
  await again.reload();
  await expect(again.getByLabel('Titre', { exact: true })).toHaveValue('');
});

test('the portal says that nothing asks for attention only when that is so', async ({ page }) => {
  await signIn(page);
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(
    rows.filter({ hasText: /^Mentions légales incomplètes\u202f: Nom de l’organisation, / }),
  ).toBeVisible();
  await expect(rows.filter({ hasText: /^À surveiller\u202f: / })).toBeVisible();
  await expect(page.getByText('Rien ne demande votre attention.')).toHaveCount(0);
  await page.getByRole('link', { name: 'Mentions légales incomplètes' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Réglages');
});

test('staff go from what visitors read to its form in one press, and visitors do not', async ({
  page,
  visit,
}) => {
  const token = await site.signIn();
  const texts = { titre: 'Ciné', resume: 'En bref.', description: 'En long.' };
  const answer = await ask(site, token, 'POST /avantage', form(texts));
  const { id } = (await answer.json()) as { id: number };
  await signIn(page);
  await page.goto(`${site.url}/avantage-detail/${id}`);
  await page.getByRole('link', { name: 'Modifier', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/avantage-modify/${id}`);
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('Ciné');
  const visitor = await visit(site, DESKTOP);
  await visitor.page.goto(`/avantage-detail/${id}`);
  await expect(visitor.page.getByRole('heading', { level: 1 })).toHaveText('Ciné');
  await expect(visitor.page.getByRole('link', { name: 'Modifier' })).toHaveCount(0);
});

test('a form that nobody saved is not left without a question', async ({ page }) => {
  await signIn(page);
  await openPanel(page, 'Logos partenaires');
  await openPanel(page, 'Actualités', 'Créer une actualité');
  await page.getByLabel('Titre', { exact: true }).fill('À moitié écrit');
  const question = page.getByRole('alertdialog', { name: 'Quitter sans enregistrer ?' });
  const here = page.url();

  await page.getByRole('button', { name: 'Réglages et santé' }).click();
  await page.getByRole('link', { name: 'Journal' }).click();
  await question.getByRole('button', { name: 'Rester' }).click();
  await page.goBack();
  await question.getByRole('button', { name: 'Rester' }).click();
  await page.getByRole('link', { name: 'Portail CSE' }).first().click();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  expect(page.url()).toBe(here);
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('À moitié écrit');

  await page.goBack();
  await question.getByRole('button', { name: 'Quitter' }).click();
  await expect(page).toHaveURL(`${site.url}/portail?panneau=actualites`);
  await page.goForward();
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('À moitié écrit');
  await page.getByRole('button', { name: 'Effacer le brouillon' }).click();
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('');
  await openPanel(page, 'Journal');
  await expect(page.getByRole('heading', { name: 'Journal' })).toBeVisible();
});

test('a file that is no picture is refused beside its field, and what is dropped elsewhere changes nothing', async ({
  page,
}) => {
  await signIn(page);
  await openPanel(page, 'Actualités', 'Créer une actualité');
  await page.setInputFiles('input[type=file]', {
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('x'),
  });
  await expect(page.getByText('Une image JPEG, PNG, WebP, AVIF ou HEIC est attendue.')).toBeVisible();
  // A lie that only the bytes tell.
  await page.setInputFiles('input[type=file]', {
    name: 'faux.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('x'),
  });
  await page.getByLabel('Titre', { exact: true }).fill('Sans image');
  await page.getByLabel('Description').fill('Rien à voir.');
  await page.getByRole('button', { name: 'Publier' }).click();
  await expect(page.getByRole('alert').getByText('Erreur lors de la création')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Changer d’image' })).toBeFocused();
  await page.getByRole('button', { name: 'Retirer l’image' }).click();
  await expect(page.getByRole('button', { name: 'Choisir une image' })).toBeFocused();
  /** True when the browser is kept from doing what it does with what is dropped. */
  const isRefused = (carried: 'file' | 'text') =>
    page.evaluate((what) => {
      const dataTransfer = new DataTransfer();
      if (what === 'file') dataTransfer.items.add(new File(['x'], 'x.png'));
      else dataTransfer.setData('text/plain', 'x');
      return !window.dispatchEvent(new DragEvent('drop', { cancelable: true, dataTransfer }));
    }, carried);
  // A file would take the place of the page; a text moved to another field is nobody’s business.
  expect([await isRefused('file'), await isRefused('text')]).toEqual([true, false]);
  await page.getByRole('button', { name: 'Publier' }).click();
  await expect(page.getByText('Actualité ajoutée avec succès')).toBeVisible();
});

test('a deletion taken back gives the form back as it is saved, and what is typed during a save is not lost', async ({
  page,
}) => {
  const texts = { titre: 'Un titre', resume: 'Un résumé', description: 'Une description' };
  const id = await publish(site, await site.signIn(), '/alaune', texts);
  await signIn(page);
  await page.goto(`${site.url}/une-modify/${id}`);
  const remove = async () => {
    await page.getByRole('button', { name: 'Supprimer' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Mettre à la corbeille' }).click();
    await expect(page.getByText('Cet élément est dans la corbeille.')).toBeVisible();
  };
  await remove();
  await page.route('**/restaurer', (route) => route.abort());
  await page.getByRole('button', { name: 'Restaurer' }).click();
  await expect(page.getByRole('alert').getByText('Erreur lors de la restauration')).toBeVisible();
  await expect(page.getByText('Cet élément est dans la corbeille.')).toBeVisible();
  await page.unroute('**/restaurer');
  await page.getByRole('button', { name: 'Restaurer' }).click();
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('Un titre');
  await remove();
  await page.getByRole('button', { name: 'Annuler la suppression' }).click();
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('Un titre');

  // Nothing says « modifié entre-temps »: the versions of the ways to the bin and back are known.
  await page.getByLabel('Titre', { exact: true }).fill('Un autre titre');
  let answer = () => {};
  const isHeld = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**/api/api/alaune/${id}`, async (route) => {
    if (route.request().method() === 'PUT') await isHeld;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Modifier', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Enregistrement…' })).toBeVisible();
  // Nothing can be typed into what is on its way.
  await expect(page.locator('form [inert]').getByLabel('Titre', { exact: true })).toHaveValue(
    'Un autre titre',
  );
  answer();
  await expect(page.getByText('Élément À la Une modifié avec succès')).toBeVisible();
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('Un autre titre');
});

test('a form is drawn from what is saved, not from what a page remembers', async ({ page }) => {
  const id = await publish(site, await site.signIn(), '/actualites', { titre: 'Avant', description: 'x' });
  await signIn(page);
  await page.goto(`${site.url}/?actualite=${id}`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('link', { name: 'Administrateur' })).toBeVisible();
  await otherSaves(`/actualites/${id}`, { titre: 'Après' });
  await page.getByRole('link', { name: 'Administrateur' }).click();
  await openPanel(page, 'Actualités');
  await page.getByRole('main').getByRole('link', { name: 'Après', exact: true }).click();
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('Après');

  // The skip link is no step in the history, and asks nothing.
  await page.getByLabel('Titre', { exact: true }).fill('Encore après');
  await page.getByRole('link', { name: 'Aller au contenu' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#contenu')).toBeFocused();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await page.goBack();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Quitter' }).click();
  await expect(page).toHaveURL(/panneau=actualites$/);
});

test('the example content comes with a name for the site, and takes it away again, without a reload', async ({
  browser,
}) => {
  test.setTimeout(3 * LONG.timeout);
  const empty = await startSite('sqlite');
  try {
    const page = await browser.newPage();
    await page.goto(`${empty.url}/connexion-portail`);
    await page.getByLabel('Identifiant').fill(ADMIN.username);
    await page.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Se connecter' }).click();
    const bar = page.getByRole('banner');
    await page.getByRole('button', { name: 'Mettre le contenu d’exemple' }).click();
    await expect(bar).toContainText('CSE Les Grands Pins', LONG);
    await page.getByRole('button', { name: 'Retirer le contenu d’exemple' }).click();
    await page.getByRole('button', { name: 'Retirer', exact: true }).click();
    await expect(bar).not.toContainText('CSE Les Grands Pins', LONG);
    await page.close();
  } finally {
    await empty.stop();
  }
});

test('whoever deletes their own account, or signs out in another tab, is out', async ({ browser }) => {
  const bernard = { username: 'bernard', password: 'une phrase bien à moi 7' };
  expect((await ask(site, await site.signIn(), 'POST /admins', bernard)).status).toBe(201);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${site.url}/portail?panneau=administrateurs`);
  await page.getByLabel('Identifiant').fill(bernard.username);
  await page.getByLabel('Mot de passe', { exact: true }).fill(bernard.password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByRole('button', { name: 'Supprimer bernard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull();

  await signIn(page);
  const other = await context.newPage();
  await other.goto(site.url);
  await other.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await context.close();
});

test('an account with the right to photos alone finds the photos of a stay, its own account, and nothing else', async ({
  browser,
}) => {
  const token = await site.signIn();
  const photos = { username: 'photographe', password: 'une phrase bien à moi 8', droits: ['photos'] };
  expect((await ask(site, token, 'POST /admins', photos)).status).toBe(201);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${site.url}/portail?panneau=familles`);
  await page.getByLabel('Identifiant').fill(photos.username);
  await page.getByLabel('Mot de passe', { exact: true }).fill(photos.password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ce panneau ne vous est pas ouvert');
  const menu = page.getByRole('navigation', { name: 'Panneaux du portail' });
  await expect(menu.getByRole('link')).toHaveText(['Accueil du portail', 'Photos d’un séjour', 'Mon compte']);
  await expect(page.getByRole('button', { name: 'Créer' })).toHaveCount(0);
  for (const [link, title] of [
    ['Accueil du portail', 'Bonjour photographe'],
    ['Photos d’un séjour', 'Photos d’un séjour'],
    ['Mon compte', 'Mon compte'],
  ] as const) {
    await menu.getByRole('link', { name: link }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('journal');
  await expect(page.getByText('Aucun résultat pour')).toBeVisible();
  await context.close();
});
