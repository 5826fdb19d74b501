import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import pino from 'pino';
import { afterEach, expect, inject, test } from 'vitest';
import { openServices, startServer } from '#app/server/start.ts';
import { openStayPassword } from '#features/stays/server/staysStore.ts';
import { readConfig } from '#platform/server/config.ts';
import type { Services } from '#platform/server/services.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { addFamilies, addStay, statesOf } from '#tests/support/mails.ts';
import { dumpDatabase } from '#tests/support/postgres.ts';
import { kill, killAll, newPlace, type Place, type Server, start, stop } from '#tests/support/process.ts';
import { ADMIN } from '#tests/support/site.ts';
import { openReceiver } from '#tests/support/smtp.ts';
import { SOAK_MS, shareOf, soaking } from '#tests/support/soak.ts';

/* A mailing whose sender is killed in the middle, as a power cut would: to a real mail server, which stays. */

const isSqlite = inject('database') === 'sqlite';
const STAYS = 40;
const FAMILIES = 860;
/** A director for each stay. */
const MESSAGES = FAMILIES + STAYS;
const KILLS = shareOf(3);

afterEach(killAll);

const nameOf = (stay: number) => `Colonie ${stay}`;
const familyOf = (family: number) => `famille${family}@exemple.fr`;
const directorOf = (stay: number) => `direction${stay}@exemple.fr`;

/** The services of a stopped site. */
async function withServices<T>(place: Place, work: (services: Services) => Promise<T>): Promise<T> {
  const services = await openServices(readConfig(place.env), { log: pino({ enabled: false }) });
  try {
    return await work(services);
  } finally {
    await Promise.all([services.images.close(), services.pdfs.close(), services.database.close()]);
  }
}

/** Writes the stays with their families. */
async function writeStays(services: Services): Promise<void> {
  for (let stay = 0; stay < STAYS; stay++) {
    const families = Array.from({ length: FAMILIES }, (_, index) => index);
    await addFamilies(
      services,
      await addStay(services, nameOf(stay)),
      families.filter((family) => family % STAYS === stay).map(familyOf),
    );
  }
}

interface Expected {
  stageId: number;
  password: string;
}

/** What each address has to receive. */
async function listExpected({ database, secrets }: Services): Promise<Map<string, Expected>> {
  const stays = await database.db.selectFrom('stages').selectAll().orderBy('id').execute();
  const of = (stay: number, type: PasswordType): Expected => {
    const found = stays.find(({ nom_stage }) => nom_stage === nameOf(stay));
    if (!found) throw new Error('no such stay');
    return { stageId: found.id, password: openStayPassword(secrets, found, type).unseen };
  };
  const expected = new Map<string, Expected>();
  for (let family = 0; family < FAMILIES; family++)
    expected.set(familyOf(family), of(family % STAYS, 'stagiaire'));
  for (let stay = 0; stay < STAYS; stay++) expected.set(directorOf(stay), of(stay, 'formateur'));
  return expected;
}

