import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MESSAGES_PAGE } from '#features/mails/calls.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/* How staff follow what they send, on a site with a mail server. */

const MINUTE = 60_000;

let receiver: Receiver;
let site: TestSite;
let admin: string;
let stay: number;
let stays = 0;
beforeAll(async () => {
  receiver = await openReceiver();
  site = await openSite({ env: { SMTP_URL: receiver.url, MAIL_FROM: 'CSE <cse@exemple.org>' } });
});
afterAll(async () => {
  await site?.close();
  await receiver?.close();
});
beforeEach(async () => {
  site.advance(10 * MINUTE);
  admin = await site.tokenOf('admin');
  receiver.answer = () => undefined;
  receiver.received.length = 0;
  stay = await addStay(`Été ${++stays}`);
});

const DATES = { date_debut: '2026-07-06', date_fin: '2026-07-20' };
const addStay = (nom_stage: string, dates = DATES) =>
  site.services.database.write((transaction) =>
    insertStay(transaction, site.services.secrets, { nom_stage, ...dates }, site.now()),
  );
const ask = (what: string, body?: unknown): Promise<Answer> => site.call(what, { token: admin, body });
const addChild = (mailRL: string, stageId = stay) =>
  ask('POST /add-stagiaire', { nom: 'Roy', prenom: mailRL, mailRL, stageId });
const send = async (stageIds = [stay], change: object = {}) =>
  (await ask('POST /stages/envoi-mots-de-passe', { type: 'stagiaire', stageIds, ...change })).json;
const allGone = () => site.jobs.idle();
const mailing = async (id: number, query = '') => (await ask(`GET /envois/${id}${query}`)).json;

const refuseUnknown = (address: string) =>
  address.startsWith('inconnue') ? { code: 550, text: '5.1.1 No such user here' } : undefined;

