import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { openServices, startServer } from '#app/server/start.ts';
import { ITEM_KINDS } from '#features/content/shared/kinds.ts';
import { readConfig } from '#platform/server/config.ts';
import { cleanUpOrphans } from '#platform/server/files/orphans.ts';
import { FOLDERS } from '#platform/server/files/registerStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { mountDisk, type TestDisk } from '#tests/support/disk.ts';
import { type FormValue, form } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import { camera, corners, iphone, webpChunks } from '#tests/support/photos.ts';
import { freePort } from '#tests/support/ports.ts';
import {
  kill,
  killAll,
  launch,
  newPlace,
  type Place,
  type Server,
  start,
  stop,
} from '#tests/support/process.ts';
import { ADMIN } from '#tests/support/site.ts';
import { SOAK_MS, shareOf } from '#tests/support/soak.ts';
import { builtServer } from '#tools/build.mjs';

/* A server of its own process, as an operator runs it: killed, stopped, started twice, out of disk. */

const isSqlite = inject('database') === 'sqlite';
const MB = 1024 * 1024;
const FULL =
  'Le disque du site est plein\u202f: rien n’a été enregistré. Prévenez la personne qui l’administre.';

afterEach(killAll);

/** JSON of an answer; `any`, as tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
type Json = any;

async function ask(
  server: Server,
  what: string,
  options: { token?: string; body?: unknown } = {},
): Promise<{ status: number; headers: Headers; json: Json }> {
  const [method = 'GET', path = '/'] = what.split(' ');
  const isForm = options.body instanceof FormData;
  const response = await fetch(`${server.url}/api/api${path}`, {
    method,
    headers: {
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...(options.body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    body: isForm ? (options.body as FormData) : options.body ? JSON.stringify(options.body) : undefined,
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

async function signIn(server: Server, password = ADMIN.password, username = ADMIN.username): Promise<string> {
  const answer = await ask(server, 'POST /loginAdmin', { body: { username, password } });
  expect(answer.status).toBe(200);
  return answer.json.tokenAdmin;
}

/** What the server said and logged of an answer that was not the expected one. */
function refusalOf(server: Server, { headers, json }: Awaited<ReturnType<typeof ask>>): string {
  const id = headers.get('x-request-id') ?? '';
  const lines = server
    .out()
    .split('\n')
    .filter((line) => line.includes(id) || line.includes('refused'));
  return [JSON.stringify(json), ...lines].join('\n');
}

const jpeg = (bytes: Uint8Array): FormValue => [bytes, 'photo.jpg', 'image/jpeg'];

