import { Download, Quote } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { countOf } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { PrintDayButton } from './print.tsx';
import { archivesOf, DownloadDialog, lightText, NOT_TO_PUBLISH } from './save.tsx';
import { type Day, useShared } from './useGallery.ts';

interface DayBarProps {
  day: Day;
  title: string;
  /** False: a filter hides photos of the day, which its file would contain. */
  isWhole: boolean;
}

export function DayBar({ day, title, isWhole }: DayBarProps) {
  const { jour, photos } = day;
  const { ticks, stayOf } = useShared();
  if (photos.length === 0) return null;
  if (ticks.isTicking) {
    const areAllTicked = photos.every(({ id }) => ticks.ticked.has(id));
    return (
      <Button
        quiet
        className="my-1 mr-4 shrink-0 max-sm:px-3 max-sm:text-sm md:mr-0"
        onClick={() =>
          ticks.tick(
            photos.map(({ id }) => id),
            !areAllTicked,
          )
        }
      >
        {areAllTicked ? 'Tout décocher' : 'Tout choisir'}
        <span className="sr-only">, {title}</span>
      </Button>
    );
  }
  return (
    <div className="flex md:-mr-3">
      <PrintDayButton photos={photos} title={title} />
      {isWhole && (
        <DownloadDayButton photos={photos} archives={archivesOf(photos, stayOf, jour)} title={title} />
      )}
    </div>
  );
}

interface DownloadDayButtonProps {
  photos: readonly Photo[];
  archives: ReturnType<typeof archivesOf>;
  title: string;
}

function DownloadDayButton({ photos, archives, title }: DownloadDayButtonProps) {
  const { say } = useNotices();
  const [isDownloading, setDownloading] = useState(false);
  const content = (
    <>
      <Download className="size-5" />
      <span className="sr-only">
        Télécharger {countOf(photos.length)} du {title}
      </span>
    </>
  );
  const looks = { className: 'round-button', title: 'Télécharger ce jour' };
  const [archive] = archives;
  // What is not there in full is said before the download, as is that each stay has its file.
  if (archive && archives.length === 1 && lightText(photos) === '') {
    return (
      <a href={archive.address} download {...looks} onClick={() => say(NOT_TO_PUBLISH)}>
        {content}
      </a>
    );
  }
  return (
    <>
      <button type="button" {...looks} onClick={() => setDownloading(true)}>
        {content}
      </button>
      {isDownloading && <DownloadDialog whole={archives} onClose={() => setDownloading(false)} />}
    </>
  );
}

interface Word {
  mot: string;
  /** The short name of its stay, where several are shown. */
  of?: string | undefined;
}

/**
 * « Le mot du jour », as a card: whole, but for a text so long that no photo would stand on the first screen, of which
 * the beginning is shown at first. Where several stays are shown each text has the name of its own, and on a phone a line.
 */
export function WordsOfDay({ words }: { words: readonly Word[] }) {
  const card = useRef<HTMLDivElement>(null);
  const isCut = useIsCut(card, words);
  const [isOpen, setOpen] = useState(false);
  const toggle = () => {
    setOpen(!isOpen);
    // Its end, where the button is, may have been a screen further down.
    if (isOpen) requestAnimationFrame(() => card.current?.scrollIntoView({ block: 'nearest' }));
  };
  const isBrief = !isOpen && words.some(({ of }) => of);
  return (
    <div ref={card} className={`day-word relative ${isBrief ? 'brief' : ''}`}>
      <Quote className="size-6 shrink-0 text-pine max-sm:hidden" />
      <div className="min-w-0 grow">
        {words.map(({ of = '', mot }) => (
          <figure key={of}>
            <figcaption className={of ? 'text-sm font-semibold text-quiet wrap-anywhere' : 'sr-only'}>
              <span className={of && 'sr-only'}>Le mot du jour{of && '\u202f: '}</span>
              {of}
            </figcaption>
            <blockquote className={`prose ${isOpen ? '' : `day-word-text ${isCut ? 'cut' : ''}`}`}>
              {mot}
            </blockquote>
          </figure>
        ))}
        {(isCut || isOpen) && (
          // Its pseudo-element covers the whole card, which can thus be pressed.
          <button
            type="button"
            className="text-sm font-semibold text-pine underline after:absolute after:inset-0"
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {isOpen ? 'Réduire' : 'Lire la suite'}
          </button>
        )}
      </div>
    </div>
  );
}

function useIsCut(card: RefObject<HTMLElement | null>, words: readonly Word[]): boolean {
  const [isCut, setCut] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words may be cut elsewhere
  useLayoutEffect(() => {
    const watched = card.current;
    if (!watched) return;
    const texts = [...watched.querySelectorAll('blockquote')];
    const isWhole = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }: Element) =>
      scrollHeight <= clientHeight + 1 && scrollWidth <= clientWidth;
    // Called for the first time before the next frame is drawn, once its layout is done anyway.
    const observer = new ResizeObserver(() => setCut(!texts.every(isWhole)));
    for (const text of texts) observer.observe(text);
    return () => observer.disconnect();
  }, [card, words]);
  return isCut;
}
