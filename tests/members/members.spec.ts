import { expect, type Page } from '@playwright/test';
import { openDatabase } from '#platform/server/db/open.ts';
import { ofName } from '#platform/shared/elision.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  arrive,
  ask,
  boxOf,
  coloured,
  DESKTOP,
  PHONE,
  refused,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';
import { type FormValue, form } from '#tests/support/forms.ts';

const card = (page: Page, name: string) => page.locator('.person').filter({ hasText: name });
const team = (page: Page, name: string) => page.getByRole('button', { name: `Équipe ${ofName(name)}, ` });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Chercher un nom ou un poste' });
const said = (page: Page) => page.getByRole('search').getByRole('status');
const area = (page: Page) => page.getByRole('region', { name: 'Organigramme' });

/** Puts people in the chart, each under the one named before them; the answer says their ids. */
async function hire(
  site: RunningSite,
  people: readonly (readonly [name: string, manager?: string, more?: Record<string, FormValue>])[],
): Promise<Record<string, number>> {
  const token = await site.signIn();
  const ids: Record<string, number> = {};
  for (const [name, manager, more] of people) {
    const [prenom = '', nom = ''] = name.split(' ');
    const body = form({
      prenom,
      nom,
      poste: 'Agent',
      email: `${nom.toLowerCase()}@example.org`,
      ...(manager ? { manager_id: String(ids[manager]) } : {}),
      ...more,
    });
    const created = await ask(site, token, 'POST /create-employes', body);
    expect(created.status).toBe(201);
    ids[name] = ((await created.json()) as { id: number }).id;
  }
  return ids;
}

test.describe('A chart', () => {
  let site: RunningSite;
  test.beforeAll(async () => {
    site = await startSite('sqlite');
  });
  test.afterAll(() => site?.stop());

  test('of nobody says so, and one that cannot be read says so and comes back with another try', async ({
    visit,
  }) => {
    const { page, troubles } = await visit(site, PHONE);
    await page.goto('/membres');
    await expect(page.getByText('L’organigramme n’est pas encore en ligne.')).toBeVisible();

    // A write, so that the site has no kept answer to give.
    await hire(site, [['Awa Delmas', undefined, { role: 'Responsable', poste: 'Directrice' }]]);
    const database = openDatabase({ directory: site.directory });
    try {
      await database.write((db) => db.schema.alterTable('employes').renameTo('ailleurs').execute());
      await page.goto('/membres');
      await expect(page.getByText('L’organigramme n’a pas pu être chargé.')).toBeVisible();
    } finally {
      await database.write((db) => db.schema.alterTable('ailleurs').renameTo('employes').execute());
      await database.close();
    }
    // The page itself, and what the browser asked twice.
    expect(troubles.splice(0)).toEqual([
      refused(503),
      refused(500),
      refused(500),
      expect.stringMatching(/^Erreur lors de la récupération de l’organigramme: /),
    ]);
    await page.getByRole('button', { name: 'Réessayer' }).click();
    await expect(card(page, 'Awa Delmas')).toHaveText(/Directrice\s*Responsable/);
  });

  test('shows whom one may write to or call, and nothing that is not for visitors', async ({ visit }) => {
    await hire(site, [
      ['Inès Kerviel', undefined, { telephone: '01 99 00 12 12', email_public: '0' }],
      [
        'Théo Nguyen',
        undefined,
        { telephone: '+33 1 99 00 12 13', photo: await coloured('#2f6f62', [900, 600]), cadrage_x: '20' },
      ],
      ['Zoé Rakoto', undefined, { telephone: '01 99 00 12 14', telephone_public: '0' }],
    ]);
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/membres');
    expect(await page.content()).not.toContain('kerviel@example.org');
    expect(await page.content()).not.toContain('01 99 00 12 14');
    const links = (name: string) =>
      card(page, name)
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(await links('Inès Kerviel')).toEqual(['tel:0199001212']);
    expect(await links('Théo Nguyen')).toEqual(['mailto:nguyen@example.org', 'tel:+33199001213']);
    expect(await links('Zoé Rakoto')).toEqual(['mailto:rakoto@example.org']);
    for (const link of await card(page, 'Théo Nguyen').getByRole('link').all()) {
      expect((await boxOf(link)).height).toBeGreaterThanOrEqual(44);
    }
    await expect(card(page, 'Théo Nguyen').locator('img')).toHaveCSS('object-position', '20% 50%');
    await expect(card(page, 'Zoé Rakoto')).toContainText('ZR');
  });
});

