import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '#app/migrations/migrate.ts';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { addBarePhotos, addPhotos } from '#tests/support/gallery.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* The photos of a stay as families and those who look after them read them: a page at a time, then what changed. */

const MINUTE = 60_000;

let site: TestSite;
let stage: number;
let family: string;
let director: string;
let stays = 0;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

beforeEach(async () => {
  const { database, secrets } = site.services;
  stays += 1;
  const stay = { nom_stage: `Étoile ${stays}`, date_debut: '2026-06-10', date_fin: '2026-06-24' };
  stage = await database.write((transaction) => insertStay(transaction, secrets, stay, site.now()));
  family = await site.tokenOf('family', stage);
  director = await site.tokenOf('director', stage);
});

const ids = (photos: readonly Photo[]) => photos.map(({ id }) => id);
const list = (token: string, query = '') => site.call(`GET /stages/${stage}/photos${query}`, { token });
const since = (token: string, repere: string) =>
  site.call(`GET /stages/${stage}/photos/changements?depuis=${encodeURIComponent(repere)}`, { token });
const change = (body: unknown) => site.call('PATCH /photos', { token: director, body });
const later = (ms: number) => new Date(site.now().getTime() + ms).toISOString();
const attest = () => site.call(`POST /stages/${stage}/attestation`, { token: director });

async function readAll(token: string, limit: number): Promise<Photo[]> {
  const photos: Photo[] = [];
  let suite: string | null = '';
  while (suite !== null) {
    const after = suite && `&apres=${encodeURIComponent(suite)}`;
    const { json } = await list(token, `?limite=${limit}${after}`);
    photos.push(...json.photos);
    suite = json.suite;
  }
  return photos;
}

