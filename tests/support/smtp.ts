import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A message that the receiver accepted. */
export interface Received {
  from: string;
  to: string[];
  /** As it came over the wire. */
  raw: string;
  mail: Email;
}

export interface Receiver {
  /** For `SMTP_URL`. */
  url: string;
  port: number;
  /** Those accepted, in the order of their coming. */
  received: Received[];
  /** Every address that it was asked to take, in their order. */
  asked: string[];
  /** Numbers of the messages whose text came, accepted or not. */
  numbers: (string | undefined)[];
  /**
   * What the server says to a recipient: undefined accepts, `{code, text}` refuses (`450`, `550`…), `'close'` hangs
   * up, `'stall'` never answers; a promise is awaited. `at` says when: at the address (the default) or after the text.
   */
  answer: (address: string) => Said | Promise<Said>;
  close(): Promise<void>;
}

type Said = Refusal | 'close' | 'stall' | undefined;

export interface Refusal {
  code: number;
  text: string;
  at?: 'address' | 'text';
}

/** A real mail server on a free port, that keeps what it is sent; with `starttls` by a certificate of its own making. */
export async function openReceiver(
  options: { host?: string; port?: number; starttls?: boolean } = {},
): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    port: 0,
    received: [],
    asked: [],
    numbers: [],
    answer: () => undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const refused = ({ code, text }: Refusal) => Object.assign(new Error(text), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.starttls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 1,
    async onRcptTo({ address }, session, callback) {
      receiver.asked.push(address);
      const answer = await receiver.answer(address);
      if (answer === 'stall') return;
      if (answer === 'close') return void hangUp(session);
      if (answer && answer.at !== 'text') return callback(refused(answer));
      callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const raw = Buffer.concat(chunks).toString('utf8');
        const mail = await PostalMime.parse(raw);
        receiver.numbers.push(mail.messageId);
        const answers = await Promise.all(to.map(receiver.answer));
        const answer = answers.find((one) => one !== undefined);
        if (typeof answer === 'object') return callback(refused(answer));
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
        receiver.received.push({ from, to, raw, mail });
        callback();
      });
    },
  });
  const hangUp = (session: { id: string }) => {
    for (const connection of server.connections) {
      const one = connection as unknown as { session?: { id: string }; _socket?: { destroy(): void } };
      if (one.session?.id === session.id) one._socket?.destroy();
    }
  };
  server.on('error', () => {});
  await new Promise<void>((resolve) =>
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve),
  );
  const address = server.server.address();
  receiver.port = typeof address === 'object' && address ? address.port : 0;
  receiver.url = `smtp://${options.host ?? '127.0.0.1'}:${receiver.port}`;
  return receiver;
}
