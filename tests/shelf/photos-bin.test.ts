import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Photo } from '#features/photos/calls.ts';
import type { PhotoState } from '#features/photos/shared/states.ts';
import { DISCARDS_AN_HOUR, PHOTO_BIN_DAYS } from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { dayAfter, dayAt } from '#platform/shared/time.ts';
import { addBarePhotos, addPhotos } from '#tests/support/gallery.ts';
import { type Answer, passDays, type TestSite } from '#tests/support/people.ts';
import { corners } from '#tests/support/photos.ts';
import { fingerprint, send } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/* The bin of photos: what a director or staff delete can be put back, and what is erased for good is so on purpose. */

const HOUR = 3_600_000;

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
  stays += 1;
  const stay = {
    nom_stage: `Étoile ${stays}`,
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

const add = (count: number, statut: PhotoState = 'publiee') =>
  addPhotos(site.services, stage, count, () => ({ statut }));
const act = (verb: string, ids: readonly unknown[], token = director) =>
  site.call(`POST /photos/${verb}`, { token, body: { ids } });
const list = async (token: string, query = '') =>
  (await site.call(`GET /stages/${stage}/photos${query}`, { token })).json as {
    photos: Photo[];
    total: number;
    repere: string;
  };
const idsSeen = async (token: string, query = '') =>
  (await list(token, query)).photos.map(({ id }) => id).sort((one, other) => one - other);
const inBin = (token = director) => idsSeen(token, '?statut=corbeille');
const said = ({ status, json }: Answer) => [status, json.message];
const files = () => site.services.database.db.selectFrom('fichiers').selectAll().execute();
const table = (name: 'photos' | 'effacements') =>
  site.services.database.db.selectFrom(name).selectAll().execute();
const filesOf = async (ids: readonly number[]) =>
  (await files()).filter(({ objet, objet_id }) => objet === 'photos' && ids.includes(objet_id ?? 0));
const actions = async () =>
  (
    await site.services.database.db.selectFrom('journal').select(['action', 'acteur']).orderBy('id').execute()
  ).map(({ action, acteur }) => `${action} (${acteur})`);
/** Numbers of lines of the file of erasures, by what they are about. */
const noted = async () => {
  const lines = Map.groupBy(await table('effacements'), ({ genre }) => genre);
  return { photo: lines.get('photo')?.length ?? 0, hidden: lines.get('photo-cachee')?.length ?? 0 };
};
const endOf = (days: number) => new Date(site.now().getTime() + days * 24 * HOUR).toISOString();

describe('A photo that somebody deletes', () => {
  test('goes to the bin with its files, and families have lost it at once, in whatever way they ask', async () => {
    const ids = await add(3);
    const [id = 0, , left] = ids;
    const photo = (await list(family)).photos.find((one) => one.id === id);
    const { cle } = (
      await site.call('POST /photos/selection', { token: family, body: { stageId: stage, ids: [id] } })
    ).json;
    const { repere } = await list(family);
    const before = await noted();
    const answer = await site.call(`DELETE /photos/${id}`, { token: director });
    expect(said(answer)).toEqual([200, '1 photo mise à la corbeille pour 14 jours']);
    expect(said(await act('supprimer', [ids[1]], admin))[1]).toBe(
      '1 photo mise à la corbeille pour 14 jours',
    );

    expect(await idsSeen(family)).toEqual([left]);
    expect(await idsSeen(family, '?statut=corbeille')).toEqual([left]);
    const since = await site.call(`GET /stages/${stage}/photos/changements?depuis=${repere}`, {
      token: family,
    });
    expect(since.json).toMatchObject({ photos: [], tout: false });
    expect(new Set(since.json.parties)).toEqual(new Set(ids.slice(0, 2)));
    const zip = await site.ask(`GET /api/api/stages/${stage}/photos.zip?selection=${cle}`, { token: family });
    expect(zip.status).toBe(404);
    const names = Object.values(photo?.fichiers ?? {}).filter((name) => name !== null);
    expect(names).toHaveLength(5);
    const other = await site.tokenOf('director', stage + 1_000);
    for (const name of names) {
      const address = `GET /api/photos/${name}`;
      for (const token of [family, other]) expect((await site.ask(address, { token })).status).toBe(404);
      for (const token of [director, admin]) expect((await site.ask(address, { token })).status).toBe(200);
    }
    const retrait = await site.call(`POST /photos/${id}/retrait`, { token: family, body: {} });
    expect(retrait.status).toBe(404);

    expect(await filesOf(ids)).toHaveLength(15);
    // What an older database would show is hidden there, and not erased.
    expect(await noted()).toEqual({ ...before, hidden: before.hidden + 2 });
  });

  test('counts nowhere but in the bin, where it says who deleted it and until when it stays', async () => {
    const ids = await add(2, 'a_verifier');
    const later = endOf(PHOTO_BIN_DAYS);
    await act('supprimer', ids);
    expect(await idsSeen(director)).toEqual([]);
    expect((await list(director)).total).toBe(0);
    expect(await inBin()).toEqual(ids);
    const [photo] = (await list(admin, '?statut=corbeille')).photos;
    expect(photo).toMatchObject({
      statut: 'corbeille',
      gestion: {
        corbeille: {
          jetee_le: site.now().toISOString(),
          jetee_par: `directeur du séjour ${stage}`,
          effacement_le: later,
        },
      },
    });
    const tracked = (await site.call(`GET /stages/${stage}/photos/suivi`, { token: director })).json;
    expect(tracked).toMatchObject({ par_statut: { a_verifier: 0, corbeille: 2 }, demandes: 0 });
    expect((await site.call(`GET /stages/${stage}/jours`, { token: director })).json).toEqual([]);
    const listed = (await site.call('GET /stages-suivi', { token: admin })).json;
    expect(listed.find((one: { id: number }) => one.id === stage)).toMatchObject({ photos_a_verifier: 0 });
  });

  test('is nothing that anybody decides on or corrects, until it is put back to be checked', async () => {
    const ids = await add(3);
    await site.call(`POST /photos/${ids[0]}/retrait`, { token: family, body: { mot: 'Pas elle.' } });
    await act('supprimer', ids);
    const answers = (await site.call(`GET /stages/${stage}/retraits`, { token: family })).json;
    expect(answers).toMatchObject([{ decision: 'retiree' }]);
    const decide = (body: object, token = director) =>
      site.call('PATCH /photos', { token, body: { ids, ...body } });
    for (const token of [director, admin])
      for (const body of [{ statut: 'publiee' }, { legende: 'Ici' }])
        expect((await decide(body, token)).status).toBe(404);
    expect((await act('supprimer', ids)).status).toBe(404);
    expect((await act('retablir', ids, family)).status).toBe(403);
    const elsewhere = await site.tokenOf('director', stage + 1_000);
    expect((await act('retablir', ids, elsewhere)).status).toBe(404);

    expect(said(await act('retablir', ids.slice(0, 2)))).toEqual([200, '2 photos rétablies, à vérifier']);
    expect(said(await act('retablir', ids.slice(2), admin))).toEqual([200, '1 photo rétablie, à vérifier']);
    expect((await act('retablir', ids)).status).toBe(404);
    expect(await inBin()).toEqual([]);
    expect(await idsSeen(family)).toEqual([]);
    for (const photo of (await list(director)).photos)
      expect(photo).toMatchObject({ statut: 'a_verifier', publiee_le: null, gestion: { corbeille: null } });
    expect(await filesOf(ids)).toHaveLength(15);
    // What a family asked for is still asked about.
    await site.call(`POST /stages/${stage}/attestation`, { token: director });
    expect((await decide({ statut: 'publiee' })).json).toMatchObject({ demandes: 1 });
    expect((await actions()).slice(-4, -1)).toEqual([
      `mise à la corbeille de 3 photos (directeur du séjour ${stage})`,
      `sortie de la corbeille de 2 photos (directeur du séjour ${stage})`,
      expect.stringMatching(/^sortie de la corbeille d’une photo \(/),
    ]);
  });

  test('is refused to be put back while nothing can be seen of it', async () => {
    const [ready] = await add(1);
    const [coming] = await add(1, 'recue');
    await site.services.database.write((db) =>
      db
        .updateTable('photos')
        .set({ nom: null })
        .where('id', '=', coming ?? 0)
        .execute(),
    );
    await act('supprimer', [ready, coming]);
    expect(said(await act('retablir', [ready, coming]))).toEqual([
      409,
      'Rien n’a changé\u202f: parmi ces photos, une est encore en préparation ou illisible.',
    ]);
    expect((await act('retablir', [ready])).status).toBe(200);
  });

  test('leaves the bin to be checked when its file is sent again, once, light or full', async () => {
    const sender = { origin: site.origin, token: director, stageId: stage };
    const bytes = await corners(1);
    const empreinte = fingerprint(bytes);
    const known = async () =>
      (
        await site.call('POST /photos/connues', {
          token: director,
          body: { stageId: stage, empreintes: [empreinte] },
        })
      ).json.connues;
    expect((await send(sender, bytes)).status).toBe(204);
    await site.jobs.idle();
    const [photo] = (await list(director)).photos;
    for (const version of ['complete', 'legere'] as const) {
      await act('supprimer', [photo?.id]);
      // As if it had been erased: whoever chooses it again sends it.
      expect(await known()).toEqual([]);
      expect((await send(sender, bytes, { version, empreinte })).status).toBe(204);
      await site.jobs.idle();
      expect(await inBin()).toEqual([]);
      expect((await list(director)).photos).toMatchObject([
        { id: photo?.id, statut: 'a_verifier', version: 'complete', gestion: { nom_envoye: '', refus: '' } },
      ]);
      expect(await known()).toMatchObject([{ statut: 'a_verifier', version: 'complete' }]);
      expect((await actions()).at(-1)).toBe(
        'sortie de la corbeille d’une photo envoyée de nouveau (le site)',
      );
    }
    expect(await idsSeen(family)).toEqual([]);
    expect(await filesOf([photo?.id ?? 0])).toHaveLength(5);
  });
});

describe('A photo is erased for good', () => {
  test('by staff alone who have just proved who they are, from the bin or not, with the line that backups heed', async () => {
    const ids = await add(3);
    const { storage } = site.services;
    await act('supprimer', ids.slice(0, 2));
    const held = await filesOf(ids);
    const before = await noted();
    for (const token of [family, director]) expect((await act('effacer', ids, token)).status).toBe(403);
    site.advance(11 * 60_000);
    expect((await act('effacer', ids, admin)).json).toMatchObject({ etape: 'preuve' });
    expect(await filesOf(ids)).toHaveLength(15);

    admin = await site.tokenOf('admin');
    expect(said(await act('effacer', ids.slice(0, 1), admin))).toEqual([200, '1 photo effacée pour de bon']);
    // What the law asks for does not go through the bin.
    expect(said(await act('effacer', ids.slice(1), admin))).toEqual([200, '2 photos effacées pour de bon']);
    expect([await inBin(), await idsSeen(admin), await idsSeen(family)]).toEqual([[], [], []]);
    for (const { dossier, nom } of held) expect(await storage.has(keyOf(dossier, nom)), nom).toBe(false);
    expect(await noted()).toEqual({ ...before, photo: before.photo + 3 });
    expect((await actions()).at(-1)).toMatch(/^effacement de 2 photos \(/);
    expect((await act('effacer', ids, admin)).status).toBe(404);
  });

  test('fourteen days after it was deleted, by the site, and not a minute before', async () => {
    // What other tests left in the bin goes before.
    await passDays(site, PHOTO_BIN_DAYS + 0.1);
    await signIn();
    const ids = await add(3);
    await act('supprimer', ids.slice(0, 2));
    await passDays(site, PHOTO_BIN_DAYS - 0.01);
    await signIn();
    await act('supprimer', ids.slice(2));
    expect(await inBin()).toEqual(ids);
    const before = await noted();
    await passDays(site, 0.1);
    await signIn();
    expect(await inBin()).toEqual(ids.slice(2));
    expect(await filesOf(ids)).toHaveLength(5);
    expect(await noted()).toEqual({ ...before, photo: before.photo + 2 });
    expect(await actions()).toContain('effacement de 2 photos de la corbeille (le site)');
  });

  test('with its stay, whatever it waits for', async () => {
    const ids = await addBarePhotos(site.services, stage, DISCARDS_AN_HOUR + 1);
    await act('supprimer', ids);
    const before = await noted();
    expect((await site.call(`DELETE /stages/${stage}`, { token: admin })).status).toBe(200);
    expect((await table('photos')).filter(({ stage_id }) => stage_id === stage)).toEqual([]);
    expect(await noted()).toEqual({ ...before, photo: before.photo + ids.length });
  });
});

describe('Photos that directors delete beyond fifty in an hour', () => {
  const alerts = async () =>
    ((await site.call('GET /tableau-de-bord', { token: admin })).json.alertes as { texte: string }[])
      .map(({ texte }) => texte)
      .filter((texte) => texte.includes('supprimé ou flouté'));

  test('are hidden too, and erased by no time: staff are told, and put them back or confirm', async () => {
    const ids = await addBarePhotos(site.services, stage, DISCARDS_AN_HOUR + 4);
    const some = ids.slice(0, 30);
    expect(said(await act('supprimer', some))[1]).toBe('30 photos mises à la corbeille pour 14 jours');
    expect(await alerts()).toEqual([]);
    // Directors of a stay share their limit; staff have none.
    director = await site.tokenOf('director', stage);
    expect(said(await act('supprimer', ids.slice(30, -1)))).toEqual([
      200,
      '23 photos mises à la corbeille pour 14 jours. Au-delà de 50 en une heure ou de 200 en un jour, l’équipe du CSE doit confirmer\u202f: 3 attendent sa réponse.',
    ]);
    expect(said(await act('supprimer', ids.slice(-1), admin))[1]).not.toContain('confirmer');
    expect(await idsSeen(family)).toEqual([]);
    expect(await alerts()).toEqual([expect.stringContaining(`«\u00a0Étoile ${stays}\u00a0» (3 supprimées)`)]);

    await passDays(site, PHOTO_BIN_DAYS + 1);
    await signIn();
    const held = ids.slice(50, 53);
    expect(await inBin()).toEqual(held);
    expect((await act('confirmer', held)).status).toBe(403);
    expect(said(await act('confirmer', held.slice(0, 1), admin))).toEqual([
      200,
      '1 photo sera effacée pour de bon dans 14 jours',
    ]);
    expect((await act('confirmer', held.slice(0, 1), admin)).status).toBe(409);
    expect((await act('retablir', held.slice(1, 2))).status).toBe(200);
    expect(await alerts()).toEqual([expect.stringContaining('(1 supprimée)')]);
    await passDays(site, PHOTO_BIN_DAYS + 0.1);
    await signIn();
    expect([await inBin(), await idsSeen(director)]).toEqual([held.slice(2), held.slice(1, 2)]);
    await act('effacer', held.slice(2), admin);
    expect(await alerts()).toEqual([]);
  });

  test('are counted anew an hour later', async () => {
    const ids = await addBarePhotos(site.services, stage, DISCARDS_AN_HOUR + 1);
    await act('supprimer', ids.slice(1));
    site.advance(HOUR);
    expect(said(await act('supprimer', ids.slice(0, 1)))[1]).toBe(
      '1 photo mise à la corbeille pour 14 jours',
    );
  });
});
