import {
  ArrowLeft,
  ArrowRight,
  type LucideIcon,
  Maximize,
  Minimize,
  Pause,
  Play,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  activeSlideStatus,
  type RenderSlideProps,
  useEvents,
  type ZoomRef,
} from 'yet-another-react-lightbox';
import Fullscreen from 'yet-another-react-lightbox/plugins/fullscreen';
import Slideshow from 'yet-another-react-lightbox/plugins/slideshow';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import type { Photo } from '#features/photos/calls.ts';
import { sourcesOf } from '#features/photos/web/grid/layout.ts';
import { ICON, LABELS, NO_ARROWS, StyledLightbox } from '#platform/web/ui/lightboxParts.tsx';
import { LargePhoto } from './LargePhoto.tsx';

export interface PhotoLightboxProps {
  photos: readonly Photo[];
  first: number;
  /** True: the slideshow starts by itself. */
  plays: boolean;
  nameOf(photo: Photo, place: number): string;
  children(photo: Photo, place: number): ReactNode;
  onView(id: number): void;
  /** Called once the lightbox is drawn over the page. */
  onEntered(): void;
  /** Called when the file of the photo shown has come. */
  onSharp(): void;
  onClose(): void;
}

const SLIDESHOW_MS = 4_000;
const WORDS = {
  ...LABELS,
  Lightbox: 'Photos en grand',
  'Photo gallery': 'Photos',
  Slide: 'photo',
  Play: 'Lancer le diaporama',
  Pause: 'Arrêter le diaporama',
  'Enter Fullscreen': 'Plein écran',
  'Exit Fullscreen': 'Quitter le plein écran',
};

/** An icon with the word that it stands for, which is shown while large texts are chosen; part of the button's label. */
const worded = (Icon: LucideIcon, word: string) => () => (
  <>
    <Icon {...ICON} />
    <span className="photo-lightbox-word">{word}</span>
  </>
);

const WORDED_ICONS = {
  iconPrev: worded(ArrowLeft, WORDS.Previous),
  iconNext: worded(ArrowRight, WORDS.Next),
  iconClose: worded(X, WORDS.Close),
  iconZoomIn: worded(ZoomIn, WORDS['Zoom in']),
  iconZoomOut: worded(ZoomOut, WORDS['Zoom out']),
  iconSlideshowPlay: worded(Play, 'Diaporama'),
  iconSlideshowPause: worded(Pause, 'Arrêter'),
  iconEnterFullscreen: worded(Maximize, WORDS['Enter Fullscreen']),
  iconExitFullscreen: worded(Minimize, 'Quitter'),
};

/**
 * Photos over the whole window, browsed by touch, keys or buttons. If the photo shown is taken down, the next one takes
 * its place; if the first one is not in the list, nothing opens.
 */
