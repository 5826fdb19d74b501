import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startServer } from '#app/server/start.ts';
import { AUDIENCE_DAYS } from '#features/site/shared/limits.ts';
import { type AskOptions, passDays, type TestSite, wrapSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const DAY = 24 * 3_600_000;
const COUNTED = { message: 'Vue comptée' };

const view = (page: string, options?: AskOptions, on = site) =>
  on.call('POST /pages-vues', { body: { page }, ...options });
const image = async (query = '', on = site) => (await on.call(`GET /compteur.svg${query}`)).text;
const digitsOf = (svg: string) => [...svg.matchAll(/>(\d)</g)].map(([, digit]) => digit).join('');
const count = async (page = 'site', on = site) =>
  Number(digitsOf(await image(`?page=${encodeURIComponent(page)}`, on)));

/** What the table holds once all is written: `jour page nombre`, in order. */
async function rows(on = site): Promise<string[]> {
  const found = await on.services.database.db.selectFrom('pages_vues').selectAll().execute();
  return found.map(({ jour, page, nombre }) => `${jour} ${page} ${nombre}`).sort();
}
const written = (on: TestSite) => expect.poll(() => rows(on), { interval: 100 });

describe('the counter', () => {
  test('stands at zero on a new site, and counts each view at once', async () => {
    const fresh = await openSite();
    try {
      expect(digitsOf(await image('', fresh))).toBe('00000');
      for (const expected of [1, 2, 3]) {
        expect((await view('/', {}, fresh)).json).toEqual(COUNTED);
        expect(await count('site', fresh)).toBe(expected);
      }
    } finally {
      await fresh.close();
    }
  });

  test('is an image of its own making, never kept, without a cookie', async () => {
    const answer = await site.call('GET /compteur.svg');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20" /);
    expect(answer.text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|href|url\(|<script|<style|<image|<foreignObject|\son\w+=|@import/i,
    );
  });

  test('says in French how many visits it shows', async () => {
    const titleOf = async (query: string) => /<title>(.*)<\/title>/.exec(await image(query))?.[1];
    const already = await count('membres');
    expect(already).toBe(0);
    expect(await titleOf('?page=membres')).toBe('0 visite');
    expect(await titleOf('?page=membres&initCount=1')).toBe('1 visite');
    expect(await titleOf('?page=membres&initCount=2')).toBe('2 visites');
    expect(await titleOf('?page=membres&initCount=1234')).toBe('1\u202f234 visites');
  });

  test('is filled up with zeros, and a longer count is shown whole', async () => {
    const shown = async (query: string) => digitsOf(await image(`?page=membres&${query}`));
    expect(await shown('nbdigits=1')).toBe('0');
    expect(await shown('nbdigits=12&initCount=7')).toBe('000000000007');
    expect(await shown('nbdigits=5&initCount=12345')).toBe('12345');
    expect(await shown('nbdigits=3&initCount=123456')).toBe('123456');
    expect(await shown('style=bleu&type=site&initCount=42')).toBe('00042');
    const svg = await image('?page=membres&nbdigits=3&initCount=123456');
    expect(svg.match(/<rect /g)).toHaveLength(6);
  });

  test('refuses what it cannot draw', async () => {
    for (const query of [
      'nbdigits=0',
      'nbdigits=13',
      'nbdigits=x',
      'initCount=-1',
      'initCount=1.5',
      'initCount=99999999999999999999',
      'page=a&page=b',
      `page=${'x'.repeat(201)}`,
    ]) {
      const answer = await site.call(`GET /compteur.svg?${query}`);
      expect(answer.status, query).toBe(422);
      expect(answer.headers.get('content-type'), query).toBe('application/json; charset=utf-8');
    }
  });
});

describe('a page', () => {
  test('has its own count, whatever the id in its address', async () => {
    const before = await count();
    for (const page of ['/event-detail/12', '/event-detail/13', '/event-detail', 'event-detail?x=1'])
      await view(page);
    await view('/avantages');
    await view('/evenements/');
    expect(await count('event-detail')).toBe(4);
    expect(await count('/event-detail/99')).toBe(4);
    expect(await count('avantages')).toBe(1);
    expect(await count('Evenements')).toBe(1);
    expect(await count()).toBe(before + 6);
  });

  test('without a name is the front page', async () => {
    const before = await count('/');
    for (const page of ['/', '/?utm=1', '/#haut']) await view(page);
    expect(await count('/')).toBe(before + 3);
    expect(await count('')).toBe(before + 3);
  });

  test('that the site does not have is counted with all such, under one name', async () => {
    const hostile = await openSite();
    try {
      const invented = [
        ...Array.from({ length: 50 }, (_, index) => `/inventee-${index}`),
        '/constructor',
        '/__proto__/x',
        '/%61vantages',
        "/' or 1=1 --",
        'https://exemple.fr/avantages',
        '<script>alert(1)</script>',
      ];
      for (const page of invented) expect((await view(page, {}, hostile)).json, page).toEqual(COUNTED);
      expect(await count('autre', hostile)).toBe(invented.length);
      await written(hostile).toEqual([` autre ${invented.length}`, `2026-06-20 autre ${invented.length}`]);
    } finally {
      await hostile.close();
    }
  });

  test('must be named, in a text of a reasonable length', async () => {
    for (const body of [
      {},
      { page: '' },
      { page: ' ' },
      { page: 5 },
      { page: ['/'] },
      { page: 'x'.repeat(201) },
    ])
      expect((await site.call('POST /pages-vues', { body })).status, JSON.stringify(body)).toBe(422);
  });
});

describe('privacy', () => {
  test('a visitor whose browser asks not to be followed is not counted', async () => {
    const before = await count();
    for (const headers of [{ 'sec-gpc': '1' }, { dnt: '1' }, { 'sec-gpc': '1', dnt: '0' }]) {
      const answer = await view('/', { headers: headers as Record<string, string> });
      expect([answer.status, answer.json]).toEqual([
        200,
        { message: 'Vue non comptée, comme votre navigateur le demande' },
      ]);
    }
    expect(await count()).toBe(before);
    await view('/', { headers: { dnt: '0' } });
    expect(await count()).toBe(before + 1);
  });

  test('of a visit only the day, the page and the number are kept', async () => {
    const own = await openSite();
    try {
      const headers = { 'user-agent': 'Navigateur-Rare/7', referer: 'https://ailleurs.example/' };
      const answer = await view('/une-details/5?email=alice@exemple.fr', { headers }, own);
      expect(answer.headers.getSetCookie()).toEqual([]);
      await written(own).toEqual([' une-details 1', '2026-06-20 une-details 1']);
      const table = await own.services.database.db.selectFrom('pages_vues').selectAll().execute();
      expect(Object.keys(table[0] ?? {}).sort()).toEqual(['jour', 'nombre', 'page']);
      expect(own.logLines.join('')).not.toMatch(/Navigateur-Rare|ailleurs|alice|une-details/);
    } finally {
      await own.close();
    }
  });

  test('another site’s page cannot make its visitors count', async () => {
    const before = await count();
    const answer = await view('/', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(answer.status).toBe(403);
    expect(await count()).toBe(before);
  });
});

describe('what was counted', () => {
  test('is of the day that the clocks of the site show', async () => {
    const own = await openSite();
    try {
      await view('/', {}, own);
      own.advance(13.5 * 3_600_000);
      expect(own.now().toISOString()).toBe('2026-06-20T22:30:00.000Z');
      await view('/', {}, own);
      await view('/avantages', {}, own);
      await written(own).toEqual([
        '  2',
        ' avantages 1',
        '2026-06-20  1',
        '2026-06-21  1',
        '2026-06-21 avantages 1',
      ]);
      expect(await count('site', own)).toBe(3);
    } finally {
      await own.close();
    }
  });

  test('is written when the site stops, and still there after the next start', async () => {
    const own = await openSite();
    const { directory, logLines, advance, now, services } = own;
    for (let i = 0; i < 5; i++) await view('/membres', {}, own);
    await own.stop();
    const server = await startServer(services.config, { clock: now, log: services.log });
    const again = wrapSite(server, { directory, logLines, advance, now, cleanUp: async () => {} });
    try {
      expect(await rows(again)).toEqual([' membres 5', '2026-06-20 membres 5']);
      await view('/membres', {}, again);
      expect(await count('membres', again)).toBe(6);
    } finally {
      await again.close();
      await own.close();
    }
  });

  test('is never seen less or twice while it is written', async () => {
    const own = await openSite();
    try {
      let isDone = false;
      const seen: number[] = [];
      const reader = async () => {
        while (!isDone) seen.push(await count('site', own));
      };
      const reading = reader();
      let sent = 0;
      while ((await rows(own)).length === 0) {
        await Promise.all(Array.from({ length: 20 }, () => view('/', {}, own)));
        sent += 20;
      }
      await expect.poll(async () => (await rows(own)).at(0)).toBe(`  ${sent}`);
      isDone = true;
      await reading;
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen.at(-1)).toBe(sent);
    } finally {
      await own.close();
    }
  });

  test('waits in memory while the database does not take it', async () => {
    const own = await openSite();
    const { database } = own.services;
    try {
      await database.write((db) => sql`alter table pages_vues rename to ailleurs`.execute(db));
      await view('/', {}, own);
      const said = () => own.logLines.some((line) => line.includes('page views are not written yet'));
      await expect.poll(said).toBe(true);
      await view('/', {}, own);
      await database.write((db) => sql`alter table ailleurs rename to pages_vues`.execute(db));
      expect(await count('site', own)).toBe(2);
      await written(own).toEqual(['  2', '2026-06-20  2']);
    } finally {
      await own.close();
    }
  });

  // A SQLite site is one process.
  if (inject('database') === 'postgres')
    test('by two processes is added up', async () => {
      const first = await openSite();
      const { DATABASE_URL = '', DATA_DIR } = first.services.config;
      // Both have the same files, as with a bucket.
      const other = join(DATA_DIR, 'second');
      mkdirSync(other);
      symlinkSync(join(DATA_DIR, 'files'), join(other, 'files'));
      const second = await openSite({ env: { DATABASE_URL, DATA_DIR: other } });
      try {
        for (let i = 0; i < 3; i++) await Promise.all([view('/', {}, first), view('/avantages', {}, second)]);
        await Promise.all([view('/avantages', {}, first), view('/', {}, second)]);
        await written(first).toEqual(['  4', ' avantages 4', '2026-06-20  4', '2026-06-20 avantages 4']);
        expect(await Promise.all([count('site', first), count('site', second)])).toEqual([8, 8]);
      } finally {
        await second.close();
        await first.close();
      }
    });

  // The last of the file, as it moves the clock by two years.
  test('loses its days after their time, never its totals', async () => {
    const own = await openSite();
    try {
      await view('/', {}, own);
      await written(own).toEqual(['  1', '2026-06-20  1']);
      await passDays(own, AUDIENCE_DAYS);
      expect(await rows(own)).toEqual(['  1', '2026-06-20  1']);
      own.advance(DAY);
      await own.schedule.tick();
      expect(await rows(own)).toEqual(['  1']);
      expect(await count('site', own)).toBe(1);
    } finally {
      await own.close();
    }
  });
});
