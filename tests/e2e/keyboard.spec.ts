import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { ADMIN, type RunningSite, startSite } from './site.ts';
import { arrive } from './visit.ts';

const PICTURE = join(import.meta.dirname, '../../server/features/example/pictures/sittelle.jpg');

let site: RunningSite;
test.beforeAll(async () => {
  site = await startSite('sqlite');
});
test.afterAll(() => site.stop());

/** Presses Tab until `target` has the focus, as a person would: it is reached, or it is not. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
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

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('creer actu');
  await expect(page.getByRole('option', { name: 'Créer une actualité' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Créer une actualité')).toBeVisible();

  await typed(page, 'Titre', 'Écrit sans souris');
  await typed(page, 'Description', 'Un mot ');
  await page.keyboard.press('Shift+Tab');
  await expect(button(page, 'Aperçu')).toBeFocused();
  const chooser = page.waitForEvent('filechooser');
  await pressed(page, button(page, 'Choisir une image'));
  await (await chooser).setFiles(PICTURE);
  await typed(page, 'Texte alternatif de l’image (facultatif)', 'Une sittelle');
  await pressed(page, button(page, 'Publier'));
  await expect(page.getByRole('status').getByText('Actualité ajoutée avec succès')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('sans souris');
  await expect(page.getByRole('option', { name: 'Écrit sans souris' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/actu-modify\/\d+$/);
  await expect(page.getByLabel('Titre')).toHaveValue('Écrit sans souris');
  await typed(page, 'Titre', 'Modifié sans souris');
  await pressed(page, button(page, 'Modifier'));
  await expect(page).toHaveURL(`${site.url}/portail`);
  await expect(page.getByText('Actualité modifiée avec succès')).toBeVisible();

  await pressed(page, page.getByRole('link', { name: 'Modifier une actualité' }));
  await expect(heading(page, 'Modifier une actualité')).toBeVisible();
  await tabTo(page, page.getByLabel('Actualité', { exact: true }));
  await page.keyboard.press('ArrowDown');
  await pressed(page, button(page, 'Supprimer'));
  const question = page.getByRole('alertdialog', {
    name: 'Êtes-vous sûr de vouloir supprimer cette actualité ?',
  });
  await expect(question.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(button(page, 'Supprimer')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  await expect(question.getByRole('button', { name: 'Supprimer' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Actualité supprimée avec succès')).toBeVisible();

  await pressed(page, page.getByRole('link', { name: 'Corbeille' }));
  await pressed(page, button(page, 'Restaurer : Modifié sans souris'));
  await expect(page.getByText('Actualité restaurée avec succès')).toBeVisible();

  await pressed(page, page.getByRole('link', { name: 'Accueil', exact: true }));
  await expect(heading(page, 'Modifié sans souris')).toBeVisible();
  await pressed(page, page.getByRole('link', { name: 'Lire la suite : Modifié sans souris' }));
  await expect(page.getByText('Un mot')).toBeVisible();
});
