import type { Feature } from '#features/feature.ts';
import { exampleHandlers } from './example.ts';
import { exampleJob } from './fill.ts';

export const example = {
  open: (services) => ({ handlers: exampleHandlers(services) }),
  jobs: (services, product) => ({ example: exampleJob(services, product.stayFollowers) }),
} satisfies Feature;
