import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageData } from '#platform/shared/page.ts';
import { instantAt, wallClock } from '#platform/shared/time.ts';
import { form, picture } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openSite({ pages: true, env: { ORGANISATION_NAME: 'CSE <des> Alpes' } });
});
afterAll(() => site?.close());

const HOSTILE = '</script><script>alert(1)</script><!-- & "';

function dataOf(html: string): PageData {
  const [, json = ''] = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

/** What a page says to search engines and sharers, as it stands in the page, escaped. */
function saidOf(html: string): Record<string, string> {
  const [head = ''] = html.split('</head>');
  const properties = [
    ...head.matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">/g),
  ];
  const canonical = [...head.matchAll(/<link rel="canonical" href="([^"]*)">/g)];
  return Object.fromEntries([
    ...properties.map(([, name, content]) => [name, content]),
    ...canonical.map(([, address]) => ['canonical', address]),
  ]);
}

describe('The home page', () => {
  test('is whole before any script has run, and hands its answers over', async () => {
    const token = await site.tokenOf('admin');
    const created = await site.call('POST /actualites', {
      token,
      body: form({
        titre: HOSTILE,
        description: 'Un **grand** jour\u2028!',
        image: await picture(),
        texte_alternatif: 'Un sentier',
      }),
    });
    expect(created.status).toBe(201);
    await site.call('POST /alaune', {
      token,
      body: form({ titre: 'La une', resume: 'En bref', description: 'x' }),
    });
    await site.call('POST /logos', {
      token,
      body: form({ nom: 'Vélombelle', url_site: 'https://example.org/velo' }),
    });

    const page = await site.ask('GET /');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const text of [
      'L’Actualité',
      'Partenaires',
      'À la Une',
      'La une',
      'Vélombelle',
      'Un grand jour',
      'alt="Un sentier"',
    ]) {
      expect(page.text).toContain(text);
    }
    const { answers, site: shown } = dataOf(page.text);
    expect(answers['GET /actualites  abrege=1&limite=12']).toMatchObject([{ titre: HOSTILE }]);
    expect(Object.keys(answers)).toHaveLength(4);
    expect(shown).toMatchObject({ organisation: 'CSE <des> Alpes', timeZone: 'Europe/Paris' });
  });

  test('runs nothing that people wrote', async () => {
    const { text } = await site.ask('GET /');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('CSE &lt;des&gt; Alpes');
    expect(text).not.toContain('<des>');
    // Two scripts: the site's own and the data, which is no program.
    expect(text.match(/<script\b[^>]*>/g)).toEqual([
      expect.stringMatching(
        /^<script type="module" async fetchpriority="high" id="boot" src="[^"]+" data-modules="[^"]+">$/,
      ),
      '<script type="application/json" id="page-data">',
    ]);
  });

  test('loads at most 110 kB of scripts, like every page open to all', async () => {
    const bytesOf = async (file: string) => {
      const { headers } = await site.ask(`GET ${file}`, { headers: { 'accept-encoding': 'br' } });
      return Number(headers.get('content-length'));
    };
    const pages = [
      '/',
      '/?actualites=1',
      '/?unes=1',
      '/avantages',
      '/membres',
      '/connexion',
      '/recherche',
      '/compte-rendus',
    ];
    for (const path of [...pages, '/Evenements', '/contact', '/a-propos', '/accessibilite', '/nulle-part']) {
      const { text } = await site.ask(`GET ${path}`);
      const [, boot = '', modules = ''] = /id="boot" src="([^"]+)" data-modules="([^"]+)"/.exec(text) ?? [];
      const sizes = await Promise.all([boot, ...modules.split(' ')].map(bytesOf));
      expect(Math.min(...sizes), path).toBeGreaterThan(0);
      expect(
        sizes.reduce((sum, size) => sum + size, 0),
        path,
      ).toBeLessThanOrEqual(110_000);
    }
  });

  test('shows what was just written, and not what is no longer published', async () => {
    const token = await site.tokenOf('admin');
    const until = new Date(site.now().getTime() + 60_000).toISOString();
    const body = form({ titre: 'Éphémère', description: 'x', publie_au: until });
    expect((await site.call('POST /actualites', { token, body })).status).toBe(201);
    expect((await site.ask('GET /')).text).toContain('Éphémère');
    site.advance(60_000);
    expect((await site.ask('GET /')).text).not.toContain('Éphémère');
  });

  test('writes dates as the visitor does, in French when it cannot', async () => {
    const dateFor = async (language: string) => {
      const { text } = await site.ask('GET /', { headers: { 'accept-language': language } });
      return /Publié le <time[^>]*>([^<]*)</.exec(text)?.[1];
    };
    expect(await dateFor('fr-FR,fr;q=0.9')).toBe('20 juin 2026');
    expect(await dateFor('en-US,en;q=0.5')).toBe('June 20, 2026');
    for (const strange of [
      '',
      '*',
      'zz-ZZ',
      'x'.repeat(5_000),
      '"><script>',
      'fr_FR',
      '-u-ca-hebrew',
      'fr-12',
      'de-1996-1996',
    ]) {
      expect(await dateFor(strange), strange).toBe('20 juin 2026');
    }
  });

  test('is compressed when asked, never kept without asking again', async () => {
    const { headers } = await site.ask('GET /', { headers: { 'accept-encoding': 'br' } });
    expect(headers.get('content-encoding')).toBe('br');
    expect(headers.get('vary')).toBe('accept-encoding, accept-language');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  test('stands without one list when that one fails, and the cause is logged', async () => {
    const { database } = site.services;
    site.services.cache.drop('logos');
    await database.write((db) => db.schema.alterTable('logos').renameTo('logos_ailleurs').execute());
    const page = await site.ask('GET /');
    await database.write((db) => db.schema.alterTable('logos_ailleurs').renameTo('logos').execute());
    expect(page.status).toBe(200);
    expect(page.text).toContain('La une');
    expect(Object.keys(dataOf(page.text).answers)).toEqual([
      'GET /actualites  abrege=1&limite=12',
      'GET /alaune  abrege=1&limite=12',
      'GET /events  abrege=1&limite=3',
    ]);
    expect(site.logLines.some((line) => line.includes('a page lacks an answer'))).toBe(true);
  });
});

describe('An item that is gone', () => {
  test('is a 404 with what is near it: the latest, or what comes next', async () => {
    const other = await openSite({ pages: true });
    try {
      const token = await other.tokenOf('admin');
      const publish = async (path: string, body: Record<string, string>) =>
        expect((await other.call(`POST ${path}`, { token, body: form(body) })).status).toBe(201);
      const gone = async (address: string) => {
        const { status, text } = await other.ask(`GET ${address}`);
        expect(status, address).toBe(404);
        expect(text, address).toContain('<meta name="robots" content="noindex">');
        const [, title] = /<h2 id="a-la-place"[^>]*>(.*?)<\/h2>/.exec(text) ?? [];
        const cards = [...text.matchAll(/<h3 class="card-title">(.*?)<\/h3>/g)].map(([, card = '']) =>
          card.replace(/<[^>]*>/g, ''),
        );
        return { title, cards };
      };
      const addresses = ['/?actualite=99', '/une-details/99', '/event-detail/99', '/avantage-detail/99'];
      for (const address of addresses) expect(await gone(address)).toEqual({ title: undefined, cards: [] });

      const texts = { resume: 'En bref', description: 'En long' };
      for (const n of [1, 2, 3, 4]) {
        await publish('/actualites', { titre: `Nouvelle ${n}`, description: 'En long' });
        await publish('/alaune', { titre: `Une ${n}`, ...texts });
        await publish('/avantage', { titre: `Avantage ${n}`, ...texts });
        await publish('/events', {
          title: `Fête ${n}`,
          date: `200${n}-06-20T18:30`,
          location: 'Ici',
          summary: 'En bref',
          article: 'En long',
        });
      }
      expect(await gone('/?actualite=99')).toEqual({
        title: 'Les dernières actualités',
        cards: ['Nouvelle 4', 'Nouvelle 3', 'Nouvelle 2'],
      });
      expect(await gone('/une-details/99')).toEqual({
        title: 'À lire à la place',
        cards: ['Une 4', 'Une 3', 'Une 2'],
      });
      expect(await gone('/avantage-detail/99')).toEqual({
        title: 'D’autres avantages',
        cards: ['Avantage 4', 'Avantage 3', 'Avantage 2'],
      });
      expect(await gone('/event-detail/99')).toEqual({
        title: 'Les derniers événements',
        cards: ['Fête 4', 'Fête 3', 'Fête 2'],
      });
      await publish('/events', {
        title: 'Fête à venir',
        date: '2999-06-20T18:30',
        location: 'Ici',
        summary: 'En bref',
        article: 'En long',
      });
      expect(await gone('/event-detail/99')).toEqual({
        title: 'Les prochains événements',
        cards: ['Fête à venir'],
      });
    } finally {
      await other.close();
    }
  });
});

describe('A news item in full', () => {
  test('is a page with its own title, whole before any script has run', async () => {
    const token = await site.tokenOf('admin');
    const description = `${'Une longue phrase. '.repeat(60)}**La fin** [ici](https://example.org).`;
    const body = form({ titre: 'Tout lire', description });
    const { json } = await site.call('POST /actualites', { token, body });
    const { status, text } = await site.ask(`GET /?actualite=${json.id}`);
    expect(status).toBe(200);
    expect(text).toContain('<title>Tout lire — Portail CSE');
    expect(text).toContain('<meta name="description" content="Une longue phrase. Une');
    expect(text).toContain('<h1>Tout lire</h1>');
    expect(text).toContain('<strong>La fin</strong>');
    expect(text).toContain('href="https://example.org" target="_blank" rel="noopener noreferrer"');
    expect(text).not.toContain('noindex');
  });

  test('leads to those before and after it without any script, and brings no list along', async () => {
    const token = await site.tokenOf('admin');
    const publish = async (path: string, body: Record<string, string>) =>
      (await site.call(`POST ${path}`, { token, body: form(body) })).json.id as number;
    const texts = { resume: 'En bref', description: 'En long' };
    const fete = { date: '2999-06-20T18:30', location: 'Ici', summary: 'En bref', article: 'En long' };
    for (const [path, at, body] of [
      ['/actualites', '/?actualite=', (titre: string) => ({ titre, description: 'En long' })],
      ['/alaune', '/une-details/', (titre: string) => ({ titre, ...texts })],
      ['/avantage', '/avantage-detail/', (titre: string) => ({ titre, ...texts })],
      ['/events', '/event-detail/', (title: string) => ({ title, ...fete })],
    ] as const) {
      const [last, id, first] = [
        await publish(path, body('Le suivant')),
        await publish(path, body('Celui-ci')),
        await publish(path, body('Le précédent')),
      ];
      const { text } = await site.ask(`GET ${at}${id}`);
      const [nav = ''] = /<nav aria-label="Précédent et suivant".*?<\/nav>/s.exec(text) ?? [];
      const links = [...nav.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(
        ([, to, words = '']) => [
          to,
          words
            .replace(/<[^>]*>/g, ' ')
            .replace(/ +/g, ' ')
            .trim(),
        ],
      );
      expect(links).toEqual([
        [`${at}${first}`, 'Précédent Le précédent'],
        [`${at}${last}`, 'Suivant Le suivant'],
      ]);
      expect(Object.keys(dataOf(text).answers)).toEqual([
        `GET ${path}/:id id=${id}`,
        `GET ${path}/:id/voisins id=${id}`,
      ]);
    }
  });

  test('is a 404 when there is none, whatever the address says', async () => {
    for (const id of ['999999', '0', 'x', '', '1%00', '../1', '1e3']) {
      const { status, text } = await site.ask(`GET /?actualite=${id}`);
      expect(status, id).toBe(404);
      expect(text, id).toContain('Cette actualité n’existe pas ou n’existe plus.');
      expect(text, id).toContain('<meta name="robots" content="noindex">');
    }
  });

  test('shows as text what is not light Markdown, and links only to the web, the site or a mailbox', async () => {
    const token = await site.tokenOf('admin');
    const description = [
      '<img src=x onerror=alert(1)>',
      '[un](javascript:alert(1)) [deux](data:text/html,x) [trois](//evil.example) [quatre](/avantages)',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '```\ncode\n```',
      '# Un titre\n\n1. un\n2. deux',
    ].join('\n\n');
    const body = form({ titre: 'Formes', description });
    const { json } = await site.call('POST /actualites', { token, body });
    const { text } = await site.ask(`GET /?actualite=${json.id}`);
    const article = /<article.*<\/article>/s.exec(text)?.[0] ?? '';
    expect(article).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(article.match(/<a /g)).toHaveLength(1);
    expect(article).toContain('<a href="/avantages">quatre</a>');
    expect(article).toContain('| 1 | 2 |');
    expect(article).toContain('<h2>Un titre</h2><ol start="1"><li>');
    expect(article).not.toContain('<table');
  });
});

describe('To search engines and sharers', () => {
  const at = (path: string) => site.services.publicUrl + path;

  async function newsId(titre: string): Promise<number> {
    const token = await site.tokenOf('admin');
    return (await site.call('POST /actualites', { token, body: form({ titre, description: 'En bref' }) }))
      .json.id;
  }

  test('a page says its one address, however it was asked for', async () => {
    const id = await newsId('Une adresse');
    const token = await site.tokenOf('admin');
    const body = form({ titre: 'La une', resume: 'En bref', description: 'x' });
    const featured = (await site.call('POST /alaune', { token, body })).json.id;
    for (const [asked, own] of [
      ['/', '/'],
      ['/?utm_source=x&panneau=logos', '/'],
      [`/?utm_source="><script>&actualite=${id}`, `/?actualite=${id}`],
      [`/une-details/${featured}`, `/une-details/${featured}`],
      [`/Une-Details/${featured}/?x=/nulle-part`, `/une-details/${featured}`],
    ]) {
      const said = saidOf((await site.ask(`GET ${asked}`)).text);
      expect([said.canonical, said['og:url']], asked).toEqual([at(own as string), at(own as string)]);
    }
  });

  test('a page shows itself with its title, its description and the picture of the site', async () => {
    const picture = {
      'og:image': at('/partage.png'),
      'og:image:width': '1200',
      'og:image:height': '630',
      'twitter:card': 'summary_large_image',
    };
    const common = {
      'og:site_name': 'Portail CSE — CSE &lt;des&gt; Alpes',
      'og:locale': 'fr_FR',
      ...picture,
    };
    const id = await newsId(HOSTILE);
    expect(saidOf((await site.ask('GET /')).text)).toEqual({
      canonical: at('/'),
      'og:url': at('/'),
      'og:title': common['og:site_name'],
      'og:description': 'Actualités, avantages, événements et partenaires du comité social et économique.',
      'og:type': 'website',
      ...common,
    });
    expect(saidOf((await site.ask(`GET /?actualite=${id}`)).text)).toEqual({
      canonical: at(`/?actualite=${id}`),
      'og:url': at(`/?actualite=${id}`),
      'og:title': '&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp; &quot;',
      'og:description': 'En bref',
      'og:type': 'article',
      ...common,
    });
    const shared = await fetch(`${site.origin}/partage.png`);
    const { width, height, format } = await sharp(await shared.arrayBuffer()).metadata();
    expect([shared.status, format, width, height]).toEqual([200, 'png', 1200, 630]);
  });

  test('a page that is none, or not for them, says nothing', async () => {
    for (const path of ['/nulle-part', '/?actualite=999999', '/portail', '/connexion-portail']) {
      expect(saidOf((await site.ask(`GET ${path}`)).text), path).toEqual({});
    }
    const { database } = site.services;
    await database.write((db) => db.schema.alterTable('alaune').renameTo('alaune_ailleurs').execute());
    const unanswered = await site.ask('GET /une-details/1');
    await database.write((db) => db.schema.alterTable('alaune_ailleurs').renameTo('alaune').execute());
    expect([unanswered.status, saidOf(unanswered.text)]).toEqual([503, {}]);
  });

  test('the map names the pages and what is published, nothing else, and is read again only once changed', async () => {
    const token = await site.tokenOf('admin');
    const shown = await newsId('Visible');
    const binned = await newsId('Jetée');
    await site.call(`DELETE /actualites/${binned}`, { token });
    const tomorrow = new Date(site.now().getTime() + 86_400_000).toISOString();
    const body = form({ titre: 'Demain', description: 'x', publie_du: tomorrow });
    const coming = (await site.call('POST /actualites', { token, body })).json.id;

    const map = await site.ask('GET /sitemap.xml');
    expect([map.status, map.headers.get('content-type'), map.headers.get('cache-control')]).toEqual([
      200,
      'application/xml; charset=utf-8',
      'no-cache',
    ]);
    for (const page of ['/', '/?actualites=1', '/?unes=1', '/Evenements'])
      expect(map.text).toContain(`<url><loc>${at(page)}</loc></url>`);
    expect(map.text).toContain(
      `<url><loc>${at(`/?actualite=${shown}`)}</loc><lastmod>${site.now().toISOString()}</lastmod></url>`,
    );
    expect(map.text).toMatch(/<loc>[^<]*\/une-details\/\d+<\/loc>/);
    for (const id of [binned, coming]) expect(map.text).not.toContain(`actualite=${id}<`);
    expect(map.text).not.toMatch(/portail|logos|documents|:id/);

    const etag = map.headers.get('etag') ?? '';
    const again = () => site.ask('GET /sitemap.xml', { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    const head = await site.ask('HEAD /sitemap.xml');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(map.text.length)]);
    site.advance(86_400_000);
    expect((await again()).text).toContain(`actualite=${coming}<`);
  });

  test('the map names 50,000 addresses at most', async () => {
    const { database } = site.services;
    const many = sql`insert into actualites (titre, description, illustrations, created_at, modifie_le, version)
      with recursive nombres(n) as (select 1 union all select n + 1 from nombres where n < 50000)
      select 'Une de plus', 'x', '[]', '2026-06-20T09:00:00.000Z', '2026-06-20T09:00:00.000Z', 1 from nombres`;
    await database.write((db) => many.execute(db));
    const { text } = await site.ask('GET /sitemap.xml');
    await database.write((db) => db.deleteFrom('actualites').where('titre', '=', 'Une de plus').execute());
    expect(text.match(/<url>/g)).toHaveLength(50_000);
  });

  test('robots are told where not to go, and of a map that leads nowhere else', async () => {
    const robots = await site.ask('GET /robots.txt');
    expect(robots.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(robots.text).toContain(`\nSitemap: ${at('/sitemap.xml')}\n`);
    const closed = [...robots.text.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => at(path));
    expect(closed).toContain(at('/api/doc_stage_formateur/'));
    // Pictures are for whoever shows a page that is shared.
    expect(closed.filter((start) => at('/api/images/x.webp').startsWith(start))).toEqual([]);
    const { text } = await site.ask('GET /sitemap.xml');
    const open = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);
    expect(open.filter((address) => closed.some((start) => address.startsWith(start)))).toEqual([]);
  });
});

describe('Events', () => {
  test('of today are to come until midnight on the clocks of the site, then past', async () => {
    const today = wallClock(site.now(), 'Europe/Paris').slice(0, 10);
    const token = await site.tokenOf('admin');
    const body = form({
      title: 'Petit déjeuner',
      date: `${today}T00:01`,
      location: 'x',
      summary: 'x',
      article: 'x',
    });
    expect((await site.call('POST /events', { token, body })).status).toBe(201);
    const isPast = async () => {
      const { text } = await site.ask('GET /Evenements');
      expect(text).toContain('Petit déjeuner');
      expect(dataOf(text).site.today).toBe(wallClock(site.now(), 'Europe/Paris').slice(0, 10));
      const [upcoming = ''] = text.split('Événements passés');
      return !upcoming.includes('Petit déjeuner');
    };
    expect(await isPast()).toBe(false);
    const midnight = instantAt(`${today}T23:59:59.000Z`, 'Europe/Paris').getTime() + 1_000;
    site.advance(midnight - 1 - site.now().getTime());
    expect(await isPast()).toBe(false);
    site.advance(1);
    expect(await isPast()).toBe(true);
  });
});

describe('All news', () => {
  test('stand twelve a page, newest first; a page that is none is a 404', async () => {
    const token = await site.tokenOf('admin');
    const { json: before } = await site.call('GET /actualites');
    for (let i = before.length; i < 24; i++) {
      await site.call('POST /actualites', {
        token,
        body: form({ titre: `Nouvelle ${i}`, description: 'x' }),
      });
    }
    const titles = (await site.call('GET /actualites')).json.map((item: { titre: string }) => item.titre);
    expect(titles).toHaveLength(24);
    const shown = async (page: string) => {
      const { status, text } = await site.ask(`GET /?actualites=${page}`);
      expect(text, page).toContain('<h1 class="mb-6">Toutes les actualités</h1>');
      return { status, text, cards: text.match(/<h2 class="card-title">/g)?.length };
    };
    const first = await shown('1');
    const last = await shown('2');
    expect([first.status, first.cards, last.status, last.cards]).toEqual([200, 12, 200, 12]);
    expect(first.text).toContain('<title>Toutes les actualités — ');
    expect(last.text).toContain('<title>Toutes les actualités, page 2 — ');
    expect(first.text).toContain(`>${titles[0]}</h2>`);
    expect(last.text).toContain(`>${titles[12]}</h2>`);
    expect([first, last].map(({ text }) => text.match(/rel="(prev|next)"/g))).toEqual([
      ['rel="next"'],
      ['rel="prev"'],
    ]);
    for (const none of ['3', '0', '01', '-1', '1.5', 'x', '', '8335', '999999', '1e1']) {
      const { status, text } = await shown(none);
      expect(status, none).toBe(404);
      expect(text, none).toContain('Cette page n’existe pas.');
      expect(text, none).toContain('<meta name="robots" content="noindex">');
    }
  });

  test('are one empty page when there are none', async () => {
    const empty = await openSite({ pages: true });
    const { status, text } = await empty.ask('GET /?actualites=1');
    expect(status).toBe(200);
    expect(text).toContain('Pas d’actualité pour le moment.');
    expect((await empty.ask('GET /')).text).not.toContain('Toutes les actualités');
    await empty.close();
  });
});

describe('The portal', () => {
  test('is drawn by the browser: the server sends its frame, and nothing of it to search engines', async () => {
    for (const path of ['/portail', '/portail?panneau=reglages', '/actu-modify/1', '/une-modify/1']) {
      const { status, text } = await site.ask(`GET ${path}`);
      expect(status, path).toBe(200);
      expect(text, path).toContain('<meta name="robots" content="noindex">');
      expect(text, path).toMatch(/data-modules="[^"]* \/assets\/PortalPage-[\w-]+\.js/);
      expect(dataOf(text).answers, path).toEqual({});
    }
    const signIn = await site.ask('GET /connexion-portail');
    expect(signIn.text).toContain('<label');
    expect(signIn.text).toContain('noindex');
  });
});

describe('Other addresses', () => {
  test('an unknown one is a page with a 404, in French, and not for search engines', async () => {
    for (const path of [
      '/nulle-part',
      '/a/b/c',
      '//evil.example',
      '/.git/config',
      '/.env',
      '/index.php?x=1',
      '/assets/x.js.map',
      '/%',
      '/%e0%a4%a?x=%',
      '/%c0%af..%2f',
    ]) {
      const answer = await site.ask(`GET ${path}`);
      expect(answer.status, path).toBe(404);
      expect(answer.text, path).toContain('Page non trouvée');
      expect(answer.text, path).toContain('<meta name="robots" content="noindex">');
    }
  });

  test('an unknown one is drawn once, in each language and as the settings are', async () => {
    const ask = (language: string, encoding: string) =>
      site.ask('GET /nulle-part-non-plus', {
        headers: { 'accept-language': language, 'accept-encoding': encoding },
      });
    const first = await ask('fr-CA', 'identity');
    for (const encoding of ['identity', 'gzip', 'br']) {
      const again = await ask('fr-CA', encoding);
      expect([again.status, again.headers.get('content-encoding')]).toEqual([
        404,
        encoding === 'identity' ? null : encoding,
      ]);
      expect(again.text).toBe(first.text);
    }
    expect(dataOf((await ask('fr-BE', 'br')).text).site.locale).toBe('fr-BE');
    const token = await site.tokenOf('admin');
    const settings = (await site.call('GET /reglages', { token })).json;
    const named = { ...settings, organisation_nom: 'CSE renommé' };
    expect((await site.call('PUT /reglages', { token, body: named })).status).toBe(200);
    expect((await ask('fr-CA', 'br')).text).toContain('CSE renommé');
    expect((await site.call('PUT /reglages', { token, body: settings })).status).toBe(200);
  });

  test('files of the build are sent compressed, for ever when their name changes with them', async () => {
    const { text } = await site.ask('GET /');
    const [, script = ''] = / (\/assets\/frame-[^" ]+\.js)/.exec(text) ?? [];
    const [, styles = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(text) ?? [];
    for (const [path, type] of [
      [script, 'text/javascript; charset=utf-8'],
      [styles, 'text/css; charset=utf-8'],
    ] as const) {
      const answer = await site.ask(`GET ${path}`, { headers: { 'accept-encoding': 'gzip, br' } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.headers.get('content-encoding')).toBe('br');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const etag = answer.headers.get('etag') ?? '';
      expect((await site.ask(`GET ${path}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
    expect((await site.ask('GET /icon.svg')).headers.get('cache-control')).toBe('no-cache');
    for (const hidden of ['/.vite/manifest.json', '/assets/', `${script}.br`, '/entry-server.js']) {
      expect((await site.ask(`GET ${hidden}`)).status, hidden).toBe(404);
    }
  });
});