describe('A refused address', () => {
  const correct = (id: number, n: number, email: string) =>
    ask(`PUT /envois/${id}/messages/${n}/adresse`, { email });
  const waiting = async () => (await ask('GET /envois/refuses')).json;
  const childrenOf = async (stageId = stay) => (await ask(`GET /get-stagiaires/${stageId}`)).json;

  test('is listed with whom it is of, corrected wherever it stands, and written to at once', async () => {
    receiver.answer = refuseUnknown;
    const before = await waiting();
    const other = await addStay(`Hiver ${stays}`);
    await addChild('zoe@exemple.org');
    const wrong = `inconnue${stays}@exemple.org`;
    await addChild(wrong);
    const twin = { nom: 'Roy', prenom: 'Léo', mailRL: 'papa@exemple.org', email_2: wrong.toUpperCase() };
    await ask('POST /add-stagiaire', { ...twin, stageId: other });
    const { id } = await send();
    await allGone();
    const refused = await waiting();
    expect(refused).toHaveLength(before.length + 1);
    const [child] = (await childrenOf()).filter(({ email }: { email: string }) => email === wrong);
    expect(refused[0]).toMatchObject({
      envoi_id: id,
      destinataire: wrong,
      stageId: stay,
      personnes: [{ nature: 'enfant', id: child.id, nom: 'Roy', prenom: wrong }],
    });
    expect((await mailing(id)).messages).toMatchObject([
      { etat: 'echec', personnes: [{ id: child.id }] },
      { etat: 'envoye', personnes: [] },
    ]);

    receiver.received.length = 0;
    const n = refused[0].id;
    expect((await correct(id, n, 'pas une adresse')).json.champs).toMatchObject({
      email: expect.any(String),
    });
    const twice = await Promise.all([
      correct(id, n, 'juste@exemple.org'),
      correct(id, n, 'juste@exemple.org'),
    ]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(twice.find(({ status }) => status === 200)?.json).toEqual({
      message: 'Adresse corrigée pour 2 enfants\u202f: le message repart',
    });
    await allGone();
    expect(receiver.received.map(({ to }) => to)).toEqual([['juste@exemple.org']]);
    expect(await mailing(id)).toMatchObject({ envoye: 2, echec: 0 });
    expect(await waiting()).toEqual(before);
    expect(await childrenOf(other)).toMatchObject([
      { email: 'papa@exemple.org', email_2: 'juste@exemple.org' },
    ]);
    expect((await childrenOf()).map(({ email }: { email: string }) => email).sort()).toEqual([
      'juste@exemple.org',
      'zoe@exemple.org',
    ]);
    const { entrees } = (await ask('GET /journal?limite=5')).json;
    expect(entrees.map(({ action }: { action: string }) => action)).toContain(
      'correction d’une adresse e-mail refusée',
    );
    expect((await ask('GET /journal?limite=5')).text).not.toContain('juste@');
  });

  test('takes along the other messages to it: those that failed leave too, those that wait change their way', async () => {
    receiver.answer = refuseUnknown;
    const other = await addStay(`Neige ${stays}`);
    const wrong = `inconnue.deux${stays}@exemple.org`;
    await addChild(wrong);
    await addChild(wrong, other);
    const { id } = await send([stay, other]);
    await allGone();
    const [first] = (await mailing(id)).messages;
    receiver.received.length = 0;
    const answer = await correct(id, first.id, 'deux@exemple.org');
    expect(answer.json.message).toBe('Adresse corrigée pour 2 enfants\u202f: 2 messages repartent');
    await allGone();
    expect(receiver.received.map(({ to }) => to)).toEqual([['deux@exemple.org'], ['deux@exemple.org']]);
    expect(await mailing(id)).toMatchObject({ envoye: 2, echec: 0 });
  });

  test('that nobody has any more is neither listed nor corrected', async () => {
    receiver.answer = refuseUnknown;
    await addChild(`inconnue.partie${stays}@exemple.org`);
    const { id } = await send();
    await allGone();
    const [{ id: n }] = (await mailing(id)).messages;
    const [child] = await childrenOf();
    await ask(`DELETE /stagiaire/delete/${child.id}`);
    expect((await waiting()).map((one: { id: number }) => one.id)).not.toContain(n);
    const answer = await correct(id, n, 'autre@exemple.org');
    expect([answer.status, answer.json.message]).toEqual([
      409,
      'Plus personne n’a cette adresse\u202f: il n’y a rien à corriger.',
    ]);
  });

  test('of a director is theirs alone', async () => {
    receiver.answer = refuseUnknown;
    const director = (mail: string) => ({
      nom: 'Kerviel',
      prenom: 'Inès',
      mail,
      telephone: '01 99 00 00 01',
    });
    await ask('POST /formateurs/add', {
      ...director('inconnue.d@exemple.org'),
      cat: 'centre',
      stageId: stay,
    });
    await ask('POST /formateurs/add', { ...director('autre@exemple.org'), cat: 'centre', stageId: stay });
    const { id } = await send([stay], { type: 'formateur' });
    await allGone();
    const [message] = (await mailing(id)).messages;
    expect(message.personnes).toMatchObject([{ nature: 'directeur', prenom: 'Inès' }]);
    const taken = await correct(id, message.id, 'autre@exemple.org');
    expect([taken.status, taken.json.message]).toEqual([
      409,
      expect.stringContaining('cette adresse est déjà celle d’un autre directeur.'),
    ]);
    expect(await mailing(id)).toMatchObject({ echec: 1 });
    const answer = await correct(id, message.id, 'ines@exemple.org');
    expect(answer.json).toEqual({ message: 'Adresse corrigée pour un directeur\u202f: le message repart' });
    await allGone();
    const found = (await ask('GET /formateurs')).json.map(({ mail }: { mail: string }) => mail);
    expect(found).toContain('ines@exemple.org');
    expect(found).not.toContain('inconnue.d@exemple.org');
  });

  test('of a message that was sent, or is not of this mailing, is not changed', async () => {
    await addChild('zoe@exemple.org');
    const { id } = await send();
    await allGone();
    const [{ id: n }] = (await mailing(id)).messages;
    expect((await correct(id, n, 'autre@exemple.org')).status).toBe(409);
    expect((await correct(id, 999_999, 'autre@exemple.org')).status).toBe(404);
    expect((await correct(999_999, n, 'autre@exemple.org')).status).toBe(404);
    expect(await childrenOf()).toMatchObject([{ email: 'zoe@exemple.org', version: 1 }]);
  });
});

describe('A mailing', () => {
  test('tells how many messages left, and of those that did not, why', async () => {
    receiver.answer = refuseUnknown;
    await addChild('zoe@exemple.org');
    await addChild('inconnue@exemple.org');
    const { id } = await send();
    await allGone();
    const counts = { total: 2, attente: 0, envoi: 0, envoye: 1, echec: 1, annule: 0 };
    const summary = {
      ...{ id, genre: 'codes', type: 'stagiaire', acteur: 'Alice', created_at: site.now().toISOString() },
      sejours: [{ id: stay, nom_stage: `Été ${stays}`, ...DATES }],
      ...{ objet: 'Vos codes d’accès au site photos du séjour', sejours_nombre: 1, reste_secondes: null },
      ...counts,
    };
    expect((await ask('GET /envois')).json[0]).toEqual(summary);
    const ended = { essais: 1, prochain_essai: null, termine_le: site.now().toISOString() };
    const about = { id: expect.any(Number), stageId: stay, nom_stage: `Été ${stays}`, ...ended };
    expect(await mailing(id)).toEqual({
      ...summary,
      messages: [
        {
          ...{ destinataire: 'inconnue@exemple.org', etat: 'echec', erreur: 'adresse_inconnue' },
          reponse: expect.stringContaining('No such user here'),
          personnes: [
            { nature: 'enfant', id: expect.any(Number), nom: 'Roy', prenom: 'inconnue@exemple.org' },
          ],
          ...about,
        },
        {
          ...{ destinataire: 'zoe@exemple.org', etat: 'envoye', erreur: null },
          reponse: expect.any(String),
          personnes: [],
          ...about,
        },
      ],
    });
    expect((await mailing(id, '?etat=envoye')).messages).toMatchObject([{ destinataire: 'zoe@exemple.org' }]);
    expect((await mailing(id, '?apres=1')).messages).toMatchObject([{ destinataire: 'zoe@exemple.org' }]);
  });

  test('tells when a message that was slowed down is tried again', async () => {
    receiver.answer = () => ({ code: 451, text: '4.7.1 Try again later' });
    await addChild('zoe@exemple.org');
    const { id } = await send();
    await allGone();
    const [message] = (await mailing(id)).messages;
    expect(message).toMatchObject({ etat: 'attente', erreur: 'ralentit', essais: 1, termine_le: null });
    expect(Date.parse(message.prochain_essai)).toBeGreaterThan(site.now().getTime());
    receiver.answer = () => undefined;
    site.advance(Date.parse(message.prochain_essai) - site.now().getTime());
    await allGone();
    expect((await mailing(id)).messages).toMatchObject([{ etat: 'envoye', prochain_essai: null }]);
  });

  test('sends what failed again, and nothing else, once', async () => {
    receiver.answer = refuseUnknown;
    await addChild('zoe@exemple.org');
    await addChild('inconnue@exemple.org');
    const { id } = await send();
    await allGone();
    receiver.answer = () => undefined;
    receiver.received.length = 0;
    const again = `POST /envois/${id}/relancer`;
    const atOnce = await Promise.all([ask(again), ask(again)]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(atOnce.find(({ status }) => status === 200)?.json).toEqual({
      message: 'Un message est envoyé de nouveau',
      nombre: 1,
    });
    await allGone();
    expect(receiver.received.map(({ to }) => to)).toEqual([['inconnue@exemple.org']]);
    expect(await mailing(id)).toMatchObject({ envoye: 2, echec: 0 });
    const none = await ask(again);
    expect([none.status, none.json.message]).toEqual([409, 'Aucun message de cet envoi n’est en échec.']);
  });

  test('whose text is erased is neither read nor sent again', async () => {
    receiver.answer = refuseUnknown;
    const body = new URLSearchParams({ to: 'inconnue@exemple.org', subject: 'Un', message: 'Deux' });
    const { id } = (await ask('POST /send-email', body)).json;
    await allGone();
    await site.services.database.write((db) =>
      db.updateTable('envois').set({ contenu: '' }).where('id', '=', id).execute(),
    );
    const found = await mailing(id);
    expect([found.objet, found.echec]).toEqual([null, 1]);
    const read = await ask(`GET /envois/${id}/messages/${found.messages[0].id}`);
    expect([read.status, read.json.message]).toEqual([404, 'Le texte de ce message est effacé.']);
    expect((await ask(`POST /envois/${id}/relancer`)).status).toBe(409);
    expect((await mailing(id)).echec).toBe(1);
  });

  test('shows a message as it reads now, and one that was cancelled not at all', async () => {
    await addChild('zoe@exemple.org');
    const { id: child } = (await addChild('partie@exemple.org')).json;
    receiver.answer = () => ({ code: 451, text: '4.7.1 Try again later' });
    const { id } = await send();
    await allGone();
    await ask(`DELETE /stagiaire/delete/${child}`);
    const drawn = await ask(`POST /stage-passwords/${stay}/regenerer`, { type: 'stagiaire' });
    const byAddress = async (address: string) =>
      (await mailing(id)).messages.find(
        ({ destinataire }: { destinataire: string }) => destinataire === address,
      );
    const read = async (address: string) =>
      ask(`GET /envois/${id}/messages/${(await byAddress(address)).id}`);
    expect((await read('zoe@exemple.org')).json.texte).toContain(drawn.json.mot_de_passe);
    const gone = 'Ce message ne peut plus être lu\u202f: cette adresse n’est plus inscrite au séjour.';
    expect((await read('partie@exemple.org')).json.message).toBe(gone);
    receiver.answer = () => undefined;
    site.advance(60 * MINUTE);
    await allGone();
    expect(await byAddress('partie@exemple.org')).toMatchObject({ etat: 'annule', erreur: 'plus_inscrite' });
    admin = await site.tokenOf('admin');
    const cancelled = await read('partie@exemple.org');
    expect([cancelled.status, cancelled.json.message]).toEqual([409, gone]);
    expect(
      receiver.received.map(({ to, mail }) => [to, mail.text?.includes(drawn.json.mot_de_passe)]),
    ).toEqual([[['zoe@exemple.org'], true]]);
  });

  test('shows one that has left without the password that came after it, and says so', async () => {
    await addChild('zoe@exemple.org');
    const { id } = await send();
    await allGone();
    const [message] = (await mailing(id)).messages;
    const read = async () => (await ask(`GET /envois/${id}/messages/${message.id}`)).json;
    const sent = await read();
    expect([sent.remarque, sent.texte.trim()]).toEqual([null, receiver.received[0]?.mail.text?.trim()]);
    const drawn = await ask(`POST /stage-passwords/${stay}/regenerer`, { type: 'stagiaire' });
    const now = await read();
    expect(now.remarque).toBe('Le mot de passe a changé depuis\u202f: le message en portait un autre.');
    for (const body of [now.texte, now.html]) {
      expect(body).toContain('••••');
      expect(body).not.toContain(drawn.json.mot_de_passe);
    }
  });

  test('that is not there is a 404, and so is a message of another one', async () => {
    await addChild('zoe@exemple.org');
    const { id } = await send();
    const [message] = (await mailing(id)).messages;
    const other = (
      await ask('POST /send-email', new URLSearchParams({ to: 'a@b.fr', subject: 'a', message: 'b' }))
    ).json.id;
    for (const what of [
      'GET /envois/999999',
      'POST /envois/999999/relancer',
      `GET /envois/${id}/messages/999999`,
      `GET /envois/${other}/messages/${message.id}`,
    ])
      expect((await ask(what)).status, what).toBe(404);
    await allGone();
  });

  test('is listed until its stay is deleted, which its messages go with', async () => {
    await addChild('zoe@exemple.org');
    const { id } = await send();
    await allGone();
    const listed = async () => (await ask('GET /envois')).json.map((one: { id: number }) => one.id);
    expect(await listed()).toContain(id);
    await ask(`DELETE /stages/${stay}`);
    expect(await listed()).not.toContain(id);
  });
});

describe('A mailing of many', () => {
  test('names the first three of its stays in the list, all of them alone, and shows its messages by pages', async () => {
    const later = { date_debut: '2026-08-03', date_fin: '2026-08-10' };
    const others = [await addStay('Lac', later), await addStay('Mont', later), await addStay('Neige', later)];
    receiver.answer = () => ({ code: 451, text: '4.7.1 Try again later' });
    const all = [...others, stay];
    await site.services.database.write(async (db) => {
      for (let n = 0; n < 51; n++)
        await db
          .insertInto('stagiaires')
          .values(
            all.map((stage_id) => ({
              ...{
                stage_id,
                nom: 'Roy',
                prenom: `Lou ${n}`,
                cle: `roy|lou ${n}`,
                email: `lou${n}@exemple.org`,
              },
              ...{ email_2: '', consentement_image: 'inconnu' as const },
              ...{ created_at: site.now().toISOString(), modifie_le: site.now().toISOString() },
            })),
          )
          .execute();
    });
    const { id, nombre } = await send(all);
    expect(nombre).toBe(204);
    const found = await mailing(id);
    const names = (stays: { nom_stage: string }[]) => stays.map(({ nom_stage }) => nom_stage);
    const listed = (await ask('GET /envois')).json[0];
    expect([listed.id, listed.total, listed.sejours_nombre]).toEqual([id, 204, 4]);
    expect(names(listed.sejours)).toEqual([`Été ${stays}`, 'Lac', 'Mont']);
    expect(names(found.sejours)).toEqual([`Été ${stays}`, 'Lac', 'Mont', 'Neige']);
    expect(found.messages).toHaveLength(MESSAGES_PAGE);
    const rest = (await mailing(id, `?apres=${MESSAGES_PAGE}`)).messages;
    const ids = [...found.messages, ...rest].map((message: { id: number }) => message.id);
    expect(new Set(ids).size).toBe(204);
    await ask(`DELETE /stages/${stay}`);
    for (const other of others) await ask(`DELETE /stages/${other}`);
  });
});

describe('Codes to those who have not received the password that counts', () => {
  test('go to everybody again once there is a new one', async () => {
    await addChild('zoe@exemple.org');
    await send();
    await allGone();
    const only = { seulement: 'non_recus' };
    expect(await send([stay], only)).toMatchObject({ champs: { stageIds: expect.any(String) } });
    const { mot_de_passe } = (await ask(`POST /stage-passwords/${stay}/regenerer`, { type: 'stagiaire' }))
      .json;
    receiver.received.length = 0;
    expect(await send([stay], only)).toMatchObject({ nombre: 1, message: 'Envoi commencé' });
    await allGone();
    expect(receiver.received[0]?.mail.text).toContain(mot_de_passe);
    expect(await send([stay], only)).toMatchObject({ champs: { stageIds: expect.any(String) } });
  });

  test('go to those whose message failed', async () => {
    receiver.answer = refuseUnknown;
    await addChild('zoe@exemple.org');
    await addChild('inconnue@exemple.org');
    await send();
    await allGone();
    expect(await send([stay], { seulement: 'non_recus' })).toMatchObject({ nombre: 1 });
    await allGone();
  });
});

test('A mail to anybody reaches that address alone, as it was written, and what is refused reaches none', async () => {
  const GOOD = {
    to: 'jeanne@exemple.org',
    subject: 'Été « à la mer » 🏖',
    message: `.\n.\nFrom: a\n\nBcc: c@exemple.org\n\n${'long '.repeat(400)}`,
  };
  const write = (change: object = {}) => ask('POST /send-email', new URLSearchParams({ ...GOOD, ...change }));
  for (const change of [
    { to: 'a@exemple.org\r\nBcc: c@exemple.org' },
    { to: 'a@exemple.org, c@exemple.org' },
    { to: 'x: a@exemple.org, c@exemple.org;' },
    { to: '"a@exemple.org, c"@exemple.org' },
    { subject: 'a\r\nBcc: c@exemple.org' },
  ])
    expect((await write(change)).status, JSON.stringify(change)).toBe(422);
  expect((await write()).status).toBe(200);
  await allGone();
  const { to, mail, raw } = receiver.received[0] ?? {};
  expect([receiver.received.length, to]).toEqual([1, [GOOD.to]]);
  expect([mail?.to, mail?.cc, mail?.bcc]).toEqual([[{ address: GOOD.to, name: '' }], undefined, undefined]);
  expect(mail?.subject).toBe(GOOD.subject);
  expect(mail?.text?.startsWith(GOOD.message.trim())).toBe(true);
  expect(raw?.split('\r\n\r\n')[0]).not.toContain('c@exemple.org');
});

describe('The mail server', () => {
  test('is told of: whether there is one, what waits, what left in a day, what keeps all from leaving', async () => {
    expect((await ask('GET /messagerie')).json).toEqual({
      ...{ configuree: true, expediteur: 'CSE <cse@exemple.org>', par_jour: null, panne: null },
      ...{ en_attente: expect.any(Number), partis: expect.any(Number) },
    });
    const without = await openSite();
    const token = await without.tokenOf('admin');
    expect((await without.call('GET /messagerie', { token })).json).toEqual({
      ...{ configuree: false, expediteur: null, par_jour: null, panne: null },
      ...{ en_attente: 0, partis: 0 },
    });
    expect((await without.call('GET /envois', { token })).json).toEqual([]);
    await without.close();
  });
});

describe('A message of the contact form', () => {
  const write = (nom = 'Jeanne Petit') =>
    site.call('POST /contact', {
      body: { nom, email: 'jeanne@exemple.org', message: 'Un <b>\n\ndeux' },
    });
  const setAddress = (contact_email: string) => ask('PUT /reglages', { contact_email });

  test('is mailed to the address of the settings, and answered to whoever wrote it', async () => {
    await setAddress('bureau@exemple.org');
    expect((await write()).status).toBe(200);
    await allGone();
    expect(receiver.received).toHaveLength(1);
    const [{ to, mail } = { to: [], mail: undefined }] = receiver.received;
    expect([to, mail?.replyTo?.[0]?.address, mail?.subject]).toEqual([
      ['bureau@exemple.org'],
      'jeanne@exemple.org',
      'Message du site\u202f: Jeanne Petit',
    ]);
    expect(mail?.text).toContain('Un <b>\n\ndeux');
    expect(mail?.html).toContain('Un &lt;b&gt;');
    expect((await ask('GET /envois')).json[0]).toMatchObject({
      genre: 'contact',
      acteur: 'visiteur',
      envoye: 1,
    });
  });

  test('has its writer’s name in its subject as it was typed, not decoded', async () => {
    await setAddress('bureau@exemple.org');
    await write('=?utf-8?q?Banque?=');
    await allGone();
    expect(receiver.received[0]?.mail.subject).toContain('?utf-8?q?Banque?=');
  });

  test('is kept for the portal alone when the settings have no address', async () => {
    await setAddress('');
    await write();
    await allGone();
    expect((await ask('GET /contact')).json[0].nom).toBe('Jeanne Petit');
    expect(receiver.received).toEqual([]);
  });

  test('is mailed after everything else, and fifty times a day at most', async () => {
    site.advance(24 * 60 * MINUTE);
    admin = await site.tokenOf('admin');
    await setAddress('bureau@exemple.org');
    receiver.answer = () => ({ code: 452, text: '4.2.2 Mailbox full' });
    for (let sent = 0; sent < 52; sent++) {
      await site.services.database.write((db) => db.deleteFrom('tentatives').execute());
      expect((await write()).status).toBe(200);
      // Read and deleted: it was mailed all the same.
      if (sent === 0) await ask(`DELETE /contact/${(await ask('GET /contact')).json[0].id}`);
    }
    await addChild('zoe@exemple.org');
    await send();
    await allGone();
    receiver.answer = () => undefined;
    site.advance(10 * MINUTE);
    await allGone();
    const addresses = receiver.received.map(({ to }) => to.join());
    expect(addresses).toEqual(['zoe@exemple.org', ...Array(49).fill('bureau@exemple.org')]);
    site.advance(24 * 60 * MINUTE);
    await write();
    await allGone();
    expect(receiver.received).toHaveLength(51);
    admin = await site.tokenOf('admin');
    await setAddress('');
  });

  test('takes its mail with it when it is deleted', async () => {
    await setAddress('bureau@exemple.org');
    receiver.answer = () => ({ code: 451, text: '4.7.1 Try again later' });
    await write();
    await allGone();
    const [{ id: mailed }] = (await ask('GET /envois')).json;
    const [{ id }] = (await ask('GET /contact')).json;
    await ask(`DELETE /contact/${id}`);
    expect((await ask('GET /envois')).json[0]?.id).not.toBe(mailed);
    expect((await mailing(mailed)).messages).toEqual([]);
    await setAddress('');
  });
});
