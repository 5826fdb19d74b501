import { useId } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { isScheduled } from '#features/photos/web/checking/texts.ts';
import { useSite } from '#platform/web/site.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';

/* Which photos of a stay are shown: those of a state, and of a day. */

interface Filter {
  label: string;
  isIn(photo: Photo): boolean;
}

/** Filters by state, those that need an action first. */
export const FILTERS = {
  all: { label: 'Toutes', isIn: () => true },
  removed: { label: 'Retirées sur demande', isIn: ({ statut }) => statut === 'retiree' },
  toCheck: { label: 'À vérifier', isIn: ({ statut }) => statut === 'a_verifier' },
  published: {
    label: 'Visibles par les familles',
    isIn: (photo) => photo.statut === 'publiee' && !isScheduled(photo, Date.now()),
  },
  scheduled: { label: 'Programmées', isIn: (photo) => isScheduled(photo, Date.now()) },
  refused: { label: 'Refusées', isIn: ({ statut }) => statut === 'refusee' },
  preparing: { label: 'En préparation', isIn: ({ statut }) => statut === 'recue' },
  unreadable: { label: 'Illisibles', isIn: ({ statut }) => statut === 'illisible' },
  light: { label: 'Version légère', isIn: ({ version }) => version === 'legere' },
  bin: { label: 'Corbeille', isIn: ({ statut }) => statut === 'corbeille' },
} as const satisfies Record<string, Filter>;
export type FilterName = keyof typeof FILTERS;

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
  return (
    <fieldset>
      <legend className="sr-only">Photos montrées, par état</legend>
      <div className="flex flex-wrap gap-2">
        {(Object.keys(FILTERS) as FilterName[]).map((name) => {
          const { label, isIn } = FILTERS[name];
          const count = name === 'bin' ? binned : photos.filter(isIn).length;
          if (count === 0 && name !== chosen && name !== 'all') return null;
          return (
            <button
              key={name}
              type="button"
              className={`button ${name === chosen ? '' : 'quiet'}`}
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

/** Selects one day of the stay, or all of them. */
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
