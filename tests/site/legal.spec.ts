import { expect } from '@playwright/test';
import { violationsOf } from '#tests/browser/axe.ts';
import { ADMIN, type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, ask, boxOf, DESKTOP, PHONE, refused, SCREENS, test } from '#tests/browser/visit.ts';

let site: RunningSite;
let admin: string;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  admin = await site.signIn();
});
test.afterAll(() => site?.stop());

const IDENTITY = {
  organisation_nom: 'CSE des Deux-Rives',
  organisation_adresse: '12 rue des Tilleuls\n38000 Grenoble',
  organisation_siren: '732 829 320',
  directeur_publication: 'Claire Fontaine',
  hebergeur_nom: 'Hébergeur du Port',
  contact_donnees: 'donnees@deux-rives.example',
  photos_conservation_jours: '45',
};

test('a legal notice of which nothing is known yet says so, and still leads to who can be asked', async ({
  visit,
}) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/mentions-legales');
  await expect(page.getByText('Ces informations seront complétées par le CSE.')).toBeVisible();
  await page.getByRole('link', { name: 'Écrire au CSE' }).click();
  await expect(page.getByRole('button', { name: 'Envoyer' })).toBeEnabled();
});

test.describe('with the identity of the organisation', () => {
  test.beforeAll(async () => {
    expect((await ask(site, admin, 'PUT /reglages', IDENTITY)).status).toBe(200);
  });

  const PAGES = [
    {
      path: '/a-propos',
      title: 'Nos Missions',
      words: [
        'Ce que le CSE fait pour vous',
        'Ce que la loi nous confie',
        'L’avenir de l’entreprise',
        'Santé et sécurité',
        'Nos moyens',
        'Qui siège au CSE',
        'Comment nous joindre',
      ],
    },
    {
      path: '/mentions-legales',
      title: 'Mentions légales',
      words: ['12 rue des Tilleuls', '732 829 320', 'Claire Fontaine', 'Hébergeur du Port'],
    },
    {
      path: '/politique-confidentialite',
      title: 'Politique de confidentialité',
      words: [
        'Dernière mise à jour\u202f: 08/04/2024',
        'Complément du 23\u00a0novembre\u00a02026',
        '16\u00a0ans',
        '13\u00a0mois',
        'arbitrage',
        '12 rue des Tilleuls',
        'donnees@deux-rives.example',
        '45\u00a0jours',
        '180\u00a0jours',
        '760\u00a0jours',
      ],
    },
    {
      path: '/politique-photos',
      title: 'Politique photos',
      words: [
        '45\u00a0jours',
        'deux parents',
        'lieu de la prise de vue',
        'effacées automatiquement',
        '4\u202f096\u00a0pixels',
      ],
    },
    {
      path: '/accessibilite',
      title: 'Accessibilité',
      words: ['CSE des Deux-Rives', 'partiellement conforme', 'Défenseur des droits'],
    },
  ];

  for (const { screen, options } of SCREENS) {
    test(`each text stands under its title before any script has run, ${screen}`, async ({ visit }) => {
      const { page } = await visit(site, { ...options, javaScriptEnabled: false });
      for (const { path, title, words } of PAGES) {
        const answer = await page.goto(path);
        expect(answer?.status(), path).toBe(200);
        await expect(page).toHaveTitle(`${title} — Portail CSE — CSE des Deux-Rives`);
        await expect(page.locator('meta[name=robots]')).toHaveCount(0);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
        for (const word of words) expect(await page.getByRole('main').innerText()).toContain(word);
      }
    });
  }

  test('the articles of law are folded: a key opens them, and they stand open on paper', async ({
    visit,
  }) => {
    const { page } = await visit(site, PHONE);
    await arrive(page, '/a-propos');
    const summary = page.getByText('Les articles du Code du travail').first();
    const article = page.getByText('L2311-2 et L2312-1 à L2312-4');
    const isSeen = () =>
      article.evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }));
    expect(await violationsOf(page)).toEqual([]);
    expect(await isSeen()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await isSeen()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'Voir nos comptes rendus' }).last().focus();
    await page.keyboard.press('Tab');
    await expect(summary).toBeFocused();
    expect((await boxOf(summary)).height).toBeGreaterThanOrEqual(44);
    await page.keyboard.press('Enter');
    expect(await isSeen()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('staff choose the size of the company, and the missions follow', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await page.addInitScript((token) => localStorage.setItem('adminToken', token), admin);
    const size = page.getByLabel('Taille de l’entreprise');
    const choose = async (wanted: string) => {
      await page.goto('/portail?panneau=reglages#effectif');
      await expect(size).toBeFocused();
      await size.selectOption(wanted);
      await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
      await expect(page.getByText('Réglages enregistrés')).toBeVisible();
      await page.goto('/a-propos');
    };
    await choose('11 à 49 salariés');
    await expect(page.getByText('Notre entreprise compte de 11 à 49 salariés.')).toBeVisible();
    await choose('50 salariés et plus');
    await expect(page.getByText('Notre entreprise compte au moins 50 salariés.')).toBeVisible();
  });

  test('what staff left blank is not shown', async ({ visit }) => {
    const { page } = await visit(site, PHONE);
    await arrive(page, '/mentions-legales');
    const shown = await page.locator('dt').allInnerTexts();
    expect(shown).toEqual([
      'Nom de l’organisation',
      'Adresse postale',
      'SIREN',
      'Directeur ou directrice de la publication',
      'Nom de l’hébergeur',
      'Contact pour les données personnelles',
    ]);
  });

  test('the contents of the privacy policy lead to its nine articles and what follows them', async ({
    visit,
  }) => {
    const { page } = await visit(site, PHONE);
    await arrive(page, '/politique-confidentialite');
    const links = page.getByRole('navigation', { name: 'Sommaire' }).getByRole('link');
    const names = await links.allInnerTexts();
    expect(names.filter((name) => /^Article \d – /.test(name))).toHaveLength(9);
    for (const name of names) {
      await links.filter({ hasText: name }).click();
      await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeInViewport();
    }
    await page.goto('/politique-confidentialite#mesure-audience');
    await expect(page.getByRole('heading', { name: 'Mesure d’audience' })).toBeInViewport();
  });

  test('a visitor writes to the CSE from a phone, and staff read it', async ({ visit }) => {
    const { page, troubles } = await visit(site, PHONE);
    await arrive(page, '/a-propos');
    await page.getByRole('link', { name: 'Écrire au CSE' }).click();
    const send = page.getByRole('button', { name: 'Envoyer' });
    await expect(send).toBeEnabled();
    await expect(page.getByRole('heading', { name: 'Contact' })).toBeInViewport();

    await send.click();
    for (const missing of [
      'Indiquez votre nom.',
      'Indiquez l’adresse à laquelle vous répondre.',
      'Écrivez votre message.',
    ]) {
      await expect(page.getByText(missing)).toBeVisible();
    }
    await expect(page.getByLabel('Nom')).toBeFocused();
    await page.getByLabel('Nom').fill('Jeanne Petit');
    await page.getByLabel('E-mail').fill('jeanne');
    await page.getByLabel('Message').fill('Bonjour,\nle séjour est-il complet\u202f?');
    await send.click();
    await expect(page.getByText('Cette adresse e-mail n’est pas valable.')).toBeVisible();
    // Good enough for a browser, not for the site, which says why; nothing typed is lost.
    await page.getByLabel('E-mail').fill('jeanne@localhost');
    await send.click();
    await expect(page.getByRole('alert')).toContainText('Erreur lors de l’envoi du message');
    await expect(page.getByLabel('E-mail')).toBeFocused();
    expect(troubles.splice(0)).toEqual([refused(422)]);
    await expect(page.getByLabel('Message')).toHaveValue('Bonjour,\nle séjour est-il complet\u202f?');
    await page.getByLabel('E-mail').fill('jeanne@exemple.fr');
    await send.click();
    await expect(page.getByRole('status').getByText('Message envoyé')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Votre message est parti' })).toBeFocused();
    await expect(page.getByText('Nous vous répondrons à jeanne@exemple.fr.')).toBeVisible();
    await page.getByRole('button', { name: 'Écrire un autre message' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    for (const label of ['Nom', 'E-mail', 'Message']) await expect(page.getByLabel(label)).toHaveValue('');

    const staff = (await visit(site, PHONE)).page;
    await staff.goto('/connexion-portail');
    await staff.getByLabel('Identifiant').fill(ADMIN.username);
    await staff.getByLabel('Mot de passe', { exact: true }).fill(ADMIN.password);
    await staff.getByRole('button', { name: 'Se connecter' }).click();
    const alert = staff.getByRole('listitem').filter({ hasText: 'Un message de contact à lire.' });
    await alert.getByRole('link', { name: 'Y aller' }).click();
    await expect(staff.getByRole('heading', { name: 'Messages de contact' })).toBeVisible();
    const item = staff.getByRole('listitem').filter({ hasText: 'Jeanne Petit' });
    await expect(item.getByText('Non lu')).toBeVisible();
    await expect(item.getByRole('link', { name: 'jeanne@exemple.fr' })).toHaveAttribute(
      'href',
      'mailto:jeanne@exemple.fr',
    );
    await expect(item.locator('.whitespace-pre-line')).toHaveText(
      'Bonjour,\nle séjour est-il complet\u202f?',
      { useInnerText: true },
    );
    await item.getByRole('button', { name: 'Marquer comme lu' }).click();
    await expect(staff.getByRole('status').getByText('Message marqué comme lu')).toBeVisible();
    await expect(item.getByText('Non lu', { exact: true })).toHaveCount(0);
    await item.getByRole('button', { name: 'Supprimer' }).click();
    const question = staff.getByRole('alertdialog', { name: 'Supprimer le message de Jeanne Petit\u202f?' });
    await question.getByRole('button', { name: 'Supprimer' }).click();
    await expect(staff.getByText('Aucun message pour le moment')).toBeVisible();
    await expect(staff.getByRole('heading', { name: 'Messages de contact' })).toBeFocused();
  });
});