/** As staff do: directors, then the codes of all stays to directors and to families. */
async function sendCodes(server: Server, expected: Map<string, Expected>): Promise<void> {
  const ask = async (path: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}${API_PREFIX}${path}`, request);
    expect(answer.ok, `${path} ${answer.status}`).toBe(true);
    return (await answer.json()) as { tokenAdmin: string; nombre: number };
  };
  const { tokenAdmin } = await ask('/loginAdmin', ADMIN);
  for (let stay = 0; stay < STAYS; stay++) {
    const mail = directorOf(stay);
    const person = { nom: 'Fouquier', prenom: 'Odile', telephone: '1', cat: 'centre', mail };
    await ask('/formateurs/add', { ...person, stageId: expected.get(mail)?.stageId }, tokenAdmin);
  }
  const stageIds = [...new Set([...expected.values()].map(({ stageId }) => stageId))];
  let count = 0;
  for (const type of Object.keys(PASSWORD_TYPES))
    count += (await ask('/stages/envoi-mots-de-passe', { type, stageIds }, tokenAdmin)).nombre;
  expect(count).toBe(MESSAGES);
}

/** All that the database holds: the bytes of its files, and what a backup made at this moment says. */
async function contentOf({ directory, env }: Place): Promise<string> {
  if (env.DATABASE_URL) return dumpDatabase(env.DATABASE_URL);
  const read = (name: string) => readFileSync(join(directory, name), 'latin1');
  const files = readdirSync(directory).filter((name) => name.startsWith('passerelle.db'));
  const bytes = files.map(read);
  const database = new SQLite(join(directory, 'passerelle.db'), { readonly: true });
  await database.backup(join(directory, 'copie.db'));
  database.close();
  return [...bytes, read('copie.db')].join('\n');
}

/** How far messages are, each state once. */
const statesIn = async (services: Services) => [
  ...new Set(Object.values(await statesOf(services)).map(({ etat }) => etat)),
];

async function sendAfterAMinute(place: Place): Promise<void> {
  const clock = () => new Date(Date.now() + 2 * 60_000);
  const log = pino({ enabled: false });
  const site = await startServer(readConfig({ ...place.env, PORT: '0' }), { clock, log });
  await site.jobs.idle();
  await site.stop();
}

test(
  'killed several times in the middle, a mailing reaches everybody, each with the code of their stay',
  {
    timeout: 600_000 + 2 * SOAK_MS,
  },
  () => soaking(sendThroughKills),
);

async function sendThroughKills(): Promise<void> {
  const receiver = await openReceiver();
  const place = await newPlace();
  place.env.SMTP_URL = receiver.url;
  place.env.MAIL_FROM = 'cse@exemple.fr';
  await withServices(place, writeStays);
  const expected = await withServices(place, listExpected);
  const servers: Server[] = [];
  const held: string[] = [];
  /** A server that sends a fifth of the mailing. */
  const sendFifth = async () => {
    const server = await start(place);
    servers.push(server);
    if (servers.length === 1) await sendCodes(server, expected);
    const enough = receiver.received.length + MESSAGES / (KILLS + 2);
    await expect.poll(() => receiver.received.length, { interval: 5 }).toBeGreaterThan(enough);
    return server;
  };
  for (let turn = 0; turn < KILLS; turn++) {
    const server = await sendFifth();
    held.push(await contentOf(place));
    await pause(randomInt(30));
    await kill(server);
    held.push(await contentOf(place));
  }
  const stopped = await sendFifth();
  expect(await stop(stopped)).toBe(0);
  expect(receiver.received.length).toBeLessThan(MESSAGES);
  // Asked to stop, it ends the message under way first. On PostgreSQL those of the killed ones are left as well.
  if (isSqlite) expect(await withServices(place, statesIn)).not.toContain('envoi');

  const last = await start(place);
  servers.push(last);
  const arrived = () => new Set(receiver.received.map(({ to }) => to.join()));
  // On PostgreSQL other processes might be at work: what died with one counts as under way for a minute.
  const awaited = isSqlite ? MESSAGES : MESSAGES - KILLS;
  await expect.poll(() => arrived().size).toBeGreaterThanOrEqual(awaited);
  expect(await stop(last)).toBe(0);
  if (!isSqlite) await sendAfterAMinute(place);
  held.push(await contentOf(place));
  expect(await withServices(place, statesIn)).toEqual(['envoye']);

  expect(arrived()).toEqual(new Set(expected.keys()));
  const numbers = new Map<string | undefined, string>();
  for (const { to, mail } of receiver.received) {
    const { stageId, password } = expected.get(to.join()) ?? {};
    expect(mail.text).toContain(`stageId=${stageId}\n`);
    expect(mail.text?.match(/[A-Z\d]{4}-[A-Z\d]{4}-[A-Z\d]{4}/g)).toEqual([password]);
    // A message that came twice is the same one to whoever receives it.
    expect(numbers.get(mail.messageId) ?? to.join()).toBe(to.join());
    numbers.set(mail.messageId, to.join());
  }
  expect(numbers.size).toBe(MESSAGES);
  expect(receiver.received.length - MESSAGES).toBeLessThanOrEqual(KILLS);

  const logs = servers.map((server) => server.out() + server.err()).join('\n');
  expect(logs).not.toContain('@exemple.fr');
  const passwords = new Set([...expected.values()].map(({ password }) => password));
  expect(passwords.size).toBe(2 * STAYS);
  const written = [...passwords].flatMap((password) => [password, password.replaceAll('-', '')]);
  for (const bytes of held) {
    expect(bytes).toContain(nameOf(STAYS - 1));
    const clear = written.filter((password) => bytes.includes(password) || logs.includes(password));
    expect(clear, 'passwords in clear').toEqual([]);
  }
  await receiver.close();
  await place.clean();
}
