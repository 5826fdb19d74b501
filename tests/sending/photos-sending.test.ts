import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StateWrite } from '#features/photos/server/tables.ts';
import { PHOTO_BYTES, STAY_BYTES, UPLOAD_PATH } from '#features/photos/shared/terms.ts';
import { UploadStore } from '#features/sending/server/tus.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { LIFETIME, openSession } from '#platform/server/sessionsStore.ts';
import { MB } from '#platform/shared/bytes.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { mountDisk } from '#tests/support/disk.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { corners, iphone, xiaomi } from '#tests/support/photos.ts';
import {
  arrived,
  create,
  fingerprint,
  metadata,
  patch,
  request,
  type Sender,
  send,
} from '#tests/support/sending.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';

/* Photos on their way to the site: gone on with after a cut, each there once, and nothing of what is refused. */

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const STAY = { date_debut: '2026-06-15', date_fin: '2026-06-28' };
let count = 0;

/** A director of a stay of their own. */
async function newSender(at: TestSite = site): Promise<Sender> {
  const { database, secrets } = at.services;
  const stageId = await database.write((transaction) =>
    insertStay(transaction, secrets, { ...STAY, nom_stage: `Séjour ${++count}` }, at.now()),
  );
  return { origin: at.origin, token: await at.tokenOf('director', stageId), stageId };
}

const rowsOf = ({ stageId }: Sender, at: TestSite = site) =>
  at.services.database.db.selectFrom('photos').selectAll().where('stage_id', '=', stageId).execute();

/** The uploads under way to a stay, each with what holds its bytes. */
async function uploadsTo({ stageId }: Sender, at: TestSite = site): Promise<[string, string[]][]> {
  const { db } = at.services.database;
  const rows = await db.selectFrom('photos_envois').selectAll().where('stage_id', '=', stageId).execute();
  const pieces = await db.selectFrom('fichiers').selectAll().where('objet', '=', 'photos_envois').execute();
  return rows.map(({ id, nom }) => [
    nom,
    pieces.filter(({ objet_id }) => objet_id === id).map((piece) => piece.nom),
  ]);
}
const nameIn = (path: string) => path.split('/').at(-1) ?? '';

/** What is just being received. */
const staged = () =>
  readdirSync(join(site.directory, 'staging')).map(
    (name) => statSync(join(site.directory, 'staging', name)).size,
  );

