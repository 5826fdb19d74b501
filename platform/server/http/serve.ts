import { PassThrough, type Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { actAs, openReadingCount } from '#platform/server/budgets.ts';
import { databaseTrouble } from '#platform/server/db/database.ts';
import {
  asHttpError,
  check,
  diskFull,
  HttpError,
  notFound,
  StorageUnreachable,
  UNFORESEEN,
  unreadable,
  wrongKind,
} from '#platform/server/errors.ts';
import type { Log } from '#platform/server/log.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { MB } from '#platform/shared/bytes.ts';
import {
  API_PREFIX,
  type Api,
  type BodyOf,
  type Call,
  type CallKey,
  isCreation,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  statusOf,
} from '#platform/shared/call.ts';
import type { Question } from '#platform/shared/page.ts';
import { REPLAYED } from '#platform/shared/presence.ts';
import {
  admit,
  admitByCookie,
  bearerToken,
  cookieValue,
  deviceOf,
  refuseForeign,
  requireAdmitted,
} from './access.ts';
import { compressed, encodingFor, etagOf, isUnchanged } from './cache.ts';
import { type Ranged, sendRanged } from './downloads.ts';
import { type StagedFile, type StagedForm, stageForm } from './forms.ts';
import { once } from './once.ts';

/** JSON made elsewhere (by the database), sent as it is. */
export class RawJson {
  readonly body: Buffer;
  /** Set when the answer is the same for everybody and may be revalidated. */
  readonly etag: string | undefined;

  constructor(body: Buffer, etag?: string) {
    this.body = body;
    this.etag = etag;
  }
}

/** A file made for the client, which the browser saves under `label`, without the characters that no disk takes. */
export class MadeFile {
  readonly body: Buffer;
  readonly label: string;
  /** Number of persons whose names or addresses it takes away. */
  readonly people: number;

  constructor(body: Buffer, label: string, people: number) {
    this.body = body;
    this.label = savable(label);
    this.people = people;
  }
}

/** Like `MadeFile`, but of a known size and read while it is sent, whole or resumed from where it was cut. */
export class RangedFile {
  readonly body: Ranged;
  readonly label: string;

  constructor(body: Ranged, label: string) {
    this.body = body;
    this.label = savable(label);
  }
}

/**
 * A label safe to save: without characters that disks refuse, without invisible ones, which may fake another
 * extension, and without leading dots, which hide the file.
 */
export function savable(label: string): string {
  return label
    .replace(/\p{Cf}/gu, '')
    .replace(/[\\/:*?"<>|]/g, '-')
    .replace(/^\.+/, '');
}

/** Server-sent events, for as long as the stream lasts. */
export class EventStream {
  readonly stream: Readable;

  constructor(stream: Readable) {
    this.stream = stream;
  }
}

/** The input of a handler; everything in it has been checked against the table. */
export interface Context<K extends CallKey> {
  params: ParamsOf<K>;
  query: QueryOf<K>;
  body: BodyOf<K>;
  /** Staged files of a multipart body by field; what a handler does not keep is erased after it. */
  files: Record<string, StagedFile[]>;
  session: Session | undefined;
  /** The bearer token presented, which the session belongs to. */
  token: string | undefined;
  ip: string;
  /** Its browser and system; see `deviceOf`. */
  device: string;
  /** The value of a cookie that is not one of a session, by its name without prefix. */
  cookie(name: string): string | undefined;
  /** True when the visitor's browser asks for visits not to be tracked (`Sec-GPC` or `DNT`). */
  hasOptedOut: boolean;
  log: Log;
  /** Adds a `Set-Cookie` line, or another header, to a successful answer. */
  header(name: string, value: string): void;
}

type Handler<K extends CallKey> = (
  context: Context<K>,
) => Promise<ReplyOf<K> | RawJson | MadeFile | RangedFile | EventStream>;

/** One handler for every call of the table: a missing one does not compile. */
export type Handlers = HandlersOf<Api>;

/** The handlers of a part of the table. */
export type HandlersOf<Calls> = { [K in keyof Calls & CallKey]: Handler<K> };

/** The table of calls as data; see `app/calls.ts`. */
type Table = readonly { key: CallKey; method: string; path: string; call: Call }[];

type AnyHandler = (context: Context<CallKey>) => Promise<unknown>;

const JSON_BYTES = 100 * 1024;
const JSON_DEPTH = 20;
/** Time, in ms, that a JSON or form-encoded body may take to arrive. */
const BODY_MS = 15_000;
const FORM_FIELDS = 50;

/** Registers every call of the table, and nothing else, under the prefix. */
export async function serveCalls(
  app: FastifyInstance,
  services: Services,
  table: Table,
  handlers: Handlers,
): Promise<void> {
  readBodies(app);
  const countReading = openReadingCount(services);
  await app.register(multipart, { throwFileSizeLimit: false });
  for (const { key, method, path, call } of table) {
    app.route({
      method,
      url: `${API_PREFIX}${path}`,
      bodyLimit: JSON_BYTES,
      config: { name: key },
      onRequest: async (request) => {
        refuseForeign(services, request);
        const admitted = call.byCookie ? admitByCookie : admit;
        request.session = await admitted(services, request, call);
      },
      handler: (request, reply) =>
        actAs(request.session, () =>
          run(services, call, handlers[key] as AnyHandler, countReading, request, reply),
        ),
    });
  }
}

/** Runs a call in process, as an anonymous visitor or with a session: how pages rendered here get their data. */
export async function answerInProcess(
  services: Services,
  table: Table,
  handlers: Handlers,
  key: CallKey,
  input: Pick<Question, 'params' | 'query'>,
  session?: Session,
): Promise<unknown> {
  const call = table.find((one) => one.key === key)?.call;
  if (!call || (call.access !== 'anyone' && !session)) throw new Error(`${key} is not open to visitors`);
  if (call.fresh) throw new Error(`${key} asks for a proof that no page can give`);
  if (session && call.access !== 'anyone') requireAdmitted([session], call.access);
  const result = await (handlers[key] as AnyHandler)({
    params: readParams(call, asInAddress(input.params)),
    query: call.query ? check(call.query, asInAddress(input.query)) : undefined,
    body: undefined,
    files: {},
    session,
    token: undefined,
    ip: '',
    device: '',
    cookie: () => undefined,
    hasOptedOut: true,
    log: services.log,
    header: () => {},
  } as unknown as Context<CallKey>);
  return result instanceof RawJson ? JSON.parse(result.body.toString('utf8')) : call.reply.parse(result);
}

/** Values as the text that an address holds: what the table checks. */
function asInAddress(values: Record<string, string | number> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** Free bytes of the disk below which nothing but what `onFullDisk` names is written, if the database lies there. */
const DISK_LEFT = 2 * MB;

function requireRoom({ room }: Services['database'], call: Call, method: string): void {
  if (!room || call.onFullDisk || ['GET', 'HEAD', 'DELETE'].includes(method)) return;
  if (room.left() < DISK_LEFT) throw diskFull();
}

async function run(
  services: Services,
  call: Call,
  handler: AnyHandler,
  countReading: ReturnType<typeof openReadingCount>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const params = readParams(call, request.params);
  const query = call.query ? check(call.query, request.query) : undefined;
  requireRoom(services.database, call, request.method);
  const { session } = request;
  const counted = async (shown: unknown) => {
    if (session?.role === 'admin' && isOfPeople(call)) await countReading(session, shownBy(shown));
  };
  const form = await readForm(services, call, request);
  try {
    const body = call.body ? check(call.body.schema, form ? form.texts : (request.body ?? {})) : undefined;
    const headers: [string, string][] = [];
    const context = {
      params,
      query,
      body,
      files: form?.files ?? {},
      session: request.session,
      token: bearerToken(request),
      ip: request.ip,
      device: deviceOf(request.headers['user-agent']),
      cookie: (name: string) => cookieValue(services, request, name),
      hasOptedOut: request.headers['sec-gpc'] === '1' || request.headers.dnt === '1',
      log: request.log as unknown as Log,
      header: (name: string, value: string) => headers.push([name, value]),
    } as unknown as Context<CallKey>;
    const make = () => handler(context);
    const makeOnce = () => {
      const asked = [params, query, form?.texts ?? request.body, hashesOf(form)];
      const replay = (kept: Buffer) => {
        reply.header(REPLAYED, 'true');
        return new RawJson(kept);
      };
      return once(services, request, asked, make, (made) => call.reply.parse(made), replay);
    };
    const result = isCreation(request.method, call) ? await makeOnce() : await make();
    await counted(result);
    for (const [name, value] of headers) reply.header(name, value);
    return send(call, result, request, reply);
  } catch (error) {
    // A conflict shows what stands there.
    if (error instanceof HttpError) await counted(error.body());
    throw error;
  } finally {
    await form?.discard();
  }
}

const hashesOf = (form: StagedForm | undefined) =>
  Object.entries(form?.files ?? {}).map(([field, files]) => [
    field,
    files.map(({ label, sha256 }) => [label, sha256]),
  ]);

/** Whether a call shows more than what the site publishes: those with the right `contenus` alone edit what all can read. */
function isOfPeople({ access }: Call): boolean {
  return access !== 'anyone' && access.some((one) => one !== 'contenus');
}

/** What a result shows of people: itself, or their number in a file; undefined for streams, which name nobody. */
function shownBy(result: unknown): unknown {
  if (result instanceof MadeFile) return result.people;
  if (result instanceof RawJson) return JSON.parse(result.body.toString('utf8'));
  return result instanceof RangedFile || result instanceof EventStream ? undefined : result;
}

function send(
  call: Call,
  result: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  reply.header('content-type', call.media ?? 'application/json; charset=utf-8');
  if (result instanceof MadeFile) {
    reply.header('content-disposition', contentDisposition(result.label));
    return reply.code(statusOf(call)).header('cache-control', 'no-store').send(result.body);
  }
  if (result instanceof RangedFile) {
    reply
      .header('content-disposition', contentDisposition(result.label))
      .header('cache-control', 'private, no-cache')
      .header('vary', 'cookie, authorization');
    return sendRanged(request, reply, result.body);
  }
  if (result instanceof EventStream) {
    // A `HEAD` request would wait for the end of the stream, which has none.
    if (request.method === 'HEAD') result.stream.destroy();
    // A proxy that waits for the end before it sends would never send.
    return reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no').send(result.stream);
  }
  if (call.media && !(result instanceof RawJson)) {
    const body = Buffer.from(call.reply.parse(result) as string);
    return sendBytes(statusOf(call), body, undefined, request, reply);
  }
  if (!(result instanceof RawJson)) {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    // The answer to a visitor of a call open to anyone may be revalidated; the others are private.
    const isPublic = call.access === 'anyone' && isReading && !request.session;
    const body = Buffer.from(JSON.stringify(call.reply.parse(result)));
    return sendBytes(statusOf(call), body, isPublic ? etagOf(body) : undefined, request, reply);
  }
  return sendBytes(statusOf(call), result.body, result.etag, request, reply);
}

/** Bytes from which compressing gains more than it costs. */
const WORTH_COMPRESSING = 4 * 1024;

/**
 * Sends text whose type is set, compressed when it is long. With an `etag` browsers may cache it and must revalidate;
 * without, nobody caches it.
 */
export async function sendBytes(
  status: number,
  body: Buffer,
  etag: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', etag ? 'no-cache' : 'no-store').header('vary', 'accept-encoding');
  if (etag) {
    reply.header('etag', etag);
    if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send();
  }
  reply.code(status);
  return body.length < WORTH_COMPRESSING ? reply.send(body) : sendCompressed(body, request, reply);
}

/** Sends a body in an encoding that the browser reads, if any. */
async function sendCompressed(
  body: Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers);
  if (!encoding) return reply.send(body);
  return reply.header('content-encoding', encoding).send(await compressed(body, encoding));
}

function readParams(call: Call, input: unknown): unknown {
  if (!call.params) return undefined;
  const read = call.params.safeParse(input);
  if (!read.success) throw notFound();
  return read.data;
}

async function readForm(
  services: Services,
  call: Call,
  request: FastifyRequest,
): Promise<StagedForm | undefined> {
  const isMultipart = request.isMultipart();
  if (call.body?.as === 'multipart') {
    if (!isMultipart) throw wrongKind('Un formulaire avec fichiers est attendu ici.');
    return stageForm(request, call.body, services.staging);
  }
  if (call.body) {
    if (isMultipart || !request.headers['content-type'])
      throw wrongKind('Ce type de contenu n’est pas accepté ici.');
    const isJson = /^application\/json\b/i.test(request.headers['content-type']);
    if (isJson !== (call.body.as === 'json')) throw wrongKind('Ce type de contenu n’est pas accepté ici.');
  }
  return undefined;
}

/** JSON and form-encoded bodies, bounded in time, size, depth and fields. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', async (request, reply, payload) =>
    TEXT_TYPES.test(request.headers['content-type'] ?? '') ? inTime(payload, reply) : payload,
  );
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: JSON_BYTES },
    (_request, text, done) => {
      if (text === '') return done(null, undefined);
      let value: unknown;
      try {
        value = JSON.parse(text as string);
      } catch {
        return done(unreadable('Le JSON reçu n’est pas lisible.'), undefined);
      }
      if (depthOf(value) > JSON_DEPTH) return done(unreadable('Le JSON reçu est trop profond.'), undefined);
      return done(null, value);
    },
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: JSON_BYTES },
    (_request, text, done) => {
      const fields: Record<string, string | string[]> = Object.create(null);
      let count = 0;
      for (const [name, value] of new URLSearchParams(text as string)) {
        if (++count > FORM_FIELDS)
          return done(new HttpError(413, 'Ce formulaire a trop de champs.'), undefined);
        const known = fields[name];
        fields[name] = known === undefined ? value : [known, value].flat();
      }
      return done(null, { ...fields });
    },
  );
}

const TEXT_TYPES = /^application\/(json|x-www-form-urlencoded)\b/i;

/** A body that fails with 408 when it takes too long, and then closes its connection. */
function inTime(payload: RequestPayload, reply: FastifyReply): RequestPayload {
  const body = new PassThrough();
  const timer = setTimeout(() => {
    reply.header('connection', 'close');
    body.destroy(new HttpError(408, 'La demande a mis trop de temps à arriver.'));
  }, BODY_MS);
  body.once('close', () => clearTimeout(timer));
  // A body that is refused before its end is read by nobody.
  reply.raw.once('close', () => body.destroy());
  payload.once('error', (error) => body.destroy(error));
  return payload.pipe(body);
}

function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0 && depth <= JSON_DEPTH + 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    depth++;
  }
  return depth;
}

/** Shortest time, in ms, between two log lines about a bucket or a database that does not answer. */
const AWAY_LOG_MS = 10_000;
let awayLoggedAt = Number.NEGATIVE_INFINITY;

/**
 * Turns a thrown value into the error form; logged with their cause are unforeseen errors, and now and then those of a
 * bucket or a database that does not answer.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asHttpError(error);
  if (!known) request.log.error({ err: error, requestId: request.id }, 'unforeseen error');
  const isAway = error instanceof StorageUnreachable || databaseTrouble(error) === 'away';
  if (isAway && performance.now() - awayLoggedAt > AWAY_LOG_MS) {
    awayLoggedAt = performance.now();
    request.log.error({ err: error, requestId: request.id }, 'the bucket or the database does not answer');
  }
  reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store');
  if (known) reply.headers(known.headers);
  const body = known ? known.body() : { message: UNFORESEEN };
  return reply.code(known?.status ?? 500).send(Buffer.from(JSON.stringify(body)));
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined;
    /** The first session that the request presents, whether or not it may do what it asks. */
    presented: Session | undefined;
  }
  interface FastifyContextConfig {
    /** The call's key, for the logs: addresses themselves may hold what must not be logged. */
    name?: string;
  }
}
