import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, coloured, publish } from '#tests/browser/visit.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';

const PICTURES = join(import.meta.dirname, '../../features/example/fixtures/pictures');
// Twice as wide as high: a square leaves half of it out.
const NUTHATCH = join(PICTURES, 'sittelle.jpg');
const DRAGONFLY = join(PICTURES, 'libellule.jpg');
const READERS_PASSWORD = 'tournesol-lanterne-26';

let site: RunningSite;
test.beforeAll(async () => {
  site = await startSite('sqlite', { MEETING_REPORTS_PASSWORD: READERS_PASSWORD });
});
test.afterAll(() => site?.stop());

/** Presses Tab until `target` has the focus, as a person would: it is reached, or it is not. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 90; presses++) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) {
      const outline = await target.evaluate((element) => getComputedStyle(element).outlineStyle);
      expect(outline, 'the focus can be seen').not.toBe('none');
      return;
    }
  }
  throw new Error('not reached with Tab');
}

async function pressed(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

async function typed(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** The button opens the system's own dialog, which no test can type into. */
async function chosen(
  page: Page,
  name: string,
  files: string[] | { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await pressed(page, button(page, name));
  await (await chooser).setFiles(files);
}

async function openPanel(page: Page, words: string, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type(words);
  await expect(page.getByRole('gridcell', { name })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(heading(page, name)).toBeVisible();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('staff publish, modify, delete and restore a news item with the keyboard alone', async ({ page }) => {
  await arrive(page, site.url);
  // The hamburger, then « Administrateur ».
  await pressed(page, button(page, 'Menu'));
  await pressed(page, page.getByRole('link', { name: 'Administrateur' }));
  await expect(heading(page, 'Portail administrateur')).toBeVisible();
  await typed(page, 'Identifiant', ADMIN.username);
  await typed(page, 'Mot de passe', ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(heading(page, `Bonjour ${ADMIN.username}`)).toBeVisible();

  await openPanel(page, 'creer actu', 'Créer une actualité');
  await typed(page, 'Titre', 'Écrit sans souris');
  await typed(page, 'Description', 'Un mot ');
  await page.keyboard.press('Shift+Tab');
  await expect(button(page, 'Gras')).toBeFocused();
  await chosen(page, 'Choisir une image', [NUTHATCH]);
  await typed(page, 'Texte alternatif de l’image', 'Une sittelle');
  await pressed(page, button(page, 'Publier'));
  await expect(page.getByRole('status').getByText('Actualité ajoutée avec succès')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('sans souris');
  await expect(page.getByRole('gridcell', { name: 'Écrit sans souris' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/actu-modify\/\d+$/);
  await expect(page.getByLabel('Titre')).toHaveValue('Écrit sans souris');
  await typed(page, 'Titre', 'Modifié sans souris');
  await pressed(page, button(page, 'Modifier'));
  await expect(page).toHaveURL(`${site.url}/portail`);
  await expect(page.getByText('Actualité modifiée avec succès')).toBeVisible();

  await pressed(page, button(page, 'Contenus'));
  await pressed(page, page.getByRole('link', { name: 'Actualités', exact: true }));
  await expect(heading(page, 'Actualités')).toBeVisible();
  await openPanel(page, 'modifier actu', 'Modifier une actualité');
  await tabTo(page, page.getByLabel('Actualité', { exact: true }));
  await page.keyboard.press('ArrowDown');
  await pressed(page, button(page, 'Supprimer'));
  const question = page.getByRole('alertdialog', {
    name: 'Êtes-vous sûr de vouloir supprimer cette actualité ?',
  });
  // Screen readers begin by the question; neither answer is a key away by mistake.
  await expect(question.locator('[data-first-focus]')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(button(page, 'Supprimer')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(question.getByRole('button', { name: 'Mettre à la corbeille' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Actualité supprimée avec succès')).toBeVisible();

  await pressed(page, page.getByRole('link', { name: 'Corbeille' }));
  await pressed(page, button(page, 'Restaurer : Modifié sans souris'));
  await expect(page.getByText('Actualité restaurée avec succès')).toBeVisible();

  await pressed(page, page.getByRole('link', { name: 'Voir le site' }));
  await expect(heading(page, 'Modifié sans souris')).toBeVisible();
  await pressed(page, page.getByRole('link', { name: 'En savoir plus : Modifié sans souris' }));
  await expect(page.getByText('Un mot')).toBeVisible();
});

test('staff publish an event with its pictures in order and an employee with the keyboard alone', async ({
  page,
}) => {
  const token = await site.signIn();
  await publish(site, token, '/create-employes', {
    prenom: 'Camille',
    nom: 'Aubry',
    poste: 'Secrétaire',
    email: 'camille@example.org',
  });
  await page.addInitScript((value) => localStorage.setItem('adminToken', value), token);
  await page.goto(`${site.url}/portail`);
  await expect(heading(page, `Bonjour ${ADMIN.username}`)).toBeVisible();
  await openPanel(page, 'creer evenement', 'Créer un événement');
  await typed(page, 'Titre', 'Veillée sans souris');
  // The same keys whether the browser asks for the day or the month first, and for « AM » or not.
  await tabTo(page, page.getByLabel('Date', { exact: true }));
  await page.keyboard.type('06062027');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('1130A');
  await typed(page, 'Lieu', 'Au lac');
  await typed(page, 'Résumé', 'En bref.');
  await typed(page, 'Description', 'En long.');
  await chosen(page, 'Choisir des images', [NUTHATCH, DRAGONFLY]);
  await typed(page, 'Texte alternatif de l’image 1', 'Une sittelle');
  await pressed(page, button(page, 'Avancer l’image 2'));
  await expect(button(page, 'Avancer l’image 1')).toBeFocused();
  await typed(page, 'Texte alternatif de l’image 1', 'Une libellule');
  await pressed(page, button(page, 'Publier'));
  await expect(page.getByRole('status').getByText('Événement ajouté avec succès')).toBeVisible();

  await openPanel(page, 'ajouter employe', 'Ajouter un employé');
  await typed(page, 'Prénom', 'Paul');
  await typed(page, 'Nom', 'Martin');
  await typed(page, 'Poste', 'Trésorier');
  await tabTo(page, page.getByLabel('Responsable hiérarchique'));
  await page.keyboard.type('Aubry');
  await typed(page, 'E-mail', 'paul@example.org');
  await tabTo(page, page.getByLabel('Montrer l’e-mail sur le site'));
  await page.keyboard.press('Space');
  await chosen(page, 'Choisir une image', [NUTHATCH]);
  await tabTo(page, page.getByRole('slider', { name: 'Cadrage horizontal' }));
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await pressed(page, button(page, 'Ajouter'));
  await expect(page.getByRole('status').getByText('Employé ajouté avec succès')).toBeVisible();
  // Sent right after the last key: nothing of it is left as a draft.
  await expect(page.getByLabel('Prénom', { exact: true })).toHaveValue('');

  await pressed(page, page.getByRole('link', { name: 'Voir le site' }));
  await pressed(page, page.getByRole('link', { name: 'Nos événements' }));
  await pressed(page, page.getByRole('link', { name: 'Veillée sans souris' }));
  await expect(page.getByText('dimanche 6 juin 2027 à 11 h 30')).toBeVisible();
  const pictures = page.getByRole('link', { name: /^Agrandir l’image/ }).getByRole('img');
  await expect(pictures.nth(0)).toHaveAccessibleName('Une libellule');
  await expect(pictures.nth(1)).toHaveAccessibleName('Une sittelle');
  await pressed(page, page.getByRole('link', { name: 'Les membres' }));
  await expect(button(page, 'Équipe de Camille Aubry, 1 personne')).toBeVisible();
  const paul = page.locator('.person').filter({ hasText: 'Paul Martin' });
  await expect(paul).toHaveText(/Trésorier$/);
  await expect(paul.locator('img')).toHaveCSS('object-position', '99% 50%');
});

test('staff import a file whose headers are not known with the keyboard alone', async ({ page }) => {
  await arrive(page, `${site.url}/connexion-portail`);
  await typed(page, 'Identifiant', ADMIN.username);
  await typed(page, 'Mot de passe', ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(heading(page, `Bonjour ${ADMIN.username}`)).toBeVisible();
  await openPanel(page, 'importer direct', 'Importer des directeurs');
  const csv = [
    'Nom;Prénom;Adresse du courrier;Téléphone',
    'Kerviel;Inès;ines@example.org;01 99 00 00 01',
    'Le Goff;Maël;pas une adresse;01 99 00 00 02',
  ].join('\n');
  await chosen(page, 'Choisir un fichier', [
    { name: 'directeurs.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) },
  ]);
  await pressed(page, button(page, 'Vérifier le fichier'));
  const header = page.getByLabel('Adresse du courrier');
  await expect(header).toBeVisible();
  await tabTo(page, header);
  await page.keyboard.type('E-mail');
  await expect(page.getByRole('group', { name: 'Ligne 3' })).toBeVisible();
  await tabTo(page, page.getByRole('checkbox', { name: 'Laisser cette ligne de côté' }));
  await page.keyboard.press('Space');
  await pressed(page, button(page, 'Vérifier de nouveau'));
  await expect(button(page, 'Importer')).toHaveAttribute('aria-disabled', 'false');
  await pressed(page, button(page, 'Importer'));
  await expect(heading(page, 'Import terminé')).toBeFocused();
  await expect(page.getByText('1 directeur créé').first()).toBeVisible();
});

test('visitors read events, the org chart and minutes with the keyboard alone', async ({ page }) => {
  const token = await site.signIn();
  await publish(site, token, '/events', {
    title: 'Fête du lac',
    date: '2027-07-14T18:30',
    location: 'Au lac',
    summary: 'En bref.',
    article: 'En long.',
    images: [await coloured('#aa3333', [600, 400]), await coloured('#33aa33', [600, 400])],
    textes_alternatifs: ['Rouge', 'Vert'],
  });
  let manager_id = '';
  for (const prenom of ['Awa', 'Bastien', 'Inès']) {
    const person = { prenom, nom: 'Delmas', poste: 'Agent', email: 'agent@example.org', manager_id };
    manager_id = String(await publish(site, token, '/create-employes', person));
  }
  await publish(site, token, '/documents', {
    nom: 'Réunion de juin',
    date_ajout: '2026-06-18',
    url: [minutesPdf('Réunion de juin', ['Le budget est voté.']), 'cr.pdf', 'application/pdf'],
  });

  await arrive(page, site.url);
  await pressed(page, page.getByRole('link', { name: 'Nos événements' }));
  await pressed(page, page.getByRole('link', { name: 'Fête du lac' }));
  const picture = page.getByRole('link', { name: 'Agrandir l’image 1 sur 2\u202f: Rouge' });
  await pressed(page, picture);
  const lightbox = page.getByRole('dialog', { name: 'Images en grand' });
  await expect(lightbox.getByText('Rouge')).toBeInViewport();
  await page.keyboard.press('ArrowRight');
  await expect(lightbox.getByText('Vert')).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(picture).toBeFocused();
  await pressed(page, page.getByRole('link', { name: 'Tous les événements' }));
  await expect(heading(page, 'Nos événements')).toBeVisible();

  await pressed(page, page.getByRole('link', { name: 'Les membres' }));
  const person = (name: string) => page.locator('.person').filter({ hasText: name });
  await pressed(page, button(page, 'Tout replier'));
  await expect(person('Bastien Delmas')).toBeHidden();
  await pressed(page, button(page, 'Équipe d’Awa Delmas, 1 personne'));
  await expect(person('Bastien Delmas')).toBeVisible();
  await expect(person('Inès Delmas')).toBeHidden();
  await typed(page, 'Chercher un nom ou un poste', 'ines');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').getByText('1 sur 1\u202f: Inès Delmas')).toBeVisible();
  await expect(person('Inès Delmas')).toBeInViewport({ ratio: 1 });

  await pressed(page, button(page, 'Informations utiles'));
  await pressed(page, page.getByRole('link', { name: 'Compte rendus' }));
  await typed(page, 'Mot de passe', READERS_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Réunion de juin')).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Voir le PDF\u202f: Réunion de juin (nouvel onglet)' }));
  const tab = page.waitForEvent('popup');
  const opened = page.context().waitForEvent('response', (response) => response.url().endsWith('.pdf'));
  await page.keyboard.press('Enter');
  await tab;
  expect((await opened).headers()['content-type']).toBe('application/pdf');
});
