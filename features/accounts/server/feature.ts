import type { Feature } from '#features/feature.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { adminHandlers, secondFactorHandlers } from './admins.ts';
import { accountPlace } from './adminsStore.ts';
import { authHandlers } from './signIn.ts';

export const accounts = {
  open: (services) => ({
    handlers: { ...authHandlers(services), ...adminHandlers(services), ...secondFactorHandlers(services) },
  }),
  works: ({ database, clock, rateLimits }) => [
    {
      name: 'sessions',
      label: 'fin des connexions',
      every: HOUR_MS,
      run: async () => {
        const now = clock().toISOString();
        await database.write((transaction) =>
          transaction.deleteFrom('sessions').where('expire_le', '<=', now).execute(),
        );
        await rateLimits.sweep();
      },
    },
  ],
  keptData: () => [accountPlace],
} satisfies Feature;
