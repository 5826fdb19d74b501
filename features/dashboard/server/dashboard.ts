import { journal } from '#features/audit/server/journal.ts';
import { genreOf, KINDS } from '#features/content/shared/kinds.ts';
import type { dashboardCalls } from '#features/dashboard/calls.ts';
import { IDENTITY } from '#features/site/calls.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import type { Check } from '#platform/server/checks/check.ts';
import { isClockTrusted, trustClock } from '#platform/server/clock.ts';
import { conflict } from '#platform/server/http/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import type { Services } from '#platform/server/services.ts';
import { VERSION } from '#platform/server/version.ts';
import { longDay } from '#platform/shared/dates.ts';
import { dayAt } from '#platform/shared/time.ts';
import { listAlerts } from './alerts.ts';
import { listParts, listTroubles } from './health.ts';
import { listPreparation } from './preparation.ts';
import { countStates, countStays, readBeginning } from './store.ts';

/* The portal's first page: the state of the site. */

/** `works`: the scheduled works, whose failures the dashboard reports. `checks`: those of the site. */
export function dashboardHandlers(
  services: Services,
  works: readonly Scheduled[],
  checks: readonly Check[],
): Omit<HandlersOf<typeof dashboardCalls>, 'GET /recherche'> {
  const { database, config, clock } = services;
  const startedAt = clock();
  return {
    'GET /tableau-de-bord': async () => {
      const settings = await readSettings(database.db, config);
      const names = Object.keys(IDENTITY) as (keyof typeof IDENTITY)[];
      const now = clock();
      const troubles = await listTroubles(checks);
      return {
        identite_manquante: names.filter((name) => settings[name] === ''),
        contenus: await Promise.all(
          KINDS.map(async (kind) => ({
            genre: genreOf(kind),
            ...(await countStates(database.db, kind, now)),
          })),
        ),
        demarrage: await readBeginning(database.db),
        sejours: await countStays(database.db, dayAt(now, config.TIME_ZONE)),
        alertes: await listAlerts(services, troubles),
        sante: {
          parties: await listParts(services, works, troubles),
          version: VERSION,
          depuis: startedAt.toISOString(),
        },
        horloge: (await isClockTrusted(database.db, now)) ? null : dayAt(now, config.TIME_ZONE),
      };
    },
    'GET /preparation': ({ query }) => listPreparation(services, query.stageId),
    'POST /horloge': async ({ body: { jour }, ...context }) => {
      await database.write(async (transaction) => {
        const now = clock();
        const today = dayAt(now, config.TIME_ZONE);
        // The clock was changed, or midnight has passed, since the day was shown.
        if (jour !== today)
          throw conflict(`Le site croit maintenant être le ${longDay(today)}\u202f: vérifiez ce jour.`);
        await trustClock(transaction, now);
        await journal(transaction, context, now, 'confirmation de la date du site');
      });
      return { message: 'Date confirmée\u202f: les effacements reprennent' };
    },
  };
}
