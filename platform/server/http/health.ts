import type { FastifyInstance } from 'fastify';
import { writeBeat } from '#platform/server/jobs/jobsStore.ts';
import type { Services } from '#platform/server/services.ts';
import { PROBE } from '#platform/server/storage/storage.ts';

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
