import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/* The link that each address of a stay gets with its codes: what it opens, for whom, and how it ends. */

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const MOTHER = 'Mere@exemple.org';
const FATHER = 'pere@exemple.org';
const DIRECTOR = 'odile@exemple.org';
const ROW = { enfant: null, envoye: true, coupe_le: null, soir_arret: null };
const CUT = 'Votre accès a été fermé par l’équipe du CSE.';

let site: TestSite;
let receiver: Receiver;
let stay: number;
let child: number;
let admin: string;
let stays = 0;

beforeAll(async () => {
  receiver = await openReceiver();
  const mails = { SMTP_URL: receiver.url, MAIL_FROM: 'site@exemple.fr' };
  site = await openSite({ env: { ...mails, PUBLIC_URL: 'http://localhost' } });
});
afterAll(async () => {
  await site?.close();
  await receiver?.close();
});

beforeEach(async () => {
  site.advance(DAY);
  stays += 1;
  const day = (offset: number) => new Date(site.now().getTime() + offset * DAY).toISOString().slice(0, 10);
  const { database, secrets } = site.services;
  const values = {
    nom_stage: `Étoile ${stays}`,
    date_debut: day(-1),
    date_fin: day(6),
    conservation_jours: 9,
  };
  stay = await database.write((transaction) => insertStay(transaction, secrets, values, site.now()));
  admin = await site.tokenOf('admin');
  const family = { nom: 'Roy', prenom: 'Lou', mailRL: MOTHER, email_2: FATHER, stageId: stay };
  const added = await site.call('POST /add-stagiaire', { token: admin, body: family });
  expect(added.status).toBe(201);
  child = added.json.id;
  const director = { nom: 'Fouquier', prenom: 'Odile', mail: DIRECTOR, telephone: '01 99', cat: 'sejour' };
  const assigned = await site.call('POST /formateurs/add', {
    token: admin,
    body: { ...director, stageId: stay },
  });
  expect(assigned.status).toBe(201);
});
afterEach(async () => {
  await site.jobs.idle();
  receiver.received.length = 0;
});

/** Sends the codes of the stay; returns what opens the link of each address. */
async function send(type = 'stagiaire'): Promise<Record<string, string>> {
  const body = { type, stageIds: [stay], objet: 'Codes', texte: '' };
  const sent = await site.call('POST /stages/envoi-mots-de-passe', { token: admin, body });
  expect(sent.status).toBe(201);
  return links();
}

/** What opens the links of the mails that came since the last look, by address in lower case. */
async function links(): Promise<Record<string, string>> {
  await site.jobs.idle();
  const mails = receiver.received.splice(0);
  return Object.fromEntries(
    mails.map(({ to, mail }) => [
      to[0]?.toLowerCase(),
      /http:\/\/localhost(?::\d+)?\/acces#([\w-]{43})\s/.exec(mail.text ?? '')?.[1],
    ]),
  );
}

const open = (jeton: string | undefined) => site.call('POST /auth/lien', { body: { jeton } });
const openedBy = async (jeton: string | undefined) => {
  const { status, json } = await open(jeton);
  expect(status).toBe(200);
  return json.token as string;
};
const sees = async (token: string) => {
  const { status, json } = await site.call(`GET /stages/${stay}`, { token });
  return status === 200 ? 'open' : [status, json.message];
};
const rows = async (type = 'stagiaire') =>
  (await site.call(`GET /stages/${stay}/liens?type=${type}`, { token: admin })).json;
const act = (what: 'couper' | 'nouveau', adresse: string, token = admin, type = 'stagiaire') =>
  site.call(`POST /stages/${stay}/liens/${what}`, { token, body: { type, adresse } });

