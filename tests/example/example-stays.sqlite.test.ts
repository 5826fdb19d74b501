import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateIn } from '#app/migrations/migrate.ts';
import { EXAMPLE } from '#features/example/server/items.ts';
import { planItems } from '#features/example/server/store.ts';
import { addJob } from '#platform/server/jobs/jobsStore.ts';
import { form } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { begin } from '#tests/support/sending.ts';
import { openSite } from '#tests/support/site.ts';

/** JSON of an answer; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
type Json = any;

const TABLES = [
  'stages',
  'formateurs',
  'affectations',
  'stagiaires',
  'livrets',
  'bilans',
  'evaluations',
  'photos',
  'photos_retraits',
  'jours',
  'attestations',
] as const;
const OF_STAYS = EXAMPLE.filter(({ table }) => TABLES.some((one) => one === table));

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

async function ask(what: string, body?: unknown): Promise<Json> {
  const answer = await site.call(what, { token: await site.tokenOf('admin'), body });
  expect([200, 201], `${what}: ${answer.text}`).toContain(answer.status);
  return answer.json;
}

/** The part of the example that has to do with stays: the rest has its own tests, and fifty pictures. */
async function bring(): Promise<void> {
  const { database } = site.services;
  await database.write(async (transaction) => {
    await planItems(transaction, OF_STAYS);
    for (const { cle } of OF_STAYS) await addJob(transaction, 'example', { cle, isComing: true }, site.now());
  });
  await site.jobs.idle();
}

async function takeOut(): Promise<void> {
  await ask('DELETE /exemple');
  await site.jobs.idle();
  expect(await ask('GET /exemple')).toMatchObject({ etat: 'absent', erreur: null });
}

/** How many rows each table has. */
async function rows(): Promise<Record<string, number>> {
  const { db } = site.services.database;
  const counts = await Promise.all(
    TABLES.map(async (table) => [
      table,
      (
        await db
          .selectFrom(table as 'stages')
          .selectAll()
          .execute()
      ).length,
    ]),
  );
  return Object.fromEntries(counts);
}

const files = () => site.services.database.db.selectFrom('fichiers').selectAll().execute();

const NONE = Object.fromEntries(TABLES.map((table) => [table, 0]));
const booklet = (name: string, more: Record<string, string> = {}) =>
  form({ livret: [minutesPdf('Le nôtre', ['Rien.']), name], ...more });

