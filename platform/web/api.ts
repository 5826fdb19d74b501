import type {
  CallKey,
  ClientBody,
  PathOf,
  PathParams,
  QueryOf,
  Refusal,
  ReplyOf,
  API_PREFIX as SHARED_PREFIX,
} from '#platform/shared/call.ts';
import { KEY_HEADER, REPLAYED, UNATTENDED } from '#platform/shared/presence.ts';
import { type AskedAs, readToken, tokensFor } from './session.ts';

/**
 * The browser's client for the site's API: all its requests go through here. Types come from the table of calls; at
 * run time a call is just its key, so that no schema travels to browsers.
 */

/** Thrown when the server refused a call or did not answer; `message` is a French sentence to show. */
export class CallError extends Error {
  /** 0 when no answer came. */
  readonly status: number;
  /** Error messages by field name. */
  readonly champs: Record<string, string>;
  /** The whole body of the refusal, for calls that answer more than a message. */
  readonly answer: unknown;
  /** True when the portal session has ended; the listeners of `onSessionEnded` have already been called. */
  readonly endsPortal: boolean;

  constructor(
    status: number,
    message: string,
    champs: Record<string, string> = {},
    answer?: unknown,
    endsPortal = false,
  ) {
    super(message);
    this.status = status;
    this.champs = champs;
    this.answer = answer;
    this.endsPortal = endsPortal;
  }
}

export type CallInput<K extends CallKey> = {
  query?: Partial<QueryOf<K>>;
  signal?: AbortSignal;
  /** Whose stored token authenticates the call; by default that of staff, which public calls ignore. */
  as?: AskedAs;
  /** Token to present instead of the stored ones. */
  token?: string;
  /** When false, the cookies of this browser are neither sent nor changed; not with `onSent`. */
  cookies?: false | undefined;
  /** Called with the part of the body sent so far, from 0 to 1. */
  onSent?: (part: number) => void;
} & (unknown extends PathParams<PathOf<K>> ? { params?: undefined } : { params: PathParams<PathOf<K>> }) &
  (ClientBody<K> extends undefined ? { body?: undefined } : { body: ClientBody<K> });

export type AddressInput<K extends CallKey> = Pick<CallInput<K>, 'params' | 'query'>;

/** Repeated here, with only its type imported: importing the value would bundle the table of calls. */
export const API_PREFIX: typeof SHARED_PREFIX = '/api/api';
/** Timeouts, in ms: for a GET, for a write, for a form with its files. */
export const LIMITS_MS = { read: 30_000, write: 60_000, send: 600_000 };
export const NO_ANSWER = 'Le serveur ne répond pas. Vérifiez votre connexion.';
const STRANGE_ANSWER = 'Le serveur a répondu d’une façon inattendue.';

/** Makes a call of the table. Only a 2xx with JSON is a success; anything else throws `CallError`. */
export function call<K extends CallKey>(key: K, input: CallInput<K>): Promise<ReplyOf<K>> {
  return withProof(() => callOnce(key, input));
}

async function callOnce<K extends CallKey>(key: K, input: CallInput<K>): Promise<ReplyOf<K>> {
  const [token, other] = input.token ? [input.token] : tokensFor(input.as ?? 'portal');
  try {
    return await present(key, input, token);
  } catch (error) {
    // An expired token must not hide another one that gives the same access.
    if (other && error instanceof CallError && error.status === 401) return present(key, input, other);
    throw error;
  }
}

async function present<K extends CallKey>(
  key: K,
  input: CallInput<K>,
  token: string | undefined,
): Promise<ReplyOf<K>> {
  const [method] = key.split(' ');
  const { body, headers } = encode(input.body);
  const address = addressWith(key, input.params ?? {}, input.query ?? {});
  const wish = JSON.stringify(
    [address, typeof body === 'object' ? [...(body as FormData)] : body],
    (_, value) => (value instanceof File ? [value.name, value.size] : value),
  );
  if (method === 'POST') headers[KEY_HEADER] = keyFor(wish);
  const { response, content } = await exchange(
    address,
    {
      ...{ method, body, headers: { ...headers, ...headersWith(token) } },
      credentials: input.cookies === false ? 'omit' : 'same-origin',
    },
    (response) => response.text(),
    {
      limit: LIMITS_MS[method === 'GET' ? 'read' : body instanceof FormData ? 'send' : 'write'],
      outer: input.signal,
      onSent: input.onSent,
    },
  );
  if (method !== 'GET') isReplayed = !!response.headers.get(REPLAYED);
  if (response.status < 500 && response.status !== 409) keys.delete(wish);
  const answer = parse(content);
  if (response.ok && answer) return answer as ReplyOf<K>;
  throw refusal(response.status, content, token);
}

/** Keys of wishes whose end is not known: the same wish again, after a cut say, has the same key, and is made once. */
const keys = new Map<string, string>();
let isReplayed = false;

/** Whether what was written last had been made already, by a request whose answer was lost. */
export const wasAlreadyMade = () => isReplayed;

function keyFor(wish: string): string {
  // Not by `randomUUID`, which is missing where the site is not under https.
  const key = keys.get(wish) ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
  keys.set(wish, key);
  return key;
}

interface Exchanged extends RequestInit {
  headers: Record<string, string>;
}

interface ExchangeOptions {
  /** Time, in ms, for the request and its answer together; without one, for ever. */
  limit?: number;
  outer: AbortSignal | undefined;
  onSent?: CallInput<CallKey>['onSent'];
}

