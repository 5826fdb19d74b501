import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeServices, openServices, startServer } from '#app/server/start.ts';
import type { StateWrite } from '#features/photos/server/tables.ts';
import { readConfig } from '#platform/server/config.ts';
import { LIFETIME, openSession } from '#platform/server/sessionsStore.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import { passDays, type TestSite, wrapSite } from '#tests/support/people.ts';
import { kill, killAll, newPlace, start, stop } from '#tests/support/process.ts';
import { begin } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/* What becomes of the photos of a stay: told of a week before, hidden at the end, erased a day later. */

/** The clock of the site stands at 20 June 2026 when it opens; the photos of this stay are over on 19 September. */
const SUMMER = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin: '2026-07-20' };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days until the last one of its photos is over, by a few hours. */
const OVER = 91;

let site: TestSite;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

// biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
async function ask(what: string, body?: unknown): Promise<any> {
  const answer = await site.call(what, { token: await site.tokenOf('admin'), body });
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(300);
  return answer.json;
}

const tables = () => site.services.database.db;

function filesUnder(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
/** All that is kept of photos, wherever it lies. */
const keptFiles = () => filesUnder(join(site.directory, 'files'));

/** A stay with a child for each of these consents; each family has an address. */
async function stayWith(consents: readonly string[] = [], values: object = {}): Promise<number> {
  const { id } = await ask('POST /stages', { ...SUMMER, ...values });
  for (const [index, consentement_image] of consents.entries()) {
    const child = { nom: `Nom${index}`, prenom: 'Léa', mailRL: `f${index}@exemple.fr` };
    await ask('POST /add-stagiaire', { ...child, consentement_image, stageId: id });
  }
  return id;
}

/** What is still being sent to a stay, by directors who stay signed in. */
async function beginUpload(stageId: number): Promise<void> {
  const until = new Date(site.now().getTime() + LIFETIME.director);
  const token = await site.services.database.write((db) =>
    openSession(db, { role: 'director', stageId }, site.now(), until),
  );
  await begin({ origin: site.origin, token, stageId }, Buffer.alloc(100));
}

async function count(
  table: 'photos' | 'photos_envois' | 'photos_retraits' | 'photos_ouvertures' | 'photos_selections' | 'jours',
) {
  return (await tables().selectFrom(table).selectAll().execute()).length;
}

const proofs = () => tables().selectFrom('attestations').selectAll().execute();
const signIn = async (stageId: number) => {
  const [{ mdp_stagiaire: password }] = await ask(`GET /stage-passwords/${stageId}`);
  return (await site.call('POST /auth/login', { body: { stageId, password } })).json.token as string;
};

describe('The photos of a stay that is over', () => {
  test('are hidden at once, and gone a day later with every file and all that was said and kept of them', async () => {
    const id = await stayWith(['oui', 'oui', 'non']);
    const other = await stayWith(['oui'], { nom_stage: 'Plus longtemps', conservation_jours: 365 });
    await ask(`POST /stages/${id}/attestation`);
    const ids = await addPhotos(site.services, id, 450, (index) => ({
      version: 'legere',
      statut: index % 2 === 0 ? 'publiee' : 'a_verifier',
    }));
    await addPhotos(site.services, other, 2);
    const family = await signIn(id);
    await site.call(`POST /photos/${ids[0]}/retrait`, { token: family, body: { mot: 'C’est Léa.' } });
    const at = site.now().toISOString();
    await site.services.database.write(async (db) => {
      const opened = { photo_id: ids[2] as number, session_id: 1, ip: '192.0.2.0', ouverte_le: at };
      await db.insertInto('photos_ouvertures').values(opened).execute();
      await db
        .insertInto('jours')
        .values({ stage_id: id, jour: '2026-07-07', mot: 'Bonne journée', modifie_le: at })
        .execute();
      await db
        .insertInto('photos_selections')
        .values({ cle: 'x', stage_id: id, session_id: 1, ids: '[]', created_at: at })
        .execute();
      await db
        .insertInto('photos_reponses')
        .values({
          ...{ retrait_id: 999, photo_id: 999, stage_id: id, session_id: 1 },
          ...{ demande_le: at, decision: 'retiree', reponse: 'Oui.', decide_le: at },
        })
        .execute();
    });
    await passDays(site, OVER - 1);
    for (const stageId of [id, other]) await beginUpload(stageId);
    expect((await site.call(`GET /stages/${id}/photos`, { token: family })).json.total).toBe(224);
    await passDays(site, 1);
    const own = { token: await site.tokenOf('family', id) };
    expect((await site.call(`GET /stages/${id}/photos`, own)).status).toBe(404);
    const [row] = await tables()
      .selectFrom('photos')
      .select('nom')
      .where('id', '=', ids[4] ?? 0)
      .execute();
    const address = `GET /api/photos/${row?.nom}_320.webp`;
    expect((await site.ask(address, own)).status).toBe(404);
    expect(await ask(`GET /stages/${id}/photos`)).toMatchObject({ total: 450 });

    await passDays(site, 1);
    expect((await site.ask(address, { token: await site.tokenOf('admin') })).status).toBe(404);
    expect(await count('photos')).toBe(2);
    for (const table of ['photos_retraits', 'photos_ouvertures', 'photos_selections', 'jours'] as const)
      expect(await count(table), table).toBe(0);
    expect(await tables().selectFrom('photos_reponses').selectAll().execute()).toEqual([]);
    const registered = await tables().selectFrom('fichiers').select('nom').execute();
    // Of the other stay: five files of each of its photos, and what has come of the one on its way.
    expect([registered.length, keptFiles().length]).toEqual([11, 11]);
    const uploads = await tables().selectFrom('photos_envois').select('stage_id').execute();
    expect(uploads).toEqual([{ stage_id: other }]);
    expect(await ask(`GET /stages/${id}`)).toMatchObject({ familles: 0, photos: 0 });
    expect(await ask(`GET /stages/${other}`)).toMatchObject({ familles: 1, photos: 2 });
    expect(await proofs()).toMatchObject([
      { stage_id: id, oui: 2, non: 1, inconnu: 0, photos: 450, efface_le: site.now().toISOString() },
    ]);
    const { preuve } = await ask(`GET /stages/${id}/photos/suivi`);
    expect(preuve).toMatchObject({ oui: 2, non: 1, inconnu: 0, photos: 450 });
    const { entrees } = await ask('GET /journal');
    const lines = entrees.map(({ action }: { action: string }) => action);
    for (const erased of [200, 200, 50])
      expect(lines).toContain(`effacement de photos d’un séjour terminé (${erased})`);
  });

  test('stay whole, and are seen again, when somebody gives them more time within that day', async () => {
    const id = await stayWith(['oui']);
    await addPhotos(site.services, id, 1);
    await passDays(site, OVER);
    site.advance(DAY - 1_000);
    await ask(`PUT /stages/${id}`, { ...SUMMER, conservation_jours: 90 });
    await passDays(site, 3);
    const token = await signIn(id);
    expect((await site.call(`GET /stages/${id}/photos`, { token })).json.total).toBe(1);
    expect([keptFiles().length, (await ask(`GET /stages/${id}`)).familles]).toEqual([5, 1]);
  });

  test('are erased by the dates that were changed last, a day after', async () => {
    const id = await stayWith();
    await addPhotos(site.services, id, 1);
    await passDays(site, OVER);
    site.advance(DAY - 1_000);
    // Over still: whoever types a year wrong twice has a day to see it.
    await ask(`PUT /stages/${id}`, { ...SUMMER, date_fin: '2026-07-19' });
    await passDays(site, 0.1);
    expect(await count('photos')).toBe(1);
    await passDays(site, 0.9);
    expect(await count('photos')).toBe(1);
    await passDays(site, 0.1);
    expect([await count('photos'), keptFiles()]).toEqual([0, []]);
  });
});

test('Nothing is written, attested or published of a stay whose photos are over, and photos can still be hidden', async () => {
  const id = await stayWith(['oui']);
  const [photo] = await addPhotos(site.services, id, 1);
  const acts = [
    [`PUT /stages/${id}/jours/2026-07-07`, { mot: 'Bonne journée' }],
    [`POST /stages/${id}/attestation`, undefined],
    [`PATCH /photos/${photo}`, { statut: 'publiee' }],
  ] as const;
  const refuse = async (some: typeof acts | readonly (typeof acts)[number][]) => {
    for (const [what, body] of some) {
      const answer = await site.call(what, { token: await site.tokenOf('admin'), body });
      expect([answer.status, answer.json.message], what).toEqual([
        409,
        'Les photos de ce séjour ne sont plus en ligne\u202f: prolongez leur conservation avant d’en ajouter, d’en publier ou d’en parler.',
      ]);
    }
  };
  await passDays(site, OVER);
  await refuse(acts);
  await ask(`PATCH /photos/${photo}`, { statut: 'refusee' });
  await passDays(site, 1);
  await refuse(acts.slice(0, 2));
});

test('The proof that families had agreed is erased after five years', async () => {
  const id = await stayWith(['oui']);
  await ask(`POST /stages/${id}/attestation`);
  await passDays(site, OVER);
  await passDays(site, 1);
  expect(await proofs()).toMatchObject([{ oui: 1, photos: 0 }]);
  const later = async (days: number) => {
    site.advance(days * DAY);
    await ask('POST /horloge', { jour: site.now().toISOString().slice(0, 10) });
    await site.schedule.tick();
  };
  await later(5 * 365);
  expect(await proofs()).toHaveLength(1);
  await later(2);
  expect(await proofs()).toEqual([]);
});

test('A file that cannot be erased holds nothing else up: staff are told, and it goes once it can', async () => {
  const [first, second] = [await stayWith(['oui']), await stayWith(['non'], { nom_stage: 'Second' })];
  for (const id of [first, second]) await addPhotos(site.services, id, 3, () => ({ version: 'legere' }));
  const stuck = keptFiles().sort()[0] ?? '';
  // In the place of the file, something that is none.
  rmSync(stuck);
  mkdirSync(stuck);
  await passDays(site, OVER);
  await passDays(site, 1);
  for (const id of [first, second])
    expect(await ask(`GET /stages/${id}`)).toMatchObject({ familles: 0, photos: 0 });
  const registered = () => tables().selectFrom('fichiers').select('nom').execute();
  expect([keptFiles(), await registered()]).toEqual([[], [{ nom: basename(stuck) }]]);
  const told = async () =>
    (await ask('GET /tableau-de-bord')).alertes.filter(({ texte }: { texte: string }) =>
      texte.includes('effacement des photos et des familles'),
    );
  await passDays(site, 0.1);
  expect(await told()).toHaveLength(1);

  rmSync(stuck, { recursive: true });
  await passDays(site, 0.1);
  expect([await registered(), await told()]).toEqual([[], []]);
});

describe('A clock that jumped, or a long stop', () => {
  const doubt = async () => (await ask('GET /tableau-de-bord')).horloge;

  test('erases nothing of stays until staff confirm the day that it shows, whatever the time', async () => {
    const id = await stayWith(['oui']);
    await addPhotos(site.services, id, 1);
    await passDays(site, 0);
    expect(await doubt()).toBeNull();
    site.advance(400 * DAY);
    for (const days of [0, 3, 3]) await passDays(site, days);
    const today = site.now().toISOString().slice(0, 10);
    expect(await doubt()).toBe(today);
    expect([await count('photos'), (await ask(`GET /stages/${id}`)).familles]).toEqual([1, 1]);

    const wrong = await site.call('POST /horloge', {
      token: await site.tokenOf('admin'),
      body: { jour: '2026-06-20' },
    });
    expect([wrong.status, wrong.json.message]).toEqual([
      409,
      'Le site croit maintenant être le 31 juillet 2027\u202f: vérifiez ce jour.',
    ]);
    await ask('POST /horloge', { jour: today });
    expect(await doubt()).toBeNull();
    await passDays(site, 0.1);
    expect(await count('photos')).toBe(1);
    await passDays(site, 1);
    expect([await count('photos'), keptFiles(), (await ask(`GET /stages/${id}`)).familles]).toEqual([
      0,
      [],
      0,
    ]);
  });

  test('is no matter once the clock is put right again', async () => {
    const id = await stayWith(['oui']);
    await addPhotos(site.services, id, 1);
    await passDays(site, OVER - 10);
    await passDays(site, 20);
    site.advance(-20 * DAY);
    await passDays(site, 2);
    expect(await doubt()).toBeNull();
    // Seen to be over by the wrong clock, its day begins by the right one.
    await passDays(site, 8);
    expect(await count('photos')).toBe(1);
    await passDays(site, 1);
    expect(await count('photos')).toBe(0);
  });
});

describe('A week before', () => {
  /** Addresses of the mails that tell of it, by mailing. */
  async function told(): Promise<string[][]> {
    const rows = await tables()
      .selectFrom('envois_messages')
      .innerJoin('envois', 'envois.id', 'envois_messages.envoi_id')
      .select(['envoi_id', 'destinataire'])
      .where('genre', '=', 'fin')
      .orderBy('envois_messages.id')
      .execute();
    const mailings = [...new Set(rows.map(({ envoi_id }) => envoi_id))];
    return mailings.map((id) =>
      rows.flatMap(({ envoi_id, destinataire }) => (envoi_id === id ? [destinataire] : [])),
    );
  }
  const BOTH = ['f0@exemple.fr', 'f1@exemple.fr'];

  test('families are told by mail until when and how to keep photos, once for each last day', async () => {
    const id = await stayWith(['oui', 'non']);
    await stayWith(['oui'], { nom_stage: 'Sans photo publiée' });
    await addPhotos(site.services, id, 2, (index) => ({ statut: index === 0 ? 'publiee' : 'a_verifier' }));
    // The last day is 18 September.
    await passDays(site, OVER - 9);
    expect(await told()).toEqual([]);
    await passDays(site, 1);
    expect(await told()).toEqual([BOTH]);
    await passDays(site, 2);
    expect(await told()).toEqual([BOTH]);
    const [mailing] = await ask('GET /envois');
    const { messages } = await ask(`GET /envois/${mailing.id}`);
    const mail = await ask(`GET /envois/${mailing.id}/messages/${messages[0].id}`);
    expect(mail).toMatchObject({
      destinataire: 'f0@exemple.fr',
      objet: 'Les photos du séjour Été à Oléron vont être effacées',
    });
    expect(mail.texte).toContain('restent en ligne jusqu’au 18 septembre 2026 inclus');
    expect(mail.texte).toContain(`/stage-details/${id}\n`);
    const [{ mdp_stagiaire }] = await ask(`GET /stage-passwords/${id}`);
    for (const unsaid of [mdp_stagiaire, 'Léa', 'Nom0']) expect(mail.html + mail.texte).not.toContain(unsaid);

    await ask(`PUT /stages/${id}`, { ...SUMMER, conservation_jours: 90 });
    await passDays(site, 20);
    expect(await told()).toEqual([BOTH]);
    await passDays(site, 8);
    expect(await told()).toEqual([BOTH, BOTH]);
    await passDays(site, 10);
    expect(await told()).toEqual([BOTH, BOTH]);
  });

  test('staff read on the first page which stay it is, and until when', async () => {
    const id = await stayWith();
    await addPhotos(site.services, id, 1);
    const about = async () =>
      (await ask('GET /tableau-de-bord')).alertes.filter(({ texte }: { texte: string }) =>
        texte.includes('bientôt effacées'),
      );
    await passDays(site, OVER - 9);
    expect(await about()).toEqual([]);
    await passDays(site, 1);
    expect(await about()).toEqual([
      {
        texte:
          'Les photos d’un séjour sont bientôt effacées\u202f: «\u00a0Été à Oléron\u00a0» (dernier jour\u202f: le 18 septembre).',
        panneau: null,
        adresse: `/photos-modify/${id}`,
      },
    ]);
    // Over, it may still be given more time.
    await passDays(site, 8);
    expect(await about()).toHaveLength(1);
    await passDays(site, 1);
    expect(await about()).toEqual([]);
  });
});

test('A stay that is deleted takes its photos, their files and what was being sent with it, and leaves the proof', async () => {
  const id = await stayWith(['oui', 'inconnu']);
  await ask(`POST /stages/${id}/attestation`);
  await addPhotos(site.services, id, 230, () => ({ version: 'legere' }));
  await beginUpload(id);
  const { message } = await ask(`DELETE /stages/${id}`);
  expect(message).toBe('Séjour supprimé avec succès, avec ses mots de passe, 2 enfants et 230 photos');
  expect([await count('photos'), await count('photos_envois'), keptFiles()]).toEqual([0, 0, []]);
  expect(await proofs()).toMatchObject([{ stage_id: id, oui: 1, inconnu: 1, photos: 230 }]);
});

test.each([
  ['photos were sent to one of them', (id: number) => addPhotos(site.services, id, 1)],
  ['a photo is being sent to one of them', (id: number) => beginUpload(id)],
  [
    'a day of one of them has a word',
    (id: number) => ask(`PUT /stages/${id}/jours/2026-07-07`, { mot: 'Bonjour' }),
  ],
  ['the photos of one of them were attested', (id: number) => ask(`POST /stages/${id}/attestation`)],
])('An import of stays is not taken back once %s', async (_, build) => {
  const file = 'nom_stage;date_debut;date_fin\nVoile;06/07/2026;20/07/2026\n';
  const data = new FormData();
  data.append('file', new Blob([file]), 'sejours.csv');
  await ask('POST /uploadSejour', data);
  const [{ id }] = await ask('GET /stages');
  await build(id);
  const { dernier } = await ask('GET /imports/dernier?genre=sejours');
  expect(dernier.obstacle).toContain('des photos, des mots du jour, une attestation');
  const refused = await site.call(`POST /imports/${dernier.id}/annuler`, {
    token: await site.tokenOf('admin'),
  });
  expect([refused.status, (await ask('GET /stages')).length]).toEqual([409, 1]);
});

test('A backup that is put back shows no photo that was erased, hidden or put into the bin since, and erases only the first', async () => {
  const id = await stayWith();
  await ask(`POST /stages/${id}/attestation`);
  const [erased, hidden, thrown, seen] = await addPhotos(site.services, id, 4);
  const { database } = site.services;
  const before = await database.db.selectFrom('photos').selectAll().execute();
  const files = await database.db.selectFrom('fichiers').selectAll().execute();
  await ask('POST /photos/effacer', { ids: [erased] });
  await ask('POST /photos/supprimer', { ids: [thrown] });
  await ask(`PATCH /photos/${hidden}`, { statut: 'refusee' });

  const old = site;
  await old.stop();
  const { directory, logLines, advance, now, services } = old;
  const older = await openServices(services.config, { clock: now, log: services.log });
  await older.database.write(async (db) => {
    await db.deleteFrom('effacements').execute();
    await db.deleteFrom('photos').execute();
    await db.deleteFrom('fichiers').execute();
    // Ids are made by the database alone: they are not those of before.
    for (const { id: was, ...photo } of before) {
      const made = await db
        .insertInto('photos')
        .values({ ...photo, statut: photo.statut as StateWrite })
        .returning('id')
        .executeTakeFirstOrThrow();
      const own = files.filter(({ objet_id }) => objet_id === was);
      await db
        .insertInto('fichiers')
        .values(own.map((file) => ({ ...file, objet_id: made.id })))
        .execute();
    }
  });
  await closeServices(older);
  const server = await startServer(services.config, { clock: now, log: services.log });
  site = wrapSite(server, { directory, logLines, advance, now, cleanUp: () => old.close() });

  const states = await tables().selectFrom('photos').select(['empreinte', 'statut']).orderBy('id').execute();
  const markOf = (photo: number | undefined) => before.find((row) => row.id === photo)?.empreinte;
  expect(states).toEqual([
    { empreinte: markOf(hidden), statut: 'retiree' },
    { empreinte: markOf(thrown), statut: 'retiree' },
    { empreinte: markOf(seen), statut: 'publiee' },
  ]);
  expect([
    keptFiles().length,
    (await tables().selectFrom('fichiers').select('nom').execute()).length,
  ]).toEqual([15, 15]);
  const seenBy = async (role: 'family' | 'admin', what: string) =>
    site.ask(what, { token: await site.tokenOf(role, id) });
  const { photos } = (await seenBy('family', `GET /api/api/stages/${id}/photos`)).json;
  expect(photos).toHaveLength(1);
  expect((await seenBy('admin', `GET /api/photos/${photos[0].fichiers.w320}`)).status).toBe(200);
});

describe('A site killed while it erases photos', () => {
  afterEach(killAll);

  test('knows of every file that is left, and erases the rest at its next look', async () => {
    const place = await newPlace();
    const config = readConfig(place.env);
    const kept = () => filesUnder(join(place.directory, 'files'));
    const opened = async <T>(work: (services: Awaited<ReturnType<typeof openServices>>) => Promise<T>) => {
      const services = await openServices(config);
      try {
        return await work(services);
      } finally {
        await closeServices(services);
      }
    };
    await opened(async (services) => {
      const { id } = await services.database.write(async (db) =>
        db
          .insertInto('stages')
          .values({
            ...{ nom_stage: 'Passé', cle: 'passe', date_debut: '2025-07-06', date_fin: '2025-07-20' },
            ...{ mdp_formateur: 'x', mdp_stagiaire: 'x', conservation_jours: null, fini_le: '2025-10-01' },
            ...{ created_at: '2025-06-01T00:00:00.000Z', modifie_le: '2025-06-01T00:00:00.000Z' },
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      );
      await addPhotos(services, id, 600, () => ({ version: 'legere' }));
    });
    expect(kept()).toHaveLength(3_000);

    const server = await start(place);
    while (kept().length === 3_000) await new Promise(setImmediate);
    await kill(server);
    await opened(async ({ database }) => {
      const names = new Set(
        (await database.db.selectFrom('fichiers').select('nom').execute()).map(({ nom }) => nom),
      );
      const left = kept().map((path) => path.slice(path.lastIndexOf('/') + 1));
      expect(left.length).toBeGreaterThan(0);
      expect(left.filter((name) => !names.has(name))).toEqual([]);
      // Its turn would come within the hour.
      await database.write((db) => db.deleteFrom('planifications').execute());
    });

    const next = await start(place);
    await expect.poll(kept).toEqual([]);
    await stop(next);
    await opened(async ({ database }) => {
      for (const table of ['photos', 'fichiers'] as const)
        expect(await database.db.selectFrom(table).selectAll().execute()).toEqual([]);
      expect(await database.db.selectFrom('stages').select('mdp_stagiaire').execute()).toEqual([
        { mdp_stagiaire: '' },
      ]);
    });
    await place.clean();
  });
});
