import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import readExif from 'exif-reader';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Photo } from '#features/photos/calls.ts';
import { redoPhotoErasures } from '#features/photos/server/erasures.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { TestSite } from '#tests/support/people.ts';
import { CORNERS, corners, quarters, xiaomi } from '#tests/support/photos.ts';
import { fingerprint, type Said, send } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/*
 * Photos turned, and zones of them blurred: what was there is shown nowhere any more, whatever comes in between; what is
 * kept of it for staff is in `photos-before.test.ts`.
 */

let site: TestSite;
let stage: number;
let family: string;
let director: string;
let admin: string;
let stays = 0;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());
beforeEach(async () => {
  const { database, secrets } = site.services;
  const stay = { nom_stage: `Lac ${++stays}`, date_debut: '2026-06-15', date_fin: '2026-06-28' };
  stage = await database.write((transaction) => insertStay(transaction, secrets, stay, site.now()));
  family = await site.tokenOf('family', stage);
  director = await site.tokenOf('director', stage);
  admin = await site.tokenOf('admin');
  await site.call(`POST /stages/${stage}/attestation`, { token: director });
});

const SIDES = [1600, 1200] as const;
/** Where the pattern is, in fractions of the picture. */
const FACE = { x: 0.6, y: 0.2, l: 0.2, h: 0.25 };
const FULL = { x: 0, y: 0, l: 1, h: 1 };

/** A grey picture with a sharp pattern where somebody's face would be; no two are the same file. */
let drawn = 0;
async function withFace([width, height]: readonly [number, number] = SIDES): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3, 120 + (++drawn % 8));
  const [left, top] = [FACE.x * width, FACE.y * height];
  for (let y = Math.floor(top); y < top + FACE.h * height; y++)
    for (let x = Math.floor(left); x < left + FACE.l * width; x++)
      data.fill((x >> 4) % 2 === (y >> 4) % 2 ? 250 : 5, (y * width + x) * 3, (y * width + x) * 3 + 3);
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .withExif({ IFD2: { DateTimeOriginal: '2026:06:17 08:09:10' } })
    .toBuffer();
}
const light = (full: Buffer) => sharp(full).resize(800).jpeg().toBuffer();

/** Pixels at the edge of a zone, in which what lies beside it is mixed. */
const EDGE = 2;

/** The largest step between neighbours inside a zone of a picture, upright: what there is to be seen in it. */
async function stepsIn(picture: Buffer, zone = FACE): Promise<number> {
  const { data, info } = await sharp(picture)
    .autoOrient()
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let most = 0;
  const inside = (from: number, length: number, all: number) => {
    const first = Math.ceil(from * all) + EDGE;
    const count = Math.max(0, Math.floor((from + length) * all) - 1 - EDGE - first);
    return Array.from({ length: count }, (_, index) => first + index);
  };
  for (const y of inside(zone.y, zone.h, info.height))
    for (const x of inside(zone.x, zone.l, info.width)) {
      const at = (y * info.width + x) * info.channels;
      const here = data[at] ?? 0;
      const beside = Math.abs(here - (data[at + info.channels] ?? 0));
      most = Math.max(most, beside, Math.abs(here - (data[at + info.width * info.channels] ?? 0)));
    }
  return most;
}
const SEEN = 60;
const GONE = 25;

async function sent(bytes: Buffer, said: Said = {}): Promise<Photo> {
  const sender = { origin: site.origin, token: director, stageId: stage };
  expect((await send(sender, bytes, said)).status).toBe(204);
  await site.jobs.idle();
  return find();
}
/** The only photo of the stay. */
async function find(token = director): Promise<Photo> {
  const { photos } = (await site.call(`GET /stages/${stage}/photos`, { token })).json;
  expect(photos).toHaveLength(1);
  return photos[0];
}
const retouch = (photo: Photo, body: object, token = director) =>
  site.call(`POST /photos/${photo.id}/retouche`, {
    token,
    body: { fichier: photo.fichiers?.w320 ?? '', ...body },
  });
const publish = ({ id }: Photo) =>
  site.call(`PATCH /photos/${id}`, { token: director, body: { statut: 'publiee' } });

