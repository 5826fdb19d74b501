import { expect, type Page } from '@playwright/test';
import { NIGHT_RULES, violationsOf } from '#tests/browser/axe.ts';
import type { RunningSite } from '#tests/browser/site.ts';
import { arrive, ask, DESKTOP, PHONE, refused, startFilledSite, test } from '#tests/browser/visit.ts';

/*
 * Every screen of the site, opened once a width as a person would who was given its address, and all that holds for
 * each of them: its status, the title bar, its heading, words that it has to say; nothing that axe finds wrong; as wide
 * as the window, whatever that is; nothing failed, nobody else asked. What each does beside that is in the files named
 * after it.
 */

let site: RunningSite;
let token: string;
test.beforeAll(async () => {
  site = await startFilledSite();
  token = await site.signIn();
  await ask(site, token, 'PUT /reglages', {
    organisation_nom: 'CSE Les Grands Pins',
    offres_emploi_url: 'https://example.org/',
    // Until somebody has chosen it, the page of the minutes asks for none.
    comptes_rendus_mot_de_passe: 'tournesol-lanterne-26',
  });
  await ask(site, token, 'POST /contact', {
    nom: 'Jeanne Petit',
    email: 'jeanne@exemple.fr',
    message: 'Bonjour.',
  });
});
test.afterAll(() => site?.stop());

/** What moves is looked at where it stands. */
const STILL = { reducedMotion: 'reduce' } as const;

/** What the title bar begins with, the heading, and words of the page; all three may be left to the files of a room. */
type Row = [address: string, title?: string, heading?: string, words?: string];

/** The ids are those of the example, which always arrives in one order. */
const PUBLIC: Row[] = [
  [
    '/',
    'Portail CSE',
    'CSE Les Grands Pins\u202f: nos colonies de vacances et votre comité social et économique',
    'Partenaires',
  ],
  ['/?actualite=1'],
  ['/?actualites=1'],
  ['/?unes=1'],
  ['/soir', 'Photos des séjours', 'Message du soir', 'Ne plus le recevoir'],
  ['/une-details/2', 'Une fin d’année au théâtre', 'Une fin d’année au théâtre', '7 € la place'],
  ['/Evenements', 'Nos événements', 'Nos événements', 'Événements passés'],
  ['/event-detail/3', 'Arbre de Noël des familles', 'Arbre de Noël des familles', 'Détails'],
  // With pictures below its text.
  ['/event-detail/5'],
  ['/avantages', 'Vos avantages CSE', 'Vos avantages CSE', 'Retrouvez ici tous vos avantages CSE'],
  ['/avantage-detail/2', 'Piscine Ondelise', 'Piscine Ondelise', 'Détails'],
  ['/a-propos', 'Nos Missions', 'Nos Missions', 'activités sociales et culturelles'],
  ['/contact', 'Contact', 'Contact', 'Écrivez-nous'],
  ['/recherche', 'Recherche', 'Recherche', 'un mot ou deux suffisent'],
  ['/recherche?q=enfants'],
  ['/recherche?q=zzzz'],
  ['/mentions-legales', 'Mentions légales', 'Mentions légales', 'Nous écrire'],
  [
    '/politique-confidentialite',
    'Politique de confidentialité',
    'Politique de confidentialité',
    '08/04/2024',
  ],
  ['/politique-photos', 'Politique photos', 'Politique photos', 'automatiquement'],
  ['/accessibilite', 'Accessibilité', 'Accessibilité', 'partiellement conforme'],
  ['/connexion-portail', 'Connexion au portail', 'Portail administrateur', 'Identifiant'],
  ['/invitation', 'Invitation', 'Votre accès au portail', 'Choisir et se connecter'],
  ['/connexion', 'Photos des séjours', 'Photos des séjours', 'Politique photos'],
  ['/deconnexion', 'Déconnexion', 'Vous êtes déconnecté', 'Ce qui reste sur cet appareil'],
  ['/compte-rendus', 'Compte rendus', 'Compte rendus', 'Réservés aux salariés'],
  ['/membres', 'Notre équipe', 'Notre équipe', '@example.org'],
];

