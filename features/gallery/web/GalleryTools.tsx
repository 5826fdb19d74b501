import {
  CalendarClock,
  CalendarSearch,
  Download,
  Heart,
  Play,
  Sparkles,
  SquareCheck,
  TriangleAlert,
  WifiOff,
} from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { daysBetween } from '#platform/shared/time.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { dayOf, numberText, weekdayOf } from '#platform/web/ui/texts.ts';
import { archivesOf, DownloadDialog } from './save.tsx';
import type { GalleryStay } from './useFeeds.ts';
import { type Day, type Filter, useShared } from './useGallery.ts';

interface GalleryHeadProps {
  stays: readonly GalleryStay[];
  /** True when the last request failed: the photos shown may be out of date. */
  isOffline: boolean;
  filters: ReactNode;
  children: ReactNode;
}

/** Header above the photos: until when they stay, which of them are shown, and what can be done with them. */
export function GalleryHead({ stays, isOffline, filters, children }: GalleryHeadProps) {
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-1 px-4 sm:gap-2 sm:pb-1">
      <h2 id="photos" className="sr-only">
        {stays.length > 1 ? 'Les photos des séjours' : 'Les photos du séjour'}
      </h2>
      <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1 sm:min-h-11">
        {[...new Set(stays.map(({ lastDay }) => lastDay))].sort().map((lastDay, _, { length }) => (
          <UntilBanner
            key={lastDay}
            lastDay={lastDay}
            // Named where others stay longer.
            names={stays.flatMap((stay) =>
              length > 1 && stay.lastDay === lastDay && stay.name ? stay.name.short : [],
            )}
          />
        ))}
        {filters}
      </div>
      <div role="status" className="empty:hidden">
        {isOffline && (
          <p className="flex items-center gap-2 font-semibold">
            <WifiOff className="size-5 shrink-0 text-coral" />
            Le site ne répond pas{'\u202f'}: de nouvelles photos peuvent manquer ici.
          </p>
        )}
      </div>
      {children}
    </div>
  );
}

/** Number of days before the last one at which the reminder becomes urgent. */
const LAST_DAYS = 7;

/** Until when the photos stay; shown prominently in their last week, so that nobody misses it. */
function UntilBanner({ lastDay, names }: { lastDay: string; names: readonly string[] }) {
  const { locale, today } = useSite();
  const left = daysBetween(today, lastDay);
  const day = dayOf(lastDay, locale, 'UTC');
  const named = names.length > 0 ? `${names.join(', ')}\u202f: ` : '';
  if (left > LAST_DAYS) {
    return (
      <p className="flex grow basis-36 items-center gap-2 text-quiet max-sm:text-sm max-sm:leading-snug">
        <CalendarClock className="size-5 shrink-0 text-pine max-sm:hidden" />
        {named}
        {named ? 'photos' : 'Photos'} jusqu’au {day}, puis effacées
      </p>
    );
  }
  return (
    <div className="flex basis-full items-start gap-2 rounded-card bg-sun px-3 py-2 text-on-sun sm:gap-3 sm:px-4">
      <TriangleAlert className="size-6 shrink-0" />
      <div className="leading-snug">
        <p className="font-semibold">
          {named}
          {named ? lowered(leftText(left)) : leftText(left)}
        </p>
        <p className="max-sm:text-sm">
          Elles seront ensuite effacées{'\u202f'}: téléchargez celles que vous voulez garder avant le {day} au
          soir.
        </p>
      </div>
    </div>
  );
}

