import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { photoFiles } from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { COOKIES, endSessions } from '#platform/server/sessionsStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* Photos to keep, as one archive. That other programs open such archives is in `unit/zip.test.ts`. */

let site: TestSite;
let stay: number;
let token: string;
let stays = 0;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());
beforeEach(async () => {
  stay = await makeStay();
  token = await site.tokenOf('family', stay);
});

function makeStay(): Promise<number> {
  const { database, secrets } = site.services;
  stays += 1;
  const made = { nom_stage: `Été / Oléron ${stays}`, date_debut: '2026-06-10', date_fin: '2026-06-20' };
  return database.write((transaction) => insertStay(transaction, secrets, made, site.now()));
}

/** Asks for the archive as a browser does: by its cookie. */
async function askZip(query = '', headers: Record<string, string> = {}) {
  const response = await fetch(`${site.origin}${API_PREFIX}/stages/${stay}/photos.zip${query}`, {
    headers: { cookie: `${COOKIES.family}=${token}`, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** The files of an archive by name, in the order of its directory. */
function filesIn(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = archive.length - 22;
  let place = archive.readUInt32LE(end + 16);
  while (place < end) {
    const [size, at] = [archive.readUInt32LE(place + 24), archive.readUInt32LE(place + 42)];
    const name = archive.toString('utf8', place + 46, place + 46 + archive.readUInt16LE(place + 28));
    const from = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
    const bytes = archive.subarray(from, from + size);
    expect(crc32(bytes), name).toBe(archive.readUInt32LE(place + 16));
    files.set(name, bytes);
    place += 46 + archive.readUInt16LE(place + 28) + archive.readUInt16LE(place + 30);
  }
  expect(files.size).toBe(archive.readUInt16LE(end + 10));
  return files;
}

const namesIn = (archive: Buffer) => [...filesIn(archive).keys()];
const names = (day: string, count: number, ending = 'jpg') =>
  Array.from(
    { length: count },
    (_, index) => `${day}/${day}-${String(index + 1).padStart(3, '0')}.${ending}`,
  );

test('an archive holds what families see by now, each day in its order, and nothing else', async () => {
  const at = (minute: number) => `2026-06-11T10:${minute}:00.000Z`;
  const later = new Date(site.now().getTime() + HOUR_MS).toISOString();
  const made = [
    { jour: '2026-06-12' },
    { jour: '2026-06-11', prise_le: at(30), version: 'legere' as const },
    { jour: '2026-06-11', prise_le: at(20) },
    { publiee_le: later },
    { statut: 'a_verifier' as const },
    { statut: 'retiree' as const },
    { statut: 'refusee' as const },
  ];
  await addPhotos(site.services, stay, made.length, (index) => made[index] ?? {});
  const { status, headers, bytes } = await askZip();
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/zip');
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(headers.get('content-length')).toBe(String(bytes.length));
  expect(headers.get('content-disposition')).toContain(encodeURIComponent(`Été - Oléron ${stays}.zip`));
  const eleventh = names('2026-06-11', 2);
  expect(namesIn(bytes)).toEqual([...eleventh, ...names('2026-06-12', 1)]);
  // Directors and staff, who see the rest, keep what families keep.
  for (const role of ['director', 'admin'] as const) {
    const same = await site.call(`HEAD /stages/${stay}/photos.zip`, {
      token: await site.tokenOf(role, stay),
    });
    expect(same.headers.get('etag'), role).toBe(headers.get('etag'));
    expect(same.headers.get('content-length'), role).toBe(String(bytes.length));
  }
  const day = await askZip('?jour=2026-06-11');
  expect(namesIn(day.bytes)).toEqual(eleventh);
  const label = encodeURIComponent(`Été - Oléron ${stays} - 11 juin 2026.zip`);
  expect(day.headers.get('content-disposition')).toContain(label);
  site.advance(HOUR_MS);
  expect(namesIn((await askZip()).bytes)).toHaveLength(4);
});

test('an archive of nothing is a 404 with a sentence', async () => {
  for (const query of ['', '?jour=2026-06-11']) {
    const { status, bytes } = await askZip(query);
    expect([status, JSON.parse(bytes.toString()).message]).toEqual([
      404,
      'Il n’y a pas de photo publiée à télécharger.',
    ]);
  }
});

test('an archive goes on from any byte, until what is in it has changed', async () => {
  const [, gone = 0] = await addPhotos(site.services, stay, 4);
  const { bytes, headers } = await askZip();
  const etag = headers.get('etag') ?? '';
  for (const start of [
    0,
    1,
    29,
    31,
    5_000,
    Math.floor(bytes.length / 2),
    bytes.length - 23,
    bytes.length - 1,
  ]) {
    const rest = await askZip('', { range: `bytes=${start}-`, 'if-range': etag });
    expect(rest.status).toBe(206);
    expect(rest.bytes.equals(bytes.subarray(start)), `from ${start}`).toBe(true);
  }
  const part = await askZip('', { range: 'bytes=100-60000' });
  expect(part.bytes.equals(bytes.subarray(100, 60_001))).toBe(true);
  expect((await askZip('', { range: `bytes=${bytes.length}-` })).status).toBe(416);
  expect((await site.call(`POST /photos/${gone}/retrait`, { token, body: { mot: '' } })).status).toBe(200);
  const anew = await askZip('', { range: 'bytes=5000-', 'if-range': etag });
  expect(anew.status).toBe(200);
  expect(namesIn(anew.bytes)).toHaveLength(3);
});

test('a selection is downloaded by its key, of its own stay, for a day', async () => {
  const ids = await addPhotos(site.services, stay, 4);
  const [first, , third] = ids;
  const hidden = await addPhotos(site.services, stay, 1, () => ({ statut: 'a_verifier' }));
  const other = await makeStay();
  const foreign = await addPhotos(site.services, other, 1);
  const select = (chosen: unknown[], stageId = stay) =>
    site.call('POST /photos/selection', { token, body: { stageId, ids: chosen } });
  const made = await select([third, first, first, ...hidden, ...foreign, 999_999_999]);
  expect(made.status).toBe(201);
  const { cle } = made.json;
  expect(cle).toMatch(/^[\w-]{22}$/);
  const { bytes, headers } = await askZip(`?selection=${cle}`);
  // Called as in the archive of all; the last one was taken first.
  const [, second, , fourth] = names('2026-06-20', 4);
  expect(namesIn(bytes)).toEqual([second, fourth]);
  expect(headers.get('content-disposition')).toContain(encodeURIComponent('sélection.zip'));
  // The same answer for what waits to be published, what is elsewhere and what is nothing.
  const nothing = await select([999_999_999]);
  expect(nothing.status).toBe(404);
  const later = new Date(site.now().getTime() + HOUR_MS).toISOString();
  const planned = await addPhotos(site.services, stay, 1, () => ({ publiee_le: later }));
  for (const unseen of [foreign, hidden, planned]) {
    const { status, text } = await select(unseen);
    expect([status, text]).toEqual([404, nothing.text]);
  }
  const director = await site.tokenOf('director', stay);
  const body = { stageId: stay, ids: hidden };
  expect((await site.call('POST /photos/selection', { token: director, body })).status).toBe(201);
  expect((await select([first], other)).status).toBe(404);
  for (const wrong of [[], ['x'], [0], Array(5_001).fill(first)])
    expect((await select(wrong)).status).toBe(422);
  const own = { stay, token };
  stay = await makeStay();
  token = await site.tokenOf('family', stay);
  await addPhotos(site.services, stay, 1);
  expect((await askZip(`?selection=${cle}`)).status).toBe(404);
  ({ stay, token } = own);
  expect((await askZip('?selection=x')).status).toBe(404);
  site.advance(DAY_MS);
  token = await site.tokenOf('family', stay);
  expect((await askZip(`?selection=${cle}`)).status).toBe(404);
  await site.schedule.tick();
  const kept = await site.services.database.db.selectFrom('photos_selections').select('cle').execute();
  expect(kept).toEqual([]);
});

test('a sign-in that has made too many selections keeps nobody else from theirs', async () => {
  const [id] = await addPhotos(site.services, stay, 1);
  const select = (token: string) =>
    site.call('POST /photos/selection', { token, body: { stageId: stay, ids: [id] } });
  for (let made = 0; made < 200; made++) expect((await select(token)).status).toBe(201);
  expect((await select(token)).status).toBe(429);
  expect((await select(await site.tokenOf('family', stay))).status).toBe(201);
});

/** Makes the JPEG of photos long, so that an archive of them does not fit into what is read ahead. */
async function lengthen(ids: readonly number[]): Promise<void> {
  const bytes = randomBytes(16 * 1024 * 1024);
  const { database } = site.services;
  const rows = await database.db.selectFrom('photos').select('nom').where('id', 'in', ids).execute();
  for (const { nom } of rows) {
    const name = photoFiles(nom ?? '', true).jpeg ?? '';
    await writeFile(join(site.directory, 'files', keyOf('photos', name)), bytes);
    const values = { taille: bytes.length, crc32: crc32(bytes) };
    await database.write((db) => db.updateTable('fichiers').set(values).where('nom', '=', name).execute());
  }
}

/** Begins a download, and reads no further than its first bytes. */
async function begin(): Promise<IncomingMessage> {
  const url = `${site.origin}${API_PREFIX}/stages/${stay}/photos.zip`;
  const headers = { cookie: `${COOKIES.family}=${token}` };
  const response = await new Promise<IncomingMessage>((resolve) => get(url, { headers }, resolve));
  await new Promise((resolve) => response.once('readable', resolve));
  return response;
}

/** How many bytes come until the end; undefined when the download is cut off before. */
async function rest(response: IncomingMessage): Promise<number | undefined> {
  let length = 0;
  try {
    for await (const chunk of response) length += (chunk as Buffer).length;
    return length;
  } catch {
    return undefined;
  }
}

test('a photo that is taken down while an archive is sent ends the download before its bytes', async () => {
  const ids = await addPhotos(site.services, stay, 4);
  await lengthen(ids);
  const [whole, cut] = [await begin(), await begin()];
  expect(await rest(whole)).toBe(Number(whole.headers['content-length']));
  // Made first, it was taken last: its bytes are the last ones.
  const last = await site.call(`POST /photos/${ids[0]}/retrait`, { token, body: { mot: '' } });
  expect(last.status).toBe(200);
  expect(await rest(cut)).toBeUndefined();
});

test('a sign-in that ends while an archive is sent ends the download', async () => {
  await lengthen(await addPhotos(site.services, stay, 4));
  const cut = await begin();
  await site.services.database.write((transaction) => endSessions(transaction, { stageId: stay }));
  expect(await rest(cut)).toBeUndefined();
});
