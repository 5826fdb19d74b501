import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CODES_SUBJECT } from '#features/mails/shared/terms.ts';
import { findStay, insertStay, openStayPassword } from '#features/stays/server/staysStore.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/*
 * Mails as staff write and follow them, on a site without a mail server: they wait, and are read. Those that leave
 * are in mail-sender.test.ts.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let site: TestSite;
let admin: string;
beforeAll(async () => {
  site = await openSite({ env: { PUBLIC_URL: 'https://cse.exemple', ORGANISATION_NAME: 'CSE Horizon' } });
});
afterAll(() => site?.close());
beforeEach(async () => {
  // The hour of whoever wrote much is over.
  site.advance(HOUR);
  admin = await site.tokenOf('admin');
});

let stays = 0;
const addStay = (change: object = {}): Promise<number> =>
  site.services.database.write((transaction) => {
    const stay = { nom_stage: `Été ${++stays}`, date_debut: '2026-07-06', date_fin: '2026-07-20', ...change };
    return insertStay(transaction, site.services.secrets, stay, site.now());
  });
const ask = (what: string, body?: unknown): Promise<Answer> => site.call(what, { token: admin, body });

let children = 0;
const addChild = async (stageId: number, mailRL: string, email_2 = '') =>
  (await ask('POST /add-stagiaire', { nom: 'Roy', prenom: `Lou ${++children}`, mailRL, email_2, stageId }))
    .json.id as number;
const addDirector = (stageId: number, mail: string) =>
  ask('POST /formateurs/add', {
    ...{ nom: 'Fouquier', prenom: 'Odile', telephone: '1', cat: 'centre' },
    ...{ mail, stageId },
  });

const UNSENT = '\u202f: aucun serveur d’envoi n’est réglé, tout se lit dans «\u00a0E-mails envoyés\u00a0»';
const SEND = 'POST /stages/envoi-mots-de-passe';
const send = (stageIds: unknown, change: object = {}) =>
  ask(SEND, { type: 'stagiaire', stageIds, ...change });
const preview = (stageIds: unknown, change: object = {}) =>
  ask(`${SEND}/apercu`, { type: 'stagiaire', stageIds, ...change });
const messagesOf = async (id: number, query = '') =>
  (await ask(`GET /envois/${id}${query}`)).json.messages as { id: number; destinataire: string }[];
const passwordOf = async (id: number, type: PasswordType = 'stagiaire') => {
  const stay = await findStay(site.services.database.db, id);
  if (!stay) throw new Error('no such stay');
  return openStayPassword(site.services.secrets, stay, type).unseen;
};
const queued = () =>
  site.services.database.db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envois_messages.envoi_id')
    .selectAll()
    .execute();

describe('The preview of codes', () => {
  test('says how many messages there would be, and shows the first as it would be read', async () => {
    const [empty, full] = [await addStay(), await addStay({ nom_stage: 'Étoile <b>' })];
    await addChild(full, 'zoe@exemple.org', 'Papa@Exemple.org');
    await addChild(full, 'papa@exemple.org');
    const before = await queued();
    const answer = await preview([empty, full, full], { texte: 'Bonnes vacances !' });
    const dates = { date_debut: '2026-07-06', date_fin: '2026-07-20' };
    expect(answer.json).toEqual({
      nombre: 2,
      par_sejour: [
        { id: empty, nom_stage: `Été ${stays - 1}`, ...dates, nombre: 0, deja: 0, sans_email: 0 },
        { id: full, nom_stage: 'Étoile <b>', ...dates, nombre: 2, deja: 0, sans_email: 0 },
      ],
      exemple: {
        destinataire: 'Papa@Exemple.org',
        objet: CODES_SUBJECT,
        html: expect.stringContaining('Étoile &lt;b&gt;'),
        texte: expect.stringContaining('Bonnes vacances !'),
      },
    });
    const { html, texte } = answer.json.exemple;
    const link = `https://cse.exemple/connexion?stageId=${full}`;
    for (const words of ['••••', link, 'du\u00a06 au\u00a020 juillet 2026', 'CSE Horizon'])
      for (const body of [html, texte]) expect(body).toContain(words);
    expect(await queued()).toEqual(before);
  });

  test('shows no password', async () => {
    const stay = await addStay();
    await addChild(stay, 'zoe@exemple.org');
    expect((await preview([stay], { type: 'stagiaire' })).text).not.toContain(await passwordOf(stay));
  });

  test('shows nothing when there is nobody to write to', async () => {
    const stay = await addStay();
    const { status, json } = await preview([stay], { type: 'formateur' });
    expect([status, json.nombre, json.exemple]).toEqual([200, 0, null]);
  });
});

