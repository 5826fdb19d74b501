import { expect } from '@playwright/test';
import type { RunningSite } from '#tests/browser/site.ts';
import { arrive, ask, DESKTOP, refused, startFilledSite, test } from '#tests/browser/visit.ts';

/*
 * Every address of the site, opened as a person would who was given it: its status, the title bar, its heading and
 * words that it has to say. What each does beside that is in the files named after it.
 */

let site: RunningSite;
let token: string;
test.beforeAll(async () => {
  site = await startFilledSite();
  token = await site.signIn();
  // Until somebody has chosen it, the page of the minutes asks for none.
  await ask(site, token, 'PUT /reglages', { comptes_rendus_mot_de_passe: 'tournesol-2026' });
});
test.afterAll(() => site?.stop());

type Row = [address: string, title: string, heading: string, words: string];

/** The ids are those of the example, which always arrives in one order. */
const PUBLIC: Row[] = [
  [
    '/',
    'Portail CSE',
    'CSE Les Grands Pins, votre comité social et économique : ses actualités, ses avantages, et les photos des séjours pour les familles',
    'Partenaires',
  ],
  ['/a-propos', 'Nos Missions', 'Nos Missions', 'activités sociales et culturelles'],
  ['/membres', 'Notre équipe', 'Notre équipe', '@example.org'],
  ['/Evenements', 'Nos événements', 'Nos événements', 'Événements passés'],
  ['/event-detail/3', 'Arbre de Noël des familles', 'Arbre de Noël des familles', 'Détails'],
  ['/une-details/2', 'Une fin d’année au théâtre', 'Une fin d’année au théâtre', '7 € la place'],
  ['/avantages', 'Vos avantages CSE', 'Vos avantages CSE', 'Retrouvez ici tous vos avantages CSE'],
  ['/avantage-detail/2', 'Piscine Ondelise', 'Piscine Ondelise', 'Détails'],
  ['/compte-rendus', 'Compte rendus', 'Compte rendus', 'Réservés aux salariés'],
  ['/contact', 'Contact', 'Contact', 'Écrivez-nous'],
  ['/recherche', 'Recherche', 'Recherche', 'un mot ou deux suffisent'],
  ['/mentions-legales', 'Mentions légales', 'Mentions légales', 'Nous écrire'],
  [
    '/politique-confidentialite',
    'Politique de confidentialité',
    'Politique de confidentialité',
    '08/04/2024',
  ],
  ['/politique-photos', 'Politique photos', 'Politique photos', 'automatiquement'],
  ['/accessibilite', 'Accessibilité', 'Accessibilité', 'partiellement conforme'],
  ['/connexion', 'Photos des séjours', 'Photos des séjours', 'Politique photos'],
  ['/deconnexion', 'Déconnexion', 'Vous êtes déconnecté', 'Ce qui reste sur cet appareil'],
  ['/connexion-portail', 'Connexion au portail', 'Portail administrateur', 'Identifiant'],
];

test('every public page has its address, its title and its words', async ({ visit }) => {
  const { page } = await visit(site, DESKTOP);
  for (const [address, title, heading, words] of PUBLIC) {
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(200);
    await expect(page, address).toHaveTitle(new RegExp(`^${title}( — |$)`));
    await expect(page.getByRole('heading', { level: 1 }), address).toHaveText(heading);
    await expect(page.getByRole('main').getByText(words).first(), address).toBeAttached();
  }
});

