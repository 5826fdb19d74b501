import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { FirstAccount } from '#features/feature.ts';
import { noteReach } from '#platform/server/checks/machine.ts';
import { type Config, ConfigError } from '#platform/server/config.ts';
import { lockDirectory } from '#platform/server/db/directory.ts';
import { openDatabase } from '#platform/server/db/open.ts';
import { HttpError } from '#platform/server/errors.ts';
import { eraseOrphans } from '#platform/server/files/registerStore.ts';
import { openCache } from '#platform/server/http/cache.ts';
import { detectProxy, securityHeaders } from '#platform/server/http/headers.ts';
import { openRateLimits } from '#platform/server/http/rateLimits.ts';
import { openImages } from '#platform/server/images/images.ts';
import { releaseJobs } from '#platform/server/jobs/jobsStore.ts';
import { type Schedule, startSchedule } from '#platform/server/jobs/schedule.ts';
import { openJobs } from '#platform/server/jobs/worker.ts';
import { type Log, openLog } from '#platform/server/log.ts';
import { mailPacing, resumeMails } from '#platform/server/mail/pacingStore.ts';
import { openMailer } from '#platform/server/mail/transport.ts';
import { openMetrics } from '#platform/server/metrics.ts';
import { readAssets } from '#platform/server/pages/assets.ts';
import { isBuilt, openPages } from '#platform/server/pages/render.ts';
import { openPdfs } from '#platform/server/pdf/pdf.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { openSheets } from '#platform/server/sheets/sheets.ts';
import { erasuresOf } from '#platform/server/storage/erasureFile.ts';
import { openStorage, storageOf } from '#platform/server/storage/open.ts';
import { openStaging, stagingIn } from '#platform/server/storage/uploadStaging.ts';
import { buildApp, type Leaving } from './app.ts';
import { jobHandlers, makeFirstAccount, openFeatures, product } from './features.ts';
import { requireSharedFiles } from './sharedFiles.ts';
import { openSiteDatabase } from './siteDatabase.ts';

/** Time, in ms, that requests, jobs and works under way have to end after a signal. */
const DRAIN_MS = 10_000;

export interface RunningServer {
  /** Address to type into a browser on this machine. */
  url: string;
  app: FastifyInstance;
  services: Services;
  jobs: Services['jobs'];
  schedule: Schedule;
  /** Set when this start created the first admin. */
  firstAdmin: FirstAccount | undefined;
  /**
   * Takes no new request, lets those under way end, and closes everything. `leavingMs`: for how long, in ms, it first has
   * the proxy ask another process; see `Leaving`.
   */
  stop(leavingMs?: number): Promise<void>;
}

interface StartOptions {
  /** The clock of the site; tests move it. */
  clock?: () => Date;
  log?: Log;
  /** Folder of the web build; undefined: no pages are served. */
  dist?: string | undefined;
  /** Whether scheduled work runs when a timer finds it due; tests whose clock stands still run it themselves. */
  isTimed?: boolean;
}

/** Opens everything that a command or the server needs, and migrates the schema. */
export async function openServices(
  config: Config,
  { clock = () => new Date(), log }: StartOptions = {},
): Promise<Services> {
  const logger = log ?? openLog(config.LOG_LEVEL);
  // Opened before the database, so that an unusable bucket is reported before anything is changed.
  const metrics = await openMetrics(config.METRICS_TOKEN !== undefined);
  const storage = await openStorage(config, metrics.bucketAsked);
  const opened = await openSiteDatabase(config, {
    clock,
    onLost: (error) => logger.warn({ err: error }, 'database connection lost'),
  });
  const database = metrics.countWrites(opened.database);
  try {
    const staging = await openStaging(join(config.DATA_DIR, 'staging'));
    const services = putTogether(config, {
      ...opened,
      ...{ database, storage, staging, clock, metrics, log: logger },
    });
    await openFeatures(services);
    return services;
  } catch (error) {
    await database.close();
    throw error;
  }
}

type Opened = Pick<Services, 'database' | 'storage' | 'staging' | 'secrets' | 'clock' | 'metrics' | 'log'>;

function putTogether(config: Config, opened: Opened): Services {
  const { database, storage, staging, secrets, clock, metrics } = opened;
  const isHttps = config.PUBLIC_URL?.startsWith('https:') ?? false;
  return {
    ...opened,
    config,
    publicUrl: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
    isHttps,
    images: openImages({ directory: join(config.DATA_DIR, 'decodage'), log: opened.log }),
    pdfs: openPdfs(join(config.DATA_DIR, 'decodage'), opened.log),
    sheets: openSheets(join(config.DATA_DIR, 'decodage'), opened.log),
    rateLimits: openRateLimits(database, secrets, clock, metrics),
    cache: openCache(securityHeaders(config, isHttps), clock, database, metrics),
    proxy: detectProxy(config),
    jobs: openJobs(database, clock, opened.log),
    mails: openMailer(config),
    erasures: erasuresOf(config, storage, staging),
  };
}

/** Opens a site read-only, to inspect it: its database may be of any version; nothing is created. */
export async function openReadOnly(config: Config, secrets: Secrets, log: Log): Promise<Services> {
  const { DATABASE_URL: url, DATA_DIR: directory } = config;
  return putTogether(config, {
    database: openDatabase({ url, directory, isReadOnly: true }),
    storage: await storageOf(config),
    staging: stagingIn(join(directory, 'staging')),
    secrets,
    clock: () => new Date(),
    metrics: await openMetrics(false),
    log,
  });
}