const filesIn = (folder: string, at: TestSite = site): string[] => {
  const path = join(at.directory, 'files', folder);
  const entries = existsSync(path) ? readdirSync(path, { recursive: true, withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

async function openUpload(sender: Sender, bytes: Uint8Array): Promise<string> {
  const { status, headers } = await create(sender, bytes);
  expect(status).toBe(201);
  return headers.get('location') ?? '';
}

/** A sign-in of the directors of the same stay, which lasts as long as theirs do. */
async function signedIn(sender: Sender): Promise<Sender> {
  const until = new Date(site.now().getTime() + LIFETIME.director);
  const token = await site.services.database.write((transaction) =>
    openSession(transaction, { role: 'director', stageId: sender.stageId }, site.now(), until),
  );
  return { ...sender, token };
}

/** Another file, whose picture is the same. */
const another = async () => Buffer.concat([await picture, randomBytes(16)]);
const picture = corners(1);

describe('an upload', () => {
  let sender: Sender;
  beforeEach(async () => {
    sender = await newSender();
  });

  test('cut in the middle of a request keeps what arrived, and is gone on with from there', async () => {
    const bytes = await iphone();
    const path = await openUpload(sender, bytes);
    const { hostname, port } = new URL(site.origin);
    const socket = connect(Number(port), hostname);
    socket.write(
      `PATCH ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${sender.token}\r\n` +
        `tus-resumable: 1.0.0\r\nupload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\n` +
        `content-length: ${bytes.length}\r\n\r\n`,
    );
    const half = Math.floor(bytes.length / 2);
    socket.write(bytes.subarray(0, half));
    await expect.poll(staged).toContain(half);
    socket.destroy();
    expect(await rowsOf(sender)).toEqual([]);
    expect(await arrived(sender, path)).toBe(half);
    expect((await patch(sender, path, bytes, half)).status).toBe(204);
    expect(await rowsOf(sender)).toMatchObject([
      { empreinte: fingerprint(bytes), statut: 'recue', version: 'complete', nom_envoye: 'IMG_1.jpg' },
    ]);
    expect(await uploadsTo(sender)).toEqual([]);
    expect(await arrived(sender, path)).toBeUndefined();
  });

  test('whose line is lost without a word is gone on with at once, on another one', async () => {
    const bytes = await iphone();
    const path = await openUpload(sender, bytes);
    const { hostname, port } = new URL(site.origin);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `PATCH ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${sender.token}\r\n` +
        `tus-resumable: 1.0.0\r\nupload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\n` +
        `content-length: ${bytes.length}\r\n\r\n`,
    );
    socket.write(bytes.subarray(0, 5_000));
    await expect.poll(staged).toContain(5_000);
    expect(await arrived(sender, path)).toBe(5_000);
    expect((await patch(sender, path, bytes, 5_000)).status).toBe(204);
    expect(await rowsOf(sender)).toHaveLength(1);
    socket.destroy();
  });

  test('in far too many pieces is dropped with its files, and may be begun again', async () => {
    const bytes = await another();
    const path = await openUpload(sender, bytes);
    for (let at = 0; at < 200; at++) expect((await patch(sender, path, bytes, at, at + 1)).status).toBe(204);
    const [[, pieces] = ['', []]] = await uploadsTo(sender);
    expect(pieces).toHaveLength(200);
    expect((await patch(sender, path, bytes, 200)).status).toBe(404);
    expect(await uploadsTo(sender)).toEqual([]);
    expect(filesIn('recues').filter((name) => pieces.includes(name))).toEqual([]);
    expect(await arrived(sender, path)).toBeUndefined();
    expect((await send(sender, bytes)).status).toBe(204);
  });

  test('is refused at another place than where it is, and beyond its size, and goes on', async () => {
    const bytes = await another();
    const path = await openUpload(sender, bytes);
    expect((await patch(sender, path, bytes, 0, 100)).status).toBe(204);
    for (const offset of [0, 99, 101]) expect((await patch(sender, path, bytes, offset)).status).toBe(409);
    const tooMuch = Buffer.concat([bytes, Buffer.alloc(10)]);
    expect((await patch(sender, path, tooMuch, 100)).status).toBe(413);
    expect(await arrived(sender, path)).toBe(100);
    expect((await patch(sender, path, bytes, 100)).status).toBe(204);
    expect(await rowsOf(sender)).toHaveLength(1);
  });

  test('that all came of without being recorded is recorded when it is asked for', async () => {
    for (const method of ['HEAD', 'PATCH']) {
      const bytes = await another();
      const path = await openUpload(sender, bytes);
      // As a crash leaves it between its last byte and its photo.
      const store = new UploadStore(site.services);
      await store.write(Readable.from([bytes]), nameIn(path), 0);
      const length = String(bytes.length);
      const asked =
        method === 'HEAD'
          ? await request(sender, 'HEAD', path)
          : await patch(sender, path, bytes, bytes.length);
      expect([asked.status, asked.headers.get('upload-offset')]).toEqual([
        method === 'HEAD' ? 200 : 204,
        length,
      ]);
      expect((await rowsOf(sender)).map(({ empreinte }) => empreinte)).toContain(fingerprint(bytes));
      expect(await arrived(sender, path)).toBeUndefined();
    }
    expect(await uploadsTo(sender)).toEqual([]);
  });

  test('given up by whoever sends it is erased, and after a week without a byte as well', async () => {
    const bytes = await another();
    sender = await signedIn(sender);
    const given = await openUpload(sender, bytes);
    expect((await request(sender, 'DELETE', given)).status).toBe(204);
    expect(await uploadsTo(sender)).toEqual([]);
    const [old, young] = [await openUpload(sender, bytes), await openUpload(sender, bytes)];
    for (const path of [old, young]) expect((await patch(sender, path, bytes, 0, 100)).status).toBe(204);
    site.advance(2 * DAY_MS);
    expect((await patch(sender, young, bytes, 100, 200)).status).toBe(204);
    site.advance(6 * DAY_MS);
    await site.schedule.tick();
    const [[name, pieces] = ['', []], ...others] = await uploadsTo(sender);
    expect([name, pieces.length, others]).toEqual([nameIn(young), 2, []]);
    const files = filesIn('recues');
    expect(files).toEqual(expect.arrayContaining(pieces));
    expect(files.filter((file) => nameIn(old).endsWith(file.split('-')[0] ?? ''))).toEqual([]);
    expect((await patch(sender, young, bytes, 200)).status).toBe(204);
  });

  test('of a photo that another phone has sent meanwhile is erased an hour after it stopped, and of no other', async () => {
    const [bytes, others] = [await another(), await another()];
    const begun = await openUpload(sender, bytes);
    expect((await patch(sender, begun, bytes, 0, 100)).status).toBe(204);
    const elsewhere = await newSender();
    const kept = [await openUpload(sender, others), await openUpload(elsewhere, bytes)];
    await send(sender, await picture, { version: 'legere', empreinte: fingerprint(bytes) });
    expect(await arrived(sender, begun)).toBe(100);
    expect((await send(sender, bytes)).status).toBe(204);
    // Whoever is still sending it as well is let to the end of it.
    site.advance(HOUR_MS / 2);
    expect((await patch(sender, begun, bytes, 100, 200)).status).toBe(204);
    site.advance(HOUR_MS / 2);
    await site.schedule.tick();
    expect(await arrived(sender, begun)).toBe(200);
    site.advance(HOUR_MS);
    await site.schedule.tick();
    expect(await arrived(sender, begun)).toBeUndefined();
    expect((await patch(sender, begun, bytes, 200)).status).toBe(404);
    expect((await uploadsTo(sender)).map(([name]) => name)).toEqual([nameIn(kept[0] ?? '')]);
    expect(await arrived(sender, kept[0] ?? '')).toBe(0);
    expect(await arrived(elsewhere, kept[1] ?? '')).toBe(0);
  });

  test('is answered nobody else: other directors, families, or without a sign-in', async () => {
    const bytes = await another();
    const path = await openUpload(sender, bytes);
    const other = await newSender();
    const family = { ...sender, token: await site.tokenOf('family', sender.stageId) };
    const nobody = { ...sender, token: undefined };
    for (const [who, statuses] of [
      [{ ...sender, token: other.token }, [404, 404, 404, 404]],
      [family, [403, 403, 403, 403]],
      [nobody, [401, 401, 401, 401]],
    ] as const) {
      const answers = [
        await create(who, bytes),
        await request(who, 'HEAD', path),
        await patch(who, path, bytes),
        await request(who, 'DELETE', path),
      ];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
    }
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await request(sender, 'HEAD', path, foreign)).status).toBe(403);
    expect(await arrived(sender, path)).toBe(0);
    const admin = { ...sender, token: await site.tokenOf('admin') };
    expect((await patch(admin, path, bytes)).status).toBe(204);
    for (const name of ['1', `${sender.stageId}-x`, '..%2f..%2fpasserelle.db', `0-${'0'.repeat(32)}`])
      expect((await request(admin, 'HEAD', `${API_PREFIX}${UPLOAD_PATH}/${name}`)).status).toBe(404);
  });
});

