import type { Feature } from '#features/feature.ts';
import { exampleHandlers } from './example.ts';
import { putIn, takeOut } from './fill.ts';

export const example = {
  open: (services) => ({ handlers: exampleHandlers(services) }),
  jobs(services, product) {
    const doors = product.doors(services);
    return {
      'example-in': (payload) => putIn(services, doors, payload),
      'example-out': (payload) => takeOut(services, doors, payload),
    };
  },
} satisfies Feature;
