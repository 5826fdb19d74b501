import { setTimeout as pause } from 'node:timers/promises';
import type { Access } from '#platform/server/db/open.ts';
import { openLoop } from '#platform/server/jobs/loop.ts';
import type { Services } from '#platform/server/services.ts';
import type { MailKind, MailTrouble } from '#platform/shared/mails.ts';
import { findNextOpening, openQueue, RELAY } from './providerQueues.ts';
import { claimMessage, markFailed, markSent, markStopped, type QueuedMessage, tidyQueue } from './queue.ts';
import { answerOf, readFailure } from './reasons.ts';
import { countSent } from './state.ts';
import { type MessageBody, openTransport, parseSender, type Transport } from './transport.ts';

/** Sends the messages of the outbox, one at a time, however long it takes. */
export type MailSender = Services['mails'] & {
  /** Resolves when no message is due: for tests. */
  idle(): Promise<void>;
  /** Takes no new message and waits for the one under way. */
  stop(): Promise<void>;
};

const POLL_MS = 1_000;
/** Assumed time, in ms, to send a message, until one has been sent. */
const FIRST_AVERAGE_MS = 250;

/** Starts the sender. Without a mail server it does nothing: messages wait, and are read in the portal. */
export function startMails(services: Services, composers: Composers): MailSender {
  const { SMTP_URL, MAIL_FROM = '' } = services.config;
  const from = parseSender(MAIL_FROM);
  if (!SMTP_URL || !from)
    return { wake() {}, averageMs: () => FIRST_AVERAGE_MS, async idle() {}, async stop() {} };
  return startSending(services, composers, openTransport(SMTP_URL, from));
}

function startSending(services: Services, composers: Composers, transport: Transport): MailSender {
  const { database, clock, log, config } = services;
  let average = FIRST_AVERAGE_MS;
  let isFirst = true;

  async function sendAll(): Promise<void> {
    if (isFirst) await begin();
    else await tidyQueue(database, clock());
    let count = 0;
    while (!rounds.isStopped() && (await sendNext())) count += 1;
    if (count > 0 && !rounds.isStopped()) await wakeOnTime();
  }

  /** Checks again as soon as a queue opens: a second's pause must not become two. */
  async function wakeOnTime(): Promise<void> {
    const opening = await findNextOpening(database.db, clock());
    // A timer may be a millisecond early.
    if (opening) setTimeout(rounds.wake, opening.getTime() - clock().getTime() + 2).unref();
  }

  async function begin(): Promise<void> {
    // A restart may mean that somebody mended what kept messages from being sent.
    await database.write((transaction) => openQueue(transaction, RELAY));
    // Only one process uses a SQLite database: any process that had claimed messages is dead.
    await tidyQueue(database, clock(), database.engine === 'sqlite');
    isFirst = false;
  }

  /** Sends the next message; true when there was one. */
  async function sendNext(): Promise<boolean> {
    const limit = config.MAIL_PER_DAY;
    if (limit !== undefined && (await countSent(database.db, clock())) >= limit) return false;
    const message = await claimMessage(database, clock());
    if (message) await sendOne(message);
    return message !== undefined;
  }

  async function sendOne(message: QueuedMessage): Promise<void> {
    const started = performance.now();
    const { mark, isSent } = await attempt(services, composers, transport, message);
    await surely(mark);
    if (isSent) average += (performance.now() - started - average) / 10;
  }

  /** Retries until the result of a message is written: it is known here alone, so nothing else is done before. */
  async function surely(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        onFailed(error);
        if (rounds.isStopped()) return;
        await pause(POLL_MS);
      }
    }
  }

  const onFailed = (error: unknown) => log.error({ err: error }, 'mail queue unreachable');
  const rounds = openLoop(sendAll, POLL_MS, onFailed);
  rounds.wake();
  return {
    ...rounds,
    averageMs: () => average,
    async stop() {
      await rounds.stop();
      await transport.close();
    },
  };
}

/** Tries to send a message once; `mark` writes down the result. */
async function attempt(
  services: Services,
  composers: Composers,
  transport: Transport,
  message: QueuedMessage,
): Promise<{ mark: () => Promise<void>; isSent: boolean }> {
  const { database, clock, log, publicUrl } = services;
  const letter = await composers[message.genre](services, database.db, message).catch((error) => {
    log.error({ err: error, mail: message.id }, 'mail cannot be put together');
    return undefined;
  });
  if (letter === undefined)
    return { mark: () => markFailed(database, message, BROKEN, clock()), isSent: false };
  if (typeof letter === 'string') {
    log.info({ mail: message.id, trouble: letter }, 'mail stopped');
    return { mark: () => markStopped(database, message, letter, clock()), isSent: false };
  }
  const messageId = `<${message.cle}.${message.id}@${new URL(publicUrl).hostname}>`;
  try {
    const answer = answerOf(await transport.send({ ...letter, messageId, date: clock() }));
    return { mark: () => markSent(database, message, { answer, mark: letter.mark }, clock()), isSent: true };
  } catch (error) {
    const failure = readFailure(error);
    // Logs neither the error nor its answer: they name the address.
    log.info({ mail: message.id, tries: message.essais, ...failure }, 'mail not sent');
    const answer = answerOf((error as { response?: unknown }).response);
    return { mark: () => markFailed(database, message, { ...failure, answer }, clock()), isSent: false };
  }
}

const BROKEN = { trouble: 'autre', whose: 'message', isFinal: false, answer: null } as const;

/** What a composer is given: no more than what messages need. */
export type ComposeServices = Pick<Services, 'config' | 'secrets' | 'clock' | 'publicUrl'>;

/** Composes a message with the values of this moment, or returns why it must not be sent. */
export type Composer = (
  services: ComposeServices,
  db: Access,
  message: QueuedMessage,
) => Promise<ComposedMessage | MailTrouble>;
/** Composers by the kind of the mailing; a kind without a composer does not compile. */
export type Composers = Record<MailKind, Composer>;

/** A composed message, with the values of this moment. */
export interface ComposedMessage extends MessageBody {
  to: string;
  subject: string;
  /** Address for replies; undefined: the sender. */
  replyTo: string | undefined;
  /** Password version that it brings; see `passwordVersion`. */
  mark: string | null;
  /** True when it was sent with another password than the current one: neither is shown. */
  isOutdated: boolean;
}
