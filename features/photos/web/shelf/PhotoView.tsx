import { ArrowLeft, ArrowRight, X } from 'lucide-react';
import { useEffect, useId, useMemo, useRef } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { photoName } from '#features/photos/web/checking/texts.ts';
import { sourcesOf } from '#features/photos/web/grid/layout.ts';
import type { ManagedStay } from '#features/stays/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { useModal } from '#platform/web/ui/useModal.ts';
import { useBackCloses } from '#platform/web/ui/WholeDialog.tsx';
import { PhotoDetails } from './PhotoDetails.tsx';

interface PhotoViewProps {
  /** All of the stay. */
  photos: readonly Photo[];
  /** Those among which arrows move. */
  order: readonly number[];
  id: number;
  stay: ManagedStay;
  onMove(id: number): void;
  onClose(): void;
}

/**
 * One photo in large, all that is known of it, and what can be done with it. It stays until one moves on, even when what
 * was done takes it out of those that are shown: the next one would be under the same button.
 */
export function PhotoView({ photos, order, id, stay, onMove, onClose }: PhotoViewProps) {
  const { locale } = useSite();
  const close = useBackCloses(onClose);
  const modal = useModal(close);
  const titleId = useId();
  const found = useMemo(() => new Map(photos.map((one) => [one.id, one])), [photos]);
  const photo = found.get(id);
  const ids = order.filter((one) => one === id || found.has(one));
  const place = ids.indexOf(id);
  const move = (step: number) => {
    const next = ids[place + step];
    if (next !== undefined) onMove(next);
  };
  const closing = useRef<HTMLButtonElement>(null);
  const isGone = photo === undefined;
  // The button that had the focus went with it.
  useEffect(() => {
    if (isGone && document.activeElement === document.body) closing.current?.focus();
  }, [isGone]);
  const largest = photo && sourcesOf(photo).at(-1);
  return (
    <dialog
      {...modal}
      aria-labelledby={titleId}
      className="m-0 flex h-dvh max-h-none w-full max-w-none flex-col bg-paper"
      onKeyDown={(event) => {
        modal.onKeyDown(event);
        if ((event.target as Element).closest('input, textarea, select')) return;
        if (event.key === 'ArrowRight') move(1);
        if (event.key === 'ArrowLeft') move(-1);
      }}
    >
      <div className="flex items-center gap-1 border-b border-mist px-2">
        <button ref={closing} type="button" className="round-button" onClick={close} data-first-focus>
          <X aria-hidden="true" />
          <span className="sr-only">Fermer</span>
        </button>
        <h2 id={titleId} className="grow text-lg">
          Photo {(place + 1).toLocaleString(locale)} sur {ids.length.toLocaleString(locale)}
        </h2>
        <button type="button" className="round-button" aria-disabled={place <= 0} onClick={() => move(-1)}>
          <ArrowLeft aria-hidden="true" />
          <span className="sr-only">Précédente</span>
        </button>
        <button
          type="button"
          className="round-button"
          aria-disabled={place >= ids.length - 1}
          onClick={() => move(1)}
        >
          <ArrowRight aria-hidden="true" />
          <span className="sr-only">Suivante</span>
        </button>
      </div>
      {photo && (
        <div className="flex min-h-0 grow flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
          <div className="flex min-h-[45dvh] shrink-0 items-center justify-center bg-[#0a1916] text-white lg:min-h-0 lg:min-w-0 lg:shrink lg:grow">
            {largest ? (
              <img
                key={photo.id}
                src={largest.src}
                alt={photoName(photo, locale)}
                className="max-h-[60dvh] w-full object-contain lg:h-full lg:max-h-none"
              />
            ) : (
              <p className="p-6 text-center">Pas d’image à montrer pour ce fichier.</p>
            )}
          </div>
          <div className="shrink-0 p-4 lg:w-88 lg:overflow-y-auto lg:border-l lg:border-mist lg:p-5">
            <PhotoDetails key={photo.id} photo={photo} stay={stay} />
          </div>
        </div>
      )}
      <div role="status" className={isGone ? 'm-auto p-6 text-center' : 'sr-only'}>
        {isGone && 'Cette photo est supprimée.'}
      </div>
    </dialog>
  );
}
