import { settleErased } from '#features/audit/server/erasures.ts';
import type { Feature, Product } from '#features/feature.ts';
import type { Services } from '#platform/server/services.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { personalData, personalHandlers } from './personal.ts';
import { retentionWorks } from './retention.ts';
import { privacyTables } from './tables.ts';

/** What the site knows of an e-mail address, and the means to erase it. */
export const openPersonalData = (services: Services, product: Product) =>
  personalData(services, product.all('personalData', services), product.all('keptData', services));

export const privacy = {
  tables: privacyTables,
  opening: (services, product) => openPersonalData(services, product).redo(),
  open: (services, product) => ({
    handlers: personalHandlers(services, openPersonalData(services, product)),
  }),
  works: (services) => [
    ...retentionWorks(services),
    // Last, so that it follows the erasures of the other works.
    {
      name: 'traces',
      label: 'effacement des traces de ce qui est effacé',
      every: HOUR_MS,
      run: () => settleErased(services),
    },
  ],
} satisfies Feature;
