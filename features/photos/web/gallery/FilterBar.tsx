import { Heart, Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { countOf } from '#features/photos/web/checking/texts.ts';

export type Filter = 'all' | 'new' | 'favourites';

interface FilterBarProps {
  filter: Filter;
  counts: Record<Filter, number>;
  onChoose(filter: Filter): void;
}

/** Buttons that choose all photos, those new since the last visit, or the favourites of this device. */
export function FilterBar({ filter, counts, onChoose }: FilterBarProps) {
  const choices: { value: Filter; label: string; icon?: ReactNode }[] = [
    { value: 'all', label: `Toutes (${counts.all.toLocaleString('fr-FR')})` },
    {
      value: 'new',
      label:
        counts.new === 1
          ? 'Une nouvelle photo'
          : `${counts.new.toLocaleString('fr-FR')}\u00a0nouvelles photos`,
      icon: <Sparkles aria-hidden="true" className="size-5" />,
    },
    {
      value: 'favourites',
      label: `Mes favoris (${counts.favourites.toLocaleString('fr-FR')})`,
      icon: <Heart aria-hidden="true" className="size-5" />,
    },
  ];
  const useful = choices.filter(({ value }) => value === 'all' || value === filter || counts[value] > 0);
  if (useful.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons that filter are no fields of a form
    <div role="group" aria-label="Photos à montrer" className="flex flex-wrap gap-1.5 sm:gap-2">
      {useful.map(({ value, label, icon }) => (
        <button
          key={value}
          type="button"
          className={`button max-sm:px-3 max-sm:text-sm ${value === filter ? '' : 'quiet'}`}
          aria-pressed={value === filter}
          onClick={() => onChoose(value)}
        >
          {icon}
          {label}
        </button>
      ))}
    </div>
  );
}

/** Message shown instead of photos when a filter leaves none. */
export function NothingLeft({ filter }: { filter: Filter }) {
  return (
    <p className="well">
      {filter === 'new'
        ? 'Vous avez vu toutes les photos.'
        : `Vous n’avez pas encore de favoris\u202f: ouvrez une photo, puis touchez le cœur.`}
    </p>
  );
}

/** « 23 photos choisies ». */
export function tickedText(count: number): string {
  if (count === 0) return 'Touchez les photos à choisir.';
  return countOf(count, 'choisie');
}