describe('The codes of stays', () => {
  test('are a message an address and stay, which reads the password of that stay', async () => {
    const [first, second] = [await addStay(), await addStay()];
    await addChild(first, 'zoe@exemple.org', 'papa@exemple.org');
    await addChild(first, 'PAPA@exemple.org');
    await addChild(second, 'zoe@exemple.org');
    const { status, json } = await send([first, second]);
    expect([status, json.nombre, json.message]).toEqual([201, 3, `Messages prêts${UNSENT}`]);
    const messages = await messagesOf(json.id);
    expect(messages).toMatchObject([
      { destinataire: 'papa@exemple.org', stageId: first, etat: 'attente', essais: 0 },
      { destinataire: 'zoe@exemple.org', stageId: first, etat: 'attente', essais: 0 },
      { destinataire: 'zoe@exemple.org', stageId: second, etat: 'attente', essais: 0 },
    ]);
    for (const [index, stay] of [first, first, second].entries()) {
      const read = await ask(`GET /envois/${json.id}/messages/${messages[index]?.id}`);
      const password = await passwordOf(stay);
      expect([read.status, read.json.destinataire]).toEqual([200, messages[index]?.destinataire]);
      expect(read.json.texte).toContain(`Mot de passe\u202f: ${password}\n`);
    }
  });

  test('of directors are theirs', async () => {
    const stay = await addStay();
    await addChild(stay, 'famille@exemple.org');
    await addDirector(stay, 'odile@exemple.org');
    const { json } = await send([stay], { type: 'formateur', objet: 'Vos accès' });
    const [message, ...others] = await messagesOf(json.id);
    expect([message?.destinataire, others]).toEqual(['odile@exemple.org', []]);
    const read = (await ask(`GET /envois/${json.id}/messages/${message?.id}`)).json;
    expect(read.objet).toBe('Vos accès');
    expect(read.texte).toContain(await passwordOf(stay, 'formateur'));
    expect(read.texte).not.toContain(await passwordOf(stay));
  });

  test('stand nowhere in the database, nor do the texts around them or an address in the journal', async () => {
    const stay = await addStay();
    await addChild(stay, 'temoin@exemple.org');
    const { json } = await send([stay], { objet: 'Témoin-Objet', texte: 'Témoin-Texte' });
    const [message] = await messagesOf(json.id);
    await ask(`GET /envois/${json.id}/messages/${message?.id}`);
    expect((await ask('GET /journal')).json.entrees.slice(0, 2)).toMatchObject([
      { action: 'lecture d’un message «\u00a0Codes d’accès\u00a0»', objet_id: message?.id },
      { action: 'envoi des codes «\u00a0Famille\u00a0» à 1 adresse', objet: 'envois', objet_id: json.id },
    ]);
    const { db } = site.services.database;
    const journal = JSON.stringify(await db.selectFrom('journal').selectAll().execute());
    const held = journal + JSON.stringify([await queued(), site.logLines]);
    for (const secret of ['Témoin-', await passwordOf(stay)]) expect(held).not.toContain(secret);
    expect(journal).not.toContain('temoin@');
  });

  test('go to nobody twice: a second sending says when it may be', async () => {
    const stay = await addStay({ nom_stage: 'Baleine' });
    await addChild(stay, 'zoe@exemple.org');
    await addDirector(stay, 'odile@exemple.org');
    const atOnce = await Promise.all([send([stay]), send([stay])]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([201, 429]);
    expect((await send([stay], { type: 'formateur' })).status).toBe(201);
    // The clock of another machine is behind.
    site.advance(-20);
    const behind = await send([stay]);
    expect([behind.status, behind.headers.get('retry-after')]).toEqual([429, '600']);
    site.advance(4 * MINUTE + 20);
    const again = await send([await addStay(), stay]);
    expect([again.status, again.headers.get('retry-after')]).toEqual([429, '360']);
    expect(again.json.message).toBe(
      'Un envoi de ces codes vient de partir pour «\u00a0Baleine\u00a0»\u202f: attendez 6\u00a0min, ou n’écrivez qu’aux adresses qui n’ont pas reçu le mot de passe actuel.',
    );
    site.advance(6 * MINUTE);
    admin = await site.tokenOf('admin');
    expect((await send([stay])).status).toBe(201);
  });

  test('go, if wanted, only to those who are about to have none', async () => {
    const stay = await addStay();
    await addChild(stay, 'zoe@exemple.org');
    await send([stay]);
    await addChild(stay, 'nouvelle@exemple.org', 'ZOE@exemple.org');
    // The directors' code is another one.
    await addDirector(stay, 'nouvelle@exemple.org');
    await send([stay], { type: 'formateur' });
    const only = { seulement: 'non_recus' };
    expect((await preview([stay], only)).json).toMatchObject({
      nombre: 1,
      par_sejour: [{ nombre: 1, deja: 1 }],
      exemple: { destinataire: 'nouvelle@exemple.org' },
    });
    expect((await preview([stay])).json.par_sejour).toMatchObject([{ nombre: 2, deja: 1 }]);
    const atOnce = await Promise.all([send([stay], only), send([stay], only)]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(atOnce.find(({ status }) => status === 422)?.json.champs).toEqual({
      stageIds: 'personne n’attend ce mot de passe\u202f: rien à envoyer.',
    });
  });

  test('are sent for stays that are there, still seen, and have somebody: else nothing is', async () => {
    const [stay, empty] = [await addStay(), await addStay()];
    const over = await addStay({
      ...{ date_debut: '2026-01-05', date_fin: '2026-01-09' },
      nom_stage: 'Neige',
    });
    await addChild(stay, 'zoe@exemple.org');
    await addChild(over, 'zoe@exemple.org');
    await site.services.database.write((db) =>
      db
        .updateTable('stages')
        .set({ created_at: '2026-01-01T00:00:00.000Z' })
        .where('id', '=', over)
        .execute(),
    );
    const before = await queued();
    const refused: [unknown, object, string | RegExp][] = [
      [[stay, 999_999], {}, 'le séjour n°\u00a0999999 n’existe pas ou n’existe plus.'],
      [[stay, over], {}, /^les photos du séjour «\u00a0Neige\u00a0» ne sont plus en ligne/],
      [[empty], {}, /^aucune famille n’y a d’adresse/],
      [[stay], { type: 'formateur' }, /^aucun directeur n’y est affecté/],
      [[], {}, 'Veuillez sélectionner un séjour.'],
      [undefined, {}, 'Veuillez sélectionner un séjour.'],
      [Array(501).fill(stay), {}, '500 séjours au plus à la fois.'],
    ];
    for (const [stageIds, change, why] of refused) {
      const { status, json } = await send(stageIds, change);
      expect(status, String(why)).toBe(422);
      expect(json.champs.stageIds).toMatch(why);
    }
    for (const change of [
      { type: 'admin' },
      { objet: 'a\r\nBcc: b@exemple.org' },
      { objet: '=?utf-8?q?Gagn=C3=A9?=' },
      { texte: { path: '/etc/passwd' } },
    ])
      expect((await send([stay], change)).status, JSON.stringify(change)).toBe(422);
    expect(await queued()).toEqual(before);
  });

  test('are twenty thousand messages at once, no more', async () => {
    const stay = await addStay();
    const child = (n: number) => ({
      ...{ stage_id: stay, nom: 'Blanc', prenom: `Lou ${n}`, cle: `blanc|lou ${n}` },
      ...{ email: `un${n}@exemple.org`, email_2: `deux${n}@exemple.org`, consentement_image: 'oui' as const },
      ...{ created_at: site.now().toISOString(), modifie_le: site.now().toISOString() },
    });
    await site.services.database.write(async (db) => {
      for (let n = 0; n < 10_000; n += 500)
        await db
          .insertInto('stagiaires')
          .values(Array.from({ length: 500 }, (_, more) => child(n + more)))
          .execute();
    });
    expect((await preview([stay])).json.nombre).toBe(20_000);
    await addChild(stay, 'derniere@exemple.org');
    const refused = await send([stay]);
    expect([refused.status, refused.json.champs.stageIds]).toEqual([
      422,
      expect.stringMatching(/^20\s001 messages/),
    ]);
  });
});

describe('A trial of codes', () => {
  test('shows what families will read, with a password that opens nothing', async () => {
    const stay = await addStay();
    await addChild(stay, 'zoe@exemple.org');
    const body = { type: 'stagiaire', stageId: stay, email: 'ZOE@exemple.org' };
    const { status, json } = await ask(`${SEND}/essai`, body);
    expect([status, json.message]).toEqual([201, `Message d’essai prêt${UNSENT}`]);
    const [message] = await messagesOf(json.id);
    const read = (await ask(`GET /envois/${json.id}/messages/${message?.id}`)).json;
    expect(read.objet).toBe(`[Essai] ${CODES_SUBJECT}`);
    expect(read.texte).toContain('XXXX-XXXX-XXXX');
    expect(read.texte).not.toContain(await passwordOf(stay));
    // It brought nobody anything.
    expect((await preview([stay])).json.par_sejour).toMatchObject([{ nombre: 1, deja: 0 }]);
    const unknown = await ask(`${SEND}/essai`, { ...body, stageId: 999_999 });
    expect([unknown.status, Object.keys(unknown.json.champs)]).toEqual([422, ['stageId']]);
  });
});

describe('A mail to anybody', () => {
  const write = (fields: Record<string, string>) => ask('POST /send-email', new URLSearchParams(fields));
  const GOOD = {
    to: 'jeanne@exemple.org',
    subject: 'Le séjour',
    message: 'Bonjour,\r\n\r\n<i>À bientôt</i>',
  };

  test('says what was written, signed, with its line breaks', async () => {
    const { status, json } = await write(GOOD);
    expect([status, json.message]).toEqual([200, 'Message envoyé']);
    const [message] = await messagesOf(json.id);
    const read = (await ask(`GET /envois/${json.id}/messages/${message?.id}`)).json;
    expect(read).toMatchObject({ destinataire: 'jeanne@exemple.org', objet: 'Le séjour' });
    expect(read.texte).toContain('Bonjour,\n\n<i>À bientôt</i>\n\nCSE Horizon');
    expect(read.html).toContain('&lt;i&gt;À bientôt&lt;/i&gt;');
  });

  test('goes to exactly one plain address, and says nothing that a header could hear', async () => {
    const before = await queued();
    const recipients = [
      ...['', ' ', 'jeanne', 'jeanne@', '@exemple.org', 'jeanne@exemple', 'a b@exemple.org'],
      ...['a@exemple.fr, c@exemple.fr', 'a@exemple.fr;c@exemple.fr', 'a@exemple.fr c@exemple.fr'],
      ...['x: a@exemple.fr;', 'A <a@exemple.fr>', '<a@exemple.fr>', '"a b"@exemple.fr', '"a"@exemple.fr'],
      ...[
        'a@exemple.fr\r\nBcc: c@exemple.fr',
        'a@exemple.fr\nc',
        'a@exemple.fr\u2028c',
        'a\u0000@exemple.fr',
      ],
      ...[
        'a\t@exemple.fr',
        'a@exemple.fr\tc',
        'a@exеmple.fr',
        'a@éxemple.fr',
        'a@[127.0.0.1]',
        'a@exemple..fr',
      ],
      ...[
        'a@exemple.fr?bcc=c@exemple.fr',
        'a@exemple.fr%0d%0aBcc:c@exemple.fr',
        `${'a'.repeat(250)}@exemple.fr`,
      ],
    ];
    for (const to of recipients) expect((await write({ ...GOOD, to })).status, JSON.stringify(to)).toBe(422);
    for (const sign of ['\r', '\n', '\u2028', '\u0000', '\t', '\u007f', '\u0085', '=?utf-8?q?=0D?='])
      expect((await write({ ...GOOD, subject: `a${sign}Bcc: c@exemple.fr` })).status).toBe(422);
    for (const message of ['', ' \n ', 'a\u0000', 'a\u0080', 'é'.repeat(10_001)])
      expect((await write({ ...GOOD, message })).status).toBe(422);
    const fields = new URLSearchParams(GOOD).toString();
    const { to: _to, ...noAddress } = GOOD;
    const { message: _message, ...noText } = GOOD;
    const { subject: _subject, ...noSubject } = GOOD;
    for (const body of [
      `${fields}&to=c%40exemple.fr`,
      new URLSearchParams({ ...noAddress, 'to[]': 'a@exemple.fr' }).toString(),
      new URLSearchParams({ ...noText, 'message[path]': '/etc/passwd' }).toString(),
      new URLSearchParams({ ...noSubject, 'subject[]': 'a' }).toString(),
    ]) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await site.call('POST /send-email', { token: admin, body, headers });
      expect(answer.status, body).toBe(422);
    }
    expect((await ask('POST /send-email', { ...GOOD, message: { path: '/etc/passwd' } })).status).toBe(415);
    expect(await queued()).toEqual(before);
  });

  test('is one of sixty an hour for each admin, trials included', async () => {
    const stay = await addStay();
    const trial = () =>
      ask(`${SEND}/essai`, { type: 'stagiaire', stageId: stay, email: 'camille@exemple.org' });
    expect((await trial()).status).toBe(201);
    site.advance(20 * MINUTE);
    for (let sent = 1; sent < 59; sent++) expect((await write(GOOD)).status).toBe(200);
    const atOnce = await Promise.all([write(GOOD), trial(), write(GOOD)]);
    expect(atOnce.filter(({ status }) => status < 300)).toHaveLength(1);
    site.advance(-20);
    expect((await write(GOOD)).status).toBe(429);
    site.advance(20);
    // What was sent is erased: it was sent all the same.
    admin = await site.tokenOf('admin');
    expect((await ask('POST /rgpd/effacer', { email: GOOD.to, confirmation: GOOD.to })).status).toBe(200);
    await site.schedule.tick();
    const refused = await write(GOOD);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(40 * 60)]);
    expect(refused.json.message).toContain('dans 40\u00a0min');
    const bruno = { username: 'Bruno', password: 'marmotte-nuage-73' };
    expect((await ask('POST /admins', bruno)).status).toBe(201);
    const { tokenAdmin: token } = (await site.call('POST /loginAdmin', { body: bruno })).json;
    const body = new URLSearchParams(GOOD);
    expect((await site.call('POST /send-email', { token, body })).status).toBe(200);
    site.advance(40 * MINUTE);
    expect([(await write(GOOD)).status, (await write(GOOD)).status]).toEqual([200, 429]);
  });
});
