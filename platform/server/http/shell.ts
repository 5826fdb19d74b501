import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { openRefusalCount } from '#platform/server/budgets.ts';
import { HttpError, notFound, unreadable } from '#platform/server/errors.ts';
import { writeBeat } from '#platform/server/jobs/jobsStore.ts';
import type { Services } from '#platform/server/services.ts';
import { PROBE } from '#platform/server/storage/storage.ts';
import { bearerToken } from './access.ts';
import { openRequestQueue, sendOverload } from './requestQueue.ts';
import { answerError } from './serve.ts';

/*
 * What applies to every answer, whoever makes it: limits, request ids, security headers, the error form, one log
 * line, and 404 or 405 for what is not registered.
 */

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** In ms. A whole gallery over a slow line may take long; a byte a second for ever may not. */
  requestTimeout: 3_600_000,
  /** Time, in ms, between two checks of both. */
  connectionsCheckingInterval: 5_000,
  /** In ms. Longer than proxies keep idle connections, so that they are the ones to close. */
  keepAliveTimeout: 65_000,
  /** Refused below instead, with the headers of every answer. */
  requireHostHeader: false,
};
/** Time, in ms, after which a connection on which nothing moves is closed. */
const SILENT_MS = 30_000;
const URL_BYTES = 8 * 1024;

/** Calls are checked by our own table, so the hundred modules with which Fastify compiles schemas are never loaded. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } };

function noSchema(): never {
  throw new Error('A route has a schema of Fastify’s: what a call takes stands in its table');
}

export function openHttp(services: Services, headers: Record<string, string>): FastifyInstance {
  const requestId = requestIds();
  const queue = openRequestQueue(services.log);
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    // One line a request, of our own choosing: see `logAnswer`.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => readableAddress(url),
    schemaController: NO_SCHEMAS,
    // Requests that still arrive on an open connection are answered, and the connection closed.
    return503OnClosing: false,
    trustProxy: trusted(services.config.TRUST_PROXY),
    // As long as an address may be: each call checks its own parameters.
    routerOptions: { maxParamLength: URL_BYTES },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, 'x-request-id': request.id });
      answerError(error, request as FastifyRequest, reply as FastifyReply);
      logAnswer(services, request.id, request.method, reply.statusCode, reply.elapsedTime);
    },
    clientErrorHandler: (error, socket) => refuseRaw(services, error, socket as Socket, headers, requestId()),
    serverFactory: (handler) => {
      const current = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
      const server = createServer(LIMITS, (request, response) => {
        current.set(request.socket, { request, response });
        if (answerKept(services, request, response, requestId)) return;
        queue.admit({
          request,
          response,
          serve() {
            services.metrics.begun();
            // Also when the answer is cut.
            response.once('close', services.metrics.ended);
            handler(request, response);
          },
          refuse(retryAfter) {
            const id = requestId();
            sendOverload(request, response, { ...headers, 'x-request-id': id }, retryAfter);
            noteQuick(services, id, 'excess', response);
          },
        });
      });
      server.on('checkExpectation', handler);
      server.timeout = SILENT_MS;
      server.on('timeout', (socket: Socket) => {
        const { request, response } = current.get(socket) ?? {};
        // Silent because we are at work (pictures take their time), not because the other side left.
        const isOurTurn = request?.complete && response && !response.headersSent;
        if (!isOurTurn) socket.destroy();
      });
      return server;
    },
  });
  const noteRefusal = openRefusalCount(services);
  app.decorateRequest('session', undefined);
  app.decorateRequest('presented', undefined);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...headers, 'x-request-id': request.id });
    services.proxy.note(request.raw);
    refuseOdd(request.raw);
  });
  app.addHook('onResponse', async (request, reply) => {
    const name = request.routeOptions.config.name ?? request.method;
    logAnswer(services, request.id, name, reply.statusCode, reply.elapsedTime);
    const { presented } = request;
    const token = presented?.role === 'admin' ? bearerToken(request) : undefined;
    if (token !== undefined) queue.rememberStaff(token);
    if (presented && [403, 404].includes(reply.statusCode)) noteRefusal(presented.id);
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  refuseUnknown(app);
  return app;
}

/** Makes the address of a page readable when its %-codes are invalid: it then leads to no page. Calls refuse theirs. */
function readableAddress(url: string): string {
  const [path = '/', ...query] = url.split('?');
  if (path.startsWith('/api/') || isCoded(path)) return url;
  return [path.replaceAll('%', '%25'), ...query].join('?');
}