/** The panels that the specification names, then the forms of one item. */
const PORTAL: Row[] = [
  ['/portail?panneau=employe-creer', 'Ajouter un employé', 'Ajouter un employé', 'Responsable hiérarchique'],
  ['/portail?panneau=employe-modifier', 'Modifier un employé', 'Modifier un employé', 'Choisir par son nom'],
  ['/portail?panneau=evenement-creer', 'Créer un événement', 'Créer un événement', 'Lieu'],
  [
    '/portail?panneau=evenement-modifier',
    'Modifier un événement',
    'Modifier un événement',
    'Choisir par son nom',
  ],
  ['/portail?panneau=actualite-creer', 'Créer une actualité', 'Créer une actualité', 'Image de présentation'],
  [
    '/portail?panneau=actualite-modifier',
    'Modifier une actualité',
    'Modifier une actualité',
    'Choisir par son nom',
  ],
  ['/portail?panneau=une-creer', 'Créer un élément', 'Créer un élément «\u00a0À LA UNE\u00a0»', 'Résumé'],
  [
    '/portail?panneau=une-modifier',
    'Modifier un élément',
    'Modifier un élément «\u00a0À LA UNE\u00a0»',
    'Choisir par son nom',
  ],
  ['/portail?panneau=avantage-creer', 'Créer un avantage', 'Créer un avantage', 'Lien vers l’article'],
  [
    '/portail?panneau=avantage-modifier',
    'Modifier un avantage',
    'Modifier un avantage',
    'Choisir par son nom',
  ],
  ['/portail?panneau=logos', 'Logos partenaires', 'Ajouter un logo partenaire', 'Adresse du site'],
  ['/portail?panneau=documents', 'Comptes rendus', 'Ajouter un compte rendu', 'Fichier PDF'],
  ['/portail?panneau=sejours-importer', 'Importer des séjours', 'Importer des séjours', 'Fichier à importer'],
  [
    '/portail?panneau=familles-importer',
    'Importer des familles',
    'Importer des familles',
    'Fichier à importer',
  ],
  [
    '/portail?panneau=codes-envoyer',
    'Envoyer les codes',
    'Envoyer les codes',
    'Chaque adresse reçoit un message',
  ],
  ['/portail?panneau=familles', 'Familles', 'Familles', 'Les enfants inscrits à un séjour'],
  ['/portail?panneau=rapport', 'Rapport d’un séjour', 'Rapport d’un séjour', 'Un classeur Excel'],
  ['/portail?panneau=livrets', 'Livrets', 'Livrets', 'Livret'],
  ['/portail?panneau=directeurs', 'Directeurs', 'Directeurs', 'Qui dirige quel séjour'],
  ['/portail?panneau=photos', 'Photos d’un séjour', 'Photos d’un séjour', 'Photos'],
  ['/portail?panneau=mots-de-passe', 'Mots de passe', 'Mots de passe', 'Mots de passe'],
  ['/portail?panneau=sejours-affecter', 'Affecter des séjours', 'Affecter des séjours', 'Affecter'],
  ['/portail', 'Accueil du portail', 'Bonjour alice', 'Contenus'],
  ['/actu-modify/1', 'Modifier une actualité', 'Modifier les informations de l’actualité', 'Titre'],
  ['/une-modify/1', 'Modifier un élément', 'Modifier les informations', 'Résumé'],
  ['/event-modify/1', 'Modifier un événement', 'Modifier les informations de l’événement', 'Lieu'],
  [
    '/avantage-modify/1',
    'Modifier un avantage',
    'Modifier les informations de l’avantage',
    'Lien vers l’article',
  ],
  ['/employe-modify/1', 'Modifier un employé', 'Modifier les informations de l’employé', 'Poste'],
];

test('every page of the portal has its address, its title and its words', async ({ visit }) => {
  const { page } = await visit(site, DESKTOP);
  await page.goto('/');
  await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
  for (const [address, title, heading, words] of PORTAL) {
    await arrive(page, address);
    await expect(page.getByRole('heading', { level: 1 }), address).toContainText(heading);
    await expect(page, address).toHaveTitle(new RegExp(`^${title}`));
    await expect(page.getByRole('main').getByText(words).first(), address).toBeVisible();
  }
});

test('the portal and the pages of a stay send whoever is not signed in to the page where they sign in', async ({
  visit,
}) => {
  const { page } = await visit(site, DESKTOP);
  for (const address of ['/portail', '/event-modify/1', '/avantage-modify/1', '/employe-modify/1']) {
    await page.goto(address);
    await expect(page, address).toHaveURL('/connexion-portail');
  }
  await page.goto('/stage-details/12');
  await expect(page).toHaveURL('/connexion?stageId=12');
  await expect(page.getByLabel('Numéro du séjour')).toHaveValue('12');
  for (const address of ['/formateur', '/mes-sejours']) {
    await page.goto(address);
    await expect(page, address).toHaveURL('/connexion');
  }
});

const NOTHING: [address: string, words: string][] = [
  ['/nulle-part', "La page que vous recherchez n'existe pas"],
  ['/event-detail/999999', 'Cet événement n’existe pas ou n’existe plus.'],
  ['/event-detail/x', 'Cet événement n’existe pas ou n’existe plus.'],
  ['/avantage-detail/999999', 'Cet avantage n’existe pas ou n’existe plus.'],
  ['/une-details/999999', 'Cet élément À la Une n’existe pas ou n’existe plus.'],
  ['/?actualite=999999', 'Cette actualité n’existe pas ou n’existe plus.'],
  ['/?actualites=999', 'Cette page d’actualités n’existe pas.'],
];

test('what does not exist is a 404 that says so', async ({ visit }) => {
  const { page, troubles } = await visit(site, DESKTOP);
  for (const [address, words] of NOTHING) {
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(404);
    await expect(page.getByRole('main').getByText(words).first(), address).toBeVisible();
    expect(troubles.splice(0), address).toContainEqual(refused(404));
  }
});
