import { expect } from '@playwright/test';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import { arrive, boxOf, coloured, DESKTOP, PHONE, publish, refused, test } from '#tests/browser/visit.ts';

let site: RunningSite;
let ticketId: number;
let plainId: number;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  const admin = await site.signIn();
  const benefit = { resume: 'Moins cher.', description: 'Le **détail** de la demande.' };
  plainId = await publish(site, admin, '/avantage', {
    ...benefit,
    titre: 'Piscine',
    publie_du: '2025-01-01T08:00',
  });
  await publish(site, admin, '/avantage', {
    ...benefit,
    titre: 'Vélos',
    categorie: 'Sport et bien-être',
    publie_du: '2025-02-01T08:00',
  });
  ticketId = await publish(site, admin, '/avantage', {
    ...benefit,
    titre: 'Cinéma',
    categorie: 'Culture et sorties',
    economie: '26 € au lieu de 40 €',
    lien_article: 'https://example.org/cinema',
    image_url: await coloured('#2f6f62', [1200, 800]),
    texte_alternatif: 'Un écran',
    // The 18th in Paris, still the 17th in London and in New York.
    publie_du: '2025-11-17T23:30:00.000Z',
  });
});
test.afterAll(() => site?.stop());

for (const [width, columns] of [
  [360, 1],
  [768, 2],
  [1280, 3],
] as const) {
  test(`benefits stand in ${columns} at ${width} px, newest first`, async ({ visit }) => {
    const { page } = await visit(site, { viewport: { width, height: 900 } });
    await arrive(page, '/avantages');
    await expect(page).toHaveTitle('Vos avantages CSE — Portail CSE');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vos avantages CSE');
    await expect(page.getByText('Retrouvez ici tous vos avantages CSE')).toBeVisible();
    const cards = page.getByRole('article');
    await expect(cards.getByRole('heading')).toHaveText(['Cinéma', 'Vélos', 'Piscine']);
    const lefts = await Promise.all([0, 1, 2].map(async (at) => (await boxOf(cards.nth(at))).x));
    expect(new Set(lefts).size).toBe(columns);
  });
}

test('A benefit’s card says when it was published; its picture opens a tab, « En savoir plus » the page', async ({
  visit,
}) => {
  const { page } = await visit(site, { ...DESKTOP, timezoneId: 'America/New_York' });
  await arrive(page, '/avantages');
  const card = page.getByRole('article').first();
  await expect(card).toContainText('Publié le 18 novembre 2025');
  await expect(card).toContainText('Moins cher.');
  await expect(card.getByText('26 € au lieu de 40 €')).toBeVisible();
  const opened = page.waitForEvent('popup');
  await card.getByRole('link', { name: 'Cinéma (nouvel onglet)' }).click();
  const tab = await opened;
  await expect(tab).toHaveURL(`/avantage-detail/${ticketId}`);
  await tab.close();
  await card.getByRole('link', { name: 'En savoir plus : Cinéma' }).click();
  await expect(page).toHaveURL(`/avantage-detail/${ticketId}`);
  await expect(page).toHaveTitle('Cinéma — Portail CSE');
});

for (const [whose, javaScriptEnabled] of [
  ['by the server', false],
  ['in the browser', true],
] as const) {
  test(`a benefit is shown whole, ${whose}`, async ({ visit }) => {
    const { page } = await visit(site, { ...PHONE, javaScriptEnabled });
    await page.goto(`/avantage-detail/${ticketId}`);
    const story = page.getByRole('article');
    await expect(story.getByRole('heading', { level: 1 })).toHaveText('Cinéma');
    await expect(story.getByText('18 novembre 2025 à 0 h 30')).toBeVisible();
    await expect(story.getByText('26 € au lieu de 40 €')).toBeVisible();
    await expect(story.getByText('Moins cher.')).toBeVisible();
    await expect(story.getByRole('heading', { name: 'Détails' })).toBeVisible();
    await expect(story.locator('strong')).toHaveText('détail');
    await expect(story.getByRole('img', { name: 'Un écran' })).toBeVisible();
    const link = story.getByRole('link', { name: 'En savoir plus sur example.org (nouvel onglet)' });
    await expect(link).toHaveAttribute('href', 'https://example.org/cinema');
    await page.goto(`/avantage-detail/${plainId}`);
    await expect(story.getByRole('heading', { level: 1 })).toHaveText('Piscine');
    await expect(link).toHaveCount(0);
  });
}

test('Benefits are chosen by category, which a copied address keeps, also without script', async ({
  visit,
}) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/avantages');
  const titles = page.getByRole('article').getByRole('heading');
  const categories = page.getByRole('navigation', { name: 'Catégories' });
  await expect(categories.getByRole('link')).toHaveText([
    'Tous 3',
    'Culture et sorties 1',
    'Sport et bien-être 1',
    'Autres 1',
  ]);
  const sport = categories.getByRole('link', { name: 'Sport et bien-être' });
  await sport.click();
  await expect(titles).toHaveText(['Vélos']);
  await expect(sport).toBeFocused();
  await expect(page.getByRole('status').getByText('Sport et bien-être : 1 avantage')).toBeAttached();
  await page.getByRole('link', { name: 'En savoir plus : Vélos' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vélos');
  await page.getByRole('link', { name: 'Retour' }).click();
  await expect(titles).toHaveText(['Vélos']);

  const plain = await visit(site, { ...PHONE, javaScriptEnabled: false });
  await plain.page.goto(page.url());
  const cards = plain.page.getByRole('article').getByRole('heading');
  await expect(cards).toHaveText(['Vélos']);
  await plain.page.getByRole('link', { name: 'Autres' }).click();
  await expect(cards).toHaveText(['Piscine']);
  await plain.page.goto('/avantages?categorie=inconnue');
  await expect(cards).toHaveCount(3);
});

test('A benefit that does not exist is a 404, in words', async ({ visit }) => {
  const { page, troubles } = await visit(site, PHONE);
  for (const id of ['999999', 'abc']) {
    expect((await page.goto(`/avantage-detail/${id}`))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Cet avantage n’existe pas ou n’existe plus.',
    );
    expect(troubles.splice(0)).toEqual([refused(404)]);
  }
});
