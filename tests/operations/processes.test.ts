import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { product } from '#app/server/features.ts';
import { startServer } from '#app/server/start.ts';
import { PHOTO_FOLDER, photoFiles } from '#features/photos/shared/terms.ts';
import { openPersonalData } from '#features/privacy/server/feature.ts';
import { readConfig } from '#platform/server/config.ts';
import { listenTo } from '#tests/support/events.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { startNginx } from '#tests/support/nginx.ts';
import type { TestSite } from '#tests/support/people.ts';
import { corners, xiaomi } from '#tests/support/photos.ts';
import { kill, killAll, newPlace, type Server, start, stop } from '#tests/support/process.ts';
import { type BucketServer, startBuckets } from '#tests/support/s3.ts';
import { arrived, begin, create, fingerprint, patch, type Sender, send } from '#tests/support/sending.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';

/* Several processes, on machines of their own, that are one site: one PostgreSQL, one bucket. */

const isPostgres = inject('database') === 'postgres';
const PERIOD = { date_debut: '2026-06-15', date_fin: '2026-06-28' };

let buckets: BucketServer;
beforeAll(async () => {
  if (isPostgres) buckets = await startBuckets();
});
afterAll(async () => {
  killAll();
  await buckets?.stop();
});

describe.runIf(isPostgres)('two processes', () => {
  let [first, second]: [TestSite, TestSite] = [] as never;
  let admin: string;
  let bucket: Awaited<ReturnType<typeof buckets.newBucket>>;
  beforeAll(async () => {
    bucket = await buckets.newBucket('deux');
    first = await openSite({ env: bucket });
    const { DATABASE_URL = '' } = first.services.config;
    second = await openSite({ env: { ...bucket, DATABASE_URL } });
    admin = await first.tokenOf('admin');
  });
  afterAll(async () => {
    await second?.close();
    await first?.close();
  });

  const both = () => [first, second];
  const news = (titre: string) => ({ titre, description: 'Bonjour à tous', date: '2026-06-20' });
  const form = (fields: Record<string, string>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    return data;
  };
  let count = 0;
  /** A stay of its own, and its director on either process. */
  async function newSender(): Promise<[Sender, Sender]> {
    const body = { ...PERIOD, nom_stage: `Séjour ${++count}` };
    const { id: stageId } = (await first.call('POST /stages', { token: admin, body })).json;
    const token = await first.tokenOf('director', stageId);
    return [
      { origin: first.origin, token, stageId },
      { origin: second.origin, token, stageId },
    ];
  }
  const photosOf = ({ stageId }: Sender) =>
    first.services.database.db.selectFrom('photos').selectAll().where('stage_id', '=', stageId).execute();
  const another = async () => Buffer.concat([await corners(1), randomBytes(16)]);

  test('are joined by none that has other files', async () => {
    const body = form(news('En image'));
    body.append(
      'image_url',
      new Blob([Uint8Array.from(await corners(1))], { type: 'image/jpeg' }),
      'une.jpg',
    );
    expect((await first.call('POST /actualites', { token: admin, body })).status).toBe(201);
    const { DATABASE_URL, DATA_DIR, SECRET_KEY } = first.services.config;
    const own = { DATABASE_URL, SECRET_KEY, DATA_DIR: join(DATA_DIR, 'ailleurs'), LOG_LEVEL: 'silent' };
    for (const files of [{}, await buckets.newBucket('ailleurs')])
      await expect(startServer(readConfig({ ...files, ...own }))).rejects.toThrow(
        'ses fichiers sont ailleurs',
      );
    // Those that were there go on, and start again.
    await second.close();
    second = await openSite({ env: { ...bucket, DATABASE_URL: DATABASE_URL ?? '' } });
    expect((await second.call('GET /actualites')).status).toBe(200);
  });

  test('show what either has published, cached answers or not', async () => {
    for (const [index, at] of both().entries()) {
      for (const site of both()) await site.call('GET /actualites');
      const titre = `Titre ${index}`;
      const saved = await at.call('POST /actualites', { token: admin, body: form(news(titre)) });
      expect(saved.status, saved.text).toBe(201);
      for (const site of both())
        await expect
          .poll(async () => (await site.call('GET /actualites')).text, { interval: 5 })
          .toContain(titre);
    }
  });

  test('go on with one another’s uploads, also when both are asked at once', async () => {
    const [here, there] = await newSender();
    const bytes = await xiaomi();
    const path = await begin(here, bytes);
    expect(await arrived(there, path)).toBe(10);
    const half = Math.floor(bytes.length / 2);
    const statuses = await Promise.all(
      [here, there].map(async (sender) => (await patch(sender, path, bytes, 10, half)).status),
    );
    expect(statuses.sort()).toEqual([204, 409]);
    expect(await arrived(here, path)).toBe(half);
    expect((await patch(there, path, bytes, half)).status).toBe(204);
    expect(await photosOf(here)).toMatchObject([{ empreinte: fingerprint(bytes), statut: 'recue' }]);
    // Of nothing that came is anything left over but the pieces of the photo.
    await Promise.all(both().map((site) => site.jobs.idle()));
    await expect.poll(async () => (await photosOf(here))[0]?.statut).toBe('a_verifier');
    const keys: string[] = [];
    for await (const { key } of first.services.storage.list('recues')) keys.push(key);
    expect(keys).toEqual([]);
  });

  test('take a photo that comes by both once, and prepare each once', async () => {
    const senders = await newSender();
    const photos = await Promise.all(Array.from({ length: 12 }, another));
    const answers = await Promise.all(
      photos.flatMap((bytes) => senders.map(async (sender) => (await send(sender, bytes)).status)),
    );
    expect(new Set(answers)).toEqual(new Set([204]));
    await expect
      .poll(async () => (await photosOf(senders[0])).map(({ statut }) => statut))
      .toEqual(photos.map(() => 'a_verifier'));
    await Promise.all(both().map((site) => site.jobs.idle()));
    // Four files each, and none that a second preparation left.
    const keys: string[] = [];
    for await (const { key } of first.services.storage.list('photos')) keys.push(key);
    const registered = await first.services.database.db
      .selectFrom('fichiers')
      .select('nom')
      .where('dossier', '=', 'photos')
      .execute();
    expect(keys.map((key) => key.split('/').at(-1)).sort()).toEqual(registered.map(({ nom }) => nom).sort());
  });

  test('tell every browser of a change, and let it open the photo, on whichever it is', async () => {
    const [here, there] = await newSender();
    await first.call(`POST /stages/${here.stageId}/attestation`, { token: admin });
    expect((await send(here, await another())).status).toBe(204);
    await expect.poll(async () => (await photosOf(here))[0]?.statut).toBe('a_verifier');
    const family = await first.tokenOf('family', here.stageId);
    const line = await listenTo(there.origin, family, here.stageId);
    const [{ id = 0 } = {}] = await photosOf(here);
    const told = line.next();
    const published = await first.call('PATCH /photos', {
      token: here.token,
      body: { ids: [id], statut: 'publiee' },
    });
    expect(published.status, published.text).toBe(200);
    expect(await told).toContain('photos');
    const [{ nom } = {}] = await photosOf(here);
    for (const site of both()) {
      const seen = await site.ask(`GET ${PHOTO_FOLDER}${photoFiles(nom ?? '', false).w320}`, {
        token: family,
      });
      expect(seen.status).toBe(200);
    }
  });

  test('send what a page shows from the bucket where they may, after the same check, and the rest by themselves', async () => {
    const [here] = await newSender();
    const [id = 0] = await addPhotos(first.services, here.stageId, 1);
    const row = (await photosOf(here)).find((photo) => photo.id === id);
    const asked = `GET ${PHOTO_FOLDER}${photoFiles(row?.nom ?? '', false).w320}`;
    const { DATABASE_URL = '', S3_BUCKET = '' } = first.services.config;
    const direct = await openSite({
      env: { ...buckets.environment(S3_BUCKET), DATABASE_URL, S3_DIRECT: '1' },
    });
    try {
      const token = await direct.tokenOf('family', here.stageId);
      const sent = await direct.ask(asked, { token });
      expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'image/webp']);
      const headers = { 'sec-fetch-dest': 'image' };
      const shown = await direct.ask(asked, { token, headers });
      expect([shown.status, shown.headers.get('cache-control')]).toEqual([302, 'private, no-cache']);
      const address = shown.headers.get('location') ?? '';
      // The policy of documents lets their pictures come from there.
      const policy = (await direct.call('GET /session', { token })).headers.get('content-security-policy');
      expect(policy).toContain(` ${new URL(address).origin};`);
      expect(await (await fetch(address)).text()).toBe(sent.text);
      const [elsewhere] = await newSender();
      const stranger = await direct.tokenOf('family', elsewhere.stageId);
      expect((await direct.ask(asked, { token: stranger, headers })).status).toBe(404);
      expect((await direct.ask(asked, { headers })).status).toBe(401);
    } finally {
      await direct.close();
    }
  });

  test('count wrong passwords together, and end a sign-in together', async () => {
    const body = { username: ADMIN.username, password: 'faux' };
    const statuses: number[] = [];
    for (let turn = 0; turn < 8; turn++)
      statuses.push((await both()[turn % 2]?.call('POST /loginAdmin', { body }))?.status ?? 0);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(6);
    expect(statuses.at(-1)).toBe(429);
    const token = await first.tokenOf('admin');
    expect((await second.call('GET /verifyToken', { token })).status).toBe(200);
    expect((await second.call('POST /auth/logout', { token })).status).toBeLessThan(300);
    expect((await first.call('GET /verifyToken', { token })).status).toBe(401);
  });

  test('know of one another’s erasures, also when an older database is put back', async () => {
    const { database } = first.services;
    const erase = async (site: TestSite, email: string) => {
      const { status } = await site.call('POST /rgpd/effacer', {
        token: admin,
        body: { email, confirmation: email },
      });
      expect(status).toBe(200);
    };
    await erase(first, 'lea@exemple.fr');
    await erase(second, 'tom@exemple.fr');
    const seen = async () =>
      (await database.db.selectFrom('effacements').select('cle').orderBy('cle').execute()).map(
        ({ cle }) => cle,
      );
    const before = await seen();
    expect(before).toHaveLength(2);
    for (const site of both()) {
      await openPersonalData(site.services, product).redo();
      expect(site.services.erasures.isWhole).toBe(true);
    }
    // As of a database that was saved before.
    await database.write((transaction) => transaction.deleteFrom('effacements').execute());
    await openPersonalData(second.services, product).redo();
    expect(second.services.erasures.isWhole).toBe(true);
    expect(await seen()).toEqual(before);
  });

  test('run a work that comes back once', async () => {
    const runs = () => first.services.database.db.selectFrom('planifications').selectAll().execute();
    for (const site of both()) site.advance(25 * 3_600_000);
    const before = both().map(({ logLines }) => logLines.length);
    await Promise.all(both().map((site) => site.schedule.tick()));
    const after = await runs();
    await Promise.all(both().map((site) => site.schedule.tick()));
    expect(await runs()).toEqual(after);
    const failed = both().flatMap(({ logLines }, index) =>
      logLines.slice(before[index]).filter((line) => line.includes('scheduled work failed')),
    );
    expect(failed).toEqual([]);
  });

  test('hear one another again after the line between them was cut', async () => {
    for (const site of both()) await site.call('GET /actualites');
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'`.execute(first.services.database.db);
    const token = await first.tokenOf('admin');
    const saved = await first.call('POST /actualites', { token, body: form(news('Après la coupure')) });
    expect(saved.status, saved.text).toBe(201);
    await expect.poll(async () => (await second.call('GET /actualites')).text).toContain('Après la coupure');
  });
});

