import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { form } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openRelay, type Relay, type RelayState } from '#tests/support/relay.ts';
import { newDatabase, openSite, TEST_KEY } from '#tests/support/site.ts';

/* A database server that hangs, or cannot be reached: what people and monitoring are told, and that it passes. */

const isPostgres = inject('database') === 'postgres';

let database: Awaited<ReturnType<typeof newDatabase>>;
let relay: Relay;
let site: TestSite;
let token: string;
beforeAll(async () => {
  database = await newDatabase();
  if (!database) return;
  const { host } = new URL(database.url);
  relay = await openRelay(database.url);
  const env = { DATABASE_URL: database.url.replace(host, relay.host), SECRET_KEY: TEST_KEY };
  site = await openSite({ env });
  token = await site.tokenOf('admin');
});
afterAll(async () => {
  relay?.turn('open');
  await site?.close();
  await relay?.close();
  await database?.drop();
});
beforeEach(() => relay?.turn('open'));

const addNews = (titre: string) =>
  site.call('POST /actualites', { token, body: form({ titre, description: 'Au lac.' }) });

test.runIf(isPostgres).each<RelayState>(['closed', 'hanging'])(
  'that is %s is told by all who are asked, and the site goes on by itself once it is back',
  async (state) => {
    expect((await site.ask('GET /readyz')).status).toBe(200);
    relay.turn(state);
    const written = await addNews(`Perdue, ${state}`);
    expect([written.status, written.headers.get('retry-after')]).toEqual([503, '2']);
    expect(written.text).toContain('La base de données du site ne répond pas pour le moment');
    await expect.poll(async () => (await site.ask('GET /readyz')).status).toBe(503);
    expect((await site.ask('GET /healthz')).status).toBe(200);
    relay.turn('open');
    await expect.poll(async () => (await site.ask('GET /readyz')).status).toBe(200);
    const titre = `Gardée, ${state}`;
    expect((await addNews(titre)).status).toBe(201);
    const titles = (await site.call('GET /actualites')).json.map((news: { titre: string }) => news.titre);
    expect(titles).toContain(titre);
    // What was refused was not written.
    expect(titles).not.toContain(`Perdue, ${state}`);
    await site.jobs.idle();
  },
);
