import type { FastifyInstance } from 'fastify';
import { bearerToken } from '#platform/server/http/access.ts';
import { unauthorized } from '#platform/server/http/errors.ts';
import { sameText } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';

/** Registers `GET /metrics` in the Prometheus text format, protected by `METRICS_TOKEN`; without a token, no route. */
export async function serveMetrics(app: FastifyInstance, services: Services): Promise<void> {
  const { METRICS_TOKEN } = services.config;
  const { registry } = services.metrics;
  if (METRICS_TOKEN === undefined || !registry) return;
  const { openState } = await import('./state.ts');
  const refresh = openState(services, registry);
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
