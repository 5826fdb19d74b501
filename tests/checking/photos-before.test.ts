import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Photo } from '#features/photos/calls.ts';
import { redoPhotoErasures } from '#features/photos/server/erasures.ts';
import {
  DISCARDS_A_DAY,
  DISCARDS_AN_HOUR,
  PHOTO_BIN_DAYS,
  PHOTO_FOLDER,
  STAY_BYTES,
} from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { listWholeFiles } from '#features/takeover/server/openFiles.ts';
import { listHeldFiles } from '#platform/server/files/registerStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import { addBarePhotos, addPhotos } from '#tests/support/gallery.ts';
import { type Answer, passDays, type TestSite } from '#tests/support/people.ts';
import { xiaomi } from '#tests/support/photos.ts';
import { fingerprint, type Said, send } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/* Photos as they were before somebody blurred them: staff give them back, nobody else learns of them, and they end. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let site: TestSite;
let stage: number;
let family: string;
let director: string;
let admin: string;
let stays = 0;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

beforeEach(async () => {
  const { database, secrets } = site.services;
  const today = dayAt(site.now(), 'Europe/Paris');
  const stay = {
    nom_stage: `Dune ${++stays}`,
    date_debut: dayAfter(today, -10),
    date_fin: dayAfter(today, 4),
  };
  stage = await database.write((transaction) => insertStay(transaction, secrets, stay, site.now()));
  await signIn();
});

async function signIn(): Promise<void> {
  family = await site.tokenOf('family', stage);
  director = await site.tokenOf('director', stage);
  admin = await site.tokenOf('admin');
}

/** A published photo. */
async function add(): Promise<Photo> {
  const [id = 0] = await addPhotos(site.services, stage, 1);
  return find(id);
}
async function find(id: number, token = admin): Promise<Photo> {
  const { photos } = (await site.call(`GET /stages/${stage}/photos`, { token })).json;
  return photos.find((photo: Photo) => photo.id === id);
}
const FACE = { x: 0.3, y: 0.3, l: 0.3, h: 0.3 };
const retouch = (photo: Photo, body: object, token = director) =>
  site.call(`POST /photos/${photo.id}/retouche`, {
    token,
    body: { fichier: photo.fichiers?.w320 ?? '', ...body },
  });
/** Blurs a photo, and returns it as staff see it. */
async function blur(photo: Photo, token = director): Promise<Photo> {
  expect((await retouch(photo, { zones: [FACE] }, token)).status).toBe(200);
  return find(photo.id);
}
const avantOf = (photo: Photo) => {
  if (!photo.gestion?.avant) throw new Error('nothing is kept');
  return photo.gestion.avant;
};
const undo = (photo: Photo, token = admin, n = avantOf(photo).id) =>
  site.call(`POST /photos/${photo.id}/avant/${n}`, {
    token,
    body: { fichier: photo.fichiers?.w320 ?? '' },
  });
const keep = (ids: readonly number[], token = admin) =>
  site.call('POST /photos/garder-floutees', { token, body: { ids } });
const act = (verb: string, ids: readonly number[], token = director) =>
  site.call(`POST /photos/${verb}`, { token, body: { ids } });
const said = ({ status, json }: Answer) => [status, json.message];

async function open(name: string | number, token?: string) {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined;
  const answer = await fetch(`${site.origin}${PHOTO_FOLDER}${name}`, headers ? { headers } : {});
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}
const openBefore = (photo: Photo, token?: string) => open(`avant/${avantOf(photo).id}`, token);
const jpegOf = async ({ fichiers }: Photo) => (await open(fichiers?.jpeg ?? '', admin)).bytes;
const namesOf = ({ fichiers }: Photo) => Object.values(fichiers ?? {}).filter((name) => name !== null);
const pixels = (picture: Buffer) => sharp(picture).autoOrient().raw().toBuffer();
const endOf = (days: number) => new Date(site.now().getTime() + days * DAY).toISOString();

