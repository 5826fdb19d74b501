import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { composers } from '#features/mails/server/compose.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { queuedMessages } from '#platform/server/mail/outboxStore.ts';
import type { OpenedPassword } from '#platform/server/secrets.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ANSWER = {
  message:
    'Si cette adresse est inscrite à ce séjour, elle reçoit un e-mail dans quelques minutes. ' +
    'Vous n’avez rien reçu\u202f? Regardez parmi les courriers indésirables, puis écrivez-nous.',
};
const TOO_MANY = 'Trop de mots de passe ont été demandés\u202f: réessayez dans quelques minutes.';

const FIRST = 'Parent.Un@exemple.org';
const SECOND = 'second@exemple.org';
const DIRECTOR = 'odile@exemple.org';

let site: TestSite;
let stay: number;
let other: number;
beforeAll(async () => {
  // The server of mails refuses the connection: what is written waits.
  site = await openSite({
    env: { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'site@exemple.fr' },
  });
});
afterAll(() => site?.close());
beforeEach(async () => {
  // A new window of counts.
  site.advance(10 * MINUTE);
  [stay, other] = [await addStay('Étoile', FIRST), await addStay('Baleine', 'ailleurs@exemple.org')];
});

let stays = 0;

/** A stay with one family, whose second address is the same everywhere, and one director. */
async function addStay(name: string, email: string): Promise<number> {
  stays += 1;
  const { database, secrets } = site.services;
  const dates = { date_debut: '2026-07-06', date_fin: '2026-07-20' };
  const values = { nom_stage: `${name} ${stays}`, ...dates, conservation_jours: 3 };
  const id = await database.write((transaction) => insertStay(transaction, secrets, values, site.now()));
  const token = await site.tokenOf('admin');
  const child = { nom: 'Roy', prenom: 'Lou', mailRL: email, email_2: SECOND, stageId: id };
  expect((await site.call('POST /add-stagiaire', { token, body: child })).status).toBe(201);
  const director = { nom: 'Fouquier', prenom: 'Odile', mail: DIRECTOR, telephone: '01 99', cat: 'sejour' };
  const body = { ...director, stageId: id };
  expect((await site.call('POST /formateurs/add', { token, body })).status).toBe(201);
  return id;
}

let addresses = 0;

function ask(stageId: unknown, email: unknown, from = `203.0.113.${++addresses % 250}`): Promise<Answer> {
  const headers = { 'x-forwarded-for': from };
  return site.call('POST /auth/code-perdu', { body: { stageId, email }, headers });
}

/** The messages that wait for these stays once the work after the answers is done, in order. */
async function written(...ids: number[]) {
  await site.jobs.idle();
  return site.services.database.db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envois_messages.envoi_id')
    .select(['genre', 'type', 'destinataire'])
    .where('stage_id', 'in', ids)
    .orderBy('envois_messages.id')
    .execute();
}

/** What those messages say, in the same order. */
async function textsOf(id: number): Promise<string[]> {
  const { db } = site.services.database;
  const messages = await queuedMessages(db)
    .where('stage_id', '=', id)
    .orderBy('envois_messages.id')
    .execute();
  const services = { ...site.services, shown: ({ unseen }: OpenedPassword) => unseen };
  const letters = await Promise.all(messages.map((message) => composers.perdu(services, db, message)));
  return letters.map((letter) => (typeof letter === 'string' ? letter : letter.text));
}

const family = (destinataire: string) => ({ genre: 'perdu', type: 'stagiaire', destinataire });
const direction = { genre: 'perdu', type: 'formateur', destinataire: DIRECTOR };

