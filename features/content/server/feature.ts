import type { Feature } from '#features/feature.ts';
import { whenTrusted } from '#platform/server/clockStore.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { genreOf, KINDS } from '../shared/kinds.ts';
import { binHandlers, contentShelves, emptyBin, type Shelf } from './bin.ts';
import { narrowPicture } from './files.ts';
import { contentFileOwners, contentHandlers } from './items.ts';
import { contentSources, readMinutes } from './search.ts';
import { listTitles } from './store.ts';
import { contentTables } from './tables.ts';

declare module '#features/feature.ts' {
  interface Brought {
    bin: Shelf;
  }
}

export const content = {
  tables: contentTables,
  open: (services, product) => ({
    handlers: {
      ...contentHandlers(services),
      ...binHandlers(product.all('bin', services)),
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
      run: () => whenTrusted(services, () => emptyBin(services, product.all('bin', services))),
    },
  ],
  bin: contentShelves,
  search: ({ database: { db } }) =>
    KINDS.map((kind) => ({ genre: genreOf(kind), rights: ['contenus'], list: () => listTitles(db, kind) })),
  publicSearch: contentSources,
  fileOwners: contentFileOwners,
} satisfies Feature;
