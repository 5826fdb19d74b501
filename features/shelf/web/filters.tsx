import { useEffect, useId, useRef } from 'react';
import { isScheduled } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES, type PhotoState, STATES } from '#features/photos/shared/states.ts';
import { useSite } from '#platform/web/site.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';

/* Which photos of a stay are shown: those of a state, and of a day. */

interface Filter {
  label: string;
  isIn(photo: Photo): boolean;
}

type StateName = (typeof PHOTO_STATES)[PhotoState]['filter']['name'];
export type FilterName = StateName | 'all' | 'blurred' | 'scheduled' | 'light';

const OTHERS: [name: FilterName, place: number, filter: Filter][] = [
  ['all', -1, { label: 'Toutes', isIn: () => true }],
  // Known to staff alone.
  ['blurred', 2, { label: 'Floutées', isIn: ({ gestion }) => Boolean(gestion?.avant) }],
  ['scheduled', 4, { label: 'Programmées', isIn: (photo) => isScheduled(photo, Date.now()) }],
  ['light', 8, { label: 'Version légère', isIn: ({ version }) => version === 'legere' }],
];

/** Filters, those that need an action first: one for each state, and the others. */
export const FILTERS = Object.fromEntries(
  [
    ...OTHERS,
    ...STATES.map((state): (typeof OTHERS)[number] => {
      const { name, label, place } = PHOTO_STATES[state].filter;
      const isIn = (photo: Photo) => photo.statut === state && !isScheduled(photo, Date.now());
      return [name, place, { label, isIn }];
    }),
  ]
    .sort(([, one], [, other]) => one - other)
    .map(([name, , filter]) => [name, filter]),
) as Record<FilterName, Filter>;

interface StateFilterProps {
  photos: readonly Photo[];
  /** Number of photos in the bin, which are not among them. */
  binned: number;
  chosen: FilterName;
  onChoose(name: FilterName): void;
}

/** One button per state, with its number of photos; states without photos are left out. */
export function StateFilter({ photos, binned, chosen, onChoose }: StateFilterProps) {
  const { locale } = useSite();
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is chosen
  useEffect(() => {
    const button = row.current?.querySelector<HTMLElement>('[aria-pressed=true]');
    if (row.current && button) row.current.scrollLeft = button.offsetLeft - row.current.offsetLeft - 12;
  }, [chosen]);
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Photos montrées, par état</legend>
      {/* On a telephone one row, which scrolls: as many rows as states would push the photos off the screen. */}
      <div
        ref={row}
        className="flex gap-2 max-sm:-mx-3 max-sm:overflow-x-auto max-sm:px-3 max-sm:py-1 sm:flex-wrap"
      >
        {(Object.keys(FILTERS) as FilterName[]).map((name) => {
          const { label, isIn } = FILTERS[name];
          const count = name === 'bin' ? binned : photos.filter(isIn).length;
          if (count === 0 && name !== chosen && name !== 'all') return null;
          return (
            <button
              key={name}
              type="button"
              className={`button shrink-0 whitespace-nowrap ${name === chosen ? '' : 'quiet'}`}
              aria-pressed={name === chosen}
              onClick={() => onChoose(name)}
            >
              {label} ({count.toLocaleString(locale)})
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}

interface DayFilterProps {
  days: readonly string[];
  chosen: string;
  onChoose(day: string): void;
}

export function DayFilter({ days, chosen, onChoose }: DayFilterProps) {
  const { locale } = useSite();
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        Jour
      </label>
      <select id={id} className="input" value={chosen} onChange={({ target }) => onChoose(target.value)}>
        <option value="">Tous les jours</option>
        {days.map((day) => (
          <option key={day} value={day}>
            {weekdayOf(day, locale)}
          </option>
        ))}
      </select>
    </div>
  );
}