async function picture(server: Server, path: string): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(`${server.url}/api/images_stages/${path}`);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The services of a stopped site, for what only its own process could look at. */
async function withServices<T>(
  place: Place,
  work: (services: Awaited<ReturnType<typeof openServices>>, logged: Record<string, unknown>[]) => Promise<T>,
): Promise<T> {
  const logged: Record<string, unknown>[] = [];
  const log = pino({ base: undefined }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const services = await openServices(readConfig(place.env), { log });
  try {
    return await work(services, logged);
  } finally {
    await Promise.all([services.images.close(), services.pdfs.close(), services.database.close()]);
  }
}

function filesUnder(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}
const keptFiles = (place: Place) =>
  FOLDERS.flatMap((folder) =>
    filesUnder(join(place.directory, 'files', folder)).map((name) => `${folder}/${name}`),
  ).sort();

/** Where the register says that a file and its narrower sizes are. */
function keysOf({ nom, dossier, largeurs }: { nom: string; dossier: string; largeurs: string }): string[] {
  const widths = largeurs === '' ? [] : largeurs.split(';');
  return [nom, ...widths.map((width) => nom.replace('.webp', `-${width}.webp`))].map((name) =>
    keyOf(dossier, name),
  );
}

function expectSoundDatabase(place: Place): void {
  if (!isSqlite) return;
  const database = new SQLite(join(place.directory, 'passerelle.db'));
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
}

describe('killed at any moment', () => {
  interface Item {
    titre: string;
    image: string | null;
  }
  let place: Place;
  beforeAll(async () => {
    place = await newPlace();
  });
  afterAll(() => place?.clean());

  /** What has been acknowledged, and what was under way when the process died: either may be found of that. */
  const live = new Map<number, Item>();
  const deleted = new Set<number>();
  let underWay: { kind: 'create' | 'update' | 'delete'; id?: number; titre?: string }[] = [];
  let count = 0;
  let acknowledged = 0;

  async function write(server: Server, token: string, mine: number[], photos: Buffer[]): Promise<void> {
    const photo = () => jpeg(photos[randomInt(photos.length)] as Buffer);
    const dice = randomInt(10);
    const id = mine[randomInt(mine.length + 1)];
    if (dice < 5 || id === undefined) {
      const titre = `Nouvelle ${++count}`;
      const entry = { kind: 'create' as const, titre };
      underWay.push(entry);
      const answer = await ask(server, 'POST /actualites', {
        token,
        body: form({ titre, description: 'x', image: photo() }),
      });
      expect(answer.status, refusalOf(server, answer)).toBe(201);
      live.set(answer.json.id, { titre, image: answer.json.image_url });
      mine.push(answer.json.id);
      underWay = underWay.filter((one) => one !== entry);
    } else if (dice < 8) {
      const titre = `Changée ${++count}`;
      const entry = { kind: 'update' as const, id, titre };
      underWay.push(entry);
      const answer = await ask(server, `PUT /actualites/${id}`, {
        token,
        body: form({ titre, ...(dice < 7 ? { image: photo() } : {}) }),
      });
      expect(answer.status, refusalOf(server, answer)).toBe(200);
      live.set(id, { titre, image: answer.json.image_url });
      underWay = underWay.filter((one) => one !== entry);
    } else {
      const entry = { kind: 'delete' as const, id };
      underWay.push(entry);
      const answer = await ask(server, `DELETE /actualites/${id}`, { token });
      expect(answer.status).toBe(200);
      live.delete(id);
      deleted.add(id);
      mine.splice(mine.indexOf(id), 1);
      underWay = underWay.filter((one) => one !== entry);
    }
    acknowledged++;
  }

  async function writer(
    server: Server,
    token: string,
    mine: number[],
    photos: Buffer[],
    isKilled: () => boolean,
  ): Promise<void> {
    try {
      for (;;) await write(server, token, mine, photos);
    } catch (error) {
      // A connection that the kill cut; an answer that is not the expected one is a failure whenever it comes.
      if (!isKilled() || !(error instanceof TypeError)) throw error;
    }
  }

  async function verify(server: Server, token: string): Promise<void> {
    const rows: { id: number; titre: string; image_url: string | null }[] = (
      await ask(server, 'GET /actualites?tout=1', { token })
    ).json;
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const [id, item] of live) {
      const row = found.get(id);
      const doubts = underWay.filter((one) => one.id === id);
      if (!row) {
        expect(
          doubts.some((one) => one.kind === 'delete'),
          `acknowledged ${id} is lost`,
        ).toBe(true);
        live.delete(id);
        deleted.add(id);
        continue;
      }
      const isUpdated = doubts.some((one) => one.kind === 'update' && one.titre === row.titre);
      if (!isUpdated) expect({ titre: row.titre, image: row.image_url }).toEqual(item);
    }
    for (const row of rows) {
      expect(deleted.has(row.id), `deleted ${row.id} is back`).toBe(false);
      if (!live.has(row.id)) expect(underWay.map((one) => one.titre)).toContain(row.titre);
      live.set(row.id, { titre: row.titre, image: row.image_url });
      if (!row.image_url) continue;
      for (const name of [row.image_url, row.image_url.replace('.webp', '-320.webp')]) {
        const { status, bytes } = await picture(server, name);
        expect([name, status]).toEqual([name, 200]);
        expect(webpChunks(bytes).length).toBeGreaterThan(0);
      }
    }
    underWay = [];
  }

  test('no acknowledged write is lost, and every item’s picture opens, time and again', {
    timeout: 600_000 + 2 * SOAK_MS,
  }, async () => {
    const photos = [await corners(1), await corners(6), await iphone(), await camera('right.jpg')];
    const mine: number[][] = [[], [], [], []];
    const staged = () => filesUnder(join(place.directory, 'staging'));
    let server = await start(place);
    const token = await signIn(server);
    const end = Date.now() + SOAK_MS;
    for (let cycle = 0; cycle < shareOf(5) || Date.now() < end; cycle++) {
      let isKilled = false;
      const writers = mine.map((ids) => writer(server, token, ids, photos, () => isKilled));
      const enough = acknowledged + 8 + randomInt(8);
      const killing = (async () => {
        while (acknowledged < enough) await pause(5);
        await pause(randomInt(100));
        isKilled = true;
        await kill(server);
      })();
      await Promise.all([...writers, killing]);
      expectSoundDatabase(place);
      const left = staged();
      server = await start(place);
      // The same token still opens: sessions survive as well.
      await verify(server, token);
      expect(staged().filter((name) => left.includes(name))).toEqual([]);
      for (const ids of mine) ids.splice(0, ids.length, ...ids.filter((id) => live.has(id)));
    }
    expect(acknowledged).toBeGreaterThanOrEqual(8 * shareOf(5));
    expect(await stop(server)).toBe(0);
    expectSoundDatabase(place);
  });

  test('the orphan cleanup then puts aside what no row holds, and nothing else', async () => {
    const lost = `${'0'.repeat(32)}.webp`;
    const folder = join(place.directory, 'files');
    mkdirSync(dirname(join(folder, keyOf('images', lost))), { recursive: true });
    writeFileSync(join(folder, keyOf('images', lost)), 'orphan');
    await withServices(place, async (services) => {
      const expected = async () =>
        (await services.database.db.selectFrom('fichiers').selectAll().execute()).flatMap(keysOf).sort();
      const registered = await expected();
      const before = keptFiles(place);
      expect(registered.filter((key) => !before.includes(key))).toEqual([]);
      // Within its day of grace nothing is touched: it may be of an upload under way.
      expect(await cleanUpOrphans(services)).toEqual({ quarantined: 0, erased: 0, missing: 0 });
      expect(keptFiles(place)).toEqual(before);

      const orphans = before.filter((key) => !registered.includes(key));
      expect(orphans).toContain(keyOf('images', lost));
      expect(await cleanUpOrphans(services, { graceMs: 0 })).toEqual({
        quarantined: orphans.length,
        erased: 0,
        missing: 0,
      });
      expect(keptFiles(place)).toEqual(registered);
      expect(await expected()).toEqual(registered);
      expect(filesUnder(join(folder, 'quarantaine'))).toEqual(orphans);
      expect(await cleanUpOrphans(services, { graceMs: 0 })).toEqual({
        quarantined: 0,
        erased: 0,
        missing: 0,
      });
      expect(await cleanUpOrphans(services, { quarantineMs: 0 })).toEqual({
        quarantined: 0,
        erased: orphans.length,
        missing: 0,
      });
      expect(filesUnder(join(folder, 'quarantaine'))).toEqual([]);
      expect(keptFiles(place)).toEqual(registered);
    });
  });

  test('the orphan cleanup reports a row whose file is gone', async () => {
    await withServices(place, async (services, logged) => {
      const row = await services.database.db.selectFrom('fichiers').selectAll().executeTakeFirstOrThrow();
      const path = join(place.directory, 'files', keyOf(row.dossier, row.nom));
      const bytes = readFileSync(path);
      rmSync(path);
      expect(await cleanUpOrphans(services, { graceMs: 0 })).toEqual({
        quarantined: 0,
        erased: 0,
        missing: 1,
      });
      expect(logged.filter(({ level }) => level === 50)).toMatchObject([
        { file: row.nom, folder: row.dossier },
      ]);
      expect(
        await services.database.db.selectFrom('fichiers').selectAll().where('nom', '=', row.nom).execute(),
      ).toHaveLength(1);
      writeFileSync(path, bytes);
      expect((await cleanUpOrphans(services, { graceMs: 0 })).missing).toBe(0);
    });
  });
});

