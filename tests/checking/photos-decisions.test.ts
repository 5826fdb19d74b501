import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Photo } from '#features/photos/calls.ts';
import type { PhotoState } from '#features/photos/shared/states.ts';
import {
  ATTESTATION,
  REMOVALS_A_DAY,
  REMOVALS_KEPT,
  REMOVALS_OF_STAY,
} from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* What becomes of the photos of a stay: published, refused, corrected, taken down, erased; and by whom. */

const HOUR = 3_600_000;

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
  stage = await makeStay();
  family = await site.tokenOf('family', stage);
  director = await site.tokenOf('director', stage);
});

function makeStay(): Promise<number> {
  const { database, secrets } = site.services;
  stays += 1;
  const stay = { nom_stage: `Étoile ${stays}`, date_debut: '2026-06-10', date_fin: '2026-06-24' };
  return database.write((transaction) => insertStay(transaction, secrets, stay, site.now()));
}

const add = (count: number, statut: PhotoState = 'a_verifier') =>
  addPhotos(site.services, stage, count, () => ({ statut }));
const change = (body: object, token = director) => site.call('PATCH /photos', { token, body });
const publish = (ids: unknown[], more: object = {}) => change({ ids, statut: 'publiee', ...more });
/** As somebody does who has read what families ask for. */
const show = (ids: unknown[], more: object = {}) => publish(ids, { malgre_demandes: true, ...more });
const takeDown = (id: unknown, mot = '', token = family) =>
  site.call(`POST /photos/${id}/retrait`, { token, body: { mot } });
const attest = () => site.call(`POST /stages/${stage}/attestation`, { token: director });
const list = async (token: string) =>
  (await site.call(`GET /stages/${stage}/photos`, { token })).json as { photos: Photo[]; repere: string };
const idsSeen = async (token: string) => (await list(token)).photos.map(({ id }) => id).sort();
const find = async (id: unknown) => (await list(director)).photos.find((photo) => photo.id === id);
const later = (ms: number) => new Date(site.now().getTime() + ms).toISOString();
const rows = (table: 'attestations' | 'photos_retraits' | 'fichiers' | 'effacements') =>
  site.services.database.db.selectFrom(table).selectAll().execute();
const said = ({ status, json }: Answer) => [status, json.message];

