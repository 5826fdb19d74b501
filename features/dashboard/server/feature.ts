import type { Feature } from '#features/feature.ts';
import { tellTroubles } from './alertMails.ts';
import { dashboardHandlers } from './dashboard.ts';
import { healthChecks } from './healthChecks.ts';
import { serveMetrics } from './metrics/serveMetrics.ts';

const ALERTS = 'alertes';

export const dashboard = {
  open: (services, product, app) => ({
    handlers: dashboardHandlers(services, product.works(services)),
    serve: () => serveMetrics(app, services),
  }),
  // Checks all other works, and comes last: after a stop, they catch up first.
  works: (services, product) => [
    {
      name: ALERTS,
      label: 'alertes par e-mail',
      every: 5 * 60_000,
      run: () => {
        const others = product.works(services).filter(({ name }) => name !== ALERTS);
        return tellTroubles(services, healthChecks(services, others));
      },
    },
  ],
} satisfies Feature;
