import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { form } from '#tests/support/forms.ts';
import { killAll, newPlace, type Place, type Server, signIn, start, stop } from '#tests/support/process.ts';
import { buildPatched, type Release } from '#tests/support/released.ts';
import { builtServer, SERVER } from '#tools/build.mjs';

/*
 * « Add a field to a content kind » of CONTRIBUTING.md, followed to the letter: the version that its example makes takes
 * over from this one, gives way to it, and takes over again. It builds a second site, and is for the long run alone;
 * that the example fits the sources is for each run, in tests/app/paper.unit.test.ts.
 */

const isPostgres = inject('database') === 'postgres';
const PRICE = '12 € l’entrée';

let here: string;
let next: Release;
let folder: string;
beforeAll(() => {
  here = builtServer();
  next = buildPatched(join(import.meta.dirname, '../../docs/recipes/add-a-field.diff'));
  folder = mkdtempSync(join(tmpdir(), 'passerelle-recipe-'));
});
afterEach(killAll);
afterAll(() => {
  next?.remove();
  if (folder) rmSync(folder, { recursive: true });
});

/** A process of the site, and the version that it runs. */
interface Running {
  place: Place;
  version: string;
  server: Server;
}

test('A field added by the recipe, and all that is written meanwhile, outlasts an upgrade, the way back and the next', async () => {
  const first = await newPlace();
  const second = { ...first, env: { ...first.env, DATA_DIR: join(folder, 'second') } };
  const there = join(next.directory, SERVER);
  const begin = (place: Place, version: string) => start(place, {}, [process.execPath, version]);
  const processes: Running[] = [];
  for (const place of isPostgres ? [first, second] : [first])
    processes.push({ place, version: here, server: await begin(place, here) });
  const token = await signIn(processes[0]?.server.url ?? '');
  const call = async ({ server }: Running, what: string, values?: Record<string, string>) => {
    const [method = '', path] = what.split(' ');
    const response = await fetch(`${server.url}/api/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      body: values ? form(values) : null,
    });
    const text = await response.text();
    expect(response.ok, `${what}: ${text}`).toBe(true);
    return JSON.parse(text);
  };

  /** The events that the site said it has kept: their price by their id, blank for those written without one. */
  const prices = new Map<number, string>();
  /** Staff write an event, with its price where the field is, and change all that are there; everybody reads them. */
  const use = async (one: Running) => {
    const tarif = one.version === there ? PRICE : '';
    for (const id of prices.keys())
      await call(one, `PUT /events/${id}`, { summary: `Changé ${prices.size} fois` });
    const texts = {
      title: 'Théâtre',
      date: '2026-09-20T18:30:00.000Z',
      location: 'Lyon',
      summary: 'Une pièce.',
    };
    const values = { ...texts, article: 'Devant la salle.', ...(tarif && { tarif }) };
    const { id } = await call(one, 'POST /events', values);
    prices.set(id, tarif);
    for (const each of processes) {
      const events: { id: number; tarif?: string }[] = await call(each, 'GET /events?tout=1');
      const found = new Map(events.map((event) => [event.id, event.tarif]));
      for (const [event, price] of prices)
        expect([event, found.has(event), found.get(event)]).toEqual([
          event,
          true,
          each.version === there ? price : undefined,
        ]);
      const page = await fetch(`${each.server.url}/event-detail/${id}`);
      expect((await page.text()).includes(PRICE)).toBe(each.version === there && tarif === PRICE);
    }
  };

  try {
    for (const one of processes) await use(one);
    for (const version of [there, here, there])
      for (const one of processes) {
        expect(await stop(one.server)).toBe(0);
        Object.assign(one, { version, server: await begin(one.place, version) });
        for (const each of processes) await use(each);
      }
    expect([...prices.values()]).toContain(PRICE);
    for (const { server } of processes) expect(await stop(server)).toBe(0);
  } finally {
    killAll();
    await first.clean();
  }
});
