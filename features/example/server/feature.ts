import type { Feature } from '#features/feature.ts';
import { exampleHandlers, exampleJob } from './example.ts';
import { exampleTables } from './tables.ts';

export const example = {
  tables: exampleTables,
  open: (services) => ({ handlers: exampleHandlers(services) }),
  jobs: (services, product) => ({
    example: exampleJob(services, {
      settingsFollowers: product.all('settingsChanged', services),
      stayFollowers: product.all('ofStays', services),
    }),
  }),
} satisfies Feature;
