import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Photo } from '#features/photos/calls.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { TestSite } from '#tests/support/people.ts';
import { heic, takenBy } from '#tests/support/photos.ts';
import { fingerprint, type Said, send } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/* Cameras whose clocks are off: noticed, and their photos moved together by one answer. It is 11 h on 20 June. */

const HOUR = 3_600;
const DAY = 24 * HOUR;
const CANON = { make: 'Canon', model: 'Canon EOS 90D' };
const IPHONE = { make: 'Apple', model: 'iPhone 13' };

let site: TestSite;
let stage: number;
let director: string;
let family: string;
let stays = 0;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

beforeEach(async () => {
  stage = await newStay('2026-06-15', '2026-06-24');
  director = await site.tokenOf('director', stage);
  family = await site.tokenOf('family', stage);
});

async function newStay(date_debut: string, date_fin: string): Promise<number> {
  const { database, secrets } = site.services;
  const stay = { nom_stage: `Dune ${++stays}`, date_debut, date_fin };
  return database.write((transaction) => insertStay(transaction, secrets, stay, site.now()));
}

type Exif = Parameters<typeof takenBy>[0];

/** Sends photos, `said` of each, and waits for what becomes of them; returns their ids. */
async function sent(photos: readonly (Exif | Buffer)[], said: Said = {}): Promise<number[]> {
  const sender = { origin: site.origin, token: director, stageId: stage };
  const found: number[] = [];
  for (const photo of photos) {
    const bytes = Buffer.isBuffer(photo) ? photo : await takenBy(photo);
    expect((await send(sender, bytes, said)).status).toBe(204);
    await site.jobs.idle();
    found.push((await rowOf({ empreinte: said.empreinte ?? fingerprint(bytes) })).id);
  }
  return found;
}

const rowOf = (which: { id: number } | { empreinte: string }) =>
  site.services.database.db
    .selectFrom('photos')
    .selectAll()
    .where('stage_id', '=', stage)
    .where('id' in which ? 'id' : 'empreinte', '=', 'id' in which ? which.id : which.empreinte)
    .executeTakeFirstOrThrow();

/** Day and capture time of photos, to the minute. */
const datesOf = (ids: readonly number[]) =>
  Promise.all(
    ids.map(async (id) => {
      const { jour, prise_le } = await rowOf({ id });
      return `${jour} ${prise_le.slice(0, 16)}`;
    }),
  );

async function clocks(): Promise<ReplyOf<'GET /stages/:id/photos/suivi'>['horloges']> {
  return (await site.call(`GET /stages/${stage}/photos/suivi`, { token: director })).json.horloges;
}

const answer = (body: unknown, token = director) =>
  site.call(`POST /stages/${stage}/horloges`, { token, body });
const undo = (id: number | undefined) =>
  site.call(`DELETE /stages/${stage}/horloges/${id}`, { token: director });

