import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { updateAdmin } from '#features/accounts/server/adminsStore.ts';
import { hashPassword } from '#features/accounts/server/passwords.ts';
import { journal } from '#features/audit/server/journal.ts';
import { SITE } from '#platform/server/actor.ts';
import { endSessions } from '#platform/server/sessionsStore.ts';
import type { Answer, AskOptions, TestSite } from '#tests/support/people.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';

const GOOD = 'girafe-boussole-71';

let site: TestSite;
let token: string;
beforeAll(async () => {
  site = await openSite({ env: { TRUST_PROXY: '1', ORGANISATION_NAME: 'Horizon des Alpes' } });
});
afterAll(() => site?.close());
beforeEach(async () => {
  site.advance(15 * 60_000);
  token = await site.tokenOf('admin');
});

function call(what: string, body?: unknown, options: AskOptions = {}): Promise<Answer> {
  return site.call(what, { token, body, ...options });
}

async function create(username: string, password = GOOD): Promise<number> {
  const answer = await call('POST /admins', { username, password });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

async function signIn(username: string, password: string, from = '203.0.113.77'): Promise<Answer> {
  const headers = { 'x-forwarded-for': from };
  return site.call('POST /loginAdmin', { body: { username, password }, headers });
}

async function tokenFor(username: string, password = GOOD): Promise<string> {
  const { tokenAdmin } = (await signIn(username, password)).json;
  expect(tokenAdmin).toBeTypeOf('string');
  return tokenAdmin;
}

const names = async () => (await call('GET /admins')).json.map((one: { username: string }) => one.username);
const sessionStatus = async (of: string) => (await site.call('GET /session', { token: of })).status;

/** What the journal gained while `work` ran, oldest first. */
async function journalOf(work: () => Promise<unknown>) {
  const [last] = (await call('GET /journal?limite=1')).json.entrees;
  await work();
  const { entrees } = (await call('GET /journal?limite=200')).json;
  return entrees.filter(({ id }: { id: number }) => id > last.id).reverse();
}

async function withoutOthers(): Promise<void> {
  const others = (await call('GET /admins')).json.slice();
  for (const { id, username } of others) {
    if (username !== ADMIN.username) await call(`DELETE /admins/${id}`);
  }
}

/** Signs in with the right password and does `work` while that password waits to be checked. */
async function duringSignIn(username: string, work: () => Promise<void>): Promise<Answer> {
  // The site is kept busy with other passwords, for several times as long as the sign-in takes to come in.
  const others = Array.from({ length: 40 }, () => hashPassword('une autre'));
  const answer = signIn(username, GOOD, '198.51.100.99');
  await pause(100);
  await work();
  await Promise.all(others);
  return answer;
}

describe('The list of admins', () => {
  test('tells names and dates, by name, and nothing of passwords', async () => {
    await create('Zoé');
    await create('bernard');
    const { json, text } = await call('GET /admins');
    expect(json.map(({ username }: { username: string }) => username)).toEqual(['Alice', 'bernard', 'Zoé']);
    for (const one of json)
      expect(Object.keys(one).sort()).toEqual([
        'created_at',
        'droits',
        'email',
        'facteur_avant',
        'id',
        'invite_jusqua',
        'username',
        'vu_le',
      ]);
    expect(text).not.toContain('$argon2');
    const zoe = json.at(-1);
    expect([zoe.created_at, zoe.vu_le]).toEqual([site.now().toISOString(), null]);
    site.advance(1_000);
    await signIn('Zoé', GOOD);
    const seen = (await call('GET /admins')).json.at(-1);
    expect(seen.vu_le).toBe(site.now().toISOString());
    await withoutOthers();
  });
});

describe('Creating an admin', () => {
  test('gives someone who can sign in', async () => {
    const answer = await call('POST /admins', { username: ' Élodie ', password: GOOD });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      message: 'Administrateur ajouté avec succès',
      id: expect.any(Number),
      username: 'Élodie',
      created_at: site.now().toISOString(),
      vu_le: null,
      facteur_avant: null,
      invite_jusqua: null,
      email: '',
      droits: ['contenus', 'sejours', 'photos', 'reglages'],
    });
    expect((await signIn('elodie', GOOD)).status).toBe(200);
    const session = await site.call('GET /session', { token: await tokenFor('Élodie') });
    expect(session.json.username).toBe('Élodie');
  });

  test('the password opens however its accents were typed', async () => {
    await create('Normande', 'forêt-bécasse-ïle'.normalize('NFC'));
    expect((await signIn('Normande', 'forêt-bécasse-ïle'.normalize('NFD'))).status).toBe(200);
  });

  test('a taken name is a 409, whatever its case and accents', async () => {
    for (const username of ['Élodie', 'elodie', 'ELODIE', 'Elodié', 'Ｅlodie', ' élodie ']) {
      const answer = await call('POST /admins', { username, password: GOOD });
      expect(answer.status, username).toBe(409);
      expect(answer.json).toEqual({ message: 'Cet identifiant est déjà pris.' });
    }
    expect((await names()).filter((name: string) => name === 'Élodie')).toHaveLength(1);
  });

  test('of two with one name at once, one is created', async () => {
    for (let round = 0; round < 3; round++) {
      const both = await Promise.all(
        [`Jumeau${round}`, `jumeau${round}`].map((username) =>
          call('POST /admins', { username, password: GOOD }),
        ),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });

  test('faulty fields are named', async () => {
    const cases: [unknown, string[]][] = [
      [{}, ['username']],
      [{ username: 'Chloé' }, ['password']],
      [{ password: GOOD }, ['username']],
      [{ username: '  ', password: GOOD }, ['username']],
      [{ username: 'x', password: GOOD }, ['username']],
      [{ username: 'deux mots', password: GOOD }, ['username']],
      [{ username: '<b>Chloé</b>', password: GOOD }, ['username']],
      [{ username: 'Chlo\u0000é', password: GOOD }, ['username']],
      [{ username: 'C'.repeat(101), password: GOOD }, ['username']],
      [{ username: ['Chloé'], password: GOOD }, ['username']],
      [{ username: 'Chloé', password: 'court' }, ['password']],
      [{ username: 'Chloé', password: 12_345_678_901_234 }, ['password']],
      [{ username: 'Chloé', password: `${'girafe-'.repeat(29)}` }, ['password']],
      [{ username: 'Chloé', password: 'girafe\nboussole-71' }, ['password']],
    ];
    for (const [body, fields] of cases) {
      const answer = await call('POST /admins', body);
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(Object.keys(answer.json.champs).sort(), JSON.stringify(body)).toEqual(fields);
    }
    expect(await names()).not.toContain('Chloé');
  });

  test('a password that guessers try first is refused', async () => {
    const weak = [
      'court-à-11c',
      'motdepasse123',
      'MotDePasse2026!',
      'motdepasse-admin',
      'password1234',
      'Password123!',
      '123456789012',
      'azertyuiop123',
      'qwertyuiop2026',
      'aaaaaaaaaaaa',
      'abababababab',
      '1111-1111-1111',
      'Bernadette2026',
      'bernadette123456',
      'bernadette-bernadette',
      'BERNADETTE!!!!',
      'passerelle2026',
      'administrateur1',
      'horizondesalpes1',
      'Horizon des Alpes 2026',
    ];
    const accepted: string[] = [];
    for (const password of weak) {
      const answer = await call('POST /admins', { username: 'Bernadette', password });
      if (answer.status !== 422) {
        accepted.push(`${password} (${answer.status})`);
        if (answer.status === 201) await call(`DELETE /admins/${answer.json.id}`);
        continue;
      }
      expect(Object.keys(answer.json.champs), password).toEqual(['password']);
      expect(answer.text, 'the password is not said again').not.toContain(password);
    }
    expect(accepted).toEqual([]);
  });

  test('any other long one is taken: words, blanks, other alphabets, 200 characters', async () => {
    const good = [
      'quatre mots sans rapport',
      'ёлка-дракон-птица',
      GOOD.repeat(20).slice(0, 200),
      'aB3$kL9!xQ2;',
    ];
    for (const [turn, password] of good.entries()) {
      await create(`Longue${turn}`, password);
      expect((await signIn(`Longue${turn}`, password)).status, password).toBe(200);
    }
  });

  test('what else a body holds counts for nothing', async () => {
    const body = `{"username":"Intrus","password":"${GOOD}","id":1,"role":"admin","cle":"alice","mot_de_passe":"x",
      "created_at":"1999-01-01","vu_le":"1999-01-01","__proto__":{"username":"Autre"},"constructor":{"prototype":{"x":1}}}`;
    const answer = await call('POST /admins', body, { headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      username: 'Intrus',
      created_at: site.now().toISOString(),
      vu_le: null,
      facteur_avant: null,
      email: '',
    });
    expect(answer.json.id).toBeGreaterThan(1);
    expect((await signIn('Intrus', GOOD)).status).toBe(200);
    await withoutOthers();
  });
});

describe('Changing an admin', () => {
  test('a new name keeps the password, and the session', async () => {
    const id = await create('Marcel');
    const his = await tokenFor('Marcel');
    const answer = await call(`PUT /admins/${id}`, { username: 'Marcelin' });
    expect(answer.json).toMatchObject({
      message: 'Administrateur modifié avec succès',
      id,
      username: 'Marcelin',
    });
    expect((await signIn('Marcel', GOOD)).status).toBe(401);
    expect((await signIn('marcelin', GOOD)).status).toBe(200);
    expect((await site.call('GET /session', { token: his })).json.username).toBe('Marcelin');
    expect((await call(`PUT /admins/${id}`, { username: 'MARCELIN' })).json.username).toBe('MARCELIN');
  });

  test('a new password ends that admin’s sessions and keeps the name', async () => {
    const id = await create('Nadia');
    const hers = [await tokenFor('Nadia'), await tokenFor('Nadia')];
    expect((await call(`PUT /admins/${id}`, { password: 'loutre-cerise-88' })).status).toBe(200);
    for (const one of hers) expect(await sessionStatus(one)).toBe(401);
    expect(await sessionStatus(token)).toBe(200);
    expect((await signIn('Nadia', GOOD)).status).toBe(401);
    expect((await signIn('Nadia', 'loutre-cerise-88')).status).toBe(200);
  });

  test('nothing named changes nothing', async () => {
    const id = await create('Oscar');
    const his = await tokenFor('Oscar');
    expect((await call(`PUT /admins/${id}`, {})).json).toMatchObject({ id, username: 'Oscar' });
    expect(await sessionStatus(his)).toBe(200);
    expect((await signIn('Oscar', GOOD)).status).toBe(200);
  });

  test('a taken name is a 409, a weak password a 422, and then nothing has changed', async () => {
    const id = await create('Paula');
    expect(
      (await call(`PUT /admins/${id}`, { username: 'álice', password: 'loutre-cerise-88' })).status,
    ).toBe(409);
    expect((await call(`PUT /admins/${id}`, { username: 'Paulette', password: 'paulette2026' })).status).toBe(
      422,
    );
    expect((await call(`PUT /admins/${id}`, { username: 'P', password: 'loutre-cerise-88' })).status).toBe(
      422,
    );
    expect((await signIn('Paula', GOOD)).status).toBe(200);
  });

  test('of two that take one name at once, one gets it and the other hears 409', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = [await create(`Gauche${round}`), await create(`Droite${round}`)];
      const both = await Promise.all(
        ids.map((id) => call(`PUT /admins/${id}`, { username: `Milieu${round}` })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
    await withoutOthers();
  });

  test('a sign-in with the old password that waits while it is changed opens nothing', async () => {
    const id = await create('Quentin');
    const { database } = site.services;
    const passwordHash = await hashPassword('loutre-cerise-88');
    const answer = await duringSignIn('Quentin', async () => {
      await database.write(async (transaction) => {
        await updateAdmin(transaction, id, { passwordHash });
        await endSessions(transaction, { adminId: id });
      });
    });
    const opened = answer.status === 200 ? await sessionStatus(answer.json.tokenAdmin) : answer.status;
    expect(opened).toBe(401);
    await withoutOthers();
  });

  test('nobody is a 404', async () => {
    expect((await call('PUT /admins/999999', { username: 'Personne' })).status).toBe(404);
    expect((await call('DELETE /admins/999999')).status).toBe(404);
  });
});

describe('Changing one’s own password', () => {
  const NEW = 'loutre-cerise-88';
  const own = (ancien: unknown, nouveau: unknown, as: string) =>
    site.call('POST /admins/moi/mot-de-passe', { token: as, body: { ancien, nouveau } });

  test('needs the old one; the present session stays and the others end', async () => {
    await create('Rosa');
    const [present, other] = [await tokenFor('Rosa'), await tokenFor('Rosa')];
    const wrong = await own('pas-le-bon-du-tout', NEW, present);
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.json.champs)).toEqual(['ancien']);
    expect(await sessionStatus(other)).toBe(200);
    expect((await own(GOOD, NEW, present)).json).toEqual({ message: 'Mot de passe modifié avec succès' });
    expect([await sessionStatus(present), await sessionStatus(other)]).toEqual([200, 401]);
    expect(await sessionStatus(token)).toBe(200);
    expect((await signIn('Rosa', GOOD)).status).toBe(401);
    expect((await signIn('Rosa', NEW)).status).toBe(200);
  });

  test('a weak new one is named, and the old one goes on opening', async () => {
    await create('Simone');
    const hers = await tokenFor('Simone');
    for (const nouveau of ['court', 'motdepasse123', 'simone-simone-1', '']) {
      const answer = await own(GOOD, nouveau, hers);
      expect(answer.status, nouveau).toBe(422);
      expect(Object.keys(answer.json.champs), nouveau).toEqual(['nouveau']);
    }
    const missing = await site.call('POST /admins/moi/mot-de-passe', { token: hers, body: {} });
    expect(Object.keys(missing.json.champs).sort()).toEqual(['ancien', 'nouveau']);
    expect((await signIn('Simone', GOOD)).status).toBe(200);
  });

  test('guessing the old one has to wait like a sign-in', async () => {
    await create('Thérèse');
    const hers = await tokenFor('Thérèse');
    for (let turn = 0; turn < 6; turn++) expect((await own(`faux-${turn}`, NEW, hers)).status).toBe(422);
    expect((await own(GOOD, NEW, hers)).status).toBe(429);
    site.advance(1_000);
    expect((await own(GOOD, NEW, hers)).status).toBe(200);
  });

  test('the call for others does not take one’s own without the old one', async () => {
    const id = await create('Ursule');
    const hers = await tokenFor('Ursule');
    const answer = await site.call(`PUT /admins/${id}`, { token: hers, body: { password: NEW } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await signIn('Ursule', GOOD)).status).toBe(200);
    await withoutOthers();
  });
});

