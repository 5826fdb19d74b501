import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageData } from '../shared/page.ts';
import { form, picture } from './support/forms.ts';
import type { TestSite } from './support/people.ts';
import { openSite } from './support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openSite({ pages: true, env: { ORGANISATION_NAME: 'CSE <des> Alpes' } });
});
afterAll(() => site.close());

const HOSTILE = '</script><script>alert(1)</script><!-- & "';

function dataOf(html: string): PageData {
  const [, json = ''] = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
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
    expect(Object.keys(answers)).toHaveLength(3);
    expect(shown).toMatchObject({ organisation: 'CSE <des> Alpes', timeZone: 'Europe/Paris' });
  });

  test('runs nothing that people wrote', async () => {
    const { text } = await site.ask('GET /');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('CSE &lt;des&gt; Alpes');
    expect(text).not.toContain('<des>');
    // Two scripts: the site's own and the data, which is no program.
    expect(text.match(/<script\b[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script type="module" id="boot" src="[^"]+" data-modules="[^"]+">$/),
      '<script type="application/json" id="page-data">',
    ]);
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
      return /Publié le <!-- -->([^<]*)</.exec(text)?.[1];
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
    const { db } = site.services.database;
    site.services.kept.drop('logos');
    await db.schema.alterTable('logos').renameTo('logos_ailleurs').execute();
    const page = await site.ask('GET /');
    await db.schema.alterTable('logos_ailleurs').renameTo('logos').execute();
    expect(page.status).toBe(200);
    expect(page.text).toContain('La une');
    expect(Object.keys(dataOf(page.text).answers)).toEqual([
      'GET /actualites  abrege=1&limite=12',
      'GET /alaune  abrege=1&limite=12',
    ]);
    expect(site.logLines.some((line) => line.includes('a page lacks an answer'))).toBe(true);
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

describe('The portal', () => {
  test('is drawn by the browser: the server sends its frame, and nothing of it to search engines', async () => {
    for (const path of ['/portail', '/portail?panneau=reglages', '/actu-modify/1', '/une-modify/1']) {
      const { status, text } = await site.ask(`GET ${path}`);
      expect(status, path).toBe(200);
      expect(text, path).toContain('<meta name="robots" content="noindex">');
      expect(text, path).toMatch(/data-modules="[^"]* \/assets\/PortalPage-[\w-]+\.js/);
      expect(dataOf(text).answers, path).toEqual({});
    }
    const door = await site.ask('GET /connexion-portail');
    expect(door.text).toContain('<label');
    expect(door.text).toContain('noindex');
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
    ]) {
      const answer = await site.ask(`GET ${path}`);
      expect(answer.status, path).toBe(404);
      expect(answer.text, path).toContain('Page non trouvée');
      expect(answer.text, path).toContain('<meta name="robots" content="noindex">');
    }
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
    expect((await site.ask('GET /robots.txt')).text).toContain('Disallow: /portail');
    for (const hidden of ['/.vite/manifest.json', '/assets/', `${script}.br`, '/entry-server.js']) {
      expect((await site.ask(`GET ${hidden}`)).status, hidden).toBe(404);
    }
  });
});
