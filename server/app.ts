import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { calls } from '../shared/api.ts';
import type { Site } from '../shared/page.ts';
import { API_PREFIX } from '../shared/route.ts';
import { adminHandlers } from './features/admins/routes.ts';
import { authHandlers } from './features/auth/routes.ts';
import { narrowPicture } from './features/content/pictures.ts';
import { contentFileOwners, contentHandlers, emptyBin } from './features/content/routes.ts';
import { openApi } from './features/docs/openapi.ts';
import { docsPage } from './features/docs/page.ts';
import { settingsHandlers } from './features/settings/routes.ts';
import { sweepFiles } from './files.ts';
import { serveFiles } from './http/downloads.ts';
import { HttpError, notFound } from './http/errors.ts';
import { securityHeaders } from './http/headers.ts';
import { serveHealth } from './http/health.ts';
import { answerError, answerInProcess, type Handlers, serveCalls } from './http/serve.ts';
import type { JobHandlers } from './jobs/jobs.ts';
import type { Scheduled } from './jobs/schedule.ts';
import { type Assets, sendAsset } from './pages/assets.ts';
import { localeOf, type Pages } from './pages/render.ts';
import type { Services } from './services.ts';
import { readSettings } from './settings.ts';

/** Where features are put together: calls, files, pages, jobs and schedules. */

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  /** Milliseconds that the headers of a request may take to arrive. */
  headersTimeout: 10_000,
  /** A whole gallery over a slow line may take long; a byte a second for ever may not. */
  requestTimeout: 3_600_000,
  /** How often both are looked at. */
  connectionsCheckingInterval: 5_000,
  /** Longer than proxies keep idle connections, so that they are the ones to close. */
  keepAliveTimeout: 65_000,
};
/** A connection on which nothing moves for this long is closed. */
const SILENT_MS = 30_000;
const URL_BYTES = 8 * 1024;
const HOUR_MS = 3_600_000;

export function jobHandlers(services: Services): JobHandlers {
  return { 'narrow-picture': (payload) => narrowPicture(services, payload) };
}

export function scheduledWorks(services: Services): Scheduled[] {
  const { database, clock, attempts } = services;
  return [
    { name: 'corbeille', every: HOUR_MS, run: () => emptyBin(services) },
    { name: 'balayage', every: 24 * HOUR_MS, run: async () => void (await sweepFiles(services)) },
    {
      name: 'sessions',
      every: HOUR_MS,
      run: async () => {
        await database.db.deleteFrom('sessions').where('expire_le', '<=', clock().toISOString()).execute();
        await attempts.sweep();
      },
    },
  ];
}

export interface WebBuild {
  pages: Pages;
  assets: Assets;
}

/** The HTTP application, ready to listen. `web` is absent where only calls are tested. */
export async function buildApp(
  services: Services,
  web: WebBuild | undefined,
  isDraining: () => boolean = () => false,
): Promise<FastifyInstance> {
  const headers = securityHeaders(services.config, services.isHttps);
  const requestId = requestIds();
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    // One line a request, of our own choosing: see the hook below.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    trustProxy: trusted(services.config.TRUST_PROXY),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      setHeaders(reply, headers.common, String(request.id));
      answerError(error, request as FastifyRequest, reply as FastifyReply);
    },
    clientErrorHandler: (error, socket) => refuseRaw(error, socket as Socket, headers.common, requestId()),
    serverFactory: (handler) => {
      const server = createServer(LIMITS, (request, response) => {
        if (!services.kept.answer(request, response, requestId)) handler(request, response);
      });
      server.timeout = SILENT_MS;
      return server;
    },
  });
  app.decorateRequest('session', undefined);
  app.addHook('onRequest', async (request, reply) => {
    setHeaders(reply, headers.common, request.id);
    if ((request.raw.url?.length ?? 0) > URL_BYTES)
      throw new HttpError(414, 'Cette adresse est trop longue.');
  });
  app.addHook('onResponse', async (request, reply) => {
    const { name } = request.routeOptions.config;
    const level = reply.statusCode >= 500 ? 'error' : 'info';
    const ms = Math.round(reply.elapsedTime);
    services.log[level]({
      requestId: request.id,
      call: name ?? request.method,
      status: reply.statusCode,
      ms,
    });
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request) => {
    throw unknownAddress(request);
  });

  const handlers: Handlers = {
    ...contentHandlers(services),
    ...authHandlers(services),
    ...adminHandlers(services),
    ...settingsHandlers(services),
  };
  await serveCalls(app, services, handlers);
  serveFiles(app, services, { ...contentFileOwners(services) }, headers);
  serveHealth(app, services, isDraining);
  serveDocs(app, web);
  if (web) servePages(app, services, handlers, web);
  return app;
}

function serveDocs(app: FastifyInstance, web: WebBuild | undefined): void {
  const document = openApi();
  app.get('/api/docs/openapi.json', { config: { name: 'GET /api/docs/openapi.json' } }, async () => document);
  const page = docsPage(web?.pages.stylesheet ?? '');
  app.get('/api/docs', { config: { name: 'GET /api/docs' } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(page),
  );
}

function servePages(
  app: FastifyInstance,
  services: Services,
  handlers: Handlers,
  { pages, assets }: WebBuild,
): void {
  app.get('/*', { config: { name: 'page' } }, async (request, reply) => {
    const [path = '/'] = request.url.split('?');
    if (path.startsWith('/api/') || path === '/api') throw unknownAddress(request);
    if (sendAsset(assets, path, request, reply)) return reply;
    const site = await siteFor(services, request);
    return pages.send(request, reply, site, ({ key, params, query }) =>
      answerInProcess(services, handlers, key, { params, query }),
    );
  });
}

async function siteFor(services: Services, request: FastifyRequest): Promise<Site> {
  const settings = await readSettings(services.database.db, services.config);
  return {
    organisation: settings.organisation_nom,
    publicUrl: services.publicUrl,
    jobOffersUrl: settings.offres_emploi_url,
    locale: localeOf(request.headers['accept-language']),
    timeZone: services.config.TIME_ZONE,
  };
}

/** 405 where the address exists under other methods, else 404. */
function unknownAddress(request: FastifyRequest): HttpError {
  const [path = ''] = request.url.split('?');
  const others = calls.filter((one) => patternOf(one.path).test(path)).map((one) => one.method);
  if (others.length === 0 || others.includes(request.method)) return notFound();
  return new HttpError(405, 'Cette adresse ne prend pas ce genre de demande.');
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${API_PREFIX}${path.replace(/:\w+/g, '[^/]+')}$`);
}

function setHeaders(reply: Pick<FastifyReply, 'headers'>, common: Record<string, string>, id: string): void {
  reply.headers({ ...common, 'x-request-id': id });
}

/** Hops are counted from this server outwards. */
function trusted(proxies: Services['config']['TRUST_PROXY']) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}

/** Short ids, different in each process: a random start and a count. */
function requestIds(): () => string {
  const start = randomBytes(5).toString('hex');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** Answers what is not even HTTP, with the same form and headers as the rest. */
function refuseRaw(
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
      ? ['431', 'Request Header Fields Too Large', 'Les en-têtes de la demande sont trop longs.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408', 'Request Timeout', 'La demande a mis trop de temps à arriver.']
        : ['400', 'Bad Request', 'La demande n’est pas lisible.'];
  const body = JSON.stringify({ message });
  const head = Object.entries({
    ...common,
    'x-request-id': id,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}
