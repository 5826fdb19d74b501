import type { CallKey } from '../../../shared/api.ts';
import { genreOf, ITEM_KINDS, KINDS } from '../../../shared/content/kinds.ts';
import { SEARCH_MAX } from '../../../shared/dashboard.ts';
import { IDENTITY } from '../../../shared/settings.ts';
import { STAY_GENRE } from '../../../shared/stays/terms.ts';
import { dayAt } from '../../../shared/time.ts';
import type { Handlers } from '../../http/serve.ts';
import type { Scheduled } from '../../jobs/schedule.ts';
import type { Services } from '../../services.ts';
import { readSettings } from '../../settings.ts';
import { listAlerts } from './alerts.ts';
import { rankBy } from './search.ts';
import { countStates, countStays, listStayTitles, listTitles, type TitleRow } from './store.ts';

/** The portal's door: where the site stands, and its search. */

type DashboardKeys = Extract<CallKey, `${string} /${'tableau-de-bord' | 'recherche'}`>;

/** `works`: those that come back, of which the dashboard says when one fails. */
export function dashboardHandlers(
  services: Services,
  works: readonly Scheduled[],
): Pick<Handlers, DashboardKeys> {
  const { database, config, clock } = services;
  return {
    'GET /tableau-de-bord': async () => {
      const settings = await readSettings(database.db, config);
      const names = Object.keys(IDENTITY) as (keyof typeof IDENTITY)[];
      const now = clock();
      return {
        identite_manquante: names.filter((name) => settings[name] === ''),
        contenus: await Promise.all(
          KINDS.map(async (kind) => ({
            genre: genreOf(kind),
            ...(await countStates(database.db, kind, now)),
          })),
        ),
        sejours: await countStays(database.db, dayAt(now, config.TIME_ZONE)),
        alertes: await listAlerts(services, works),
      };
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
