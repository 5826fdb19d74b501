import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tokenHash } from '#platform/server/sessionsStore.ts';
import type { Answer, TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';
import { openReceiver, type Receiver } from '#tests/support/smtp.ts';

/* A colleague is invited by mail: the link opens once, to whoever the mail reached, and nobody else sees it. */

const GOOD = 'girafe-boussole-71';
const DAY = 24 * 3_600_000;
const OVER =
  'Ce lien n’ouvre plus rien\u202f: demandez à la personne qui vous a invité de l’envoyer de nouveau.';

let receiver: Receiver;
let site: TestSite;
let token: string;
beforeAll(async () => {
  receiver = await openReceiver();
  site = await openSite({
    env: { PUBLIC_URL: 'http://localhost', SMTP_URL: receiver.url, MAIL_FROM: 'site@exemple.org' },
  });
});
afterAll(async () => {
  await site?.close();
  await receiver?.close();
});
beforeEach(async () => {
  site.advance(15 * 60_000);
  token = await site.tokenOf('admin');
});

const call = (what: string, body?: unknown, as = token): Promise<Answer> =>
  site.call(what, { token: as, body });

let count = 0;
/** Invites somebody; returns their account and the link that came. */
async function invite(name: string, change: object = {}) {
  const email = `personne${++count}@exemple.org`;
  const { status, json, text } = await call('POST /admins', { username: name, email, ...change });
  expect(status, text).toBe(201);
  return { ...json, email, link: await linkTo(email) };
}

async function mailTo(email: string) {
  await site.jobs.idle();
  return receiver.received.splice(0).findLast(({ to }) => to[0] === email)?.mail;
}

async function linkTo(email: string): Promise<URLSearchParams> {
  const [, fragment] = /http:\/\/localhost\/invitation#(\S+)/.exec((await mailTo(email))?.text ?? '') ?? [];
  return new URLSearchParams(fragment);
}

const accept = (link: URLSearchParams, password = GOOD): Promise<Answer> =>
  site.call('POST /admins/invitation', { body: { jeton: link.get('jeton'), password } });
const signIn = (username: string, password = GOOD) =>
  site.call('POST /loginAdmin', { body: { username, password } });
const rowOf = async (id: number) =>
  (await call('GET /admins')).json.find((one: { id: number }) => one.id === id);

describe('An invitation', () => {
  test('makes an account, and a mail that brings its name and a link', async () => {
    const answer = await call('POST /admins', {
      username: ' Sophie.Moreau ',
      email: 'sophie@exemple.org',
      droits: ['photos'],
    });
    expect(answer.json).toEqual({
      message: 'Invitation envoyée à sophie@exemple.org',
      id: expect.any(Number),
      username: 'Sophie.Moreau',
      email: 'sophie@exemple.org',
      droits: ['photos'],
      created_at: site.now().toISOString(),
      vu_le: null,
      facteur_avant: null,
      invite_jusqua: new Date(site.now().getTime() + 7 * DAY).toISOString(),
    });
    const mail = await mailTo('sophie@exemple.org');
    expect(mail?.subject).toBe('Votre accès au portail du CSE');
    expect(mail?.text).toContain('«\u00a0Sophie.Moreau\u00a0»');
    expect(mail?.text).toMatch(/\/invitation#jeton=[\w-]{43}&nom=Sophie\.Moreau\s/);
    // What opens is stored as its hash, and nobody signs in with what is stored in place of a password.
    const { mot_de_passe, jeton } = await site.services.database.db
      .selectFrom('admins')
      .selectAll()
      .where('id', '=', answer.json.id)
      .executeTakeFirstOrThrow();
    const [, secret = ''] = /jeton=([\w-]{43})/.exec(mail?.text ?? '') ?? [];
    expect(jeton).toBe(tokenHash(secret));
    for (const password of [secret, mot_de_passe, 'x'])
      expect((await signIn('Sophie.Moreau', password)).status).toBe(401);
  });

  test('lets whoever has the link choose a password once, and signs them in with the rights that were given', async () => {
    const { id, link, username } = await invite('Karim', { droits: ['contenus'] });
    expect(link.get('nom')).toBe('Karim');
    const weak = await accept(link, 'Karim-Karim-1');
    expect([weak.status, Object.keys(weak.json.champs)]).toEqual([422, ['password']]);
    site.advance(2 * DAY);
    token = await site.tokenOf('admin');
    const answer = await accept(link);
    expect(answer.status, answer.text).toBe(200);
    const session = await site.call('GET /session', { token: answer.json.tokenAdmin });
    expect([session.json.username, session.json.droits]).toEqual(['Karim', ['contenus']]);
    expect((await signIn(username)).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ invite_jusqua: null, vu_le: site.now().toISOString() });
    const again = await accept(link, 'autre-boussole-72');
    expect([again.status, again.json.message]).toEqual([401, OVER]);
    expect((await signIn(username)).status).toBe(200);
  });

  test('of two who send the link at the same time, one comes in', async () => {
    const { link } = await invite('Double');
    const answers = await Promise.all([
      accept(link, 'girafe-boussole-81'),
      accept(link, 'girafe-boussole-82'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test('ends after seven days; sent again, another link opens and the one before does not', async () => {
    const { id, email, link } = await invite('Lente');
    site.advance(7 * DAY);
    expect((await accept(link)).status).toBe(401);
    token = await site.tokenOf('admin');
    const again = await call(`PUT /admins/${id}`, { inviter: true });
    expect(again.json.message).toBe(`Nouvelle invitation envoyée à ${email}`);
    const next = await linkTo(email);
    expect((await accept(link)).status).toBe(401);
    expect((await accept(next)).status).toBe(200);
    const over = await call(`PUT /admins/${id}`, { inviter: true });
    expect([over.status, over.json.message]).toEqual([409, 'Cette personne n’est pas, ou plus, invitée.']);
  });

  test('opens nothing once it is withdrawn, or its address or password changes', async () => {
    const gone = await invite('Retirée');
    expect((await call(`DELETE /admins/${gone.id}`)).json.message).toBe('Invitation retirée');
    expect((await accept(gone.link)).status).toBe(401);
    for (const change of [{ email: 'autre@exemple.org' }, { password: 'panais-lanterne-48' }]) {
      const { id, link } = await invite(`Change${++count}`);
      expect((await call(`PUT /admins/${id}`, change)).status).toBe(200);
      expect((await accept(link)).status).toBe(401);
      expect((await rowOf(id)).invite_jusqua).toBeNull();
    }
  });

  test('a text that is no token, or that of another link, opens nothing', async () => {
    for (const jeton of ['', 'x', `${'A'.repeat(43)}`, `' or 1=1 --`])
      expect((await accept(new URLSearchParams({ jeton }))).status).toBe(401);
  });

  test('is read in the portal without its link, whoever asks', async () => {
    const { email } = await invite('Lisible');
    const [mailing] = (await call('GET /envois')).json.envois ?? (await call('GET /envois')).json;
    const { messages } = (await call(`GET /envois/${mailing.id}`)).json;
    expect(messages[0].destinataire).toBe(email);
    const { json } = await call(`GET /envois/${mailing.id}/messages/${messages[0].id}`);
    expect(decodeURIComponent(json.texte)).toContain('/invitation#jeton=••••');
    expect(JSON.stringify(json)).not.toMatch(/jeton=[\w-]{43}/);
  });

  test('a second factor that is compulsory is asked for seven days after one came, not after one was invited', async () => {
    await call('PUT /reglages', { second_facteur: 'obligatoire' });
    const { id, link } = await invite('Tardive');
    site.advance(6 * DAY);
    const { tokenAdmin } = (await accept(link)).json;
    token = await site.tokenOf('admin');
    const end = new Date(site.now().getTime() + 7 * DAY).toISOString();
    expect((await site.call('GET /verifyToken', { token: tokenAdmin })).json.facteur_avant).toBe(end);
    expect((await rowOf(id)).facteur_avant).toBe(end);
    await call('PUT /reglages', { second_facteur: 'au_choix' });
  });

  test('gives no right that one lacks, and whoever is awaited is not the one with all rights who has to stay', async () => {
    await invite('Toute');
    const [alice] = (await call('GET /admins')).json.filter((one: { vu_le: string | null }) => one.vu_le);
    const answer = await call(`PUT /admins/${alice.id}`, { droits: ['reglages'] });
    const others = (await call('GET /admins')).json.filter(
      (one: { id: number; droits: string[]; invite_jusqua: string | null }) =>
        one.id !== alice.id && one.droits.length === 4 && one.invite_jusqua === null,
    );
    expect(answer.status).toBe(others.length === 0 ? 409 : 200);
    await call(`PUT /admins/${alice.id}`, { droits: ['contenus', 'sejours', 'photos', 'reglages'] });
    const { link } = await invite('Partielle', { droits: ['reglages'] });
    const partial = (await accept(link)).json.tokenAdmin;
    const more = { username: 'Plus', email: 'plus@exemple.org' };
    expect((await call('POST /admins', { ...more, droits: ['photos'] }, partial)).status).toBe(403);
    const full = await invite('Pleine');
    expect((await call(`PUT /admins/${full.id}`, { inviter: true }, partial)).status).toBe(403);
    expect((await call(`DELETE /admins/${full.id}`, undefined, partial)).status).toBe(403);
  });

  test('needs a name, an address and a mail server; a name that is taken is refused', async () => {
    const blank = await call('POST /admins', { username: ' ', email: '' });
    expect([blank.status, Object.keys(blank.json.champs)]).toEqual([422, ['username']]);
    const lost = await call('POST /admins', { username: 'Sans' });
    expect([lost.status, Object.keys(lost.json.champs)]).toEqual([422, ['password']]);
    await invite('Prise');
    const taken = await call('POST /admins', { username: 'prise', email: 'p@exemple.org' });
    expect([taken.status, await mailTo('p@exemple.org')]).toEqual([409, undefined]);
    const mute = await openSite();
    const answer = await mute.call('POST /admins', {
      token: await mute.tokenOf('admin'),
      body: { username: 'Muette', email: 'm@exemple.org' },
    });
    expect([answer.status, answer.json.message]).toEqual([
      409,
      'Le site n’envoie pas encore d’e-mails\u202f: ajoutez cette personne avec un premier mot de passe, à lui dire de vive voix.',
    ]);
    await mute.close();
  });
});
