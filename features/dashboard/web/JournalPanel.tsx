import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, RefreshCw } from 'lucide-react';
import { useId } from 'react';
import { NO_TABLE } from '#features/audit/shared/journal.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { download } from '#platform/web/download.ts';
import { groupBy } from '#platform/web/groupBy.ts';
import { useInAddress } from '#platform/web/history.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { DateInput, Dropdown, Labelled, Options } from '#platform/web/ui/Field.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';

type Entry = ReplyOf<'GET /journal'>['entrees'][number];

type Choice = 'qui' | 'quoi' | 'du' | 'au';
type Chosen = Partial<Record<Choice, string>>;
type Choose = (name: Choice, value: string) => void;

/** What is chosen, and a function that changes it; it stands in the address, so that it can be kept and shared. */
function useChosen(): [Chosen, Choose] {
  const [qui, setQui] = useInAddress('qui');
  const [quoi, setQuoi] = useInAddress('quoi');
  const [du, setDu] = useInAddress('du');
  const [au, setAu] = useInAddress('au');
  const set = { qui: setQui, quoi: setQuoi, du: setDu, au: setAu };
  const chosen = Object.fromEntries(
    Object.entries({ qui, quoi, du, au }).filter(([, value]) => value !== ''),
  );
  return [chosen, (name, value) => set[name](value)];
}

export function JournalPanel() {
  const [chosen, choose] = useChosen();
  const query = useInfiniteQuery({
    // Begins with the call's name, but differs from its cache key: pages have another shape than one answer.
    queryKey: ['GET /journal', 'pages', chosen],
    queryFn: ({ pageParam, signal }) =>
      call('GET /journal', { query: { ...chosen, noms: 'oui', avant: pageParam }, signal }),
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
        <Button quiet aria-disabled={isRefreshing} onClick={() => isFetching || query.refetch()}>
          <RefreshCw className="size-5" />
          {isRefreshing ? 'Actualisation…' : 'Actualiser'}
        </Button>
      </div>
      <p className="mt-3 mb-6 text-quiet">
        Qui a fait quoi, et quand. Ce qui a été écrit n’y figure pas ; les adresses sont raccourcies.
      </p>
      <Filters chosen={chosen} choose={choose} />
      <Exports chosen={chosen} />
      <LoadState query={query} failed="Le journal n’a pas pu être chargé.">
        {({ pages }) => (
          <Days entries={pages.flatMap(({ entrees }) => entrees)} isChosen={Object.keys(chosen).length > 0} />
        )}
      </LoadState>
      {data && error && (
        <p role="alert" aria-live="assertive" className="mt-6 font-semibold text-coral">
          Erreur lors de la lecture du journal : {error.message}
        </p>
      )}
      {hasNextPage && (
        <p className="mt-6">
          <Button aria-disabled={isFetching} onClick={() => isFetching || query.fetchNextPage()}>
            {isFetchingNextPage ? 'Chargement…' : 'Voir plus ancien'}
          </Button>
        </p>
      )}
    </div>
  );
}

const FILES = [
  { key: 'GET /journal/csv', label: 'Télécharger (CSV)' },
  { key: 'GET /journal/jsonl', label: 'Télécharger (JSON Lines)' },
] as const;

function Exports({ chosen }: { chosen: Chosen }) {
  const { isBusy, run } = useAction();
  return (
    <p className="mb-8 flex flex-wrap gap-3">
      {FILES.map(({ key, label }) => (
        <Button
          key={key}
          quiet
          aria-disabled={isBusy}
          onClick={() =>
            run(() => download(key, { query: chosen }), 'Erreur lors du téléchargement du journal')
          }
        >
          <Download className="size-5" />
          {label}
        </Button>
      ))}
    </p>
  );
}

function Filters({ chosen, choose }: { chosen: Chosen; choose: Choose }) {
  const { data } = useQuestion({ key: 'GET /journal/choix' });
  const { qui = '', quoi = '' } = chosen;
  const actors = new Map((data?.acteurs ?? []).map((name) => [name, name]));
  const tables = new Map((data?.objets ?? []).map(({ objet, nom }) => [objet, nom]));
  // A line may have gone since an address was kept; and the choices come after the first lines.
  if (qui) actors.set(qui, qui);
  if (quoi && !tables.has(quoi)) tables.set(quoi, quoi);
  tables.set(NO_TABLE, 'Le site en général');
  return (
    <search aria-label="Choisir dans le journal" className="mb-4">
      <div className="grid grid-cols-2 gap-4 md:grid-cols-4">
        <Dropdown label="Qui" value={qui} onChoose={(value) => choose('qui', value)}>
          <option value="">Tout le monde</option>
          <Options labels={Object.fromEntries(actors)} />
        </Dropdown>
        <Dropdown label="Sur quoi" value={quoi} onChoose={(value) => choose('quoi', value)}>
          <option value="">Tout</option>
          <Options labels={Object.fromEntries(tables)} />
        </Dropdown>
        {(['du', 'au'] as const).map((name) => (
          <Labelled key={name} label={name === 'du' ? 'Du' : 'Au'}>
            {(control) => (
              <DateInput
                {...control}
                type="date"
                value={chosen[name] ?? ''}
                onChange={({ target }) => choose(name, target.value)}
              />
            )}
          </Labelled>
        ))}
      </div>
      {Object.keys(chosen).length > 0 && (
        <p className="mt-2">
          <Link to={panelAddress('journal')} className="inline-flex min-h-11 items-center">
            Tout montrer
          </Link>
        </p>
      )}
    </search>
  );
}

function Days({ entries, isChosen }: { entries: readonly Entry[]; isChosen: boolean }) {
  const { locale, timeZone } = useSite();
  const id = useId();
  if (entries.length === 0) {
    return (
      <p className="well">
        {isChosen
          ? 'Rien ne correspond à ce choix.'
          : 'Rien pour le moment\u202f: chaque action dans le portail laissera une ligne ici.'}
      </p>
    );
  }
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone });
  const days = groupBy(entries, ({ instant }) => date.format(new Date(instant)));
  return (
    <div className="flex flex-col gap-8">
      {[...days].map(([day, lines], index) => (
        <section key={day} aria-labelledby={`${id}-${index}`}>
          <h2 id={`${id}-${index}`} className="mb-2 text-xl first-letter:uppercase">
            {day}
          </h2>
          <ul className="border-t border-mist">
            {lines.map((entry) => (
              <Line key={entry.id} entry={entry} at={time.format(new Date(entry.instant))} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** A line of the journal: cells side by side, or stacked beside the time where there is no room. */
function Line({ entry, at }: { entry: Entry; at: string }) {
  const { instant, acteur, action, nom, ip } = entry;
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-baseline gap-x-3 border-b border-mist py-2.5 wrap-anywhere *:col-start-2 sm:grid-cols-[4.5rem_minmax(0,10rem)_minmax(0,1fr)_auto] sm:*:col-start-auto">
      <time dateTime={instant} className="col-start-1! text-quiet tabular-nums">
        {at}
      </time>
      <p className="font-semibold">{acteur}</p>
      <p>
        <span className="block first-letter:uppercase">{action}</span>
        {nom && <span className="block text-quiet">{nom}</span>}
      </p>
      {ip && <p className="text-sm text-quiet">depuis {ip}</p>}
    </li>
  );
}
