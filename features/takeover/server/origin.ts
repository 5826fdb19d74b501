import { setTimeout as wait } from 'node:timers/promises';
import { MB } from '#platform/shared/bytes.ts';
import { API_PREFIX } from '#platform/shared/call.ts';

/* Reading of the site that is taken over: its calls and its files, over a line and a server that fail now and then. */

/** The original site did not give what was asked. `status`: its answer; undefined: none that could be read. */
export class OriginError extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** There is no use in asking for anything else: it does not answer at all, or refuses the token. */
export class OriginAway extends OriginError {}

export interface Origin {
  /** Its host without « www. », by which what came from it is known later. */
  host: string;
  /** Whether what it says can be read on the way. */
  isPlain: boolean;
  /** The answer of a call, by its path without the prefix. */
  ask(path: string): Promise<unknown>;
  /** Throws unless the file is there and small enough; reads no more than the head of its answer. */
  requireFile(path: string, maxBytes: number): Promise<void>;
  file(path: string, maxBytes: number): Promise<Buffer>;
}

/** Most bytes of the answer of a call: ten thousand items with long texts. */
const ANSWER_BYTES = 256 * MB;
/** Time limits in ms: until an answer begins, and between two parts of it. */
const PATIENCE = 30_000;
/** Time in ms for whatever is asked, until its last byte, and with what is asked again. */
const DEADLINE = 10 * 60_000;
/** Waits in ms before a request that failed is sent again. */
const WAITS = [1_000, 4_000];
const REDIRECTS_MAX = 5;

/** `times`: waits and deadline, in ms, if other than usual. Throws `TypeError` for an address that is none. */
export function openOrigin(
  address: string,
  token: string,
  times: { waits?: readonly number[]; deadline?: number } = {},
): Origin {
  const { waits = WAITS, deadline = DEADLINE } = times;
  const base = new URL(address.endsWith('/') ? address : `${address}/`);
  if (!/^https?:$/.test(base.protocol) || base.username || base.search) throw new TypeError('not an address');

  /** One request, which goes nowhere but to the scheme, host and port of the site: the token is for nobody else. */
  async function request(path: string, signal: AbortSignal): Promise<Response> {
    let url = new URL(path.replace(/^\//, ''), base);
    for (let count = 0; count < REDIRECTS_MAX; count++) {
      if (url.origin !== base.origin)
        throw new OriginError(
          `renvoie vers ${url.origin}\u202f: si c’est bien lui, donnez cette adresse à la commande`,
          310,
        );
      const headers = { authorization: `Bearer ${token}`, accept: '*/*' };
      const answer = await fetch(url, { headers, redirect: 'manual', signal });
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || location === null) return answer;
      await answer.body?.cancel();
      url = new URL(location, url);
    }
    throw new OriginError('renvoie sans fin d’une adresse à l’autre', 310);
  }

  /** What `read` makes of a good answer; asked again where another try may help. */
  async function get<T>(
    path: string,
    read: (answer: Response, patience: Patience) => Promise<T>,
  ): Promise<T> {
    const end = AbortSignal.timeout(deadline);
    for (let tries = 0; ; tries++) {
      const patience = new Patience();
      try {
        const answer = await request(path, AbortSignal.any([patience.signal, end]));
        if (answer.ok) return await read(answer, patience);
        await answer.body?.cancel();
        throw refusal(answer.status);
      } catch (error) {
        if (end.aborted) throw tooSlow(deadline);
        const trouble = error instanceof OriginError ? error : new OriginAway('ne répond pas');
        const isPassing = trouble.status === undefined || trouble.status >= 500 || trouble.status === 429;
        const pause = waits[tries];
        if (!isPassing || pause === undefined) throw trouble;
        // Cut short by the end, of which the next try is told.
        await wait(pause, undefined, { signal: end }).catch(() => {});
      } finally {
        patience.end();
      }
    }
  }

  return {
    host: base.host.replace(/^www\./, ''),
    isPlain: base.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(base.hostname),
    ask: (path) =>
      get(`${API_PREFIX}${path}`, async (answer, patience) => {
        const text = (await bytesOf(answer, ANSWER_BYTES, patience)).toString('utf8');
        try {
          return JSON.parse(text) as unknown;
        } catch {
          throw new OriginError('répond autre chose que du JSON', answer.status);
        }
      }),
    requireFile: (path, maxBytes) =>
      get(path, async (answer) => {
        await answer.body?.cancel();
        if (Number(answer.headers.get('content-length') ?? 0) > maxBytes) throw tooHeavy();
      }),
    file: (path, maxBytes) => get(path, (answer, patience) => bytesOf(answer, maxBytes, patience)),
  };
}

/** Ends a request in which nothing has come for a while. */
class Patience {
  readonly #controller = new AbortController();
  #timer = this.#start();
  readonly signal = this.#controller.signal;

  #start() {
    return setTimeout(() => this.#controller.abort(), PATIENCE);
  }

  /** Something has come. */
  renew(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function refusal(status: number): OriginError {
  if (status === 401 || status === 403) return new OriginAway('refuse ce jeton', status);
  return new OriginError(status === 404 ? 'ne l’a pas (404)' : `répond ${status}`, status);
}

/** With a status, as other things may be asked all the same. */
const tooSlow = (deadline: number) =>
  new OriginError(
    `n’a pas fini de répondre en ${Math.ceil(deadline / 60_000)}\u00a0min\u202f: relancez la même commande quand il est moins occupé, ou depuis une machine mieux reliée à lui`,
    408,
  );

const tooHeavy = () => new OriginError('donne un fichier trop lourd', 413);

async function bytesOf(answer: Response, maxBytes: number, patience: Patience): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    patience.renew();
    size += part.length;
    if (size > maxBytes) throw tooHeavy();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
