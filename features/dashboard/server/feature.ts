import type { Feature } from '#features/feature.ts';
import { openFullDiskReport, tellTroubles } from './alertMails.ts';
import { dashboardHandlers, searchHandlers } from './dashboard.ts';
import { commonChecks } from './health.ts';
import { serveMetrics } from './metrics.ts';
import { namedTables } from './store.ts';
import { dashboardTables } from './tables.ts';

const ALERTS = 'alertes';

export const dashboard = {
  tables: dashboardTables,
  open(services, product, app) {
    const works = product.works(services);
    return {
      handlers: {
        ...dashboardHandlers(services, works, product.checks(services, works)),
        ...searchHandlers(services, product.all('search', services)),
      },
      serve: () => serveMetrics(app, services),
    };
  },
  // Checks all other works, and comes last: after a stop, they catch up first.
  works: (services, product) => [
    {
      name: ALERTS,
      label: 'alertes par e-mail',
      every: 5 * 60_000,
      run: () => {
        const others = product.works(services).filter(({ name }) => name !== ALERTS);
        return tellTroubles(services, product.checks(services, others));
      },
      runOnFullDisk: openFullDiskReport(services),
    },
  ],
  checks: (services, product) => commonChecks(services, product.sealed),
  journalNames: namedTables,
} satisfies Feature;
