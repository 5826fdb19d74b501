import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Photo } from '#features/photos/calls.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { TestSite } from '#tests/support/people.ts';
import { fingerprint, type Said, send } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/* Photos of one second, and those that say no time, in the order in which they were taken. */

let site: TestSite;
let stage: number;
let director: string;
let count = 0;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

beforeEach(async () => {
  const { database, secrets } = site.services;
  const stay = { nom_stage: `Rafale ${++count}`, date_debut: '2026-06-10', date_fin: '2026-06-24' };
  stage = await database.write((transaction) => insertStay(transaction, secrets, stay, site.now()));
  director = await site.tokenOf('director', stage);
});

interface Shot {
  name: string;
  /** As EXIF writes it. */
  taken?: string;
  fraction?: string;
}

/** A photo like no other. */
async function shoot({ taken, fraction }: Shot): Promise<Buffer> {
  const { width, height } = { width: 40 + (++count % 200), height: 30 + Math.floor(count / 200) };
  const background = { r: count % 256, g: 80, b: 120 };
  const picture = sharp({ create: { width, height, channels: 3, background } });
  const date = taken && { DateTimeOriginal: taken };
  const exif = { ...date, ...(fraction && { SubSecTimeOriginal: fraction }) };
  return (taken ? picture.withExif({ IFD0: { Make: 'Essai', Model: 'Un' }, IFD2: exif }) : picture)
    .jpeg()
    .toBuffer();
}

async function sent(bytes: Buffer, said: Said): Promise<void> {
  const sender = { origin: site.origin, token: director, stageId: stage };
  expect((await send(sender, bytes, said)).status).toBe(204);
}

async function listed(): Promise<Photo[]> {
  await site.jobs.idle();
  return (await site.call(`GET /stages/${stage}/photos`, { token: director })).json.photos;
}

/** Sends shots in an order that nobody would choose; the answer is the names, as families see the photos. */
async function orderOf(shots: readonly Shot[], isLightFirst = false): Promise<string[]> {
  const photos = await Promise.all(shots.map(async (shot) => ({ ...shot, bytes: await shoot(shot) })));
  const shuffled = photos.map(
    (_, index) => photos[(index * 7 + 3) % photos.length] as (typeof photos)[number],
  );
  const prise_le = '2026-06-20T10:00:00.000Z';
  for (const { name, bytes } of isLightFirst ? shuffled.toReversed() : [])
    await sent(await sharp(bytes).resize(20).jpeg().toBuffer(), {
      ...{ filename: name, version: 'legere', empreinte: fingerprint(bytes), prise_le },
    });
  if (isLightFirst) await site.jobs.idle();
  for (const { name, bytes } of shuffled) await sent(bytes, { filename: name, prise_le });
  const names = new Map(photos.map(({ name, bytes }) => [fingerprint(bytes), name]));
  const { db } = site.services.database;
  const rows = await db
    .selectFrom('photos')
    .select(['id', 'empreinte'])
    .where('stage_id', '=', stage)
    .execute();
  const found = new Map(rows.map(({ id, empreinte }) => [id, names.get(empreinte) ?? '']));
  return (await listed()).map(({ id }) => found.get(id) ?? '');
}

const SECOND = '2026:06:20 10:00:00';
const numbered = (from: number, name: (number: number) => string) =>
  Array.from({ length: 10 }, (_, index) => name(from + index));

test.each([false, true])(
  'A burst is in order by the fractions of its second, light versions first: %s',
  async (isLight) => {
    const shots = numbered(0, (number) => `IMG_${9 - number}.jpg`).map((name, index) => ({
      ...{ name, taken: SECOND, fraction: String(index * 10).padStart(2, '0') },
    }));
    expect(await orderOf(shots, isLight)).toEqual(shots.map(({ name }) => name));
    expect((await listed()).map(({ prise_le }) => prise_le.slice(20, 23))).toEqual(
      shots.map(({ fraction }) => fraction.padEnd(3, '0')),
    );
  },
);

