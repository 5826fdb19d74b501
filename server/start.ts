import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp, jobHandlers, openPersonalData, scheduledWorks } from './app.ts';
import type { Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { type Database, lockDirectory, openDatabase } from './db/open.ts';
import { ensureFirstAdmin } from './features/admins/first.ts';
import { eraseStrays } from './files.ts';
import { securityHeaders } from './http/headers.ts';
import { openKept } from './http/kept.ts';
import { openAttempts } from './http/limits.ts';
import { watchProxy } from './http/proxy.ts';
import { openImages } from './images/images.ts';
import { type JobWorker, releaseJobs, startJobs } from './jobs/jobs.ts';
import { type Schedule, startSchedule } from './jobs/schedule.ts';
import { type Log, openLog } from './log.ts';
import { type MailSender, startMails } from './mail/sender.ts';
import { readAssets } from './pages/assets.ts';
import { isBuilt, openPages } from './pages/render.ts';
import { openPdfs } from './pdf/pdf.ts';
import { redoPhotoErasures } from './photos/erasures.ts';
import { makeSecrets, readOrMakeSecretKey } from './secrets.ts';
import type { Services } from './services.ts';
import { ensureMeetingPassword } from './settings.ts';
import { openSheets } from './sheets/sheets.ts';
import { ensureStayPasswords } from './stays.ts';
import { diskStorage } from './storage/disk.ts';
import { openStaging } from './storage/staging.ts';

/** Time, in ms, that requests under way have to end after a signal. */
const DRAIN_MS = 10_000;

export interface RunningServer {
  /** Address to type into a browser on this machine. */
  url: string;
  app: FastifyInstance;
  services: Services;
  jobs: JobWorker;
  schedule: Schedule;
  mails: MailSender;
  /** Set when this start created the first admin; `password` only when it was generated. */
  firstAdmin: { username: string; password: string | undefined } | undefined;
  /** Takes no new request, lets those under way end, and closes everything. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** The clock of the site; tests move it. */
  clock?: () => Date;
  log?: Log;
  /** Folder of the web build; undefined: no pages are served. */
  dist?: string | undefined;
}

/** Opens everything a command or a server needs, the schema brought up to date. */
export async function openServices(
  config: Config,
  { clock = () => new Date(), log }: StartOptions = {},
): Promise<Services> {
  const logger = log ?? openLog(config.LOG_LEVEL);
  const database = openDatabase({
    url: config.DATABASE_URL,
    directory: config.DATA_DIR,
    onLost: (error) => logger.warn({ err: error }, 'database connection lost'),
  });
  try {
    return await openOn(database, config, clock, logger);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openOn(database: Database, config: Config, clock: () => Date, log: Log): Promise<Services> {
  await migrate(database);
  const secrets = makeSecrets(config.SECRET_KEY ?? readOrMakeSecretKey(config.DATA_DIR));
  await database.write((transaction) => ensureMeetingPassword(transaction, secrets, config, clock()));
  await ensureStayPasswords(database, secrets);
  const isHttps = config.PUBLIC_URL?.startsWith('https:') ?? false;
  const services: Services = {
    config,
    publicUrl: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
    isHttps,
    database,
    storage: diskStorage(join(config.DATA_DIR, 'files')),
    staging: await openStaging(join(config.DATA_DIR, 'staging')),
    images: openImages(),
    pdfs: openPdfs(),
    sheets: openSheets(),
    secrets,
    attempts: openAttempts(database, secrets, clock),
    kept: openKept(securityHeaders(config, isHttps).common, clock, database),
    proxy: watchProxy(config),
    jobs: { wake: () => {} },
    mails: { wake: () => {}, averageMs: () => 0 },
    photos: { changed: () => {} },
    erasuresFile: { isWhole: true },
    clock,
    log,
  };
  // Before anybody reads what was erased since this database was saved.
  services.erasuresFile = await openPersonalData(services).redo();
  await redoPhotoErasures(services);
  return services;
}

export async function closeServices({ images, pdfs, sheets, database }: Services): Promise<void> {
  await images.close();
  await pdfs.close();
  await sheets.close();
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
    await services?.database.close();
    unlock();
    throw error;
  }
}

async function serve(services: Services, options: StartOptions, unlock: () => void): Promise<RunningServer> {
  const { config } = services;
  await services.staging.clear();
  const { database } = services;
  // The folder is ours alone, and its database with it: whoever worked on them before is dead.
  if (database.engine === 'sqlite') {
    await releaseJobs(database);
    await eraseStrays(services);
  }
  const firstAdmin = await ensureFirstAdmin(services);
  let isDraining = false;
  const web =
    options.dist !== undefined && isBuilt(options.dist)
      ? { pages: await openPages(options.dist), assets: readAssets(join(options.dist, 'client')) }
      : undefined;
  const app = await buildApp(services, web, () => isDraining);
  await app.listen({ port: config.PORT, host: config.HOST });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.PORT;
  if (!config.PUBLIC_URL) services.publicUrl = `http://localhost:${port}`;
  const jobs = startJobs(services.database, jobHandlers(services), services.clock, services.log);
  services.jobs = jobs;
  const mails = startMails(services);
  services.mails = mails;
  const schedule = startSchedule(services.database, scheduledWorks(services), services.clock, services.log);
  void schedule.tick();

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    isDraining = true;
    let cut: NodeJS.Timeout | undefined;
    const isLate = new Promise<void>((resolve) => {
      cut = setTimeout(() => {
        app.server.closeAllConnections();
        resolve();
      }, DRAIN_MS);
    });
    // What is cut off is found again at the next start: a job by its lease, a scheduled work by its date.
    const works = Promise.race([Promise.all([jobs.stop(), schedule.stop(), mails.stop()]), isLate]);
    // A connection kept open after its last answer would otherwise be waited for until then.
    const idle = setInterval(() => app.server.closeIdleConnections(), 100);
    await app.close();
    clearInterval(idle);
    await works;
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
    mails,
    firstAdmin,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
