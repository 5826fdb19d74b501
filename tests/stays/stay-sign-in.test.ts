import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { insertStay, type NewStay, writeStayPasswords } from '#features/stays/server/staysStore.ts';
import { COOKIES, openSession } from '#platform/server/sessionsStore.ts';
import type { Answer, AskOptions, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { isWhole } from '#tests/support/soak.ts';

const DAY = 24 * 3_600_000;
const FAMILY = 'K7QF-2MXA-9TRD';
const DIRECTOR = 'PHJ3-VV8N-4WCE';
/** The clock of the site stands at 20 June 2026 when it opens. */
const SUMMER = { nom_stage: 'Été à Oléron', date_debut: '2026-07-06', date_fin: '2026-07-20' };

let site: TestSite;
let oleron: number;
beforeAll(async () => {
  site = await openSite({ env: { TRUST_PROXY: '1' } });
  oleron = await addStay(SUMMER, { stagiaire: FAMILY, formateur: DIRECTOR });
});
afterAll(() => site?.close());
// Failures of one test must not make the next one wait.
beforeEach(() => site.advance(15 * 60_000));

function addStay(stay: NewStay, passwords: { stagiaire?: string; formateur?: string } = {}): Promise<number> {
  const { database, secrets } = site.services;
  return database.write((transaction) => insertStay(transaction, secrets, stay, site.now(), passwords));
}

function signIn(stageId: unknown, password: unknown, options: AskOptions = {}): Promise<Answer> {
  return site.call('POST /auth/login', { body: { stageId, password }, ...options });
}

const from = (address: string): AskOptions => ({ headers: { 'x-forwarded-for': address } });

/** What a guesser can compare, but for what changes with every answer. */
function lookOf({ status, headers, text }: Answer) {
  const rest = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)).sort();
  return { status, text, headers: rest };
}

const REFUSED = { message: 'Numéro de séjour ou mot de passe incorrect.' };