test.describe('A chart of many', () => {
  let site: RunningSite;
  let ids: Record<string, number>;
  test.beforeAll(async () => {
    site = await startSite('sqlite');
    ids = await hire(site, [
      ['Awa Delmas'],
      ['Bastien Okonkwo', 'Awa Delmas'],
      ['Inès Kerviel', 'Bastien Okonkwo', { poste: 'Chargée d’accueil' }],
      ['Maël Kerviel-Roux', 'Bastien Okonkwo', { poste: 'Comptable' }],
      ['Clara Wisniewski', 'Awa Delmas'],
      [`Donaudampf${'schifffahrts'.repeat(6)} ${'Gesellschaft'.repeat(6)}`, 'Clara Wisniewski'],
      // Each leads the next, so that they stand side by side and one under the other.
      ...Array.from({ length: 38 }, (_, n) =>
        n % 2 ? ([`Jean N${n}`, `Jean N${n - 1}`] as const) : ([`Jean N${n}`, 'Clara Wisniewski'] as const),
      ),
    ]);
  });
  test.afterAll(() => site?.stop());

  test('is read whole, as lists within lists, where no script runs', async ({ visit }) => {
    const { page } = await visit(site, { ...PHONE, javaScriptEnabled: false });
    await page.goto('/membres');
    const member = (name: string) => page.getByRole('listitem').filter({ has: card(page, name) });
    const below = member('Awa Delmas')
      .getByRole('list')
      .filter({ has: card(page, 'Bastien Okonkwo') });
    await expect(below.getByRole('list').getByText('Inès Kerviel')).toBeVisible();
    await expect(page.locator('.person:visible')).toHaveCount(44);
    await expect(page.locator('main').getByRole('button')).toHaveCount(0);
  });

  test('begins with its first two levels, and unfolds and folds by the keyboard', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/membres');
    await expect(card(page, 'Bastien Okonkwo')).toBeVisible();
    await expect(card(page, 'Inès Kerviel')).toBeHidden();
    const bastien = team(page, 'Bastien Okonkwo');
    await expect(bastien).toHaveAccessibleName('Équipe de Bastien Okonkwo, 2 personnes');
    await expect(bastien).toHaveAttribute('aria-expanded', 'false');
    await bastien.focus();
    const before = await boxOf(bastien);
    await page.keyboard.press('Enter');
    await expect(card(page, 'Inès Kerviel')).toBeVisible();
    await expect(bastien).toHaveAttribute('aria-expanded', 'true');
    // The tree has grown around it.
    expect((await boxOf(bastien)).x).toBeCloseTo(before.x, 0);
    await page.keyboard.press('Space');
    await expect(card(page, 'Inès Kerviel')).toBeHidden();

    await page.getByRole('button', { name: 'Tout déplier' }).click();
    await expect(page.locator('.person:visible')).toHaveCount(44);
    await page.getByRole('button', { name: 'Tout replier' }).click();
    await expect(page.locator('.person:visible')).toHaveText([/Awa Delmas/]);
  });

  test('finds people by name or post whatever their accents, unfolds what hides them and goes from one to the next', async ({
    visit,
  }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/membres');
    await search(page).fill('INES accueil');
    await expect(said(page)).toHaveText('1 sur 1\u202f: Inès Kerviel');
    await expect(card(page, 'Inès Kerviel').locator('mark')).toHaveText(['Inès', 'accueil']);
    await expect(card(page, 'Inès Kerviel')).toBeVisible();

    // The first at once, and from there to the others and back.
    await search(page).fill('kerv');
    await expect(said(page)).toHaveText('1 sur 2\u202f: Inès Kerviel');
    await expect(card(page, 'Inès Kerviel')).toBeInViewport({ ratio: 1 });
    await expect(search(page)).toBeFocused();
    await search(page).press('Enter');
    await expect(said(page)).toHaveText('2 sur 2\u202f: Maël Kerviel-Roux');
    await expect(card(page, 'Maël Kerviel-Roux')).toHaveCSS('outline-style', 'solid');
    await search(page).press('Enter');
    await expect(said(page)).toHaveText('1 sur 2\u202f: Inès Kerviel');
    await search(page).press('Shift+Enter');
    await expect(said(page)).toHaveText('2 sur 2\u202f: Maël Kerviel-Roux');
    await page.getByRole('button', { name: 'Précédent' }).click();
    await expect(said(page)).toHaveText('1 sur 2\u202f: Inès Kerviel');
    await page.getByRole('button', { name: 'Suivant' }).click();
    await expect(said(page)).toHaveText('2 sur 2\u202f: Maël Kerviel-Roux');
    await expect(card(page, 'Maël Kerviel-Roux')).toBeInViewport({ ratio: 1 });
    await expect(page.locator('mark')).toHaveText(['Kerviel', 'Kerviel']);

    await search(page).fill('licorne');
    await expect(said(page)).toHaveText('Personne ne correspond à «\u00a0licorne\u00a0».');
    await search(page).press('Escape');
    await expect(search(page)).toHaveValue('');
    await expect(said(page)).toHaveText('');
    await expect(page.locator('mark')).toHaveCount(0);
  });

  test('is made larger and smaller, as a tree only', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/membres');
    const width = async () => (await boxOf(card(page, 'Awa Delmas'))).width;
    const normal = await width();
    const zoom = page.locator('main').getByRole('status').filter({ hasText: 'Taille' });
    for (const [name, percent] of [
      ['Agrandir', 120],
      ['Agrandir', 140],
      ['Agrandir', 160],
      ['Agrandir', 160],
      ['Revenir à 100\u00a0%', 100],
      ['Réduire', 80],
      ['Réduire', 60],
      ['Réduire', 60],
    ] as const) {
      // By the keyboard, which stays where it is also at the last step.
      await page.getByRole('button', { name }).press('Enter');
      await expect(zoom).toHaveText(`Taille\u202f: ${percent}\u00a0%`);
      expect(await width()).toBeCloseTo((normal * percent) / 100, 0);
      await expect(card(page, 'Awa Delmas')).toBeInViewport();
    }
    await page.setViewportSize(PHONE.viewport);
    await expect(page.getByRole('button', { name: 'Agrandir' })).toBeHidden();
    expect(await width()).toBe(328);
  });

  test('in its list, a search scrolls to the first found while one types', async ({ visit }) => {
    const { page } = await visit(site, PHONE);
    await arrive(page, '/membres');
    await search(page).fill('mael');
    await expect(said(page)).toHaveText('1 sur 1\u202f: Maël Kerviel-Roux');
    await expect(card(page, 'Maël Kerviel-Roux')).toBeInViewport({ ratio: 1 });
    await expect(card(page, 'Maël Kerviel-Roux').locator('mark')).toHaveText('Maël');
  });

  test('is a list up to 768 px and a drawing above, until one chooses', async ({ visit }) => {
    const { page } = await visit(site, { viewport: { width: 768, height: 1000 } });
    await arrive(page, '/membres');
    const isDrawn = async () => {
      const [above, below] = [
        await boxOf(card(page, 'Bastien Okonkwo')),
        await boxOf(card(page, 'Clara Wisniewski')),
      ];
      return above.y === below.y;
    };
    expect(await isDrawn()).toBe(false);
    await page.setViewportSize({ width: 1024, height: 1000 });
    await expect.poll(isDrawn).toBe(true);
    await page.getByRole('button', { name: 'Voir la liste' }).press('Enter');
    expect(await isDrawn()).toBe(false);
    await expect(page.getByRole('button', { name: 'Voir l’organigramme' })).toBeFocused();
    await page.getByRole('button', { name: 'Voir l’organigramme' }).click();
    expect(await isDrawn()).toBe(true);
    await page.setViewportSize({ width: 768, height: 1000 });
    await expect(page.getByRole('button', { name: 'Voir la liste' })).toBeVisible();
    expect(await isDrawn()).toBe(true);
  });

  test('leads to whoever its address names', async ({ visit }) => {
    const { page } = await visit(site, PHONE);
    const maelAt = `/membres#employe-${ids['Maël Kerviel-Roux']}`;
    await arrive(page, maelAt);
    await expect(card(page, 'Maël Kerviel-Roux')).toBeInViewport({ ratio: 1 });

    const { page: other } = await visit(site, DESKTOP);
    await arrive(other, '/membres#employe-999999');
    await expect(card(other, 'Maël Kerviel-Roux')).toBeHidden();
    // Within the page that is there.
    await other.goto(maelAt);
    await expect(card(other, 'Maël Kerviel-Roux')).toBeInViewport({ ratio: 1 });
  });

  for (const { screen, options } of SCREENS) {
    test(`never is wider than the screen, however long its names and wide its tree, ${screen}`, async ({
      visit,
    }) => {
      const { page } = await visit(site, options);
      await arrive(page, '/membres');
      await page.getByRole('button', { name: 'Tout déplier' }).click();
      await expect(page.locator('.person:visible')).toHaveCount(44);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
      const shown = await area(page).evaluate((one) => [one.scrollWidth, one.clientWidth] as const);
      if (options === PHONE) expect(shown[0]).toBe(shown[1]);
      else expect(shown[0]).toBeGreaterThan(shown[1]);
    });
  }

  test('is dragged by a mouse', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/membres');
    await page.getByRole('button', { name: 'Tout déplier' }).click();
    const before = await boxOf(card(page, 'Awa Delmas'));
    // Beside the only card of the first level.
    await page.mouse.move(before.x - 50, before.y + 20);
    await page.mouse.down();
    await page.mouse.move(before.x - 250, before.y + 20, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await boxOf(card(page, 'Awa Delmas'))).x).toBe(before.x - 200);
    await page.mouse.move(before.x - 50, before.y + 20);
    expect((await boxOf(card(page, 'Awa Delmas'))).x).toBe(before.x - 200);
  });

  test('is fitted to its frame, again when the window changes, until somebody moves it', async ({
    visit,
  }) => {
    const { page } = await visit(site, { viewport: { width: 1024, height: 800 } });
    await arrive(page, '/membres');
    const [bastien, clara] = [team(page, 'Bastien Okonkwo'), team(page, 'Clara Wisniewski')];
    await bastien.click();
    await page.getByRole('button', { name: 'Ajuster à la page' }).click();
    /** How far the cards that stand on the edges are from those of the frame. */
    const margins = async () => {
      const frame = await boxOf(area(page));
      const cards = await page.locator('.person:visible').evaluateAll((all) =>
        all.map((one) => {
          const { left, right } = one.getBoundingClientRect();
          return { left, right };
        }),
      );
      return {
        left: Math.min(...cards.map(({ left }) => left)) - frame.x,
        right: frame.x + frame.width - Math.max(...cards.map(({ right }) => right)),
      };
    };
    for (const width of [1280, 1920, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      const { left, right } = await margins();
      expect(left).toBeGreaterThan(0);
      expect(right).toBeGreaterThan(0);
      const frame = await boxOf(area(page));
      // The column of the page; on wide screens nearly all of the window.
      expect(frame.width).toBe(width < 1600 ? Math.min(width, 1152) - 32 : width - 48);
    }
    await clara.click();
    await page.getByRole('button', { name: 'Ajuster à la page' }).click();
    const zoom = page.locator('main').getByRole('status').filter({ hasText: 'Taille' });
    const size = async () => Number.parseInt((await zoom.textContent())?.replace(/\D+/, '') ?? '', 10);
    const narrow = await size();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(size).toBeGreaterThan(narrow);
    expect(await size()).toBeLessThan(80);
    await page.getByRole('button', { name: 'Agrandir' }).click();
    await page.setViewportSize({ width: 1024, height: 800 });
    await expect.poll(async () => (await boxOf(area(page))).width).toBe(992);
    expect(await size()).toBe(80);
  });

  test('is printed whole and alone', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/membres');
    await page.evaluate(() =>
      window.addEventListener('beforeprint', () => document.body.setAttribute('data-printed', 'yes')),
    );
    await page.getByRole('button', { name: 'Imprimer' }).click();
    await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes');
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.person:visible')).toHaveCount(44);
    for (const part of [page.getByRole('banner'), page.getByRole('contentinfo')])
      await expect(part).toBeHidden();
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(search(page)).toBeHidden();
    const [above, below] = [
      await boxOf(card(page, 'Awa Delmas')),
      await boxOf(card(page, 'Bastien Okonkwo')),
    ];
    expect(below.x).toBeGreaterThan(above.x);
    expect(below.y).toBeGreaterThan(above.y + above.height);
  });

  test('prints under its date, in dark letters on white, and as a drawing where that fits on one page', async ({
    visit,
  }) => {
    const isDrawn = (page: Page) =>
      page.locator('.chart').evaluate((list) => getComputedStyle(list).flexDirection === 'row');
    const { page } = await visit(site, { ...DESKTOP, colorScheme: 'dark' });
    await arrive(page, '/membres');
    await page.getByRole('button', { name: 'Tout déplier' }).click();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByText(/^Portail CSE · organigramme du \d{1,2}(er)? \S+ \d{4}$/)).toBeVisible();
    await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await expect(card(page, 'Awa Delmas')).toHaveCSS('color', 'rgb(22, 48, 43)');
    expect(await isDrawn(page)).toBe(false);
    // Nor when somebody chose the drawing for the screen.
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    for (const name of ['Voir la liste', 'Voir l’organigramme'])
      await page.getByRole('button', { name }).click();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await isDrawn(page)).toBe(false);

    const small = await startSite('sqlite');
    try {
      await hire(small, [['Awa Delmas'], ['Bastien Okonkwo', 'Awa Delmas'], ['Inès Kerviel', 'Awa Delmas']]);
      const { page: other } = await visit(small, PHONE);
      await arrive(other, '/membres');
      // What a phone shows as a list is drawn on paper.
      expect(await isDrawn(other)).toBe(false);
      await other.emulateMedia({ media: 'print' });
      expect(await isDrawn(other)).toBe(true);
      // A hidden team is printed too, in a list.
      await other.emulateMedia({ media: 'screen' });
      await other.getByRole('button', { name: 'Tout replier' }).click();
      await other.emulateMedia({ media: 'print' });
      expect(await isDrawn(other)).toBe(false);
      await expect(other.locator('.person:visible')).toHaveCount(3);
    } finally {
      await small.stop();
    }
  });
});
