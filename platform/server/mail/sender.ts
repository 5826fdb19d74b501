import type { Access } from '#platform/server/db/database.ts';
import { QUEUES } from '#platform/server/jobs/jobs.ts';
import type { Ending, NextRun } from '#platform/server/jobs/jobsStore.ts';
import type { JobHandlers } from '#platform/server/jobs/worker.ts';
import type { OpenedPassword } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import type { MailKind, MailTrouble } from '#platform/shared/mails.ts';
import { changeUnderWay, findUnderWay, noteSent, type QueuedMessage } from './outboxStore.ts';
import {
  COMMON_LANE,
  closeLane,
  countOne,
  laneOf,
  openLane,
  pauseLane,
  RELAY,
  resumeLane,
} from './pacingStore.ts';
import type { Failure, MessageBody } from './transport.ts';

/*
 * The job that sends one message. The queue counts a message as under way before it is sent, and its ending is written
 * after, each in a transaction of its own. Whatever happens to the process in between, the job runs again, with the
 * same message id.
 */

/** Tries after which a message is given up: those of its job. */
const TRIES_MAX = QUEUES.mails.tries;
/** Backoff in ms before another try: the first wait doubles up to the longest. */
const WAITS = { first: 60_000, longest: 3_600_000 };

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    /** Sends one message. */
    'send-mail': { id: number };
  }
}

export function mailJobs(services: Services, composers: Composers): Pick<JobHandlers, 'send-mail'> {
  const { database, clock } = services;
  return {
    async 'send-mail'({ id }, isGivenUp) {
      const message = await findUnderWay(database.db, id);
      if (!message) return undefined;
      const lane = laneOf(message.destinataire);
      if (isGivenUp)
        return async (transaction) => {
          await pauseLane(transaction, lane, clock());
          const lost = { etat: 'echec', erreur: 'coupe', essais: TRIES_MAX } as const;
          await changeUnderWay(transaction, id, { ...lost, termine_le: clock().toISOString() });
          return undefined;
        };
      return attempt(services, composers, message, lane);
    },
  };
}

/** Tries to send a message once; returns what writes down the result. */
async function attempt(
  services: Services,
  composers: Composers,
  message: QueuedMessage,
  lane: string,
): Promise<Ending> {
  const { database, clock, log, mails } = services;
  const composed = await composers[message.genre](
    { ...services, shown: ({ unseen }) => unseen },
    database.db,
    message,
  ).catch((error) => {
    log.error({ err: error, mail: message.id }, 'mail cannot be put together');
    return undefined;
  });
  if (composed === undefined)
    return (transaction) => writeFailed(transaction, message, lane, BROKEN, clock());
  if (typeof composed === 'string') {
    log.info({ mail: message.id, trouble: composed }, 'mail stopped');
    return (transaction) => writeStopped(transaction, message, lane, composed, clock());
  }
  if (!mails.transport) throw new Error('A message is sent without a mail server');
  const messageId = `<${message.cle}.${message.id}@${new URL(services.publicUrl).hostname}>`;
  const started = performance.now();
  const { failure, answer } = await mails.transport.send({ ...composed, messageId, date: clock() });
  if (failure) {
    // Does not log the answer, which may name the address.
    log.info({ mail: message.id, tries: message.essais, ...failure }, 'mail not sent');
    return (transaction) => writeFailed(transaction, message, lane, { ...failure, answer }, clock());
  }
  mails.took(performance.now() - started);
  return (transaction) =>
    writeSent(transaction, message, lane, { answer, version: composed.passwordVersion }, clock());
}

const BROKEN = { trouble: 'autre', whose: 'message', isFinal: false, answer: null } as const;

/** Marks a message as sent, even when another process has its job by now: it is a fact. */
async function writeSent(
  transaction: Access,
  { id }: QueuedMessage,
  lane: string,
  { answer, version }: { answer: string | null; version: string | null },
  now: Date,
): Promise<undefined> {
  await resumeLane(transaction, lane, now);
  await noteSent(transaction, id, answer, version, now);
  await countOne(transaction, now);
}

/** Marks a message that must not be sent, or not any longer. */
async function writeStopped(
  transaction: Access,
  { id }: QueuedMessage,
  lane: string,
  trouble: MailTrouble,
  now: Date,
): Promise<undefined> {
  const etat = trouble === 'texte_efface' ? 'echec' : 'annule';
  await pauseLane(transaction, lane, now);
  await changeUnderWay(transaction, id, {
    etat,
    erreur: trouble,
    reponse: null,
    termine_le: now.toISOString(),
  });
}

/** Marks a failed attempt: the message is tried again later, or given up, and what stands in its way is paused. */
async function writeFailed(
  transaction: Access,
  { id, essais }: QueuedMessage,
  lane: string,
  failure: Failure & { answer: string | null },
  now: Date,
): Promise<NextRun | undefined> {
  const { trouble, whose, isFinal, answer } = failure;
  const relayOpens = await closeWhatFailed(transaction, lane, failure, now);
  if (whose === 'relay') {
    await changeUnderWay(transaction, id, { etat: 'attente', essais: essais - 1 });
    return { at: undefined, isCounted: false };
  }
  const noted = { erreur: trouble, reponse: answer };
  if (relayOpens !== undefined) {
    // Most likely the relay's fault, so it counts as no try. Should it be this message's, the others go first.
    await changeUnderWay(transaction, id, { ...noted, etat: 'attente', essais: essais - 1 });
    return { at: new Date(Date.parse(relayOpens) + WAITS.first), isCounted: false };
  }
  if (isFinal || essais >= TRIES_MAX) {
    await changeUnderWay(transaction, id, { ...noted, etat: 'echec', termine_le: now.toISOString() });
    return undefined;
  }
  await changeUnderWay(transaction, id, { ...noted, etat: 'attente' });
  const wait = Math.min(WAITS.longest, WAITS.first * 2 ** (essais - 1));
  return { at: new Date(now.getTime() + wait), isCounted: true };
}

/** Closes the lane or the relay that a failure is due to; returns until when the relay is closed, if it is. */
async function closeWhatFailed(
  transaction: Access,
  lane: string,
  { trouble, whose }: Failure,
  now: Date,
): Promise<string | undefined> {
  if (whose === 'relay' || whose === 'session') {
    await pauseLane(transaction, lane, now);
    return closeLane(transaction, RELAY, trouble, now, whose === 'session');
  }
  if (whose === 'message') await resumeLane(transaction, lane, now);
  else {
    // When many providers share a lane, one that slows down is no reason for all to wait.
    await closeLane(transaction, lane, trouble, now, lane === COMMON_LANE);
    await openLane(transaction, RELAY);
  }
  return undefined;
}

export type ComposeServices = Services & {
  /** The password that a message brings, as its reader may see it. */
  shown(password: OpenedPassword): string;
};

/** Composes a message with the values of this moment, or returns why it must not be sent. */
export type Composer = (
  services: ComposeServices,
  db: Access,
  message: QueuedMessage,
) => Promise<ComposedMessage | MailTrouble>;
/** Composers by the kind of the mailing; a kind without a composer does not compile. */
export type Composers = Record<MailKind, Composer>;

export interface ComposedMessage extends MessageBody {
  to: string;
  subject: string;
  /** Address for replies; undefined: the sender. */
  replyTo: string | undefined;
  /** Where a mail program ends such mails, by a POST; undefined: nowhere. */
  unsubscribe?: string;
  passwordVersion: string | null;
  /** True when it was sent with another password than the current one: neither is shown. */
  isOutdated: boolean;
}
