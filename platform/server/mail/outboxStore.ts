import { randomBytes } from 'node:crypto';
import { type Selectable, sql, type Updateable } from 'kysely';
import { type Actor, signature } from '#platform/server/actor.ts';
import { spend } from '#platform/server/budgets.ts';
import { slicesOf } from '#platform/server/concurrency.ts';
import { type Access, countRows, insertedId } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { addJobs } from '#platform/server/jobs/jobsStore.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { MAIL_STATES, type MailKind, type MailState, type MailTrouble } from '#platform/shared/mails.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { COMMON_LANE, countSent, laneOf, PAUSE_MS, RELAY } from './pacingStore.ts';
import { addressKey } from './transport.ts';

/*
 * The outbox. A mailing is written in the transaction of what it belongs to, with a job for each of its messages; from
 * then on the queue takes care of them, whatever happens to the process. A row says whom a message is for and what it is about, never its
 * content: texts are sealed, and the password of a stay is read when a message is sent.
 */

export interface MailTexts {
  objet: string;
  texte: string;
}

interface NewMessage {
  /** One plain address, already checked. */
  address: string;
  stageId?: number | undefined;
  contactId?: number | undefined;
}

export interface NewMailing {
  genre: MailKind;
  type?: PasswordType | undefined;
  texts?: MailTexts | undefined;
  actor: Actor & { session?: { adminId?: number | null } | undefined };
  messages: readonly NewMessage[];
}

/** Priority by kind, lowest first: single requested messages, then mailings; what visitors write comes last. */
const RANKS: Record<MailKind, number> = {
  alerte: 0,
  connexion: 0,
  invitation: 0,
  perdu: 0,
  essai: 0,
  libre: 0,
  codes: 1,
  mot: 1,
  fin: 1,
  soir: 2,
  contact: 3,
};

/** Adds a mailing, spends its messages from the budget of whoever acts, and returns its id; call `jobs.wake` after the commit, or it is found at the next poll. */
export async function insertMailing(
  transaction: Access,
  secrets: Secrets,
  { genre, type, texts, actor, messages }: NewMailing,
  now: Date,
): Promise<number> {
  await spend(transaction, 'mails', messages.length, now);
  const at = now.toISOString();
  const cle = randomBytes(16).toString('hex');
  const id = await insertedId(
    transaction.insertInto('envois').values({
      genre,
      type: type ?? null,
      cle,
      contenu: texts ? secrets.seal(JSON.stringify(texts), textsContext(cle)) : '',
      acteur: signature(actor).acteur,
      admin_id: actor.session?.adminId ?? null,
      created_at: at,
    }),
  );
  const rows = messages.map(({ address, stageId, contactId }) => ({
    envoi_id: id,
    stage_id: stageId ?? null,
    contact_id: contactId ?? null,
    destinataire: address,
    cle_destinataire: addressKey(address),
    etat: 'attente' as const,
    attend_depuis: at,
    erreur: null,
    reponse: null,
    mdp_empreinte: null,
    created_at: at,
    termine_le: null,
  }));
  for (const slice of slicesOf(rows)) {
    const inserted = await transaction
      .insertInto('envois_messages')
      .values(slice)
      .returning(['id', 'destinataire'])
      .execute();
    await queueMessages(transaction, genre, inserted, now);
  }
  return id;
}

/** Adds the jobs that send these messages; one that a message already has starts anew. */
export function queueMessages(
  transaction: Access,
  genre: MailKind,
  messages: readonly { id: number; destinataire: string }[],
  now: Date,
): Promise<void> {
  const jobs = messages.map(({ id, destinataire }) => ({
    queue: 'mails' as const,
    lane: laneOf(destinataire),
    rank: RANKS[genre],
    messageId: id,
    payload: { id },
  }));
  return addJobs(transaction, 'send-mail', jobs, now);
}

/** A message with the fields of its mailing. */
export type QueuedMessage = Selectable<Tables['envois_messages']> &
  Pick<Selectable<Tables['envois']>, 'genre' | 'type' | 'cle' | 'contenu'>;

export function queuedMessages(db: Access) {
  return db
    .selectFrom('envois_messages')
    .innerJoin('envois', 'envois.id', 'envois_messages.envoi_id')
    .selectAll('envois_messages')
    .select(['envois.genre', 'envois.type', 'envois.cle', 'envois.contenu']);
}

/** A message that is being sent; undefined when it was given up meanwhile, or sent by a process that took too long to say so. */
export function findUnderWay(db: Access, id: number): Promise<QueuedMessage | undefined> {
  return queuedMessages(db)
    .where('envois_messages.id', '=', id)
    .where('etat', '=', 'envoi')
    .executeTakeFirst();
}

/** Changes a message that is still counted as under way. */
export async function changeUnderWay(
  transaction: Access,
  id: number,
  values: Updateable<Tables['envois_messages']>,
): Promise<void> {
  await transaction
    .updateTable('envois_messages')
    .set(values)
    .where('id', '=', id)
    .where('etat', '=', 'envoi')
    .execute();
}