describe('The first publication of a stay', () => {
  test('waits until somebody has confirmed that families agree', async () => {
    const ids = await add(2);
    const refused = await publish(ids);
    expect([refused.status, refused.json.attestation]).toEqual([409, true]);
    expect(refused.json.message).toContain(ATTESTATION);
    expect(await idsSeen(family)).toEqual([]);
    expect((await change({ ids: await add(1), statut: 'refusee' })).status).toBe(200);
    const attested = (await attest()).json.attestation;
    expect(attested).toMatchObject({ acteur: `directeur du séjour ${stage}`, atteste_le: later(0) });
    expect((await publish(ids)).status).toBe(200);
    expect(await idsSeen(family)).toEqual([...ids].sort());
  });

  test('is confirmed once, however often and by however many at once', async () => {
    const admin = await site.tokenOf('admin');
    const before = (await rows('attestations')).length;
    const answers = await Promise.all(
      [director, admin, director].map((token) => site.call(`POST /stages/${stage}/attestation`, { token })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const proofs = answers.map(({ json }) => json.attestation);
    expect(proofs).toEqual([proofs[0], proofs[0], proofs[0]]);
    expect((await rows('attestations')).length).toBe(before + 1);
  });
});

describe('A photo that was ruled out', () => {
  const WHY = 'Une photo écartée se reprend seule, en la regardant.';
  beforeEach(async () => {
    await attest();
  });

  test('is published by none of the ways that publish, until somebody takes it back by itself', async () => {
    const ids = await add(3);
    const [id] = ids;
    await change({ ids: [id], statut: 'refusee' });
    const out = { ecartee_le: later(0), ecartee_par: `directeur du séjour ${stage}` };
    expect((await find(id))?.gestion?.ecartee).toEqual(out);
    const admin = await site.tokenOf('admin');
    const ways = [
      () => publish(ids),
      () => publish([id]),
      () => publish(ids, { publiee_le: later(HOUR) }),
      () => publish(ids, { malgre_demandes: true }),
      () => change({ ids, statut: 'publiee' }, admin),
      () => site.call(`PATCH /photos/${id}`, { token: director, body: { statut: 'publiee' } }),
    ];
    for (const way of ways)
      expect(said(await way())).toEqual([
        409,
        `Rien n’a changé\u202f: une de ces photos a été écartée. ${WHY}`,
      ]);
    expect(said(await publish(ids, { ecartee: false }))[0]).toBe(422);
    expect(said(await change({ ids: [id], legende: 'Au lac', ecartee: false }))[0]).toBe(422);
    expect(await idsSeen(family)).toEqual([]);
    expect((await publish([id], { ecartee: false })).status).toBe(200);
    expect(await find(id)).toMatchObject({ statut: 'publiee', gestion: { ecartee: null } });
  });

  test('stays so when it is checked again, turned, thrown away and put back, sent again, moved', async () => {
    const [id, other] = await add(2);
    const out = async () => (await find(id))?.gestion?.ecartee?.ecartee_le;
    await change({ ids: [id], statut: 'refusee' });
    const since = await out();
    site.advance(HOUR);
    expect((await change({ ids: [id, other], statut: 'a_verifier' })).status).toBe(200);
    await change({ ids: [id], jour: '2026-06-11', legende: 'Au lac' });
    expect(await out()).toBe(since);
    await site.call('POST /photos/supprimer', { token: director, body: { ids: [id] } });
    await site.call('POST /photos/retablir', { token: director, body: { ids: [id] } });
    expect([(await find(id))?.statut, await out()]).toEqual(['a_verifier', since]);
    const fichier = (await find(id))?.fichiers?.w320;
    const turned = await site.call(`POST /photos/${id}/retouche`, {
      token: director,
      body: { fichier, quarts: 1 },
    });
    expect([turned.status, await out()]).toEqual([200, since]);
    expect((await publish([id, other])).status).toBe(409);
    expect((await change({ ids: [id], statut: 'a_verifier', ecartee: false })).status).toBe(200);
    expect((await publish([id, other])).status).toBe(200);
  });

  test('is not published by whoever publishes it at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const [id] = await add(1);
      const [, published] = await Promise.all([change({ ids: [id], statut: 'refusee' }), publish([id])]);
      const { statut, gestion } = (await find(id)) as Photo;
      expect([statut, gestion?.ecartee === null]).toEqual(['refusee', false]);
      expect([200, 409]).toContain(published.status);
    }
  });
});

