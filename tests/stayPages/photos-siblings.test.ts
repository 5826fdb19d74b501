import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PHOTO_FOLDER, photoFiles } from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { COOKIES, cookieOf, endSessions } from '#platform/server/sessionsStore.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* One device that is signed in to several stays, as for siblings: whose photos its cookies open. */

interface Opened {
  id: number;
  token: string;
  /** The cookie of its family's sign-in, as a browser sends it. */
  cookie: string;
  file: string;
}

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

async function addStay(nom_stage: string): Promise<number> {
  const { database, secrets } = site.services;
  const dates = { date_debut: '2026-06-10', date_fin: '2026-06-20' };
  return database.write((transaction) =>
    insertStay(transaction, secrets, { nom_stage, ...dates }, site.now(), {
      stagiaire: 'K7QF-2MXA-9TRD',
      formateur: 'PHJ3-VV8N-4WCE',
    }),
  );
}

/** A stay with a published photo, and a sign-in of its family or its director. */
async function openStay(nom_stage: string, password = 'K7QF-2MXA-9TRD'): Promise<Opened> {
  const id = await addStay(nom_stage);
  const [photo = 0] = await addPhotos(site.services, id, 1);
  const { nom } = await site.services.database.db
    .selectFrom('photos')
    .select('nom')
    .where('id', '=', photo)
    .executeTakeFirstOrThrow();
  const answer = await site.call('POST /auth/login', { body: { stageId: id, password } });
  const [line = ''] = answer.headers.getSetCookie();
  const [cookie = ''] = line.split(';');
  return {
    id,
    token: answer.json.token,
    cookie,
    file: `${PHOTO_FOLDER}${photoFiles(nom ?? '', false).w320}`,
  };
}

const statusesOf = async (cookie: string, ...stays: Opened[]) => {
  const statuses = [];
  for (const { file } of stays) statuses.push((await site.ask(`GET ${file}`, { cookie })).status);
  return statuses;
};
const jar = (...stays: Pick<Opened, 'cookie'>[]) => stays.map(({ cookie }) => cookie).join('; ');

describe('A device signed in to two stays', () => {
  test('opens the photos of both, whichever came first, and of no third', async () => {
    const [lake, sea, snow] = [await openStay('Lac'), await openStay('Mer'), await openStay('Neige')];
    expect(lake.cookie).toBe(`${COOKIES.family}_${lake.id}=${lake.token}`);
    expect(await statusesOf(jar(lake, sea), lake, sea, snow)).toEqual([200, 200, 404]);
    expect(await statusesOf(jar(sea, lake), lake, sea, snow)).toEqual([200, 200, 404]);
    for (const { id } of [lake, sea]) {
      const path = `GET /stages/${id}/photos.zip`;
      expect((await site.call(path, { cookie: jar(sea, lake) })).status).toBe(200);
    }
    const other = await site.call(`GET /stages/${snow.id}/photos.zip`, { cookie: jar(sea, lake) });
    expect(other.status).toBe(404);
  });

  test('keeps the one when the other is signed out of, taken back, or over', async () => {
    const [lake, sea, snow] = [await openStay('Lac 2'), await openStay('Mer 2'), await openStay('Neige 2')];
    const all = jar(lake, sea, snow);
    const left = await site.call('POST /auth/logout', { token: lake.token });
    expect(left.headers.getSetCookie()).toEqual([
      `${COOKIES.family}_${lake.id}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    ]);
    expect(await statusesOf(all, lake, sea, snow)).toEqual([404, 200, 200]);
    const { database } = site.services;
    await database.write((transaction) => endSessions(transaction, { stageId: sea.id }));
    expect(await statusesOf(all, lake, sea, snow)).toEqual([404, 404, 200]);
    await database.write((transaction) =>
      transaction
        .updateTable('sessions')
        .set({ expire_le: site.now().toISOString() })
        .where('stage_id', '=', snow.id)
        .execute(),
    );
    expect(await statusesOf(all, lake, sea, snow)).toEqual([401, 401, 401]);
  });

  test('opens nothing with a token under the name of another stay or role, or with one that was made up', async () => {
    const [lake, sea] = [await openStay('Lac 3'), await openStay('Mer 3')];
    const wrong = [
      `${COOKIES.family}_${sea.id}=${lake.token}`,
      `${cookieOf({ role: 'director', stageId: lake.id })}=${lake.token}`,
      `${COOKIES.family}_=${lake.token}`,
      `${COOKIES.family}_${lake.id} =${lake.token}`,
      `${COOKIES.family}_${lake.id}=${'x'.repeat(43)}`,
      `${COOKIES.family}_${lake.id}=${lake.token}x`,
      `__Host-${COOKIES.family}_${lake.id}=${lake.token}`,
    ];
    for (const cookie of wrong) expect(await statusesOf(cookie, lake), cookie).toEqual([401]);
    expect(await statusesOf([...wrong, lake.cookie].join('; '), lake, sea)).toEqual([200, 404]);
    expect(await statusesOf(`${lake.cookie}; ${wrong.join('; ')}`, lake, sea)).toEqual([200, 404]);
  });

  test('goes on with a cookie from before each stay had its own', async () => {
    const [lake, sea] = [await openStay('Lac 4'), await openStay('Mer 4')];
    const former = `${COOKIES.family}=${lake.token}`;
    expect(await statusesOf(former, lake, sea)).toEqual([200, 404]);
    expect(await statusesOf(`${former}; ${sea.cookie}`, lake, sea)).toEqual([200, 200]);
  });

  test('has each opening noted for the sign-in to the stay of the photo', async () => {
    const [lake, sea] = [await openStay('Lac 5'), await openStay('Mer 5')];
    await statusesOf(jar(lake, sea), sea, lake);
    const { db } = site.services.database;
    const noted = () =>
      db
        .selectFrom('photos_ouvertures')
        .innerJoin('photos', 'photos.id', 'photos_ouvertures.photo_id')
        .innerJoin('sessions', 'sessions.id', 'photos_ouvertures.session_id')
        .select(['photos.stage_id as photo', 'sessions.stage_id as session'])
        .where('photos.stage_id', 'in', [lake.id, sea.id])
        .orderBy('photos.stage_id')
        .execute();
    await expect.poll(noted, { timeout: 20_000 }).toEqual([
      { photo: lake.id, session: lake.id },
      { photo: sea.id, session: sea.id },
    ]);
  });

  test('keeps its director’s sign-in to one beside its family’s to the other', async () => {
    const [lake, sea] = [await openStay('Lac 6', 'PHJ3-VV8N-4WCE'), await openStay('Mer 6')];
    expect(lake.cookie).toBe(`${COOKIES.director}_${lake.id}_direction=${lake.token}`);
    expect(await statusesOf(jar(sea, lake), lake, sea)).toEqual([200, 200]);
  });

  test('presents more cookies than are read: the latest ones count', async () => {
    const [lake, sea] = [await openStay('Lac 7'), await openStay('Mer 7')];
    const many = Array.from({ length: 60 }, (_, index) => `passerelle_sejour_${1_000 + index}=x`).join('; ');
    expect(await statusesOf(`${lake.cookie}; ${many}; ${sea.cookie}`, lake, sea)).toEqual([404, 200]);
  });
});

test('going back to a stay sets its own cookie, and touches no other', async () => {
  const [lake, sea] = [await openStay('Lac 8'), await openStay('Mer 8')];
  const answer = await site.call('POST /session/reprise', { token: lake.token, cookie: jar(sea) });
  expect(answer.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual([lake.cookie]);
});