/** Names of the files that are kept of photos that were blurred. */
async function kept(): Promise<string[]> {
  const rows = await site.services.database.db
    .selectFrom('fichiers')
    .select('nom')
    .where('objet', '=', 'photos_avant')
    .execute();
  return rows.map(({ nom }) => nom);
}
/** Nothing is left of what a photo was, neither a row nor a file. */
async function expectGone({ fichiers }: Photo): Promise<void> {
  const name = fichiers?.jpeg ?? '';
  expect(await kept()).not.toContain(name);
  expect(await site.services.storage.has(keyOf('photos', name))).toBe(false);
  const rows = await site.services.database.db
    .selectFrom('photos_avant')
    .select('nom')
    .where('nom', '=', name)
    .execute();
  expect(rows).toEqual([]);
}
const alerts = async () =>
  ((await site.call('GET /tableau-de-bord', { token: admin })).json.alertes as { texte: string }[])
    .map(({ texte }) => texte)
    .filter((texte) => texte.includes('supprimé ou flouté'));

describe('A photo that a director blurs', () => {
  test('is kept as it was for staff, who see it, and for nobody else by any way', async () => {
    const before = await add();
    const whole = await jpegOf(before);
    const after = await blur(before);
    expect(after.gestion?.avant).toEqual({
      id: expect.any(Number),
      floutee_le: site.now().toISOString(),
      floutee_par: `directeur du séjour ${stage}`,
      effacement_le: endOf(PHOTO_BIN_DAYS),
    });
    expect((await find(after.id, director)).gestion).toMatchObject({ avant: null });
    expect(await find(after.id, family)).not.toHaveProperty('gestion');

    expect((await openBefore(after, admin)).bytes.equals(whole)).toBe(true);
    const other = await site.tokenOf('director', stage + 1_000);
    for (const token of [director, family, other, await site.tokenOf('reader')])
      expect((await openBefore(after, token)).status).toBe(404);
    expect((await openBefore(after)).status).toBe(401);
    for (const name of namesOf(before))
      for (const token of [admin, director, family]) expect((await open(name, token)).status).toBe(404);
    for (const token of [director, family]) {
      expect((await undo(after, token)).status).toBe(403);
      expect((await keep([after.id], token)).status).toBe(403);
    }
    // In a backup, in no export.
    const key = keyOf('photos', before.fichiers?.jpeg ?? '');
    expect((await listHeldFiles(site.services.database.db)).map((file) => file.key)).toContain(key);
    expect((await listWholeFiles(site.services.database.db)).map((file) => file.key)).not.toContain(key);
    const tracked = (await site.call(`GET /stages/${stage}/photos/suivi`, { token: admin })).json;
    expect(tracked.octets).toBe((after.gestion?.octets ?? 0) + whole.length);
  });

  test('is given back blur by blur, under other names, turned as it is now, and published as it was', async () => {
    const first = await add();
    const once = await blur(first);
    await retouch(once, { quarts: 1 });
    const turned = await find(first.id);
    const seen = await pixels(await jpegOf(turned));
    const twice = await blur(turned);
    expect(await kept()).toEqual(expect.arrayContaining([first.fichiers?.jpeg, turned.fichiers?.jpeg]));
    expect((await undo(twice, admin, avantOf(once).id)).status).toBe(409);

    expect(said(await undo(twice))).toEqual([200, 'Floutage annulé']);
    expect((await undo(twice)).status).toBe(409);
    const again = await find(first.id);
    expect(avantOf(again)).toEqual(avantOf(once));
    expect((await pixels(await jpegOf(again))).equals(seen)).toBe(true);
    expect(said(await undo(again))).toEqual([200, 'Floutage annulé']);
    const last = await find(first.id, director);
    expect(last).toMatchObject({ statut: 'publiee', largeur: first.hauteur, hauteur: first.largeur });
    expect(namesOf(last)).not.toEqual(expect.arrayContaining(namesOf(first)));
    expect((await find(first.id)).gestion?.avant).toBeNull();
    for (const photo of [first, turned]) await expectGone(photo);
    for (const name of namesOf(last)) expect((await open(name, family)).status).toBe(200);
    const actions = await site.services.database.db
      .selectFrom('journal')
      .select(['action'])
      .where('objet', '=', 'photos')
      .where('objet_id', '=', first.id)
      .execute();
    expect(actions.filter(({ action }) => action === 'annulation du floutage d’une photo')).toHaveLength(2);
  });

  test('while its light version was there comes in full blurred, and is given back as it was, to be sent again', async () => {
    const full = await sharp(await xiaomi())
      .resize(1600)
      .jpeg()
      .toBuffer();
    const sender = { origin: site.origin, token: director, stageId: stage };
    const arrive = async (bytes: Buffer, as: Said = {}) => {
      expect((await send(sender, bytes, as)).status).toBe(204);
      await site.jobs.idle();
      const { photos } = (await site.call(`GET /stages/${stage}/photos`, { token: admin })).json;
      return photos[0] as Photo;
    };
    const light = await sharp(full).resize(800).jpeg().toBuffer();
    const before = await arrive(light, { version: 'legere', empreinte: fingerprint(full) });
    const shown = (await open(before.fichiers?.jpeg ?? '', admin)).bytes;
    await blur(before);
    const blurred = await arrive(full);
    expect(blurred).toMatchObject({ version: 'complete', largeur: 1600 });
    expect((await openBefore(blurred, admin)).bytes.equals(shown)).toBe(true);
    expect((await undo(blurred)).status).toBe(200);
    expect(await find(before.id)).toMatchObject({ version: 'legere', largeur: 800 });
    const again = await arrive(full);
    expect(again).toMatchObject({ version: 'complete', largeur: 1600, gestion: { avant: null } });
  });

  test('is turned without anything being kept', async () => {
    const photo = await add();
    await retouch(photo, { quarts: 1 });
    expect((await find(photo.id)).gestion?.avant).toBeNull();
    await expectGone(photo);
  });

  test('is not blurred where the stay has no room for what it was', async () => {
    const photo = await add();
    const fill = (octets: number) =>
      site.services.database.write((transaction) =>
        transaction.updateTable('photos').set({ octets }).where('id', '=', photo.id).execute(),
      );
    await fill(STAY_BYTES);
    expect(said(await retouch(photo, { zones: [FACE] }))).toEqual([
      409,
      expect.stringContaining('plus de place'),
    ]);
    expect((await find(photo.id)).fichiers).toEqual(photo.fichiers);
    await fill(photo.gestion?.octets ?? 0);
    await blur(photo);
  });
});

