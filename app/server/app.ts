import type { FastifyInstance, FastifyRequest } from 'fastify';
import { adminHandlers } from '#features/accounts/server/admins/routes.ts';
import { authHandlers } from '#features/accounts/server/sign-in/routes.ts';
import { settleErased } from '#features/audit/server/erasures.ts';
import { binHandlers, emptyBin } from '#features/content/server/bin/routes.ts';
import { contentShelves } from '#features/content/server/bin.ts';
import { calendarHandlers } from '#features/content/server/calendar/routes.ts';
import { contentDoors } from '#features/content/server/door.ts';
import type { Shelf } from '#features/content/server/items/shelf.ts';
import { readMinutes } from '#features/content/server/passages.ts';
import { narrowPicture } from '#features/content/server/pictures.ts';
import { contentFileOwners, contentHandlers } from '#features/content/server/routes.ts';
import { serveMetrics } from '#features/dashboard/server/metrics/routes.ts';
import { dashboardHandlers } from '#features/dashboard/server/routes.ts';
import { tellTroubles } from '#features/dashboard/server/watches/tell.ts';
import { openWatches } from '#features/dashboard/server/watches/watches.ts';
import { putIn, takeOut } from '#features/example/server/fill.ts';
import { exampleHandlers } from '#features/example/server/routes.ts';
import { forgetOldImports, importHandlers } from '#features/imports/server/routes.ts';
import { sendLostCode } from '#features/mails/server/lost.ts';
import { mailHandlers } from '#features/mails/server/routes.ts';
import { staffDoors } from '#features/members/server/door.ts';
import { staffFileOwners, staffHandlers } from '#features/members/server/routes.ts';
import { eraseEmployee, staffShelf } from '#features/members/server/shelf.ts';
import { forgetOldUploads } from '#features/photos/server/core/uploads.ts';
import { photoDoors } from '#features/photos/server/door.ts';
import { servePhotoFiles } from '#features/photos/server/files.ts';
import { openLivePhotos } from '#features/photos/server/live.ts';
import { openOpenings } from '#features/photos/server/openings.ts';
import { preparePhoto } from '#features/photos/server/prepare.ts';
import { photoHandlers } from '#features/photos/server/routes.ts';
import { forgetOldSelections } from '#features/photos/server/selections.ts';
import { servePhotoUploads } from '#features/photos/server/uploads.ts';
import { type PersonalData, personalData } from '#features/privacy/server/personal/data.ts';
import { personalHandlers } from '#features/privacy/server/personal/routes.ts';
import { retentionWorks } from '#features/privacy/server/retention/works.ts';
import { audienceHandlers } from '#features/site/server/audience/routes.ts';
import { forgetOldDays, openViews } from '#features/site/server/audience/views.ts';
import { contactHandlers, forgetOldMessages } from '#features/site/server/contact/routes.ts';
import { settingsHandlers } from '#features/site/server/routes.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { bookletDoors } from '#features/stays/server/booklets/door.ts';
import { bookletFileOwners, bookletHandlers, bookletLabels } from '#features/stays/server/booklets/routes.ts';
import { directorDoors } from '#features/stays/server/directors/door.ts';
import { directorHandlers } from '#features/stays/server/directors/routes.ts';
import { stayDoors } from '#features/stays/server/door.ts';
import { familyHandlers } from '#features/stays/server/families/routes.ts';
import { reviewHandlers } from '#features/stays/server/reviews/routes.ts';
import { stayHandlers } from '#features/stays/server/routes.ts';
import { whenTrusted } from '#platform/server/clock.ts';
import { rereadFiles } from '#platform/server/files/scrub.ts';
import { sweepFiles } from '#platform/server/files/sweep.ts';
import { serveFiles } from '#platform/server/http/downloads.ts';
import { securityHeaders } from '#platform/server/http/headers.ts';
import { serveHealth } from '#platform/server/http/health.ts';
import { answerInProcess, type Handlers, serveCalls } from '#platform/server/http/serve.ts';
import { openHttp } from '#platform/server/http/shell.ts';
import type { JobHandlers } from '#platform/server/jobs/jobs.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import { type Assets, sendAsset } from '#platform/server/pages/assets.ts';
import { localeOf, type Pages } from '#platform/server/pages/render.ts';
import type { Services } from '#platform/server/services.ts';
import type { Site } from '#platform/shared/page.ts';
import { DAY_MS, dayAt, HOUR_MS } from '#platform/shared/time.ts';
import { serveDiscovery } from './discovery/routes.ts';
import { openApi } from './docs/openapi.ts';
import { docsPage } from './docs/page.ts';

/** Where features are put together: calls, files, pages, jobs and schedules. */

export function jobHandlers(services: Services): JobHandlers {
  const doors = {
    ...contentDoors(services),
    ...staffDoors(services),
    ...stayDoors(services),
    ...directorDoors(services),
    ...bookletDoors(services),
    ...photoDoors(services),
  };
  return {
    'narrow-picture': (payload) => narrowPicture(services, payload),
    'read-minutes': (payload) => readMinutes(services, payload),
    'example-in': (payload) => putIn(services, doors, payload),
    'example-out': (payload) => takeOut(services, doors, payload),
    'lost-code': (payload) => sendLostCode(services, payload),
    'prepare-photo': (payload, isGivenUp) => preparePhoto(services, payload, isGivenUp),
  };
}