const namesOf = ({ fichiers }: Photo) => Object.values(fichiers ?? {}).filter((name) => name !== null);
async function open(name: string, token: string) {
  const answer = await fetch(`${site.origin}${PHOTO_FOLDER}${name}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}
const openAll = (photo: Photo, token = director) =>
  Promise.all(namesOf(photo).map(async (name) => (await open(name, token)).bytes));

/** Every file below the folder of the site, the database included. */
function onDisk(): { name: string; bytes: Buffer }[] {
  const entries = readdirSync(site.directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, bytes: readFileSync(join(parentPath, name)) }));
}
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** What the register and the row say of the files of a photo is what is there. */
async function expectWhole(photo: Photo): Promise<void> {
  const { db } = site.services.database;
  const files = await db
    .selectFrom('fichiers')
    .selectAll()
    .where('objet', '=', 'photos')
    .where('objet_id', '=', photo.id)
    .execute();
  expect(files.map(({ nom }) => nom).sort()).toEqual(namesOf(photo).sort());
  for (const { nom, sha256, taille } of files) {
    const { bytes } = await open(nom, director);
    expect([sha(bytes), bytes.length]).toEqual([sha256, taille]);
  }
  expect(photo.gestion?.octets).toBe(files.reduce((sum, { taille }) => sum + taille, 0));
  expect(await db.selectFrom('fichiers').select('nom').where('objet', '=', 'effacement').execute()).toEqual(
    [],
  );
}

test('what was blurred in a published photo is in no file but the one for staff, and under no address that showed it', async () => {
  const before = await sent(await withFace());
  await publish(before);
  const shown = await find(family);
  const old = await openAll(shown, family);
  for (const bytes of old) expect(await stepsIn(bytes)).toBeGreaterThan(SEEN);
  const { repere } = (await site.call(`GET /stages/${stage}/photos`, { token: family })).json;
  const answer = await retouch(before, { zones: [FACE] });
  expect([answer.status, answer.json.message]).toEqual([200, 'Zone floutée']);

  const after = await find();
  expect(after).toMatchObject({
    statut: 'publiee',
    largeur: 1600,
    hauteur: 1200,
    publiee_le: shown.publiee_le,
  });
  expect(after.apercu).not.toBe(before.apercu);
  await expectWhole(after);
  for (const bytes of await openAll(after, family)) {
    expect(await stepsIn(bytes)).toBeLessThan(GONE);
    const beside = { ...FULL, l: FACE.x - 0.05 };
    expect(await stepsIn(bytes, beside)).toBeLessThan(GONE);
  }
  for (const name of namesOf(shown))
    for (const token of [family, director, admin]) expect((await open(name, token)).status).toBe(404);
  const gone = new Set(old.map(sha));
  const left = onDisk().filter(({ name }) => name !== shown.fichiers?.jpeg);
  expect(left.filter(({ bytes }) => gone.has(sha(bytes)))).toEqual([]);
  // Whole or in part: the last third of a picture cannot be there by chance.
  for (const bytes of old) {
    const tail = bytes.subarray(-Math.floor(bytes.length / 3));
    expect(left.some((file) => file.bytes.includes(tail))).toBe(false);
  }
  const news = await site.call(`GET /stages/${stage}/photos/changements?depuis=${repere}`, { token: family });
  expect(news.json.photos).toMatchObject([{ id: after.id, fichiers: after.fichiers }]);
  const lines = await site.services.database.db.selectFrom('journal').select('action').execute();
  expect(lines.map(({ action }) => action)).toContain('floutage d’une zone d’une photo');
});

test('a zone that touches the edges, and one of a few pixels, are blurred whole', async () => {
  const before = await sent(await xiaomi());
  const zones = [
    { x: 0.9, y: 0, l: 0.1, h: 0.3 },
    { x: 0, y: 0.99, l: 0.01, h: 0.01 },
    { x: 0.3, y: 0.3, l: 0.01, h: 0.4 },
  ];
  expect((await retouch(before, { zones })).json.message).toBe('3 zones floutées');
  const after = await find();
  for (const bytes of await openAll(after))
    for (const zone of zones) expect(await stepsIn(bytes, zone)).toBeLessThan(GONE);
});

test('the full version of a light photo comes retouched like it', async () => {
  const full = await withFace();
  const empreinte = fingerprint(full);
  const before = await sent(await light(full), { version: 'legere', empreinte });
  // Turned to the right: what was on the right is below.
  const turned = (await retouch(before, { quarts: 1 })).json.photos[0] as Photo;
  expect([turned.largeur, turned.hauteur]).toEqual([600, 800]);
  const face = { x: 1 - FACE.y - FACE.h, y: FACE.x, l: FACE.h, h: FACE.l };
  for (const bytes of await openAll(turned)) expect(await stepsIn(bytes, face)).toBeGreaterThan(SEEN);
  const blurred = (await retouch(turned, { zones: [face], quarts: 1 })).json.photos[0] as Photo;
  await publish(blurred);
  const after = await sent(full);
  expect(after).toMatchObject({ id: before.id, version: 'complete', statut: 'publiee', largeur: 1600 });
  await expectWhole(after);
  expect(namesOf(after)).toHaveLength(5);
  for (const bytes of await openAll(after)) expect(await stepsIn(bytes, FULL)).toBeLessThan(GONE);
});

test('a full version of other proportions is not taken once zones are blurred', async () => {
  const full = await withFace([1200, 1200]);
  const before = await sent(await light(await withFace()), {
    version: 'legere',
    empreinte: fingerprint(full),
  });
  await retouch(before, { zones: [FACE] });
  const after = await sent(full);
  expect(after).toMatchObject({ version: 'legere', largeur: 800 });
  expect(after.gestion?.refus).toMatch(/n’a pas le même cadre/);
  await expectWhole(after);
  for (const bytes of await openAll(after)) expect(await stepsIn(bytes)).toBeLessThan(GONE);
});

/** Lets something happen once the files of a photo are made, before they are registered. */
async function onceMade(happens: () => Promise<unknown>, work: () => Promise<unknown>): Promise<void> {
  const { images } = site.services;
  let isFirst = true;
  site.services.images = {
    ...images,
    async photo(...task) {
      const mayHappen = isFirst;
      isFirst = false;
      const made = await images.photo(...task);
      if (mayHappen) await happens();
      return made;
    },
  };
  try {
    await work();
  } finally {
    site.services.images = images;
  }
}

test('a photo that is blurred while its full version is prepared is blurred in that one too', async () => {
  const full = await withFace();
  const before = await sent(await light(full), { version: 'legere', empreinte: fingerprint(full) });
  await onceMade(
    async () => expect((await retouch(before, { zones: [FACE] })).status).toBe(200),
    () => sent(full),
  );
  const after = await find();
  expect(after).toMatchObject({ version: 'complete', largeur: 1600 });
  await expectWhole(after);
  for (const bytes of await openAll(after)) expect(await stepsIn(bytes)).toBeLessThan(GONE);
});

test('a photo whose full version comes while it is retouched is left to another look', async () => {
  const full = await withFace();
  const before = await sent(await light(full), { version: 'legere', empreinte: fingerprint(full) });
  await onceMade(
    () => sent(full),
    async () => expect((await retouch(before, { quarts: 2 })).status).toBe(409),
  );
  const after = await find();
  expect(after).toMatchObject({ version: 'complete', largeur: 1600 });
  await expectWhole(after);
});

test('of two retouches at once one counts, and the other is told', async () => {
  const before = await sent(await withFace());
  const answers = await Promise.all([
    retouch(before, { zones: [FACE] }),
    retouch(before, { quarts: 1 }, admin),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const told = answers.find(({ status }) => status === 409)?.json.message;
  expect(told).toBe('Cette photo vient de changer\u202f: regardez-la de nouveau, puis recommencez.');
  const after = await find();
  await expectWhole(after);
  // Nothing is left of the one that did not count; if the zone did, one file is kept for staff.
  const files = onDisk().filter(({ name }) => /\.(webp|jpg)$/.test(name));
  for (const name of namesOf(before))
    if (name !== before.fichiers?.jpeg) expect(files.some((file) => file.name === name)).toBe(false);
  expect((await retouch(before, { quarts: 1 })).status).toBe(409);
});

test('of thirty turns of one photo at once one is made, and the others are told before any work', async () => {
  const before = await sent(await withFace());
  const { images } = site.services;
  let made = 0;
  site.services.images = {
    ...images,
    photo: (...args) => {
      made += 1;
      return images.photo(...args);
    },
  };
  const answers = await Promise.all(Array.from({ length: 30 }, () => retouch(before, { quarts: 1 })));
  site.services.images = images;
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(409)]);
  expect(made).toBe(1);
  const [turned, original] = [await find(), before];
  expect([turned.largeur, turned.hauteur]).toEqual([original.hauteur, original.largeur]);
  expect((await retouch(turned, { quarts: 3 })).status).toBe(200);
});

test('a photo erased while it is retouched leaves nothing', async () => {
  const photo = await sent(await withFace());
  const files = () => onDisk().filter(({ name }) => /\.(webp|jpg)$/.test(name)).length;
  const before = files();
  await onceMade(
    async () =>
      site.call('POST /photos/effacer', { token: await site.tokenOf('admin'), body: { ids: [photo.id] } }),
    async () => expect((await retouch(photo, { zones: [FACE] })).status).toBe(404),
  );
  expect(files()).toBe(before - 5);
});

test('turning keeps the picture data of the JPEG, its moment, and what it shows', async () => {
  const seen = async (photo: Photo) =>
    Promise.all(
      (await openAll(photo)).map(async (bytes) => quarters(await sharp(bytes).autoOrient().toBuffer())),
    );
  const dated = await sharp(await corners(1))
    .withExif({ IFD2: { DateTimeOriginal: '2026:06:17 08:09:10' } })
    .jpeg()
    .toBuffer();
  for (const bytes of [dated, await corners(6)]) {
    const first = await sent(bytes);
    const jpegOf = async (photo: Photo) => (await open(photo.fichiers?.jpeg ?? '', director)).bytes;
    const whole = await jpegOf(first);
    const { exif } = await sharp(whole).metadata();
    const data = whole.subarray(exif ? 4 + whole.readUInt16BE(4) : 2);
    let photo = first;
    const [a, b, c, d] = CORNERS;
    for (const [orientation, shown] of [
      [6, [c, a, d, b]],
      [3, [d, c, b, a]],
      [8, [b, d, a, c]],
      [undefined, [a, b, c, d]],
    ] as const) {
      photo = (await retouch(photo, { quarts: 1 })).json.photos[0];
      await expectWhole(photo);
      const jpeg = await jpegOf(photo);
      expect(jpeg.subarray(-data.length).equals(data)).toBe(true);
      const found = await sharp(jpeg).metadata();
      expect(found.orientation).toBe(orientation);
      const { Photo: said } = found.exif ? readExif(found.exif) : {};
      expect(said?.DateTimeOriginal).toEqual(exif && new Date('2026-06-17T08:09:10.000Z'));
      const isLying = orientation === 6 || orientation === 8;
      expect([photo.largeur, photo.hauteur]).toEqual(isLying ? [360, 480] : [480, 360]);
      for (const colours of await seen(photo))
        for (const [index, colour] of shown.entries())
          for (const [channel, value] of colour.entries())
            expect(Math.abs((colours[index]?.[channel] ?? -99) - value)).toBeLessThan(30);
    }
    expect((await jpegOf(photo)).equals(whole)).toBe(true);
    await site.call(`DELETE /photos/${photo.id}`, { token: director });
  }
});

test('a photo turned, then blurred, is stored as it is seen', async () => {
  const before = await sent(await withFace());
  const turned = (await retouch(before, { quarts: 3 })).json.photos[0] as Photo;
  const face = { x: FACE.y, y: 1 - FACE.x - FACE.l, l: FACE.h, h: FACE.l };
  const after = (await retouch(turned, { zones: [face] })).json.photos[0] as Photo;
  expect([after.largeur, after.hauteur]).toEqual([1200, 1600]);
  for (const bytes of await openAll(after)) {
    expect((await sharp(bytes).metadata()).orientation).toBeUndefined();
    expect(await stepsIn(bytes, FULL)).toBeLessThan(GONE);
  }
});

test('nothing but zones of the photo and quarter turns is taken', async () => {
  const photo = await sent(await withFace());
  const zone = (changed: object) => ({ zones: [{ ...FACE, ...changed }] });
  const many = (count: number) => ({ zones: Array(count).fill(FACE) });
  for (const body of [
    ...[{}, { zones: [] }, { quarts: 0 }, { quarts: 4 }, { quarts: -1 }, { quarts: 1.5 }, { quarts: '1' }],
    ...[zone({ x: Number.NaN }), zone({ x: null }), zone({ x: -0.1 }), zone({ y: 2 }), zone({ l: 0 })],
    ...[zone({ h: 0.001 }), zone({ l: 0.5 }), zone({ y: 0.9 }), zone({ x: 1e308 }), zone({ h: '0.2' })],
    ...[many(21), { zones: FACE }, { zones: [[0, 0, 1, 1]] }],
  ])
    expect([body, (await retouch(photo, body)).status]).toEqual([body, 422]);
  expect((await retouch(photo, many(10_000))).status).toBe(413);
  expect((await retouch(photo, { fichier: undefined, quarts: 1 })).status).toBe(422);
  expect(await find()).toEqual(photo);
  for (let times = 0; times < 5; times++) expect((await retouch(await find(), many(20))).status).toBe(200);
  const refused = await retouch(await find(), many(1));
  expect([refused.status, refused.json.message]).toEqual([409, expect.stringContaining('100 au plus')]);
});

test('a photo that is not prepared is not retouched', async () => {
  const bytes = await withFace();
  expect((await send({ origin: site.origin, token: director, stageId: stage }, bytes)).status).toBe(204);
  const coming = await find();
  const answer = await retouch(coming, { quarts: 1 });
  expect(coming.statut === 'recue' ? answer.status : 409).toBe(409);
  await site.jobs.idle();
});

test('an older database shows a photo blurred since to no family before a person has seen it', async () => {
  const photo = await sent(await withFace());
  await publish(photo);
  const after = (await retouch(photo, { zones: [FACE] })).json.photos[0] as Photo;
  await redoPhotoErasures(site.services);
  expect((await find(family)).id).toBe(after.id);
  // As the database was before: it knows nothing of what was noted since.
  await site.services.database.write((transaction) => transaction.deleteFrom('effacements').execute());
  await redoPhotoErasures(site.services);
  expect((await site.call(`GET /stages/${stage}/photos`, { token: family })).json.photos).toEqual([]);
  expect(await find()).toMatchObject({ statut: 'retiree' });
});
