import { parseSender, plainAddress, type Sender } from '#platform/server/config.ts';
import { isLoopback } from '#platform/shared/hosts.ts';
import type { MailTrouble } from '#platform/shared/mails.ts';

/** The adapter of the mail server, the only one. */

interface OutgoingMail extends MessageBody {
  to: string;
  subject: string;
  replyTo: string | undefined;
  unsubscribe?: string | undefined;
  /** Message id with its angle brackets; the same on every try. */
  messageId: string;
  date: Date;
}

export interface Transport {
  /** Tries once to send a mail; a failure is returned, not thrown. */
  send(mail: OutgoingMail): Promise<Attempt>;
  /** Connects to the server and signs in without sending anything; returns why it cannot, undefined when it can. */
  verify(): Promise<Failure | undefined>;
  close(): Promise<void>;
}

interface Attempt {
  /** Undefined: the message was sent. */
  failure: Failure | undefined;
  /** The server's answer, as `answerOf` returns it. */
  answer: string | null;
}

/** Why a message was not sent. */
export interface Failure {
  trouble: MailTrouble;
  /**
   * Whose fault it is, and so what has to wait. `message`: this one only. `lane`: all messages of its provider's
   * queue. `relay`: all messages, and it counts as no try of this one. `session`: unknown whether this message or the
   * relay is the cause; the second time in a row it is the relay.
   */
  whose: 'message' | 'lane' | 'relay' | 'session';
  /** True when another try would end the same way. */
  isFinal: boolean;
}

/** Time, in ms, that one attempt may take, whatever the mail server does. */
const ATTEMPT_MS = 40_000;

/** Connects to the server of `url`, already checked (`platform/server/config.ts`), with `from` as the sender. */
export function openTransport(url: string, from: Sender, attemptMs = ATTEMPT_MS): Transport {
  const { protocol, hostname, port, username, password } = new URL(url);
  // Nobody can read what is sent to this very machine, and its certificate is seldom a known one.
  const isHere = isLoopback(hostname);
  const options = {
    pool: true as const,
    maxConnections: 1,
    // A connection that the server closed between two messages is reopened, once.
    maxRequeues: 1,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port ? Number(port) : undefined,
    secure: protocol === 'smtps:',
    requireTLS: !isHere,
    tls: { rejectUnauthorized: !isHere },
    auth: username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined,
    disableFileAccess: true,
    disableUrlAccess: true,
    dnsTimeout: 10_000,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 30_000,
  };
  let pool: ReturnType<typeof connect> | undefined;
  const connect = () => import('nodemailer').then(({ createTransport }) => createTransport(options));
  const connected = () => {
    pool ??= connect();
    return pool;
  };
  return {
    async send({ to, subject, replyTo, unsubscribe, messageId, date, html, text }) {
      const address = plainAddress(to);
      if (!address) return { failure: final('autre'), answer: null };
      try {
        const { response } = await (await connected()).sendMail({
          from,
          to: { name: '', address },
          replyTo: replyTo && { name: '', address: replyTo },
          // The addresses given to the server, whatever the headers say.
          envelope: { from: from.address, to: [address] },
          subject,
          messageId,
          date,
          headers: headersOf(unsubscribe),
          // The library's own prefix would name the library.
          boundaryPrefix: '--_',
          html,
          text,
          // Each timeout above limits a single silence: a server that sends one byte at a time would never reach them.
          signal: AbortSignal.timeout(attemptMs),
        });
        return { failure: undefined, answer: answerOf(response) };
      } catch (error) {
        return { failure: readFailure(error), answer: answerOf((error as SmtpError).response) };
      }
    },
    async verify() {
      try {
        await (await connected()).verify();
        return undefined;
      } catch (error) {
        return readFailure(error);
      }
    },
    close: async () => (await pool)?.close(),
  };
}

