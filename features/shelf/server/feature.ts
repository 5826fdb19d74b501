import type { Feature } from '#features/feature.ts';
import { whenTrusted } from '#platform/server/clockStore.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { binCheck, binHandlers, emptyPhotoBin } from './bin.ts';
import { orderHandlers } from './order.ts';

export const shelf = {
  open: (services) => ({ handlers: { ...binHandlers(services), ...orderHandlers(services) } }),
  works: (services) => [
    {
      name: 'corbeille-photos',
      label: 'effacement des photos restées à la corbeille, et de celles d’avant un floutage',
      every: HOUR_MS,
      run: () => whenTrusted(services, () => emptyPhotoBin(services)),
    },
  ],
  checks: (services) => [binCheck(services)],
} satisfies Feature;
