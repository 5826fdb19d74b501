import { Heart } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Photo } from '#features/photos/calls.ts';
import type { GridGroup } from '#features/photos/web/grid/layout.ts';
import { type GridHandle, PhotoGrid } from '#features/photos/web/grid/PhotoGrid.tsx';
import { useSite } from '#platform/web/site.tsx';
import { useIsAlive } from '#platform/web/ui/inBrowser.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { type Day, DayBar, DayWord, daysOf } from './DayBar.tsx';
import { type Filter, FilterBar, GalleryHead, GalleryTools, NothingLeft } from './GalleryTools.tsx';
import { OpenedPhoto } from './OpenedPhoto.tsx';
import { useEarlyLightbox } from './opening.tsx';
import { FloatingButton, SelectionBar } from './SelectionBar.tsx';
import { type DayNote, type GalleryStay, useFeeds } from './useFeeds.ts';
import { TicksProvider, useNames, useTicks } from './useTicks.ts';

interface GalleryProps {
  /** The only stay, or those that are shown as one list; always as many while the gallery is mounted. */
  stays: readonly GalleryStay[];
  /** Number of the only one of them whose photos are shown; undefined for all. */
  only?: number | undefined;
  /** Shown while there is no photo. */
  nothing: ReactNode;
}

/** The photos of one stay or several by day, for families: to view, to save, and to request the removal of. */
export function Gallery({ stays, only, nothing }: GalleryProps) {
  const { locale } = useSite();
  const [filter, setFilter] = useState<Filter>('all');
  const head = useRef<HTMLDivElement>(null);
  const grid = useRef<GridHandle>(null);
  const gallery = useGallery(stays, only, filter, head);
  const { days, photos, newIds, favourites, stayOf } = gallery;
  const ticks = useTicks(photos);
  const { opened, open, close } = useOpenedPhoto();
  const viewed = useViewed(opened !== undefined, grid);
  useEarlyLightbox();
  const nameOf = useNames(photos.length, stayOf, newIds, favourites.ids);
  const overlay = useCallback(
    (photo: Photo) => (
      <TileMarks
        stay={only === undefined ? stayOf(photo).name?.short : undefined}
        isNew={newIds.has(photo.id)}
        isFavourite={favourites.ids.has(photo.id)}
      />
    ),
    [newIds, favourites, stayOf, only],
  );
  const groups = useMemo(
    () => days.map((day) => groupOf(day, stayOf, weekdayOf(day.jour, locale), filter === 'all')),
    [days, stayOf, locale, filter],
  );

  const choose = (chosen: Filter) => {
    setFilter(chosen);
    const isNew = ({ id }: Photo) => newIds.has(id);
    if (chosen === 'new') revealFirst(grid, gallery.shown.filter(isNew));
  };
  const showWaiting = () => {
    if (filter === 'favourites') setFilter('all');
    gallery.showWaiting();
    revealFirst(grid, gallery.waiting);
  };

  if (!gallery.isReady && !gallery.failed) return <GallerySkeleton />;
  if (gallery.failed) {
    return (
      <div className="mx-auto w-full max-w-6xl px-4 pt-4">
        <LoadState query={gallery.failed} failed="Les photos n’ont pas pu être chargées.">
          {() => null}
        </LoadState>
      </div>
    );
  }
  const [first] = photos;
  return (
    <TicksProvider value={ticks}>
      <section aria-labelledby="photos" className="gallery">
        <div ref={head}>
          {gallery.counts.all === 0 ? (
            <div className="mx-auto w-full max-w-6xl px-4 pt-4">{nothing}</div>
          ) : (
            <GalleryHead
              stays={gallery.stays}
              isOffline={gallery.isOffline}
              filters={<FilterBar filter={filter} counts={gallery.counts} onChoose={choose} />}
            >
              {first && (
                <GalleryTools
                  stayOf={stayOf}
                  days={days}
                  isWhole={filter === 'all'}
                  onTick={ticks.isTicking ? ticks.end : () => ticks.begin()}
                  onTickAll={() => ticks.begin(photos.map(({ id }) => id))}
                  onPlay={() => open(first.id, true)}
                />
              )}
              {!first && filter !== 'all' && <NothingLeft filter={filter} />}
            </GalleryHead>
          )}
        </div>
        <div className="gallery-photos">
          <PhotoGrid
            groups={groups}
            nameOf={nameOf}
            overlay={overlay}
            onOpen={({ id }) => open(id)}
            onHold={ticks.isTicking ? undefined : (id) => ticks.begin([id])}
            ticking={ticks.isTicking ? { ticked: ticks.ticked, onTick: ticks.tick } : undefined}
            handle={grid}
          />
        </div>
        <FloatingButton
          waiting={gallery.waiting.length}
          onNew={showWaiting}
          onTop={() => head.current?.scrollIntoView({ block: 'start', behavior: 'instant' })}
        />
        {ticks.isTicking && (
          <SelectionBar
            stayOf={stayOf}
            favourites={favourites}
            ticked={photos.filter(({ id }) => ticks.ticked.has(id))}
            numberOf={gallery.numberOf}
            onEnd={ticks.end}
          />
        )}
      </section>
      {/* After a reload, the opened photo may only come with the rest of the list. */}
      {opened && (gallery.isWhole || photos.some(({ id }) => id === opened.photo)) && (
        <OpenedPhoto
          stayOf={stayOf}
          photos={photos}
          opened={opened}
          favourites={favourites}
          numberOf={gallery.numberOf}
          onView={viewed}
          onClose={close}
        />
      )}
    </TicksProvider>
  );
}

