import { journal } from '#features/audit/server/journal.ts';
import { genreOf, ITEM_KINDS, KINDS } from '#features/content/shared/kinds.ts';
import { type dashboardCalls, SEARCH_MAX } from '#features/dashboard/calls.ts';
import { IDENTITY } from '#features/site/calls.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { STAY_GENRE } from '#features/stays/shared/terms.ts';
import type { Check } from '#platform/server/checks/check.ts';
import { isClockTrusted, trustClock } from '#platform/server/clock.ts';
import { conflict } from '#platform/server/http/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import type { Services } from '#platform/server/services.ts';
import { VERSION } from '#platform/server/version.ts';
import { longDay } from '#platform/shared/dates.ts';
import { wordsOf } from '#platform/shared/fold.ts';
import { dayAt } from '#platform/shared/time.ts';
import { listAlerts } from './alerts.ts';
import { listParts, listTroubles } from './health.ts';
import { countStates, countStays, listStayTitles, listTitles, type TitleRow } from './store.ts';

/* The portal's first page: the state of the site, and its search. */

/** `works`: the scheduled works, whose failures the dashboard reports. `checks`: those of the site. */
export function dashboardHandlers(
  services: Services,
  works: readonly Scheduled[],
  checks: readonly Check[],
): HandlersOf<typeof dashboardCalls> {
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
    'GET /recherche': async ({ query }) => {
      const rank = rankBy(query.q);
      const ranked = (genre: string, rows: TitleRow[]) =>
        rows.flatMap(({ supprime_le, ...row }) => {
          const place = rank(row.titre);
          if (place === undefined) return [];
          return [{ ...row, genre, dans_la_corbeille: supprime_le !== null, place }];
        });
      const lists = await Promise.all([
        ...ITEM_KINDS.map(async (kind) => ranked(genreOf(kind), await listTitles(database.db, kind))),
        listStayTitles(database.db).then((rows) => ranked(STAY_GENRE, rows)),
      ]);
      const found = lists.flat();
      found.sort(
        (a, b) => a.place - b.place || b.date_publication.localeCompare(a.date_publication) || b.id - a.id,
      );
      return found.slice(0, SEARCH_MAX);
    },
  };
}

/**
 * Ranks titles for a query, best first: 0 the title begins with it, 1 each of its words begins one of the
 * title's, 2 each is somewhere in the title; undefined: not found. Case, accents and punctuation do not count.
 */
function rankBy(query: string): (title: string) => number | undefined {
  const asked = wordsOf(query);
  const beginning = asked.join(' ');
  return (title) => {
    const words = wordsOf(title);
    const text = words.join(' ');
    if (asked.length === 0 || !asked.every((word) => text.includes(word))) return undefined;
    if (text.startsWith(beginning)) return 0;
    return asked.every((word) => words.some((one) => one.startsWith(word))) ? 1 : 2;
  };
}
