import type { Feature } from '#features/feature.ts';
import { forgetCounts } from '#platform/server/countsStore.ts';
import { limitStaffIdle } from '#platform/server/sessionsStore.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { adminHandlers, ensureFirstAdmin } from './admins.ts';
import { accountPlace, deleteDevices, deleteExpiredSessions } from './adminsStore.ts';
import { signInChecks } from './checks.ts';
import { DEVICE_MS, placeHandlers } from './devices.ts';
import { deleteChallenges } from './factorsStore.ts';
import { ownFactorHandlers } from './ownFactors.ts';
import { applyRule, sealedFactors } from './secondFactor.ts';
import { readerHandlers, sessionHandlers, signInHandlers } from './signIn.ts';
import { accountTables } from './tables.ts';

export const accounts = {
  tables: accountTables,
  sealed: sealedFactors,
  firstAccount: ensureFirstAdmin,
  open: (services) => ({
    handlers: {
      ...signInHandlers(services),
      ...sessionHandlers(services),
      ...readerHandlers(services),
      ...placeHandlers(services),
      ...adminHandlers(services),
      ...ownFactorHandlers(services),
    },
  }),
  works: ({ database, clock, config, rateLimits }) => [
    {
      name: 'sessions',
      label: 'fin des connexions',
      every: HOUR_MS,
      run: async () => {
        await database.write(async (transaction) => {
          await deleteExpiredSessions(transaction, clock());
          await deleteDevices(transaction, new Date(clock().getTime() - DEVICE_MS));
          await forgetCounts(transaction, clock());
          await deleteChallenges(transaction, clock());
          // An account may have lost its application with the site's key.
          await applyRule(transaction, config, clock());
        });
        await rateLimits.deleteOld();
      },
    },
  ],
  checks: signInChecks,
  keptData: () => [accountPlace],
  settingsChanged: ({ clock, config }) => [
    async (transaction, { portail_inactivite_heures: hours, second_facteur }) => {
      if (hours !== undefined) await limitStaffIdle(transaction, hours * 60, clock());
      if (second_facteur !== undefined) await applyRule(transaction, config, clock());
    },
  ],
} satisfies Feature;
