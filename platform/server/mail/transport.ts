import { domainToASCII } from 'node:url';
import { isLoopback } from '#platform/shared/hosts.ts';
import { emailAddress } from '#platform/shared/text.ts';

/** The adapter of the mail server, the only one. */

interface OutgoingMail extends MessageBody {
  to: string;
  subject: string;
  replyTo: string | undefined;
  /** Message id with its angle brackets; the same on every try. */
  messageId: string;
  date: Date;
}

export interface Transport {
  /** Resolves with the server's answer; rejects with an error for `readFailure`. */
  send(mail: OutgoingMail): Promise<string>;
  /** Connects to the server and signs in without sending anything; rejects as `send` does. */
  verify(): Promise<void>;
  close(): Promise<void>;
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
    ...(port ? { port: Number(port) } : {}),
    secure: protocol === 'smtps:',
    requireTLS: !isHere,
    tls: { rejectUnauthorized: !isHere },
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
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
    async send({ to, subject, replyTo, messageId, date, html, text }) {
      const address = plainAddress(to);
      if (!address) throw Object.assign(new Error('Not one plain address'), { code: 'EENVELOPE' });
      const { response } = await (await connected()).sendMail({
        from,
        to: { name: '', address },
        replyTo: replyTo && { name: '', address: replyTo },
        // The addresses given to the server, whatever the headers say.
        envelope: { from: from.address, to: [address] },
        subject,
        messageId,
        date,
        headers: { 'Auto-Submitted': 'auto-generated' },
        // The library's own prefix would name the library.
        boundaryPrefix: '--_',
        html,
        text,
        // Each timeout above limits a single silence: a server that sends one byte at a time would never reach them.
        signal: AbortSignal.timeout(attemptMs),
      });
      return response;
    },
    verify: async () => void (await (await connected()).verify()),
    close: async () => (await pool)?.close(),
  };
}

/** The mail server, and how long it takes. */
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

/** Addresses in the form that a mail server takes. */

interface Sender {
  /** Blank: the address alone. */
  name: string;
  address: string;
}

const plain = emailAddress(254);

/** The address if it is exactly one plain one, else undefined. */
function plainAddress(text: string): string | undefined {
  const read = plain.safeParse(text);
  return read.success && read.data !== '' ? read.data : undefined;
}

/** `a@b.fr` or `Nom <a@b.fr>`, whose host may have accents; undefined for anything else. */
export function parseSender(text: string): Sender | undefined {
  const [, name = '', named, alone] = /^(?:([^<>\p{Cc}]*)<([^<>]+)>|([^<>]+))$/u.exec(text.trim()) ?? [];
  const [local = '', host = '', ...more] = (named ?? alone ?? '').trim().split('@');
  const address = more.length === 0 ? plainAddress(`${local}@${domainToASCII(host)}`) : undefined;
  return address === undefined ? undefined : { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}

/** An address in the form that is compared. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}