test('killed while the example content arrives, the site goes on with it, and no item comes twice', async () => {
  const place = await newPlace();
  const progress = async (server: Server) => (await ask(server, 'GET /exemple', { token })).json;
  const first = await start(place);
  const token = await signIn(first);
  expect((await ask(first, 'POST /exemple', { token })).status).toBe(200);
  await expect.poll(async () => (await progress(first)).en_place, { interval: 20 }).toBeGreaterThan(5);
  await kill(first);
  expectSoundDatabase(place);

  const second = await start(place);
  const { total, etat } = await progress(second);
  expect(etat).toBe('arrive');
  // All but the one that died with the first server, which counts as under way there for a while.
  await expect.poll(async () => (await progress(second)).en_place).toBeGreaterThanOrEqual(total - 1);
  expect(await stop(second)).toBe(0);

  const clock = () => new Date(Date.now() + 6 * 60_000);
  const log = pino({ enabled: false });
  const third = await startServer(readConfig({ ...place.env, PORT: '0' }), { clock, log });
  const awaited = third.services.database.db
    .selectFrom('exemples')
    .select('cle')
    .where('objet_id', 'is', null);
  await expect.poll(() => awaited.execute()).toEqual([]);
  await third.stop();
  await withServices(place, async (services) => {
    const { db } = services.database;
    const tables = [
      ...ITEM_KINDS.map((kind) => kind.table),
      'stages',
      'formateurs',
      'livrets',
      'photos',
    ] as const;
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).select('id').execute()));
    // The settings are one item, and no row with an id.
    expect(rows.flat()).toHaveLength(total - 1);
    // What the killed server had kept for the item that came later after all.
    expect((await cleanUpOrphans(services, { graceMs: 0 })).missing).toBe(0);
    const registered = await db.selectFrom('fichiers').selectAll().execute();
    expect(keptFiles(place)).toEqual(registered.flatMap(keysOf).sort());
  });
  await place.clean();
});