describe('The stays of the example', () => {
  test('are past, under way and to come, each with directors and families', async () => {
    await bring();
    const stays: Json[] = await ask('GET /stages-suivi');
    const today = site.now().toISOString().slice(0, 10);
    expect(stays).toHaveLength(6);
    expect(stays.filter(({ date_fin }) => date_fin < today)).toHaveLength(2);
    expect(stays.filter(({ date_debut }) => date_debut > today)).toHaveLength(2);
    for (const { familles, directeurs } of stays) {
      expect(familles).toBeGreaterThanOrEqual(8);
      expect(familles).toBeLessThanOrEqual(25);
      expect([1, 2]).toContain(directeurs);
    }
    const children: Json[] = (
      await Promise.all(stays.map(({ id }) => ask(`GET /get-stagiaires/${id}`)))
    ).flat();
    expect(new Set(children.map(({ nom, prenom }) => `${prenom} ${nom}`)).size).toBe(children.length);
    expect(new Set(children.map(({ consentement_image }) => consentement_image)).size).toBe(3);
    const addresses = children.flatMap(({ email, email_2 }) => [email, email_2].filter(Boolean));
    expect(addresses.filter((address) => !/^[a-z.-]+@example\.org$/.test(address))).toEqual([]);
    expect(await ask('GET /livrets')).toEqual(['La vie au centre.pdf', 'Préparer le départ.pdf']);
    const past = stays.find(({ nom_stage }) => nom_stage === 'Petits naturalistes');
    expect((await ask(`GET /stages/${past.id}/bilan`)).sections).not.toEqual([]);
  });

  test('have photos in one that is under way, most of them published, and words of its days', async () => {
    const stays: Json[] = await ask('GET /stages');
    const { id, date_debut } = stays.find(({ nom_stage }) => nom_stage === 'Cabanes et rivières');
    const family = { token: await site.tokenOf('family', id) };
    const { photos, total } = (await site.call(`GET /stages/${id}/photos`, family)).json;
    expect(total).toBe(13);
    expect(photos.filter(({ legende }: Json) => legende !== '').length).toBeGreaterThan(5);
    const days: Json[] = (await site.call(`GET /stages/${id}/jours`, family)).json;
    expect(days.map(({ mot }) => mot !== '')).toEqual([true, true, false]);
    expect(days.at(-1).jour).toBe(date_debut);
    const shown = await fetch(`${site.origin}/api/photos/${photos[0].fichiers.w1920}`, {
      headers: { authorization: `Bearer ${family.token}` },
    });
    expect(shown.status).toBe(200);
    const suivi = await ask(`GET /stages/${id}/photos/suivi`);
    expect(suivi).toMatchObject({ par_statut: { a_verifier: 3, publiee: 13, retiree: 1 }, demandes: 1 });
    expect(suivi.attestation).toMatchObject({ acteur: 'le site' });
  });

  test('leave nothing behind', async () => {
    await takeOut();
    expect(await rows()).toEqual(NONE);
    expect(await files()).toEqual([]);
  });

  test('keep a photo that somebody decided on, and the stay with it', async () => {
    await bring();
    site.advance(60_000);
    const stays: Json[] = await ask('GET /stages');
    const { id } = stays.find(({ nom_stage }) => nom_stage === 'Cabanes et rivières');
    const { photos } = await ask(`GET /stages/${id}/photos?statut=a_verifier`);
    await ask(`PATCH /photos/${photos[0].id}`, { statut: 'publiee' });
    await takeOut();
    expect((await ask('GET /stages')).map((stay: Json) => stay.id)).toEqual([id]);
    expect((await ask(`GET /stages/${id}/photos`)).photos.map((photo: Json) => photo.id)).toEqual([
      photos[0].id,
    ]);
    expect(await files()).toHaveLength(5);
    expect((await ask(`GET /stages/${id}/photos/suivi`)).attestation).toBeNull();
    await ask(`DELETE /stages/${id}`);
    expect([await rows(), await files()]).toEqual([NONE, []]);
  });

  test('keep what a family answered, and the stay with it', async () => {
    await bring();
    const stays: Json[] = await ask('GET /stages');
    const { id } = stays.find(({ nom_stage }) => nom_stage === 'Petits naturalistes');
    const token = await site.tokenOf('family', id);
    const body = { notes: {}, recommande: null, texte: 'Merci' };
    expect((await site.call(`POST /stages/${id}/evaluation`, { token, body })).status).toBe(201);
    await takeOut();
    expect((await ask('GET /stages')).map((stay: Json) => stay.id)).toEqual([id]);
    expect((await rows()).evaluations).toBe(4);
    await ask(`DELETE /stages/${id}`);
    expect([await rows(), await files()]).toEqual([NONE, []]);
  });

  test('keep a booklet that was sent for one of theirs, and the stay with it', async () => {
    await bring();
    const [{ id }]: Json[] = await ask('GET /stages');
    await ask('POST /livrets-upload', booklet('Trajet.pdf', { stageId: String(id) }));
    await takeOut();
    expect((await ask('GET /stages')).map((stay: Json) => stay.id)).toEqual([id]);
    expect(await ask('GET /livrets')).toEqual(['Trajet.pdf']);
    await ask(`DELETE /stages/${id}`);
    expect([await rows(), await files()]).toEqual([NONE, []]);
  });

  test('come and leave by the jobs of a former version too, once it is upgraded', async () => {
    const { database } = site.services;
    const [first] = OF_STAYS as [(typeof OF_STAYS)[number]];
    const upgradeWith = (nom: string) =>
      database.write(async (transaction) => {
        const at = site.now().toISOString();
        const job = { nom, charge: JSON.stringify({ cle: first.cle }), essais: 0 };
        await transaction
          .insertInto('jobs')
          .values({ ...job, a_faire_le: at, created_at: at })
          .execute();
        await sql`delete from migrations where nom = '0019-example-jobs'`.execute(transaction);
        await migrateIn(transaction, database.engine);
      });
    await database.write((transaction) => planItems(transaction, [first]));
    await upgradeWith('example-in');
    await site.jobs.idle();
    expect(await ask('GET /exemple')).toMatchObject({ etat: 'present', en_place: 1 });
    await upgradeWith('example-out');
    await site.jobs.idle();
    expect(await ask('GET /exemple')).toMatchObject({ etat: 'absent', en_place: 0 });
    expect(await rows()).toEqual(NONE);
  });

  test('stay where somebody wrote something in, the directors and the booklets too', async () => {
    await bring();
    const [changed, joined, reviewed, directed, erased, left]: Json[] = await ask('GET /stages');
    site.advance(60_000);
    const { nom_stage, date_debut, date_fin } = changed;
    await ask(`PUT /stages/${changed.id}`, { nom_stage, date_debut, date_fin, adresse: 'Chez nous' });
    const child = { nom: 'Nous', prenom: 'Lou', mailRL: 'lou@exemple.org', stageId: joined.id };
    await ask('POST /add-stagiaire', child);
    const sections = [{ code: 'repas', note: 5, commentaire: '' }];
    await ask(`PUT /stages/${reviewed.id}/bilan`, { sections });
    const own = { nom: 'Nous', prenom: 'Max', mail: 'max@exemple.org', telephone: '1', cat: 'centre' };
    await ask('POST /formateurs/add', { ...own, stageId: directed.id });
    const [someone]: Json[] = await ask(`GET /formateurs/by-stage/${erased.id}`);
    await ask(`PUT /formateurs/update/${someone.id}`, { ...someone, telephone: '2' });
    await ask(`DELETE /stages/${erased.id}`);
    await ask('POST /livrets-upload', booklet('La vie au centre.pdf'));
    const token = await site.tokenOf('admin');
    for (const { id: stageId } of [joined, left])
      await begin({ origin: site.origin, token, stageId }, Buffer.alloc(100));

    await takeOut();
    const uploads = await site.services.database.db.selectFrom('photos_envois').select('stage_id').execute();
    expect(uploads).toEqual([{ stage_id: joined.id }]);
    const there: Json[] = await ask('GET /stages');
    expect(there.map(({ id }) => id)).toEqual([changed, joined, reviewed, directed].map(({ id }) => id));
    expect(there.map(({ id }) => id)).not.toContain(left.id);
    expect(await ask(`GET /get-stagiaires/${changed.id}`)).not.toEqual([]);
    const directors: Json[] = await ask('GET /formateurs');
    expect(directors.map(({ id }) => id).sort()).toEqual(expect.arrayContaining([someone.id]));
    expect(directors).toHaveLength(2);
    expect(await ask('GET /livrets')).toEqual(['La vie au centre.pdf']);
  });

  test('do not come a second time where something of theirs stayed, which nobody then takes away', async () => {
    const before = [await rows(), await files()];
    await bring();
    const stays: Json[] = await ask('GET /stages');
    expect(new Set(stays.map(({ nom_stage }) => nom_stage)).size).toBe(stays.length);
    expect(stays).toHaveLength(6);
    await takeOut();
    expect([await rows(), await files()]).toEqual(before);
  });
});