describe('A lost code', () => {
  test('is answered the same for any address and any stay, and sent to recorded addresses only', async () => {
    const lookOf = ({ status, headers, json }: Answer) => ({
      status,
      json,
      headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)).sort(),
    });
    const known = lookOf(await ask(stay, FIRST));
    expect([known.status, known.json]).toEqual([200, ANSWER]);
    const asked: [unknown, string][] = [
      [stay, 'inconnu@exemple.org'],
      [stay, 'ailleurs@exemple.org'],
      [other, FIRST],
      [999_999_999_999_999, FIRST],
    ];
    for (const [stageId, email] of asked) expect(lookOf(await ask(stageId, email))).toEqual(known);
    expect(await written(stay, other)).toEqual([family(FIRST)]);
  });

  test('is sent to both addresses of a family and to directors, each theirs, in whatever case it is typed', async () => {
    for (const email of ['PARENT.UN@exemple.org', ' Second@Exemple.org ', 'Odile@exemple.ORG'])
      expect((await ask(String(stay), email)).json).toEqual(ANSWER);
    expect(await written(stay)).toEqual([family(FIRST), family(SECOND), direction]);
    const token = await site.tokenOf('admin');
    const [passwords] = (await site.call(`GET /stage-passwords/${stay}`, { token })).json;
    const { mdp_stagiaire: ofFamilies, mdp_formateur: ofDirectors } = passwords;
    const brought = (await textsOf(stay)).map((text) =>
      [ofFamilies, ofDirectors].map((one) => text.includes(one)),
    );
    expect(brought).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ]);
  });

  test('is sent to a parent who directs the stay as both', async () => {
    const both = await addStay('Marmotte', DIRECTOR);
    await ask(both, DIRECTOR);
    expect(await written(both)).toEqual([direction, family(DIRECTOR)]);
  });

  test('is sent to one address once in ten minutes and five times a day, and nobody is told', async () => {
    const counts = [];
    for (let turn = 0; turn < 7; turn++) {
      for (let again = 0; again < 2; again++) expect((await ask(stay, FIRST)).json).toEqual(ANSWER);
      counts.push((await written(stay)).length);
      site.advance(10 * MINUTE);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 5, 5]);
    site.advance(DAY);
    await ask(stay, FIRST);
    expect(await written(stay)).toHaveLength(6);
    // Another’s are counted apart.
    await ask(stay, SECOND);
    expect(await written(stay)).toHaveLength(7);
  });

  test('is sent to one address ten times a day whatever the stays, and nobody is told', async () => {
    const ids = [];
    for (let turn = 0; turn < 11; turn++) ids.push(await addStay('Grèbe', 'plusieurs@exemple.org'));
    for (const id of ids) expect((await ask(id, 'Plusieurs@exemple.org')).json).toEqual(ANSWER);
    expect(await written(...ids)).toHaveLength(10);
    site.advance(DAY);
    await ask(ids[10], 'plusieurs@exemple.org');
    expect(await written(...ids)).toHaveLength(11);
  });

  test('is not kept back by what a clock that ran ahead has dated', async () => {
    await ask(stay, FIRST);
    expect(await written(stay)).toHaveLength(1);
    site.advance(-MINUTE);
    await ask(stay, FIRST);
    expect(await written(stay)).toHaveLength(2);
    site.advance(MINUTE);
  });

  test('asked for many times at once is one message', async () => {
    await Promise.all(Array.from({ length: 9 }, () => ask(stay, FIRST)));
    expect(await written(stay)).toEqual([family(FIRST)]);
  });

  test('of a stay whose photos are gone is not sent', async () => {
    const { database } = site.services;
    const past = { date_debut: '2026-02-07', date_fin: '2026-02-14', created_at: '2026-02-01T00:00:00.000Z' };
    await database.write((db) => db.updateTable('stages').set(past).where('id', '=', stay).execute());
    expect((await ask(stay, FIRST)).json).toEqual(ANSWER);
    expect(await written(stay)).toEqual([]);
  });

  test('leaves no address in the jobs, the journal or the logs', async () => {
    const typed = 'nulle-part@exemple.org';
    await ask(stay, typed);
    await ask(stay, FIRST);
    await written(stay);
    const { db } = site.services.database;
    const rows = [
      await db.selectFrom('jobs').selectAll().execute(),
      await db.selectFrom('journal').selectAll().execute(),
    ];
    expect(rows[0]?.filter((row) => !('nom' in row) || row.nom !== 'send-mail')).toEqual([]);
    const kept = JSON.stringify(rows) + site.logLines.join('');
    for (const address of [typed, FIRST]) expect(kept).not.toContain(address);
  });
});

describe('Asking for lost codes', () => {
  test('is refused after ten times in ten minutes from one address, with when to come back', async () => {
    const statuses = [];
    for (let turn = 0; turn < 11; turn++) statuses.push((await ask(stay, FIRST, '198.51.100.7')).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    const refused = await ask(stay, 'inconnu@exemple.org', '198.51.100.7');
    expect([refused.status, refused.json]).toEqual([429, { message: TOO_MANY }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(stay, FIRST)).status).toBe(200);
  });

  test('without a mail server is answered by whom to ask, the same for any address', async () => {
    const mute = await openSite();
    try {
      for (const email of [FIRST, 'inconnu@exemple.org']) {
        const { status, json } = await mute.call('POST /auth/code-perdu', { body: { stageId: 1, email } });
        const message =
          'Le site n’envoie pas encore d’e-mails\u202f: écrivez-nous pour recevoir votre mot de passe.';
        expect([status, json]).toEqual([200, { message }]);
      }
    } finally {
      await mute.close();
    }
  });

  test('tells what is wrong with what was typed', async () => {
    const answer = await ask('la mer', 'parent');
    expect(answer.status).toBe(422);
    expect(answer.json.champs).toEqual({
      stageId: 'le numéro du séjour est attendu, par exemple 4.',
      email: 'cette adresse e-mail n’est pas valable.',
    });
    expect(await written(stay)).toEqual([]);
  });
});