export function PhotoLightbox(props: PhotoLightboxProps) {
  const { photos, first, plays, nameOf, children, onView, onEntered, onSharp, onClose } = props;
  const [shown, setShown] = useState(first);
  const [wasThere] = useState(() => photos.some(({ id }) => id === first));
  const lastPlace = useRef(0);
  const found = photos.findIndex(({ id }) => id === shown);
  const place = found >= 0 ? found : Math.min(lastPlace.current, photos.length - 1);
  const photo = wasThere ? photos[place] : undefined;
  const slides = useMemo(
    () => photos.map((one, index) => slideOf(one, nameOf(one, index))),
    [photos, nameOf],
  );
  const id = photo?.id;
  /** The photos whose files have come. Those beside a photo are only fetched after it. */
  const [sharp, setSharp] = useState<ReadonlySet<number>>(new Set());
  const isSharp = id !== undefined && sharp.has(id);
  useEffect(() => {
    lastPlace.current = Math.max(0, place);
  }, [place]);
  const tellSharp = useEffectEvent(onSharp);
  useEffect(() => {
    if (isSharp) tellSharp();
  }, [isSharp]);
  const zoomer = useRef<ZoomRef>(null);
  const onSlideSharp = useCallback((id: number) => setSharp((known) => new Set(known).add(id)), []);
  const tellShown = useEffectEvent(() => (id === undefined ? onClose() : onView(id)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each photo
  useEffect(() => tellShown(), [id]);
  if (!photo) return null;
  return (
    <StyledLightbox
      open
      close={onClose}
      index={place}
      slides={slides}
      plugins={[Slideshow, Fullscreen, Zoom]}
      carousel={{ finite: true, preload: 1, padding: 0 }}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
      slideshow={{ autoplay: plays, delay: SLIDESHOW_MS }}
      // Two taps are counted here: those of the library go on to the largest size, step by step.
      zoom={{ maxZoomPixelRatio: 2, doubleTapDelay: 0, doubleClickDelay: 0, ref: zoomer }}
      labels={WORDS}
      className="photo-lightbox"
      // What is shown until then already looks like it.
      animation={{ fade: 0 }}
      on={{
        entered: onEntered,
        view: ({ index }) => {
          const viewed = photos[index];
          if (viewed) setShown(viewed.id);
        },
      }}
      render={{
        ...WORDED_ICONS,
        slide: (given) => (
          <Slide
            {...(given as SlideGiven)}
            zoomer={zoomer}
            sharp={sharp}
            isWanted={isSharp}
            onSharp={onSlideSharp}
          />
        ),
        ...(photos.length === 1 ? NO_ARROWS : {}),
        controls: () => <div className="photo-lightbox-bar">{children(photo, place)}</div>,
      }}
    />
  );
}

/** `srcSet` is there for the zoom, which reads from it how far a photo can be enlarged. */
function slideOf(photo: Photo, alt: string) {
  const sources = sourcesOf(photo);
  const largest = sources.at(-1) ?? { src: '', width: 0, height: 0 };
  return { ...largest, alt, srcSet: sources, photo };
}

interface SlideGiven extends Omit<RenderSlideProps, 'slide'> {
  slide: ReturnType<typeof slideOf>;
}

interface SlideProps extends SlideGiven {
  /** Whether its file is fetched even while it is not the one that is looked at. */
  isWanted: boolean;
  /** The photos whose files have come. */
  sharp: ReadonlySet<number>;
  zoomer: RefObject<ZoomRef | null>;
  onSharp(id: number): void;
}

/** A photo in the row of the lightbox: the one that is looked at, where `offset` is 0, or one beside it. */
function Slide({ slide: { photo, alt }, offset, zoom, isWanted, sharp, zoomer, onSharp }: SlideProps) {
  const { publish } = useEvents();
  const isSharp = sharp.has(photo.id);
  const isShown = offset === 0;
  const onPointerDown = useDoubleTap(zoomer);
  useEffect(() => {
    // The slideshow waits for it.
    if (isShown) publish(activeSlideStatus(isSharp ? 'complete' : 'loading'));
  }, [publish, isShown, isSharp]);
  return (
    <LargePhoto
      photo={photo}
      alt={alt}
      zoom={isShown ? zoom : 1}
      isWanted={isShown || isWanted || isSharp}
      isFirst={isShown}
      onPointerDown={isShown ? onPointerDown : undefined}
      onSharp={() => onSharp(photo.id)}
    />
  );
}

/** Longest time between two taps, in ms, and how far apart they may be, in pixels. */
const TAPS = { touch: 300, mouse: 500, apart: 40 };

/** Two taps enlarge a photo to twice its size at their place, and two more bring it back. */
function useDoubleTap(zoomer: RefObject<ZoomRef | null>): (event: PointerEvent<HTMLElement>) => void {
  const last = useRef({ at: Number.NEGATIVE_INFINITY, x: 0, y: 0 });
  return ({ timeStamp, clientX: x, clientY: y, pointerType, isPrimary, button, currentTarget }) => {
    if (!isPrimary || button !== 0) return;
    const before = last.current;
    const isSecond =
      timeStamp - before.at < (pointerType === 'touch' ? TAPS.touch : TAPS.mouse) &&
      Math.hypot(x - before.x, y - before.y) < TAPS.apart;
    last.current = { at: isSecond ? Number.NEGATIVE_INFINITY : timeStamp, x, y };
    const frame = currentTarget.closest('.yarl__slide')?.getBoundingClientRect();
    if (!isSecond || !frame || !zoomer.current) return;
    const { zoom, changeZoom } = zoomer.current;
    // From the middle of the frame.
    changeZoom(zoom > 1 ? 1 : 2, false, x - frame.left - frame.width / 2, y - frame.top - frame.height / 2);
  };
}