/** Pages of what does not exist, and what they say. */
const GONE: [address: string, words: string][] = [
  ['/nulle-part', 'La page que vous recherchez n’existe pas'],
  ['/event-detail/999999', 'Cet événement n’existe pas ou n’existe plus.'],
  ['/event-detail/x', 'Cet événement n’existe pas ou n’existe plus.'],
  ['/avantage-detail/999999', 'Cet avantage n’existe pas ou n’existe plus.'],
  ['/une-details/999999', 'Cet élément À la Une n’existe pas ou n’existe plus.'],
  ['/?actualite=999999', 'Cette actualité n’existe pas ou n’existe plus.'],
  ['/?actualites=999', 'Cette page n’existe pas.'],
  ['/?actualites=x', 'Cette page n’existe pas.'],
];

/** The panels that the specification names, and others that the menu leaves out; then the forms of one item. */
const PORTAL: Row[] = [
  ['/portail?panneau=employe-creer', 'Ajouter un employé', 'Ajouter un employé', 'Responsable hiérarchique'],
  ['/portail?panneau=employe-modifier', 'Modifier un employé', 'Modifier un employé', 'Supprimer'],
  ['/portail?panneau=evenement-creer', 'Créer un événement', 'Créer un événement', 'Lieu'],
  ['/portail?panneau=evenement-modifier', 'Modifier un événement', 'Modifier un événement', 'Supprimer'],
  ['/portail?panneau=actualite-creer', 'Créer une actualité', 'Créer une actualité', 'Image de présentation'],
  ['/portail?panneau=actualite-modifier', 'Modifier une actualité', 'Modifier une actualité', 'Supprimer'],
  ['/portail?panneau=une-creer', 'Créer un élément', 'Créer un élément «\u00a0À LA UNE\u00a0»', 'Résumé'],
  [
    '/portail?panneau=une-modifier',
    'Modifier un élément',
    'Modifier un élément «\u00a0À LA UNE\u00a0»',
    'Supprimer',
  ],
  ['/portail?panneau=avantage-creer', 'Créer un avantage', 'Créer un avantage', 'Lien vers l’article'],
  ['/portail?panneau=avantage-modifier', 'Modifier un avantage', 'Modifier un avantage', 'Supprimer'],
  ['/portail?panneau=logos', 'Logos partenaires', 'Logos partenaires', 'Ajouter un logo partenaire'],
  [
    '/portail?panneau=logo-creer',
    'Ajouter un logo partenaire',
    'Ajouter un logo partenaire',
    'Adresse du site',
  ],
  ['/portail?panneau=logo-supprimer', 'Supprimer un logo', 'Supprimer un logo', 'Supprimer'],
  ['/portail?panneau=documents', 'Comptes rendus', 'Comptes rendus', 'Ajouter un compte rendu'],
  ['/portail?panneau=document-creer', 'Ajouter un compte rendu', 'Ajouter un compte rendu', 'Fichier PDF'],
  [
    '/portail?panneau=document-supprimer',
    'Supprimer un compte rendu',
    'Supprimer un compte rendu',
    'Supprimer',
  ],
  ['/portail?panneau=sejours-importer', 'Importer des séjours', 'Importer des séjours', 'Fichier à importer'],
  [
    '/portail?panneau=familles-importer',
    'Importer des familles',
    'Importer des familles',
    'Fichier à importer',
  ],
  [
    '/portail?panneau=direction-importer',
    'Importer des directeurs',
    'Importer des directeurs',
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
  ['/portail', 'Accueil du portail', 'Bonjour alice', 'À voir'],
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

/** Everything that axe finds wrong, in a form that says what and where. The colours of the night are those of any width. */
async function violationsOn(page: Page): Promise<string[]> {
  const byDay = await violationsOf(page);
  if (page.viewportSize()?.width === PHONE.viewport.width) return byDay;
  await page.emulateMedia({ colorScheme: 'dark' });
  const byNight = await violationsOf(page, NIGHT_RULES);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...byDay, ...byNight.map((one) => `dark ${one}`)];
}

async function expectWithin(page: Page, name: string, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
}

/** The page is without a violation, as wide as the screen, and has all it shows. */
async function expectSound(page: Page, name: string, width: number): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), name).toHaveCount(1);
  await expect(page.getByText('Chargement…'), name).toHaveCount(0);
  await expectWithin(page, name, width);
  expect(await violationsOn(page), name).toEqual([]);
}

