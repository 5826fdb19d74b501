import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, expect, inject, test } from 'vitest';
import { openServices, startServer } from '#app/server/start.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { readConfig } from '#platform/server/config.ts';
import { cleanUpOrphans } from '#platform/server/files/orphans.ts';
import { RECEIVED_FOLDER } from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';
import { openSession } from '#platform/server/sessionsStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { corners, xiaomi } from '#tests/support/photos.ts';
import { kill, killAll, newPlace, type Place, start } from '#tests/support/process.ts';
import { arrived, create, fingerprint, patch, type Sender } from '#tests/support/sending.ts';
import { SOAK_MS, shareOf, soaking } from '#tests/support/soak.ts';

/* A gallery whose site is killed while it comes and while it is prepared, as a power cut would. */

const isSqlite = inject('database') === 'sqlite';
const PHOTOS = 24;
const KILLS = shareOf(3);

afterEach(killAll);

/** The services of a stopped site. */
async function withServices<T>(place: Place, work: (services: Services) => Promise<T>): Promise<T> {
  const services = await openServices(readConfig(place.env), { log: pino({ enabled: false }) });
  try {
    return await work(services);
  } finally {
    await Promise.all([services.images.close(), services.pdfs.close(), services.database.close()]);
  }
}

/** A stay of these days, and a sign-in of its director. */
function openStay({ database, secrets, clock }: Services): Promise<Omit<Sender, 'origin'>> {
  const [now, day] = [clock(), clock().toISOString().slice(0, 10)];
  return database.write(async (transaction) => {
    const stay = { nom_stage: 'Lac', date_debut: day, date_fin: day };
    const stageId = await insertStay(transaction, secrets, stay, now);
    const expires = new Date(now.getTime() + 3_600_000);
    return { stageId, token: await openSession(transaction, { role: 'director', stageId }, now, expires) };
  });
}

interface Phone {
  sender: Sender;
  /** What the site has said that it has. */
  acknowledged: Set<string>;
}

/** Sends both versions of a photo as a phone does: asks what is there, goes on from it, and begins again when cut. */
async function sendBoth(phone: Phone, photo: Buffer, light: Buffer): Promise<void> {
  const empreinte = fingerprint(photo);
  for (const [version, bytes] of [
    ['legere', light],
    ['complete', photo],
  ] as const) {
    let path: string | undefined;
    while (!phone.acknowledged.has(`${version} ${empreinte}`)) {
      try {
        let offset = path && (await arrived(phone.sender, path));
        if (path === undefined || offset === undefined) {
          const created = await create(phone.sender, bytes, { version, empreinte });
          expect(created.status, JSON.stringify(created.json)).toBe(201);
          path = created.headers.get('location') ?? '';
          offset = 0;
        }
        for (let at = Number(offset); at < bytes.length; at += CHUNK) {
          const { status, json } = await patch(phone.sender, path, bytes, at, at + CHUNK);
          expect(status, JSON.stringify(json)).toBe(204);
        }
        phone.acknowledged.add(`${version} ${empreinte}`);
      } catch (error) {
        // A connection that the kill cut; an answer that is not the expected one is a failure whenever it comes.
        if (!(error instanceof TypeError)) throw error;
        await pause(50);
      }
    }
  }
}

const CHUNK = 150_000;

function filesUnder(place: Place, folder: string): string[] {
  const path = join(place.directory, folder);
  const entries = existsSync(path) ? readdirSync(path, { recursive: true, withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** No photo that was said to be there is missing, and none is there twice. */
async function expectKept(place: Place, { acknowledged, sender }: Phone): Promise<void> {
  await withServices(place, async ({ database: { db } }) => {
    const rows = await db.selectFrom('photos').selectAll().where('stage_id', '=', sender.stageId).execute();
    for (const said of acknowledged) {
      const [version, empreinte] = said.split(' ');
      const row = rows.find((one) => one.empreinte === empreinte);
      expect(version === 'complete' ? ['complete'] : ['legere', 'complete'], said).toContain(row?.version);
    }
  });
}

test(
  'killed several times, the site has every photo once and whole, and nothing that is half there',
  {
    timeout: 600_000 + 2 * SOAK_MS,
  },
  () => soaking(keepThroughKills),
);

async function keepThroughKills(): Promise<void> {
  const place = await newPlace();
  const phone: Phone = {
    sender: { origin: '', ...(await withServices(place, openStay)) },
    acknowledged: new Set(),
  };
  const [large, small] = [await xiaomi(), await corners(6)];
  const photos = Array.from({ length: PHOTOS }, (_, index) =>
    Buffer.concat([index % 3 === 0 ? large : small, randomBytes(16)]),
  );
  let server = await start(place);
  phone.sender.origin = server.url;
  const line = async (own: Buffer[]) => {
    for (const photo of own) await sendBoth(phone, photo, small);
  };
  const sending = Promise.all([0, 1, 2].map((rest) => line(photos.filter((_, index) => index % 3 === rest))));
  for (let turn = 1; turn <= KILLS; turn++) {
    const enough = (turn * 2 * PHOTOS) / (KILLS + 1);
    await expect.poll(() => phone.acknowledged.size, { interval: 5 }).toBeGreaterThan(enough);
    await pause(randomInt(100));
    await kill(server);
    await expectKept(place, phone);
    server = await start(place);
    phone.sender.origin = server.url;
  }
  await sending;
  expect(phone.acknowledged.size).toBe(2 * PHOTOS);
  // In the middle of its preparation as well.
  await kill(server);
  await expectKept(place, phone);

  // On PostgreSQL other processes might be at work: what died with one counts as under way for a while.
  const clock = () => new Date(Date.now() + (isSqlite ? 0 : 6 * 60_000));
  const site = await startServer(readConfig({ ...place.env, PORT: '0' }), {
    clock,
    log: pino({ enabled: false }),
  });
  await site.jobs.idle();
  await site.stop();

  await withServices(place, async (services) => {
    const { db } = services.database;
    const rows = await db.selectFrom('photos').selectAll().execute();
    expect(rows.map(({ empreinte }) => empreinte).sort()).toEqual(photos.map(fingerprint).sort());
    const whole = { statut: 'a_verifier', version: 'complete', a_jpeg: 1, refus: '' };
    for (const row of rows) expect(row).toMatchObject(whole);
    expect(await db.selectFrom('jobs').selectAll().execute()).toEqual([]);
    // What a preparation had kept before it died is put aside, then erased.
    expect((await cleanUpOrphans(services, { graceMs: 0 })).missing).toBe(0);
    await cleanUpOrphans(services, { graceMs: 0, quarantineMs: 0 });
    const registered = await db.selectFrom('fichiers').select(['nom', 'dossier']).execute();
    expect(registered).toHaveLength(5 * PHOTOS);
    expect(filesUnder(place, 'files').sort()).toEqual(registered.map(({ nom }) => nom).sort());
    for (const { nom, dossier } of registered)
      expect(await services.storage.has(keyOf(dossier, nom))).toBe(true);
  });
  await place.clean();
}

test('what a killed server had received and not written down is erased as the site starts again', async () => {
  const place = await newPlace();
  await withServices(place, async ({ staging, storage }) => {
    const received = staging.newPath();
    await writeFile(received, await xiaomi());
    await storage.keep(received, keyOf(RECEIVED_FOLDER, `${'a'.repeat(32)}.bin`));
  });
  const server = await start(place);
  // On PostgreSQL another process may be about to write it down: the sweep erases it a day later.
  expect(filesUnder(place, 'files')).toHaveLength(isSqlite ? 0 : 1);
  await kill(server);
  await place.clean();
});
