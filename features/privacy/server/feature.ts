import { settleErased } from '#features/audit/server/erasures.ts';
import type { Feature } from '#features/feature.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { personalData, personalHandlers } from './personal.ts';
import { retentionWorks } from './retention.ts';

export const privacy = {
  opening: (services, product) => personalData(services, product).redo(),
  open: (services, product) => ({
    handlers: personalHandlers(services, personalData(services, product)),
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