/** Sends a request and reads its answer. Throws `CallError` when none came, but for an abort by `outer`. */
export async function exchange<T>(
  address: string,
  asked: Exchanged,
  read: (response: Response) => Promise<T>,
  { limit, outer, onSent }: ExchangeOptions,
): Promise<{ response: Response; content: T }> {
  // By hand, as older browsers lack `AbortSignal.any`.
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = limit && setTimeout(abort, limit);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort);
  const request = { ...asked, signal: controller.signal };
  try {
    const response = await (onSent ? sendCounted(address, request, onSent) : fetch(address, request));
    return { response, content: await read(response) };
  } catch (error) {
    if (outer?.aborted) throw error;
    throw new CallError(0, NO_ANSWER);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

/** Makes the error for a refusal; when the portal session has ended, calls the listener of `onSessionEnded`. */
export function refusal(status: number, text: string, token?: string): CallError {
  const endsPortal = status === 401 && token !== undefined && token === readToken('adminToken');
  if (endsPortal) tellEnded?.();
  const answer = parse(text);
  const { message, champs } = (answer ?? {}) as Partial<Refusal>;
  return new CallError(status, message ?? STRANGE_ANSWER, champs, answer, endsPortal);
}

/** The address of a call that a browser opens by itself, with its cookies. */
export function addressOf<K extends CallKey>(key: K, { params, query }: AddressInput<K>): string {
  return addressWith(key, params ?? {}, query ?? {});
}

/** Reads a private file that the cookies of this browser open. Throws `CallError`. */
export async function readFile(address: string, signal?: AbortSignal): Promise<Blob> {
  const { response, content } = await exchange(address, { headers: {} }, blobOf, { outer: signal });
  if (response.ok) return content;
  throw refusal(response.status, await content.text());
}

export const blobOf = (response: Response) => response.blob();

/** Size in bytes of a file of the site, asked by HEAD; undefined when the answer does not give it. */
export async function weigh(address: string, signal: AbortSignal): Promise<number | undefined> {
  const { ok, headers } = await fetch(address, { method: 'HEAD', signal });
  const length = headers.get('content-length');
  return ok && length ? Number(length) : undefined;
}

export async function answersAt(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { method: 'HEAD' })).ok;
  } catch {
    return false;
  }
}

/** Like `fetch`, but with XMLHttpRequest, which alone reports upload progress, and always sends cookies. */
function sendCounted(
  address: string,
  { method = 'GET', headers, body, signal }: Exchanged & { signal: AbortSignal },
  onSent: (part: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const headers = { [REPLAYED]: request.getResponseHeader(REPLAYED) ?? '' };
      resolve(new Response(request.responseText || null, { status: request.status, headers }));
    };
    request.onerror = request.onabort = () => reject(new Error('no answer'));
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) reject(new Error('no answer'));
    else request.send(body as XMLHttpRequestBodyInit | undefined);
  });
}

let tellEnded: (() => void) | undefined;

/** Calls `listener` when the server no longer accepts the portal's token. Returns the unregister function. */
export function onSessionEnded(listener: () => void): () => void {
  tellEnded = listener;
  return () => {
    tellEnded = undefined;
  };
}

/** Asks the person to prove who they are; false when they would rather not. */
type AskProof = () => Promise<boolean>;

let askProof: AskProof | undefined;
/** The question that is on screen: calls that are refused together ask it once. */
let asked: Promise<boolean> | undefined;

/** Registers who asks for a proof when the server wants one. Returns the unregister function. */
export function onProofWanted(ask: AskProof): () => void {
  askProof = ask;
  return () => {
    if (askProof === ask) askProof = undefined;
  };
}

const NOT_PROVEN = 'Rien n’a été fait\u202f: vous n’avez pas confirmé que c’est vous.';

/** Runs a request; when the server wants a proof of who asks, once more after it was given. */
export async function withProof<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof CallError && stepIn(error) === 'preuve' && askProof)) throw error;
    asked ??= askProof().finally(() => {
      asked = undefined;
    });
    if (!(await asked)) throw new CallError(error.status, NOT_PROVEN);
    return request();
  }
}

/** What has to be given before the same is asked again; undefined for other refusals. */
export function stepIn({ answer }: CallError): Refusal['etape'] {
  return (answer as Partial<Refusal> | undefined)?.etape;
}

function addressWith(key: CallKey, params: Record<string, string | number>, query: object): string {
  const [, path = '/'] = key.split(' ');
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${API_PREFIX}${filled}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

export function headersWith(token: string | undefined): Record<string, string> {
  const headers = presenceHeaders();
  if (token) headers.authorization = `Bearer ${token}`;
  return headers;
}

function encode(body: unknown): { body: BodyInit | undefined; headers: Record<string, string> } {
  if (body === undefined) return { body: undefined, headers: {} };
  if (body instanceof FormData || body instanceof URLSearchParams) return { body, headers: {} };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** Parses a JSON object or list, the only answers of the site; undefined for anything else, such as a proxy's page. */
function parse(text: string): object | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

/* Whether anybody is there: a page asks for news by itself, and that must not keep the portal open. */

/** Time, in ms, after the last act of a person for which somebody is there. */
const THERE_MS = 5 * 60_000;
/** What a person does: by hand, by keys, or by what assists them. */
const ACTS = ['pointerdown', 'pointermove', 'touchstart', 'touchmove', 'wheel', 'keydown', 'click', 'input'];

/** When a person last did something, in ms since the page was opened, which is such an act too. */
let lastAct = 0;

function note({ isTrusted }: Event): void {
  if (isTrusted) lastAct = performance.now();
}

if (typeof window !== 'undefined')
  for (const act of ACTS) window.addEventListener(act, note, { capture: true, passive: true });

/** The headers with which a request says whether anybody is there. */
function presenceHeaders(): Record<string, string> {
  return performance.now() - lastAct < THERE_MS ? {} : { [UNATTENDED]: '1' };
}
