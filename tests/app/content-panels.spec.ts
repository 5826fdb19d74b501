import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  ask,
  coloured,
  DESKTOP,
  enterPortal,
  type OpenVisit,
  PHONE,
  publish,
  refused,
  test,
  type Visit,
} from '#tests/browser/visit.ts';
import { form } from '#tests/support/forms.ts';
import { page as pageOf, pdf, SCRIPT } from '#tests/support/pdfs.ts';

const READERS_PASSWORD = 'tournesol-lanterne-26';

let site: RunningSite;
let token: string;
test.beforeAll(async () => {
  site = await startSite('sqlite', { MEETING_REPORTS_PASSWORD: READERS_PASSWORD });
  token = await site.signIn();
});
test.afterAll(() => site?.stop());

/** A tab of a signed-in admin. */
const enter = (visit: OpenVisit, options: BrowserContextOptions, address: string) =>
  enterPortal(visit, site, options, address);

const gallery = (page: Page) => page.locator('input[name=images]');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const warned = (page: Page, text: string) => page.getByRole('alert').getByText(text, { exact: true });

/** By the whole of its label. */
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

async function fill(page: Page, texts: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(texts)) await field(page, label).fill(text);
}

/** Deletes what is chosen or open, after having looked at the question. */
async function remove(page: Page, question: string, deleted: string): Promise<void> {
  await button(page, 'Supprimer').click();
  const dialog = page.getByRole('alertdialog', { name: question });
  await dialog.getByRole('button', { name: 'Mettre à la corbeille' }).click();
  await expect(said(page, deleted)).toBeVisible();
}

async function takeBack(page: Page, restored: string): Promise<void> {
  await button(page, 'Annuler la suppression').click();
  await expect(said(page, restored)).toBeVisible();
}

/** A visitor finds it in its list, opens it from there, and reads the text in both. */
async function expectRead({ page }: Visit, list: string, title: string, text: string): Promise<void> {
  await page.goto(list);
  const card = page.getByRole('article').filter({ hasText: title });
  await expect(card).toContainText(text);
  // The one that leads to its page in this tab.
  await card.getByRole('link').last().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('article')).toContainText(text);
  // It begins with what the list said: the whole of it may still be on its way.
  await page.waitForLoadState('networkidle');
}

/** Its page, on which the visitor still is, and its list have nothing of it any more. */
async function expectGone({ page, troubles }: Visit, list: string, title: string): Promise<void> {
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('n’existe plus.');
  expect(troubles.splice(0)).toEqual([refused(404)]);
  await page.goto(list);
  await expect(page.getByRole('heading', { name: title })).toHaveCount(0);
}

/** The picture is there, not only its place. */
async function expectDrawn(picture: Locator): Promise<void> {
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
}

/** A picture of that many pixels across, which tell it from the others once it is kept. */
async function picture(name: string, width: number) {
  const [buffer] = await coloured('#5b8c5a', [width, 100]);
  return { name, mimeType: 'image/png', buffer: Buffer.from(buffer) };
}

/** How wide the pictures of an event’s gallery are, in order, and what they are said to show. */
function galleryOn(page: Page): Promise<[number, string][]> {
  return page
    .getByRole('link', { name: /^Agrandir l’image/ })
    .locator('img')
    .evaluateAll((all) =>
      (all as HTMLImageElement[]).map((one) => [Number(one.getAttribute('width')), one.alt]),
    );
}

const EVENT = {
  title: 'Veillée',
  date: '2027-06-20T18:30',
  location: 'Au lac',
  summary: 'En bref.',
  article: 'En long.',
};