test.runIf(isPostgres)(
  'one of two processes behind nginx is killed while photos come: nobody notices but for a retry',

  async () => {
    const bucket = await buckets.newBucket('panne');
    const place = await newPlace();
    const env = { ...place.env, ...bucket, TRUST_PROXY: '1' };
    const machines = [await newPlace(), await newPlace()];
    const servers: Server[] = [];
    for (const { directory } of machines)
      servers.push(await start({ ...place, env }, { DATA_DIR: directory }));
    const nginx = await startNginx(servers.map(({ url }) => url));
    // biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
    const ask = async (what: string, token: string | undefined, body?: unknown): Promise<any> => {
      const [method = '', path = ''] = what.split(' ');
      const answer = await nginx.fetch(`${nginx.origin}/api/api${path}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect(answer.status, what).toBeLessThan(300);
      return answer.json();
    };
    try {
      const today = new Date().toISOString().slice(0, 10);
      const { tokenAdmin: admin } = await ask('POST /loginAdmin', undefined, ADMIN);
      const stay = { nom_stage: 'Lac', date_debut: today, date_fin: today };
      const { id: stageId } = await ask('POST /stages', admin, stay);
      await ask(`POST /stages/${stageId}/attestation`, admin);
      const [codes] = await ask(`GET /stage-passwords/${stageId}`, admin);
      const login = (password: string) => ask('POST /auth/login', undefined, { stageId, password });
      const { token: director } = await login(codes.mdp_formateur);
      const { token: family } = await login(codes.mdp_stagiaire);
      const sender = { origin: nginx.origin, token: director, stageId, fetch: nginx.fetch };

      const base = await xiaomi();
      const photos = Array.from({ length: 16 }, () => Buffer.concat([base, randomBytes(16)]));
      let done = 0;
      const sending = Promise.all(
        [0, 1, 2, 3].map(async (rest) => {
          for (const bytes of photos.filter((_, index) => index % 4 === rest)) {
            await sendThrough(sender, bytes);
            done++;
          }
        }),
      );
      await expect.poll(() => done, { interval: 5 }).toBeGreaterThan(4);
      await kill(servers[1] as Server);
      await sending;

      const listed = async () =>
        (await ask(`GET /stages/${stageId}/photos`, director)) as {
          photos: { id: number; statut: string }[];
        };
      // What died with a process counts as under way for five minutes; the rest is prepared by the other one.
      await expect
        .poll(async () => (await listed()).photos.filter(({ statut }) => statut === 'a_verifier').length, {
          timeout: 60_000,
          interval: 250,
        })
        .toBeGreaterThanOrEqual(photos.length - 4);
      const { photos: all } = await listed();
      expect(all).toHaveLength(photos.length);
      const ids = all.filter(({ statut }) => statut === 'a_verifier').map(({ id }) => id);
      await ask('PATCH /photos', director, { ids, statut: 'publiee' });
      const seen = await ask(`GET /stages/${stageId}/photos`, family);
      expect(seen.photos).toHaveLength(ids.length);
      expect(await stop(servers[0] as Server)).toBe(0);
    } finally {
      killAll();
      await nginx.stop();
      for (const machine of machines) await machine.clean();
      await place.clean();
    }
  },
);

/** Sends a photo as a phone does, through whatever becomes of the site meanwhile. */
async function sendThrough(sender: Sender, bytes: Buffer): Promise<void> {
  for (let path: string | undefined; ; await pause(100)) {
    try {
      const offset: number | undefined = path === undefined ? undefined : await arrived(sender, path);
      if (path === undefined || offset === undefined) {
        const created = await create(sender, bytes);
        if (created.status !== 201) continue;
        path = created.headers.get('location') ?? '';
      }
      const { status } = await patch(sender, path, bytes, offset ?? 0);
      if (status === 204) return;
    } catch (error) {
      // A connection that was cut; or nginx, which says so in HTML.
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    }
  }
}
