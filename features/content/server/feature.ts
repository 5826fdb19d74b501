import type { Feature } from '#features/feature.ts';
import { whenTrusted } from '#platform/server/clock.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { binHandlers, emptyBin } from './bin/routes.ts';
import { contentShelves } from './bin.ts';
import { calendarHandlers } from './calendar/routes.ts';
import { contentDoors } from './door.ts';
import { readMinutes } from './passages.ts';
import { narrowPicture } from './pictures.ts';
import { contentFileOwners, contentHandlers } from './routes.ts';

export const content = {
  open: (services, product) => ({
    handlers: {
      ...contentHandlers(services),
      ...calendarHandlers(services),
      ...binHandlers(product.bin(services)),
    },
  }),
  jobs: (services) => ({
    'narrow-picture': (payload) => narrowPicture(services, payload),
    'read-minutes': (payload) => readMinutes(services, payload),
  }),
  works: (services, product) => [
    {
      name: 'corbeille',
      label: 'corbeille',
      every: HOUR_MS,
      run: () => whenTrusted(services, () => emptyBin(services, product.bin(services))),
    },
  ],
  bin: contentShelves,
  fileOwners: contentFileOwners,
  doors: contentDoors,
} satisfies Feature;