function headersOf(unsubscribe: string | undefined) {
  const automatic = { 'Auto-Submitted': 'auto-generated' };
  if (unsubscribe === undefined) return automatic;
  // One press in the reader's mail program (RFC 8058).
  return {
    ...automatic,
    'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

export interface Mailer {
  /** Undefined when no mail server is set. */
  transport: Transport | undefined;
  /** Recent average time, in ms, to send a message. */
  averageMs(): number;
  /** Counts the time, in ms, that a message took. */
  took(ms: number): void;
}

/** Assumed time, in ms, to send a message, until one has been sent. */
const FIRST_AVERAGE_MS = 250;

/** Opens the mailer of these variables of the environment; nothing is connected before the first message. */
export function openMailer({
  SMTP_URL,
  MAIL_FROM = '',
}: {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
}): Mailer {
  const from = parseSender(MAIL_FROM);
  let average = FIRST_AVERAGE_MS;
  return {
    transport: SMTP_URL && from ? openTransport(SMTP_URL, from) : undefined,
    averageMs: () => average,
    took: (ms) => {
      average += (ms - average) / 10;
    },
  };
}

/** The two ways to read a mail. */
export interface MessageBody {
  html: string;
  text: string;
}

/** An address in the form that is compared. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

/*
 * Why a message was not sent: turns what the mail server or the network said into one of the troubles that people
 * read.
 */

/** Fields of the errors that the library throws. */
interface SmtpError {
  code?: string;
  /** Code of the system's or of TLS's own error. */
  originalCode?: string;
  /** The command that the server answered; `CONN`: none. */
  command?: string;
  response?: string;
  responseCode?: number;
  timeoutType?: string;
}

/** Matches an answer by its enhanced code (`5.1.1`), its code, or its words. The first rule that matches counts. */
interface Rule extends Failure {
  enhanced?: RegExp;
  codes?: readonly number[];
  words?: RegExp;
}

const final = (trouble: MailTrouble): Failure => ({ trouble, whose: 'message', isFinal: true });
const later = (trouble: MailTrouble): Failure => ({ trouble, whose: 'message', isFinal: false });
const of = (whose: 'lane' | 'relay' | 'session', trouble: MailTrouble): Failure => ({
  trouble,
  whose,
  isFinal: false,
});

/** For any first digit: these concern the site itself, and are no fault of the address. */
const OURS: readonly Rule[] = [
  { ...of('session', 'compte_refuse'), codes: [530, 534, 535, 538] },
  {
    ...of('session', 'compte_refuse'),
    words:
      /relay(ing)? (access )?(denied|not permitted|not allowed)|unable to relay|authentication required/i,
  },
  { ...of('session', 'ralentit'), words: /(sending|daily|hourly) (\S+ ){0,2}(quota|limit)/i },
  { ...of('session', 'expediteur_refuse'), enhanced: /^[45]\.1\.[78]$/ },
  {
    ...of('session', 'expediteur_refuse'),
    words: /sender address rejected|sender (is )?not (allowed|verified)/i,
  },
];

const PERMANENT: readonly Rule[] = [
  ...OURS,
  { ...final('adresse_inconnue'), enhanced: /^5\.1\.[136]$/ },
  { ...final('domaine_inconnu'), enhanced: /^5\.(1\.(2|10)|4\.4)$/ },
  { ...final('boite_fermee'), enhanced: /^5\.2\.1$/ },
  { ...final('boite_pleine'), enhanced: /^5\.2\.2$/ },
  { ...final('boite_pleine'), words: /(mailbox|quota|inbox).*(full|exceeded)|over ?quota/i },
  {
    ...final('boite_fermee'),
    words: /(account|mailbox|user|recipient|address).{0,40}(disabled|inactive|suspended|closed)/i,
  },
  {
    ...final('domaine_inconnu'),
    words:
      /(domain|host) (name )?(not found|unknown|does not exist)|(unknown|no such) (domain|host)|unrouteable/i,
  },
  {
    ...final('adresse_inconnue'),
    words:
      /(unknown|no such|invalid) (user|recipient|mailbox|address)|(user|recipient|mailbox|address)( \S+)? (unknown|unavailable|not found|does(n't| not) exist)|no mailbox/i,
  },
  { ...final('refuse'), enhanced: /^5\.7\./ },
  { ...final('boite_pleine'), codes: [552] },
  { ...final('refuse'), codes: [554] },
  { ...final('refuse'), words: /spam|policy|blocked|blacklist|blocklist|reputation/i },
  // Commands out of order: the conversation went wrong, not the message.
  { ...later('autre'), codes: [503] },
];

const TEMPORARY: readonly Rule[] = [
  ...OURS,
  { ...later('boite_pleine'), enhanced: /^4\.2\.2$/ },
  { ...later('boite_pleine'), words: /(mailbox|quota|inbox).*(full|exceeded)|over ?quota/i },
  { ...of('lane', 'ralentit'), enhanced: /^4\.7\./ },
  { ...later('domaine_inconnu'), enhanced: /^4\.(1\.2|4\.4)$/ },
  { ...later('boite_pleine'), codes: [452] },
  { ...of('lane', 'ralentit'), codes: [421, 450, 451] },
];

/** Errors below the conversation, by the system's code. */
const CUT = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE']);
const UNTRUSTED = /CERT|SSL|TLS|SIGNATURE|ISSUER/;
/** Commands before the first message: their answers concern the site. */
const GREETING = new Set(['EHLO', 'HELO']);

/** Interprets what the library threw. */
export function readFailure(error: unknown): Failure {
  const { code = '', command = '', response = '', responseCode } = error as SmtpError;
  if (code === 'EAUTH') return of('relay', 'compte_refuse');
  if (code === 'ETLS') return of('relay', 'non_chiffre');
  if (code === 'EPROTOCOL' || code === 'EDNS' || GREETING.has(command)) return of('relay', 'injoignable');
  if (responseCode !== undefined && response !== '') return readAnswer(responseCode, response, command);
  return readNetwork(error as SmtpError);
}

function readAnswer(code: number, response: string, command: string): Failure {
  const rules = code >= 500 ? PERMANENT : TEMPORARY;
  const answer = answerOf(response) ?? '';
  const enhanced = /^\d{3}[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(answer)?.[1] ?? '';
  const found = rules.find(
    (rule) =>
      rule.enhanced?.test(enhanced) || rule.codes?.includes(code) || (rule.words?.test(answer) ?? false),
  );
  if (command === 'MAIL FROM') {
    // Answered before the address was given: it concerns the sender.
    const trouble =
      found?.trouble === 'compte_refuse' || found?.trouble === 'ralentit'
        ? found.trouble
        : 'expediteur_refuse';
    return of('relay', trouble);
  }
  if (found) return { trouble: found.trouble, whose: found.whose, isFinal: found.isFinal };
  return code >= 500 ? final('autre') : later('autre');
}

function readNetwork({ code = '', originalCode = '', command, timeoutType }: SmtpError): Failure {
  switch (code) {
    case 'ETIMEDOUT':
      // A timeout within the conversation may be caused by this message; one before it is not.
      return of(timeoutType === 'SOCKET_TIMEOUT' ? 'session' : 'relay', 'injoignable');
    case 'EABORT':
      return of('session', 'injoignable');
    case 'ESOCKET':
      if (UNTRUSTED.test(originalCode)) return of('relay', 'non_chiffre');
      return CUT.has(originalCode) ? of('session', 'coupe') : of('relay', 'injoignable');
    case 'ECONNECTION':
      return command ? of('session', 'coupe') : of('relay', 'injoignable');
    case 'EENVELOPE':
    case 'EMESSAGE':
      return final('autre');
    default:
      return later('autre');
  }
}

/** Most characters of an answer that are stored. */
const ANSWER_MAX = 300;

/** The server's answer as one line to store, without the addresses that it names; null for nothing. */
export function answerOf(response: unknown): string | null {
  if (typeof response !== 'string') return null;
  const words = response
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .split(' ')
    // Providers also name other addresses than the recipient's, which an erasure would not find here.
    .map((word) => (word.includes('@') ? '…' : word));
  const line = words.join(' ');
  return line === '' ? null : [...line].slice(0, ANSWER_MAX).join('');
}
