import { Check, X } from 'lucide-react';
import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { sourcesOf, srcSetOf } from '#features/photos/web/grid/layout.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { WholeDialog } from '#platform/web/ui/WholeDialog.tsx';
import { photoName } from './texts.ts';

/** Number of photos loaded, including the one that is shown. */
const AHEAD = 3;

interface CheckedPhotoProps {
  /** The photo that is shown, then those after it. */
  photos: readonly Photo[];
  onSeen(id: number): void;
  onSwipe(isToRight: boolean): void;
  children: ReactNode;
}

/** A photo as large as there is room, which can be swiped to the right or to the left. */
export function CheckedPhoto({ photos, onSeen, onSwipe, children }: CheckedPhotoProps) {
  const isZoomed = useIsZoomed();
  const { offset, swipe } = useSwipe(isZoomed, onSwipe);
  const current = photos[0]?.id;
  return (
    <div
      {...swipe}
      className="relative min-h-0 grow overflow-hidden bg-[#0a1916]"
      style={{ touchAction: isZoomed ? 'auto' : 'pan-y pinch-zoom' }}
    >
      {photos.slice(0, AHEAD).map((photo) => (
        <Picture
          key={photo.id}
          photo={photo}
          isShown={photo.id === current}
          offset={photo.id === current ? offset : 0}
          onSeen={onSeen}
        />
      ))}
      {offset !== 0 && (
        <p
          aria-hidden="true"
          className={`absolute top-4 flex items-center gap-2 rounded-full px-4 py-2 font-semibold ${
            offset > 0 ? 'left-4 bg-[#9fd3c6] text-[#0c201c]' : 'right-4 bg-[#f39a84] text-[#2a0d05]'
          }`}
        >
          {offset > 0 ? <Check className="size-5" /> : <X className="size-5" />}
          {offset > 0 ? 'Publier' : 'Écarter'}
        </p>
      )}
      {children}
    </div>
  );
}

interface PictureProps {
  photo: Photo;
  isShown: boolean;
  offset: number;
  onSeen(id: number): void;
}

function Picture({ photo, isShown, offset, onSeen }: PictureProps) {
  const { locale } = useSite();
  const [tries, setTries] = useState(0);
  const [isLost, setLost] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  // A photo loaded in advance has not been seen yet.
  const isSeen = isShown && isLoaded;
  useEffect(() => {
    if (isSeen) onSeen(photo.id);
  }, [isSeen, photo.id, onSeen]);
  const sources = sourcesOf(photo);
  const largest = sources.at(-1);
  if (isLost && isShown) {
    return (
      <div className="absolute inset-0 flex flex-col items-center justify-center gap-3 p-6 text-center text-white">
        <p>La photo n’a pas pu être chargée.</p>
        <Button
          onClick={() => {
            setLost(false);
            setTries(tries + 1);
          }}
        >
          Réessayer
        </Button>
      </div>
    );
  }
  return (
    <img
      key={tries}
      src={largest?.src}
      srcSet={srcSetOf(sources)}
      sizes="(min-width: 1024px) calc(100vw - 22rem), 100vw"
      alt={isShown ? photoName(photo, locale) : ''}
      draggable={false}
      className={`absolute inset-0 size-full object-contain ${isShown ? '' : 'invisible'}`}
      style={offset === 0 ? undefined : { transform: `translateX(${offset}px) rotate(${offset / 60}deg)` }}
      onLoad={() => setLoaded(true)}
      onError={() => setLost(true)}
    />
  );
}

/** Distance, in pixels, from which a swipe counts. */
const FAR = 90;

/** Horizontal swipe; vertical movements and panning in a zoomed photo are ignored. */
function useSwipe(isZoomed: boolean, onSwipe: (isToRight: boolean) => void) {
  const [offset, setOffset] = useState(0);
  const start = useRef<number>(undefined);
  const end = () => {
    start.current = undefined;
    setOffset(0);
  };
  return {
    offset,
    swipe: {
      onPointerDown: ({ isPrimary, clientX, currentTarget, pointerId, target }: PointerEvent) => {
        if (isZoomed || !isPrimary || (target as Element).closest('button')) return;
        currentTarget.setPointerCapture(pointerId);
        start.current = clientX;
      },
      onPointerMove: ({ clientX }: PointerEvent) => {
        if (start.current !== undefined) setOffset(clientX - start.current);
      },
      onPointerUp: ({ clientX }: PointerEvent) => {
        const pushed = start.current === undefined ? 0 : clientX - start.current;
        end();
        if (Math.abs(pushed) >= FAR) onSwipe(pushed > 0);
      },
      onPointerCancel: end,
    },
  };
}

function useIsZoomed(): boolean {
  return useSyncExternalStore(
    followZoom,
    () => (window.visualViewport?.scale ?? 1) > 1,
    () => false,
  );
}

function followZoom(onZoom: () => void): () => void {
  window.visualViewport?.addEventListener('resize', onZoom);
  return () => window.visualViewport?.removeEventListener('resize', onZoom);
}

/** A thumbnail that opens large; nothing for a file from which no photo was made. */
export function LargePhoto({ photo }: { photo: Photo }) {
  const { locale } = useSite();
  const [isOpen, setOpen] = useState(false);
  const { fichiers } = photo;
  if (!fichiers) return null;
  const name = photoName(photo, locale);
  return (
    <>
      <button
        type="button"
        className="shrink-0 self-start overflow-hidden rounded-control bg-mist"
        aria-label={`Agrandir\u202f: ${name}`}
        onClick={() => setOpen(true)}
      >
        <img src={PHOTO_FOLDER + fichiers.w320} alt="" loading="lazy" className="h-28 w-36 object-contain" />
      </button>
      {isOpen && (
        <WholeDialog title={name} onClose={() => setOpen(false)} isOnlyClosed>
          {() => (
            <img
              src={PHOTO_FOLDER + fichiers.w1920}
              alt={name}
              className="min-h-0 grow bg-[#0a1916] object-contain"
            />
          )}
        </WholeDialog>
      )}
    </>
  );
}

interface KeptFocusProps {
  /** Id of the heading that takes the focus once nothing is left; it must be focusable. */
  heading: string;
  children: ReactNode;
}

/**
 * Wraps lists whose items disappear once they are decided on. The focus moves to the item that takes the place, or else
 * to the heading; otherwise keyboard users would start again at the top of the page.
 */
export function KeptFocus({ heading, children }: KeptFocusProps) {
  const last = useRef<{ target: Element; list: Element | null; place: number }>(undefined);
  useEffect(() => {
    const before = last.current;
    if (!before || before.target.isConnected || document.activeElement !== document.body) return;
    last.current = undefined;
    const items = before.list?.isConnected ? [...before.list.children] : [];
    const next = items[Math.min(before.place, items.length - 1)]?.querySelector<HTMLElement>('button');
    (next ?? document.getElementById(heading))?.focus();
  });
  const onFocus = ({ target }: FocusEvent) => {
    const item = target.closest('li');
    const list = item?.parentElement ?? null;
    last.current = { target, list, place: item && list ? [...list.children].indexOf(item) : 0 };
  };
  const onBlur = () => {
    last.current = undefined;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it follows the focus between the buttons inside
    <div className="contents" onFocus={onFocus} onBlur={onBlur}>
      {children}
    </div>
  );
}