/** Leads to the first of these photos, once it is drawn. */
function revealFirst(grid: RefObject<GridHandle | null>, [first]: readonly Photo[]): void {
  if (first) grid.current?.reveal(first.id);
}

const NONE: readonly Photo[] = [];
/** The photos of the stays as their families see them, by day, and what this device remembers of them. */
function useGallery(
  stays: readonly GalleryStay[],
  only: number | undefined,
  filter: Filter,
  head: RefObject<HTMLElement | null>,
) {
  const { seen, total, isWhole, isReady, failed, isOffline, ofPhoto, notes, favourites } = useFeeds(stays);
  const stayOf = useCallback(
    ({ id }: Photo) => ofPhoto.get(id)?.stay ?? (stays[0] as GalleryStay),
    [ofPhoto, stays],
  );
  const arrived = useShownPhotos(seen, isWhole, head);
  const [shown, waiting] = useMemo(() => {
    const isAsked = (photo: Photo) => only === undefined || stayOf(photo).stageId === only;
    return [arrived.shown.filter(isAsked), arrived.waiting.filter(isAsked)];
  }, [arrived.shown, arrived.waiting, only, stayOf]);
  const newIds = useMemo(() => {
    const isNew = ({ id, publiee_le }: Photo) => {
      const since = ofPhoto.get(id)?.since;
      return since !== undefined && (publiee_le ?? '') > since;
    };
    return new Set(shown.filter(isNew).map(({ id }) => id));
  }, [shown, ofPhoto]);
  const filtered = useMemo(() => {
    if (filter === 'all') return shown;
    const kept = filter === 'new' ? newIds : favourites.ids;
    return shown.filter(({ id }) => kept.has(id));
  }, [shown, filter, newIds, favourites]);
  const days = useMemo(() => {
    const isOfOnly = ({ stay }: DayNote) => only === undefined || stay.stageId === only;
    return daysOf(filtered, notes.filter(isOfOnly), filter === 'all');
  }, [filtered, notes, filter, only]);
  const isPart = !isWhole && filter === 'all' && only === undefined;
  return {
    /** The stays whose photos are shown. */
    stays: stays.filter(({ stageId }) => only === undefined || stageId === only),
    stayOf,
    isReady,
    failed,
    isOffline,
    isWhole,
    days,
    /** The photos that pass the filter. */
    photos: filtered,
    /** Number of a photo in its day of its stay, counted from the first one taken. */
    numberOf: (photo: Photo) => {
      const day = ofPhoto.get(photo.id)?.seen.filter(({ jour }) => jour === photo.jour) ?? NONE;
      return 1 + day.findIndex(({ id }) => id === photo.id);
    },
    /** The photos that are shown, but for the filter. */
    shown,
    waiting,
    showWaiting: arrived.showWaiting,
    newIds,
    favourites,
    counts: {
      all: isPart ? Math.max(shown.length, total) : shown.length,
      new: newIds.size,
      favourites: shown.reduce((count, { id }) => count + (favourites.ids.has(id) ? 1 : 0), 0),
    },
  };
}