describe('a photo', () => {
  test('is there once, however often and by however many it is sent', async () => {
    const sender = await newSender();
    const admin = { ...sender, token: await site.tokenOf('admin') };
    const bytes = await another();
    const answers = await Promise.all([sender, admin, sender, admin].map((who) => send(who, bytes)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect((await send(sender, bytes)).status).toBe(204);
    await site.jobs.idle();
    expect((await send(sender, bytes, { version: 'legere' })).status).toBe(204);
    await site.jobs.idle();
    const [row] = await rowsOf(sender);
    expect(row).toMatchObject({ statut: 'a_verifier', version: 'complete', a_jpeg: 1 });
    // What was there already is no change that anybody is told of.
    const { repere } = (await site.call(`GET /stages/${sender.stageId}/photos`, { token: sender.token }))
      .json;
    expect(Number.parseInt(repere, 10)).toBe(row?.numero);
    expect(await rowsOf(sender)).toHaveLength(1);
    expect(await uploadsTo(sender)).toEqual([]);
    expect(filesIn('recues')).toEqual([]);
    // The same file in another stay is another photo.
    const other = await newSender();
    expect((await send(other, bytes)).status).toBe(204);
    expect(await rowsOf(other)).toHaveLength(1);
  });

  test('comes, or does not, while its stay is deleted: neither waits for the other for ever', async () => {
    const token = await site.tokenOf('admin');
    const deletions = Array.from({ length: 6 }, async () => {
      const sender = await newSender();
      await send(sender, await another());
      const photos = await Promise.all(Array.from({ length: 6 }, another));
      const statuses = await Promise.all([
        ...photos.map(async (bytes) => (await send({ ...sender, token }, bytes)).status),
        site.call(`DELETE /stages/${sender.stageId}`, { token }).then(({ status }) => status),
      ]);
      expect(statuses.pop()).toBe(200);
      for (const status of statuses) expect([204, 404]).toContain(status);
    });
    await Promise.all(deletions);
  });

  test('that has come is known by its fingerprint, to its own stay', async () => {
    const sender = await newSender();
    const [light, full, never] = [await another(), await another(), await another()];
    await send(sender, await corners(1), { version: 'legere', empreinte: fingerprint(light) });
    await send(sender, full);
    const ask = (token: string | undefined, stageId = sender.stageId) =>
      site.call('POST /photos/connues', {
        token,
        body: { stageId, empreintes: [light, full, never].map(fingerprint) },
      });
    const { json } = await ask(sender.token);
    expect(json.connues).toHaveLength(2);
    expect(json.connues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ empreinte: fingerprint(light), version: 'legere', refus: '' }),
        expect.objectContaining({ empreinte: fingerprint(full), version: 'complete' }),
      ]),
    );
    expect((await ask((await newSender()).token)).status).toBe(404);
    expect((await ask(await site.tokenOf('admin'), 999_999)).status).toBe(404);
  });

  test('sent with ninety-nine others at once is taken as they are', async () => {
    const sender = await newSender();
    const photos = await Promise.all(Array.from({ length: 100 }, another));
    const answers = await Promise.all(photos.map((bytes) => send(sender, bytes)));
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(204));
    expect(new Set((await rowsOf(sender)).map(({ empreinte }) => empreinte))).toEqual(
      new Set(photos.map(fingerprint)),
    );
    await site.jobs.idle();
    expect(new Set((await rowsOf(sender)).map(({ statut }) => statut))).toEqual(new Set(['a_verifier']));
  });
});

