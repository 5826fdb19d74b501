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
import { createPreference } from '#platform/web/preference.ts';
import { useSite } from '#platform/web/site.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { dayOf, weekdayOf } from '#platform/web/ui/texts.ts';
import type { Day } from './DayBar.tsx';

interface GalleryHeadProps {
  lastDay: string;
  /** True when the last request failed: the photos shown may be out of date. */
  isOffline: boolean;
  children: ReactNode;
}

/** Header above the photos: until when they stay, and what can be done with them. */
export function GalleryHead({ lastDay, isOffline, children }: GalleryHeadProps) {
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-2 px-4 sm:gap-3 sm:pb-2">
      <div className="flex flex-wrap items-center justify-between gap-x-1">
        <h2 id="photos" className="max-sm:text-xl">
          Les photos du séjour
        </h2>
        <TextSizeControl />
      </div>
      <UntilBanner lastDay={lastDay} />
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
      <p className="flex items-start gap-2 text-quiet max-sm:-mt-2 max-sm:text-sm">
        <CalendarClock aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
        <span>Jusqu’au {day}, puis effacées</span>
      </p>
    );
  }
  return (
    <div className="flex items-start gap-3 rounded-[14px] bg-sun p-4 text-on-sun">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
      <div>
        <p className="font-semibold">{leftText(left)}</p>
        <p>
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

/** A− and A+ buttons for the text size of this page, remembered by the device. */
export function TextSizeControl() {
  const [size, keep] = useTextSize();
  const step = TEXT_SIZES.indexOf(size);
  const move = (by: -1 | 1) => {
    const next = TEXT_SIZES[step + by];
    if (next) keep(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons are no fields of a form
    <div role="group" aria-label="Taille des textes" className="-mr-2 flex items-center">
      <button
        type="button"
        className="round-button text-base font-semibold"
        aria-disabled={step === 0}
        onClick={() => move(-1)}
      >
        <span aria-hidden="true">A−</span>
        <span className="sr-only">Textes plus petits</span>
      </button>
      <button
        type="button"
        className="round-button text-xl font-semibold"
        aria-disabled={step === TEXT_SIZES.length - 1}
        onClick={() => move(1)}
      >
        <span aria-hidden="true">A+</span>
        <span className="sr-only">Textes plus grands</span>
      </button>
      <span role="status" className="sr-only">
        Taille des textes{'\u202f'}: {size}
      </span>
    </div>
  );
}

const TEXT_SIZES = ['normale', 'grande', 'très grande'] as const;

/** How large texts are on the pages of families, as this device remembers it. */
const useKeptSize = createPreference('taille-des-textes', TEXT_SIZES, 'normale');

/** The size of texts while the page that calls this is shown, and how to change it. */
function useTextSize(): ReturnType<typeof useKeptSize> {
  const [size, keep] = useKeptSize();
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.texte = String(TEXT_SIZES.indexOf(size));
    return () => {
      delete dataset.texte;
    };
  }, [size]);
  return [size, keep];
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