function leftText(left: number): string {
  if (left <= 0) return 'Dernier jour pour voir les photos';
  return left === 1
    ? 'Plus qu’un jour pour voir les photos'
    : `Plus que ${left}\u00a0jours pour voir les photos`;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

interface GalleryToolsProps {
  photos: readonly Photo[];
  days: readonly Day[];
  isWhole: boolean;
  onPlay(): void;
}

export function GalleryTools({ photos, days, isWhole, onPlay }: GalleryToolsProps) {
  const { ticks, stayOf } = useShared();
  const [isDownloading, setDownloading] = useState(false);
  const download = () => {
    if (isWhole) setDownloading(true);
    // What is then done with the photos that a filter shows is done with these alone.
    else ticks.begin(photos.map(({ id }) => id));
  };
  return (
    <div className="flex flex-wrap gap-1.5 sm:gap-2">
      <Button quiet className="gallery-tool" onClick={() => (ticks.isTicking ? ticks.end() : ticks.begin())}>
        <SquareCheck className="size-5" />
        Choisir
      </Button>
      <Button quiet className="gallery-tool" onClick={onPlay}>
        <Play className="size-5" />
        Diaporama
      </Button>
      <Button quiet className="gallery-tool" onClick={download}>
        <Download className="size-5" />
        Télécharger
      </Button>
      {days.length > 1 && <DaySelect days={days} />}
      {isDownloading && (
        <DownloadDialog
          whole={archivesOf(photos, stayOf)}
          days={days.flatMap(({ jour, photos }) => archivesOf(photos, stayOf, jour))}
          onClose={() => setDownloading(false)}
        />
      )}
    </div>
  );
}

function DaySelect({ days }: { days: readonly Day[] }) {
  const { locale } = useSite();
  const [chosen, setChosen] = useState('');
  /** Arrow keys and letters choose one day after the other: Enter goes to the last. */
  const byKeys = useRef(false);
  const go = (jour: string) => {
    setChosen('');
    const title = document.getElementById(`jour-${jour}`);
    title?.closest('section')?.scrollIntoView({ block: 'start', behavior: 'instant' });
    title?.focus({ preventScroll: true });
  };
  return (
    <span className="button quiet gallery-tool gallery-days">
      <CalendarSearch className="size-5" />
      <span aria-hidden="true">Aller au…</span>
      <select
        aria-label="Aller au jour, puis Entrée"
        value={chosen}
        onPointerDown={() => {
          byKeys.current = false;
        }}
        onKeyDown={({ key }) => {
          byKeys.current = true;
          if (key === 'Enter' && chosen !== '') go(chosen);
        }}
        onBlur={() => setChosen('')}
        onChange={({ target }) => {
          setChosen(target.value);
          if (!byKeys.current) go(target.value);
        }}
      >
        <option value="" disabled>
          Aller au…
        </option>
        {days.map(({ jour }) => (
          <option key={jour} value={jour}>
            {weekdayOf(jour, locale)}
          </option>
        ))}
      </select>
    </span>
  );
}

interface Choice<T> {
  value: T;
  label: string;
  icon?: ReactNode;
  className?: string;
}

interface ChoiceBarProps<T> {
  label: string;
  className?: string;
  choices: readonly Choice<T>[];
  chosen: T;
  onChoose(value: T): void;
}

export function ChoiceBar<T>({ label, className = '', choices, chosen, onChoose }: ChoiceBarProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons that filter are no fields of a form
    <div role="group" aria-label={label} className={className || 'flex flex-wrap gap-1.5 sm:gap-2'}>
      {choices.map(({ value, label: name, icon, className = '' }) => (
        <button
          key={String(value)}
          type="button"
          className={`button max-w-full wrap-anywhere max-sm:px-3 max-sm:text-sm ${value === chosen ? '' : 'quiet'} ${className}`}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {icon}
          {name}
        </button>
      ))}
    </div>
  );
}

interface FilterBarProps {
  filter: Filter;
  counts: Record<Filter, number>;
  onChoose(filter: Filter): void;
}

export function FilterBar({ filter, counts, onChoose }: FilterBarProps) {
  const choices: Choice<Filter>[] = [
    {
      value: 'all',
      label: `Toutes (${numberText(counts.all)})`,
      // On a phone only once there is something to come back from.
      className: filter === 'all' ? 'max-sm:hidden' : '',
    },
    {
      value: 'new',
      label: counts.new === 1 ? 'Une nouvelle photo' : `${numberText(counts.new)}\u00a0nouvelles photos`,
      icon: <Sparkles className="size-5 max-sm:hidden" />,
    },
    {
      value: 'favourites',
      label: `Mes favoris (${numberText(counts.favourites)})`,
      icon: <Heart className="size-5" />,
    },
  ];
  const useful = choices.filter(({ value }) => value === 'all' || value === filter || counts[value] > 0);
  if (useful.length < 2) return null;
  return <ChoiceBar label="Photos à montrer" choices={useful} chosen={filter} onChoose={onChoose} />;
}

export function NothingLeft({ filter }: { filter: Filter }) {
  return (
    <p className="well">
      {filter === 'new'
        ? 'Vous avez vu toutes les photos.'
        : `Vous n’avez pas encore de favoris\u202f: ouvrez une photo, puis touchez le cœur.`}
    </p>
  );
}