/** Records that a message was sent, with the version of the password that it brought; whoever has its job by now, it is a fact. */
export async function noteSent(
  transaction: Access,
  id: number,
  reponse: string | null,
  mdp_empreinte: string | null,
  now: Date,
): Promise<void> {
  const sent = {
    etat: 'envoye',
    erreur: null,
    reponse,
    mdp_empreinte,
    termine_le: now.toISOString(),
  } as const;
  await transaction.updateTable('envois_messages').set(sent).where('id', '=', id).execute();
}

/** Number of mailings of a kind written after an instant, including those whose messages are deleted. */
export async function countMailings(db: Access, genre: MailKind, after: Date): Promise<number> {
  return countRows(
    db.selectFrom('envois').where('genre', '=', genre).where('created_at', '>', after.toISOString()),
  );
}

/** Decrypts what staff wrote; undefined when there is none, or none any longer. */
export function openTexts(
  secrets: Secrets,
  mailing: { cle: string; contenu: string },
): MailTexts | undefined {
  if (mailing.contenu === '') return undefined;
  return JSON.parse(secrets.open(mailing.contenu, textsContext(mailing.cle)));
}

/** Seals what staff wrote again, with the next key. */
export async function resealTexts(transaction: Access, secrets: Secrets, next: Secrets): Promise<void> {
  const mailings = await transaction
    .selectFrom('envois')
    .select(['id', 'cle', 'contenu'])
    .where('contenu', '!=', '')
    .execute();
  for (const { id, cle, contenu } of mailings) {
    const context = textsContext(cle);
    const resealed = next.seal(secrets.open(contenu, context), context);
    await transaction.updateTable('envois').set({ contenu: resealed }).where('id', '=', id).execute();
  }
}

/** Deletes the texts that only a lost key opens. */
export async function forgetTexts(transaction: Access): Promise<void> {
  await transaction.updateTable('envois').set({ contenu: '' }).execute();
}

function textsContext(cle: string): string {
  return `envoi:${cle}`;
}

/* The state of the sending of mails, for those who follow it. */

/** A trouble of the relay, which keeps every message from being sent. */
interface RelayTrouble {
  erreur: MailTrouble;
  /** Instants: since when, and when it is tried again. */
  depuis: string;
  prochain_essai: string;
}

export async function findRelayTrouble(db: Access): Promise<RelayTrouble | undefined> {
  const relay = await db
    .selectFrom('envois_voies')
    .selectAll()
    .where('nom', '=', RELAY)
    .where('erreur', 'is not', null)
    .executeTakeFirst();
  if (!relay?.erreur || !relay.depuis) return undefined;
  return { erreur: relay.erreur, depuis: relay.depuis, prochain_essai: relay.libre_le };
}

/**
 * Estimated seconds, by mailing, until the last of its waiting messages is sent, those before it included. A mailing
 * without waiting messages is left out; all are while no message can be sent.
 */
export async function listSecondsLeft(services: Services): Promise<Map<number, number>> {
  const { config, database, clock, mails } = services;
  const left = new Map<number, number>();
  if (!config.SMTP_URL || (await findRelayTrouble(database.db))) return left;
  const waiting = await database.db
    .selectFrom('jobs')
    .innerJoin('envois_messages', 'envois_messages.id', 'jobs.message_id')
    .select((expression) => [
      'envoi_id',
      'voie',
      expression.fn.countAll<number>().as('count'),
      sql<string>`max(a_faire_le)`.as('last'),
    ])
    .where('etat', 'in', ['attente', 'envoi'])
    .groupBy(['envoi_id', 'voie'])
    .orderBy('envoi_id')
    .execute();
  if (waiting.length === 0) return left;
  const now = clock().getTime();
  const sent = await countSent(database.db, clock());
  const average = mails.averageMs();
  const lanes = new Map<string, number>();
  let total = 0;
  let latest = 0;
  // Mailings are sent in the order in which they were written, so each also waits for those before it.
  for (const { envoi_id: id, voie, count, last } of waiting) {
    total += count;
    lanes.set(voie, (lanes.get(voie) ?? 0) + count * (average + (voie === COMMON_LANE ? 0 : PAUSE_MS)));
    latest = Math.max(latest, Date.parse(last) - now);
    const milliseconds = Math.max(total * average, latest, ...lanes.values());
    const days = config.MAIL_PER_DAY ? Math.ceil((sent + total) / config.MAIL_PER_DAY) - 1 : 0;
    left.set(id, Math.ceil((milliseconds + days * DAY_MS) / 1000));
  }
  return left;
}

export function countWaiting(db: Access): Promise<{ count: number; oldest: string | null }> {
  return db
    .selectFrom('envois_messages')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<string | null>('attend_depuis').as('oldest'),
    ])
    .where('etat', '=', 'attente')
    .executeTakeFirstOrThrow();
}

/** How many messages are in each state, states without any included. */
export async function countByState(db: Access): Promise<Record<MailState, number>> {
  const rows = await db
    .selectFrom('envois_messages')
    .select(['etat', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('etat')
    .execute();
  const found = new Map(rows.map(({ etat, count }) => [etat, count]));
  const states = Object.keys(MAIL_STATES) as MailState[];
  return Object.fromEntries(states.map((state) => [state, found.get(state) ?? 0])) as Record<
    MailState,
    number
  >;
}
