import { Download, EyeOff, Heart } from 'lucide-react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Photo } from '#features/photos/calls.ts';
import { useSite } from '#platform/web/site.tsx';
import { useIsAlive } from '#platform/web/ui/inBrowser.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { OpeningPhoto, thumbnails, useThumbnailsAside } from './LargePhoto.tsx';
import type { PhotoLightboxProps } from './PhotoLightbox.tsx';
import { PrintPhotoButton } from './print.tsx';
import { RemovalDialog } from './removals.tsx';
import { NOT_TO_PUBLISH, SaveButton } from './save.tsx';
import { useNames, useShared } from './useGallery.ts';

interface OpenedPhotoProps {
  photos: readonly Photo[];
  opened: Opened;
  onView(id: number): void;
  onClose(): void;
}

export function OpenedPhoto(props: OpenedPhotoProps) {
  const { photos, opened, onView, onClose } = props;
  const { stayOf } = useShared();
  // Names without new and favourite: otherwise a press on « Favori » would rename every photo.
  const nameOf = useNames(photos.length, stayOf);
  const [unwanted, setUnwanted] = useState<Photo>();
  const Lightbox = useLightbox(onClose);
  const first = photos.find(({ id }) => id === opened.photo);
  const [isOpening, setOpening] = useState(true);
  const [hasEntered, setEntered] = useState(false);
  useThumbnailsAside(isOpening);
  return (
    <>
      {first && !hasEntered && (
        <OpeningPhoto
          photo={first}
          isBehind={Lightbox !== undefined}
          onSharp={() => setOpening(false)}
          onClose={onClose}
        />
      )}
      {Lightbox && (
        <Lightbox
          key={opened.photo}
          photos={photos}
          first={opened.photo}
          plays={opened.plays}
          nameOf={nameOf}
          onView={onView}
          onEntered={() => setEntered(true)}
          onSharp={() => setOpening(false)}
          onClose={onClose}
        >
          {(photo, place) => (
            <PhotoBar
              photo={photo}
              place={`${place + 1} sur ${photos.length}`}
              onRemoval={() => setUnwanted(photo)}
            />
          )}
        </Lightbox>
      )}
      {unwanted && (
        <RemovalDialog photo={unwanted} stay={stayOf(unwanted)} onClose={() => setUnwanted(undefined)} />
      )}
    </>
  );
}

interface PhotoBarProps {
  photo: Photo;
  /** « 12 sur 300 ». */
  place: string;
  onRemoval(): void;
}

/** Bar under an open photo, within reach of a thumb: its caption, its place and its actions. */
function PhotoBar({ photo, place, onRemoval }: PhotoBarProps) {
  const { locale } = useSite();
  const { favourites, stayOf, keepingOf } = useShared();
  const keeping = keepingOf(photo);
  const where = [
    place,
    weekdayOf(photo.jour, locale),
    stayOf(photo).name?.whole,
    photo.version === 'legere' && 'pas encore en pleine qualité',
  ]
    .filter(Boolean)
    .join(' · ');
  const isFavourite = favourites.ids.has(photo.id);
  /** True once somebody has saved a photo here; not before, as the line takes room from the photo. */
  const [hasSaved, setSaved] = useState(false);
  return (
    <>
      {/* Said as a whole at each photo. */}
      <div role="status" aria-atomic="true" className="min-w-0 px-1">
        {photo.legende && <p className="max-h-24 overflow-y-auto wrap-anywhere">{photo.legende}</p>}
        <p className="text-sm text-[#d5e2dc]">{where}</p>
        {hasSaved && <p className="text-sm font-semibold">{NOT_TO_PUBLISH}</p>}
      </div>
      <div className="flex flex-wrap gap-1">
        {keeping && (
          <SaveButton
            keepings={[keeping]}
            classNames={{ button: 'photo-lightbox-button', failure: 'text-sm text-[#f39a84]' }}
            onSave={() => setSaved(true)}
          >
            <Download className="size-6" />
          </SaveButton>
        )}
        <button
          type="button"
          className="photo-lightbox-button"
          aria-pressed={isFavourite}
          onClick={() => favourites.put([photo.id], !isFavourite)}
        >
          <Heart className={`size-6 ${isFavourite ? 'fill-current text-[#ffc043]' : ''}`} />
          Favori
        </button>
        <PrintPhotoButton photo={photo} />
        <button type="button" className="photo-lightbox-button" onClick={onRemoval}>
          <EyeOff className="size-6" />
          Demander le retrait
        </button>
      </div>
    </>
  );
}

interface Opened {
  photo: number;
  plays: boolean;
}

/** The photo that is open over the page, kept in the browser history: the Back button closes it. */
export function useOpenedPhoto() {
  const { pathname, search, state, key } = useLocation();
  const navigate = useNavigate();
  const closed = useRef<string>(undefined);
  const isAlive = useIsAlive();
  return {
    // The server does not know of it.
    opened: isAlive ? readOpened(state) : undefined,
    open: (photo: number, plays = false) => {
      navigate(pathname + search, { state: { photo, plays } satisfies Opened });
    },
    close: () => {
      // A second call before the browser has gone back would leave the page.
      if (closed.current === key) return;
      closed.current = key;
      navigate(-1);
    },
  };
}

function readOpened(state: unknown): Opened | undefined {
  const { photo, plays } = (state ?? {}) as Partial<Record<keyof Opened, unknown>>;
  return typeof photo === 'number' ? { photo, plays: plays === true } : undefined;
}

/** The lightbox, once its code has come. */
let Loaded: ComponentType<PhotoLightboxProps> | undefined;

async function loadLightbox(): Promise<ComponentType<PhotoLightboxProps>> {
  Loaded ??= (await import('./PhotoLightbox.tsx')).PhotoLightbox;
  return Loaded;
}

/** The lightbox; undefined until its code has come. `onFailed` is called when it does not come. */
function useLightbox(onFailed: () => void): ComponentType<PhotoLightboxProps> | undefined {
  const [Lightbox, setLightbox] = useState(() => Loaded);
  const { warn } = useNotices();
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once
  useEffect(() => {
    loadLightbox().then(
      (loaded) => setLightbox(() => loaded),
      () => {
        warn('La photo ne peut pas s’ouvrir pour le moment.', 'Vérifiez votre connexion, puis réessayez.');
        onFailed();
      },
    );
  }, []);
  return Lightbox;
}

/**
 * Fetches the code of the lightbox before it is needed: when the thumbnails in sight have come and the browser is idle, or
 * as soon as a finger is on a photo.
 */
export function useEarlyLightbox(): void {
  useEffect(() => {
    const load = () => {
      // Browsers remember a failed import, which would keep photos from opening once they are online.
      if (navigator.onLine) loadLightbox().catch(() => {});
      stop();
    };
    const later = () => {
      if (isAllInSight()) whenIdle(load);
    };
    const onDown = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-photo], [data-first]')) load();
    };
    const stop = () => {
      document.removeEventListener('load', later, true);
      document.removeEventListener('pointerdown', onDown);
    };
    // `load` does not bubble, but it can be captured.
    document.addEventListener('load', later, true);
    document.addEventListener('pointerdown', onDown);
    later();
    return stop;
  }, []);
}

/** Whether every thumbnail in the window has come; false while there is none. */
function isAllInSight(): boolean {
  const inSight = thumbnails().filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  });
  return inSight.length > 0 && inSight.every(({ complete }) => complete);
}

function whenIdle(work: () => void): void {
  if (window.requestIdleCallback) window.requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
}
