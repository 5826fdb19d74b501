import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PHOTO_FOLDER, UPLOAD_PATH } from '#features/photos/shared/terms.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import {
  album,
  differs,
  filesUnder,
  looks,
  MAKERS,
  readAll,
  type Shot,
  tracesIn,
  tracesOf,
} from '#tests/support/album.ts';
import { passDays, type TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/** JSON of an answer; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
type Json = any;

const PERIOD = { nom_stage: 'Été à Oléron', date_debut: '2026-06-15', date_fin: '2026-06-25' };

/** From the camera to the last day: photos of real cameras and phones, through every part of the site. */
describe('The photos of a stay', () => {
  let site: TestSite;
  let shots: Shot[];
  let stageId: number;
  let [admin, director, family]: { token: string }[] = [];
  beforeAll(async () => {
    site = await openSite();
    shots = await album(14);
    admin = { token: await site.tokenOf('admin') };
    stageId = (await site.call('POST /stages', { ...admin, body: PERIOD })).json.id;
    director = { token: await site.tokenOf('director', stageId) };
    family = { token: await site.tokenOf('family', stageId) };
  });
  afterAll(() => site?.close());

  const empreinte = ({ bytes }: Shot) => createHash('sha256').update(bytes).digest('hex');
  const send = (shot: Shot) =>
    new Promise<void>((resolve, reject) => {
      new Upload(shot.bytes, {
        endpoint: `${site.origin}${API_PREFIX}${UPLOAD_PATH}`,
        headers: { authorization: `Bearer ${director?.token}` },
        chunkSize: 512 * 1024,
        metadata: {
          stageId: String(stageId),
          filename: shot.name,
          filetype: 'image/jpeg',
          empreinte: empreinte(shot),
          version: 'complete',
          prise_le: '2026-06-20T10:00:00.000Z',
        },
        onSuccess: () => resolve(),
        onError: reject,
      }).start();
    });
  const known = async (): Promise<Json[]> => {
    const body = { stageId, empreintes: shots.map(empreinte) };
    return (await site.call('POST /photos/connues', { ...director, body })).json.connues;
  };
  const seen = async (): Promise<Json[]> =>
    (await site.call(`GET /stages/${stageId}/photos`, family)).json.photos;

  test('arrive once each, and wait for a person', async () => {
    for (const shot of [...shots, ...shots.slice(0, 3)]) await send(shot);
    await site.jobs.idle();
    const states = (await known()).map(({ statut, version, refus }) => ({ statut, version, refus }));
    expect(states).toEqual(shots.map(() => ({ statut: 'a_verifier', version: 'complete', refus: '' })));
    expect(await site.services.database.db.selectFrom('photos').select('id').execute()).toHaveLength(14);
    expect(await seen()).toEqual([]);
  });

  test('are seen upright once they are published, and tell of nothing but themselves', async () => {
    const connues = await known();
    const decision = { ids: connues.map(({ id }) => id), statut: 'publiee' };
    expect((await site.call('PATCH /photos', { ...director, body: decision })).status).toBe(409);
    await site.call(`POST /stages/${stageId}/attestation`, director);
    expect((await site.call('PATCH /photos', { ...director, body: decision })).status).toBe(200);
    const photos = await seen();
    expect(photos).toHaveLength(shots.length);
    for (const shot of shots) {
      const { id } = connues.find((one) => one.empreinte === empreinte(shot));
      const { fichiers } = photos.find((photo) => photo.id === id);
      for (const name of Object.values(fichiers)) {
        const bytes = await download(`${PHOTO_FOLDER}${name}`);
        expect(await tracesOf(bytes), shot.name).toEqual([]);
        expect(differs(await looks(bytes), shot.look), shot.name).toBeLessThan(12);
      }
    }
    const zip = await download(`${API_PREFIX}/stages/${stageId}/photos.zip`);
    expect(zip.length).toBeGreaterThan(1_000_000);
    expect(await tracesIn(zip)).toEqual([]);
    const isRow = (path: string) => !path.startsWith(join(site.directory, 'files'));
    const { rows = [], files = [] } = Object.groupBy(await filesUnder(site.directory), (path) =>
      isRow(path) ? 'rows' : 'files',
    );
    expect(files.length).toBeGreaterThan(4 * shots.length);
    expect((await Promise.all((await readAll(files)).map(tracesIn))).flat()).toEqual([]);
    // The name of a camera is kept for those who check: its clock may be wrong.
    const told = (await Promise.all((await readAll(rows)).map(tracesIn))).flat();
    expect(told.filter((trace) => !MAKERS.includes(trace))).toEqual([]);
    expect(JSON.stringify(photos)).not.toMatch(new RegExp(MAKERS.join('|')));
  });

  async function download(path: string): Promise<Buffer> {
    const headers = { authorization: `Bearer ${family?.token}` };
    const response = await fetch(`${site.origin}${path}`, { headers });
    expect(response.status, path).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  test('are gone with their files when their time is over', async () => {
    const photos = await filesUnder(join(site.directory, 'files/photos'));
    expect(photos).toHaveLength(5 * shots.length);
    await passDays(site, 90);
    expect(await seen()).toBeUndefined();
    await passDays(site, 2);
    for (const table of ['photos', 'photos_envois', 'photos_retraits', 'jours', 'fichiers'] as const) {
      const rows = await site.services.database.db
        .selectFrom(table as 'photos')
        .selectAll()
        .execute();
      expect(rows, table).toEqual([]);
    }
    expect(await filesUnder(join(site.directory, 'files'))).toEqual([]);
  });
});