describe('What a blurred photo was is erased', () => {
  test('fourteen days later, by the site', async () => {
    const before = await add();
    await blur(before);
    await passDays(site, PHOTO_BIN_DAYS - 0.1);
    expect(await kept()).toContain(before.fichiers?.jpeg);
    await passDays(site, 0.2);
    await signIn();
    await expectGone(before);
    expect((await find(before.id)).gestion?.avant).toBeNull();
  });

  test('at once when a family asks for the removal of the photo, and not when a director does', async () => {
    const [one, other] = [await add(), await add()];
    for (const photo of [one, other]) await blur(photo);
    const ask = (photo: Photo, token: string) =>
      site.call(`POST /photos/${photo.id}/retrait`, { token, body: { mot: '' } });
    expect((await ask(one, family)).json.masquee).toBe(true);
    await expectGone(one);
    await ask(other, director);
    expect(await kept()).toContain(other.fichiers?.jpeg);
    expect((await ask(other, family)).status).toBe(200);
    await expectGone(other);
  });

  test('with the photo, wherever it is, and stays while that is only in the bin', async () => {
    const [one, other] = [await add(), await add()];
    for (const photo of [one, other]) await blur(photo);
    await act('supprimer', [one.id]);
    await act('retablir', [one.id]);
    expect(avantOf(await find(one.id))).toBeTruthy();
    await act('supprimer', [one.id]);
    expect((await act('effacer', [one.id, other.id], admin)).status).toBe(200);
    for (const photo of [one, other]) await expectGone(photo);
  });

  test('with its stay', async () => {
    const before = await add();
    await blur(before);
    expect((await site.call(`DELETE /stages/${stage}`, { token: admin })).status).toBe(200);
    await expectGone(before);
  });

  test('on an older database that does not know that the photo was hidden since', async () => {
    const before = await add();
    await blur(before);
    await site.services.database.write((transaction) => transaction.deleteFrom('effacements').execute());
    await redoPhotoErasures(site.services);
    expect(await find(before.id)).toMatchObject({ statut: 'retiree', gestion: { avant: null } });
    await expectGone(before);
  });
});

