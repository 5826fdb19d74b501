import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PhotoState } from '#features/photos/shared/states.ts';
import { PHOTO_FOLDER, photoFiles } from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { COOKIES } from '#platform/server/sessionsStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { AskOptions, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { builtCommand } from '#tools/build.mjs';

/* Every form in which a photo leaves the site, and to whom. */

let site: TestSite;
let stay: number;
let other: number;
let family: string;
beforeAll(async () => {
  site = await openSite();
  stay = await makeStay(site, 'Étoile');
  other = await makeStay(site, 'Baleine');
  family = await site.tokenOf('family', stay);
});
afterAll(() => site?.close());

function makeStay({ services, now }: TestSite, nom_stage: string): Promise<number> {
  const dates = { date_debut: '2026-06-10', date_fin: '2026-06-20' };
  return services.database.write((transaction) =>
    insertStay(transaction, services.secrets, { nom_stage, ...dates }, now()),
  );
}

/** Makes a photo; answers its id and the addresses of its files. */
async function addPhoto(statut: PhotoState, publiee_le?: string): Promise<{ id: number; files: string[] }> {
  const [id = 0] = await addPhotos(site.services, stay, 1, () => ({ statut, publiee_le }));
  const { nom } = await site.services.database.db
    .selectFrom('photos')
    .select('nom')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, files: Object.values(photoFiles(nom ?? '', true)).map((name) => `${PHOTO_FOLDER}${name}`) };
}

const statusOf = async (address: string, options: AskOptions = {}, method = 'GET') =>
  (await site.ask(`${method} ${address}`, options)).status;

/** What every file of a photo answers, where that is the same. */
async function statusOfAll(files: readonly string[], options: AskOptions): Promise<number> {
  const asked = files.flatMap((file) => [
    statusOf(file, options),
    statusOf(file, options, 'HEAD'),
    statusOf(file, { ...options, headers: { ...options.headers, range: 'bytes=0-9' } }),
  ]);
  const statuses = new Set((await Promise.all(asked)).map((status) => (status === 206 ? 200 : status)));
  expect(statuses.size).toBe(1);
  return [...statuses][0] ?? 0;
}

const placeOf = (file: string) =>
  join(site.directory, 'files', keyOf('photos', file.slice(PHOTO_FOLDER.length)));

/** A file so large that it leaves the site in many pieces, of which no two are the same. */
async function addLargeFile(): Promise<{ file: string; bytes: Buffer }> {
  const { files } = await addPhoto('publiee');
  const [file = ''] = files;
  const bytes = randomBytes(12_000_000);
  await writeFile(placeOf(file), bytes);
  await site.services.database.write((transaction) =>
    transaction
      .updateTable('fichiers')
      .set({ taille: bytes.length })
      .where('nom', '=', file.slice(PHOTO_FOLDER.length))
      .execute(),
  );
  return { file, bytes };
}

