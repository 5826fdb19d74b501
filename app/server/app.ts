import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { calls } from '#app/calls.ts';
import { listPublished } from '#features/content/server/store.ts';
import { KINDS } from '#features/content/shared/kinds.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { admitToStays } from '#platform/server/http/access.ts';
import { etagOf } from '#platform/server/http/cache.ts';
import { serveFiles } from '#platform/server/http/downloads.ts';
import { securityHeaders } from '#platform/server/http/headers.ts';
import { answerInProcess, type Handlers, sendBytes, serveCalls } from '#platform/server/http/serve.ts';
import { openHttp, serveHealth } from '#platform/server/http/shell.ts';
import { type Assets, sendAsset } from '#platform/server/pages/assets.ts';
import { escapeHtml } from '#platform/server/pages/html.ts';
import { localeOf, type Pages } from '#platform/server/pages/render.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { COUNTER_QUERY, type Question, type Site } from '#platform/shared/page.ts';
import { type ClockChanges, clockChangesBetween, dayAt } from '#platform/shared/time.ts';
import { docsPage, openApi } from './apiDocs.ts';
import { type AllOf, features, merged, product } from './features.ts';

/* The HTTP application: the calls, files and pages of all features. */

interface WebBuild {
  pages: Pages;
  assets: Assets;
}

/** Also answered while a process leaves. */
const HEALTH = ['/healthz', '/readyz', '/metrics'];

/** What a process that ends says to whoever asks it. */
export interface Leaving {
  /** `/readyz` says no, and connections close with their answer. */
  isDraining: boolean;
  /**
   * Reads are answered 502: nginx asks another process and, for a while, no longer sends anything here. Without that it goes on
   * until the port is closed, which would cut what has just arrived; a write cannot be sent twice, and is still served.
   */
  sendsReadsAway: boolean;
}

/** The HTTP application, ready to listen. `web` is absent where only calls are tested. */
export async function buildApp(
  services: Services,
  web: WebBuild | undefined,
  leaving: Leaving = { isDraining: false, sendsReadsAway: false },
): Promise<FastifyInstance> {
  const app = openHttp(services, securityHeaders(services.config, services.isHttps));
  app.addHook('onRequest', async ({ method, routeOptions }, reply) => {
    if (leaving.isDraining) reply.header('connection', 'close');
    if (leaving.sendsReadsAway && method === 'GET' && !HEALTH.includes(routeOptions.url ?? ''))
      return reply.code(502).header('cache-control', 'no-store').header('retry-after', 1).send();
  });
  const opened = features.map((one) => one.open?.(services, product, app));
  const handlers: Handlers = merged(opened.map((one) => one?.handlers)) as AllOf<'open'>['handlers'];
  await serveCalls(app, services, calls, handlers);
  const owners = merged(features.map((one) => one.fileOwners?.(services)));
  const labels = merged(features.map((one) => one.fileLabels?.(services)));
  serveFiles(app, services, { owners, labels });
  for (const one of opened) await one?.serve?.();
  serveHealth(app, services, () => leaving.isDraining);
  serveDocs(app, web);
  if (web) {
    serveDiscovery(app, services, web.pages.indexedPaths);
    servePages(app, services, handlers, web);
  }
  return app;
}

