import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Photo } from '#features/photos/calls.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* The order of the photos of a day, which directors and staff change. */

const DAY = '2026-06-20';

let site: TestSite;
let stage: number;
let family: string;
let director: string;
let stays = 0;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

beforeEach(async () => {
  const { database, secrets } = site.services;
  stays += 1;
  const stay = { nom_stage: `Cap ${stays}`, date_debut: '2026-06-10', date_fin: '2026-06-24' };
  stage = await database.write((transaction) => insertStay(transaction, secrets, stay, site.now()));
  family = await site.tokenOf('family', stage);
  director = await site.tokenOf('director', stage);
});

/** Photos of one day, as many as there are instants; the answer is their ids. */
const taken = (instants: readonly string[]) =>
  addPhotos(site.services, stage, instants.length, (index) => ({
    jour: DAY,
    prise_le: `${DAY}T${instants[index]}.000Z`,
  }));
const list = async (token = family, query = '') =>
  (await site.call(`GET /stages/${stage}/photos${query}`, { token })).json;
const listed = async (token = family) => ((await list(token)).photos as Photo[]).map(({ id }) => id);
const address = (day = DAY) => `/stages/${stage}/jours/${day}/ordre`;
const move = (ids: unknown, avant: unknown, token = director, day = DAY) =>
  site.call(`POST ${address(day)}`, { token, body: { ids, avant } });

test('A photo is put before another one, at the beginning and at the end of its day', async () => {
  const [a, b, c, d] = (await taken(['09:00:00', '09:00:10', '09:00:20', '09:00:30'])) as [
    number,
    number,
    number,
    number,
  ];
  expect((await move([d], b)).json).toEqual({ message: 'Ordre enregistré' });
  expect(await listed()).toEqual([a, d, b, c]);
  await move([c, b], a);
  expect(await listed()).toEqual([c, b, a, d]);
  await move([c], null);
  expect(await listed()).toEqual([b, a, d, c]);
  // All of a day, in whatever order.
  await move([d, c, b, a], null);
  expect(await listed()).toEqual([d, c, b, a]);
  // Nothing moves what stands there already.
  const { repere } = await list();
  expect((await move([c], b)).json.message).toMatch('Rien à changer');
  const since = `GET /stages/${stage}/photos/changements?depuis=${encodeURIComponent(repere)}`;
  expect((await site.call(since, { token: family })).json.photos).toEqual([]);

  expect((await site.call(`DELETE ${address()}`, { token: director })).status).toBe(200);
  expect(await listed()).toEqual([a, b, c, d]);
});

test('Photos of one instant keep their order around one that is put between them, page by page', async () => {
  const ids = await taken([...Array(6).fill('09:00:00'), '09:00:01', '08:00:00']);
  const [early, late] = [ids[7] as number, ids[6] as number];
  const burst = ids.slice(0, 6);
  await move([late], burst[3]);
  const wanted = [early, ...burst.slice(0, 3), late, ...burst.slice(3)];
  expect(await listed()).toEqual(wanted);
  for (const limit of [1, 3]) {
    const read: number[] = [];
    for (let suite: string | null = ''; suite !== null; ) {
      const after = suite && `&apres=${encodeURIComponent(suite)}`;
      const page = await list(family, `?limite=${limit}${after}`);
      read.push(...page.photos.map(({ id }: Photo) => id));
      suite = page.suite;
    }
    expect(read).toEqual(wanted);
  }
  // Only what would collide is pushed: those before keep their instant, and one taken later comes behind.
  const { photos } = (await list()) as { photos: Photo[] };
  expect(photos.slice(0, 4).every(({ rang, prise_le }) => rang === prise_le)).toBe(true);
  const [next] = await taken(['09:00:02']);
  expect((await listed()).at(-1)).toBe(next);
});

test('Families are told of what has moved, and hidden photos keep their place', async () => {
  const [a, b, c] = (await addPhotos(site.services, stage, 3, (index) => ({
    jour: DAY,
    prise_le: `${DAY}T09:00:0${index}.000Z`,
    statut: index === 1 ? 'a_verifier' : 'publiee',
  }))) as [number, number, number];
  const { repere } = await list();
  await move([c], a);
  const since = `GET /stages/${stage}/photos/changements?depuis=${encodeURIComponent(repere)}`;
  const { json } = await site.call(since, { token: family });
  expect(json.photos.map(({ id }: Photo) => id)).toEqual([c]);
  expect(await listed()).toEqual([c, a]);
  expect(await listed(director)).toEqual([c, a, b]);
  await move([b], a);
  expect(await listed()).toEqual([c, a]);
  expect(await listed(director)).toEqual([c, b, a]);
});

test('What is not of that day and that stay is refused, and leaves the order as it is', async () => {
  const [a, b] = (await taken(['09:00:00', '09:00:10'])) as [number, number];
  const [elsewhere] = await addPhotos(site.services, stage, 1, () => ({ jour: '2026-06-19' }));
  expect((await move([elsewhere], a)).status).toBe(404);
  expect((await move([b], elsewhere)).status).toBe(404);
  expect((await move([b, 999_999], a)).status).toBe(404);
  expect((await move([a, b], a)).status).toBe(422);
  expect((await move([], a)).status).toBe(422);
  expect((await move([b], a, director, '2026-06-19')).status).toBe(404);
  expect((await move([b], a, family)).status).toBe(403);
  const stranger = { nom_stage: `Autre ${stays}`, date_debut: '2026-06-10', date_fin: '2026-06-24' };
  const { database, secrets } = site.services;
  const other = await database.write((transaction) => insertStay(transaction, secrets, stranger, site.now()));
  const theirs = await site.tokenOf('director', other);
  expect((await move([b], a, theirs)).status).toBe(404);
  expect((await site.call(`DELETE ${address()}`, { token: theirs })).status).toBe(404);
  expect((await listed()).slice(0, 2)).toEqual([a, b]);
});

test('Moves at the same moment all count, and none makes a photo twice or none', async () => {
  const ids = await taken(Array(8).fill('09:00:00'));
  const answers = await Promise.all(ids.map((id) => move([id], null)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect((await listed()).toSorted((one, other) => one - other)).toEqual(ids);
  const { photos } = (await list()) as { photos: Photo[] };
  expect(new Set(photos.map(({ rang }) => rang)).size).toBe(8);
});