describe('refused with a sentence, and nothing of it is left', () => {
  let sender: Sender;
  beforeEach(async () => {
    sender = await newSender();
  });

  async function expectRefused(answer: { status: number; json: { message: string } }, status: number) {
    expect(answer.status).toBe(status);
    expect(answer.json.message).toMatch(/^[\p{Lu}\d].*\.$/u);
    expect(await uploadsTo(sender)).toEqual([]);
    expect(await rowsOf(sender)).toEqual([]);
  }

  test('a file that is no photo, whatever it is called', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    for (const bytes of [
      minutesPdf('x', ['y']),
      Buffer.from(svg),
      Buffer.from('GIF89a0000'),
      Buffer.alloc(9),
    ])
      await expectRefused(await send(sender, bytes), 415);
  });

  test('a file that is not the one that was announced', async () => {
    const bytes = await another();
    await expectRefused(await send(sender, bytes, { empreinte: fingerprint(await another()) }), 422);
  });

  test('an empty file, one that is too heavy, and one of an unknown size', async () => {
    await expectRefused(await create(sender, Buffer.alloc(0)), 422);
    const of = (headers: Record<string, string>) =>
      request(sender, 'POST', `${API_PREFIX}${UPLOAD_PATH}`, {
        'upload-metadata': metadata(sender.stageId, Buffer.from('x')),
        ...headers,
      });
    await expectRefused(await of({ 'upload-length': String(PHOTO_BYTES + 1) }), 413);
    await expectRefused(await of({ 'upload-defer-length': '1' }), 400);
    await expectRefused(await of({ 'upload-length': '1e3' }), 400);
    await expectRefused(await of({ 'upload-length': '10', 'x-http-method-override': 'DELETE' }), 400);
    await expectRefused(await of({ 'upload-length': '10', 'tus-resumable': '0.2.2' }), 400);
  });

  test('a description that is none, and one of another stay', async () => {
    const bytes = await another();
    for (const said of [
      { empreinte: 'x' },
      { empreinte: `${'0'.repeat(63)}G` },
      { version: 'enorme' as 'legere' },
      { prise_le: 'hier' },
      { filename: 'a\u0000b.jpg' },
      { filename: 'x'.repeat(300) },
    ])
      await expectRefused(await create(sender, bytes, said), 422);
    const raw = (text: string) =>
      request(sender, 'POST', `${API_PREFIX}${UPLOAD_PATH}`, {
        'upload-length': '10',
        'upload-metadata': text,
      });
    for (const text of ['', '__proto__ eA==', 'stageId é', 'a b c'])
      await expectRefused(await raw(text), 400);
    await expectRefused(await raw('stageId'), 422);
    await expectRefused(await create({ ...sender, stageId: (await newSender()).stageId }, bytes), 404);
    await expectRefused(await create({ ...sender, stageId: 999_999 }, bytes), 404);
  });

  test('whatever is sent to a stay whose photos are over', async () => {
    const bytes = await another();
    const admin = { ...sender, token: await site.tokenOf('admin') };
    const path = await openUpload(admin, bytes);
    await site.services.database.write((transaction) =>
      transaction
        .updateTable('stages')
        .set({ date_debut: '2025-06-15', date_fin: '2025-06-20', created_at: '2025-06-01T00:00:00.000Z' })
        .where('id', '=', sender.stageId)
        .execute(),
    );
    await expectRefused(await patch(admin, path, bytes), 409);
    await expectRefused(await create(admin, bytes), 409);
  });
});