/**
 * The photos that are shown. New photos that arrive while the viewer is scrolled down wait until the viewer asks for them
 * or is back at the top, so that nothing moves; photos that were taken down disappear at once. `head`: the element above
 * the photos.
 */
function useShownPhotos(photos: readonly Photo[], isWhole: boolean, head: RefObject<HTMLElement | null>) {
  const [accepted, setAccepted] = useState<ReadonlySet<number>>();
  const [shown, waiting] = useMemo(() => {
    if (!accepted) return [photos, NONE];
    const isShown = ({ id }: Photo) => accepted.has(id);
    return [photos.filter(isShown), photos.filter((photo) => !isShown(photo))];
  }, [photos, accepted]);
  const showWaiting = useCallback(() => setAccepted(new Set(photos.map(({ id }) => id))), [photos]);

  useEffect(() => {
    if (!isWhole || (accepted && waiting.length === 0)) return;
    const update = () => {
      if (!accepted || (head.current?.getBoundingClientRect().bottom ?? 1) > 0) showWaiting();
    };
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, [isWhole, accepted, waiting, showWaiting, head]);

  return {
    shown,
    /** The photos that have arrived and are not shown yet. */
    waiting,
    showWaiting,
  };
}

function groupOf(
  day: Day,
  stayOf: (photo: Photo) => GalleryStay,
  title: string,
  isWhole: boolean,
): GridGroup {
  return {
    id: day.jour,
    title,
    photos: day.photos,
    actions: <DayBar stayOf={stayOf} day={day} title={title} isWhole={isWhole} />,
    intro: day.notes.map(({ stay, mot }) => <DayWord key={stay.stageId} mot={mot} of={stay.name?.whole} />),
  };
}

/** Reveals the photo that was viewed last once the lightbox closes; returns the function that records it. */
function useViewed(isOpen: boolean, grid: RefObject<GridHandle | null>): (id: number) => void {
  const last = useRef<number>(undefined);
  useEffect(() => {
    if (isOpen || last.current === undefined) return;
    grid.current?.reveal(last.current);
    last.current = undefined;
  }, [isOpen, grid]);
  return useCallback((id) => {
    last.current = id;
  }, []);
}

interface TileMarksProps {
  /** Short name of its stay, where photos of several are shown. */
  stay: string | undefined;
  isNew: boolean;
  isFavourite: boolean;
}

/** Marks a new or favourite photo in the grid, and its stay; screen readers hear it in the name of the photo. */
function TileMarks({ stay, isNew, isFavourite }: TileMarksProps) {
  return (
    <span aria-hidden="true" className="photo-marks">
      {stay && <span className="photo-stay">{stay}</span>}
      {isNew && <span className="photo-new">Nouveau</span>}
      {isFavourite && <Heart className="ml-auto size-5 fill-[#ffc043] text-[#16302b]" />}
    </span>
  );
}

/** Placeholder shown while the photos load, as high as the window: what follows them is not seen to move. */
export function GallerySkeleton() {
  return (
    <div role="status" className="mx-auto min-h-dvh w-full max-w-6xl px-4 pt-28">
      <p className="sr-only">Chargement des photos…</p>
      <div aria-hidden="true" className="flex flex-wrap gap-1">
        {[4, 3, 5, 3, 4, 4, 3, 5].map((share, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
            key={index}
            className="h-36 min-w-28 rounded-[4px] bg-mist"
            style={{ flexGrow: share, flexBasis: `${share * 2.5}rem` }}
          />
        ))}
      </div>
    </div>
  );
}

interface Opened {
  photo: number;
  plays: boolean;
}

/** The photo that is open over the page, kept in the browser history: the Back button closes it. */
function useOpenedPhoto() {
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