describe('The photos of a stay', () => {
  test('are none at first', async () => {
    const empty = { photos: [], suite: null, total: 0, repere: expect.any(String) };
    expect((await list(family)).json).toEqual(empty);
    expect((await list(director)).json).toEqual(empty);
    expect((await site.call(`GET /stages/${stage}/jours`, { token: family })).json).toEqual([]);
  });

  test('come page by page, the last day first and each day from its beginning, each once', async () => {
    const made = await addPhotos(site.services, stage, 23, (index) => ({
      jour: index % 2 === 0 ? '2026-06-19' : '2026-06-20',
      prise_le: `2026-06-19T1${Math.floor(index / 6)}:00:00.000Z`,
    }));
    const all = (await list(family)).json.photos as Photo[];
    expect(ids(all).sort()).toEqual([...made].sort());
    const keys = all.map(({ jour, prise_le, id }) => `${jour} ${prise_le} ${String(id).padStart(9, '0')}`);
    // Several of one moment are among them.
    const ofDay = (day: string) => keys.filter((key) => key.startsWith(day)).sort();
    expect(keys).toEqual([...ofDay('2026-06-20'), ...ofDay('2026-06-19')]);
    for (const limit of [1, 5, 22, 23, 24]) expect(await readAll(family, limit), `${limit}`).toEqual(all);
    expect((await list(family, '?limite=5')).json.total).toBe(23);
  });

  test('that were there before the size of 480 and their order are shown without it, as they were taken, once the site is upgraded', async () => {
    const { database } = site.services;
    const [older, younger] = await addPhotos(site.services, stage, 2, (index) => ({
      prise_le: `2026-06-20T1${index}:00:00.000Z`,
    }));
    await database.write(async (transaction) => {
      await sql`drop index photos_ordre`.execute(transaction);
      await sql`drop index photos_statut`.execute(transaction);
      await sql`alter table photos drop column a_480`.execute(transaction);
      await sql`alter table photos drop column rang`.execute(transaction);
      await sql`create index photos_ordre on photos (stage_id, jour, prise_le, id)`.execute(transaction);
      await sql`create index photos_statut on photos (stage_id, statut, jour, prise_le, id)`.execute(
        transaction,
      );
      await sql`delete from migrations where nom in ('0029-photos-first', '0031-photo-order')`.execute(
        transaction,
      );
    });
    await migrate(database);
    await database.write((transaction) =>
      transaction
        .updateTable('photos')
        .set({ a_480: 1 })
        .where('id', '=', younger ?? 0)
        .execute(),
    );
    const { photos } = (await list(family)).json;
    expect(ids(photos)).toEqual([older, younger]);
    expect(photos.map(({ fichiers }: Photo) => fichiers?.w480 ?? null)).toEqual([
      null,
      photos[1].fichiers.w320.replace('_320', '_480'),
    ]);
    for (const name of Object.values(photos[0].fichiers as object).filter((file) => file !== null))
      expect((await site.ask(`GET ${PHOTO_FOLDER}${name}`, { token: family })).status).toBe(200);
  });

  test('a page that begins nowhere, or is too long, is refused', async () => {
    for (const query of ['apres=x', 'apres=2026-06-20_x', 'apres=2026-06-31_1_1', 'limite=0', 'limite=1001'])
      expect((await list(family, `?${query}`)).status, query).toBe(422);
  });

  test('families see published ones when their hour has come, and nothing that is said to those who check', async () => {
    const states = ['a_verifier', 'publiee', 'refusee', 'retiree', 'publiee'] as const;
    const made = await addPhotos(site.services, stage, 5, (index) => ({
      statut: states[index] as (typeof states)[number],
      ...(index === 4 ? { publiee_le: later(MINUTE) } : {}),
    }));
    for (const query of ['', '?statut=refusee']) {
      const { json } = await list(family, query);
      expect(ids(json.photos)).toEqual([made[1]]);
      expect(json.total).toBe(1);
      expect(Object.keys(json.photos[0])).not.toContain('gestion');
    }
    const managed = (await list(director)).json;
    expect(managed.total).toBe(5);
    expect(managed.photos[0].gestion).toEqual({
      nom_envoye: '',
      refus: '',
      octets: expect.any(Number),
      demandes: [],
      appareil: '',
      corbeille: null,
      ecartee: null,
      avant: null,
    });
    const refused = (await list(director, '?statut=refusee')).json;
    expect([ids(refused.photos), refused.total]).toEqual([[made[2]], 1]);
    site.advance(MINUTE);
    expect(ids((await list(family)).json.photos).sort()).toEqual([made[1], made[4]].sort());
  });

  test('travel compressed, and are kept nowhere', async () => {
    await addBarePhotos(site.services, stage, 20);
    const asked = (encoding: string) =>
      site.call(`GET /stages/${stage}/photos`, { token: family, headers: { 'accept-encoding': encoding } });
    const plain = await asked('identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    for (const encoding of ['br', 'gzip']) {
      const packed = await asked(encoding);
      expect(packed.headers.get('content-encoding')).toBe(encoding);
      expect(packed.headers.get('vary')).toBe('accept-encoding');
      expect(packed.headers.get('cache-control')).toBe('no-store');
      expect(packed.json.photos).toEqual(plain.json.photos);
    }
  });

  test('are over for families and directors once their time is, and not for staff', async () => {
    await addPhotos(site.services, stage, 1);
    const { fin } = (await site.call(`GET /stages/${stage}/photos/suivi`, { token: director })).json;
    site.advance(Date.parse(fin) - site.now().getTime());
    const tokens = [
      await site.tokenOf('family', stage),
      await site.tokenOf('director', stage),
      await site.tokenOf('admin'),
    ];
    const statuses = [];
    for (const token of tokens) statuses.push((await list(token)).status);
    expect(statuses).toEqual([404, 404, 200]);
  });
});

