import { useInfiniteQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useId } from 'react';
import { ITEM_KINDS } from '#features/content/shared/kinds.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';

type Entry = ReplyOf<'GET /journal'>['entrees'][number];

/** Who did what, and when, newest first. */
export function JournalPanel() {
  const query = useInfiniteQuery({
    // Begins with the call's name, but differs from its cache key: pages have another shape than one answer.
    queryKey: ['GET /journal', 'pages'],
    queryFn: ({ pageParam, signal }) => call('GET /journal', { query: { avant: pageParam }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ suite }) => suite,
    // Always stale: nearly every action adds a line.
    staleTime: 0,
  });
  const { data, error, isFetching, isFetchingNextPage, hasNextPage } = query;
  const isRefreshing = isFetching && !isFetchingNextPage;
  return (
    <div className="max-w-4xl">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1>Journal</h1>
        <button
          type="button"
          className="button quiet"
          aria-disabled={isRefreshing}
          onClick={() => isFetching || query.refetch()}
        >
          <RefreshCw aria-hidden="true" className="size-5" />
          {isRefreshing ? 'Actualisation…' : 'Actualiser'}
        </button>
      </div>
      <p className="mt-3 mb-6 text-quiet">
        Qui a fait quoi, et quand. Ce qui a été écrit n’y figure pas ; les adresses sont raccourcies.
      </p>
      <LoadState query={query} failed="Le journal n’a pas pu être chargé.">
        {({ pages }) => <Days entries={pages.flatMap(({ entrees }) => entrees)} />}
      </LoadState>
      {data && error && (
        <p role="alert" className="mt-6 font-semibold text-coral">
          Erreur lors de la lecture du journal : {error.message}
        </p>
      )}
      {hasNextPage && (
        <p className="mt-6">
          <button
            type="button"
            className="button"
            aria-disabled={isFetching}
            onClick={() => isFetching || query.fetchNextPage()}
          >
            {isFetchingNextPage ? 'Chargement…' : 'Voir plus ancien'}
          </button>
        </p>
      )}
    </div>
  );
}

function Days({ entries }: { entries: readonly Entry[] }) {
  const { locale, timeZone } = useSite();
  const id = useId();
  if (entries.length === 0) {
    return (
      <p className="well">Rien pour le moment : chaque action dans le portail laissera une ligne ici.</p>
    );
  }
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone });
  const days = byDay(entries, new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone }));
  return (
    <div className="flex flex-col gap-8">
      {days.map(({ day, lines: [first, ...rest] }) => (
        <section key={first.id} aria-labelledby={`${id}-${first.id}`}>
          <h2 id={`${id}-${first.id}`} className="mb-2 text-xl first-letter:uppercase">
            {day}
          </h2>
          <ul className="border-t border-mist">
            {[first, ...rest].map((entry) => (
              <Line key={entry.id} entry={entry} at={time.format(new Date(entry.instant))} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface Day {
  day: string;
  lines: [Entry, ...Entry[]];
}

/** Groups entries by day, in their order. */
function byDay(entries: readonly Entry[], format: Intl.DateTimeFormat): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const day = format.format(new Date(entry.instant));
    const last = days.at(-1);
    if (last?.day === day) last.lines.push(entry);
    else days.push({ day, lines: [entry] });
  }
  return days;
}

/** A line of the journal: cells side by side, or stacked beside the time where there is no room. */
function Line({ entry, at }: { entry: Entry; at: string }) {
  const { instant, acteur, action, objet, objet_id, ip } = entry;
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-baseline gap-x-3 border-b border-mist py-2.5 wrap-anywhere *:col-start-2 sm:grid-cols-[4.5rem_minmax(0,10rem)_minmax(0,1fr)_auto] sm:*:col-start-auto">
      <time dateTime={instant} className="col-start-1! text-quiet tabular-nums">
        {at}
      </time>
      <p className="font-semibold">{acteur}</p>
      <p>
        <span className="block first-letter:uppercase">{action}</span>
        {objet && <span className="block text-quiet">{named(objet, objet_id)}</span>}
      </p>
      {ip && <p className="text-sm text-quiet">depuis {ip}</p>}
    </li>
  );
}

const NAMES: Record<string, string> = {
  admins: 'Administrateur',
  envois: 'Envoi',
  envois_messages: 'E-mail',
  formateurs: 'Directeur',
  messages_contact: 'Message de contact',
  stages: 'Séjour',
  stagiaires: 'Enfant',
  livrets: 'Livret',
  ...Object.fromEntries(ITEM_KINDS.map(({ table, label }) => [table, label])),
};

/** « Actualité n° 12 »; a table without a name in `NAMES` is shown as it is. */
function named(table: string, id: number | null): string {
  const name = NAMES[table] ?? table;
  return id === null ? name : `${name} n°\u00a0${id}`;
}
