import { ArrowLeft, ArrowRight } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { PauseButton, useAutoplay } from './autoplay.tsx';

interface CarouselProps<T extends { id: number }> {
  items: readonly T[];
  /** Accessible name: what the carousel shows. */
  label: string;
  perView: number;
  /** Pixels between two slides. */
  gap: number;
  /** Time, in ms, after which it advances by itself. */
  every?: number;
  /** `isNear`: shown or about to be; other slides need not fetch their pictures. */
  children(item: T, place: { isFirst: boolean; isNear: boolean }): ReactNode;
}

/** Size of the arrows, in pixels. */
const ARROW = 28;

/**
 * Slides that the browser itself scrolls and snaps: they move by touch, wheel or key, and can be read before any
 * script has run. The arrows and autoplay only scroll the track.
 */
export function Carousel<T extends { id: number }>(props: CarouselProps<T>) {
  const { items, label, perView, gap, every, children } = props;
  const track = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  const last = Math.max(0, items.length - perView);
  /** Index of the slide being scrolled to, from which the next step counts. */
  const aimed = useRef<number>(undefined);
  const step = (by: number) => goTo(Math.min(last, Math.max(0, (aimed.current ?? index) + by)));
  const goTo = (target: number) => {
    aimed.current = target;
    const slide = track.current?.children[target];
    if (slide instanceof HTMLElement) track.current?.scrollTo({ left: slide.offsetLeft });
  };
  const clock = useAutoplay(last > 0 ? every : undefined, () => {
    // Not while the keyboard focus is inside: it would be scrolled away.
    if (!track.current?.querySelector(':focus-visible')) goTo(index >= last ? 0 : index + 1);
  });

  return (
    // biome-ignore lint/a11y/useSemanticElements: slides are no fields of a form
    <div role="group" aria-roledescription="carrousel" aria-label={label}>
      <ul
        ref={track}
        className="carousel"
        style={{ '--per-view': perView, '--gap': `${gap}px` } as React.CSSProperties}
        onScroll={({ currentTarget }) => setIndex(nearest(currentTarget))}
        // The target has been reached, or touch or wheel has scrolled elsewhere.
        onScrollEnd={() => {
          aimed.current = undefined;
        }}
      >
        {items.map((item, place) => (
          <li key={item.id}>
            {children(item, {
              isFirst: place === 0,
              isNear: place >= index - 1 && place <= index + perView,
            })}
          </li>
        ))}
      </ul>
      {last > 0 && (
        <div className="mt-2 flex items-center justify-center gap-1">
          <Arrow side="previous" isAtEnd={index === 0} onClick={() => step(-1)} />
          {every !== undefined ? (
            <PauseButton clock={clock} />
          ) : (
            <p className="min-w-16 text-center text-sm text-quiet" aria-live="polite">
              {index + 1} sur {items.length}
            </p>
          )}
          <Arrow side="next" isAtEnd={index >= last} onClick={() => step(1)} />
        </div>
      )}
    </div>
  );
}

function Arrow({ side, isAtEnd, onClick }: { side: 'previous' | 'next'; isAtEnd: boolean; onClick(): void }) {
  const Icon = side === 'previous' ? ArrowLeft : ArrowRight;
  // Not `disabled`: a disabled button would lose the keyboard focus.
  return (
    <button
      type="button"
      className="round-button"
      aria-disabled={isAtEnd}
      onClick={() => isAtEnd || onClick()}
    >
      <Icon aria-hidden="true" size={ARROW} />
      <span className="sr-only">{side === 'previous' ? 'Précédent' : 'Suivant'}</span>
    </button>
  );
}

/** Index of the slide whose left edge is nearest to that of the track. */
function nearest(track: HTMLElement): number {
  const distances = [...track.children].map((slide) =>
    Math.abs((slide as HTMLElement).offsetLeft - track.scrollLeft),
  );
  return distances.indexOf(Math.min(...distances));
}
