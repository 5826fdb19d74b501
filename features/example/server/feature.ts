import type { Feature } from '#features/feature.ts';
import { exampleHandlers } from './example.ts';
import { putIn, takeOut } from './fill.ts';

export const example = {
  open: (services) => ({ handlers: exampleHandlers(services) }),
  jobs: (services, product) => ({
    'example-in': (payload) => putIn(services, product.doors(services), payload),
    'example-out': (payload) => takeOut(services, product.doors(services), payload),
  }),
} satisfies Feature;
