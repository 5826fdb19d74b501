import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import readExif from 'exif-reader';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePhotos } from '#features/photos/server/changesStore.ts';
import type { StateWrite } from '#features/photos/server/tables.ts';
import { filesOf as namesOf } from '#features/photos/server/versions.ts';
import { findStayToChange, insertStay } from '#features/stays/server/staysStore.ts';
import { eraseCondemned } from '#platform/server/files/registerStore.ts';
import { openImages } from '#platform/server/images/images.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { mountDisk } from '#tests/support/disk.ts';
import type { TestSite } from '#tests/support/people.ts';
import {
  animatedWebp,
  CORNERS,
  camera,
  corners,
  heic,
  inFormat,
  iphone,
  phonePortrait,
  pngOf,
  quarters,
  webpChunks,
  xiaomi,
} from '#tests/support/photos.ts';
import { create, fingerprint, patch, type Said, type Sender, send } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/* What becomes of the files that are sent: photos for families, without a trace of where they were taken. */

let site: TestSite;
let sender: Sender;
beforeAll(async () => {
  site = await openSite();
  sender = await newSender(site);
});
afterAll(() => site?.close());

let count = 0;

async function newSender(at: TestSite): Promise<Sender> {
  const stay = { nom_stage: `Lac ${++count}`, date_debut: '2026-06-15', date_fin: '2026-06-28' };
  const stageId = await at.services.database.write((transaction) =>
    insertStay(transaction, at.services.secrets, stay, at.now()),
  );
  return { origin: at.origin, token: await at.tokenOf('director', stageId), stageId };
}

async function rowOf(empreinte: string, at: TestSite = site) {
  return at.services.database.db
    .selectFrom('photos')
    .selectAll()
    .where('empreinte', '=', empreinte)
    .executeTakeFirstOrThrow();
}

/** Sends a photo and waits for what becomes of it. */
async function prepared(bytes: Uint8Array, said: Said = {}) {
  expect((await send(sender, bytes, said)).status).toBe(204);
  await site.jobs.idle();
  return rowOf(said.empreinte ?? fingerprint(bytes));
}

type Row = Awaited<ReturnType<typeof rowOf>>;

/** The bytes of each of its files, as the register says they are. */
async function filesOf(row: Row, at: TestSite = site): Promise<Record<string, Buffer>> {
  const registered = await at.services.database.db
    .selectFrom('fichiers')
    .selectAll()
    .where('objet', '=', 'photos')
    .where('objet_id', '=', row.id)
    .execute();
  const names = Object.values(namesOf(row) ?? {}).filter((name) => name !== null);
  expect(registered.map(({ nom }) => nom).sort()).toEqual(names.sort());
  const files = registered.map(({ nom, dossier, taille, sha256, crc32: sum }) => {
    const bytes = readFileSync(join(at.directory, 'files', keyOf(dossier, nom)));
    expect([taille, sha256, sum]).toEqual([
      bytes.length,
      createHash('sha256').update(bytes).digest('hex'),
      crc32(bytes),
    ]);
    return [nom.replace(row.nom ?? '', ''), bytes] as const;
  });
  expect(row.octets).toBe(files.reduce((sum, [, bytes]) => sum + bytes.length, 0));
  return Object.fromEntries(files);
}

function expectColours(found: number[][]): void {
  for (const [index, colour] of CORNERS.entries())
    for (const [channel, value] of colour.entries())
      expect(Math.abs((found[index]?.[channel] ?? -99) - value)).toBeLessThan(30);
}