describe('What a session began', () => {
  /** Ends the sessions of the directors of a stay, and signs one in. */
  async function signInAnew(sender: Sender): Promise<Sender> {
    await site.services.database.write((transaction) =>
      transaction.deleteFrom('sessions').where('stage_id', '=', sender.stageId).execute(),
    );
    return signedIn(sender);
  }

  test('ends with it: nobody goes on with it, it takes no room, and its files are erased', async () => {
    const sender = await newSender();
    const bytes = await another();
    const path = await openUpload(sender, bytes);
    expect((await patch(sender, path, bytes, 0, 100)).status).toBe(204);
    const [[, pieces] = ['', []]] = await uploadsTo(sender);
    expect(filesIn('recues')).toEqual(expect.arrayContaining(pieces));
    const again = await signInAnew(sender);
    const admin = { ...sender, token: await site.tokenOf('admin') };
    for (const who of [again, admin]) {
      expect(await arrived(who, path)).toBeUndefined();
      expect((await patch(who, path, bytes, 100)).status).toBe(404);
      expect((await request(who, 'DELETE', path)).status).toBe(404);
    }
    await site.schedule.tick();
    site.advance(HOUR_MS);
    await site.schedule.tick();
    expect(await uploadsTo(sender)).toEqual([]);
    expect(filesIn('recues').filter((name) => pieces.includes(name))).toEqual([]);
    expect((await send(again, bytes)).status).toBe(204);
  });

  test('is over when the session is too old, and goes on by another session while it is open', async () => {
    const sender = await signedIn(await newSender());
    const bytes = await another();
    const path = await openUpload(sender, bytes);
    expect((await patch(sender, path, bytes, 0, 100)).status).toBe(204);
    site.advance(6 * DAY_MS);
    const later = await signedIn(sender);
    expect((await patch(later, path, bytes, 100, 200)).status).toBe(204);
    site.advance(6 * DAY_MS);
    expect((await patch(later, path, bytes, 200, 300)).status).toBe(204);
    site.advance(2 * DAY_MS);
    expect((await patch(later, path, bytes, 300)).status).toBe(404);
  });

  test('is a hundred uploads to a stay at most, and what others have begun keeps nobody from sending', async () => {
    const [sender, elsewhere] = [await newSender(), await newSender()];
    for (let count = 0; count < 100; count++) await openUpload(sender, await another());
    expect(await create(sender, await another())).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining('100 envois') },
    });
    expect((await create(elsewhere, await another())).status).toBe(201);
    const other = await signedIn(sender);
    expect((await send(other, await another())).status).toBe(204);
    // A new sign-in begins with nothing.
    const again = await signInAnew(sender);
    expect((await create(again, await another())).status).toBe(201);
  });

  test('takes room by what it has announced from itself, and by what it has sent from others', async () => {
    const sender = await newSender();
    const other = await signedIn(sender);
    const [id = 0] = await addPhotos(site.services, sender.stageId, 1);
    const bytes = await another();
    const leave = (octets: number) =>
      site.services.database.write((transaction) =>
        transaction
          .updateTable('photos')
          .set({ octets: STAY_BYTES - octets })
          .where('id', '=', id)
          .execute(),
      );
    await leave(bytes.length * 2 - 1);
    const path = await openUpload(sender, bytes);
    const full = { status: 409, json: { message: expect.stringContaining('25\u00a0Go') } };
    expect(await create(sender, await another())).toMatchObject(full);
    const begun = await openUpload(other, await another());
    expect((await request(other, 'DELETE', begun)).status).toBe(204);
    expect((await patch(sender, path, bytes, 0, bytes.length - 1)).status).toBe(204);
    expect((await create(other, await another())).status).toBe(201);
    await leave(bytes.length * 2 - 2);
    expect(await create(await signedIn(sender), await another())).toMatchObject(full);
  });
});