/** Headings and buttons of which a part is cut off or beside the screen, but for those of slides that wait their turn. */
function cutParts(): string[] {
  const parts = document.querySelectorAll<HTMLElement>('h1, h2, h3, .button, button');
  return [...parts].flatMap((part) => {
    const { left, right, width } = part.getBoundingClientRect();
    if (
      width <= 1 ||
      !part.checkVisibility() ||
      part.closest('[inert], [aria-roledescription], .filters, .chart-area, .sr-only')
    )
      return [];
    const { overflowX, webkitLineClamp } = getComputedStyle(part);
    const isCut =
      overflowX !== 'visible' && webkitLineClamp === 'none' && part.scrollWidth > part.clientWidth + 1;
    const isBeside = left < -1 || right > document.documentElement.clientWidth + 1;
    return isCut || isBeside ? [`${part.tagName} ${part.textContent}`] : [];
  });
}

/** In windows of 320 px, and twice as wide with letters of twice the size, headings and buttons are whole. */
async function expectWhole(page: Page, address: string): Promise<void> {
  for (const [letters, width] of [
    ['100%', 320],
    ['200%', 640],
  ] as const) {
    await page.setViewportSize({ width, height: 640 });
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), letters);
    const name = `${address} at ${width} px, ${letters}`;
    await expectWithin(page, name, width);
    expect(await page.evaluate(cutParts), name).toEqual([]);
  }
  await page.setViewportSize(DESKTOP.viewport);
}

/** All that holds for a page that the window of a computer shows, then in windows of 320 px and with larger letters. */
async function expectPage(page: Page, address: string): Promise<void> {
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expectSound(page, address, DESKTOP.viewport.width);
  await expectWhole(page, address);
}

test('every public page has its status, title and words, is without a violation and fits from 1280 down to 320 px', async ({
  visit,
}) => {
  const { page, troubles } = await visit(site, { ...DESKTOP, ...STILL });
  for (const [address, title, heading, words] of PUBLIC) {
    const answer = await arrive(page, address);
    expect(answer?.status(), address).toBe(200);
    if (title) await expect(page, address).toHaveTitle(new RegExp(`^${title}( — |$)`));
    if (heading) await expect(page.getByRole('heading', { level: 1 }), address).toHaveText(heading);
    if (words) await expect(page.getByRole('main').getByText(words).first(), address).toBeAttached();
    await expectPage(page, address);
  }
  expect(troubles).toEqual([]);
  for (const [address, words] of GONE) {
    const answer = await arrive(page, address);
    expect(answer?.status(), address).toBe(404);
    await expect(page.getByRole('main').getByText(words).first(), address).toBeVisible();
    expect(troubles.splice(0), address).toEqual([refused(404)]);
    await expectPage(page, address);
  }
});

test('every public page is without a violation, and fits, on a phone', async ({ visit }) => {
  const { page, troubles } = await visit(site, { ...PHONE, ...STILL });
  for (const [address] of [...PUBLIC, ...GONE]) {
    await arrive(page, address);
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await expectSound(page, address, PHONE.viewport.width);
  }
  expect(troubles.splice(0)).toEqual(GONE.map(() => refused(404)));
});

/** Goes to an address as a link of the site does, without loading the page anew. */
async function goWithin(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, address);
}

/** What screen readers are told of the focused element: its role and its name. */
async function focusedNode(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  // The window is focused as well.
  const focused = nodes.filter(({ properties }) =>
    properties?.some(({ name, value }) => name === 'focused' && value.value === true),
  );
  return `${focused.at(-1)?.role?.value} ${focused.at(-1)?.name?.value}`;
}

/** Sign-ins begin in their first field. */
const FIRST_FIELDS: Readonly<Record<string, string>> = {
  '/connexion-portail': 'Identifiant',
  '/invitation': 'Mot de passe',
};