describe('Deleting an admin', () => {
  test('ends the sessions and the sign-in, and frees the name', async () => {
    const id = await create('Victor');
    const his = await tokenFor('Victor');
    const answer = await call(`DELETE /admins/${id}`);
    expect([answer.status, answer.json]).toEqual([200, { message: 'Administrateur supprimé avec succès' }]);
    expect(await sessionStatus(his)).toBe(401);
    expect((await signIn('Victor', GOOD)).status).toBe(401);
    expect((await call(`DELETE /admins/${id}`)).status).toBe(404);
    expect(await create('Victor')).toBeGreaterThan(id);
    await withoutOthers();
  });

  test('the last one stays', async () => {
    const [{ id }] = (await call('GET /admins')).json;
    const answer = await call(`DELETE /admins/${id}`);
    expect([answer.status, answer.json]).toEqual([
      409,
      { message: 'Le dernier administrateur ne peut pas être supprimé.' },
    ]);
    expect((await signIn(ADMIN.username, ADMIN.password)).status).toBe(200);
  });

  test('of the last two, deleting each other at once, one stays', async () => {
    const { db } = site.services.database;
    const { mot_de_passe } = await db.selectFrom('admins').selectAll().executeTakeFirstOrThrow();
    for (let round = 0; round < 5; round++) {
      const [first] = (await call('GET /admins')).json;
      const second = await create(`Second${round}`);
      const his = await tokenFor(`Second${round}`);
      const both = await Promise.all([
        site.call(`DELETE /admins/${second}`, { token }),
        site.call(`DELETE /admins/${first.id}`, { token: his }),
      ]);
      const statuses = both.map(({ status }) => status).sort();
      expect([200, 401, 409]).toContain(statuses[1]);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(await db.selectFrom('admins').select('username').execute()).toHaveLength(1);
      // Whoever is left goes on as Alice.
      await site.services.database.write((transaction) =>
        transaction.updateTable('admins').set({ username: 'Alice', cle: 'alice', mot_de_passe }).execute(),
      );
      token = await site.tokenOf('admin');
    }
  });

  test('while signing in, the sign-in is refused', async () => {
    const id = await create('Wanda');
    const answer = await duringSignIn('Wanda', async () => {
      expect((await call(`DELETE /admins/${id}`)).status).toBe(200);
    });
    expect(answer.status, answer.text).toBe(401);
    expect(await names()).toEqual(['Alice']);
  });
});

