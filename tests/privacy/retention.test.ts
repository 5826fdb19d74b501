import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { journal } from '#features/audit/server/journal.ts';
import { SITE } from '#platform/server/actor.ts';
import { insertMailing, openTexts } from '#platform/server/mail/outboxStore.ts';
import { passDays, type TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/** The clock of the site stands at 20 June 2026 when it opens. */
const SUMMER = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin: '2026-07-20' };
const HOUR = 3_600_000;

let site: TestSite;
let token: string;
beforeEach(async () => {
  site = await openSite();
  token = await site.tokenOf('admin');
});
afterEach(() => site.close());

/** Lets days pass, and the works that come back do theirs; staff sign in again. */
async function pass(days: number): Promise<void> {
  await passDays(site, days);
  token = await site.tokenOf('admin');
}

// biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
async function ask(what: string, body?: unknown): Promise<any> {
  const answer = await site.call(what, { token, body });
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(300);
  return answer.json;
}

async function linesOf(start: string): Promise<string[]> {
  const rows = await site.services.database.db.selectFrom('journal').select('action').execute();
  return rows.map(({ action }) => action).filter((action) => action.startsWith(start));
}

describe('Directors', () => {
  const person = (mail: string) => ({ nom: mail, prenom: 'Max', mail: `${mail}@exemple.fr`, telephone: '1' });
  const names = async () => (await ask('GET /formateurs')).map(({ nom }: { nom: string }) => nom);

  test('are erased a year after their last stay, or after they were added to an older one', async () => {
    const [first, last] = [
      await ask('POST /stages', SUMMER),
      await ask('POST /stages', { ...SUMMER, nom_stage: 'Plus tard', date_fin: '2026-08-20' }),
    ];
    await ask('POST /formateurs/add', { ...person('Premier'), cat: 'centre', stageId: first.id });
    for (const { id } of [first, last])
      await ask('POST /formateurs/add', { ...person('Second'), cat: 'centre', stageId: id });
    await pass(300);
    await ask('POST /formateurs/add', { ...person('Tard'), cat: 'centre', stageId: first.id });
    // Until 20 July 2027.
    await pass(95);
    expect(await names()).toEqual(['Premier', 'Second', 'Tard']);
    await pass(1);
    expect(await names()).toEqual(['Second', 'Tard']);
    await pass(31);
    expect(await names()).toEqual(['Tard']);
    await pass(300);
    expect(await names()).toEqual([]);
    expect(await linesOf('effacement d’anciens directeurs')).toEqual(
      Array(3).fill('effacement d’anciens directeurs (1)'),
    );
  });

  test('without a stay are erased a year after somebody last changed them', async () => {
    const { id: stageId } = await ask('POST /stages', SUMMER);
    const { id } = await ask('POST /formateurs/add', { ...person('Seul'), cat: 'centre', stageId });
    await pass(200);
    await ask(`PUT /formateurs/${id}`, { ...person('Seul'), cat: 'centre', stageIds: [] });
    await pass(364);
    expect(await names()).toEqual(['Seul']);
    await pass(2);
    expect(await names()).toEqual([]);
  });
});

test('Evaluations are erased after a year, the directors’ review stays', async () => {
  const { id } = await ask('POST /stages', { ...SUMMER, date_debut: '2026-06-01', date_fin: '2026-06-20' });
  const sections = [{ code: 'repas', note: 4, commentaire: '' }];
  await ask(`PUT /stages/${id}/bilan`, { sections });
  const body = { notes: { repas: 5 }, recommande: true, texte: '' };
  await site.call(`POST /stages/${id}/evaluation`, { token: await site.tokenOf('family', id), body });
  const count = async () =>
    (await site.services.database.db.selectFrom('evaluations').selectAll().execute()).length;
  await pass(365);
  expect(await count()).toBe(1);
  await pass(1);
  expect(await count()).toBe(0);
  expect(await linesOf('effacement d’anciennes évaluations')).toEqual([
    'effacement d’anciennes évaluations (1)',
  ]);
  expect((await ask(`GET /stages/${id}/bilan`)).sections).toContainEqual(sections[0]);
});

test('Lines of the journal are erased after a year, however many there are', async () => {
  const { database } = site.services;
  await database.write(async (transaction) => {
    for (let turn = 0; turn < 2_500; turn++) await journal(transaction, SITE, site.now(), 'ancienne');
  });
  await pass(364);
  await ask('POST /stages', SUMMER);
  expect(await linesOf('ancienne')).toHaveLength(2_500);
  await pass(2);
  expect(await linesOf('ancienne')).toEqual([]);
  expect(await linesOf('création')).toHaveLength(1);
});

