import { expect, type Locator, type Page } from '@playwright/test';
import { LEGAL_NOTICE } from '#features/site/shared/identity.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { violationsOf } from '#tests/browser/axe.ts';
import { type RunningSite, startSite } from '#tests/browser/site.ts';
import {
  arrive,
  ask,
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

const newsList = (page: Page) => page.getByRole('group', { name: 'Actualités' });
const featuredList = (page: Page) => page.getByRole('group', { name: 'À la Une' });
const partnerList = (page: Page) => page.getByRole('group', { name: 'Partenaires' });

test('The home page of an empty site says so in each of its lists', async ({ visit }) => {
  const { page } = await visit(site, PHONE);
  await page.goto('/');
  for (const sentence of [
    'Pas d’actualité pour le moment.',
    'Rien à la une pour le moment.',
    'Pas encore de partenaire.',
  ]) {
    await expect(page.getByText(sentence)).toBeVisible();
  }
});

test('The home page of an empty site says what it is, and shows staff the first steps until they are done', async ({
  visit,
}) => {
  const own = await startSite('sqlite');
  try {
    const token = await own.signIn();
    const steps = (page: Page) => page.getByRole('region', { name: 'Premiers pas' });
    // The server says it.
    const { page: plain } = await visit(own, { ...PHONE, javaScriptEnabled: false });
    await plain.goto('/');
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText(
      'Nos colonies de vacances et votre comité social et économique',
    );
    await expect(plain.getByRole('main').locator('a[href^="/portail"]')).toHaveCount(0);

    const { page } = await visit(own, { ...PHONE, reducedMotion: 'reduce' });
    await page.addInitScript((value) => localStorage.setItem('adminToken', value), token);
    await arrive(page, '/');
    await expect(steps(page).getByRole('listitem')).toHaveCount(3);
    await expect(steps(page).getByText('étape faite')).toHaveCount(0);
    for (const link of await steps(page).getByRole('link').all())
      expect((await boxOf(link)).height).toBeGreaterThanOrEqual(44);
    expect(await violationsOf(page)).toEqual([]);
    await steps(page).getByRole('link', { name: 'Publier une première actualité' }).click();
    await expect(page).toHaveURL('/portail?panneau=actualite-creer');

    await publish(own, token, '/actualites', { titre: 'Bienvenue', description: 'Nous voici.' });
    await arrive(page, '/');
    await expect(steps(page).getByText('Une étape faite sur 3')).toBeVisible();
    await expect(steps(page).getByRole('link', { name: 'Publier une première actualité' })).toHaveCount(0);
    // The name alone is no identity.
    await ask(own, token, 'PUT /reglages', { organisation_nom: 'Les Grands Pins' });
    await arrive(page, '/');
    await expect(steps(page).getByText('Une étape faite sur 3')).toBeVisible();
    await ask(own, token, 'PUT /reglages', Object.fromEntries(LEGAL_NOTICE.map((name) => [name, 'Connu'])));
    const stay = { nom_stage: 'Été à la ferme', date_debut: '2026-07-06', date_fin: '2026-07-18' };
    expect((await ask(own, token, 'POST /stages', stay)).status).toBe(201);
    const answered = page.waitForResponse((response) => response.url().endsWith('/tableau-de-bord'));
    await arrive(page, '/');
    await answered;
    await expect(newsList(page)).toBeVisible();
    await expect(steps(page)).toHaveCount(0);
  } finally {
    await own.stop();
  }
});

test.describe('With something to show', () => {
  const PARTNERS = [
    'Ondelise',
    'Vélombelle',
    'Fougeline',
    'Grimpolune',
    'Théâtre du Grelot',
    'Loutre',
    'Zéphyr',
  ];
  /** The 18th in Paris, still the 17th in London and in New York. */
  const AT_NIGHT = '2025-11-17T23:30:00.000Z';
  const STORY = `Un **grand** jour.

- la cordée
- le refuge

Voici [le programme](https://example.org/programme).

<b>gras</b> <img src=x onerror=alert(1)>

Voici [un piège](javascript:alert(1)).

${'Le sentier monte encore un peu. '.repeat(40)}

Fin du récit.`;

  let newsId: number;
  let featuredId: number;
  test.beforeAll(async () => {
    const photo = await coloured('#2f6f62', [600, 400]);
    const logo = await coloured('#b5452c', [300, 120]);
    for (const titre of ['Ancienne', 'Récente']) {
      await publish(site, admin, '/actualites', { titre, description: 'x', publie_du: '2025-01-01T08:00' });
    }
    newsId = await publish(site, admin, '/actualites', {
      titre: 'Au long cours',
      description: STORY,
      image: photo,
      publie_du: AT_NIGHT,
    });
    await publish(site, admin, '/alaune', {
      titre: 'Hier',
      resume: 'x',
      description: 'x',
      publie_du: '2025-01-01T08:00',
    });
    featuredId = await publish(site, admin, '/alaune', {
      titre: 'Le refuge rouvre',
      resume: 'Un toit neuf. '.repeat(60),
      description: 'x',
      image_url: photo,
      publie_du: AT_NIGHT,
    });
    for (const nom of PARTNERS) {
      await publish(site, admin, '/logos', { nom, url_site: 'https://example.org/', image: logo });
    }
  });

  /** The first slide in sight, how many are, and the pixels between each and the next, in sight or not. */
  const look = (list: Locator) =>
    list.getByRole('list').evaluate((track) => {
      const frame = track.getBoundingClientRect();
      const boxes = [...track.children].map((slide) => slide.getBoundingClientRect());
      const isSeen = (box: DOMRect) => box.right > frame.left && box.left < frame.right;
      return {
        first: boxes.findIndex(isSeen),
        seen: boxes.filter(isSeen).length,
        gaps: boxes.slice(1).map((box, index) => {
          const before = boxes[index] ?? box;
          // Two rows on a phone: below the one before, or beside its column.
          return Math.round(box.left === before.left ? box.top - before.bottom : box.left - before.right);
        }),
      };
    });

  const first = async (list: Locator) => (await look(list)).first;

  /** Presses the picture of the card that links to an address. */
  const pressPicture = (page: Page, address: string) =>
    page
      .getByRole('article')
      .filter({ has: page.locator(`a[href="${address}"]`) })
      .click({ position: { x: 60, y: 60 } });

  for (const { screen, options } of SCREENS) {
    test(`one slide of news and of À la Une is seen at a time, and four logos that can be read, ${screen}`, async ({
      visit,
    }) => {
      const { page } = await visit(site, options);
      await page.goto('/');
      expect(await look(newsList(page))).toEqual({ first: 0, seen: 1, gaps: [20, 20] });
      expect(await look(featuredList(page))).toEqual({ first: 0, seen: 1, gaps: [20] });
      expect(await look(partnerList(page))).toEqual({ first: 0, seen: 4, gaps: [10, 10, 10, 10, 10, 10] });
      // Newest first.
      for (const name of PARTNERS.toReversed().slice(0, 4)) {
        const logo = partnerList(page).getByRole('img', { name });
        const { width, height } = await boxOf(logo);
        expect(height).toBe(48);
        expect(width).toBeGreaterThan(100);
      }
      const arrows = page.getByRole('button', { name: /^(Précédent|Suivant)$/ }).locator('svg');
      expect(await arrows.count()).toBe(6);
      for (const arrow of await arrows.all()) {
        expect(await boxOf(arrow)).toMatchObject({ width: 28, height: 28 });
      }
    });
  }

  test('stands in columns of 3/5 and 2/5 at 1280 px, and begins with À la Une at 360 px', async ({
    visit,
  }) => {
    const boxes = async (page: Page) => {
      await page.goto('/');
      const box = (name: string) => boxOf(page.getByRole('region', { name }));
      return {
        news: await box('L’Actualité'),
        partners: await box('Partenaires'),
        featured: await box('À la Une'),
      };
    };
    const wide = await boxes((await visit(site, DESKTOP)).page);
    const gap = wide.featured.x - (wide.news.x + wide.news.width);
    expect(gap).toBeGreaterThan(0);
    // Of five columns with such a gap between each and the next.
    expect((wide.news.width + gap) / (wide.featured.width + gap)).toBeCloseTo(3 / 2, 2);
    expect(wide.featured.y).toBe(wide.news.y);
    expect(wide.partners).toMatchObject({ x: wide.news.x, width: wide.news.width });
    expect(wide.partners.y).toBeGreaterThan(wide.news.y + wide.news.height);

    const { news, partners, featured } = await boxes((await visit(site, PHONE)).page);
    for (const { x, width } of [news, partners, featured]) expect([x, width]).toEqual([16, 328]);
    expect(news.y).toBeGreaterThan(featured.y + featured.height);
    expect(partners.y).toBeGreaterThan(news.y + news.height);
  });

  for (const { screen, width, height, title } of [
    { screen: 'of a phone', width: 360, height: 740, title: 'Le refuge rouvre' },
    { screen: 'of a laptop', width: 1280, height: 800, title: 'Au long cours' },
  ]) {
    test(`the first screen ${screen} says what is new, and leads to photos, benefits, minutes and contact`, async ({
      visit,
    }) => {
      const { page } = await visit(site, { viewport: { width, height } });
      await arrive(page, '/');
      const doors = page.getByRole('navigation', { name: 'Accès directs' }).getByRole('link');
      expect(await doors.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
        '/connexion#photos',
        '/avantages',
        '/compte-rendus',
        '/contact',
      ]);
      const headline = page.getByRole('heading', { name: title });
      const open = page.getByRole('link', { name: new RegExp(`: ${title}$`) });
      for (const one of [doors.first(), doors.last(), headline, open]) {
        const box = await boxOf(one);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
      }
    });
  }

  test('the next three events stand on the home page, and past ones do not', async ({ visit }) => {
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    for (const [title, ahead] of [
      ['Quatrième', 40],
      ['Deuxième', 20],
      ['Passé', -2],
      ['Premier', 10],
      ['Troisième', 30],
    ] as const) {
      const values = {
        title,
        date: `${day(ahead)}T10:00`,
        location: 'Salle 2',
        summary: 'x',
        article: 'x',
      };
      await publish(site, admin, '/events', values);
    }
    const { page } = await visit(site, PHONE);
    await page.goto('/');
    const events = page.getByRole('region', { name: 'Prochains événements' });
    await expect(events.getByRole('heading', { level: 3 })).toHaveText(['Premier', 'Deuxième', 'Troisième']);
    await events.getByRole('link', { name: 'Premier' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Premier');
  });

  test('Back from a news item finds its slide again, and slides out of sight take no focus', async ({
    visit,
  }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/');
    await newsList(page).getByRole('button', { name: 'Suivant' }).click();
    await expect(newsList(page).getByText('2 sur 3')).toBeVisible();
    // A press while it scrolls would stop it halfway, and let it snap back.
    await expect.poll(() => first(newsList(page))).toBe(1);
    await expect(newsList(page).locator('li:not([inert])')).toHaveCount(1);
    await newsList(page).getByRole('link', { name: 'En savoir plus : Récente' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Récente');
    await page.goBack();
    await expect(newsList(page).getByText('2 sur 3')).toBeVisible();
    await expect.poll(() => first(newsList(page))).toBe(1);
  });

  test('news go on by their arrows, to the last and no further', async ({ visit }) => {
    const { page } = await visit(site, PHONE);
    await arrive(page, '/');
    const arrow = (name: string) => newsList(page).getByRole('button', { name });
    await expect(newsList(page).getByText('1 sur 3')).toBeVisible();
    await expect(arrow('Précédent')).toHaveAttribute('aria-disabled', 'true');
    for (const at of [1, 2]) {
      await arrow('Suivant').click();
      await expect.poll(() => first(newsList(page))).toBe(at);
    }
    await expect(newsList(page).getByText('3 sur 3')).toBeVisible();
    await expect(arrow('Suivant')).toHaveAttribute('aria-disabled', 'true');
    await arrow('Précédent').click();
    await expect(newsList(page).getByText('2 sur 3')).toBeVisible();
    // However fast it is pressed.
    await arrow('Suivant').evaluate((button: HTMLElement) => {
      for (let press = 0; press < 4; press++) button.click();
    });
    await expect(newsList(page).getByText('3 sur 3')).toBeVisible();
    await arrow('Précédent').click();
    await expect(newsList(page).getByText('2 sur 3')).toBeVisible();
  });

  test('arrows count from where a finger has left the slides, in browsers too that do not say when they stand still', async ({
    visit,
  }) => {
    const { page } = await visit(site, PHONE);
    await page.addInitScript(() => {
      addEventListener('scrollend', (event) => event.stopImmediatePropagation(), true);
    });
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    await arrive(page, '/', () => page.keyboard.press('Shift'));
    const next = newsList(page).getByRole('button', { name: 'Suivant' });
    await next.click();
    await expect.poll(() => first(newsList(page))).toBe(1);
    await newsList(page)
      .getByRole('list')
      .first()
      .evaluate((list) => list.scrollTo({ left: 0, behavior: 'instant' }));
    await expect(newsList(page).getByText('1 sur 3')).toBeVisible();
    await page.clock.runFor(1_000);
    await next.click();
    await expect(newsList(page).getByText('2 sur 3')).toBeVisible();
    await expect.poll(() => first(newsList(page))).toBe(1);
  });

  test.describe('Logos', () => {
    const pause = (page: Page) => page.getByRole('button', { name: 'Mettre le défilement en pause' });
    const resume = (page: Page) => page.getByRole('button', { name: 'Reprendre le défilement' });

    /** The page, alive, its clock standing still. */
    async function arriveOutOfTime(page: Page): Promise<void> {
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
      // A page whose clock stands still is never idle.
      await arrive(page, '/', () => page.keyboard.press('Shift'));
    }

    test('go on by themselves every 3000 ms, from the last to the first, and after an arrow', async ({
      visit,
    }) => {
      const { page } = await visit(site, DESKTOP);
      await arriveOutOfTime(page);
      // Now that the list is known to be alive, its three seconds begin.
      await pause(page).click();
      await resume(page).click();
      await expect(pause(page)).toBeVisible();
      await page.clock.runFor(2_999);
      expect(await first(partnerList(page))).toBe(0);
      await page.clock.runFor(1);
      await expect.poll(() => first(partnerList(page))).toBe(1);
      await partnerList(page).getByRole('button', { name: 'Suivant' }).click();
      await expect.poll(() => first(partnerList(page))).toBe(2);
      for (const at of [3, 0, 1]) {
        await page.clock.runFor(3_000);
        await expect.poll(() => first(partnerList(page))).toBe(at);
      }
    });

    test('stand still for whoever asked for less motion, until told to go on, and when paused', async ({
      visit,
    }) => {
      // Without motion a list is at its new place at once: what has not moved now will not.
      const { page } = await visit(site, { ...DESKTOP, reducedMotion: 'reduce' });
      await arriveOutOfTime(page);
      await expect(resume(page)).toBeVisible();
      await page.clock.runFor(9_000);
      expect(await first(partnerList(page))).toBe(0);
      await resume(page).click();
      await expect(pause(page)).toBeVisible();
      await page.clock.runFor(3_000);
      expect(await first(partnerList(page))).toBe(1);
      await pause(page).click();
      await expect(resume(page)).toBeVisible();
      await page.clock.runFor(9_000);
      expect(await first(partnerList(page))).toBe(1);
    });
  });

  for (const [locale, day] of [
    ['fr-FR', '18 novembre 2025'],
    ['en-GB', '18 November 2025'],
  ] as const) {
    test(`« Publié le » is written as in ${locale}, on the clocks of the site`, async ({ visit }) => {
      const { page } = await visit(site, { ...DESKTOP, locale, timezoneId: 'America/New_York' });
      await arrive(page, '/');
      await expect(featuredList(page).getByText('Publié le').first()).toHaveText(`Publié le ${day}`);
      await page.getByRole('link', { name: 'En savoir plus : Au long cours' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Au long cours');
      await expect(page.getByText('Publié le')).toHaveText(`Publié le ${day}`);
    });
  }

  for (const { screen, options } of SCREENS) {
    test(`long texts are cut after two lines; « En savoir plus » and the picture lead to the whole, ${screen}`, async ({
      visit,
    }) => {
      const { page } = await visit(site, options);
      await arrive(page, '/');
      for (const [list, words] of [
        [newsList(page), 'Un grand jour.'],
        [featuredList(page), 'Un toit neuf.'],
      ] as const) {
        const text = list.getByText(words);
        const [shown, whole, line] = await text.evaluate((paragraph) => [
          paragraph.clientHeight,
          paragraph.scrollHeight,
          Number.parseFloat(getComputedStyle(paragraph).lineHeight),
        ]);
        expect(whole).toBeGreaterThan(shown ?? 0);
        expect(Math.round((shown ?? 0) / (line ?? 1))).toBe(2);
      }
      await page.getByRole('link', { name: 'En savoir plus : Au long cours' }).click();
      await expect(page).toHaveURL(`/?actualite=${newsId}`);
      await expect(page.getByText('Fin du récit.')).toBeVisible();
      await expect(page).toHaveTitle('Au long cours — Portail CSE');
      await page.getByRole('link', { name: 'Retour à l’accueil' }).click();
      await pressPicture(page, `/?actualite=${newsId}`);
      await expect(page.getByText('Fin du récit.')).toBeVisible();
    });
  }

  test('« En savoir plus » and the picture lead to the whole item of À la Une', async ({ visit }) => {
    const { page } = await visit(site, DESKTOP);
    await arrive(page, '/');
    await page.getByRole('link', { name: 'En savoir plus : Le refuge rouvre' }).click();
    await expect(page).toHaveURL(`/une-details/${featuredId}`);
    await page.goBack();
    await pressPicture(page, `/une-details/${featuredId}`);
    await expect(page).toHaveURL(`/une-details/${featuredId}`);
  });

  test('An item of À la Une is shown whole, its day over its title, without script', async ({ visit }) => {
    const { page } = await visit(site, { ...PHONE, javaScriptEnabled: false });
    await page.goto(`/une-details/${featuredId}`);
    const story = page.getByRole('article');
    await expect(story.getByRole('heading', { level: 1 })).toHaveText('Le refuge rouvre');
    expect(await story.getByText('18 novembre 2025').innerText()).toBe('18 NOVEMBRE 2025');
    await expect(story.getByText('Un toit neuf.')).toBeVisible();
    await expect(story.getByRole('link')).toHaveCount(0);
  });

  test('« Toutes les actualités » leads to them, and back to the newest', async ({ visit }) => {
    for (let i = 1; i <= 11; i++) {
      const publie_du = `2024-01-${String(i).padStart(2, '0')}T08:00`;
      await publish(site, admin, '/actualites', { titre: `Archive ${i}`, description: 'x', publie_du });
    }
    const { page } = await visit(site, PHONE);
    await arrive(page, '/');
    await page.getByRole('link', { name: 'Toutes les actualités' }).click();
    await expect(page).toHaveTitle('Toutes les actualités — Portail CSE');
    const headings = page.getByRole('article').getByRole('heading');
    await expect(headings).toHaveCount(12);
    await expect(headings.first()).toHaveText('Au long cours');
    await page.getByRole('link', { name: 'Page suivante' }).click();
    await expect(headings).toHaveText(['Archive 2', 'Archive 1']);
    await expect(page).toHaveTitle('Toutes les actualités, page 2 — Portail CSE');
    await page.getByRole('link', { name: 'Page précédente' }).click();
    await page.getByRole('link', { name: 'Au long cours' }).click();
    await expect(page.getByText('Fin du récit.')).toBeVisible();
  });

  test('« Toutes les unes » leads to more than the home page has of them, and Back finds the page again', async ({
    visit,
  }) => {
    for (let i = 1; i <= 12; i++) {
      const publie_du = `2024-01-${String(i).padStart(2, '0')}T08:00`;
      await publish(site, admin, '/alaune', {
        titre: `Ancienne ${i}`,
        resume: 'x',
        description: 'x',
        publie_du,
      });
    }
    const { page } = await visit(site, PHONE);
    await arrive(page, '/');
    await expect(featuredList(page).getByText('1 sur 12')).toBeVisible();
    await page.getByRole('link', { name: 'Toutes les unes' }).click();
    await expect(page).toHaveURL('/?unes=1');
    const headings = page.getByRole('article').getByRole('heading');
    await expect(headings).toHaveCount(12);
    await page.getByRole('link', { name: 'Page suivante' }).click();
    await expect(page).toHaveTitle('Toutes les unes, page 2 — Portail CSE');
    await page.getByRole('link', { name: 'En savoir plus : Ancienne 1', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ancienne 1');
    await page.goBack();
    await expect(page).toHaveURL('/?unes=2');
    await expect(headings.last()).toHaveText('Ancienne 1');
  });

  test.describe('A news item', () => {
    for (const [whose, javaScriptEnabled] of [
      ['by the server', false],
      ['in the browser', true],
    ] as const) {
      test(`is shown whole, its light Markdown as elements and nothing of it run, ${whose}`, async ({
        visit,
      }) => {
        const { page } = await visit(site, { ...DESKTOP, javaScriptEnabled });
        await page.goto(`/?actualite=${newsId}`);
        await expect(page).toHaveTitle('Au long cours — Portail CSE');
        const story = page.getByRole('article');
        await expect(story.getByRole('heading', { level: 1 })).toHaveText('Au long cours');
        await expect(story.locator('strong')).toHaveText('grand');
        await expect(story.getByRole('listitem')).toHaveText(['la cordée', 'le refuge']);
        const link = story.getByRole('link');
        await expect(link).toHaveText('le programme (nouvel onglet)');
        await expect(link).toHaveAttribute('href', 'https://example.org/programme');
        await expect(link).toHaveAttribute('target', '_blank');
        await expect(link).toHaveAttribute('rel', /\bnoopener\b/);
        await expect(story).toContainText('<b>gras</b> <img src=x onerror=alert(1)>');
        await expect(story).toContainText('[un piège](javascript:alert(1))');
        await expect(story).toContainText('Fin du récit.');
      });
    }

    test('that does not exist is a 404, in words', async ({ visit }) => {
      const { page, troubles } = await visit(site, PHONE);
      for (const id of ['999999', 'abc', '']) {
        const answer = await page.goto(`/?actualite=${id}`);
        expect(answer?.status()).toBe(404);
        await expect(
          page.getByRole('heading', { name: 'Cette actualité n’existe pas ou n’existe plus.' }),
        ).toBeVisible();
        expect(troubles.splice(0)).toEqual([refused(404)]);
      }
    });
  });

  for (const { path, table, values, logged, said, name, others } of [
    {
      path: '/actualites',
      table: 'actualites',
      values: { titre: 'Passagère', description: 'x' },
      logged: /^Erreur lors de la récupération des actualités: /,
      said: 'Les actualités n’ont pas pu être chargées.',
      name: 'Actualités',
      others: ['À la Une', 'Partenaires'],
    },
    {
      path: '/alaune',
      table: 'alaune',
      values: { titre: 'Passagère', resume: 'x', description: 'x' },
      logged: /^Erreur lors de la récupération des éléments À la Une: /,
      said: 'Les éléments À la Une n’ont pas pu être chargés.',
      name: 'À la Une',
      others: ['Actualités', 'Partenaires'],
    },
    {
      path: '/logos',
      table: 'logos',
      values: { nom: 'Passagère', url_site: 'https://example.org/' },
      logged: /^Erreur lors de la récupération des logos: /,
      said: 'Les partenaires n’ont pas pu être chargés.',
      name: 'Partenaires',
      others: ['Actualités', 'À la Une'],
    },
  ] as const) {
    test(`${name} fails alone, says so, and comes back with another try`, async ({ visit }) => {
      // A write, so that the site has no kept answer to give.
      const id = await publish(site, admin, path, values);
      expect((await ask(site, admin, `DELETE ${path}/${id}`)).status).toBe(200);
      const { page, troubles } = await visit(site, PHONE);
      const database = openDatabase({ directory: site.directory });
      try {
        await database.write((db) => db.schema.alterTable(table).renameTo('ailleurs').execute());
        const answer = await page.goto('/');
        expect(answer?.status()).toBe(200);
        await expect(page.getByText(said)).toBeVisible();
      } finally {
        await database.write((db) => db.schema.alterTable('ailleurs').renameTo(table).execute());
        await database.close();
      }
      for (const other of others) await expect(page.getByRole('group', { name: other })).toBeVisible();
      await expect(page.getByRole('group', { name })).toBeHidden();
      // The browser had asked twice.
      await expect.poll(() => troubles.length).toBe(3);
      expect(troubles.splice(0)).toEqual([refused(500), refused(500), expect.stringMatching(logged)]);
      await page.getByRole('button', { name: 'Réessayer' }).click();
      await expect(page.getByRole('group', { name })).toBeVisible();
      await expect(page.getByText(said)).toBeHidden();
    });
  }
});