describe('The journal', () => {
  test('has one line for each action: who, what, when, on whom, from where shortly', async () => {
    let id = 0;
    const lines = await journalOf(async () => {
      id = await create('Xavier');
      const his = await tokenFor('Xavier');
      await site.call('POST /admins/moi/mot-de-passe', {
        token: his,
        body: { ancien: GOOD, nouveau: 'loutre-cerise-88' },
      });
      await call(`PUT /admins/${id}`, { username: 'Xaverine' });
      await call(`DELETE /admins/${id}`);
    });
    const instant = site.now().toISOString();
    const line = (acteur: string, action: string, ip: string) => ({
      id: expect.any(Number),
      instant,
      acteur,
      action,
      objet: 'admins',
      objet_id: id,
      ip,
    });
    expect(lines).toEqual([
      line('Alice', 'création d’un administrateur', '127.0.0.0'),
      line('Xavier', 'connexion au portail', '203.0.113.0'),
      line('Xavier', 'changement de son mot de passe', '127.0.0.0'),
      line('Alice', 'modification d’un administrateur', '127.0.0.0'),
      line('Alice', 'suppression d’un administrateur', '127.0.0.0'),
    ]);
  });

  test('has none for what was refused', async () => {
    const lines = await journalOf(async () => {
      await call('POST /admins', { username: 'Alice', password: GOOD });
      await call('POST /admins', { username: 'Yves', password: 'motdepasse123' });
      await call('PUT /admins/999999', { username: 'Yves' });
      await call('DELETE /admins/999999');
      await signIn('Alice', 'faux');
    });
    expect(lines).toEqual([]);
  });

  test('shortens addresses so that they name no household', async () => {
    const from = {
      '203.0.113.77': '203.0.113.0',
      '::ffff:203.0.113.77': '203.0.113.0',
      '2001:db8:aa:bb:cc::1': '2001:db8:aa::',
      '2001:db8::1': '2001:db8:0::',
    };
    for (const [address, kept] of Object.entries(from)) {
      const [line] = await journalOf(() => signIn(ADMIN.username, ADMIN.password, address));
      expect(line.ip, address).toBe(kept);
    }
  });

  test('begins with the first admin, made by the operator', async () => {
    const { db } = site.services.database;
    const first = await db.selectFrom('journal').selectAll().orderBy('id').executeTakeFirstOrThrow();
    expect(first).toMatchObject({
      acteur: 'commande',
      action: 'création du premier administrateur',
      ip: null,
    });
  });

  test('is read page after page, newest first, while it goes on growing', async () => {
    const all = (await call('GET /journal?limite=200')).json.entrees;
    expect(all.length).toBeGreaterThan(10);
    const read: { id: number }[] = [];
    let next = '';
    for (;;) {
      const page = (await call(`GET /journal?limite=7${next}`)).json;
      read.push(...page.entrees);
      await signIn(ADMIN.username, ADMIN.password);
      if (page.suite === null) break;
      expect(page.entrees).toHaveLength(7);
      expect(page.suite).toBe(page.entrees.at(-1).id);
      next = `&avant=${page.suite}`;
      if (read.length > all.length) break;
    }
    expect(read).toEqual(all);
    const ids = read.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect((await call(`GET /journal?avant=${ids.at(-1)}`)).json).toEqual({ entrees: [], suite: null });
  });

  test('has fifty lines a page when not told otherwise', async () => {
    await site.services.database.write(async (transaction) => {
      for (let turn = 0; turn < 60; turn++) await journal(transaction, SITE, site.now(), 'rien');
    });
    expect((await call('GET /journal')).json.entrees).toHaveLength(50);
  });

  test('faulty pages are named', async () => {
    for (const limite of ['0', '201', '-1', '1.5', 'x', '', '1e9', '5&limite=6']) {
      const answer = await call(`GET /journal?limite=${limite}`);
      expect(answer.status, limite).toBe(422);
      expect(Object.keys(answer.json.champs)).toEqual(['limite']);
    }
    for (const avant of ['0', '-1', '1.5', 'x', '', 'NaN', '99999999999999999999']) {
      const answer = await call(`GET /journal?avant=${avant}`);
      expect(answer.status, avant).toBe(422);
      expect(Object.keys(answer.json.champs)).toEqual(['avant']);
    }
  });

  test('holds no password, hash or full address', async () => {
    const { db } = site.services.database;
    const rows = await db.selectFrom('journal').selectAll().execute();
    const text = JSON.stringify(rows);
    for (const word of [
      GOOD,
      ADMIN.password,
      'loutre-cerise-88',
      'motdepasse123',
      '$argon2',
      '203.0.113.77',
      '127.0.0.1',
    ]) {
      expect(text, word).not.toContain(word);
    }
  });
});

