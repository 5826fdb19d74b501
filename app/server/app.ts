import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calls } from '#app/calls.ts';
import { accounts } from '#features/accounts/server/feature.ts';
import { audit } from '#features/audit/server/feature.ts';
import { content } from '#features/content/server/feature.ts';
import { dashboard } from '#features/dashboard/server/feature.ts';
import { example } from '#features/example/server/feature.ts';
import type { Feature, Product } from '#features/feature.ts';
import { imports } from '#features/imports/server/feature.ts';
import { mails } from '#features/mails/server/feature.ts';
import { members } from '#features/members/server/feature.ts';
import { photos } from '#features/photos/server/feature.ts';
import { privacy } from '#features/privacy/server/feature.ts';
import { type PersonalData, personalData } from '#features/privacy/server/personal.ts';
import { site } from '#features/site/server/feature.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { stays } from '#features/stays/server/feature.ts';
import { dataChecks } from '#platform/server/checks/data.ts';
import { machineChecks } from '#platform/server/checks/machine.ts';
import { checkIntegrity } from '#platform/server/files/integrity.ts';
import { cleanUpOrphans } from '#platform/server/files/orphans.ts';
import { admitToStays } from '#platform/server/http/access.ts';
import { serveFiles } from '#platform/server/http/downloads.ts';
import { securityHeaders } from '#platform/server/http/headers.ts';
import { serveHealth } from '#platform/server/http/health.ts';
import { answerInProcess, type Handlers, serveCalls } from '#platform/server/http/serve.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import { openHttp } from '#platform/server/http/shell.ts';
import { INTEGRITY_CHECK, type Scheduled } from '#platform/server/jobs/schedule.ts';
import type { JobHandlers, Pacings } from '#platform/server/jobs/worker.ts';
import { mailPacing } from '#platform/server/mail/pacing.ts';
import { type Composers, mailJobs } from '#platform/server/mail/sender.ts';
import { type Assets, sendAsset } from '#platform/server/pages/assets.ts';
import { localeOf, type Pages } from '#platform/server/pages/render.ts';
import type { Services } from '#platform/server/services.ts';
import type { Question, Site } from '#platform/shared/page.ts';
import { DAY_MS, dayAt, HOUR_MS } from '#platform/shared/time.ts';
import { docsPage, openApi } from './apiDocs.ts';
import { serveDiscovery } from './sitemap.ts';

/* The features, put together: calls, files, pages, jobs and scheduled works. */

const FEATURES = [
  audit,
  site,
  accounts,
  content,
  members,
  stays,
  imports,
  mails,
  photos,
  privacy,
  dashboard,
  example,
] as const;
/** `FEATURES` with the common type of all features, for loops. */
const features: readonly Feature[] = FEATURES;

type Union<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never;
type Brought<K extends keyof Feature> = (typeof FEATURES)[number] extends infer F
  ? F extends { [key in K]: infer Part }
    ? Part
    : never
  : never;
/** The merged type of what all features bring for one part, so that code below does not compile when one is missing. */
type AllOf<K extends keyof Feature> = Union<
  Brought<K> extends infer Part ? (Part extends (...given: never) => infer Result ? Result : Part) : never
>;

const product: Product = {
  works: (services) => [
    ...filesWorks(services),
    ...features.flatMap((one) => one.works?.(services, product) ?? []),
  ],
  checks: (services, works = product.works(services)) => [
    ...machineChecks(services),
    ...dataChecks(services, works),
    ...features.flatMap((one) => one.checks?.(services) ?? []),
  ],
  personalData: (services) => features.flatMap((one) => one.personalData?.(services) ?? []),
  keptData: (services) => features.flatMap((one) => one.keptData?.(services) ?? []),
  bin: (services) => features.flatMap((one) => one.bin?.(services) ?? []),
  publicSearch: (services) => features.flatMap((one) => one.publicSearch?.(services) ?? []),
  search: (services) => features.flatMap((one) => one.search?.(services) ?? []),
  journalNames: (services) => features.flatMap((one) => one.journalNames?.(services) ?? []),
  settingsFollowers: features.flatMap((one) => one.settingsChanged ?? []),
  stayFollowers: features.flatMap((one) => one.ofStays ?? []),
};

function merged<T extends object>(parts: readonly (T | undefined)[]): T {
  return Object.assign({}, ...parts);
}

export function jobHandlers(services: Services): JobHandlers {
  const jobs = merged(features.map((one) => one.jobs?.(services, product))) as AllOf<'jobs'>;
  return { ...jobs, ...mailJobs(services, composers) };
}

/** What decides when jobs may run: mails leave no faster than the mail server and the providers take them. */
export function jobPacings(services: Services): Pacings {
  return { mails: mailPacing(services) };
}

/** The functions that write mails, by kind. */
const composers: Composers = merged(features.map((one) => one.composers)) as AllOf<'composers'>;

export function scheduledWorks(services: Services): Scheduled[] {
  return product.works(services);
}

export const siteChecks = product.checks;

function filesWorks(services: Services): Scheduled[] {
  return [
    {
      name: 'balayage',
      label: 'rangement des fichiers',
      every: DAY_MS,
      run: async () => void (await cleanUpOrphans(services)),
    },
    {
      name: INTEGRITY_CHECK,
      label: 'relecture des fichiers',
      every: HOUR_MS,
      run: () => checkIntegrity(services),
    },
  ];
}

/** Opens what the site knows of an e-mail address, and the means to erase it. */
export function openPersonalData(services: Services): PersonalData {
  return personalData(services, product);
}

interface WebBuild {
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
  const opened = features.map((one) => one.open?.(services, product, app));
  const handlers: Handlers = merged(opened.map((one) => one?.handlers)) as AllOf<'open'>['handlers'];
  await serveCalls(app, services, calls, handlers);
  const owners = merged(features.map((one) => one.fileOwners?.(services)));
  const labels = merged(features.map((one) => one.fileLabels?.(services)));
  serveFiles(app, services, { owners, labels }, headers);
  for (const one of opened) await one?.serve?.();
  serveHealth(app, services, isDraining);
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

async function siteFor(
  services: Pick<Services, 'database' | 'config' | 'publicUrl' | 'clock'>,
  request: FastifyRequest,
): Promise<Site> {
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
