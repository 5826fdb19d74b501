import type { Feature } from '#features/feature.ts';
import { forgetCounts } from '#platform/server/countsStore.ts';
import { limitStaffIdle } from '#platform/server/sessionsStore.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { adminHandlers, ensureFirstAdmin } from './admins.ts';
import { accountPlace, deleteExpiredSessions } from './adminsStore.ts';
import { signInChecks } from './checks.ts';
import { forgetDevices } from './devices.ts';
import { applyRule } from './factorRule.ts';
import { ownFactorHandlers } from './ownFactors.ts';
import { deleteChallenges } from './passkeysStore.ts';
import { sealedFactors } from './secondFactor.ts';
import { authHandlers } from './signIn.ts';
import { accountTables } from './tables.ts';

export const accounts = {
  tables: accountTables,
  sealed: sealedFactors,
  firstAccount: ensureFirstAdmin,
  open: (services) => ({
    handlers: { ...authHandlers(services), ...adminHandlers(services), ...ownFactorHandlers(services) },
  }),
  works: ({ database, clock, config, rateLimits }) => [
    {
      name: 'sessions',
      label: 'fin des connexions',
      every: HOUR_MS,
      run: async () => {
        await database.write(async (transaction) => {
          await deleteExpiredSessions(transaction, clock());
          await forgetDevices(transaction, clock());
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