describe('started and stopped', () => {
  let place: Place;
  beforeAll(async () => {
    place = await newPlace();
  });
  afterAll(() => place?.clean());
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');

  test('a second server on the same folder is refused with one clear line, and the first goes on', async () => {
    const first = await start(place);
    const second = launch({ ...place.env, PORT: String(await freePort()) });
    expect((await second.ended).code).toBe(1);
    expect(lines(second.err())).toEqual([
      `Un autre serveur utilise déjà le dossier ${place.directory}\u202f: arrêtez-le, ou choisissez un autre DATA_DIR.`,
    ]);
    expect(second.out()).toBe('');
    expect((await ask(first, 'GET /actualites')).status).toBe(200);
    expect(
      (
        await ask(first, 'POST /actualites', {
          token: await signIn(first),
          body: form({ titre: 'a', description: 'b' }),
        })
      ).status,
    ).toBe(201);
    await kill(first);
    // However the first ended, the next may start.
    const third = await start(place);
    expect((await ask(third, 'GET /actualites')).json).toHaveLength(1);
    expect(await stop(third)).toBe(0);
  });

  test('asked to stop, it answers every request that it had begun, keeps their work, and ends with 0', async () => {
    const server = await start(place);
    const token = await signIn(server);
    const before = (await ask(server, 'GET /actualites')).json.length;
    const photo = await corners(6);
    const port = Number(new URL(server.url).port);
    const begun = await Promise.all(
      Array.from({ length: 12 }, (_, index) => beginUpload(port, token, `Avant l’arrêt ${index}`, photo)),
    );
    server.child.kill('SIGTERM');
    await pause(50);
    const answers = await Promise.all(begun.map((upload) => upload.finish()));
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(12).fill('HTTP/1.1 201'));
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(lines(server.err())).toEqual([]);
    await expect(ask(server, 'GET /actualites')).rejects.toThrow();
    expectSoundDatabase(place);

    const again = await start(place);
    const list = (await ask(again, 'GET /actualites')).json;
    expect(list).toHaveLength(before + 12);
    for (const { image_url } of list.filter((item: Json) => item.titre.startsWith('Avant')))
      expect((await picture(again, image_url)).status).toBe(200);
    expect(await stop(again)).toBe(0);
  });

  test('asked to stop during a download on a connection kept open, it lets it end and then waits for nobody', async () => {
    const server = await start(place);
    const token = await signIn(server);
    const bytes = Buffer.concat([
      minutesPdf('Gros', ['x']),
      Buffer.from(`%${'x'.repeat(15 * MB)}\nstartxref\n0\n%%EOF\n`),
    ]);
    const body = form({ nom: 'Gros', date_ajout: '2026-06-12', url: [bytes, 'gros.pdf', 'application/pdf'] });
    const created = await ask(server, 'POST /documents', { token, body });
    expect(created.status).toBe(201);
    const agent = new Agent({ keepAlive: true });
    const address = `${server.url}/api/doc_stage_formateur/${created.json.url}`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(address, { agent, headers: { authorization: `Bearer ${token}` } }, resolve).on('error', reject);
    });
    expect(response.statusCode).toBe(200);
    // Not read yet: more than the system's buffers take is still to be sent.
    const asked = performance.now();
    server.child.kill('SIGTERM');
    await pause(100);
    let received = 0;
    for await (const chunk of response) received += (chunk as Buffer).length;
    expect(received).toBe(bytes.length);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    // Ten seconds after the signal, whatever is left is cut.
    expect(performance.now() - asked).toBeLessThan(10_000);
    agent.destroy();
  });

  test('a bad variable stops the start with one line that names it and never shows it', async () => {
    const bad: [string, Record<string, string>][] = [
      ['PORT', { PORT: 'mille' }],
      ['SECRET_KEY', { SECRET_KEY: 'tropcourte' }],
      ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'motdepasse' }],
      ['TIME_ZONE', { TIME_ZONE: 'Europe/Lutece' }],
      ['DATABASE_URL', { DATABASE_URL: 'mysql://quelquepart/base' }],
      ['SECRET_KEY', { DATABASE_URL: 'postgres://nulle-part/base', SECRET_KEY: '' }],
    ];
    const ended = await Promise.all(
      bad.map(async ([name, env]) => {
        const server = launch({ DATA_DIR: join(place.directory, 'inutile'), PORT: '0', ...env });
        return { name, env, server, code: (await server.ended).code };
      }),
    );
    for (const { name, env, server, code } of ended) {
      expect(code).toBe(1);
      expect(lines(server.err())).toHaveLength(1);
      expect(server.err()).toContain(`Configuration\u202f: ${name} `);
      for (const value of Object.values(env)) if (value) expect(server.err()).not.toContain(value);
      expect(server.out()).toBe('');
    }
    expect(existsSync(join(place.directory, 'inutile'))).toBe(false);
  });

  test('a port that is taken stops the start with one line', async () => {
    const first = await start(place);
    const other = await newPlace();
    const second = launch({ ...other.env, PORT: new URL(first.url).port });
    expect((await second.ended).code).toBe(1);
    expect(lines(second.err())).toHaveLength(1);
    expect(second.err()).toContain('port');
    expect(await stop(first)).toBe(0);
    await other.clean();
  });

  test('a generated password is said once, opens the portal, and stands nowhere', async () => {
    const other = await newPlace();
    delete other.env.ADMIN_PASSWORD;
    const first = await start(other);
    const password = /affiché cette seule fois\u202f: (\S+)/.exec(first.out())?.[1] ?? '';
    expect(password.length).toBeGreaterThanOrEqual(12);
    await signIn(first, password);
    expect(await stop(first)).toBe(0);
    const second = await start(other);
    expect(second.out()).not.toContain('affiché');
    expect(second.out()).not.toContain(password);
    await signIn(second, password);
    expect(await stop(second)).toBe(0);
    expect(first.out().split(password)).toHaveLength(2);
    for (const name of filesUnder(other.directory))
      expect(readFileSync(join(other.directory, name)).includes(password), name).toBe(false);
    await other.clean();
  });

  test('variables of the first admin are not looked at again', async () => {
    const server = await start(place, { ADMIN_USERNAME: 'Intrus', ADMIN_PASSWORD: 'un-autre-mot-de-passe' });
    const answer = await ask(server, 'POST /loginAdmin', {
      body: { username: 'Intrus', password: 'un-autre-mot-de-passe' },
    });
    expect(answer.status).toBe(401);
    await signIn(server);
    expect(await stop(server)).toBe(0);
  });
});

