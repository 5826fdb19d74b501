import { connect, type Socket } from 'node:net';

/*
 * A connection that asks one thing after the other and looks at little of the answers: whoever asks takes its part of
 * the machine from the site that is measured.
 */

export interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Answer {
  /** 0: none came. */
  status: number;
  hasRetryAfter: boolean;
}

export function openLines(base: string, count: number): Line[] {
  return Array.from({ length: count }, () => new Line(base));
}

const NONE: Answer = { status: 0, hasRetryAfter: false };

export class Line {
  private readonly url: URL;
  private socket: Socket | undefined;
  /** What came of an answer's head. */
  private head = '';
  /** Known once the head is whole, with the bytes of the body that are still to come. */
  private answer: Answer | undefined;
  private left = 0;
  private settle: (answer: Answer) => void = () => {};

  constructor(base: string) {
    this.url = new URL(base);
  }

  ask({ method = 'GET', path, headers = {}, body = '' }: Asked): Promise<Answer> {
    const lines = Object.entries({ host: this.url.host, 'content-length': body.length, ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return new Promise((resolve) => {
      this.settle = resolve;
      this.socket ??= this.open();
      this.socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
    });
  }

  close(): void {
    this.socket?.destroy();
    this.end(NONE);
  }

  private open(): Socket {
    const socket = connect(Number(this.url.port), this.url.hostname);
    socket.on('data', (bytes) => this.read(bytes));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.socket = undefined;
      this.end(NONE);
    });
    return socket;
  }

  private read(bytes: Buffer): void {
    if (this.answer) this.left -= bytes.length;
    else {
      this.head += bytes.toString('latin1');
      const end = this.head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.head.slice(0, end);
      const length = /\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined) throw new Error(`An answer of no known length: ${head}`);
      this.answer = { status: Number(head.slice(9, 12)), hasRetryAfter: /\nretry-after:/i.test(head) };
      this.left = Number(length) - (this.head.length - end - 4);
    }
    if (this.left === 0) this.end(this.answer);
  }

  private end(answer: Answer): void {
    this.head = '';
    this.answer = undefined;
    this.settle(answer);
  }
}