test('a stay that is full takes no further photo, but still the full version of those it has', async () => {
  const sender = await newSender();
  const [id = 0] = await addPhotos(site.services, sender.stageId, 1, () => ({ version: 'legere' }));
  const bytes = await another();
  const set = (change: { octets?: number; empreinte?: string }) =>
    site.services.database.write((transaction) =>
      transaction.updateTable('photos').set(change).where('id', '=', id).execute(),
    );
  await set({ octets: STAY_BYTES, empreinte: fingerprint(bytes) });
  expect(await send(sender, bytes)).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('25\u00a0Go') },
  });
  await set({ octets: 1 });
  await site.services.database.write(async (transaction) => {
    const row = await transaction
      .selectFrom('photos')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { id: _id, ...same } = row;
    const others = Array.from({ length: 4_999 }, (_, index) => ({
      ...same,
      statut: same.statut as StateWrite,
      empreinte: String(index),
    }));
    for (let from = 0; from < others.length; from += 500)
      await transaction
        .insertInto('photos')
        .values(others.slice(from, from + 500))
        .execute();
  });
  const refused = await send(sender, await another());
  expect(refused).toMatchObject({ status: 409, json: { message: expect.stringContaining('5\u202f000') } });
  expect((await send(sender, bytes)).status).toBe(204);
  await site.jobs.idle();
  const [replaced] = (await rowsOf(sender)).filter((row) => row.id === id);
  expect(replaced).toMatchObject({ statut: 'publiee', version: 'complete', a_jpeg: 1 });
});

const disk = mountDisk(100);
afterAll(() => disk?.remove());
test.runIf(disk)(
  'a disk that is nearly full refuses new photos, and one that is full loses nothing of those on their way',
  async () => {
    if (!disk) return;
    const full = await openSite({ env: { DATA_DIR: disk.directory } });
    try {
      const sender = await newSender(full);
      const bytes = await xiaomi();
      const path = await openUpload(sender, bytes);
      disk.fill(5 * 1024 * 1024);
      const refused = await create(sender, bytes);
      expect(refused).toMatchObject({ status: 507, json: { message: expect.stringContaining('plein') } });
      // What was announced while there was room gets none of what is left.
      expect((await patch(sender, path, bytes)).status).toBe(507);
      expect(await arrived(sender, path)).toBe(0);
      disk.fill(64 * 1024);
      expect((await patch(sender, path, bytes)).status).toBe(507);
      disk.empty();
      const offset = (await arrived(sender, path)) ?? -1;
      expect(offset).toBeGreaterThanOrEqual(0);
      expect((await patch(sender, path, bytes, offset)).status).toBe(204);
      await full.jobs.idle();
      const [photo, ...others] = await rowsOf(sender, full);
      expect([photo?.statut, others]).toEqual(['a_verifier', []]);

      // Eight times the disk, announced while it has room, and sent at once.
      const long = Buffer.concat([bytes, randomBytes(PHOTO_BYTES - bytes.length)]);
      const flood = Array.from({ length: 28 }, (_, index) => long.subarray(index));
      const paths: string[] = [];
      for (const one of flood) paths.push(await openUpload(sender, one));
      const statuses = await Promise.all(
        flood.map(async (one, index) => (await patch(sender, paths[index] ?? '', one)).status),
      );
      expect(statuses).toContain(507);
      expect((await full.services.staging.disk()).free).toBeGreaterThan(5 * MB);
      expect((await full.call('POST /loginAdmin', { body: ADMIN })).status).toBe(200);
      const token = await full.tokenOf('admin');
      expect((await full.call('POST /photos/effacer', { token, body: { ids: [photo?.id] } })).status).toBe(
        200,
      );
    } finally {
      await full.close();
    }
  },
);