test.each([
  ['numbers', numbered(995, (number) => `DSC_0${number}.JPG`)],
  ['numbers of any length', numbered(5, (number) => `photo ${number}.jpeg`)],
  [
    'what a phone adds',
    ['20260620_100000.jpg', ...numbered(1, (number) => `20260620_100000(${number}).jpg`)],
  ],
  ['the number of a burst', numbered(1, (number) => `IMG_20260620_100000_BURST${number}_COVER.jpg`)],
])('A burst without fractions is in order by the names of its files: %s', async (_what, names) => {
  const shots = names.map((name) => ({ name, taken: SECOND }));
  expect(await orderOf(shots, true)).toEqual(names);
  const photos = await listed();
  // Nobody has moved them.
  expect(photos.every(({ rang, prise_le }) => rang === prise_le)).toBe(true);
  expect(photos.every(({ prise_le }) => prise_le.startsWith('2026-06-20T10:00:00'))).toBe(true);
});

test('A photo that somebody moved keeps its place when the rest of its burst comes', async () => {
  const shots = numbered(1, (number) => `IMG_${number}.jpg`).map((name) => ({ name, taken: SECOND }));
  await orderOf(shots.slice(0, 4));
  const before = (await listed()).map(({ id }) => id);
  const body = { ids: [before[3]], avant: before[0] };
  await site.call(`POST /stages/${stage}/jours/2026-06-20/ordre`, { token: director, body });
  await orderOf(shots.slice(4));
  const after = (await listed()).map(({ id }) => id);
  expect(after[0]).toBe(before[3]);
  expect(after.slice(1, 4)).toEqual(before.slice(0, 3));
});

test('A photo that says no time has the day of its name, if that is a day of the stay', async () => {
  const received = '2026-06-20T08:30:00.000Z';
  for (const [filename, prise_le, wanted] of [
    ['IMG-20260612-WA0003.jpg', received, '2026-06-12T12:00:00.000Z'],
    ['IMG-20260620-WA0004.jpg', received, received],
    ['IMG-20250612-WA0003.jpg', received, received],
    ['20260613_143012.jpg', received, '2026-06-13T14:30:12.000Z'],
    ['IMG_4.jpg', received, received],
  ] as const) {
    const bytes = await shoot({ name: filename });
    await sent(bytes, { filename, prise_le });
    await site.jobs.idle();
    const { db } = site.services.database;
    const row = await db
      .selectFrom('photos')
      .select(['prise_le', 'jour'])
      .where('empreinte', '=', fingerprint(bytes))
      .executeTakeFirstOrThrow();
    expect(row, filename).toEqual({ prise_le: wanted, jour: wanted.slice(0, 10) });
  }
  // What a camera says counts more.
  const dated = await shoot({ name: '', taken: '2026:06:15 10:00:00' });
  await sent(dated, { filename: '20260613_143012.jpg', prise_le: received });
  expect((await listed()).map(({ prise_le }) => prise_le)).toContain('2026-06-15T10:00:00.000Z');
});

test('A page learns what became of a full version, however late', async () => {
  const whole = await shoot({ name: 'IMG_1.jpg' });
  const broken = whole.subarray(0, whole.length / 2);
  const empreinte = fingerprint(broken);
  const known = async () => {
    const body = { stageId: stage, empreintes: [empreinte] };
    return (await site.call('POST /photos/connues', { token: director, body })).json.connues[0];
  };
  await sent(whole, { version: 'legere', empreinte });
  await site.jobs.idle();
  expect(await known()).toEqual({ ...(await known()), version: 'legere', statut: 'a_verifier', refus: '' });
  const { images } = site.services;
  const { promise, resolve } = Promise.withResolvers<void>();
  site.services.images = { ...images, photo: (...args) => promise.then(() => images.photo(...args)) };
  await sent(broken, {});
  expect(await known()).toMatchObject({
    version: 'complete',
    statut: 'recue',
    refus: '',
  });
  resolve();
  site.services.images = images;
  await site.jobs.idle();
  expect(await known()).toMatchObject({
    version: 'legere',
    statut: 'a_verifier',
    refus: expect.stringMatching(/abîmée/),
  });
});