/** Sends the head of an upload, and resolves once the server has answered that it reads on. */
function beginUpload(
  port: number,
  token: string,
  titre: string,
  photo: Buffer,
): Promise<{ finish(): Promise<string> }> {
  const boundary = 'limite';
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = Buffer.concat([
    Buffer.from(field('titre', titre) + field('description', 'x')),
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
    ),
    photo,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let isBegun = false;
    const closed = new Promise<string>((end) => {
      socket.on('close', () => end(received));
    });
    socket.on('error', (error) => (isBegun ? undefined : reject(error)));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (isBegun || !received.includes('100 Continue\r\n\r\n')) return;
      isBegun = true;
      received = '';
      resolve({
        finish: () => {
          socket.write(body);
          return closed;
        },
      });
    });
    socket.write(
      `POST /api/api/actualites HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${body.length}\r\n` +
        'Expect: 100-continue\r\nConnection: close\r\n\r\n',
    );
  });
}

describe('out of disk', () => {
  let disk: TestDisk | undefined;
  beforeAll(() => {
    disk = mountDisk(48);
  });
  afterAll(() => disk?.remove());

  test('uploads say so in French, reads go on, nothing is half written, and space brings it back', async ({
    skip,
  }) => {
    skip(!disk, 'a disk of its own needs the right to mount one; the test below needs none');
    const { directory, fill, empty } = disk as TestDisk;
    const place = await newPlace({ directory: join(directory, 'data') });
    const server = await start(place);
    const token = await signIn(server);
    const photo = jpeg(await corners(1));
    const send = (titre: string) =>
      ask(server, 'POST /actualites', { token, body: form({ titre, description: 'x', image: photo }) });
    const kept = [(await send('Un')).json, (await send('Deux')).json, (await send('Trois')).json];
    await expect.poll(() => keptFiles(place).length).toBe(6);
    const held = keptFiles(place);
    const staged = () => filesUnder(join(place.directory, 'staging'));
    async function expectAllThere() {
      const list = (await ask(server, 'GET /actualites')).json;
      expect(list.map(({ id }: Json) => id)).toEqual(kept.map(({ id }) => id).reverse());
      for (const { image_url } of kept) expect((await picture(server, image_url)).status).toBe(200);
      await expect.poll(staged).toEqual([]);
      expect(keptFiles(place)).toEqual(held);
    }

    // Less than what the site keeps for its database: refused before a byte is stored.
    fill(10 * MB);
    const early = await send('Quatre');
    expect([early.status, early.json]).toEqual([507, { message: FULL }]);
    const edit = await ask(server, `PUT /actualites/${kept[0].id}`, {
      token,
      body: form({ image: photo }),
    });
    expect([edit.status, edit.json]).toEqual([507, { message: FULL }]);
    await expectAllThere();

    // Enough at the start, not enough for what comes: the size of this body is not announced.
    fill(20 * MB);
    const padded = Buffer.concat([await corners(1), Buffer.alloc(14 * MB)]);
    const big = await sendUnannounced(server, token, [padded, padded, padded]);
    expect([big.status, big.json]).toEqual([507, { message: FULL }]);
    await expectAllThere();

    // Not a byte left: whatever the database cannot write is refused, and it stays as it was.
    fill(0);
    const statuses: number[] = [];
    let isInBin = false;
    for (let i = 0; i < 400 && !statuses.includes(507); i++) {
      const what = isInBin
        ? `POST /corbeille/actualites/${kept[1].id}/restaurer`
        : `DELETE /actualites/${kept[1].id}`;
      const answer = await ask(server, what, { token });
      statuses.push(answer.status);
      if (answer.status === 200) isInBin = !isInBin;
      else expect([answer.status, answer.json]).toEqual([507, { message: FULL }]);
    }
    if (isSqlite) expect(statuses).toContain(507);
    const list = (await ask(server, 'GET /actualites')).json;
    expect(list.some(({ id }: Json) => id === kept[1].id)).toBe(!isInBin);
    expect((await picture(server, kept[0].image_url)).status).toBe(200);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);

    empty();
    if (isInBin)
      expect(
        (await ask(server, `POST /corbeille/actualites/${kept[1].id}/restaurer`, { token })).status,
      ).toBe(200);
    await expectAllThere();
    const after = await send('Quatre');
    expect(after.status).toBe(201);
    expect((await picture(server, after.json.image_url)).status).toBe(200);
    expect(await stop(server)).toBe(0);
    expectSoundDatabase(place);
    await withServices(place, async (services) => {
      expect(await cleanUpOrphans(services, { graceMs: 0 })).toEqual({
        quarantined: 0,
        erased: 0,
        missing: 0,
      });
    });
    await place.clean();
  });

  // Needs no rights: the shell lets the process write no file beyond 2 MB.
  test('a file that the system does not let grow is answered the same way', async () => {
    const place = await newPlace();
    const server = await start(place, {}, [
      'bash',
      '-c',
      `trap '' XFSZ; ulimit -f 2048; exec "${process.execPath}" ${builtServer()}`,
    ]);
    const token = await signIn(server);
    const send = (bytes: Buffer) =>
      ask(server, 'POST /actualites', {
        token,
        body: form({ titre: 'a', description: 'b', image: jpeg(bytes) }),
      });
    const small = await corners(1);
    expect((await send(small)).status).toBe(201);
    const answer = await send(Buffer.concat([small, randomBytes(4 * MB)]));
    expect([answer.status, answer.json]).toEqual([507, { message: FULL }]);
    await expect.poll(() => filesUnder(join(place.directory, 'staging'))).toEqual([]);
    expect((await ask(server, 'GET /actualites')).json).toHaveLength(1);
    expect((await send(small)).status).toBe(201);
    expect(await stop(server)).toBe(0);
    await place.clean();
  });
});