describe('A decision', () => {
  beforeEach(async () => {
    await attest();
  });

  test('is on one photo or on many, and says so', async () => {
    const ids = await add(3);
    expect(said(await publish(ids))).toEqual([200, '3 photos publiées']);
    expect(said(await publish([ids[0], ids[0]]))).toEqual([200, '1 photo publiée']);
    expect(said(await publish(ids, { publiee_le: later(HOUR) }))[1]).toBe(
      '3 photos seront publiées à l’heure dite',
    );
    expect(said(await change({ ids, statut: 'retiree' }))[1]).toBe('3 photos retirées');
    expect(said(await change({ ids, statut: 'a_verifier' }))[1]).toBe('3 photos à vérifier');
    const one = await site.call(`PATCH /photos/${ids[1]}`, { token: director, body: { statut: 'refusee' } });
    expect(said(one)).toEqual([200, '1 photo écartée']);
    expect(one.json.photos).toEqual([await find(ids[1])]);
  });

  test('keeps why a photo was refused until it is refused no longer', async () => {
    const [id] = await add(1);
    await change({ ids: [id], statut: 'refusee', motif: 'Floue' });
    await change({ ids: [id], legende: 'Sur la plage' });
    expect(await find(id)).toMatchObject({ statut: 'refusee', motif: 'Floue', legende: 'Sur la plage' });
    await publish([id], { ecartee: false });
    expect(await find(id)).toMatchObject({ motif: '', legende: 'Sur la plage', publiee_le: later(0) });
  });

  test('is none on photos that are not ready, nor on the others named with them', async () => {
    const ready = await add(1);
    const coming = await add(2, 'recue');
    const unreadable = await add(1, 'illisible');
    const answer = await publish([...ready, ...coming, ...unreadable]);
    expect(said(answer)).toEqual([
      409,
      'Rien n’a changé\u202f: parmi ces photos, 2 sont encore en préparation et 1 est illisible.',
    ]);
    expect((await find(ready[0]))?.statut).toBe('a_verifier');
  });

  test('is on photos of one’s own stay, all of them there', async () => {
    const ids = await add(2);
    const other = await makeStay();
    const [foreign] = await addPhotos(site.services, other, 1, () => ({ statut: 'a_verifier' }));
    const admin = await site.tokenOf('admin');
    for (const token of [director, admin])
      for (const named of [[...ids, foreign], [...ids, 999_999], [999_999]])
        for (const call of ['PATCH /photos', 'POST /photos/supprimer'])
          expect((await site.call(call, { token, body: { ids: named, statut: 'refusee' } })).status).toBe(
            404,
          );
    expect((await change({ ids: [foreign], statut: 'refusee' })).status).toBe(404);
    for (const photo of (await list(director)).photos) expect(photo.statut).toBe('a_verifier');
  });

  test('says something that can be done', async () => {
    const [id] = await add(1);
    const { fin } = (await site.call(`GET /stages/${stage}/photos/suivi`, { token: director })).json;
    const wrong = [
      {},
      { motif: 'Floue' },
      { statut: 'recue' },
      { statut: 'publiee', motif: 'Floue' },
      { statut: 'refusee', publiee_le: later(HOUR) },
      { statut: 'publiee', publiee_le: later(0) },
      { statut: 'publiee', publiee_le: fin },
      { statut: 'publiee', publiee_le: '2026-06-21' },
      { jour: '2026-06-08' },
      { jour: '2026-06-26' },
      { legende: 'x'.repeat(301) },
      { statut: 'refusee', malgre_demandes: true },
      { statut: 'publiee', malgre_demandes: false },
      { legende: 'x', reponse: 'Elle est belle.' },
      { statut: 'refusee', reponse: 'x'.repeat(301) },
    ];
    for (const body of wrong) {
      const answer = await site.call(`PATCH /photos/${id}`, { token: director, body });
      expect(answer.status, JSON.stringify(body)).toBe(422);
    }
    for (const ids of [[], ['x'], [1.5], 'x', Array(5_001).fill(id)])
      expect((await change({ ids, statut: 'refusee' })).status).toBe(422);
    expect(await find(id)).toMatchObject({ statut: 'a_verifier', jour: '2026-06-20' });
    expect((await change({ ids: [id], jour: '2026-06-25' })).json.photos[0].jour).toBe('2026-06-25');
  });

  test('of publishing leaves what families see already as new as it was', async () => {
    const [id] = await add(1);
    const first = later(0);
    await publish([id]);
    site.advance(HOUR);
    await publish([id]);
    expect((await find(id))?.publiee_le).toBe(first);
    await takeDown(id);
    await show([id]);
    expect((await find(id))?.publiee_le).toBe(first);
    await change({ ids: [id], statut: 'a_verifier' });
    expect((await find(id))?.publiee_le).toBeNull();
    await publish([id], { publiee_le: later(HOUR) });
    expect(await idsSeen(family)).toEqual([]);
    await publish([id]);
    expect(await idsSeen(family)).toEqual([id]);
    expect((await find(id))?.publiee_le).toBe(later(0));
  });

  test('by two at once is that of one of them, the whole of it', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = await add(30);
      const shown = (await idsSeen(family)).length;
      const answers = await Promise.all([
        publish(ids),
        change({ ids: [...ids].reverse(), statut: 'refusee', motif: 'Floue' }),
        site.call(`GET /stages/${stage}/photos`, { token: family }),
      ]);
      expect([answers[1].status, answers[2].status]).toEqual([200, 200]);
      // Whoever comes second finds that the photos were ruled out.
      expect([200, 409]).toContain(answers[0].status);
      expect([shown, shown + 30]).toContain(answers[2].json.photos.length);
      const { photos } = await list(director);
      const decided = photos.filter(({ id }) => ids.includes(id));
      expect(new Set(decided.map(({ statut, motif }) => `${statut} ${motif}`))).toEqual(
        new Set(['refusee Floue']),
      );
    }
  });

  test('tells the journal what was done and how often, and nothing of what is seen', async () => {
    const ids = await add(2, 'publiee');
    await change({ ids, legende: 'Zoé sur la plage' });
    await change({ ids, statut: 'refusee', motif: 'Zoé ne veut pas' });
    const lines = await site.services.database.db
      .selectFrom('journal')
      .select(['action', 'acteur'])
      .where('objet', '=', 'stages')
      .where('objet_id', '=', stage)
      .orderBy('id')
      .execute();
    expect(lines.slice(-2)).toEqual([
      { action: 'correction de 2 photos', acteur: `directeur du séjour ${stage}` },
      { action: 'mise à l’écart de 2 photos', acteur: `directeur du séjour ${stage}` },
    ]);
  });
});