test('visitors see an event created with its pictures in order, modified, gone and back', async ({
  visit,
}) => {
  const visitor = await visit(site, PHONE);
  const { page, troubles } = await enter(visit, PHONE, '/portail?panneau=evenement-creer');
  await fill(page, {
    Titre: 'Feu de camp',
    Date: '2027-06-20T18:30',
    Lieu: 'Au bord du lac',
    Résumé: 'En bref.',
    Description: 'En long.',
  });
  await field(page, 'Image de présentation').setInputFiles(await picture('affiche.png', 500));
  await field(page, 'Texte alternatif de l’image').fill('L’affiche');
  await gallery(page).setInputFiles([
    await picture('un.png', 101),
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
    await picture('deux.png', 102),
    await picture('trois.png', 103),
  ]);
  await expect(
    page.getByText('« notes.txt » : une image JPEG, PNG, WebP, AVIF ou HEIC est attendue.'),
  ).toBeVisible();
  await expect(said(page, '3 images ajoutées.')).toHaveCount(1);
  await page.getByLabel('Texte alternatif de l’image 1').fill('Les braises');
  await button(page, 'Reculer l’image 1').press('Enter');
  await expect(said(page, 'Image en position 2 sur 3.')).toHaveCount(1);
  await expect(button(page, 'Reculer l’image 2')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Reculer l’image 3')).toBeFocused();
  await button(page, 'Retirer l’image 1').click();
  await expect(button(page, 'Retirer l’image 1')).toBeFocused();
  await button(page, 'Publier').click();
  await expect(said(page, 'Événement ajouté avec succès')).toBeVisible();
  await expectRead(visitor, '/Evenements', 'Feu de camp', 'Au bord du lac');
  await expectDrawn(visitor.page.getByRole('img', { name: 'L’affiche' }));
  expect(await galleryOn(visitor.page)).toEqual([
    [103, ''],
    [101, 'Les braises'],
  ]);

  await page.goto('/portail?panneau=evenement-modifier');
  await button(page, 'Modifier').click();
  await expect(warned(page, 'Veuillez sélectionner un événement.')).toBeVisible();
  await field(page, 'Événement').selectOption({ index: 1 });
  await button(page, 'Modifier').click();
  await expect(page).toHaveURL(/\/event-modify\/\d+$/);
  const address = page.url();
  await expect(field(page, 'Date')).toHaveValue('2027-06-20T18:30');
  await expect(page.getByLabel('Texte alternatif de l’image 2')).toHaveValue('Les braises');
  await field(page, 'Lieu').fill('Au refuge');
  await button(page, 'Retirer l’image 1').click();
  await gallery(page).setInputFiles(await picture('quatre.png', 104));
  await button(page, 'Modifier').click();
  await expect(said(page, 'Événement modifié avec succès')).toBeVisible();
  await expect(page).toHaveURL('/Evenements');
  await expectRead(visitor, '/Evenements', 'Feu de camp', 'Au refuge');
  await expect(visitor.page.getByText('dimanche 20 juin 2027 à 18 h 30')).toBeVisible();
  expect(await galleryOn(visitor.page)).toEqual([
    [101, 'Les braises'],
    [104, ''],
  ]);

  await page.goto(address);
  for (const _ of [1, 2]) await button(page, 'Retirer l’image 1').click();
  await expect(button(page, 'Choisir des images')).toBeFocused();
  await button(page, 'Modifier').click();
  await expect(said(page, 'Événement modifié avec succès')).toBeVisible();
  await expectRead(visitor, '/Evenements', 'Feu de camp', 'Au refuge');
  expect(await galleryOn(visitor.page)).toEqual([]);

  await page.goto(address);
  await remove(page, 'Êtes-vous sûr de vouloir supprimer cet événement ?', 'Événement supprimé avec succès');
  await expect(page).toHaveURL('/Evenements');
  await expectGone(visitor, '/Evenements', 'Feu de camp');
  await takeBack(page, 'Événement restauré avec succès');
  await expect(page).toHaveURL('/Evenements');
  await expectRead(visitor, '/Evenements', 'Feu de camp', 'Au refuge');
  expect(troubles).toEqual([]);
});

test('a gallery takes no file twice and none too many, and lets nobody send more than the site takes', async ({
  visit,
}) => {
  const { page } = await enter(visit, DESKTOP, '/portail?panneau=evenement-creer');
  const input = gallery(page);
  const many = await Promise.all(
    Array.from({ length: 31 }, (_, index) => picture(`photo-${index + 1}.png`, index + 1)),
  );
  await input.setInputFiles(many);
  await expect(page.getByText('« photo-31.png » : 30 images au plus.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Images de détail' }).getByRole('listitem')).toHaveCount(30);
  await button(page, 'Retirer l’image 30').click();
  await expect(button(page, 'Retirer l’image 29')).toBeFocused();
  await input.evaluate((element: HTMLInputElement) => {
    const data = new DataTransfer();
    // The same file, as the browser sees it, and one that weighs 16 MB.
    const same = new File(['x'], 'double.png', { type: 'image/png', lastModified: 1 });
    for (const file of [same, same]) data.items.add(file);
    data.items.add(new File([new Uint8Array(16 * 1024 * 1024)], 'lourde.jpg', { type: 'image/jpeg' }));
    element
      .closest('.drop-zone')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
  });
  await expect(page.getByText('« double.png » : cette image est déjà dans la liste.')).toBeVisible();
  await expect(page.getByText('« lourde.jpg » : cette image est trop lourde (15 Mo au plus).')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Images de détail' }).getByRole('listitem')).toHaveCount(30);
  await page.getByRole('button', { name: 'Réglages et santé' }).click();
  await page.getByRole('link', { name: 'Journal' }).click();
  await expect(page.getByText('Les changements d’images seront à refaire.')).toBeVisible();
  await button(page, 'Rester').click();

  await page.reload();
  await fill(page, { Titre: 'Trop', Lieu: 'x', Résumé: 'x', Description: 'x', Date: EVENT.date });
  await input.evaluate((element: HTMLInputElement) => {
    const data = new DataTransfer();
    const bytes = new Uint8Array(15 * 1024 * 1024);
    for (let index = 0; index < 14; index++) {
      data.items.add(new File([bytes], `${index}.jpg`, { type: 'image/jpeg' }));
    }
    element
      .closest('.drop-zone')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
  });
  await button(page, 'Publier').click();
  await expect(
    page.getByText('Toutes les images ensemble sont trop lourdes (200 Mo au plus).'),
  ).toBeVisible();
  await expect(button(page, 'Ajouter des images')).toBeFocused();
});

test('a gallery that somebody else saved meanwhile keeps what both of them did', async ({ visit }) => {
  const files = (widths: number[]) => Promise.all(widths.map((width) => coloured('#226a87', [width, 100])));
  const id = await publish(site, token, '/events', { ...EVENT, images: await files([201, 202, 203]) });
  const { page, troubles } = await enter(visit, DESKTOP, `/event-modify/${id}`);
  await button(page, 'Retirer l’image 1').click();
  await gallery(page).setInputFiles(await picture('mienne.png', 204));
  await field(page, 'Lieu').fill('Chez Alice');

  const answer = await ask(site, token, `GET /events/${id}`);
  const [event] = (await answer.json()) as { images: string }[];
  const [first = '', , third = ''] = event?.images.split(';') ?? [];
  const other = form({ images: [first, third, ...(await files([205]))], location: 'Chez Bruno' });
  expect((await ask(site, token, `PUT /events/${id}`, other)).status).toBe(200);

  await button(page, 'Modifier').click();
  await expect(page.getByText('« Images de détail » a aussi changé entre-temps')).toBeVisible();
  await button(page, 'Enregistrer ce choix').click();
  await expect(said(page, 'Événement modifié avec succès')).toBeVisible();
  const visitor = await visit(site, DESKTOP);
  await visitor.page.goto(`/event-detail/${id}`);
  await expect(visitor.page.getByText('Chez Alice')).toBeVisible();
  expect((await galleryOn(visitor.page)).map(([width]) => width)).toEqual([203, 204, 205]);
  expect(troubles.splice(0)).toEqual([refused(409)]);
});

test('visitors see a benefit created, modified in place, gone and back', async ({ visit }) => {
  const visitor = await visit(site, DESKTOP);
  const { page } = await enter(visit, DESKTOP, '/portail?panneau=avantage-creer');
  await fill(page, {
    Titre: 'Ciné',
    Résumé: 'En bref.',
    Description: 'En long.',
    'Lien vers l’article': 'ici',
  });
  await button(page, 'Publier').click();
  await expect(page.getByText('Cette adresse doit commencer par https:// ou http://.')).toBeVisible();
  await field(page, 'Lien vers l’article').fill('https://example.org/cine');
  await button(page, 'Publier').click();
  await expect(said(page, 'Avantage ajouté avec succès')).toBeVisible();
  await expectRead(visitor, '/avantages', 'Ciné', 'En bref.');
  await expect(visitor.page.getByRole('link', { name: 'En savoir plus sur example.org' })).toHaveAttribute(
    'href',
    'https://example.org/cine',
  );

  await page.goto('/portail?panneau=avantage-modifier');
  await button(page, 'Supprimer').click();
  await expect(warned(page, 'Veuillez sélectionner un avantage.')).toBeVisible();
  await field(page, 'Avantage').selectOption({ index: 1 });
  await button(page, 'Modifier').click();
  await field(page, 'Résumé').fill('En plus bref.');
  await button(page, 'Modifier').click();
  await expect(said(page, 'Avantage modifié avec succès')).toBeVisible();
  await expect(page).toHaveURL(/\/avantage-modify\/\d+$/);
  await expectRead(visitor, '/avantages', 'Ciné', 'En plus bref.');
  await remove(page, 'Êtes-vous sûr de vouloir supprimer cet avantage ?', 'Avantage supprimé avec succès');
  await expectGone(visitor, '/avantages', 'Ciné');
  await takeBack(page, 'Avantage restauré avec succès');
  await expect(field(page, 'Résumé')).toHaveValue('En plus bref.');
  await expectRead(visitor, '/avantages', 'Ciné', 'En plus bref.');
});

test('readers see minutes added as a PDF that nothing runs in, gone and back', async ({ visit }) => {
  const { page: reader } = await visit(site, PHONE);
  const none = reader.getByText('Aucun compte rendu pour le moment.');
  const { page, troubles } = await enter(visit, PHONE, '/portail?panneau=document-creer');
  const input = field(page, 'Fichier PDF');
  const give = (name: string, buffer: Buffer) =>
    input.setInputFiles({ name, mimeType: 'application/pdf', buffer });
  await button(page, 'Publier').click();
  await expect(page.getByText('Ce champ est obligatoire.')).toHaveCount(2);
  await expect(page.getByText('Choisissez un fichier.')).toBeVisible();
  await fill(page, { Nom: 'Réunion de juin', Date: '2026-06-18' });
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
  await expect(page.getByText('Un fichier PDF est attendu.')).toBeVisible();

  await give('renomme.pdf', (await picture('x', 10)).buffer);
  await expect(page.getByText('renomme.pdf')).toBeVisible();
  await button(page, 'Publier').click();
  await expect(warned(page, 'Un fichier PDF est attendu.')).toBeVisible();
  await expect(button(page, 'Changer de fichier')).toBeFocused();
  await give('script.pdf', pdf({ plain: pageOf(`/OpenAction ${SCRIPT}`) }));
  await button(page, 'Publier').click();
  await expect(button(page, 'Changer de fichier')).toHaveAttribute('data-wrong', 'true');
  await reader.goto('/compte-rendus');
  await expect(reader.getByText('Aucun compte rendu n’est encore publié.')).toBeVisible();
  await give('juin.pdf', pdf({ plain: pageOf() }));
  await button(page, 'Publier').click();
  await expect(said(page, 'Document ajouté avec succès')).toBeVisible();
  await reader.goto('/compte-rendus');
  await reader.getByLabel('Mot de passe', { exact: true }).fill(READERS_PASSWORD);
  await button(reader, 'Ouvrir').click();
  await expect(reader.getByRole('heading', { name: 'Réunion de juin' })).toBeVisible();
  expect(troubles.splice(0)).toEqual([refused(415), refused(422)]);

  await page.goto('/portail?panneau=document-supprimer');
  await button(page, 'Supprimer').click();
  await expect(warned(page, 'Veuillez sélectionner un document à supprimer.')).toBeVisible();
  await field(page, 'Compte rendu').selectOption({ index: 1 });
  const minutes = reader.getByRole('article').filter({ hasText: 'Réunion de juin' });
  await reader.reload();
  await expect(minutes).toContainText('18 juin 2026');
  const address = await minutes.getByRole('link', { name: /^Voir le PDF/ }).getAttribute('href');
  const fetched = () => reader.request.get(address ?? '');
  expect((await fetched()).headers()['content-type']).toBe('application/pdf');

  await remove(page, 'Êtes-vous sûr de vouloir supprimer ce document ?', 'Document supprimé avec succès');
  await reader.reload();
  await expect(none).toBeVisible();
  expect((await fetched()).status()).toBe(404);
  await takeBack(page, 'Document restauré avec succès');
  await reader.reload();
  await expect(minutes).toBeVisible();
  expect((await fetched()).status()).toBe(200);
});

test('visitors see an employee added with a framed photo, led by another, hidden in part, gone and back', async ({
  visit,
}) => {
  const { page: visitor } = await visit(site, DESKTOP);
  const person = (name: string) => visitor.locator('.person').filter({ hasText: name });
  const camilles = visitor.getByRole('button', { name: 'Équipe de Camille Aubry, 1 personne' });
  const leader = await publish(site, token, '/create-employes', {
    prenom: 'Camille',
    nom: 'Aubry',
    poste: 'Secrétaire',
    email: 'camille@example.org',
  });
  const { page } = await enter(visit, DESKTOP, '/portail?panneau=employe-creer');
  await fill(page, { Prénom: 'Paul', Nom: 'Martin', Poste: 'Trésorier', 'E-mail': 'paul@example.org' });
  await field(page, 'Rôle').selectOption('Responsable');
  await field(page, 'Responsable hiérarchique').selectOption('Aubry Camille — Secrétaire');
  await field(page, 'Montrer l’e-mail sur le site').uncheck();
  await field(page, 'Téléphone').fill('01 99 00 12 12');
  // Twice as wide as the square: half of it is left out.
  const [bytes] = await coloured('#5b8c5a', [400, 200]);
  await field(page, 'Photo').setInputFiles({
    name: 'paul.png',
    mimeType: 'image/png',
    buffer: Buffer.from(bytes),
  });
  const across = page.getByRole('slider', { name: 'Cadrage horizontal' });
  await expect(across).toHaveValue('50');
  await expect(page.getByRole('slider', { name: 'Cadrage vertical' })).toBeHidden();
  const { x, y, width } = await page.locator('.drop-zone img').evaluate((image) => {
    image.scrollIntoView({ block: 'center' });
    return image.getBoundingClientRect();
  });
  await page.mouse.move(x + width / 2, y + width / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 4, y + width / 2, { steps: 3 });
  await page.mouse.up();
  await expect(across).toHaveValue('75');
  await across.press('ArrowRight');
  await expect(page.locator('.drop-zone img')).toHaveCSS('object-position', '76% 50%');
  await button(page, 'Ajouter').click();
  await expect(said(page, 'Employé ajouté avec succès')).toBeVisible();
  await visitor.goto('/membres');
  await expect(camilles).toBeVisible();
  await expect(person('Paul Martin')).toHaveText(/Trésorier\s*Responsable\s*01 99 00 12 12$/);
  await expect(person('Paul Martin').locator('img')).toHaveCSS('object-position', '76% 50%');
  await expectDrawn(person('Paul Martin').locator('img'));

  await page.goto('/portail?panneau=employe-modifier');
  await button(page, 'Modifier').click();
  await expect(warned(page, 'Veuillez sélectionner un employé.')).toBeVisible();
  await field(page, 'Employé').selectOption('Camille Aubry — Secrétaire');
  await button(page, 'Modifier').click();
  await expect(page).toHaveURL(`/employe-modify/${leader}`);
  // Nobody is led by whom they lead.
  await expect(field(page, 'Responsable hiérarchique').getByRole('option')).toHaveText([
    'Personne (en haut de l’organigramme)',
  ]);
  await field(page, 'Poste').fill('Présidente');
  await button(page, 'Modifier').click();
  await expect(said(page, 'Employé modifié avec succès')).toBeVisible();
  await expect(page).toHaveURL('/portail');
  await visitor.reload();
  await expect(person('Camille Aubry')).toContainText('Présidente');

  await page.goto('/portail?panneau=employe-modifier');
  await field(page, 'Employé').selectOption('Camille Aubry — Présidente');
  await button(page, 'Supprimer').click();
  const question = page.getByRole('alertdialog', {
    name: 'Êtes-vous sûr de vouloir supprimer cet employé ?',
  });
  await expect(question).toContainText('Son équipe montera d’un niveau dans l’organigramme.');
  await question.getByRole('button', { name: 'Annuler' }).click();
  await remove(page, 'Êtes-vous sûr de vouloir supprimer cet employé ?', 'Employé supprimé avec succès');
  await visitor.reload();
  await expect(person('Paul Martin')).toBeVisible();
  await expect(person('Camille Aubry')).toHaveCount(0);
  await takeBack(page, 'Employé restauré avec succès');
  await visitor.reload();
  await expect(camilles).toBeVisible();

  await page.goto('/portail?panneau=employe-modifier');
  await field(page, 'Employé').selectOption('Paul Martin — Trésorier');
  await button(page, 'Modifier').click();
  await expect(field(page, 'Responsable hiérarchique')).toHaveValue(String(leader));
  await expect(field(page, 'Montrer l’e-mail sur le site')).not.toBeChecked();
  await expect(across).toHaveValue('76');
});
