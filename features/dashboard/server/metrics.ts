import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { countByState as countPhotos } from '#features/photos/server/store.ts';
import { STATES } from '#features/photos/shared/states.ts';
import { VERSION } from '#platform/server/config.ts';
import { unauthorized } from '#platform/server/errors.ts';
import { bearerToken } from '#platform/server/http/access.ts';
import { countByQueue, listSuccesses } from '#platform/server/jobs/jobsStore.ts';
import { countByState, countWaiting } from '#platform/server/mail/outboxStore.ts';
import { countSent } from '#platform/server/mail/pacingStore.ts';
import { sameText } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';

/** Registers `GET /metrics` in the Prometheus text format, protected by `METRICS_TOKEN`; without a token, no route. */
export async function serveMetrics(app: FastifyInstance, services: Services): Promise<void> {
  const { METRICS_TOKEN } = services.config;
  const { registry } = services.metrics;
  if (METRICS_TOKEN === undefined || !registry) return;
  const refresh = await openState(services, registry);
  app.get('/metrics', { config: { name: 'GET /metrics' } }, async (request, reply) => {
    if (!sameText(bearerToken(request) ?? '', METRICS_TOKEN))
      throw unauthorized('Le jeton n’est pas le bon.');
    await refresh();
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics());
  });
}

/* Gauges read on request: the state of queues, photos, works and the disk, which every process shares. */

/** Milliseconds for which a reading is cached: frequent requests must not cost work. */
const KEPT_MS = 5_000;

/** Adds the gauges to a registry; returns a function that brings them up to date. */
async function openState(services: Services, registry: Registry): Promise<() => Promise<void>> {
  const { Gauge } = await import('prom-client');
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `passerelle_${name}`, help, labelNames, registers: [registry] });
  const jobs = gauge('jobs', 'Work after the answer that is not done', 'lane', 'state');
  const jobAge = gauge('jobs_oldest_seconds', 'Age of the oldest that is not given up', 'lane');
  const mails = gauge('mails', 'Messages by state, as long as they are known', 'state');
  const mailAge = gauge('mails_oldest_seconds', 'Age of the oldest message that waits');
  const mailsSent = gauge('mails_sent_day', 'Messages that left in the last 24 hours');
  const photos = gauge('photos', 'Photos of all stays by state', 'state');
  const works = gauge('work_success_timestamp_seconds', 'Last success of work that comes back', 'work');
  const free = gauge('disk_free_bytes', 'Free on the disk of DATA_DIR');
  const size = gauge('disk_size_bytes', 'Size of that disk');
  const database = gauge('database_bytes', 'Size of the database');
  const started = gauge('start_timestamp_seconds', 'When this process started', 'version');

  async function read(): Promise<void> {
    const { db } = services.database;
    const now = services.clock();
    const ageOf = (instant: string | null) =>
      instant === null ? 0 : Math.max(0, (now.getTime() - Date.parse(instant)) / 1000);
    for (const { queue, waiting, givenUp, oldest } of await countByQueue(db, now)) {
      jobs.set({ lane: queue, state: 'waiting' }, waiting);
      jobs.set({ lane: queue, state: 'given_up' }, givenUp);
      jobAge.set({ lane: queue }, ageOf(oldest));
    }
    for (const [state, count] of Object.entries(await countByState(db))) mails.set({ state }, count);
    mailAge.set(ageOf((await countWaiting(db)).oldest));
    mailsSent.set(await countSent(db, now));
    const counted = await countPhotos(db);
    for (const state of STATES) photos.set({ state }, counted.get(state) ?? 0);
    for (const [work, success] of await listSuccesses(db))
      if (success !== null) works.set({ work }, Date.parse(success) / 1000);
    const disk = await services.staging.disk();
    free.set(disk.free);
    size.set(disk.total);
    database.set(await services.database.size());
  }

  started.set({ version: VERSION }, performance.timeOrigin / 1000);
  let last: { at: number; done: Promise<void> } | undefined;
  return () => {
    const now = services.clock().getTime();
    if (!last || Math.abs(now - last.at) > KEPT_MS) last = { at: now, done: read() };
    return last.done;
  };
}