describe('A photo that is erased', () => {
  test('leaves neither a row nor a file, and is not brought back', async () => {
    const { storage } = site.services;
    const ids = await add(3, 'publiee');
    await takeDown(ids[0], 'Pas celle-ci');
    const held = (await rows('fichiers')).filter(({ objet_id }) => ids.includes(objet_id));
    const noted = (await rows('effacements')).length;
    expect(held.length).toBe(15);
    const admin = await site.tokenOf('admin');
    const erase = (some: number[]) =>
      site.call('POST /photos/effacer', { token: admin, body: { ids: some } });
    expect(said(await erase(ids.slice(0, 1)))).toEqual([200, '1 photo effacée pour de bon']);
    expect(said(await erase(ids.slice(1)))).toEqual([200, '2 photos effacées pour de bon']);
    expect(await idsSeen(director)).toEqual([]);
    for (const { dossier, nom } of held) expect(await storage.has(keyOf(dossier, nom)), nom).toBe(false);
    expect((await rows('effacements')).length).toBe(noted + 3);
    expect((await site.call(`DELETE /photos/${ids[0]}`, { token: director })).status).toBe(404);
  });
});

describe('A removal that a family asks for', () => {
  test('hides the photo at once from everybody but those who decide, with the word', async () => {
    const [id, other] = await add(2, 'publiee');
    const elsewhere = await site.tokenOf('family', stage);
    const answer = await takeDown(id, 'Mon fils ne veut pas.');
    expect([answer.status, answer.json.masquee]).toEqual([200, true]);
    expect(await idsSeen(family)).toEqual([other]);
    expect(await idsSeen(elsewhere)).toEqual([other]);
    const demandes = [{ mot: 'Mon fils ne veut pas.', created_at: later(0) }];
    expect(await find(id)).toMatchObject({ statut: 'retiree', gestion: { demandes } });
  });

  test('may be asked again, by them or by others, and counts once a sign-in', async () => {
    const [id] = await add(1, 'publiee');
    const elsewhere = await site.tokenOf('family', stage);
    await Promise.all([takeDown(id), takeDown(id), takeDown(id, 'Mon fils.'), takeDown(id)]);
    expect((await takeDown(id, 'Ma fille.', elsewhere)).json.masquee).toBe(true);
    const words = (await find(id))?.gestion?.demandes.map(({ mot }) => mot);
    expect(words).toEqual(['Mon fils.', 'Ma fille.']);
  });

  test('asked again, is no change that anybody is told of', async () => {
    const [id] = await add(1, 'publiee');
    await takeDown(id, 'Mon fils.');
    const { repere } = await list(director);
    await takeDown(id);
    await takeDown(id, 'Mon fils.');
    expect((await list(director)).repere).toBe(repere);
  });

  test('waits for a person, who puts it back or refuses it', async () => {
    await attest();
    const [back, refused] = await add(2, 'publiee');
    await takeDown(back);
    await takeDown(refused);
    await show([back]);
    expect(said(await change({ ids: [refused], statut: 'refusee' }))).toEqual([200, '1 photo gardée cachée']);
    expect(await idsSeen(family)).toEqual([back]);
    for (const id of [back, refused]) expect((await find(id))?.gestion?.demandes).toEqual([]);
  });

  test('does not undo what a person has decided on the first one of the same sign-in', async () => {
    await attest();
    const [id] = await add(1, 'publiee');
    await takeDown(id);
    await show([id]);
    expect((await takeDown(id, 'Encore.')).json.masquee).toBe(false);
    expect(await idsSeen(family)).toEqual([id]);
    expect(await find(id)).toMatchObject({ statut: 'publiee', gestion: { demandes: [{ mot: 'Encore.' }] } });
    expect((await takeDown(id, '', await site.tokenOf('family', stage))).json.masquee).toBe(true);
    expect(await idsSeen(family)).toEqual([]);
  });

  test('is of a photo that they see: others do not exist', async () => {
    const hidden = [
      ...(await add(1, 'a_verifier')),
      ...(await add(1, 'refusee')),
      ...(await add(1, 'recue')),
      ...(await addPhotos(site.services, stage, 1, () => ({ publiee_le: later(HOUR) }))),
      ...(await addPhotos(site.services, await makeStay(), 1)),
      999_999,
    ];
    for (const id of hidden) expect((await takeDown(id)).status).toBe(404);
  });

  test(`is looked at first past ${REMOVALS_A_DAY} a day`, async () => {
    const ids = await add(REMOVALS_A_DAY + 2, 'publiee');
    const answers = [];
    for (const id of ids) answers.push((await takeDown(id)).json.masquee);
    expect(answers).toEqual(ids.map((_id, index) => index < REMOVALS_A_DAY));
    expect(await idsSeen(family)).toEqual(ids.slice(-2).sort());
    const last = ids.at(-1);
    expect(await find(last)).toMatchObject({ statut: 'publiee', gestion: { demandes: [{ mot: '' }] } });
    expect((await takeDown(ids.at(-2), '', await site.tokenOf('family', stage))).json.masquee).toBe(true);
    expect((await takeDown(ids[0])).json.masquee).toBe(true);
    site.advance(24 * HOUR);
    family = await site.tokenOf('family', stage);
    director = await site.tokenOf('director', stage);
    expect((await takeDown(last)).json.masquee).toBe(true);
    expect(await idsSeen(family)).toEqual([]);
  });

  test(`is looked at first past ${REMOVALS_OF_STAY} of a stay in a day, by however many sign-ins`, async () => {
    await attest();
    const ids = await add(REMOVALS_OF_STAY + 1, 'publiee');
    const byOthers = async (id: unknown) =>
      (await takeDown(id, '', await site.tokenOf('family', stage))).json;
    const answers = await Promise.all(ids.map(byOthers));
    expect(answers.filter(({ masquee }) => masquee).length).toBe(REMOVALS_OF_STAY);
    const [kept] = await idsSeen(family);
    // Put back meanwhile, they count all the same.
    await show(ids);
    expect((await byOthers(kept)).masquee).toBe(false);
    expect(await idsSeen(family)).toEqual([...ids].sort());
    site.advance(24 * HOUR);
    expect((await byOthers(kept)).masquee).toBe(true);
  });

  test(`is kept ${REMOVALS_KEPT} times a photo, and hides it whatever was kept`, async () => {
    await attest();
    const [id] = await add(1, 'publiee');
    const askers = await Promise.all(
      Array.from({ length: REMOVALS_KEPT + 1 }, () => site.tokenOf('family', stage)),
    );
    // A person has decided on what each has asked for.
    for (const token of askers) {
      await takeDown(id, '', token);
      await show([id]);
    }
    const answers = [];
    for (const token of askers) answers.push((await takeDown(id, 'x'.repeat(1_000), token)).json);
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
    expect((await find(id))?.gestion?.demandes.length).toBe(REMOVALS_KEPT);
    expect((await find(id))?.statut).toBe('publiee');
    expect((await takeDown(id, 'Mon fils.')).json.masquee).toBe(true);
    expect(await idsSeen(family)).toEqual([]);
    expect((await find(id))?.gestion?.demandes.at(-1)?.mot).toBe('Mon fils.');
  });

  test('is not undone by whoever publishes a list that was read before it', async () => {
    await attest();
    const ids = await add(3);
    const { repere } = await list(director);
    await publish(ids);
    await takeDown(ids[1], 'Mon fils.');
    const blind = await show(ids, { repere });
    expect(said(blind)).toEqual([
      409,
      'Rien n’a changé\u202f: une de ces photos vient d’être retirée ou écartée. Regardez ce qu’il en est, puis recommencez.',
    ]);
    expect(await find(ids[1])).toMatchObject({
      statut: 'retiree',
      gestion: { demandes: [{ mot: 'Mon fils.' }] },
    });
    expect((await change({ ids, statut: 'a_verifier', repere })).status).toBe(409);
    expect((await show(ids, { repere: (await list(director)).repere })).status).toBe(200);
    expect(await idsSeen(family)).toEqual([...ids].sort());
  });

  test('is named by a question before the photo is shown again, one by one and in bulk', async () => {
    await attest();
    const ids = await add(3, 'publiee');
    const admin = await site.tokenOf('admin');
    await takeDown(ids[0], 'Mon fils\nne veut pas.');
    const day = site.now().getUTCDate();
    const asked = `Une famille a demandé le retrait de cette photo le ${day}\u00a0juin`.replace(
      '\u00a0',
      ' ',
    );
    const question = `${asked}\u202f: «\u00a0Mon fils ne veut pas.\u00a0» La montrer de nouveau\u202f?`;
    for (const token of [director, admin]) {
      const one = await site.call(`PATCH /photos/${ids[0]}`, { token, body: { statut: 'publiee' } });
      expect([...said(one), one.json.demandes]).toEqual([409, question, 1]);
      const many = await change({ ids, statut: 'publiee', publiee_le: later(HOUR) }, token);
      expect([many.status, many.json.demandes]).toEqual([409, 1]);
      expect(many.json.message).toContain('d’une de ces 3 photos');
    }
    expect((await find(ids[0]))?.statut).toBe('retiree');
    await takeDown(ids[1]);
    expect(said(await publish(ids))).toEqual([
      409,
      'Des familles ont demandé le retrait de 2 de ces 3 photos. Les montrer de nouveau\u202f?',
    ]);
    expect((await show(ids)).status).toBe(200);
    expect(await idsSeen(family)).toEqual([...ids].sort());
    // Decided once: no further question until somebody asks again.
    await change({ ids, statut: 'a_verifier' });
    expect((await publish(ids)).status).toBe(200);
  });

  test('is asked about also once it was granted, and is not settled by checking the photo again', async () => {
    await attest();
    const [granted, rechecked] = await add(2, 'publiee');
    await takeDown(granted);
    await takeDown(rechecked);
    await change({ ids: [granted], statut: 'refusee' });
    await change({ ids: [granted, rechecked], statut: 'a_verifier' });
    expect((await find(rechecked))?.gestion?.demandes.length).toBe(1);
    for (const id of [granted, rechecked]) {
      expect((await publish([id])).status).toBe(409);
      expect((await show([id], { ecartee: id === granted ? false : undefined })).status).toBe(200);
    }
  });

  test('of a photo that was never taken down is asked about before it is left online', async () => {
    const ids = await add(REMOVALS_A_DAY + 1, 'publiee');
    await attest();
    for (const id of ids) await takeDown(id);
    const last = ids.at(-1);
    expect((await find(last))?.statut).toBe('publiee');
    expect((await publish([last])).json.message).toMatch(/La laisser en ligne\u202f\?$/);
  });

  test('is answered to the sign-in that asked, with the reason, until it has read it', async () => {
    await attest();
    const elsewhere = await site.tokenOf('family', stage);
    const answers = async (token = family) =>
      (await site.call(`GET /stages/${stage}/retraits`, { token })).json;
    const [kept, refused, erased, waiting] = await add(4, 'publiee');
    const demande_le = later(0);
    for (const id of [kept, refused, erased, waiting]) await takeDown(id);
    expect(await answers()).toEqual([]);
    site.advance(HOUR);
    await show([kept], { reponse: 'On n’y reconnaît personne.' });
    await change({ ids: [refused], statut: 'refusee', motif: 'Pour nous seuls' });
    await site.call(`DELETE /photos/${erased}`, { token: director });
    const told = { demande_le, decide_le: later(0) };
    expect(await answers()).toEqual([
      { id: expect.any(Number), ...told, decision: 'retiree', reponse: '' },
      { id: expect.any(Number), ...told, decision: 'retiree', reponse: '' },
      { id: expect.any(Number), ...told, decision: 'gardee', reponse: 'On n’y reconnaît personne.' },
    ]);
    expect(await answers(elsewhere)).toEqual([]);
    const ids = (await answers()).map(({ id }: { id: number }) => id);
    const read = (token: string) => site.call(`POST /stages/${stage}/retraits/lus`, { token, body: { ids } });
    expect((await read(elsewhere)).status).toBe(200);
    expect((await answers()).length).toBe(3);
    expect((await read(family)).status).toBe(200);
    expect((await read(family)).status).toBe(200);
    expect(await answers()).toEqual([]);
    // Told the contrary of what they had read, they are told again.
    await change({ ids: [kept], statut: 'refusee' });
    expect(await answers()).toMatchObject([{ decision: 'retiree', reponse: '', demande_le }]);
  });

  test('is noted, so that a backup put back does not show it again', async () => {
    const [id] = await add(1, 'publiee');
    const noted = (await rows('effacements')).length;
    await takeDown(id);
    await takeDown(id);
    expect((await rows('effacements')).length).toBe(noted + 1);
  });
});
