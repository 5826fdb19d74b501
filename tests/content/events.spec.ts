import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { openDatabase } from '#platform/server/db/open.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  arrive,
  boxOf,
  coloured,
  DESKTOP,
  PHONE,
  publish,
  refused,
  SCREENS,
  test,
} from '#tests/browser/visit.ts';

let site: RunningSite;
let admin: string;
test.beforeAll(async () => {
  site = await startSite('sqlite');
  admin = await site.signIn();
});
test.afterAll(() => site?.stop());

test('The events of an empty site are said to be none', async ({ visit }) => {
  const { page } = await visit(site, PHONE);
  await arrive(page, '/Evenements');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nos événements');
  await expect(page.getByText('Pas d’événement pour le moment.')).toBeVisible();
});

test.describe('With events', () => {
  const LONG = 'Anticonstitutionnellement'.repeat(8);
  let partyId: number;
  let plainId: number;
  let longId: number;
  let pastId: number;
  test.beforeAll(async () => {
    const event = { location: 'Lyon, salle des Cartes', summary: 'En bref.', article: 'Un **grand** jour.' };
    for (let i = 1; i <= 14; i++) {
      const day = String(i).padStart(2, '0');
      pastId = await publish(site, admin, '/events', {
        ...event,
        title: `Passé ${day}`,
        date: `2020-03-${day}T12:00`,
      });
    }
    plainId = await publish(site, admin, '/events', {
      ...event,
      title: 'Le plus lointain',
      date: '2999-06-21T18:00',
    });
    longId = await publish(site, admin, '/events', {
      title: LONG,
      date: '2999-12-29T20:00',
      fin: '2999-12-31T12:00',
      location: LONG,
      summary: LONG,
      article: LONG,
    });
    partyId = await publish(site, admin, '/events', {
      ...event,
      title: 'Fête de l’été',
      date: '2998-06-20T18:30',
      fin: '2998-06-20T22:00',
      lien_plan: 'https://example.org/plan',
      lien_inscription: 'https://example.org/inscription',
      image_url: await coloured('#2f6f62', [1200, 800]),
      images: [
        await coloured('#aa3333', [1200, 800]),
        await coloured('#33aa33', [600, 800]),
        await coloured('#3333aa', [800, 600]),
      ],
      texte_alternatif: 'Un pré vert',
      textes_alternatifs: ['Rouge', 'Vert', 'Bleu'],
    });
  });

  const titles = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents();

  for (const [whose, javaScriptEnabled] of [
    ['by the server', false],
    ['in the browser', true],
  ] as const) {
    test(`what is to come stands first, the nearest at the head; then the past, newest first, ${whose}`, async ({
      visit,
    }) => {
      const { page } = await visit(site, { ...PHONE, javaScriptEnabled });
      await page.goto('/Evenements');
      expect((await titles(page)).slice(0, 4)).toEqual([
        'Fête de l’été',
        'Le plus lointain',
        LONG,
        'Passé 14',
      ]);
      const past = page.getByRole('region', { name: 'Événements passés' });
      await expect(past.getByRole('article')).toHaveCount(9);
      await page.getByRole('link', { name: 'Page suivante' }).click();
      await expect(page).toHaveURL('/Evenements?page=2');
      await expect(past.getByRole('article')).toHaveCount(5);
      await expect(past.getByRole('heading').last()).toHaveText('Passé 01');
      await expect(page.getByText('Pas d’événement à venir pour le moment.')).toHaveCount(0);
      await past.getByRole('link', { name: 'Passé 01' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Passé 01');
      await page.goBack();
      await expect(page).toHaveURL('/Evenements?page=2');
      await page.getByRole('link', { name: 'Page précédente' }).click();
      await expect(page).toHaveURL('/Evenements');
      await expect(page.getByRole('article').getByRole('heading').first()).toHaveText('Fête de l’été');
    });
  }

  for (const [locale, when] of [
    ['fr-FR', 'mercredi 20 juin 2998 à 18 h 30'],
    ['en-GB', 'Wednesday, 20 June 2998 at 18:30'],
  ] as const) {
    test(`says when and where, as in ${locale}, whatever the clock of who reads`, async ({ visit }) => {
      const { page } = await visit(site, { ...DESKTOP, locale, timezoneId: 'Pacific/Auckland' });
      await arrive(page, '/Evenements');
      const card = page.getByRole('article').first();
      await expect(card.getByText(when)).toBeVisible();
      await expect(card).toContainText('Lyon, salle des Cartes');
      await expect(card).toContainText('En bref.');
      await card.getByRole('link', { name: 'Fête de l’été' }).click();
      await expect(page).toHaveURL(`/event-detail/${partyId}`);
      await expect(page).toHaveTitle('Fête de l’été — Portail CSE');
      await expect(page.getByRole('article').getByText(when)).toBeVisible();
    });
  }

  test('An event is whole without script, its pictures links to their files', async ({ visit }) => {
    const { page } = await visit(site, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto(`/event-detail/${partyId}`);
    const story = page.getByRole('article');
    await expect(story.getByRole('heading', { level: 1 })).toHaveText('Fête de l’été');
    await expect(story.getByText('mercredi 20 juin 2998 à 18 h 30, jusqu’à 22 h')).toBeVisible();
    for (const [name, address] of [
      ['Voir le plan sur example.org (nouvel onglet)', 'https://example.org/plan'],
      ['S’inscrire sur example.org (nouvel onglet)', 'https://example.org/inscription'],
    ] as const) {
      await expect(story.getByRole('link', { name })).toHaveAttribute('href', address);
    }
    await expect(story.getByRole('img', { name: 'Un pré vert' })).toBeVisible();
    await expect(story.getByRole('heading', { name: 'Détails' })).toBeVisible();
    await expect(story.locator('strong')).toHaveText('grand');
    const pictures = story.getByRole('link', { name: /^Agrandir l’image/ });
    await expect(pictures).toHaveCount(3);
    const address = await pictures.first().getAttribute('href');
    expect((await page.request.get(address ?? '')).headers()['content-type']).toBe('image/webp');
  });

  test('A press on « Ajouter à mon agenda » saves the event for a calendar', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, `/event-detail/${partyId}`);
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Ajouter à mon agenda' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('Fête de l’été.ics');
    expect(await readFile(await download.path(), 'utf8')).toContain(
      'DTSTART:29980620T163000Z\r\nDTEND:29980620T200000Z\r\n',
    );
  });

  test('Pictures open over the page, go on by keys and give the focus back', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, `/event-detail/${partyId}`);
    const first = page.getByRole('link', { name: 'Agrandir l’image 1 sur 3 : Rouge' });
    await first.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => window.scrollY);
    await first.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Images en grand' });
    const slide = (name: string) => dialog.getByRole('group', { name });
    await expect(slide('1 sur 3').getByRole('img', { name: 'Rouge' })).toBeVisible();
    await expect(slide('1 sur 3').getByText('Rouge')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(slide('2 sur 3').getByText('Vert')).toBeInViewport();
    await page.keyboard.press('ArrowLeft');
    await expect(slide('1 sur 3').getByText('Rouge')).toBeInViewport();
    await expect(dialog.getByRole('button', { name: 'Précédente' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(first).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(place);
  });

  test('Pictures open and close under a finger, and follow it', async ({ visit }) => {
    const { page } = await visit(site, PHONE);
    await arrive(page, `/event-detail/${partyId}`);
    await page.getByRole('link', { name: /^Agrandir l’image 2/ }).tap();
    const dialog = page.getByRole('dialog', { name: 'Images en grand' });
    await expect(dialog.getByText('Vert')).toBeInViewport();
    const finger = await page.context().newCDPSession(page);
    let timestamp = Date.now() / 1_000 - 10;
    // Slow, at rest before it leaves: a browser takes the tap that follows a quick one for the end of its run.
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) => {
      timestamp += 0.5;
      const touchPoints = x === undefined ? [] : [{ x, y: 400 }];
      return finger.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp });
    };
    await touch('touchStart', 300);
    for (let x = 280; x >= 60; x -= 20) await touch('touchMove', x);
    await touch('touchEnd');
    await expect(dialog.getByRole('group', { name: '3 sur 3' }).getByText('Bleu')).toBeInViewport();
    await expect(dialog.getByRole('button', { name: 'Suivante' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Fermer' }).tap();
    await expect(dialog).toBeHidden();
  });

  test('A past event says so, and offers no calendar', async ({ visit }) => {
    const { page } = await visit(site, PHONE);
    await page.goto(`/event-detail/${pastId}`);
    await expect(page.getByRole('article').getByText('Passé', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Ajouter à mon agenda' })).toHaveCount(0);
  });

  for (const [screen, options] of [
    ['a phone', { viewport: { width: 360, height: 740 } }],
    ['a laptop', DESKTOP],
  ] as const) {
    test(`The details of an event begin on the first screen of ${screen}, its picture stands once and below`, async ({
      visit,
    }) => {
      const { page } = await visit(site, options);
      await arrive(page, `/event-detail/${partyId}`);
      expect((await boxOf(page.locator('.cover'))).height).toBeLessThanOrEqual(180);
      const details = await boxOf(page.getByRole('heading', { name: 'Détails' }));
      expect(details.y + details.height).toBeLessThan(options.viewport.height);
      const sharp = page.getByRole('img', { name: 'Un pré vert' });
      expect((await boxOf(sharp)).y).toBeGreaterThan(details.y);
    });
  }

  test('« Retour » leads to where one came from; the next event takes the place of this one', async ({
    visit,
  }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/Evenements');
    await page.getByRole('link', { name: 'Fête de l’été' }).click();
    const around = page.getByRole('navigation', { name: 'Précédent et suivant' });
    await expect(around.getByRole('link')).toHaveCount(1);
    await around.getByRole('link', { name: 'Suivant' }).click();
    await expect(page).toHaveURL(`/event-detail/${plainId}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Le plus lointain');
    await page.getByRole('link', { name: 'Tous les événements' }).click();
    await expect(page).toHaveURL('/Evenements');

    // By a link: on a page that has just come, a press may precede the scripts, and no page knows where it came from.
    await page.locator('a[href="/"]').first().click();
    await page
      .getByRole('region', { name: 'Prochains événements' })
      .getByRole('link', { name: 'Fête de l’été' })
      .click();
    await page.getByRole('link', { name: 'Retour', exact: true }).click();
    await expect(page).toHaveURL('/');
    // Who comes from elsewhere is led to the list.
    await page.goto(`/event-detail/${partyId}`);
    await expect(page.getByRole('link', { name: 'Tous les événements' })).toBeVisible();
  });

  test('The address of an event is copied where the browser has no sheet to share it', async ({ visit }) => {
    const { page } = await visit(site, { ...DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] });
    await arrive(page, `/event-detail/${partyId}`);
    await page.getByRole('button', { name: 'Copier le lien' }).click();
    await expect(page.getByRole('button', { name: 'Lien copié' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${site.url}/event-detail/${partyId}`,
    );
  });

  test('An event whose date was lost says so', async ({ visit }) => {
    const database = openDatabase({ directory: site.directory });
    try {
      await database.write((db) =>
        db.updateTable('events').set({ date: '' }).where('id', '=', plainId).execute(),
      );
    } finally {
      await database.close();
    }
    const { page } = await visit(site, DESKTOP);
    await arrive(page, `/event-detail/${plainId}`);
    await expect(page.getByText('Date non disponible')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Ajouter à mon agenda' })).toHaveCount(0);
  });

  test('An event that does not exist is a 404, in words, with a way back', async ({ visit }) => {
    const { page, troubles } = await visit(site, PHONE);
    for (const id of ['999999', 'abc']) {
      expect((await page.goto(`/event-detail/${id}`))?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Cet événement n’existe pas ou n’existe plus.',
      );
      await expect(page.getByRole('link', { name: 'Tous les événements' })).toBeVisible();
      expect(troubles.splice(0)).toEqual([refused(404)]);
    }
  });

  for (const { screen, options } of SCREENS) {
    test(`a title of 200 letters without a space fits, ${screen}`, async ({ visit }) => {
      const { page } = await visit(site, options);
      for (const path of ['/Evenements', `/event-detail/${longId}`]) {
        await arrive(page, path);
        await expect(page.getByRole('heading', { name: LONG })).toBeVisible();
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(over, path).toBeLessThanOrEqual(0);
      }
    });
  }
});