describe('The link of an address', () => {
  test('comes with its codes, is another one for each, and opens the stay like its password', async () => {
    const sent = await send();
    expect(Object.keys(sent).sort()).toEqual([MOTHER.toLowerCase(), FATHER].sort());
    expect(sent[FATHER]).not.toBe(sent[MOTHER.toLowerCase()]);
    const { status, json, headers } = await open(sent[FATHER]);
    expect([status, json.userRole, json.stageId, json.message]).toEqual([
      200,
      'stagiaire',
      stay,
      'Connexion réussie. Redirection...',
    ]);
    expect(headers.getSetCookie().join()).toContain(`passerelle_sejour_${stay}`);
    expect(await sees(json.token)).toBe('open');
    // The same link again: of a second mail, and on another device.
    site.advance(20 * MINUTE);
    expect((await send())[FATHER]).toBe(sent[FATHER]);
    await openedBy(sent[FATHER]);
    expect(await rows()).toEqual([
      { ...ROW, adresse: MOTHER.toLowerCase(), ouvert_le: null, appareils: 0 },
      { ...ROW, adresse: FATHER, ouvert_le: expect.any(String), appareils: 2 },
    ]);
  });

  test('opens the page of directors for a director, and is told to the journal', async () => {
    const sent = await send('formateur');
    const { json } = await open(sent[DIRECTOR]);
    expect([json.userRole, await sees(json.token)]).toEqual(['formateur', 'open']);
    const { db } = site.services.database;
    const lines = await db.selectFrom('journal').select('action').orderBy('id', 'desc').limit(1).execute();
    expect(lines).toEqual([{ action: 'connexion à un séjour' }]);
  });

  test('is stored as a hash, and is in no line of the log', async () => {
    const secret = (await send())[FATHER] ?? '';
    await openedBy(secret);
    const { db } = site.services.database;
    for (const table of [
      'destinataires',
      'sessions',
      'envois',
      'envois_messages',
      'journal',
      'jobs',
    ] as const)
      expect(JSON.stringify(await db.selectFrom(table).selectAll().execute()), table).not.toContain(secret);
    expect(site.logLines.join('\n')).not.toContain(secret);
  });

  test('opens nothing by a method that only reads', async () => {
    const secret = (await send())[FATHER];
    for (const method of ['GET', 'HEAD'])
      for (const path of ['/auth/lien', `/auth/lien?jeton=${secret}`])
        expect((await site.call(`${method} ${path}`)).headers.getSetCookie()).toEqual([]);
    expect((await rows())[1]).toMatchObject({ adresse: FATHER, ouvert_le: null, appareils: 0 });
  });

  test('that is none opens nothing, and says so', async () => {
    for (const jeton of ['x'.repeat(43), '', 'faux', `${(await send())[FATHER]}x`]) {
      const { status, json } = await open(jeton);
      expect([status, json.message]).toEqual([401, expect.stringContaining('Ce lien n’ouvre plus rien')]);
    }
  });

  test('goes on when the password of the stay changes, which it does not need', async () => {
    const sent = await send();
    const token = await openedBy(sent[FATHER]);
    const byPassword = await site.tokenOf('family', stay);
    const renew = { token: admin, body: { type: 'stagiaire' } };
    expect((await site.call(`POST /stage-passwords/${stay}/regenerer`, renew)).status).toBe(200);
    expect([await sees(token), (await sees(byPassword))[0]]).toEqual(['open', 401]);
    await openedBy(sent[FATHER]);
  });

  test('tells where and when children are, which the shared password does not, unless staff want it so', async () => {
    const told = { adresse: '1, rue du Port', horaires: 'À 9 h', telephone_urgence: '06 00 00 00 00' };
    await site.services.database.write((db) =>
      db.updateTable('stages').set(told).where('id', '=', stay).execute(),
    );
    const tokens = [await openedBy((await send())[FATHER]), await site.tokenOf('family', stay)];
    const seen = () =>
      Promise.all(
        tokens.map(async (token) => {
          const { json } = await site.call(`GET /stages/${stay}`, { token });
          const { adresse, horaires, telephone_urgence, lieu } = json;
          return [{ adresse, horaires, telephone_urgence }, lieu];
        }),
      );
    const nothing = { adresse: '', horaires: '', telephone_urgence: '' };
    const choose = async (sejours_lieu: string) =>
      site.call('PUT /reglages', { token: await site.tokenOf('admin'), body: { sejours_lieu } });
    expect(await seen()).toEqual([
      [told, 'oui'],
      [nothing, 'lien'],
    ]);
    await choose('personne');
    expect(await seen()).toEqual(Array(2).fill([nothing, 'non']));
    await choose('tous');
    expect(await seen()).toEqual(Array(2).fill([told, 'oui']));
    await choose('liens');
  });

  test('ends with the photos of the stay', async () => {
    const secret = (await send())[FATHER];
    site.advance(40 * DAY);
    const { status, json } = await open(secret);
    expect([status, json.message]).toEqual([401, expect.stringContaining('ne sont plus en ligne depuis')]);
  });
});