function serveDocs(app: FastifyInstance, web: WebBuild | undefined): void {
  // Made on the first request, as few ask for them, then cached: making them takes as long as much of the start.
  let document: ReturnType<typeof openApi> | undefined;
  app.get('/api/docs/openapi.json', { config: { name: 'GET /api/docs/openapi.json' } }, async () => {
    document ??= openApi();
    return document;
  });
  let page: string | undefined;
  app.get('/api/docs', { config: { name: 'GET /api/docs' } }, async (_request, reply) => {
    page ??= docsPage(web?.pages.stylesheet ?? '');
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

function servePages(
  app: FastifyInstance,
  services: Services,
  handlers: Handlers,
  { pages, assets }: WebBuild,
): void {
  app.get('/*', { config: { name: 'page' } }, async (request, reply) => {
    const [path = '/'] = request.url.split('?');
    if (path === '/api' || path.startsWith('/api/')) return reply.callNotFound();
    if (sendAsset(assets, path, request, reply)) return reply;
    const site = await siteFor(services, request);
    const load = ({ key, params, query }: Question, session?: Session) =>
      answerInProcess(services, calls, handlers, key, { params, query }, session);
    return pages.send(request, reply, site, {
      load: (question) => load(question),
      findVisitors: async (stayId) => {
        const sessions = await admitToStays(services, request, stayId);
        return sessions.flatMap((session) => {
          const { role, stageId } = session;
          if (stageId === null) return [];
          return {
            stageId,
            role: role === 'director' ? 'formateur' : 'stagiaire',
            load: (question) => load(question, session),
          };
        });
      },
    });
  });
}

/** The address of the image of an outside counter, which may have a query of its own. */
function counterAddress(outside: string | undefined): string {
  if (outside === undefined) return '';
  const address = new URL(outside);
  for (const [name, value] of new URLSearchParams(COUNTER_QUERY)) address.searchParams.set(name, value);
  return address.href;
}

async function siteFor(services: Services, request: FastifyRequest): Promise<Site> {
  const settings = await readSettings(services.database.db, services.config);
  const { TIME_ZONE } = services.config;
  const today = dayAt(services.clock(), TIME_ZONE);
  return {
    organisation: settings.organisation_nom,
    logo: settings.logo,
    publicUrl: services.publicUrl,
    jobOffersUrl: settings.offres_emploi_url,
    counterUrl: counterAddress(services.config.VISIT_COUNTER_URL),
    analyticsUrl: services.config.ANALYTICS_URL ?? '',
    locale: localeOf(request.headers['accept-language']),
    timeZone: TIME_ZONE,
    clockChanges: changesAround(Number(today.slice(0, 4)), TIME_ZONE),
    today,
  };
}

/** Years before and after this one whose dates pages show most. */
const [YEARS_BACK, YEARS_AHEAD] = [4, 2];
const changesByYear = new Map<string, ClockChanges>();

/** The clock changes of the years around one; kept, as it takes some thousand questions to `Intl`. */
function changesAround(year: number, timeZone: string): ClockChanges {
  const key = `${timeZone} ${year}`;
  const start = new Date(Date.UTC(year - YEARS_BACK, 0));
  const end = new Date(Date.UTC(year + YEARS_AHEAD + 1, 0));
  const changes = changesByYear.get(key) ?? clockChangesBetween(timeZone, start, end);
  changesByYear.set(key, changes);
  return changes;
}

/* The two files that search engines ask for first: robots.txt and sitemap.xml. */

/**
 * Address prefixes closed to crawlers: those for programs, and private files. Pages that must not be indexed are not
 * listed, as crawlers have to read them to see that; nor are pictures, which previews of shared pages need.
 */
const CLOSED = ['/api/api/', '/api/docs', '/api/doc_stage_formateur/'];
/** Largest number of addresses that search engines read in one sitemap. */
const MAP_MAX = 50_000;

/** Serves /robots.txt, and /sitemap.xml with `paths` and every published item that has a page. */
function serveDiscovery(app: FastifyInstance, services: Services, paths: readonly string[]): void {
  app.get('/robots.txt', { config: { name: 'GET /robots.txt' } }, async (request, reply) => {
    const rules = ['User-agent: *', ...CLOSED.map((path) => `Disallow: ${path}`)];
    const text = [...rules, '', `Sitemap: ${services.publicUrl}/sitemap.xml`, ''].join('\n');
    return sendText('text/plain; charset=utf-8', text, request, reply);
  });
  app.get('/sitemap.xml', { config: { name: 'GET /sitemap.xml' } }, async (request, reply) =>
    sendText('application/xml; charset=utf-8', await drawMap(services, paths), request, reply),
  );
}

async function drawMap(services: Services, paths: readonly string[]): Promise<string> {
  const entries = paths.map((path) => entry(services.publicUrl + path));
  for (const kind of KINDS) {
    const { seenAt } = kind.byId;
    if (!seenAt) continue;
    const rows = await listPublished(services.database.db, kind, services.clock(), MAP_MAX - entries.length);
    entries.push(
      ...rows.map(({ id, modifie_le }) => entry(`${services.publicUrl}${seenAt}${id}`, modifie_le)),
    );
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

function entry(address: string, modified?: string): string {
  const lastmod = modified === undefined ? '' : `<lastmod>${modified}</lastmod>`;
  return `<url><loc>${escapeHtml(address)}</loc>${lastmod}</url>`;
}

function sendText(
  type: string,
  text: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = Buffer.from(text);
  return sendBytes(200, body, etagOf(body), request, reply.type(type));
}