describe('Mails', () => {
  const TEXTS = { objet: 'Bonjour', texte: 'Bonnes vacances.' };
  const add = (messages: { address: string }[]) =>
    site.services.database.write((transaction) =>
      insertMailing(
        transaction,
        site.services.secrets,
        { genre: 'libre', texts: TEXTS, actor: SITE, messages },
        site.now(),
      ),
    );
  /** What the sender writes of a message that it is done with. */
  const end = (address: string, etat: 'envoye' | 'echec') =>
    site.services.database.write((transaction) =>
      transaction
        .updateTable('envois_messages')
        .set({ etat, termine_le: site.now().toISOString(), reponse: '250 pour lea@exemple.fr' })
        .where('destinataire', '=', address)
        .execute(),
    );
  const messages = () =>
    site.services.database.db
      .selectFrom('envois_messages')
      .select(['destinataire', 'etat', 'erreur', 'reponse'])
      .orderBy('id')
      .execute();
  async function texts() {
    const { database, secrets } = site.services;
    const rows = await database.db.selectFrom('envois').selectAll().orderBy('id').execute();
    return rows.map((row) => openTexts(secrets, row));
  }

  test('say nothing any more seven days after their last one ended, and are gone after six months', async () => {
    await add([{ address: 'a@exemple.fr' }, { address: 'b@exemple.fr' }]);
    await end('a@exemple.fr', 'envoye');
    await pass(3);
    await end('b@exemple.fr', 'echec');
    await pass(6.9);
    expect(await texts()).toEqual([TEXTS]);
    expect((await messages()).map(({ reponse }) => reponse)).toEqual([null, expect.any(String)]);
    await pass(0.2);
    expect(await texts()).toEqual([undefined]);
    expect(await messages()).toEqual([
      { destinataire: 'a@exemple.fr', etat: 'envoye', erreur: null, reponse: null },
      { destinataire: 'b@exemple.fr', etat: 'echec', erreur: null, reponse: null },
    ]);
    await pass(174);
    expect((await messages()).map(({ destinataire }) => destinataire)).toEqual(['b@exemple.fr']);
    await pass(3);
    expect([await messages(), await texts()]).toEqual([[], []]);
  });

  test('that could not leave in thirty days are given up, and keep their text until then', async () => {
    await add([{ address: 'a@exemple.fr' }]);
    await pass(29);
    expect([await texts(), (await messages())[0]?.etat]).toEqual([[TEXTS], 'attente']);
    await pass(2);
    expect((await messages())[0]).toMatchObject({ etat: 'echec', erreur: 'trop_tard' });
    await pass(8);
    expect(await texts()).toEqual([undefined]);
  });

  test('are all erased at the first look after a stop of a year, once somebody has confirmed the day', async () => {
    await site.schedule.tick();
    await add(Array.from({ length: 1_200 }, (_, index) => ({ address: `${index}@exemple.fr` })));
    await add([{ address: 'a@exemple.fr' }]);
    await end('a@exemple.fr', 'envoye');
    site.advance(400 * 24 * HOUR);
    await site.schedule.tick();
    expect(await messages()).toHaveLength(1_201);
    token = await site.tokenOf('admin');
    await ask('POST /horloge', { jour: site.now().toISOString().slice(0, 10) });
    await pass(1 / 24);
    expect((await messages()).map(({ etat }) => etat)).toEqual(Array(1_200).fill('echec'));
    expect(await texts()).toHaveLength(1);
    await pass(184);
    expect([await messages(), await texts()]).toEqual([[], []]);
  });
});

test('The address of a lost code that could never be looked up is erased after a day', async () => {
  const { database } = site.services;
  const { id: stageId } = await ask('POST /stages', SUMMER);
  const rename = (from: string, to: string) =>
    database.write((db) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db));
  const jobs = () => database.db.selectFrom('jobs').select(['nom', 'essais']).execute();
  await rename('stages', 'ailleurs');
  await site.call('POST /auth/code-perdu', { body: { stageId, email: 'lea@exemple.fr' } });
  for (let turn = 0; turn < 10; turn++) {
    await site.jobs.idle();
    site.advance(2 * HOUR);
  }
  await rename('ailleurs', 'stages');
  await site.schedule.tick();
  expect(await jobs()).toEqual([{ nom: 'lost-code', essais: 8 }]);
  await pass(0.2);
  expect(await jobs()).toEqual([]);
});

test('A work that does not come to its end for two of its periods is told to staff, and holds no other up', async () => {
  const { database } = site.services;
  const rename = (from: string, to: string) =>
    database.write((db) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db));
  const told = async () =>
    (await ask('GET /tableau-de-bord')).alertes.filter(({ texte }: { texte: string }) =>
      texte.includes('n’abouti'),
    );
  await site.schedule.tick();
  await rename('evaluations', 'ailleurs');
  await pass(2 / 24);
  expect(await told()).toEqual([]);
  await pass(0.1 / 24);
  // The others came to their end, or they would be named as well.
  expect(await told()).toEqual([
    {
      texte:
        'Un travail régulier du site n’aboutit plus (effacement des anciennes évaluations)\u202f: le journal technique du serveur dit pourquoi.',
      panneau: null,
      adresse: null,
    },
  ]);
  await rename('ailleurs', 'evaluations');
  await pass(1 / 24);
  expect(await told()).toEqual([]);
});
