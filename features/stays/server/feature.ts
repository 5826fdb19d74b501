import type { Feature } from '#features/feature.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { bookletFileOwners, bookletHandlers, bookletLabels } from './booklets.ts';
import { directorHandlers } from './directors.ts';
import { directorPlace } from './directorsStore.ts';
import { applyPhotoTime } from './endedStaysStore.ts';
import { familyHandlers } from './families.ts';
import { familyPlace, secondAddressPlace } from './familiesStore.ts';
import { forgetRemovals } from './removalsStore.ts';
import { reportHandlers, reviewHandlers } from './reviews.ts';
import { staySources } from './searchStore.ts';
import { staySignInHandlers } from './signIn.ts';
import { type StayFollower, stayHandlers, stayPasswordHandlers, staySessionHandlers } from './stays.ts';
import { ensureStayPasswords, sealedStays } from './staysStore.ts';
import { stayTables } from './tables.ts';

declare module '#features/feature.ts' {
  interface Brought {
    /** Called when a stay is deleted. */
    ofStays: StayFollower;
  }
}

export const stays = {
  tables: stayTables,
  opening: ({ database, secrets }) => ensureStayPasswords(database, secrets),
  sealed: sealedStays,
  open: (services, product) => ({
    handlers: {
      ...stayHandlers(services, product.all('ofStays', services)),
      ...stayPasswordHandlers(services),
      ...staySessionHandlers(services),
      ...staySignInHandlers(services),
      ...directorHandlers(services),
      ...familyHandlers(services),
      ...bookletHandlers(services),
      ...reviewHandlers(services),
      ...reportHandlers(services),
    },
  }),
  works: (services) => [
    {
      name: 'retraits',
      label: 'oubli de ce qui a été retiré il y a longtemps',
      every: DAY_MS,
      run: () => forgetRemovals(services.database, services.clock()),
    },
  ],
  personalData: () => [familyPlace, secondAddressPlace, directorPlace],
  search: staySources,
  fileOwners: bookletFileOwners,
  fileLabels: bookletLabels,
  /** A changed retention of photos may reopen stays or shorten sessions. */
  settingsChanged: (services) => [
    async (transaction, { photos_conservation_jours: days }) => {
      if (days !== undefined) await applyPhotoTime(services, transaction);
    },
  ],
} satisfies Feature;