test('who comes to a page or a panel by a link is at its title, which screen readers say', async ({
  visit,
}) => {
  const { page } = await visit(site, { ...DESKTOP, ...STILL });
  await arrive(page, '/contact');
  const walk = async (addresses: string[]) => {
    for (const address of addresses) {
      await goWithin(page, address);
      const title = page.getByRole('heading', { level: 1 });
      await expect(page.getByText('Chargement…'), address).toHaveCount(0);
      const field = FIRST_FIELDS[address];
      if (field) {
        await expect(page.getByLabel(field, { exact: true }), address).toBeFocused();
        continue;
      }
      await expect(title, address).toBeFocused();
      const text = (await title.innerText()).replaceAll(/\s+/g, ' ').trim();
      const said = (await focusedNode(page)).replaceAll(/\s+/g, ' ').trim();
      expect(said, address).toBe(`heading ${text}`);
    }
  };
  await walk([...PUBLIC.map(([address]) => address).filter((one) => one !== '/contact'), '/nulle-part']);
  await enter(page);
  await walk(PORTAL.map(([address]) => address).filter((one) => one !== '/portail'));
});

const panelLinks = (page: Page) => page.locator('nav[aria-label="Panneaux du portail"] a');

async function enter(page: Page): Promise<void> {
  await arrive(page, '/');
  await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
  await arrive(page, '/portail');
  await expect(panelLinks(page)).not.toHaveCount(0);
}

test('every panel and form has its address, title and words, is without a violation and fits at 1280 px', async ({
  visit,
}) => {
  const { page } = await visit(site, { ...DESKTOP, ...STILL });
  await enter(page);
  const panels = await panelLinks(page).evaluateAll((all) =>
    all.map((link) => link.getAttribute('href') ?? ''),
  );
  const named = PORTAL.map(([address]) => address);
  const others = panels.filter((address) => !named.includes(address)).map((address): Row => [address]);
  for (const [address, title, heading, words] of [...PORTAL, ...others]) {
    await arrive(page, address);
    if (heading) await expect(page.getByRole('heading', { level: 1 }), address).toContainText(heading);
    if (title) await expect(page, address).toHaveTitle(new RegExp(`^${title}`));
    if (words) await expect(page.getByRole('main').getByText(words).first(), address).toBeVisible();
    await expectSound(page, address, DESKTOP.viewport.width);
  }
});

test('every panel opens from the menu of a phone; they and every form are without a violation, and fit', async ({
  visit,
}) => {
  const { page } = await visit(site, { ...PHONE, ...STILL });
  const { width } = PHONE.viewport;
  await enter(page);
  await expectSound(page, '/portail', width);
  const heading = page.getByRole('heading', { level: 1 });
  // The first one leads to where the portal begins.
  for (const link of (await panelLinks(page).all()).slice(1)) {
    const before = (await heading.textContent()) ?? '';
    const name = (await link.textContent()) ?? '';
    // Those of a menu that is closed, too.
    await link.dispatchEvent('click');
    await expect(heading, name).not.toHaveText(before);
    await expectSound(page, name, width);
  }
  for (const [address] of PORTAL.filter(([address]) => address.includes('-modify/'))) {
    await arrive(page, address);
    await expectSound(page, address, width);
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

test('menus, dialogs and notices are without a violation', async ({ visit }) => {
  const { page } = await visit(site, { ...DESKTOP, ...STILL });
  await arrive(page, '/');
  await page.getByRole('button', { name: 'Informations utiles' }).click();
  expect(await violationsOn(page), 'submenu').toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await violationsOn(page), 'menu of a phone').toEqual([]);

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate((value) => localStorage.setItem('adminToken', value), token);
  await page.goto(`/portail?panneau=une-modifier`);
  await page.getByRole('button', { name: 'Modifier', exact: true }).click();
  await expect(page.getByRole('alert').getByText('Veuillez sélectionner un élément À la Une.')).toBeVisible();
  expect(await violationsOn(page), 'notice').toEqual([]);
  await page.getByLabel('Élément À la Une').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Supprimer' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  expect(await violationsOn(page), 'question').toEqual([]);
  await page.keyboard.press('Escape');

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('séjours');
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  expect(await violationsOn(page), 'search').toEqual([]);
  await page.keyboard.press('Escape');

  await page.goto(`/portail?panneau=actualite-creer`);
  await page.getByRole('button', { name: 'Publier' }).click();
  await expect(page.getByText('Ce champ est obligatoire.')).toHaveCount(2);
  expect(await violationsOn(page), 'errors').toEqual([]);
});
