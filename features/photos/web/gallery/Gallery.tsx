import { Heart } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Photo } from '#features/photos/calls.ts';
import type { GridGroup } from '#features/photos/web/grid/layout.ts';
import { type GridHandle, PhotoGrid } from '#features/photos/web/grid/PhotoGrid.tsx';
import { useFavourites, useNewSince } from '#features/photos/web/keepsakes.ts';
import { useStayPhotos } from '#features/photos/web/useStayPhotos.ts';
import type { StaySession, Viewer } from '#features/stays/web/sessions.ts';
import { useEndOfVisit } from '#features/stays/web/stay/StayFrame.tsx';
import { dayWordsQuestion } from '#features/stays/web/stays.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { useIsInBrowser } from '#platform/web/ui/inBrowser.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { type Day, DayBar, DayWord, daysOf } from './DayBar.tsx';
import { type Filter, FilterBar, GalleryHead, GalleryTools, NothingLeft } from './GalleryTools.tsx';
import { OpenedPhoto } from './OpenedPhoto.tsx';
import { useEarlyLightbox } from './opening.tsx';
import { FloatingButton, SelectionBar } from './SelectionBar.tsx';
import { TicksProvider, useNames, useTicks } from './useTicks.ts';

interface GalleryProps {
  stageId: number;
  /** Undefined: the viewer is staff. */
  session: StaySession | undefined;
  /** The last day on which the photos can be seen. */
  lastDay: string;
  /** Shown while there is no photo. */
  nothing: ReactNode;
}