export async function closeServices({
  images,
  pdfs,
  sheets,
  mails,
  storage,
  database,
}: Services): Promise<void> {
  images.close();
  pdfs.close();
  sheets.close();
  await mails.transport?.close();
  storage.close();
  await database.close();
}

/** Starts the site: one process, one port, pages and calls together. */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const unlock = lockDirectory(config.DATA_DIR);
  let services: Services | undefined;
  try {
    services = await openServices(config, options);
    return await serve(services, options, unlock);
  } catch (error) {
    if (services) await closeServices(services);
    unlock();
    throw error;
  }
}

const NOT_LISTENING: Record<string, string> = {
  EADDRINUSE: 'PORT\u202f: ce port est déjà pris. Arrêtez l’autre programme, ou choisissez un autre PORT.',
  EACCES: 'PORT\u202f: ce port est réservé à d’autres comptes. Choisissez un PORT à partir de 1024.',
  EADDRNOTAVAIL: 'HOST\u202f: cette machine n’a pas cette adresse.',
  ENOTFOUND: 'HOST\u202f: personne ne connaît ce nom.',
  EAI_AGAIN: 'HOST\u202f: personne ne connaît ce nom.',
};

async function listen(app: FastifyInstance, { PORT, HOST }: Config): Promise<void> {
  try {
    await app.listen({ port: PORT, host: HOST });
  } catch (error) {
    const said = NOT_LISTENING[(error as NodeJS.ErrnoException).code ?? ''];
    throw said === undefined ? error : new ConfigError(said, { cause: error });
  }
}

export async function startJobs(services: Services): Promise<void> {
  const { database, jobs } = services;
  // Only one process uses a SQLite database.
  await resumeMails(services, database.engine === 'sqlite');
  // Mails leave no faster than the mail server and the providers take them.
  jobs.start(jobHandlers(services), { mails: mailPacing(services) });
}

async function serve(services: Services, options: StartOptions, unlock: () => void): Promise<RunningServer> {
  const { config } = services;
  await requireSharedFiles(services);
  await services.staging.clear();
  await services.images.clear();
  await services.erasures.ensure();
  const { database } = services;
  // Earlier versions kept partial uploads there, with camera locations; those uploads must be started again.
  await rm(join(config.DATA_DIR, 'envois'), { recursive: true, force: true });
  // This process alone holds the folder and its database: the one that left leases and orphans there has ended.
  if (database.engine === 'sqlite') {
    await releaseJobs(database);
    await eraseOrphans(services);
  }
  const leaving: Leaving = { isDraining: false, sendsReadsAway: false };
  const web =
    options.dist !== undefined && isBuilt(options.dist)
      ? { pages: await openPages(options.dist), assets: readAssets(join(options.dist, 'client')) }
      : undefined;
  const app = await buildApp(services, web, leaving);
  // Requests that come while the site still starts wait: whoever sees it answer can sign in.
  const opened = Promise.withResolvers<void>();
  app.addHook('onRequest', () => opened.promise);
  await listen(app, config);
  const { jobs } = services;
  let firstAdmin: RunningServer['firstAdmin'];
  try {
    // After `listen`: the generated password is shown only once, so it must not be made by a start that fails.
    firstAdmin = await makeFirstAccount(services);
    const address = app.server.address();
    const port = typeof address === 'object' && address ? address.port : config.PORT;
    if (!config.PUBLIC_URL) services.publicUrl = `http://localhost:${port}`;
    await startJobs(services);
  } catch (error) {
    opened.reject(new HttpError(503, 'Le site n’a pas pu démarrer.'));
    await app.close();
    throw error;
  }
  opened.resolve();
  const noted = noteReach(config).catch((error: unknown) =>
    services.log.warn({ err: error }, 'what decoders may reach cannot be written down'),
  );
  const schedule = startSchedule(services, product.works(services), options.isTimed);
  void schedule.tick();

  let stopping: Promise<void> | undefined;
  async function stop(leavingMs: number): Promise<void> {
    leaving.isDraining = true;
    leaving.sendsReadsAway = leavingMs > 0;
    await pause(leavingMs);
    let cut: NodeJS.Timeout | undefined;
    const isLate = new Promise<void>((resolve) => {
      cut = setTimeout(() => {
        app.server.closeAllConnections();
        resolve();
      }, DRAIN_MS);
    });
    // Interrupted work is resumed by the next start: a job by its lease, a scheduled work by its date.
    const works = Promise.race([Promise.all([jobs.stop(), schedule.stop()]), isLate]);
    // Otherwise `close` would wait up to `DRAIN_MS` for keep-alive connections that are idle.
    const idle = setInterval(() => app.server.closeIdleConnections(), 100);
    await app.close();
    clearInterval(idle);
    await works;
    await noted;
    clearTimeout(cut);
    await closeServices(services);
    unlock();
  }
  return {
    url: services.publicUrl,
    app,
    services,
    jobs,
    schedule,
    firstAdmin,
    stop: (leavingMs = 0) => {
      stopping ??= stop(leavingMs);
      return stopping;
    },
  };
}