/** All that is in storage, by name. */
function stored(at: TestSite = site): string[] {
  const path = join(at.directory, 'files');
  const entries = existsSync(path) ? readdirSync(path, { recursive: true, withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Long enough not to stand by chance among a million compressed bytes. */
const TRACES = [
  'GPSLatitude',
  'xmpmeta',
  'adobe',
  'Photoshop',
  '8BIM',
  'Villeneuve',
  'Phonemaker',
  'Apple',
  'iPhone',
  'ICC_PROFILE',
];

/** Nothing but the picture, and in the JPEG when it was taken. */
async function expectClean(files: Record<string, Buffer>, taken: string | undefined): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    const text = bytes.toString('latin1');
    for (const trace of TRACES) expect(text.includes(trace), `${trace} in ${name}`).toBe(false);
    const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
    expect({ xmp, iptc, icc, orientation }).toEqual({});
    if (name.endsWith('.webp')) {
      expect(webpChunks(bytes)).toEqual(['VP8 ']);
      continue;
    }
    const said = exif && readExif(exif);
    expect(said && { ...said.Image, ExifTag: 0 }).toEqual(taken && { ExifTag: 0 });
    expect(said?.Photo).toEqual(taken && { DateTimeOriginal: new Date(taken) });
    expect(said?.GPSInfo ?? said?.Thumbnail).toBeUndefined();
  }
}

describe('a photo of a camera', () => {
  test('has four sizes and a JPEG for keeping, at the moment that it says it was taken', async () => {
    const bytes = await camera('sony-alpha-6000.jpg');
    const row = await prepared(bytes, { prise_le: '2026-06-19T10:00:00.000Z' });
    const taken = readExif((await sharp(bytes).metadata()).exif as Buffer).Photo?.DateTimeOriginal as Date;
    expect(row).toMatchObject({
      statut: 'a_verifier',
      refus: '',
      nom_envoye: '',
      prise_le: taken.toISOString(),
    });
    // Long before the stay: the day on which it came.
    expect(row.jour).toBe('2026-06-20');
    const files = await filesOf(row);
    const sizes = await Promise.all(
      ['_1920.webp', '_960.webp', '_480.webp', '_320.webp', '.jpg'].map(async (name) => {
        const { width, height } = await sharp(files[name]).metadata();
        return [width, height];
      }),
    );
    expect(sizes.map((size) => Math.max(...size))).toEqual([1920, 960, 480, 320, 4096]);
    expect([row.largeur, row.hauteur]).toEqual(sizes[0]);
    expect(Buffer.from(row.apercu, 'base64').length).toBeGreaterThan(10);
    await expectClean(files, taken.toISOString());
    expect(await site.services.database.db.selectFrom('jobs').select('nom').execute()).toEqual([]);
    expect(stored().filter((name) => name.endsWith('.bin'))).toEqual([]);
    expect(readdirSync(join(site.directory, 'staging'))).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'held as EXIF orientation %i is upright in every size',
    async (held) => {
      const row = await prepared(await corners(held));
      expect([row.largeur, row.hauteur]).toEqual([480, 360]);
      for (const bytes of Object.values(await filesOf(row))) expectColours(await quarters(bytes));
    },
  );

  test('of a phone held upright keeps no byte of its place, its captions, or its maker', async () => {
    const bytes = await phonePortrait();
    expect(readExif((await sharp(bytes).metadata()).exif as Buffer).GPSInfo).toBeDefined();
    const row = await prepared(bytes, { prise_le: '2026-06-18T21:04:05.000Z' });
    expect(row).toMatchObject({ largeur: 1440, hauteur: 1920, jour: '2026-06-18' });
    expect(row.prise_le).toBe('2026-06-18T21:04:05.000Z');
    await expectClean(await filesOf(row), undefined);
    for (const real of [await iphone(), await xiaomi()]) {
      const { Photo } = readExif((await sharp(real).metadata()).exif as Buffer);
      const taken = (Photo?.DateTimeOriginal as Date | undefined)?.toISOString();
      await expectClean(await filesOf(await prepared(real)), taken);
    }
  });

  test('in HEIC is upright, clean, in its own colours, and knows when it was taken', async () => {
    const jpeg = await sharp(await phonePortrait([1200, 900]))
      .keepMetadata()
      .withExifMerge({ IFD2: { DateTimeOriginal: '2026:06:17 08:09:10' } })
      .toBuffer();
    const row = await prepared(await heic(jpeg));
    expect(row).toMatchObject({ statut: 'a_verifier', largeur: 900, hauteur: 1200, jour: '2026-06-17' });
    expect(row.prise_le).toBe('2026-06-17T08:09:10.000Z');
    await expectClean(await filesOf(row), '2026-06-17T08:09:10.000Z');
    for (const held of [await corners(6), await inFormat('p3')]) {
      const row = await prepared(await heic(held));
      for (const bytes of Object.values(await filesOf(row))) expectColours(await quarters(bytes));
    }
  });

  test.each(['png16', 'progressive', 'webp', 'avif', 'p3'] as const)(
    'as %s becomes one like the others',
    async (form) => {
      const files = await filesOf(await prepared(await inFormat(form)));
      for (const bytes of Object.values(files)) expectColours(await quarters(bytes));
      await expectClean(files, undefined);
    },
  );

  test('without colours, or partly transparent, becomes one like the others', async () => {
    const grey = await sharp(await xiaomi())
      .greyscale()
      .resize(600)
      .jpeg()
      .toBuffer();
    const holes = await sharp({ create: { width: 60, height: 40, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    expect(await prepared(grey)).toMatchObject({ statut: 'a_verifier' });
    const files = await filesOf(await prepared(holes));
    expect((await quarters(files['.jpg'] as Buffer))[0]).toEqual([255, 255, 255]);
  });
});

test('whatever cannot be a photo is refused with its reason and its name, and the others go on', async () => {
  const whole = await xiaomi();
  const cases: [string, Buffer, RegExp][] = [
    ['coupee.jpg', whole.subarray(0, whole.length / 2), /abîmée ou incomplète/],
    ['debut.jpg', Buffer.concat([whole.subarray(0, 40), Buffer.alloc(2_000)]), /abîmée ou incomplète/],
    ['bombe.png', pngOf(20_000, 20_000), /trop grande/],
    ['animee.webp', await animatedWebp(), /animées/],
    ['imprimeur.jpg', await inFormat('cmyk'), /imprimerie/],
    ['coupee.heic', (await heic(await corners(1))).subarray(0, 1_500), /HEIC|abîmée/],
  ].map(([name, bytes, reason]) => [name as string, bytes as Buffer, reason as RegExp]);
  const good = [await corners(1, 'png'), await corners(3, 'png')];
  for (const [filename, bytes] of cases) expect((await send(sender, bytes, { filename })).status).toBe(204);
  for (const bytes of good) expect((await send(sender, bytes)).status).toBe(204);
  await site.jobs.idle();
  for (const [filename, bytes, reason] of cases) {
    const row = await rowOf(fingerprint(bytes));
    expect(row).toMatchObject({ statut: 'illisible', nom_envoye: filename, nom: null, octets: 0 });
    expect(row.refus).toMatch(reason);
    expect(row.refus).toMatch(/^\p{Lu}.*\.$/u);
  }
  for (const bytes of good) expect(await rowOf(fingerprint(bytes))).toMatchObject({ statut: 'a_verifier' });
  expect(stored().filter((name) => name.endsWith('.bin'))).toEqual([]);
  expect(await site.services.database.db.selectFrom('jobs').select('nom').execute()).toEqual([]);
});

describe('the full version of a photo whose light one has come', () => {
  const light = async () =>
    sharp(await xiaomi())
      .resize(1920, 1920, { fit: 'inside' })
      .jpeg()
      .toBuffer();

  test('takes its place, with what was decided of it and its own moment', async () => {
    const bytes = await phonePortrait([2000, 1500]);
    const dated = await sharp(bytes)
      .keepMetadata()
      .withExifMerge({ IFD2: { DateTimeOriginal: '2026:06:21 10:11:12' } })
      .toBuffer();
    const empreinte = fingerprint(dated);
    const before = await prepared(await light(), {
      version: 'legere',
      empreinte,
      prise_le: '2026-06-22T10:00',
    });
    expect(before).toMatchObject({ version: 'legere', a_jpeg: 0, jour: '2026-06-22', statut: 'a_verifier' });
    const old = Object.keys(await filesOf(before)).map((ending) => `${before.nom}${ending}`);
    expect(old).toHaveLength(5);
    await site.services.database.write((transaction) =>
      transaction
        .updateTable('photos')
        .set({ statut: 'publiee' as StateWrite, publiee_le: site.now().toISOString(), legende: 'Au lac' })
        .where('id', '=', before.id)
        .execute(),
    );
    const after = await prepared(dated);
    expect(after).toMatchObject({
      ...{ id: before.id, statut: 'publiee', legende: 'Au lac', publiee_le: site.now().toISOString() },
      ...{ version: 'complete', a_jpeg: 1, jour: '2026-06-21', prise_le: '2026-06-21T10:11:12.000Z' },
      rang: '2026-06-21T10:11:12.000Z',
    });
    expect(after.nom).not.toBe(before.nom);
    expect(after.numero).toBeGreaterThan(before.numero);
    await filesOf(after);
    expect(stored().filter((name) => old.includes(name))).toEqual([]);
  });

  test('replaces a light one that was prepared before the size of 480 existed, and has that size', async () => {
    const full = await corners(7, 'png');
    const before = await prepared(await light(), { version: 'legere', empreinte: fingerprint(full) });
    const { database, storage } = site.services;
    const young = `${before.nom}_480.webp`;
    await storage.remove([keyOf('photos', young)]);
    await database.write(async (transaction) => {
      await transaction.updateTable('photos').set({ a_480: 0 }).where('id', '=', before.id).execute();
      await transaction.deleteFrom('fichiers').where('nom', '=', young).execute();
    });
    const after = await prepared(full);
    expect(after).toMatchObject({ id: before.id, a_480: 1, a_jpeg: 1 });
    expect(Object.keys(await filesOf(after))).toContain('_480.webp');
    expect(stored().filter((name) => name.startsWith(String(before.nom)))).toEqual([]);
  });

  test('leaves word of what it replaced until that is erased', async () => {
    const full = await corners(4, 'png');
    const empreinte = fingerprint(full);
    const { nom } = await prepared(await light(), { version: 'legere', empreinte });
    const old = `${nom}_320.webp`;
    const path = join(site.directory, 'files', keyOf('photos', old));
    // No file, and so nothing that could be erased as one.
    rmSync(path);
    mkdirSync(path);
    expect(await prepared(full)).toMatchObject({ version: 'complete', a_jpeg: 1 });
    const condemned = async () => {
      const { db } = site.services.database;
      const rows = await db.selectFrom('fichiers').select('nom').where('objet', '=', 'effacement').execute();
      return rows.map((row) => row.nom);
    };
    expect(await condemned()).toContain(old);
    rmSync(path, { recursive: true });
    await eraseCondemned(site.services);
    expect(await condemned()).toEqual([]);
    expect(stored().filter((name) => name.startsWith(String(nom)))).toEqual([]);
  });

  test('keeps the day that a person has chosen, and the place in it', async () => {
    const full = await sharp(await corners(2))
      .withExif({ IFD2: { DateTimeOriginal: '2026:06:21 10:11:12' } })
      .jpeg()
      .toBuffer();
    const empreinte = fingerprint(full);
    const { id } = await prepared(await corners(2), { version: 'legere', empreinte });
    await site.services.database.write((transaction) =>
      transaction
        .updateTable('photos')
        .set({ jour: '2026-06-25', rang: '2026-06-25T09:00:00.001Z' })
        .where('id', '=', id)
        .execute(),
    );
    expect(await prepared(full)).toMatchObject({
      ...{ jour: '2026-06-25', prise_le: '2026-06-21T10:11:12.000Z', rang: '2026-06-25T09:00:00.001Z' },
    });
  });

  test('that cannot be read leaves the light one as it is, whichever is looked at first', async () => {
    const whole = await xiaomi();
    const broken = whole.subarray(0, whole.length / 2);
    const empreinte = fingerprint(broken);
    await prepared(await light(), { version: 'legere', empreinte });
    const row = await prepared(broken);
    expect(row).toMatchObject({ version: 'legere', statut: 'a_verifier', a_jpeg: 0 });
    expect(row.refus).toMatch(/abîmée/);
    await filesOf(row);

    const other = whole.subarray(0, whole.length / 3);
    expect(await prepared(other)).toMatchObject({ statut: 'illisible', version: 'complete' });
    const late = await prepared(await light(), { version: 'legere', empreinte: fingerprint(other) });
    expect(late).toMatchObject({ statut: 'a_verifier', version: 'legere' });
    expect(late.refus).toMatch(/abîmée/);

    const good = await corners(5, 'webp');
    const never = await prepared(broken, { version: 'legere', empreinte: fingerprint(good) });
    expect(never).toMatchObject({ statut: 'illisible', version: 'legere' });
    expect(await prepared(good)).toMatchObject({ statut: 'a_verifier', version: 'complete', refus: '' });
  });

  test('and the light one, sent at the same time, make one photo of the full one', async () => {
    const full = await corners(7, 'webp');
    const empreinte = fingerprint(full);
    const answers = await Promise.all([
      send(sender, await light(), { version: 'legere', empreinte }),
      send(sender, full),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    await site.jobs.idle();
    const row = await rowOf(empreinte);
    expect(row).toMatchObject({ version: 'complete', a_jpeg: 1, statut: 'a_verifier', largeur: 480 });
    await filesOf(row);
  });
});

test('a photo that is erased while it waits for its preparation leaves nothing', async () => {
  const own = await newSender(site);
  const before = stored();
  const bytes = await camera('sony-alpha-6000.jpg');
  expect((await send(own, bytes)).status).toBe(204);
  const { services } = site;
  await services.database.write(async (transaction) => {
    await findStayToChange(services.database, transaction, own.stageId);
    const rows = await transaction
      .selectFrom('photos')
      .select('id')
      .where('stage_id', '=', own.stageId)
      .execute();
    const ids = rows.map(({ id }) => id);
    await erasePhotos(transaction, own.stageId, ids, site.now());
  });
  await eraseCondemned(services);
  await site.jobs.idle();
  expect(stored()).toEqual(before);
  expect(await services.database.db.selectFrom('jobs').select('nom').execute()).toEqual([]);
});

/** A site whose machine is so busy that every picture takes too long. */
async function whileBusy(work: () => Promise<void>): Promise<void> {
  const { images } = site.services;
  site.services.images = openImages({ directory: join(site.directory, 'decodage'), cpuMs: 1 });
  try {
    await work();
  } finally {
    await site.services.images.close();
    site.services.images = images;
  }
}

test('a stay to which many photos are sent keeps those of others waiting for a few of them at most', async () => {
  const [many, few] = [await newSender(site), await newSender(site)];
  await whileBusy(async () => {
    for (let index = 0; index < 9; index++)
      expect((await send(many, await corners(1, 'png', [200 + index, 100]))).status).toBe(204);
    expect((await send(few, await corners(1, 'png', [200, 100]))).status).toBe(204);
    await site.jobs.idle();
  });
  const done: number[] = [];
  const { services } = site;
  services.database.notifications.listen('photos', (stageId) => void done.push(Number(stageId)));
  site.advance(10_000);
  await site.jobs.idle();
  expect(done).toHaveLength(10);
  expect(done.indexOf(few.stageId)).toBeLessThan(8);
});

describe('a photo whose preparation comes to no end', () => {
  const jobs = () => site.services.database.db.selectFrom('jobs').select(['essais', 'erreur']).execute();
  const received = () => stored().filter((name) => name.endsWith('.bin'));
  const TOLD = {
    ...{ statut: 'illisible', nom: null, octets: 0 },
    refus: 'Cette photo n’a pas pu être préparée\u202f: envoyez-la de nouveau.',
  };

  test('is tried again, from the file that was received', async () => {
    const bytes = await corners(8, 'png');
    await whileBusy(async () => {
      expect(await prepared(bytes)).toMatchObject({ statut: 'recue', refus: '' });
      expect(received()).toHaveLength(1);
      expect(await jobs()).toMatchObject([{ essais: 1 }]);
    });
    site.advance(10_000);
    await site.jobs.idle();
    expect(await rowOf(fingerprint(bytes))).toMatchObject({ statut: 'a_verifier' });
    expect(received()).toEqual([]);
  });

  test('time after time is given up with its reason, keeps nothing of its file, and may be sent again', async () => {
    const own = await newSender(site);
    const bytes = await corners(6, 'png');
    await whileBusy(async () => {
      expect((await send(own, bytes)).status).toBe(204);
      for (let tries = 1; tries <= 8; tries++) {
        await site.jobs.idle();
        site.advance(700_000);
      }
    });
    await site.jobs.idle();
    expect(await rowOf(fingerprint(bytes))).toMatchObject(TOLD);
    expect([received(), await jobs()]).toEqual([[], []]);
    const again = { ...own, token: await site.tokenOf('director', own.stageId) };
    expect((await send(again, bytes)).status).toBe(204);
    await site.jobs.idle();
    expect(await rowOf(fingerprint(bytes))).toMatchObject({ statut: 'a_verifier', refus: '' });
  });

  test('as it takes the process down with it each time, or as its file is lost, is given up as well', async () => {
    const own = await newSender(site);
    const [killer, lost] = [await corners(3, 'webp'), await corners(4, 'webp')];
    await whileBusy(async () => {
      expect((await send(own, killer)).status).toBe(204);
      await site.jobs.idle();
      await site.services.database.write((transaction) =>
        transaction.updateTable('jobs').set({ essais: 8, a_faire_le: site.now().toISOString() }).execute(),
      );
      await site.jobs.idle();
      expect(await rowOf(fingerprint(killer))).toMatchObject(TOLD);
      expect((await send(own, lost)).status).toBe(204);
      await site.jobs.idle();
    });
    for (const name of received()) rmSync(join(site.directory, 'files', keyOf('recues', name)));
    site.advance(10_000);
    await site.jobs.idle();
    expect(await rowOf(fingerprint(lost))).toMatchObject(TOLD);
    expect(await jobs()).toEqual([]);
  });
});

const disk = mountDisk(100);
afterAll(() => disk?.remove());

test.runIf(disk)('a full disk makes photos wait, and nothing of them is lost or half there', async () => {
  if (!disk) return;
  const full = await openSite({ env: { DATA_DIR: disk.directory } });
  const at = { ...full, directory: disk.directory };
  try {
    const own = await newSender(full);
    const bytes = await xiaomi();
    const created = await create(own, bytes);
    expect((await patch(own, created.headers.get('location') ?? '', bytes)).status).toBe(204);
    // By something else, before anything is made of it: the reserve is left to that.
    disk.fill(400 * 1024);
    await full.jobs.idle();
    expect(await rowOf(fingerprint(bytes), at)).toMatchObject({ statut: 'recue', nom: null });
    expect(stored(at)).toEqual([expect.stringMatching(/\.bin$/)]);
    expect(readdirSync(join(disk.directory, 'staging'))).toEqual([]);
    const jobs = () => full.services.database.db.selectFrom('jobs').select(['essais', 'erreur']).execute();
    expect(await jobs()).toEqual([{ essais: 0, erreur: expect.stringContaining('disque') }]);
    disk.empty();
    full.advance(60_000);
    await full.jobs.idle();
    const row = await rowOf(fingerprint(bytes), at);
    expect(row).toMatchObject({ statut: 'a_verifier' });
    await filesOf(row, at);
    expect(await jobs()).toEqual([]);
  } finally {
    await full.close();
  }
});