/** The photos of a stay by day, for its families: to view, to save, and to request the removal of. */
export function Gallery({ stageId, session, lastDay, nothing }: GalleryProps) {
  const as = session ? 'stay' : 'portal';
  const { locale } = useSite();
  const [filter, setFilter] = useState<Filter>('all');
  const head = useRef<HTMLDivElement>(null);
  const grid = useRef<GridHandle>(null);
  const gallery = useGallery(stageId, as, filter, head);
  const { query, days, photos, newIds, favourites } = gallery;
  useEndOfVisit(session, query.error);
  const ticks = useTicks(photos);
  const { opened, open, close } = useOpenedPhoto();
  const viewed = useViewed(opened !== undefined, grid);
  useEarlyLightbox();
  const nameOf = useNames(photos.length, newIds, favourites.ids);
  const overlay = useCallback(
    ({ id }: Photo) => <TileMarks isNew={newIds.has(id)} isFavourite={favourites.ids.has(id)} />,
    [newIds, favourites],
  );
  const numberOf = (photo: Photo) => numberIn(gallery.seen, photo);
  const groups = useMemo(
    () => days.map((day) => groupOf(day, stageId, weekdayOf(day.jour, locale), filter === 'all')),
    [days, stageId, locale, filter],
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

  if (!gallery.isReady && !(query.isError && query.data === undefined)) return <GallerySkeleton />;
  if (!gallery.isReady) {
    return (
      <div className="mx-auto w-full max-w-6xl px-4 pt-4">
        <LoadState query={query} failed="Les photos n’ont pas pu être chargées.">
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
              lastDay={lastDay}
              isOffline={query.isError}
              filters={<FilterBar filter={filter} counts={gallery.counts} onChoose={choose} />}
            >
              {first && (
                <GalleryTools
                  stageId={stageId}
                  days={days}
                  isWhole={filter === 'all'}
                  onTick={ticks.isTicking ? ticks.end : ticks.begin}
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
            onHold={ticks.isTicking ? undefined : ticks.beginWith}
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
            stageId={stageId}
            as={as}
            favourites={favourites}
            ticked={photos.filter(({ id }) => ticks.ticked.has(id))}
            numberOf={numberOf}
            onEnd={ticks.end}
          />
        )}
      </section>
      {/* After a reload, the opened photo may only come with the rest of the list. */}
      {opened && (gallery.isWhole || photos.some(({ id }) => id === opened.photo)) && (
        <OpenedPhoto
          stageId={stageId}
          as={as}
          photos={photos}
          opened={opened}
          favourites={favourites}
          numberOf={numberOf}
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
/** Longest time, in ms, for which the photos wait for the words of the days. */
const WORDS_MS = 2_000;

/** The photos of a stay as its families see them, by day, and what this device remembers of them. */
function useGallery(stageId: number, as: Viewer, filter: Filter, head: RefObject<HTMLElement | null>) {
  const query = useStayPhotos(stageId, as);
  const { data, dataUpdatedAt } = query;
  const all = data?.photos ?? NONE;
  const words = useQuestion(
    dayWordsQuestion(stageId, as),
    'Erreur lors de la récupération des mots du jour:',
    {
      every: () => 5 * 60_000,
    },
  );
  const isLate = useIsLater(WORDS_MS);
  const seen = useMemo(
    () => seenByFamilies(all, new Date(dataUpdatedAt).toISOString()),
    [all, dataUpdatedAt],
  );
  const isWhole = data?.isWhole ?? false;
  const { shown, waiting, showWaiting } = useShownPhotos(seen, isWhole, head);
  const favourites = useFavourites(stageId);
  const since = useNewSince(stageId, isWhole ? latestPublication(seen) : undefined);
  const newIds = useMemo(() => {
    const isNew = ({ publiee_le }: Photo) => since !== undefined && (publiee_le ?? '') > since;
    return new Set(shown.filter(isNew).map(({ id }) => id));
  }, [shown, since]);
  const filtered = useMemo(() => {
    if (filter === 'all') return shown;
    const kept = filter === 'new' ? newIds : favourites.ids;
    return shown.filter(({ id }) => kept.has(id));
  }, [shown, filter, newIds, favourites]);
  const days = useMemo(() => {
    const told = new Map(words.data?.map(({ jour, mot }) => [jour, mot.trim()]));
    return daysOf(filtered, told, filter === 'all');
  }, [filtered, words.data, filter]);
  return {
    query,
    /** True once the photos can be shown; they wait briefly for the words of the days, so as not to move later. */
    isReady: data !== undefined && (!words.isPending || isLate),
    isWhole,
    days,
    /** The photos that pass the filter. */
    photos: filtered,
    /** All photos that families may see, including those waiting to be shown. */
    seen,
    /** The photos that are shown, but for the filter. */
    shown,
    waiting,
    showWaiting,
    newIds,
    favourites,
    counts: {
      all: isWhole || filter !== 'all' ? shown.length : Math.max(shown.length, data?.total ?? 0),
      new: newIds.size,
      favourites: shown.reduce((count, { id }) => count + (favourites.ids.has(id) ? 1 : 0), 0),
    },
  };
}

/** True once this time has passed. */
function useIsLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLater;
}

/** The photos that families see: directors and staff receive all photos, but see the page as a family does. */
function seenByFamilies(photos: readonly Photo[], now: string): readonly Photo[] {
  const isSeen = ({ gestion, statut, publiee_le, fichiers }: Photo) =>
    fichiers !== null && (!gestion || (statut === 'publiee' && publiee_le !== null && publiee_le <= now));
  return photos.every(isSeen) ? photos : photos.filter(isSeen);
}

/** Latest publication time of the photos; blank when there is none. */
function latestPublication(photos: readonly Photo[]): string {
  return photos.reduce(
    (latest, { publiee_le }) => (publiee_le && publiee_le > latest ? publiee_le : latest),
    '',
  );
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

function groupOf(day: Day, stageId: number, title: string, isWhole: boolean): GridGroup {
  return {
    id: day.jour,
    title,
    photos: day.photos,
    actions: <DayBar stageId={stageId} day={day} title={title} isWhole={isWhole} />,
    intro: day.mot && <DayWord mot={day.mot} />,
  };
}

/** Number of a photo in its day, counted from the first one taken. */
function numberIn(seen: readonly Photo[], { id, jour }: Photo): number {
  return 1 + seen.filter((photo) => photo.jour === jour).findIndex((photo) => photo.id === id);
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

/** Marks a new or favourite photo in the grid; screen readers hear it in the name of the photo. */
function TileMarks({ isNew, isFavourite }: { isNew: boolean; isFavourite: boolean }) {
  return (
    <span aria-hidden="true" className="photo-marks">
      {isNew && <span className="photo-new">Nouveau</span>}
      {isFavourite && <Heart className="ml-auto size-5 fill-[#ffc043] text-[#16302b]" />}
    </span>
  );
}

/** Placeholder shown while the photos load, as high as the window: what follows them is not seen to move. */
function GallerySkeleton() {
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
  const isInBrowser = useIsInBrowser();
  return {
    // The server does not know of it.
    opened: isInBrowser ? readOpened(state) : undefined,
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
