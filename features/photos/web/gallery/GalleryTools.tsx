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
import { type ReactNode, useEffect, useId, useState } from 'react';
import { countOf } from '#features/photos/web/checking/texts.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { daysBetween } from '#platform/shared/time.ts';
import { addressOf, weigh } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { dayOf, weekdayOf } from '#platform/web/ui/texts.ts';
import type { Day } from './DayBar.tsx';
import { NOT_TO_PUBLISH } from './save.ts';

interface GalleryHeadProps {
  lastDay: string;
  /** True when the last request failed: the photos shown may be out of date. */
  isOffline: boolean;
  /** Buttons that choose which photos are shown. */
  filters: ReactNode;
  children: ReactNode;
}

/** Header above the photos: until when they stay, which of them are shown, and what can be done with them. */
export function GalleryHead({ lastDay, isOffline, filters, children }: GalleryHeadProps) {
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-1 px-4 sm:gap-2 sm:pb-1">
      <h2 id="photos" className="sr-only">
        Les photos du séjour
      </h2>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <UntilBanner lastDay={lastDay} />
        {filters}
      </div>
      <div role="status" className="empty:hidden">
        {isOffline && (
          <p className="flex items-center gap-2 font-semibold">
            <WifiOff aria-hidden="true" className="size-5 shrink-0 text-coral" />
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
function UntilBanner({ lastDay }: { lastDay: string }) {
  const { locale, today } = useSite();
  const left = daysBetween(today, lastDay);
  const day = dayOf(lastDay, locale, 'UTC');
  if (left > LAST_DAYS) {
    return (
      <p className="flex grow basis-36 items-center gap-2 text-quiet max-sm:text-sm max-sm:leading-snug">
        <CalendarClock aria-hidden="true" className="size-5 shrink-0 text-pine max-sm:hidden" />
        Photos jusqu’au {day}, puis effacées
      </p>
    );
  }
  return (
    <div className="flex basis-full items-start gap-2 rounded-card bg-sun px-3 py-2 text-on-sun sm:gap-3 sm:px-4">
      <TriangleAlert aria-hidden="true" className="size-6 shrink-0" />
      <div className="leading-snug">
        <p className="font-semibold">{leftText(left)}</p>
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

interface GalleryToolsProps {
  stageId: number;
  days: readonly Day[];
  /** True when no filter is applied. */
  isWhole: boolean;
  onTick(): void;
  onPlay(): void;
}

/** Actions on all the photos, and a menu that jumps to a day. */
export function GalleryTools({ stageId, days, isWhole, onTick, onPlay }: GalleryToolsProps) {
  const [isDownloading, setDownloading] = useState(false);
  const withPhotos = days.filter(({ photos }) => photos.length > 0);
  return (
    <div className="flex flex-wrap gap-1.5 sm:gap-2">
      <button type="button" className="button quiet gallery-tool" onClick={onTick}>
        <SquareCheck aria-hidden="true" className="size-5" />
        Choisir
      </button>
      <button type="button" className="button quiet gallery-tool" onClick={onPlay}>
        <Play aria-hidden="true" className="size-5" />
        Diaporama
      </button>
      {isWhole && (
        <button type="button" className="button quiet gallery-tool" onClick={() => setDownloading(true)}>
          <Download aria-hidden="true" className="size-5" />
          Télécharger
        </button>
      )}
      {days.length > 1 && <DaySelect days={days} />}
      {isDownloading && (
        <DownloadDialog stageId={stageId} days={withPhotos} onClose={() => setDownloading(false)} />
      )}
    </div>
  );
}

function DaySelect({ days }: { days: readonly Day[] }) {
  const { locale } = useSite();
  const go = (jour: string) => {
    const title = document.getElementById(`jour-${jour}`);
    title?.closest('section')?.scrollIntoView({ block: 'start', behavior: 'instant' });
    title?.focus({ preventScroll: true });
  };
  return (
    <span className="button quiet gallery-tool gallery-days">
      <CalendarSearch aria-hidden="true" className="size-5" />
      <span aria-hidden="true">Aller au…</span>
      <select aria-label="Aller au jour" value="" onChange={({ target }) => go(target.value)}>
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

interface DownloadDialogProps {
  stageId: number;
  days: readonly Day[];
  onClose(): void;
}

/** Downloads everything, or one day, as a ZIP file; shows the total size, for people on a slow connection. */
function DownloadDialog({ stageId, days, onClose }: DownloadDialogProps) {
  const modal = useModal(onClose);
  const id = useId();
  const { locale } = useSite();
  const whole = zipAddress(stageId);
  const weight = useWeight(whole);
  const count = days.reduce((sum, { photos }) => sum + photos.length, 0);
  return (
    <dialog {...modal} aria-labelledby={`${id}-title`} className="dialog max-w-lg">
      <h2 id={`${id}-title`} className="text-xl">
        Télécharger les photos
      </h2>
      <p className="mt-2">
        Un fichier ZIP, à ouvrir ensuite sur l’ordinateur ou le téléphone. Si la connexion se coupe, le
        téléchargement peut reprendre.
      </p>
      <p className="mt-4">
        <a href={whole} download className="button w-full">
          <Download aria-hidden="true" className="size-5 shrink-0" />
          Tout télécharger ({countOf(count)}
          {weight !== undefined && `, ${weightOf(weight)}`})
        </a>
      </p>
      <p className="mt-2 font-semibold">{NOT_TO_PUBLISH}</p>
      {days.length > 1 && (
        <>
          <h3 className="mt-5">Un seul jour</h3>
          <ul className="mt-1 max-h-[40dvh] divide-y divide-mist overflow-y-auto">
            {days.map(({ jour, photos }) => (
              <li key={jour}>
                <a
                  href={zipAddress(stageId, jour)}
                  download
                  className="flex min-h-11 items-center justify-between gap-4 py-1"
                >
                  <span className="first-letter:uppercase">{weekdayOf(jour, locale)}</span>
                  <span className="shrink-0 text-quiet">{countOf(photos.length)}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <button type="button" className="button quiet mt-5" onClick={onClose}>
        Fermer
      </button>
    </dialog>
  );
}

/** Address of the ZIP file of the photos of a stay, or of one of its days. */
function zipAddress(stageId: number, jour?: string): string {
  return addressOf('GET /stages/:id/photos.zip', { params: { id: stageId }, query: jour ? { jour } : {} });
}

/** Size, in bytes, of the file at an address; undefined until it is known. */
function useWeight(address: string): number | undefined {
  const [weight, setWeight] = useState<number>();
  useEffect(() => {
    const controller = new AbortController();
    weigh(address, controller.signal).then(setWeight, () => {});
    return () => controller.abort();
  }, [address]);
  return weight;
}

export type Filter = 'all' | 'new' | 'favourites';

interface FilterBarProps {
  filter: Filter;
  counts: Record<Filter, number>;
  onChoose(filter: Filter): void;
}

/** Buttons that choose all photos, those new since the last visit, or the favourites of this device. */
export function FilterBar({ filter, counts, onChoose }: FilterBarProps) {
  const choices: { value: Filter; label: string; icon?: ReactNode; className?: string }[] = [
    {
      value: 'all',
      label: `Toutes (${counts.all.toLocaleString('fr-FR')})`,
      // On a phone only once there is something to come back from.
      className: filter === 'all' ? 'max-sm:hidden' : '',
    },
    {
      value: 'new',
      label:
        counts.new === 1
          ? 'Une nouvelle photo'
          : `${counts.new.toLocaleString('fr-FR')}\u00a0nouvelles photos`,
      icon: <Sparkles aria-hidden="true" className="size-5 max-sm:hidden" />,
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
      {useful.map(({ value, label, icon, className = '' }) => (
        <button
          key={value}
          type="button"
          className={`button max-sm:px-3 max-sm:text-sm ${value === filter ? '' : 'quiet'} ${className}`}
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