function isCoded(path: string): boolean {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

function refuseOdd(request: IncomingMessage): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') throw unreadable();
  if ((request.url?.length ?? 0) > URL_BYTES) throw new HttpError(414, 'Cette adresse est trop longue.');
  const expected = request.headers.expect;
  if (expected !== undefined && expected.toLowerCase() !== '100-continue') {
    throw new HttpError(417, 'Cette attente ne peut pas être satisfaite.');
  }
}

function answerKept(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: () => string,
): boolean {
  if (request.headers.host === undefined) return false;
  const id = services.cache.answer(request, response, requestId);
  if (id === undefined) return false;
  noteQuick(services, id, 'kept', response);
  return true;
}

/** Logs and counts a cached answer or a refusal under load: thousands a second, so their lines have the level debug. */
function noteQuick(
  services: Services,
  requestId: string,
  call: string,
  { statusCode }: ServerResponse,
): void {
  services.log.debug({ requestId, call, status: statusCode, ms: 0 });
  services.metrics.answered(call, statusCode, 0);
}

/** Logs and counts call, status and duration: never address, query or headers, as they may hold private data. */
function logAnswer(
  services: Services,
  requestId: string,
  call: string,
  status: number,
  elapsed: number,
): void {
  services.metrics.answered(call, status, elapsed);
  services.log[status >= 500 ? 'error' : 'info']({ requestId, call, status, ms: Math.round(elapsed) });
}

/** Answers 405, with the allowed methods, for an address registered under other methods, and 404 for the rest. */
function refuseUnknown(app: FastifyInstance): void {
  const routes: { pattern: RegExp; method: string }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    if (url === '/*') return;
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`);
    for (const one of [method].flat()) routes.push({ pattern, method: one });
  });
  app.setNotFoundHandler((request) => {
    const [path = ''] = request.url.split('?');
    const methods = routes.filter((route) => route.pattern.test(path)).map((route) => route.method);
    if (methods.length === 0 || methods.includes(request.method)) throw notFound();
    throw new HttpError(405, 'Cette adresse ne prend pas ce genre de demande.', {
      headers: { allow: [...new Set(methods)].sort().join(', ') },
    });
  });
}

/** Proxies to trust, as Fastify takes them; hops are counted from this server outwards. */
function trusted(proxies: Services['config']['TRUST_PROXY'] = false) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}

/** Makes short ids, different in each process: a random start and a count. */
function requestIds(): () => string {
  const start = randomBytes(5).toString('hex');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** Answers what is not even HTTP, in the same form and with the same headers as the rest. */
function refuseRaw(
  services: Services,
  error: Error & { code?: string },
  socket: Socket,
  common: Record<string, string>,
  id: string,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'Les en-têtes de la demande sont trop longs.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'La demande a mis trop de temps à arriver.']
        : [400, 'Bad Request', 'La demande n’est pas lisible.'];
  const body = JSON.stringify({ message });
  const head = Object.entries({
    ...common,
    'x-request-id': id,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
  // Limits how long the other side may hold the connection.
  setTimeout(() => socket.destroy(), 1_000).unref();
  logAnswer(services, id, 'unreadable', status, 0);
}

/** Bytes of free disk below which the site cannot promise to take a write. */
const MIN_FREE_BYTES = 32 * 1024 * 1024;
/** Time, in ms, for which a readiness answer is reused: frequent checks must not become work. */
const KEPT_MS = 1_000;

/**
 * Serves `/healthz` (the process answers) and `/readyz` (it can also write, and the place of its files answers); they say
 * `ok` or `ko` and nothing else.
 */
export function serveHealth(app: FastifyInstance, services: Services, isDraining: () => boolean): void {
  let last: { at: number; ready: Promise<boolean> } | undefined;

  async function checkReady(): Promise<boolean> {
    try {
      await writeBeat(services.database, services.clock());
      await services.storage.has(PROBE);
      return (await services.staging.disk()).free >= MIN_FREE_BYTES;
    } catch (error) {
      services.log.warn({ err: error }, 'not ready');
      return false;
    }
  }

  app.get('/healthz', { config: { name: 'GET /healthz' } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok'),
  );
  app.get('/readyz', { config: { name: 'GET /readyz' } }, async (_request, reply) => {
    const now = performance.now();
    if (!last || now - last.at > KEPT_MS) last = { at: now, ready: checkReady() };
    const isReady = !isDraining() && (await last.ready);
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send(isReady ? 'ok' : 'ko');
  });
}
