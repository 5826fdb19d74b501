import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Site } from '../shared/page.ts';
import { adminHandlers } from './features/admins/routes.ts';
import { audienceHandlers } from './features/audience/routes.ts';
import { forgetOldDays, openViews } from './features/audience/views.ts';
import { authHandlers } from './features/auth/routes.ts';
import { binHandlers, emptyBin, takeOutContent } from './features/content/bin.ts';
import { narrowPicture } from './features/content/pictures.ts';
import { contentFileOwners, contentHandlers } from './features/content/routes.ts';
import { addContent } from './features/content/save.ts';
import { dashboardHandlers } from './features/dashboard/routes.ts';
import { openApi } from './features/docs/openapi.ts';
import { docsPage } from './features/docs/page.ts';
import { putIn, takeOut } from './features/example/fill.ts';
import { exampleHandlers } from './features/example/routes.ts';
import { settingsHandlers } from './features/settings/routes.ts';
import { sweepFiles } from './files.ts';
import { serveFiles } from './http/downloads.ts';
import { securityHeaders } from './http/headers.ts';
import { serveHealth } from './http/health.ts';
import { answerInProcess, type Handlers, serveCalls } from './http/serve.ts';
import { openHttp } from './http/shell.ts';
import type { JobHandlers } from './jobs/jobs.ts';
import type { Scheduled } from './jobs/schedule.ts';
import { type Assets, sendAsset } from './pages/assets.ts';
import { localeOf, type Pages } from './pages/render.ts';
import type { Services } from './services.ts';
import { readSettings } from './settings.ts';

/** Where features are put together: calls, files, pages, jobs and schedules. */

const HOUR_MS = 3_600_000;

export function jobHandlers(services: Services): JobHandlers {
  const content = { add: addContent, takeOut: takeOutContent };
  return {
    'narrow-picture': (payload) => narrowPicture(services, payload),
    'example-in': (payload) => putIn(services, content, payload),
    'example-out': (payload) => takeOut(services, content, payload),
  };
}

export function scheduledWorks(services: Services): Scheduled[] {
  const { database, clock, attempts } = services;
  return [
    { name: 'corbeille', every: HOUR_MS, run: () => emptyBin(services) },
    { name: 'audience', every: 24 * HOUR_MS, run: () => forgetOldDays(services) },
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
  const app = openHttp(services, headers.common);
  const views = openViews(services);
  // After the last request, before the database closes.
  app.addHook('onClose', () => views.stop());
  const handlers: Handlers = {
    ...contentHandlers(services),
    ...binHandlers(services),
    ...authHandlers(services),
    ...adminHandlers(services),
    ...settingsHandlers(services),
    ...audienceHandlers(views),
    ...dashboardHandlers(services),
    ...exampleHandlers(services),
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
    if (path === '/api' || path.startsWith('/api/')) return reply.callNotFound();
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