describe('The right password', () => {
  test('of families makes a family of that stay, until the last day of its photos is over', async () => {
    const answer = await signIn(oleron, FAMILY);
    expect(answer.status).toBe(200);
    // Sixty days after 20 July, at midnight in Paris.
    const expire_le = '2026-09-18T22:00:00.000Z';
    expect(answer.json).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      userRole: 'stagiaire',
      stageId: oleron,
      nom_stage: SUMMER.nom_stage,
      message: 'Connexion réussie. Redirection...',
      expire_le,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual([
      `${COOKIES.family}_${oleron}=${answer.json.token}; Path=/; HttpOnly; SameSite=Strict; Expires=${new Date(expire_le).toUTCString()}`,
    ]);
    expect((await site.call('GET /session', { token: answer.json.token })).json).toEqual({
      role: 'family',
      username: null,
      stageId: oleron,
      expire_le,
      droits: [],
    });
  });

  test('of directors makes a director of that stay, for fourteen days', async () => {
    const answer = await signIn(String(oleron), DIRECTOR);
    expect([answer.status, answer.json.userRole, answer.json.stageId]).toEqual([200, 'formateur', oleron]);
    expect(answer.json.expire_le).toBe(new Date(site.now().getTime() + 14 * DAY).toISOString());
    const session = await site.call('GET /session', { token: answer.json.token });
    expect(session.json).toMatchObject({ role: 'director', stageId: oleron });
  });

  test('of directors lasts no longer than the photos of the stay', async () => {
    const short = await addStay(
      { nom_stage: 'Week-end', date_debut: '2026-06-18', date_fin: '2026-06-19', conservation_jours: 3 },
      { formateur: DIRECTOR },
    );
    expect((await signIn(short, DIRECTOR)).json.expire_le).toBe('2026-06-23T22:00:00.000Z');
  });

  test('is taken in any case, with or without its dashes and blanks', async () => {
    for (const typed of ['k7qf-2mxa-9trd', 'K7QF2MXA9TRD', ' K7QF 2MXA 9TRD ', 'K7QF–2MXA–9TRD']) {
      expect((await signIn(oleron, typed)).status, typed).toBe(200);
    }
  });

  test('is taken as it is copied: the number in its words, the password with the full stop after it, and I for L', async () => {
    for (const number of [`séjour ${oleron}`, `Séjour n°\u00a0${oleron}.`, ` ${oleron} `, oleron])
      expect((await signIn(number as string, `${DIRECTOR}.`)).status, String(number)).toBe(200);
    for (const number of ['la mer', `${oleron} ou ${oleron}`, '', `${'x'.repeat(70)}${oleron}`])
      expect((await signIn(number, DIRECTOR)).status, number).toBe(422);
    const looking = await addStay({ ...SUMMER, nom_stage: 'Lune' }, { stagiaire: 'LL2B-8MNP-4RTL' });
    for (const typed of ['ll2b-8mnp-4rtl', 'II2B 8MNP 4RTI', '112B8MNP4RT1'])
      expect((await signIn(looking, typed)).status, typed).toBe(200);
    expect((await signIn(looking, 'LL2B-8MNP-4RT')).status).toBe(401);
  });

  test('opens for sixty families at once behind one address', async () => {
    const families = Array.from({ length: 60 }, () => signIn(oleron, FAMILY, from('198.51.100.1')));
    const answers = await Promise.all(families);
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
    expect(new Set(answers.map(({ json }) => json.token)).size).toBe(60);
  });

  test('opens nothing any more once it was changed', async () => {
    const { database, secrets } = site.services;
    const changed = await addStay({ ...SUMMER, nom_stage: 'Voile' }, { stagiaire: FAMILY });
    await database.write((transaction) =>
      writeStayPasswords(transaction, secrets, changed, { stagiaire: 'NXG4-72LA-KKP9' }),
    );
    expect((await signIn(changed, FAMILY)).status).toBe(401);
    expect((await signIn(changed, 'NXG4-72LA-KKP9')).status).toBe(200);
  });

  test('of a stay whose photos are gone is told since when, and is no failure', async () => {
    const past = await addStay(
      {
        ...SUMMER,
        nom_stage: 'Neige',
        date_debut: '2026-02-07',
        date_fin: '2026-02-14',
        conservation_jours: 2,
      },
      { stagiaire: FAMILY, formateur: DIRECTOR },
    );
    // Recorded on 20 June, long after its end: its photos stay two days from then.
    expect((await signIn(past, FAMILY)).json.expire_le).toBe('2026-06-22T22:00:00.000Z');
    site.advance(3 * DAY);
    for (let turn = 0; turn < 8; turn++) {
      for (const password of [FAMILY, DIRECTOR]) {
        const answer = await signIn(past, password);
        expect(answer.status).toBe(401);
        expect(answer.json).toEqual({
          message: 'Les photos de ce séjour ne sont plus en ligne depuis le 23 juin 2026.',
        });
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    }
    expect((await signIn(past, 'faux')).json).toEqual(REFUSED);
  });
});

describe('A sign-in that is refused', () => {
  test('looks the same for an unknown stay, another stay’s password, a wrong one and none at all', async () => {
    const other = await addStay({ ...SUMMER, nom_stage: 'Cirque' });
    const wrong = await signIn(oleron, 'K7QF-2MXA-9TRE');
    expect([wrong.status, wrong.json]).toEqual([401, REFUSED]);
    const attempts: [unknown, string][] = [
      [999_999_999_999_999, FAMILY],
      [other, FAMILY],
      [other, DIRECTOR],
      [oleron, ''],
      [oleron, '---'],
      [oleron, FAMILY.slice(0, -1)],
      [oleron, `${FAMILY}X`],
      [oleron, `${FAMILY}${' '.repeat(90_000)}`],
      [oleron, 'x'.repeat(90_000)],
      [oleron, `' or 1=1 --\u0000`],
    ];
    for (const [index, [stageId, password]] of attempts.entries()) {
      const answer = await signIn(stageId, password, from(`198.51.101.${index}`));
      expect(lookOf(answer), `${stageId} ${password.slice(0, 20)}`).toEqual(lookOf(wrong));
    }
  });

  test('names fields that are missing or of the wrong type', async () => {
    const cases: [unknown, string[]][] = [
      [{}, ['password', 'stageId']],
      [{ stageId: oleron }, ['password']],
      [{ password: FAMILY }, ['stageId']],
      [{ stageId: oleron, password: [FAMILY] }, ['password']],
      [{ stageId: [oleron], password: FAMILY }, ['stageId']],
      [{ stageId: 'Oléron', password: FAMILY }, ['stageId']],
      [{ stageId: 0, password: FAMILY }, ['stageId']],
      [{ stageId: -1, password: FAMILY }, ['stageId']],
      [{ stageId: 1.5, password: FAMILY }, ['stageId']],
      [{ stageId: `${oleron}\u0000`, password: FAMILY }, ['stageId']],
      [{ stageId: '9'.repeat(16), password: FAMILY }, ['stageId']],
    ];
    for (const [body, names] of cases) {
      const answer = await site.call('POST /auth/login', { body });
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(Object.keys(answer.json.champs).sort(), JSON.stringify(body)).toEqual(names);
    }
  });

  test('slows down that stay from that address only, however its number is written', async () => {
    const here = '198.51.102.1';
    for (const stageId of [oleron, `${oleron}`, `0${oleron}`, `00${oleron}`, oleron, `${oleron}`]) {
      expect((await signIn(stageId, 'faux', from(here))).status).toBe(401);
    }
    const refused = await signIn(oleron, FAMILY, from(here));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    const other = await addStay({ ...SUMMER, nom_stage: 'Équitation' }, { stagiaire: FAMILY });
    expect((await signIn(other, FAMILY, from(here))).status).toBe(200);
    expect((await signIn(oleron, FAMILY, from('198.51.102.2'))).status).toBe(200);
    site.advance(1_000);
    expect((await signIn(oleron, FAMILY, from(here))).status).toBe(200);
  });

  test('never locks a stay: under guesses from hundreds of addresses a family elsewhere signs in at once', async () => {
    const guessed = await addStay({ ...SUMMER, nom_stage: 'Forêt' }, { stagiaire: FAMILY });
    // On PostgreSQL a failure to count is seven journeys to another process.
    const groups = isWhole && inject('database') === 'sqlite' ? 10 : 2;
    const statuses: number[] = [];
    const guessFrom = async (address: string) => {
      for (let turn = 0; turn < 20; turn++) {
        statuses.push((await signIn(guessed, `FAUX-${turn}`, from(address))).status);
      }
    };
    for (let group = 0; group < groups; group++) {
      const addresses = Array.from({ length: 50 }, (_, index) => `203.0.${group}.${index}`);
      const guessing = Promise.all(addresses.map(guessFrom));
      expect((await signIn(guessed, FAMILY, from(`198.51.101.${group}`))).status).toBe(200);
      await guessing;
    }
    // Six guesses of each address are looked at; the clock stands still.
    const count = (status: number) => statuses.filter((one) => one === status).length;
    expect([count(401), count(429)]).toEqual([6 * 50 * groups, 14 * 50 * groups]);
    expect((await signIn(guessed, FAMILY, from('203.0.113.9'))).status).toBe(200);
    expect((await signIn(guessed, FAMILY, from('203.0.0.0'))).status).toBe(429);
    site.advance(5_000);
    expect((await signIn(guessed, FAMILY, from('203.0.0.0'))).status).toBe(200);
  });

  test('is put off when too many failures wait to be counted; who types the right password never is', async () => {
    const guesses = Array.from({ length: 300 }, (_, index) =>
      signIn(oleron, 'FAUX', from(`203.1.${index % 3}.${index}`)),
    );
    const right = await Promise.all(
      [1, 2, 3].map((host) => signIn(oleron, FAMILY, from(`198.51.103.${host}`))),
    );
    expect(right.map(({ status }) => status)).toEqual([200, 200, 200]);
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect([401, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
  });

  test('is what a page of another site gets', async () => {
    const answer = await signIn(oleron, FAMILY, { headers: { origin: 'https://attaquant.test' } });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  });
});

test('the journal names sign-ins of directors, not those of families; no password is in it or in the logs', async () => {
  const { db } = site.services.database;
  const stay = await addStay(
    { ...SUMMER, nom_stage: 'Montagne' },
    { stagiaire: FAMILY, formateur: DIRECTOR },
  );
  await signIn(stay, FAMILY);
  await signIn(stay, DIRECTOR);
  await signIn(stay, 'lavande-42');
  const lines = await db.selectFrom('journal').selectAll().where('objet_id', '=', stay).execute();
  expect(lines).toMatchObject([
    { acteur: `directeur du séjour ${stay}`, action: 'connexion à un séjour', objet: 'stages' },
  ]);
  const kept = JSON.stringify([await db.selectFrom('journal').selectAll().execute(), site.logLines]);
  for (const password of [FAMILY, DIRECTOR, 'lavande-42']) expect(kept).not.toContain(password);
});

describe('Going back to a stay of the same device', () => {
  test('sets the cookie of its token again, until the sign-in ends', async () => {
    const first = (await signIn(oleron, FAMILY)).json;
    const second = (await signIn(oleron, DIRECTOR)).json;
    const cookie = `${COOKIES.family}=${second.token}`;
    const answer = await site.call('POST /session/reprise', { token: first.token, cookie });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([
      `${COOKIES.family}_${oleron}=${first.token}; Path=/; HttpOnly; SameSite=Strict; Expires=${new Date(first.expire_le).toUTCString()}`,
    ]);
    expect((await site.call('POST /auth/logout', { token: first.token })).status).toBe(200);
    const ended = await site.call('POST /session/reprise', { token: first.token, cookie });
    expect([ended.status, ended.headers.getSetCookie()]).toEqual([401, []]);
  });

  test('is for families and directors, by their token alone', async () => {
    for (const role of ['admin', 'reader'] as const) {
      const answer = await site.call('POST /session/reprise', { token: await site.tokenOf(role) });
      expect([answer.status, answer.headers.getSetCookie()], role).toEqual([403, []]);
    }
    const { token } = (await signIn(oleron, FAMILY)).json;
    const cookie = `${COOKIES.family}=${token}`;
    expect((await site.call('POST /session/reprise', { cookie })).status).toBe(401);
  });
});

test('The right password opens a stay a hundred times from one network in ten minutes, and as often as it is typed from everywhere', async () => {
  const winter = await addStay(
    { ...SUMMER, nom_stage: 'Neige' },
    { stagiaire: 'M4RT-9KX2-7QFA', formateur: '' },
  );
  const open = (count: number, ip: string) =>
    site.services.database.write(async (transaction) => {
      const end = new Date(site.now().getTime() + DAY);
      const who = { role: 'family', stageId: winter, from: { ip, device: '' } } as const;
      for (let opened = 0; opened < count; opened++) await openSession(transaction, who, site.now(), end);
    });
  const statusFrom = async (address: string) =>
    (await signIn(winter, 'M4RT-9KX2-7QFA', from(address))).status;
  await open(99, '203.0.113.7');
  expect(await statusFrom('203.0.113.8')).toBe(200);
  const refused = await signIn(winter, 'M4RT-9KX2-7QFA', from('203.0.113.9'));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(refused.json.message).toMatch(/^Ce séjour vient d’être ouvert un très grand nombre de fois/);
  expect(await statusFrom('198.51.100.1')).toBe(200);
  for (let network = 0; network < 11; network++) await open(99, `192.0.${network}.1`);
  expect(await statusFrom('198.51.100.1')).toBe(200);
  // Another stay goes on, and this one ten minutes later.
  expect((await signIn(oleron, FAMILY, from('198.51.100.1'))).status).toBe(200);
  site.advance(10 * 60_000);
  expect(await statusFrom('203.0.113.9')).toBe(200);
});
