import { type Chart, nameOf } from './useChart.ts';

/** Looks for people by name or post, and goes from one to the next. */
export function ChartSearch({ chart }: { chart: Chart }) {
  const { search, found, lookFor, goToNext } = chart;
  return (
    <search
      className={`chart-search block noscript:hidden print:hidden ${search.trim() === '' ? '' : 'stays'}`}
    >
      <form
        className="flex flex-wrap items-center gap-x-3 gap-y-2"
        onSubmit={(event) => {
          event.preventDefault();
          goToNext();
        }}
      >
        <input
          type="search"
          name="recherche"
          aria-label="Chercher un nom ou un poste"
          placeholder="Chercher un nom ou un poste"
          autoComplete="off"
          maxLength={100}
          className="input min-w-0 flex-1 md:max-w-sm"
          value={search}
          onChange={({ target }) => lookFor(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && lookFor('')}
        />
        {found.length > 0 && (
          <button type="submit" className="button">
            Suivant
          </button>
        )}
        <p role="status" className="min-w-0 text-sm wrap-anywhere text-quiet max-md:basis-full">
          {saidOf(chart)}
        </p>
      </form>
    </search>
  );
}

function saidOf({ search, asked, found, at }: Chart): string {
  const pointed = found[at];
  if (pointed) return `${at + 1} sur ${found.length}\u202f: ${nameOf(pointed.person)}`;
  if (asked.length === 0) return '';
  if (found.length === 0) return `Personne ne correspond à «\u00a0${search.trim()}\u00a0».`;
  return found.length > 1 ? `${found.length} personnes trouvées` : '1 personne trouvée';
}