/** An upload in chunks, without a Content-Length. */
async function sendUnannounced(
  server: Server,
  token: string,
  files: Buffer[],
): Promise<{ status: number; json: Json }> {
  const data = form({
    title: 'a',
    date: '2027-01-01T10:00',
    location: 'b',
    summary: 'c',
    article: 'd',
    images: files.map((bytes): FormValue => jpeg(bytes)),
  });
  const packed = new Response(data);
  const response = await fetch(`${server.url}/api/api/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': packed.headers.get('content-type') ?? '' },
    body: packed.body,
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, json: await response.json() };
}

// PostgreSQL has no lock that another program could take on the whole.
if (isSqlite) {
  describe('while another program holds the database', () => {
    const HELD_MS = 6_000;
    test('reads wait for nothing, writes are told to come back, and nothing is left of them', async () => {
      const place = await newPlace();
      const server = await start(place);
      const token = await signIn(server);
      const photo = jpeg(await corners(1));
      const send = () =>
        ask(server, 'POST /actualites', {
          token,
          body: form({ titre: 'a', description: 'b', image: photo }),
        });
      const { json: item } = await send();
      await expect.poll(() => keptFiles(place).length).toBe(2);
      const held = keptFiles(place);

      const other = new SQLite(join(place.directory, 'passerelle.db'));
      other.exec('begin exclusive');
      const until = performance.now() + HELD_MS;
      const reads: number[] = [];
      const writes: number[] = [];
      const reader = async (read: () => Promise<{ status: number }>) => {
        while (performance.now() < until) {
          const started = performance.now();
          expect((await read()).status).toBe(200);
          reads.push(performance.now() - started);
          await pause(5);
        }
      };
      const writer = async () => {
        while (performance.now() < until) {
          for (const what of [`DELETE /actualites/${item.id}`, 'POST /actualites']) {
            const started = performance.now();
            const answer = what.startsWith('POST') ? await send() : await ask(server, what, { token });
            writes.push(performance.now() - started);
            expect(answer.status).toBe(503);
            expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
            expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(2);
            expect(answer.json.message).toMatch(/réessayez/);
            await pause(20);
          }
        }
      };
      await Promise.all([
        writer(),
        reader(() => ask(server, 'GET /actualites')),
        reader(() => ask(server, `GET /actualites/${item.id}`)),
        reader(() => ask(server, 'GET /corbeille', { token })),
        reader(() => picture(server, item.image_url)),
      ]);
      other.exec('rollback');
      other.close();
      expect(reads.length).toBeGreaterThan(50);
      expect(writes.length).toBeGreaterThan(5);
      // What waited for the other program would have waited for all that time.
      expect(Math.max(...reads, ...writes)).toBeLessThan(HELD_MS / 2);

      expect(keptFiles(place)).toEqual(held);
      expect(filesUnder(join(place.directory, 'staging'))).toEqual([]);
      expect((await ask(server, 'GET /actualites')).json).toHaveLength(1);
      expect((await send()).status).toBe(201);
      expect(await stop(server)).toBe(0);
      expectSoundDatabase(place);
      await place.clean();
    });
  });
}