describe('A camera whose clock is off is noticed', () => {
  test('when it dates its photos before the stay: another year, its other photos left out', async () => {
    const [first] = await sent([
      { ...CANON, taken: '2020-01-01T00:12:00Z' },
      { ...CANON, taken: '2020-01-02T03:00:00Z' },
      { ...CANON, taken: '2026-06-19T15:00:00Z' },
      { ...IPHONE, taken: '2026-06-19T15:00:00Z' },
    ]);
    expect((await clocks()).a_regler).toEqual([
      {
        appareil: 'Canon EOS 90D',
        ...{ nombre: 2, du: '2020-01-01T00:12:00.000Z', au: '2020-01-02T03:00:00.000Z' },
        ...{ photo: first, prise_le: '2020-01-01T00:12:00.000Z', raison: 'hors_sejour' },
        // Set back to its first day: the last one was taken when it was sent, as far as anybody knows.
        decalage: (Date.parse('2026-06-20T11:00:00Z') - Date.parse('2020-01-02T03:00:00Z')) / 1_000,
        autres: {
          ...{ nombre: 1, du: '2026-06-19T15:00:00.000Z', au: '2026-06-19T15:00:00.000Z' },
          aussi: false,
        },
      },
    ]);
  });

  test('when only its date is wrong: by whole days, the hour being right', async () => {
    await sent([{ ...CANON, taken: '2026-05-19T15:30:00Z' }]);
    const [clock] = (await clocks()).a_regler;
    expect(clock).toMatchObject({ raison: 'hors_sejour', decalage: 31 * DAY, autres: null });
  });

  test('when it is hours ahead of the moment of receipt: by whole hours, with all of its photos', async () => {
    await sent([
      { ...CANON, taken: '2026-06-20T13:50:00Z' },
      { ...CANON, taken: '2026-06-20T08:00:00Z' },
    ]);
    const [clock] = (await clocks()).a_regler;
    expect(clock).toMatchObject({ nombre: 1, raison: 'apres', decalage: -3 * HOUR });
    expect(clock?.autres).toMatchObject({ nombre: 1, aussi: true });
  });

  test('when it is ahead of the moment at which its photos were chosen, however late they arrive', async () => {
    const evening = { ...CANON, taken: '2026-06-20T09:00:00Z' };
    await sent([evening], { choisie_depuis: String(1.5 * HOUR) });
    expect((await clocks()).a_regler).toEqual([]);
    await sent([{ ...IPHONE, taken: '2026-06-20T09:00:00Z' }], { choisie_depuis: String(4 * HOUR) });
    expect((await clocks()).a_regler).toMatchObject([
      { appareil: 'Apple iPhone 13', raison: 'apres', decalage: -2 * HOUR },
    ]);
  });

  test('when its days are the nights of all others: by the hours that bring them to day', async () => {
    const at = (camera: Exif, ...moments: string[]) =>
      moments.map((moment) => ({ ...camera, taken: `2026-06-${moment}:00Z` }));
    // Half a day behind: an afternoon says 2 h, a morning the evening before.
    const ids = await sent(
      at(CANON, '17T21:30', '18T02:10', '18T03:20', '18T04:00', '18T22:30', '19T02:40', '19T04:10'),
    );
    // Alone, it may be that of a night watch.
    expect((await clocks()).a_regler).toEqual([]);
    await sent(at(IPHONE, '17T10:00', '18T16:00', '19T15:00', '19T22:45'));
    const [clock, ...rest] = (await clocks()).a_regler;
    expect(rest).toEqual([]);
    expect(clock).toMatchObject({
      ...{ appareil: 'Canon EOS 90D', raison: 'nuit', nombre: 5, decalage: 10 * HOUR, photo: ids[1] },
      autres: { nombre: 2, aussi: true },
    });
    await answer({ photo: clock?.photo, decalage: 12 * HOUR, toutes: true });
    expect((await datesOf(ids)).slice(0, 2)).toEqual([
      '2026-06-18 2026-06-18T09:30',
      '2026-06-18 2026-06-18T14:10',
    ]);
    expect((await clocks()).a_regler).toEqual([]);
  });

  test('not for one night, nor for those in which others took photos as well', async () => {
    const at = (camera: Exif, ...moments: string[]) =>
      moments.map((moment) => ({ ...camera, taken: `2026-06-${moment}:00Z` }));
    await sent(at(CANON, '18T02:10', '18T02:20', '18T02:30', '18T02:40', '18T02:50'));
    await sent(at(IPHONE, '18T16:00', '19T03:00'));
    await sent(at(CANON, '19T02:10', '19T02:20'));
    expect((await clocks()).a_regler).toEqual([]);
  });

  test('not for a quarter of an hour, nor on the day before and the day after the stay', async () => {
    await sent([
      { ...CANON, taken: '2026-06-20T11:14:00Z' },
      { ...CANON, taken: '2026-06-14T00:00:00Z' },
    ]);
    expect((await clocks()).a_regler).toEqual([]);
    await sent([
      { ...CANON, taken: '2026-06-20T11:16:00Z' },
      { ...IPHONE, taken: '2026-06-13T23:59:59Z' },
    ]);
    expect((await clocks()).a_regler).toHaveLength(2);
  });

  test('by the clocks of the site’s country, in the hour that autumn repeats as well', async () => {
    // Its own site, as its clock does not go back: 2 h 10, for the second time in the night of 25 October.
    const autumn = await openSite();
    autumn.advance(Date.parse('2026-10-25T01:10:00Z') - autumn.now().getTime());
    const [before, stageBefore, directorBefore] = [site, stage, director];
    try {
      site = autumn;
      stage = await newStay('2026-10-20', '2026-10-28');
      director = await site.tokenOf('director', stage);
      // Taken at 2 h 50 of summer, twenty minutes ago.
      await sent([{ ...CANON, taken: '2026-10-25T02:50:00Z' }]);
      expect((await clocks()).a_regler).toEqual([]);
      // A camera left on summer time says 3 h 10.
      await sent([{ ...IPHONE, taken: '2026-10-25T03:10:00Z' }]);
      expect((await clocks()).a_regler).toMatchObject([{ appareil: 'Apple iPhone 13', decalage: -HOUR }]);
    } finally {
      [site, stage, director] = [before, stageBefore, directorBefore];
      await autumn.close();
    }
  });

  test('not without the name of a camera, or the hour of its clock', async () => {
    await sent([{ taken: '2020-01-01T00:00:00Z' }, { serial: '123456', taken: '2020-01-01T00:01:00Z' }]);
    // The hour of a phone, said beside a file that says none.
    await sent([{ ...CANON }], { prise_le: '2020-01-01T00:00:00.000Z' });
    expect((await clocks()).a_regler).toEqual([]);
  });

  test('in HEIC', async () => {
    await sent([await heic(await takenBy({ ...IPHONE, taken: '2020-01-01T00:00:00Z' }))]);
    expect((await clocks()).a_regler).toMatchObject([{ appareil: 'Apple iPhone 13', nombre: 1 }]);
  });

  test('apart from another one of its model, and from its photos of another summer', async () => {
    await sent([
      { ...CANON, serial: '0241', taken: '2020-01-01T00:00:00Z' },
      { ...CANON, serial: '0242', taken: '2020-01-01T00:00:00Z' },
      { ...CANON, serial: '0242', taken: '2024-08-01T00:00:00Z' },
    ]);
    expect((await clocks()).a_regler.map(({ appareil, nombre }) => [appareil, nombre])).toEqual([
      ['Canon EOS 90D', 1],
      ['Canon EOS 90D', 1],
      ['Canon EOS 90D', 1],
    ]);
  });

  test('not by photos that families will never see', async () => {
    const ids = await sent([{ ...CANON, taken: '2020-01-01T00:00:00Z' }]);
    await site.call('PATCH /photos', { token: director, body: { ids, statut: 'refusee' } });
    expect((await clocks()).a_regler).toEqual([]);
  });

  test.each([
    ['bytes that end nothing', { make: 'Ca\u0007no\u001bn', model: '\u202eD09 SOE\u0000 hidden' }],
    ['markup and formulas', { make: '<img src=x onerror=alert(1)>', model: '=cmd|/C calc' }],
    ['pages of text', { make: 'A'.repeat(5_000), model: 'é💥'.repeat(2_000) }],
  ])('by a name that is short and plain, whatever the file says: %s', async (_what, exif) => {
    const [id = 0] = await sent([{ ...exif, taken: '2020-01-01T00:00:00Z' }]);
    const { appareil } = await rowOf({ id });
    expect(appareil).toMatch(/^[\w .,()&/+-]{0,85}$/);
  });

  test('without its serial number, which is nowhere', async () => {
    const serial = '00482913';
    const [id = 0] = await sent([{ ...CANON, serial, taken: '2020-01-01T00:00:00Z' }]);
    expect((await rowOf({ id })).appareil).toMatch(/^Canon EOS 90D #[0-9a-f]{4}$/);
    expect(JSON.stringify(await rowOf({ id }))).not.toContain(serial);
    const seen = await site.call(`GET /stages/${stage}/photos`, { token: director });
    expect((seen.json.photos as Photo[])[0]?.gestion?.appareil).toBe('Canon EOS 90D');
  });

  test('while only a light version of its photos has come, by what the sender read in the files', async () => {
    const said = {
      version: 'legere',
      prise_le: '2020-01-01T10:00:00.000Z',
      appareil: 'Canon EOS 90D',
    } as const;
    const exif = { ...CANON, taken: '2020-01-01T10:00:00Z' };
    const whole = await takenBy(exif);
    const light = await takenBy({});
    const [id = 0] = await sent([light], { ...said, empreinte: fingerprint(whole) });
    expect((await clocks()).a_regler).toMatchObject([{ appareil: 'Canon EOS 90D', photo: id }]);
    await answer({ photo: id, decalage: 2_361 * DAY });
    expect(await datesOf([id])).toEqual(['2026-06-19 2026-06-19T10:00']);
    await sent([whole]);
    expect(await rowOf({ id })).toMatchObject({ version: 'complete', prise_le: '2026-06-19T10:00:00.000Z' });
    // One more of the card.
    const more = await sent([await takenBy({})], { ...said, empreinte: 'f'.repeat(64) });
    expect(await datesOf(more)).toEqual(['2026-06-19 2026-06-19T10:00']);
  });

  test('by a name and a time of choice that no sender makes up', async () => {
    const sender = { origin: site.origin, token: director, stageId: stage };
    for (const appareil of ['<b>x</b>', 'x'.repeat(200), 'a\u202eb', ''])
      expect((await send(sender, await takenBy({}), { appareil })).status).toBe(422);
    for (const choisie_depuis of ['-1', '1.5', '99999999', 'hier'])
      expect((await send(sender, await takenBy({}), { choisie_depuis })).status).toBe(422);
  });

  test('by those who check only: families read no camera', async () => {
    const ids = await sent([{ ...CANON, taken: '2020-01-01T00:00:00Z' }]);
    await site.call(`POST /stages/${stage}/attestation`, { token: director });
    await site.call('PATCH /photos', { token: director, body: { ids, statut: 'publiee' } });
    const { text, json } = await site.call(`GET /stages/${stage}/photos`, { token: family });
    expect(json.photos).toHaveLength(1);
    expect(text).not.toContain('Canon');
  });
});

describe('One answer', () => {
  test('moves all photos of the clock and their days, families told, but not a day that a person chose', async () => {
    const ids = await sent([
      { ...CANON, taken: '2020-01-01T10:00:00Z' },
      { ...CANON, taken: '2020-01-02T10:00:00Z' },
      { ...CANON, taken: '2020-01-03T09:00:00Z' },
    ]);
    const [, second = 0, last = 0] = ids;
    const body = { ids: [second], jour: '2026-06-15' };
    await site.call('PATCH /photos', { token: director, body });
    await site.call(`POST /stages/${stage}/attestation`, { token: director });
    await site.call('PATCH /photos', { token: director, body: { ids, statut: 'publiee' } });
    const { repere } = (await site.call(`GET /stages/${stage}/photos`, { token: family })).json;
    const decalage = (Date.parse('2026-06-20T09:00Z') - Date.parse('2020-01-03T09:00Z')) / 1_000;
    const { status, json } = await answer({ photo: last, decalage });
    expect([status, json.message]).toEqual([200, 'Date corrigée pour 3 photos']);
    expect(await datesOf(ids)).toEqual([
      '2026-06-18 2026-06-18T10:00',
      '2026-06-15 2026-06-19T10:00',
      '2026-06-20 2026-06-20T09:00',
    ]);
    const address = `GET /stages/${stage}/photos/changements?depuis=${repere}`;
    const changes = (await site.call(address, { token: family })).json;
    expect(changes.photos).toHaveLength(3);
    expect((await clocks()).a_regler).toEqual([]);
    expect((await clocks()).reglees).toMatchObject([{ appareil: 'Canon EOS 90D', decalage, nombre: 3 }]);
  });

  test('is taken back', async () => {
    const ids = await sent([{ ...CANON, taken: '2020-01-01T10:00:00Z' }]);
    const before = await datesOf(ids);
    await answer({ photo: ids[0], decalage: (await clocks()).a_regler[0]?.decalage });
    expect(await datesOf(ids)).not.toEqual(before);
    const [given] = (await clocks()).reglees;
    expect((await undo(given?.id)).status).toBe(200);
    expect(await datesOf(ids)).toEqual(before);
    expect(await clocks()).toMatchObject({ a_regler: [{ nombre: 1 }], reglees: [] });
    expect((await undo(given?.id)).status).toBe(404);
  });

  test('moves the photos that seemed right only when told so', async () => {
    const exifs = [
      { ...CANON, taken: '2026-06-20T13:50:00Z' },
      { ...CANON, taken: '2026-06-20T01:00:00Z' },
    ];
    const ids = await sent(exifs);
    await answer({ photo: ids[0], decalage: -3 * HOUR });
    expect(await datesOf(ids)).toEqual(['2026-06-20 2026-06-20T10:50', '2026-06-20 2026-06-20T01:00']);
    await undo((await clocks()).reglees[0]?.id);
    await answer({ photo: ids[0], decalage: -3 * HOUR, toutes: true });
    expect(await datesOf(ids)).toEqual(['2026-06-20 2026-06-20T10:50', '2026-06-19 2026-06-19T22:00']);
  });

  test('moves what is still to come of the same card, and not what was taken once the clock was right', async () => {
    const ids = await sent([{ ...CANON, taken: '2020-01-03T10:00:00Z' }]);
    await answer({ photo: ids[0], decalage: 2_360 * DAY });
    const more = await sent([
      { ...CANON, taken: '2020-01-02T10:00:00Z' },
      { ...CANON, taken: '2026-06-20T10:55:00Z' },
      { ...IPHONE, taken: '2020-01-02T11:00:00Z' },
    ]);
    expect(await datesOf(more)).toEqual([
      '2026-06-19 2026-06-19T10:00',
      '2026-06-20 2026-06-20T10:55',
      '2026-06-20 2020-01-02T11:00',
    ]);
    expect((await clocks()).reglees).toMatchObject([{ nombre: 2 }]);
    await undo((await clocks()).reglees[0]?.id);
    expect((await datesOf(more))[0]).toBe('2026-06-20 2020-01-02T10:00');
  });

  test('holds for a photo whose full version comes after it', async () => {
    const exif = { ...CANON, taken: '2026-06-20T15:30:00Z' };
    const bytes = await takenBy(exif);
    const [id = 0] = await sent([bytes], { version: 'legere' });
    await answer({ photo: id, decalage: -5 * HOUR });
    await sent([bytes]);
    expect(await rowOf({ id })).toMatchObject({ version: 'complete', a_jpeg: 1 });
    expect(await datesOf([id])).toEqual(['2026-06-20 2026-06-20T10:30']);
  });

  test('leaves photos as they are, and is asked for again when more of them come', async () => {
    const old = await sent([{ ...CANON, taken: '2019-08-03T10:00:00Z' }]);
    expect((await answer({ photo: old[0], decalage: 0 })).status).toBe(200);
    expect(await clocks()).toMatchObject({ a_regler: [], reglees: [{ decalage: 0, nombre: 1 }] });
    expect(await datesOf(old)).toEqual(['2026-06-20 2019-08-03T10:00']);
    await sent([{ ...CANON, taken: '2019-08-03T11:00:00Z' }]);
    expect((await clocks()).a_regler).toMatchObject([{ nombre: 1 }]);
  });

  test('is refused when the photo would be later than its receipt, outside the stay, or beyond all years', async () => {
    const [photo] = await sent([{ ...CANON, taken: '2026-05-20T10:00:00Z' }]);
    for (const decalage of [31 * DAY + 2 * HOUR, 2 * DAY, -2_000 * 365 * DAY, 0.5, 'x']) {
      const { status, json } = await answer({ photo, decalage });
      expect([status, Object.keys(json.champs)], String(decalage)).toEqual([422, ['decalage']]);
    }
    expect((await clocks()).a_regler).toHaveLength(1);
  });

  test('is given once, when two people answer at once', async () => {
    const [photo] = await sent([{ ...CANON, taken: '2026-05-20T10:00:00Z' }]);
    const admin = await site.tokenOf('admin');
    const body = { photo, decalage: 31 * DAY };
    const answers = await Promise.all([answer(body), answer(body, admin)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await datesOf([photo ?? 0])).toEqual(['2026-06-20 2026-06-20T10:00']);
  });

  test('is nobody’s but of the stay, and about its own photos only', async () => {
    const [photo] = await sent([{ ...CANON, taken: '2026-05-20T10:00:00Z' }]);
    const other = await newStay('2026-06-15', '2026-06-24');
    const theirs = await site.tokenOf('director', other);
    expect((await answer({ photo, decalage: 31 * DAY }, theirs)).status).toBe(404);
    const crossed = { token: theirs, body: { photo, decalage: 31 * DAY } };
    expect((await site.call(`POST /stages/${other}/horloges`, crossed)).status).toBe(409);
    expect((await answer({ photo, decalage: 31 * DAY }, family)).status).toBe(403);
    expect((await answer({ photo, decalage: 31 * DAY })).status).toBe(200);
    const [given] = (await clocks()).reglees;
    const address = `DELETE /stages/${other}/horloges/${given?.id}`;
    expect((await site.call(address, { token: theirs })).status).toBe(404);
    expect((await clocks()).reglees).toHaveLength(1);
  });
});
