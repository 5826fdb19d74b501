import { expect, type Page } from '@playwright/test';
import { IDENTITY_FIELDS, SETTING_LABELS } from '#features/site/shared/identity.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { addStay, ask, DESKTOP, enterPortal, LONG, publish, test } from '#tests/browser/visit.ts';
import { type Asked, EVERYDAY, FRESH, LATER, WORLD } from './everyday.ts';

/* What staff type in the search of the portal finds its place, among all that an ordinary site has. */

let site: RunningSite;
let token: string;
/** Stays of `WORLD` have these numbers behind those of the example. */
const numbers: number[] = [];
test.beforeAll(async () => {
  site = await startSite('sqlite');
  token = await site.signIn();
  for (const name of WORLD.stays) numbers.push((await addStay(site, token, name)).id);
  expect(numbers).toEqual(WORLD.stays.map((_, index) => index + 1));
  for (const [index, [prenom, nom]] of WORLD.children.entries())
    await ask(site, token, 'POST /add-stagiaire', {
      nom,
      prenom,
      mailRL: `parent${index}.${nom.replaceAll(/\W/g, '')}@exemple.fr`,
      stageId: 6 - index,
    });
  for (const [index, [prenom, nom]] of WORLD.directors.entries())
    await ask(site, token, 'POST /formateurs/add', {
      nom,
      prenom,
      mail: `direction${index}@exemple.fr`,
      telephone: '06 12 34 56 78',
      cat: 'sejour',
      stageId: index + 1,
    });
  for (const [prenom, nom] of WORLD.employees)
    await publish(site, token, '/create-employes', {
      nom,
      prenom,
      poste: 'Comptable',
      email: 'accueil@exemple.fr',
      telephone: '04 76 00 00 00',
    });
  // Mails to all of them, which come behind the people.
  for (const type of ['stagiaire', 'formateur'])
    await ask(site, token, 'POST /stages/envoi-mots-de-passe', { stageIds: numbers, type });
});
test.afterAll(() => site?.stop());

/** What the settings are called, by `reglages#` and their name. */
const SETTINGS = new Map([
  ...Object.entries(IDENTITY_FIELDS).map(([name, { label }]) => [`reglages#${name}`, label] as const),
  ...Object.entries(SETTING_LABELS).map(([name, label]) => [`reglages#${name}`, label] as const),
]);

/** Panels that the menu leaves out, as they are called. */
const LEFT_OUT: readonly [key: string, label: string][] = [
  ['employe-creer', 'Ajouter un employé'],
  ['employe-modifier', 'Modifier un employé'],
  ['evenement-creer', 'Créer un événement'],
  ['evenement-modifier', 'Modifier un événement'],
  ['actualite-creer', 'Créer une actualité'],
  ['actualite-modifier', 'Modifier une actualité'],
  ['une-creer', 'Créer un élément «\u00a0À LA UNE\u00a0»'],
  ['une-modifier', 'Modifier un élément «\u00a0À LA UNE\u00a0»'],
  ['avantage-creer', 'Créer un avantage'],
  ['avantage-modifier', 'Modifier un avantage'],
  ['sejours-importer', 'Importer des séjours'],
  ['familles-importer', 'Importer des familles'],
  ['direction-importer', 'Importer des directeurs'],
  ['sejours-affecter', 'Affecter des séjours'],
  ['mots-de-passe', 'Mots de passe'],
  ['rapport', 'Rapport d’un séjour'],
];

/** Panels that came after the list of what is typed: each does what the one before it does. */
const ALSO: Readonly<Record<string, string>> = {
  'employe-modifier': 'employes',
  'evenement-modifier': 'evenements',
  'actualite-modifier': 'actualites',
  'une-modifier': 'unes',
  'avantage-modifier': 'avantages',
  ecrire: 'familles-ecrire',
};

/** What places are called among the results: panels by their keys, and settings. */
async function readNames(page: Page): Promise<Map<string, string>> {
  const links = page.getByRole('navigation', { name: 'Panneaux du portail' }).locator('a');
  const panels = await links.evaluateAll((all) =>
    all.map(
      (link) =>
        [
          new URL((link as HTMLAnchorElement).href).searchParams.get('panneau') ?? '',
          link.textContent.trim(),
        ] as const,
    ),
  );
  return new Map([...panels, ...LEFT_OUT, ...SETTINGS]);
}

/** Results in their order on the screen. */
async function resultsOf(page: Page, typed: string): Promise<string[]> {
  await page.getByRole('combobox').fill(typed);
  const results = page.getByRole('grid', { name: 'Résultats' });
  await expect(results).toHaveAttribute('aria-busy', 'false');
  return results.evaluate((grid) =>
    [...grid.querySelectorAll('[role=row] [role=gridcell]:first-child')].map(
      (cell) => cell.firstChild?.textContent ?? '',
    ),
  );
}

/** Those whose place is none of the first results, with what these are. */
async function missed(page: Page, all: readonly Asked[], first = 3): Promise<string[]> {
  const lines: string[] = [];
  const called = await readNames(page);
  for (const { typed, places } of all) {
    const results = await resultsOf(page, typed);
    const names = places
      .flatMap((place) => [place, ALSO[place] ?? place])
      .map((place) => called.get(place) ?? place);
    if (!results.slice(0, first).some((one) => names.includes(one)))
      lines.push(`${typed} (${names.join(', ')}): ${results.slice(0, 6).join(', ')}`);
  }
  return lines;
}

test('nine of ten everyday questions find their place among the first three results, and every setting', async ({
  visit,
}) => {
  test.setTimeout(LONG.timeout);
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail');
  await page.keyboard.press('ControlOrMeta+K');
  const lines = await missed(page, EVERYDAY);
  expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(EVERYDAY.length / 10);
  const later = await missed(page, LATER);
  expect(later.length, later.join('\n')).toBeLessThanOrEqual(LATER.length / 10);
  const fresh = await missed(page, FRESH);
  // What nobody wrote words for: not the aim, and not to get worse.
  expect(fresh.length, fresh.join('\n')).toBeLessThanOrEqual(FRESH.length / 4);
  expect(
    await missed(
      page,
      [...SETTINGS.values()].map((typed) => ({ typed, places: [typed] })),
      Number.POSITIVE_INFINITY,
    ),
  ).toEqual([]);
});

test('what has no result says so, and where to begin', async ({ visit }) => {
  const { page } = await enterPortal(visit, site, DESKTOP, '/portail');
  await page.keyboard.press('ControlOrMeta+K');
  expect(await resultsOf(page, 'xylophone')).toEqual(
    expect.arrayContaining(['Séjours', 'Écrire aux familles']),
  );
  await expect(page.getByText('Aucun résultat pour «\u00a0xylophone\u00a0».')).toBeVisible();
  expect(await resultsOf(page, 'imprimer xylophone')).toEqual(
    expect.arrayContaining(['Étiquettes à imprimer']),
  );
  await expect(page.getByText('Rien n’a tous ces mots.')).toBeVisible();
  // A person comes before the mails that went to them.
  expect((await resultsOf(page, 'dupont'))[0]).toBe('Léa Dupont');
});