test('the logs hold no password and no name', () => {
  const logs = site.logLines.join('');
  const names = ['Sel1', 'Alice', 'milieu'];
  const found = [GOOD, 'girafe-boussole-72', ADMIN.password, ...names].filter((word) => logs.includes(word));
  expect(found).toEqual([]);
});

test('passwords are kept as Argon2id of 19 MiB or more, each with its own salt', async () => {
  await create('Sel1', 'girafe-boussole-72');
  await create('Sel2', 'girafe-boussole-72');
  const { db } = site.services.database;
  const rows = await db.selectFrom('admins').select('mot_de_passe').execute();
  expect(new Set(rows.map((row) => row.mot_de_passe)).size).toBe(rows.length);
  for (const { mot_de_passe } of rows) {
    const [, memory, turns] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(mot_de_passe) ?? [];
    expect(Number(memory)).toBeGreaterThanOrEqual(19_456);
    expect(Number(turns)).toBeGreaterThanOrEqual(2);
  }
});

describe('Rights', () => {
  const one = async (username: string) =>
    (await call('GET /admins')).json.find((admin: { username: string }) => admin.username === username);

  test('an account gets all of them unless some are chosen; they are changed, in order, each once', async () => {
    await withoutOthers();
    const id = await create('agnes');
    expect((await one('agnes')).droits).toEqual(['contenus', 'sejours', 'photos', 'reglages']);
    const body = { droits: ['photos', 'contenus', 'photos'] };
    const changed = await call(`PUT /admins/${id}`, body);
    expect(changed.json.droits).toEqual(['contenus', 'photos']);
    expect((await call(`PUT /admins/${id}`, { email: 'agnes@exemple.org' })).json.droits).toEqual([
      'contenus',
      'photos',
    ]);
    const chosen = { username: 'basile', password: GOOD, droits: [] };
    expect((await call('POST /admins', chosen)).json.droits).toEqual([]);
    expect((await call(`PUT /admins/${id}`, { droits: ['tout'] })).status).toBe(422);
  });

  test('a change counts at once: the sessions of the account end, and the journal has a line', async () => {
    await withoutOthers();
    const id = await create('agnes');
    const hers = await tokenFor('agnes');
    const lines = await journalOf(() => call(`PUT /admins/${id}`, { droits: ['photos'] }));
    expect(lines.map(({ action }: { action: string }) => action)).toEqual([
      'changement des droits d’un administrateur',
    ]);
    expect(await sessionStatus(hers)).toBe(401);
    const again = await tokenFor('agnes');
    expect((await site.call('GET /session', { token: again })).json.droits).toEqual(['photos']);
    expect((await site.call('GET /verifyToken', { token: again })).json.droits).toEqual(['photos']);
    expect((await site.call('GET /actualites?tout=1', { token: again })).status).toBe(403);
  });

  test('nobody gives rights, or takes over an account with rights, beyond their own', async () => {
    await withoutOthers();
    await call('POST /admins', { username: 'comptes', password: GOOD, droits: ['reglages'] });
    await call('POST /admins', { username: 'autre', password: GOOD, droits: ['reglages'] });
    const hers = await tokenFor('comptes');
    const asks = (what: string, body?: unknown) => site.call(what, { token: hers, body });
    const { id: me } = await one('comptes');
    const { id: first } = await one(ADMIN.username);
    const { id: other } = await one('autre');
    const given = { username: 'complice', password: GOOD, droits: ['reglages', 'sejours'] };
    const refused = await asks('POST /admins', given);
    expect(refused.status).toBe(403);
    expect(refused.json.message).toContain('«\u00a0Séjours et familles\u00a0»');
    expect((await asks('POST /admins', { username: 'complice', password: GOOD })).status).toBe(403);
    expect((await asks(`PUT /admins/${me}`, { droits: ['reglages', 'photos'] })).status).toBe(403);
    for (const body of [{ password: GOOD }, { username: 'pris' }, { email: 'a@exemple.org' }, { droits: [] }])
      expect((await asks(`PUT /admins/${first}`, body)).status, JSON.stringify(body)).toBe(403);
    expect((await asks(`DELETE /admins/${first}`)).status).toBe(403);
    expect((await asks(`PUT /admins/${other}`, { droits: [] })).status).toBe(200);
    expect((await asks(`DELETE /admins/${other}`)).status).toBe(200);
    expect(await names()).toEqual([ADMIN.username, 'comptes'].toSorted());
  });

  test('somebody always has all of them: the last such account neither loses one nor is deleted, even when two go at once', async () => {
    await withoutOthers();
    await call('POST /admins', { username: 'photos', password: GOOD, droits: ['photos'] });
    const { id: first } = await one(ADMIN.username);
    const some = { droits: ['contenus', 'sejours', 'reglages'] };
    expect((await call(`PUT /admins/${first}`, some)).status).toBe(409);
    expect((await call(`DELETE /admins/${first}`)).status).toBe(409);
    const second = await create('seconde');
    const hers = await tokenFor('seconde');
    const answers = await Promise.all([
      call(`PUT /admins/${second}`, some),
      site.call(`PUT /admins/${first}`, { token: hers, body: some }),
    ]);
    // The other comes too late: nobody else has them all, or its session has ended.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const keeper = answers[0]?.status === 200 ? await site.tokenOf('admin') : hers;
    const all = (await site.call('GET /admins', { token: keeper })).json;
    expect(all.filter(({ droits }: { droits: string[] }) => droits.length === 4)).toHaveLength(1);
  });
});
