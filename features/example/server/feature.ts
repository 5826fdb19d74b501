import type { Feature } from '#features/feature.ts';
import { exampleHandlers, exampleJob } from './example.ts';

export const example = {
  open: (services) => ({ handlers: exampleHandlers(services) }),
  jobs: (services, product) => ({ example: exampleJob(services, product) }),
} satisfies Feature;
