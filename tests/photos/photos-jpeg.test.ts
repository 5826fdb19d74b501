import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { passDays, type TestSite } from '#tests/support/people.ts';
import { iphone, phonePortrait, takenBy } from '#tests/support/photos.ts';
import { fingerprint, type Said, type Sender, send } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/* What families take home is a JPEG, whichever version of a photo has come; other programs say that it is one. */

let site: TestSite;
let sender: Sender;
let family: string;
let folder: string;
beforeEach(async () => {
  site = await openSite();
  folder = mkdtempSync(join(tmpdir(), 'jpeg-'));
  const token = await site.tokenOf('admin');
  const body = { nom_stage: 'Été à Oléron', date_debut: '2026-06-15', date_fin: '2026-06-25' };
  const { id: stageId } = (await site.call('POST /stages', { token, body })).json;
  const director = await site.tokenOf('director', stageId);
  sender = { origin: site.origin, token: director, stageId };
  family = await site.tokenOf('family', stageId);
  await site.call(`POST /stages/${stageId}/attestation`, { token: director });
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await site.close();
});

/** The light version of a photo as phones make it, with what an app may have left in it. */
const lightOf = (full: Buffer) =>
  sharp(full)
    .autoOrient()
    .keepMetadata()
    .resize(1920, 1920, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();

async function arrive(bytes: Buffer, said: Said = {}): Promise<void> {
  expect((await send(sender, bytes, said)).status).toBe(204);
}
const arriveLight = async (full: Buffer) =>
  arrive(await lightOf(full), { version: 'legere', empreinte: fingerprint(full) });

async function list(): Promise<Photo[]> {
  await site.jobs.idle();
  return (await site.call(`GET /stages/${sender.stageId}/photos`, { token: sender.token })).json.photos;
}
async function publish(): Promise<void> {
  const body = { ids: (await list()).map(({ id }) => id), statut: 'publiee' };
  expect((await site.call('PATCH /photos', { token: sender.token, body })).status).toBe(200);
}
async function download(path: string): Promise<Buffer> {
  const answer = await fetch(site.origin + path, { headers: { authorization: `Bearer ${family}` } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
const kept = async ({ fichiers }: Photo) => download(`${PHOTO_FOLDER}${fichiers?.jpeg}`);

/** What exiftool says of files: what they are, and where they were taken. */
function told(files: Record<string, Buffer>) {
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const args = [
    '-j',
    '-n',
    '-MIMEType',
    '-ImageWidth',
    '-ImageHeight',
    '-Orientation',
    '-gps:all',
    '-xmp:all',
  ];
  const answer = execFileSync('exiftool', [...args, ...Object.keys(files)], { cwd: folder });
  return (JSON.parse(answer.toString()) as Record<string, unknown>[]).map(({ SourceFile, ...one }) => one);
}
const MIMEType = 'image/jpeg';

const rows = () => site.services.database.db.selectFrom('photos').selectAll().execute();
const stored = () => {
  const path = join(site.directory, 'files');
  const entries = existsSync(path) ? readdirSync(path, { recursive: true, withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

test('a photo of which only the light version has come is kept as a JPEG, until the one of the full version takes its place', async () => {
  const full = await phonePortrait();
  await arriveLight(full);
  const [light] = (await list()) as [Photo];
  expect(light).toMatchObject({ version: 'legere', largeur: 1440, hauteur: 1920 });
  await publish();
  const before = await kept(light);
  expect(told({ 'light.jpg': before })).toEqual([{ MIMEType, ImageWidth: 1440, ImageHeight: 1920 }]);
  // Nothing is seen of what it has lost: the mean step between it and what came is that of noise.
  const pixels = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer();
  const [made, sent] = await Promise.all([pixels(before), pixels(await lightOf(full))]);
  expect(made.length).toBe(sent.length);
  const steps = made.reduce((sum, value, at) => sum + Math.abs(value - (sent[at] ?? 0)), 0);
  expect(steps / made.length).toBeLessThan(2);

  site.advance(HOUR_MS);
  await arrive(full);
  const [whole] = (await list()) as [Photo];
  expect(whole).toMatchObject({ id: light.id, version: 'complete', statut: 'publiee' });
  expect(told({ 'full.jpg': await kept(whole) })).toEqual([
    { MIMEType, ImageWidth: 3000, ImageHeight: 4000 },
  ]);
  expect(stored().filter((name) => name.endsWith('.jpg'))).toEqual([whole.fichiers?.jpeg]);
  expect(await rows()).toMatchObject([
    { a_jpeg: 1, a_jpeg_leger: 0, publiee_le: light.publiee_le ?? expect.any(String) },
  ]);
  const [row] = await rows();
  expect(row?.complete_le).toBe(site.now().toISOString());
  expect((row?.complete_le ?? '') > (row?.publiee_le ?? '')).toBe(true);
});

test('a light photo that is turned or blurred stays a JPEG, and nothing of what it was is left to families', async () => {
  await arriveLight(await iphone());
  await publish();
  const [photo] = (await list()) as [Photo];
  const retouch = async ({ id, fichiers }: Photo, body: object) => {
    const asked = { fichier: fichiers?.w320, ...body };
    return site.call(`POST /photos/${id}/retouche`, { token: sender.token, body: asked });
  };
  const was = await sharp(await kept(photo)).metadata();
  expect((await retouch(photo, { quarts: 1 })).status).toBe(200);
  const [turned] = (await list()) as [Photo];
  const now = await sharp(await kept(turned)).metadata();
  expect([now.format, now.autoOrient]).toEqual(['jpeg', { width: was.height, height: was.width }]);
  expect((await retouch(turned, { zones: [{ x: 0.2, y: 0.2, l: 0.3, h: 0.3 }] })).status).toBe(200);
  const [blurred] = (await list()) as [Photo];
  expect(blurred.version).toBe('legere');
  const [seen] = told({ 'blurred.jpg': await kept(blurred) });
  expect(seen).toMatchObject({ MIMEType });
  expect(Object.keys(seen ?? {}).filter((key) => key.startsWith('GPS'))).toEqual([]);
  const headers = { authorization: `Bearer ${family}` };
  const before = await fetch(`${site.origin}${PHOTO_FOLDER}${turned.fichiers?.jpeg}`, { headers });
  expect(before.status).toBe(404);
  // What it was before the blur, for staff, and the five files of what is seen.
  expect(stored().filter((name) => !name.startsWith(blurred.fichiers?.w320.slice(0, 32) ?? '')).length).toBe(
    1,
  );
});

test('an archive of an evening, most of it light, holds JPEGs alone, without a place in any of them', async () => {
  const [SHOTS, LIGHT] = [86, 68];
  for (let index = 0; index < SHOTS; index++) {
    const minute = String(index % 60).padStart(2, '0');
    const taken = `2026-06-20T${20 + Math.floor(index / 60)}:${minute}:00.000Z`;
    const bytes = await sharp(await takenBy({ make: 'Phonemaker', taken }))
      .keepMetadata()
      .withExifMerge({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '45/1 45/1 5058/100' } })
      .toBuffer();
    await (index < LIGHT ? arriveLight(bytes) : arrive(bytes));
  }
  await publish();
  expect((await list()).filter(({ version }) => version === 'legere')).toHaveLength(LIGHT);
  const path = `${API_PREFIX}/stages/${sender.stageId}/photos.zip`;
  writeFileSync(join(folder, 'all.zip'), await download(path));
  execFileSync('unzip', ['-q', '-j', 'all.zip'], { cwd: folder });
  const names = readdirSync(folder).filter((name) => name !== 'all.zip');
  expect(names.filter((name) => name.endsWith('.jpg'))).toHaveLength(SHOTS);
  expect(names).toHaveLength(SHOTS);
  const said = told(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])));
  expect(new Set(said.map((one) => one.MIMEType))).toEqual(new Set([MIMEType]));
  expect(said.filter((one) => Object.keys(one).some((key) => key.startsWith('GPS')))).toEqual([]);
});

test('light photos that were prepared before they had a JPEG get one, and are shown as they were', async () => {
  const { database, storage } = site.services;
  for (const full of [await iphone(), await phonePortrait()]) await arriveLight(full);
  await publish();
  const before = await list();
  // As version 1.1.0 left them; the file of one of them is lost.
  await storage.remove(before.map(({ fichiers }) => keyOf('photos', fichiers?.jpeg ?? '')));
  await database.write(async (transaction) => {
    await transaction.deleteFrom('fichiers').where('nom', 'like', '%.jpg').execute();
    await transaction.updateTable('photos').set({ a_jpeg_leger: 0 }).execute();
  });
  const [lost, there] = before.sort((a, b) => a.id - b.id) as [Photo, Photo];
  await storage.remove([keyOf('photos', lost.fichiers?.w1920 ?? '')]);
  const found = (await list()).find(({ id }) => id === there.id);
  expect(found?.fichiers).toEqual({ ...there.fichiers, jpeg: null });
  site.advance(HOUR_MS);
  await site.schedule.tick();
  const after = (await list()).find(({ id }) => id === there.id) as Photo;
  expect(after).toMatchObject({ fichiers: there.fichiers, version: 'legere', apercu: there.apercu });
  const row = (await rows()).find(({ id }) => id === there.id);
  expect(row).toMatchObject({ a_jpeg: 0, a_jpeg_leger: 1, complete_le: null });
  const owned = await database.db
    .selectFrom('fichiers')
    .select('taille')
    .where('objet_id', '=', there.id)
    .execute();
  expect(Number(row?.octets)).toBe(owned.reduce((sum, { taille }) => sum + Number(taille), 0));
  expect(told({ 'made.jpg': await kept(after) })).toMatchObject([{ MIMEType }]);
  // Once is enough, and what is erased takes it along.
  const known = await rows();
  site.advance(HOUR_MS);
  await site.schedule.tick();
  expect(await rows()).toEqual(known);
  await passDays(site, 100);
  expect([await rows(), stored()]).toEqual([[], []]);
});