describe('Photos that directors blur or delete beyond the limits', () => {
  test('of an hour count together, and what they were waits for staff, who are told where to look', async () => {
    const discarded = await addBarePhotos(site.services, stage, DISCARDS_AN_HOUR);
    await act('supprimer', discarded.slice(1));
    const [last, beyond] = [await add(), await add()];
    expect(said(await retouch(last, { zones: [FACE] }))).toEqual([200, 'Zone floutée']);
    expect(await alerts()).toEqual([]);
    expect(said(await retouch(beyond, { zones: [FACE] }))).toEqual([
      200,
      'Zone floutée. Au-delà de 50 en une heure ou de 200 en un jour, l’équipe du CSE regardera.',
    ]);
    expect(said(await act('supprimer', discarded.slice(0, 1)))[1]).toContain('une attend sa réponse');
    expect(await alerts()).toEqual([
      expect.stringContaining(
        `«\u00a0Dune ${stays}\u00a0» (1 supprimée) et «\u00a0Dune ${stays}\u00a0» (1 floutée)`,
      ),
    ]);
    expect((await keep([last.id])).status).toBe(409);
    // Staff have no limit.
    const theirs = await add();
    expect(avantOf(await blur(theirs, admin)).effacement_le).not.toBeNull();

    await passDays(site, PHOTO_BIN_DAYS + 0.1);
    await signIn();
    await expectGone(last);
    expect(avantOf(await find(beyond.id)).effacement_le).toBeNull();
    expect(said(await keep([beyond.id]))).toEqual([200, '1 photo reste floutée']);
    expect(avantOf(await find(beyond.id)).effacement_le).toBe(endOf(PHOTO_BIN_DAYS));
    expect(await alerts()).toEqual([expect.not.stringContaining('floutée)')]);
    await passDays(site, PHOTO_BIN_DAYS + 0.1);
    await signIn();
    await expectGone(beyond);
    await act('effacer', discarded.slice(0, 1), admin);
  });

  test('of a day wait likewise, however slowly they go', async () => {
    const ids = await addBarePhotos(site.services, stage, DISCARDS_A_DAY + 1);
    for (let from = 0; from < DISCARDS_A_DAY; from += DISCARDS_AN_HOUR) {
      const some = ids.slice(from, from + DISCARDS_AN_HOUR);
      expect(said(await act('supprimer', some))[1]).not.toContain('réponse');
      site.advance(HOUR + 1);
    }
    expect(said(await act('supprimer', ids.slice(-1)))[1]).toContain('une attend sa réponse');
    const photo = await add();
    expect(avantOf(await blur(photo)).effacement_le).toBeNull();
    expect((await undo(await find(photo.id))).status).toBe(200);
    await act('effacer', ids.slice(-1), await site.tokenOf('admin'));
    expect(await alerts()).toEqual([]);
    site.advance(DAY);
    await signIn();
    expect(avantOf(await blur(await find(photo.id))).effacement_le).not.toBeNull();
  });
});
