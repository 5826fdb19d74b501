import { CalendarSearch, Download, Play, SquareCheck } from 'lucide-react';
import { useState } from 'react';
import { useSite } from '#platform/web/site.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import type { Day } from './DayBar.tsx';
import { DownloadDialog } from './DownloadDialog.tsx';

interface GalleryToolsProps {
  stageId: number;
  days: readonly Day[];
  /** True: all photos are shown, and not some of them. */
  isWhole: boolean;
  onTick(): void;
  onPlay(): void;
}

/** What can be done with all the photos, and the way to a day. */
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