export function scheduledWorks(services: Services): Scheduled[] {
  const { database, clock, attempts } = services;
  const works: Scheduled[] = [
    {
      name: 'corbeille',
      label: 'corbeille',
      every: HOUR_MS,
      run: () => whenTrusted(services, () => emptyBin(services, shelves(services))),
    },
    {
      name: 'contact',
      label: 'effacement des anciens messages de contact',
      every: HOUR_MS,
      run: () => whenTrusted(services, () => forgetOldMessages(services)),
    },
    {
      name: 'imports',
      label: 'effacement des anciens imports',
      every: HOUR_MS,
      run: () => forgetOldImports(services),
    },
    {
      name: 'selections',
      label: 'effacement des anciennes sélections de photos',
      every: HOUR_MS,
      run: () => forgetOldSelections(services),
    },
    {
      name: 'audience',
      label: 'effacement des anciennes visites',
      every: DAY_MS,
      run: () => whenTrusted(services, () => forgetOldDays(services)),
    },
    {
      name: 'balayage',
      label: 'rangement des fichiers',
      every: DAY_MS,
      run: async () => void (await sweepFiles(services)),
    },
    {
      name: 'relecture',
      label: 'relecture des fichiers',
      every: HOUR_MS,
      run: () => rereadFiles(services),
    },
    {
      name: 'envois',
      label: 'effacement des envois de photos abandonnés',
      every: HOUR_MS,
      run: () => forgetOldUploads(services),
    },
    {
      name: 'sessions',
      label: 'fin des connexions',
      every: HOUR_MS,
      run: async () => {
        const now = clock().toISOString();
        await database.write((transaction) =>
          transaction.deleteFrom('sessions').where('expire_le', '<=', now).execute(),
        );
        await attempts.sweep();
      },
    },
    ...retentionWorks(services),
    // After whatever the others erased.
    {
      name: 'traces',
      label: 'effacement des traces de ce qui est effacé',
      every: HOUR_MS,
      run: () => settleErased(services),
    },
  ];
  return [
    ...works,
    // The last one, of the others: after a stop they catch up first.
    {
      name: 'alertes',
      label: 'alertes par e-mail',
      every: 5 * 60_000,
      run: () => tellTroubles(services, openWatches(services, works)),
    },
  ];
}

function shelves(services: Services): Shelf[] {
  return [...contentShelves(services), staffShelf(services)];
}

/** What the site knows of an address, and how it forgets it. */
export function openPersonalData(services: Services): PersonalData {
  return personalData(services, (...erasing) => eraseEmployee(services.database, ...erasing));
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
  const openings = openOpenings(services);
  app.addHook('onClose', () => openings.stop());
  const live = openLivePhotos(services);
  services.photos = live;
  // Streams last until somebody ends them: a stop would wait for them.
  app.addHook('preClose', async () => live.stop());
  const handlers: Handlers = {
    ...contentHandlers(services),
    ...calendarHandlers(services),
    ...staffHandlers(services),
    ...binHandlers(shelves(services)),
    ...stayHandlers(services),
    ...authHandlers(services),
    ...importHandlers(services),
    ...directorHandlers(services),
    ...familyHandlers(services),
    ...bookletHandlers(services),
    ...reviewHandlers(services),
    ...photoHandlers(services, live, openings),
    ...mailHandlers(services),
    ...adminHandlers(services),
    ...settingsHandlers(services),
    ...contactHandlers(services),
    ...personalHandlers(services, openPersonalData(services)),
    ...audienceHandlers(views),
    ...dashboardHandlers(services, scheduledWorks(services)),
    ...exampleHandlers(services),
  };
  await serveCalls(app, services, handlers);
  const owners = {
    ...contentFileOwners(services),
    ...staffFileOwners(services),
    ...bookletFileOwners(services),
  };
  serveFiles(app, services, { owners, labels: bookletLabels(services) }, headers);
  servePhotoFiles(app, services, openings);
  servePhotoUploads(app, services);
  serveHealth(app, services, isDraining);
  await serveMetrics(app, services);
  serveDocs(app, web);
  if (web) {
    serveDiscovery(app, services, web.pages.indexedPaths);
    servePages(app, services, handlers, web);
  }
  return app;
}

function serveDocs(app: FastifyInstance, web: WebBuild | undefined): void {
  // Made when somebody asks, which few do, and kept: they take as long as a good part of the start.
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
    counterUrl: services.config.VISIT_COUNTER_URL ?? '',
    analyticsUrl: services.config.ANALYTICS_URL ?? '',
    locale: localeOf(request.headers['accept-language']),
    timeZone: services.config.TIME_ZONE,
    today: dayAt(services.clock(), services.config.TIME_ZONE),
  };
}