describe('The files of a photo', () => {
  test('open with a cookie, in all their sizes, whole and in parts, and are asked for anew each time', async () => {
    const { files } = await addPhoto('publiee');
    const cookie = `${COOKIES.family}=${family}`;
    for (const file of files) {
      const answer = await fetch(`${site.origin}${file}`, { headers: { cookie } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.equals(await readFile(placeOf(file)))).toBe(true);
      const type = file.endsWith('.jpg') ? 'image/jpeg' : 'image/webp';
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'content-length': String(bytes.length),
        'cache-control': 'private, no-cache',
        'cross-origin-resource-policy': 'same-origin',
        'x-robots-tag': 'noindex, noimageindex',
        vary: 'Cookie, Authorization',
      });
      expect(answer.headers.get('content-disposition')).toBeNull();
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"\w+"$/);
      const ask = (headers: Record<string, string>, method = 'GET') =>
        fetch(`${site.origin}${file}`, { method, headers: { cookie, ...headers } });
      const part = await ask({ range: 'bytes=5-14', 'if-range': etag });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 5-14/${bytes.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(5, 15))).toBe(true);
      const head = await ask({}, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
      expect((await ask({ 'if-none-match': etag })).status).toBe(304);
      // What a browser has kept is worth nothing to whoever is not signed in.
      expect(await statusOf(file, { headers: { 'if-none-match': etag } })).toBe(401);
    }
  });

  test('reach each reader whole and unmixed, while others read slowly or leave in the middle', async () => {
    const large = await Promise.all(Array.from({ length: 4 }, addLargeFile));
    const headers = { authorization: `Bearer ${family}` };
    const read = async ({ file, bytes }: (typeof large)[number], leaves: boolean) => {
      const { body } = await fetch(`${site.origin}${file}`, { headers });
      const pieces: Uint8Array[] = [];
      for await (const piece of body ?? []) {
        if (leaves && pieces.length > 2) return true;
        pieces.push(piece);
        await pause(1);
      }
      return Buffer.concat(pieces).equals(bytes);
    };
    const readers = large.flatMap((one) => [read(one, false), read(one, true), read(one, false)]);
    expect(await Promise.all(readers)).toEqual(readers.map(() => true));
  });

  test('are for the people of the stay: families see what is published by now, directors and staff the rest', async () => {
    const later = new Date(site.now().getTime() + HOUR_MS).toISOString();
    const states: [PhotoState, string | undefined, boolean][] = [
      ['publiee', undefined, true],
      ['publiee', later, false],
      ['a_verifier', undefined, false],
      ['refusee', undefined, false],
      ['retiree', undefined, false],
    ];
    const director = await site.tokenOf('director', stay);
    const strangers = [
      await site.tokenOf('family', other),
      await site.tokenOf('director', other),
      await site.tokenOf('reader'),
    ];
    for (const [statut, publiee_le, isSeen] of states) {
      const { files } = await addPhoto(statut, publiee_le);
      const who = `${statut} ${publiee_le ?? ''}`;
      expect(await statusOfAll(files, { token: family }), who).toBe(isSeen ? 200 : 404);
      for (const token of [director, await site.tokenOf('admin')])
        expect(await statusOfAll(files, { token }), who).toBe(200);
      for (const token of strangers) expect(await statusOfAll(files, { token }), who).toBe(404);
      expect(await statusOfAll(files, {}), who).toBe(401);
      // Of two sign-ins that a browser holds, the one that opens it counts.
      const cookie = `${COOKIES.admin}=${await site.tokenOf('admin')}; ${COOKIES.family}=${strangers[0]}`;
      expect(await statusOfAll(files, { cookie }), who).toBe(200);
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect(await statusOfAll(files, { cookie, headers }), who).toBe(403);
    }
  });

  test('of a photo that is taken down are read by nobody once that is answered, however many were reading', async () => {
    const { id, files } = await addPhoto('publiee');
    const [file = ''] = files;
    let isAnswered = false;
    const read = async () => {
      const statuses = [];
      for (let count = 0; count < 25; count++) {
        const isLate = isAnswered;
        statuses.push({ isLate, status: await statusOf(file, { token: family }) });
      }
      return statuses;
    };
    const readers = Array.from({ length: 20 }, read);
    const asked = await site.call(`POST /photos/${id}/retrait`, { token: family, body: { mot: '' } });
    isAnswered = true;
    expect([asked.status, asked.json.masquee]).toEqual([200, true]);
    const seen = (await Promise.all(readers)).flat();
    expect(seen).toHaveLength(500);
    const late = seen.filter(({ isLate }) => isLate);
    expect(late.length).toBeGreaterThan(0);
    expect(late.filter(({ status }) => status !== 404)).toEqual([]);
    expect(await statusOfAll(files, { token: family })).toBe(404);
  });

  test('close with the sign-in, and tell the browser to drop what it kept', async () => {
    const { files } = await addPhoto('publiee');
    const token = await site.tokenOf('family', stay);
    expect(await statusOfAll(files, { token })).toBe(200);
    const left = await site.call('POST /auth/logout', { token });
    expect(left.headers.get('clear-site-data')).toBe('"cache"');
    expect(await statusOfAll(files, { token })).toBe(401);
    expect(await statusOfAll(files, { cookie: `${COOKIES.family}=${token}` })).toBe(401);
  });

  test('are read by staff alone once the photos of the stay are over', async () => {
    const { files } = await addPhoto('publiee');
    site.advance(60 * DAY_MS);
    expect(await statusOfAll(files, { token: await site.tokenOf('family', stay) })).toBe(200);
    site.advance(DAY_MS);
    for (const role of ['family', 'director'] as const)
      expect(await statusOfAll(files, { token: await site.tokenOf(role, stay) }), role).toBe(404);
    expect(await statusOfAll(files, { token: await site.tokenOf('admin') })).toBe(200);
  });
});

describe('The first opening of each photo by each sign-in', () => {
  test('is told to whoever has the machine, with a shortened address', async () => {
    const leak = await openSite();
    try {
      const id = await makeStay(leak, 'Étoile');
      const [first, second] = await addPhotos(leak.services, id, 2);
      const nomOf = async (photo: number | undefined) =>
        (
          await leak.services.database.db
            .selectFrom('photos')
            .select('nom')
            .where('id', '=', photo ?? 0)
            .executeTakeFirstOrThrow()
        ).nom;
      const file = `GET ${PHOTO_FOLDER}${await nomOf(first)}_320.webp`;
      const token = await leak.tokenOf('family', id);
      const before = leak.now().toISOString();
      expect((await leak.ask(file, { token })).status).toBe(200);
      leak.advance(HOUR_MS);
      expect((await leak.ask(file, { token })).status).toBe(200);
      const after = leak.now().toISOString();
      // An archive opens every photo that it holds.
      expect((await leak.call(`GET /stages/${id}/photos.zip`, { token })).status).toBe(200);
      expect((await leak.ask(file, { token: await leak.tokenOf('reader') })).status).toBe(404);
      await leak.stop();
      const [heading, ...lines] = (await photosCommand(leak, ['ouvertures', String(id)])).trim().split('\n');
      expect(heading).toBe('connexion;adresse;photo;ouverte_le');
      expect(lines.map((text) => text.split(';').slice(1).join(';'))).toEqual([
        `127.0.0.0;${first};${before}`,
        `127.0.0.0;${second};${after}`,
      ]);
      await expect(photosCommand(leak, ['ouvertures', '999999'])).rejects.toThrow(/n’existe pas/);
      await expect(photosCommand(leak, ['ouvertures', 'x'])).rejects.toThrow(/Usage/);
    } finally {
      await leak.close();
    }
  });
});

/** Runs `passerelle photos` on the folder and database of a site; rejects with what it says on a failure. */
async function photosCommand({ services: { config } }: TestSite, words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [builtCommand('photos'), ...words], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: config.DATA_DIR,
      ...(config.DATABASE_URL ? { DATABASE_URL: config.DATABASE_URL, SECRET_KEY: config.SECRET_KEY } : {}),
    },
  });
  return stdout;
}
