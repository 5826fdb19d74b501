import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SITE } from '#platform/server/actor.ts';
import { addJob } from '#platform/server/jobs/jobsStore.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import { form } from '#tests/support/forms.ts';
import { addPhotos } from '#tests/support/gallery.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* A clock that jumps, at every work that comes back: nothing is erased by a time that may be wrong, and work goes on. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

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

/** One of everything that some work erases once it is old. */
async function fill(): Promise<void> {
  const { database, secrets } = site.services;
  const { id } = await ask('POST /stages', {
    nom_stage: 'Été à Oléron',
    date_debut: '2026-06-01',
    date_fin: '2026-06-20',
  });
  await ask('POST /add-stagiaire', {
    ...{ nom: 'Nom', prenom: 'Léa', mailRL: 'f@exemple.fr', consentement_image: 'oui', stageId: id },
  });
  await addPhotos(site.services, id, 1);
  const director = { nom: 'Max', prenom: 'Max', mail: 'max@exemple.fr', telephone: '1', cat: 'centre' };
  await ask('POST /formateurs/add', { ...director, stageId: id });
  const evaluation = { notes: { repas: 5 }, recommande: true, texte: '' };
  await site.call(`POST /stages/${id}/evaluation`, {
    token: await site.tokenOf('family', id),
    body: evaluation,
  });
  await site.call('POST /contact', { body: { nom: 'Ana', email: 'ana@exemple.fr', message: 'Bonjour.' } });
  const news = await ask('POST /actualites', form({ titre: 'a', description: 'b' }));
  await ask(`DELETE /actualites/${news.id}`);
  await database.write((transaction) =>
    insertMailing(
      transaction,
      secrets,
      {
        genre: 'libre',
        texts: { objet: 'Bonjour', texte: 'Bonnes vacances.' },
        actor: SITE,
        messages: [{ address: 'f@exemple.fr' }],
      },
      site.now(),
    ),
  );
  await database.write((transaction) =>
    transaction.insertInto('pages_vues').values({ jour: '2024-06-01', page: '', nombre: 1 }).execute(),
  );
}

const ERASED = [
  'actualites',
  'evaluations',
  'formateurs',
  'messages_contact',
  'photos',
  'stagiaires',
] as const;

async function left() {
  const { db } = site.services.database;
  const counts = await Promise.all(
    ERASED.map(async (table) => [table, (await db.selectFrom(table).selectAll().execute()).length] as const),
  );
  const mails = await db.selectFrom('envois_messages').select('etat').execute();
  const lines = await db.selectFrom('journal').select('id').where('action', 'like', 'création%').execute();
  return { ...Object.fromEntries(counts), mails: mails.map(({ etat }) => etat), lines: lines.length > 0 };
}

const ALL = { ...Object.fromEntries(ERASED.map((table) => [table, 1])), mails: ['attente'], lines: true };

/** A job is done at once, and within a day every work has had its turn. */
async function expectAtWork(): Promise<void> {
  const { database } = site.services;
  await database.write((transaction) => addJob(transaction, 'read-minutes', { id: 99 }, site.now()));
  await site.jobs.idle();
  const left = database.db.selectFrom('jobs').selectAll().where('nom', '=', 'read-minutes');
  expect(await left.execute()).toEqual([]);
  site.advance(DAY);
  await site.schedule.tick();
  const turns = await database.db.selectFrom('planifications').select(['nom', 'derniere_le']).execute();
  expect(turns.length).toBeGreaterThan(10);
  for (const { nom, derniere_le } of turns)
    expect([nom, derniere_le]).toEqual([nom, site.now().toISOString()]);
}

describe('A clock that jumps', () => {
  beforeEach(async () => {
    await site.schedule.tick();
    await fill();
    expect(await left()).toEqual(ALL);
  });

  test('400 days ahead erases nothing by age, until staff confirm the day', async () => {
    site.advance(400 * DAY);
    for (let hour = 0; hour < 3; hour++) {
      site.advance(HOUR);
      await site.schedule.tick();
    }
    expect(await left()).toEqual(ALL);
    await expectAtWork();
    expect(await left()).toEqual(ALL);

    await ask('POST /horloge', { jour: site.now().toISOString().slice(0, 10) });
    for (let day = 0; day < 3; day++) {
      site.advance(DAY);
      await site.schedule.tick();
    }
    const gone = await left();
    expect(ERASED.map((table) => [table, gone[table as keyof typeof gone]])).toEqual(
      ERASED.map((table) => [table, 0]),
    );
    expect([gone.mails, gone.lines]).toEqual([['echec'], false]);
  });

  test('400 days ahead and back again has erased nothing', async () => {
    site.advance(400 * DAY);
    await site.schedule.tick();
    site.advance(-400 * DAY);
    await site.schedule.tick();
    expect(await left()).toEqual(ALL);
    await expectAtWork();
  });

  test('two days back erases nothing, and every work runs again within its time', async () => {
    site.advance(-2 * DAY);
    await site.schedule.tick();
    expect(await left()).toEqual(ALL);
    await expectAtWork();
    expect(await left()).toEqual(ALL);
  });
});