describe('What changed', () => {
  test('is nothing, then what was published, then what is seen no longer', async () => {
    await attest();
    const [one, two] = await addPhotos(site.services, stage, 2, () => ({ statut: 'a_verifier' }));
    const { repere } = (await list(family)).json;
    const nothing = { photos: [], parties: [], repere: expect.any(String), tout: false };
    expect((await since(family, repere)).json).toEqual(nothing);
    await change({ ids: [one, two], statut: 'publiee' });
    const published = (await since(family, repere)).json;
    expect(ids(published.photos).sort()).toEqual([one, two].sort());
    await change({ ids: [two], statut: 'refusee', motif: 'Floue' });
    const after = (await since(family, published.repere)).json;
    expect(after).toMatchObject({ photos: [], parties: [two] });
    expect((await since(family, after.repere)).json).toEqual(nothing);
    expect((await since(director, published.repere)).json).toMatchObject({
      photos: [{ id: two, statut: 'refusee', motif: 'Floue' }],
      parties: [],
    });
  });

  test('a publication at an hour arrives when that hour has come, though nobody did anything', async () => {
    await attest();
    const [photo] = await addPhotos(site.services, stage, 1, () => ({ statut: 'a_verifier' }));
    await change({ ids: [photo], statut: 'publiee', publiee_le: later(MINUTE) });
    const { repere } = (await list(family)).json;
    const before = (await since(family, repere)).json;
    expect(before.photos).toEqual([]);
    site.advance(MINUTE);
    expect(ids((await since(family, before.repere)).json.photos)).toEqual([photo]);
  });

  test('names photos that were erased to those who saw them', async () => {
    const [seen, hidden, never] = await addPhotos(site.services, stage, 3, (index) => ({
      statut: index === 2 ? 'a_verifier' : 'publiee',
    }));
    const { repere } = (await list(family)).json;
    await change({ ids: [hidden], statut: 'refusee' });
    for (const id of [seen, hidden, never]) await site.call(`DELETE /photos/${id}`, { token: director });
    const missed = (await since(family, repere)).json;
    expect(missed).toMatchObject({ photos: [], tout: false });
    expect(new Set(missed.parties)).toEqual(new Set([seen, hidden]));
    const { parties } = (await since(director, repere)).json;
    expect(new Set(parties)).toEqual(new Set([seen, hidden, never]));
  });

  test('says nothing to families of photos that they have never seen, nor again of those that are gone', async () => {
    await attest();
    const [never, timed, shown] = await addPhotos(site.services, stage, 3, (index) => ({
      statut: index === 2 ? 'publiee' : 'a_verifier',
    }));
    const nothing = { photos: [], parties: [], tout: false };
    let { repere } = (await list(family)).json;
    await change({ ids: [never], statut: 'refusee' });
    await change({ ids: [timed], statut: 'publiee', publiee_le: later(MINUTE) });
    await change({ ids: [timed], statut: 'a_verifier' });
    expect((await since(family, repere)).json).toMatchObject(nothing);
    // Put off until later, it is seen no longer.
    await change({ ids: [shown], statut: 'publiee', publiee_le: later(MINUTE) });
    const after = (await since(family, repere)).json;
    expect(after).toMatchObject({ ...nothing, parties: [shown] });
    repere = after.repere;
    await change({ ids: [shown], statut: 'refusee' });
    await site.call(`DELETE /photos/${shown}`, { token: director });
    expect((await since(family, repere)).json).toMatchObject(nothing);
  });

  test('asks for the whole list when too much changed, and by a mark that is none', async () => {
    await addPhotos(site.services, stage, 1);
    const { repere } = (await list(family)).json;
    const whole = { photos: [], parties: [], tout: true };
    for (const mark of ['', 'x', '1', '1.x', '-1.1', '999.1', `${repere}.1`])
      expect((await since(family, mark)).json, mark).toMatchObject(whole);
    expect((await since(family, repere)).json.tout).toBe(false);
    await addBarePhotos(site.services, stage, 1_001);
    expect((await since(family, repere)).json).toMatchObject(whole);
  });
});