describe('Two parents of one child', () => {
  test('are cut off one by one: what the one has opened closes, and the other sees no difference', async () => {
    const sent = await send();
    const [father, mother] = [await openedBy(sent[FATHER]), await openedBy(sent[MOTHER.toLowerCase()])];
    expect((await act('couper', FATHER)).status).toBe(200);
    expect([await sees(father), await sees(mother)]).toEqual([[401, CUT], 'open']);
    const refused = await open(sent[FATHER]);
    expect([refused.status, refused.json.message]).toEqual([401, CUT]);
    // Neither a lost code nor another mailing gives it back, nor the password that is in these mails.
    site.advance(20 * MINUTE);
    await site.call('POST /auth/code-perdu', { body: { stageId: stay, email: FATHER } });
    expect(Object.keys({ ...(await links()), ...(await send()) })).toEqual([MOTHER.toLowerCase()]);
    expect(await sees(mother)).toBe('open');
  });

  test('get a new link one by one, and the one before opens nothing more', async () => {
    const sent = await send();
    const father = await openedBy(sent[FATHER]);
    expect((await act('nouveau', FATHER)).status).toBe(200);
    const { [FATHER]: renewed } = await links();
    expect(renewed).toMatch(/^[\w-]{43}$/);
    expect(await sees(father)).toEqual([401, CUT]);
    expect((await open(sent[FATHER])).status).toBe(401);
    expect(await sees(await openedBy(renewed))).toBe('open');
    await openedBy(sent[MOTHER.toLowerCase()]);
  });

  test('lose what their address had opened once it is no longer that of a child', async () => {
    const sent = await send();
    const [father, mother] = [await openedBy(sent[FATHER]), await openedBy(sent[MOTHER.toLowerCase()])];
    const body = { nom: 'Roy', prenom: 'Lou', mailRL: MOTHER, email_2: '' };
    expect((await site.call(`PUT /update/${child}`, { token: admin, body })).status).toBe(200);
    expect([(await sees(father))[0], await sees(mother)]).toEqual([401, 'open']);
    expect((await open(sent[FATHER])).status).toBe(401);
    // Written back, it has another one.
    const back = { ...body, email_2: FATHER };
    expect((await site.call(`PUT /update/${child}`, { token: admin, body: back })).status).toBe(200);
    expect((await open(sent[FATHER])).status).toBe(401);
  });
});

test('two who use a link at once, and one who cuts it, leave no sign-in behind', async () => {
  const secret = (await send())[FATHER];
  const answers = await Promise.all([open(secret), act('couper', FATHER), open(secret)]);
  expect(answers[1].status).toBe(200);
  for (const { status, json } of [answers[0], answers[2]])
    if (status === 200) expect(await sees(json.token)).toEqual([401, CUT]);
  expect((await rows())[1]).toMatchObject({ adresse: FATHER, appareils: 0 });
});

describe('The password that all families share', () => {
  const close = (mot_de_passe_commun: boolean) =>
    site.call(`PUT /stages/${stay}/acces`, { token: admin, body: { mot_de_passe_commun } });

  test('is closed by staff: what it opened ends and says why, links and directors go on', async () => {
    const sent = await send();
    const [byLink, byPassword] = [await openedBy(sent[FATHER]), await site.tokenOf('family', stay)];
    const director = await site.tokenOf('director', stay);
    const [passwords] = (await site.call(`GET /stage-passwords/${stay}`, { token: admin })).json;
    const signIn = (password: string) => site.call('POST /auth/login', { body: { stageId: stay, password } });
    expect((await signIn(passwords.mdp_stagiaire)).status).toBe(200);
    expect((await close(false)).json).toMatchObject({ mot_de_passe_commun: false, message_soir: true });
    const why = 'Ce séjour s’ouvre par le lien reçu par e-mail ou sur papier, plus par le mot de passe.';
    expect(await Promise.all([byLink, byPassword, director].map(sees))).toEqual(['open', [401, why], 'open']);
    const refused = await signIn(passwords.mdp_stagiaire);
    expect([refused.status, refused.json.message]).toEqual([401, why]);
    // Nobody learns it without the password.
    expect((await signIn('XXXX-XXXX-XXXX')).json.message).toBe('Numéro de séjour ou mot de passe incorrect.');
    expect((await signIn(passwords.mdp_formateur)).status).toBe(200);
    expect((await close(true)).status).toBe(200);
    expect((await signIn(passwords.mdp_stagiaire)).status).toBe(200);
  });

  test('is in no mail while it is closed; the link is', async () => {
    await close(false);
    const body = { type: 'stagiaire', stageIds: [stay], objet: 'Codes', texte: '' };
    expect((await site.call('POST /stages/envoi-mots-de-passe', { token: admin, body })).status).toBe(201);
    await site.jobs.idle();
    const texts = receiver.received.map(({ mail }) => mail.text ?? '');
    expect(texts.length).toBe(2);
    for (const text of texts) {
      expect(text).toContain('/acces#');
      expect(text).not.toMatch(/[A-Z\d]{4}-[A-Z\d]{4}-[A-Z\d]{4}|Mot de passe/);
    }
  });
});

test('addresses that are cut off are not counted among those that codes go to', async () => {
  await send();
  await act('couper', FATHER);
  const body = { type: 'stagiaire', stageIds: [stay], objet: 'Codes', texte: '' };
  const plan = await site.call('POST /stages/envoi-mots-de-passe/apercu', { token: admin, body });
  expect(plan.json.nombre).toBe(1);
});
