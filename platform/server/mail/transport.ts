import { domainToASCII } from 'node:url';
import { emailAddress } from '#platform/shared/text.ts';

/** The only door to the mail server. */

interface OutgoingMail extends MessageBody {
  to: string;
  subject: string;
  replyTo: string | undefined;
  /** With its angle brackets; the same on every try. */
  messageId: string;
  date: Date;
}

export interface Transport {
  /** Resolves with what the server answered; rejects with what `readFailure` understands. */
  send(mail: OutgoingMail): Promise<string>;
  /** Greets the server and signs in, and sends nothing; rejects as `send` does. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** Time, in ms, that one attempt may take, whatever the mail server does. */
export const ATTEMPT_MS = 40_000;

/** Speaks to the server of `url`, checked before (`platform/server/config.ts`), in the name of `from`. */
export function openTransport(url: string, from: Sender, attemptMs = ATTEMPT_MS): Transport {
  const { protocol, hostname, port, username, password } = new URL(url);
  // What goes to this very machine is read by nobody on the way, and its certificate is seldom a known one.
  const isHere = isLoopback(hostname);
  const options = {
    pool: true as const,
    maxConnections: 1,
    // A connection that the server ended between two messages is opened anew, once.
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
        // What the server is told, whatever the headers say.
        envelope: { from: from.address, to: [address] },
        subject,
        messageId,
        date,
        headers: { 'Auto-Submitted': 'auto-generated' },
        // The library's own would name it.
        boundaryPrefix: '--_',
        html,
        text,
        // The timeouts above are of one silence each: a server that speaks a byte at a time would never meet them.
        signal: AbortSignal.timeout(attemptMs),
      });
      return response;
    },
    verify: async () => void (await (await connected()).verify()),
    close: async () => (await pool)?.close(),
  };
}

/** The two ways to read a mail. */
export interface MessageBody {
  html: string;
  text: string;
}

/** Addresses as a mail server is told them. */

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

/** Is this host, as `URL` says it, this very machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** An address as it is compared. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}
