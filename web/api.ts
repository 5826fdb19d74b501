import type { CallKey, ClientBody, PathOf, PathParams, QueryOf, ReplyOf } from '../shared/api.ts';
import type { API_PREFIX } from '../shared/route.ts';
import { presentedToken } from './session.ts';

/**
 * The only door to the server. Types come from the table of calls; at run time a call is just its key, so that
 * no schema travels to browsers.
 */

/** A refusal, or no answer at all; `message` is a French sentence to show. */
export class CallError extends Error {
  /** 0 when no answer came. */
  readonly status: number;
  /** What is wrong, field by field. */
  readonly champs: Record<string, string>;

  constructor(status: number, message: string, champs: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.champs = champs;
  }
}

export type CallInput<K extends CallKey> = {
  query?: Partial<QueryOf<K>>;
  signal?: AbortSignal;
} & (unknown extends PathParams<PathOf<K>> ? { params?: undefined } : { params: PathParams<PathOf<K>> }) &
  (ClientBody<K> extends undefined ? { body?: undefined } : { body: ClientBody<K> });

/** A type import: the value must not bring the table along. */
const PREFIX: typeof API_PREFIX = '/api/api';
const READ_MS = 30_000;
const NO_ANSWER = 'Le serveur ne répond pas. Vérifiez votre connexion.';
const STRANGE_ANSWER = 'Le serveur a répondu d’une façon inattendue.';

/** Asks a call of the table. Only a 2xx with JSON is a success; anything else throws `CallError`. */
export async function call<K extends CallKey>(key: K, input: CallInput<K>): Promise<ReplyOf<K>> {
  const [method = 'GET', path = '/'] = key.split(' ');
  const { body, headers } = encode(input.body);
  const token = presentedToken();
  if (token) headers.authorization = `Bearer ${token}`;
  const limits = method === 'GET' ? [AbortSignal.timeout(READ_MS)] : [];
  const signals = input.signal ? [input.signal, ...limits] : limits;
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${PREFIX}${fill(path, input.params ?? {})}${queryOf(input.query ?? {})}`, {
      method,
      headers,
      body,
      signal: AbortSignal.any(signals),
    });
    text = await response.text();
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw new CallError(0, NO_ANSWER);
  }
  const answer = parse(text);
  if (response.ok && answer !== undefined) return answer as ReplyOf<K>;
  const { message, champs } = (answer ?? {}) as { message?: unknown; champs?: Record<string, string> };
  throw new CallError(response.status, typeof message === 'string' ? message : STRANGE_ANSWER, champs);
}

function fill(path: string, params: Record<string, string | number>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function queryOf(query: object): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

function encode(body: unknown): { body: BodyInit | undefined; headers: Record<string, string> } {
  if (body === undefined) return { body: undefined, headers: {} };
  if (body instanceof FormData || body instanceof URLSearchParams) return { body, headers: {} };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
