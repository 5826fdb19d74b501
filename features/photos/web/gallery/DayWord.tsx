import { Quote } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** « Le mot du jour », as a card laid on the page; a long one begins with its first lines, so that photos come soon. */
export function DayWord({ mot }: { mot: string }) {
  const text = useRef<HTMLQuoteElement>(null);
  const isCut = useIsCut(text);
  const [isOpen, setOpen] = useState(false);
  return (
    <figure className="day-word relative">
      <Quote aria-hidden="true" className="size-6 shrink-0 text-pine max-sm:hidden" />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap justify-between gap-x-4 text-sm font-semibold">
          <figcaption className="text-quiet">Le mot du jour</figcaption>
          {(isCut || isOpen) && (
            // The whole card can be pressed.
            <button
              type="button"
              className="text-pine underline after:absolute after:inset-0"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Réduire' : 'Lire la suite'}
            </button>
          )}
        </div>
        <blockquote ref={text} className={`prose whitespace-pre-line ${isOpen ? '' : 'line-clamp-3'}`}>
          {mot}
        </blockquote>
      </div>
    </figure>
  );
}

/** True while an element shows less than its whole text. */
function useIsCut(element: RefObject<HTMLElement | null>): boolean {
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const look = () => setCut(watched.scrollHeight > watched.clientHeight + 1);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return isCut;
}