describe('Where the photos stand', () => {
  test('is counted for those who look after them', async () => {
    const follow = async () =>
      (await site.call(`GET /stages/${stage}/photos/suivi`, { token: director })).json;
    const none = {
      ...{ recue: 0, a_verifier: 0, publiee: 0, refusee: 0, retiree: 0, illisible: 0, corbeille: 0 },
    };
    expect(await follow()).toMatchObject({
      par_statut: none,
      octets: 0,
      attestation: null,
      plus_ancienne_demande: null,
      preuve: null,
    });
    await addPhotos(site.services, stage, 4, (index) => ({
      statut: index === 0 ? 'a_verifier' : 'publiee',
      version: index === 1 ? 'legere' : 'complete',
      ...(index === 2 ? { publiee_le: later(MINUTE) } : {}),
    }));
    const [seen] = (await list(family)).json.photos;
    await site.call(`POST /photos/${seen.id}/retrait`, { token: family, body: {} });
    await attest();
    const found = await follow();
    expect(found).toMatchObject({
      par_statut: { ...none, a_verifier: 1, publiee: 2, retiree: 1 },
      programmees: 1,
      legeres: 1,
      demandes: 1,
      plus_ancienne_demande: site.now().toISOString(),
      attestation: { acteur: `directeur du séjour ${stage}`, atteste_le: site.now().toISOString() },
    });
    const sizes = (await list(director)).json.photos.map((photo: Photo) => photo.gestion?.octets ?? 0);
    expect(found.octets).toBe(sizes.reduce((sum: number, octets: number) => sum + octets, 0));
    // Asked for twice, a removal is one photo that waits.
    await site.call(`POST /photos/${seen.id}/retrait`, { token: director, body: {} });
    const all: { id: number }[] = (
      await site.call('GET /stages-suivi', { token: await site.tokenOf('admin') })
    ).json;
    expect(all.find(({ id }) => id === stage)).toMatchObject({ photos_a_verifier: 1, photos_demandees: 1 });
  });
});

describe('The words of the days', () => {
  const days = async (token: string) => (await site.call(`GET /stages/${stage}/jours`, { token })).json;
  const write = (day: string, mot: string) =>
    site.call(`PUT /stages/${stage}/jours/${day}`, { token: director, body: { mot } });

  test('stand beside the photos of their day, the last day first', async () => {
    await addPhotos(site.services, stage, 3, (index) => ({
      jour: index === 2 ? '2026-06-18' : '2026-06-19',
      statut: index === 1 ? 'a_verifier' : 'publiee',
    }));
    await write('2026-06-19', 'À la mer.\nTout le monde s’est baigné.');
    await write('2026-06-20', 'Repos.');
    const word = { jour: '2026-06-19', mot: 'À la mer.\nTout le monde s’est baigné.', photos: 1 };
    const rest = { jour: '2026-06-20', mot: 'Repos.', photos: 0 };
    expect(await days(family)).toEqual([rest, word, { jour: '2026-06-18', mot: '', photos: 1 }]);
    const outs = ['refusee', 'illisible'] as const;
    await addPhotos(site.services, stage, 2, (index) => ({ jour: '2026-06-19', statut: outs[index] }));
    expect((await days(director))[1]).toEqual({ ...word, photos: 2 });
    const one = await site.call(`GET /stages/${stage}/jours/2026-06-19`, { token: family });
    expect(one.json).toEqual(word);
  });

  test('are replaced, and erased by a blank', async () => {
    expect((await write('2026-06-19', 'Un.')).json).toEqual({ message: 'Mot du jour enregistré' });
    await write('2026-06-19', 'Deux.');
    expect(await days(family)).toMatchObject([{ mot: 'Deux.' }]);
    expect((await write('2026-06-19', ' \n')).json).toEqual({ message: 'Mot du jour effacé' });
    expect(await days(family)).toEqual([]);
  });

  test('are of the stay, the day before it or the day after it', async () => {
    const statuses = [];
    for (const day of ['2026-06-08', '2026-06-09', '2026-06-25', '2026-06-26', '2026-06-31'])
      statuses.push((await write(day, 'Un mot.')).status);
    expect(statuses).toEqual([422, 200, 200, 422, 404]);
    expect((await write('2026-06-19', 'x'.repeat(2_001))).status).toBe(422);
  });
});
