import { Heart } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import type { GridGroup } from '#features/photos/web/grid/layout.ts';
import { type GridHandle, PhotoGrid } from '#features/photos/web/grid/PhotoGrid.tsx';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { DayBar, WordsOfDay } from './DayBar.tsx';
import { FilterBar, GalleryHead, GalleryTools, NothingLeft } from './GalleryTools.tsx';
import { OpenedPhoto, useEarlyLightbox, useOpenedPhoto } from './OpenedPhoto.tsx';
import { FloatingButton, SelectionBar } from './SelectionBar.tsx';
import type { GalleryStay } from './useFeeds.ts';
import { type Day, type Filter, GalleryProvider, useGallery, useNames } from './useGallery.ts';

interface GalleryProps {
  /** The only stay, or those that are shown as one list; always as many while the gallery is mounted. */
  stays: readonly GalleryStay[];
  /** Number of the only one of them whose photos are shown; undefined for all. */
  only?: number | undefined;
  /** Whether one of them is under way: then no photo of today is told as well. */
  isRunning: boolean;
  nothing: ReactNode;
}

/** The photos of one stay or several by day, for families: to view, to save, and to request the removal of. */
export function Gallery({ stays, only, isRunning, nothing }: GalleryProps) {
  const { locale, today } = useSite();
  const [filter, setFilter] = useState<Filter>('all');
  const head = useRef<HTMLDivElement>(null);
  const grid = useRef<GridHandle>(null);
  const gallery = useGallery(stays, only, filter, head);
  const { days, photos, newIds, shared } = gallery;
  const { ticks, favourites, stayOf } = shared;
  const { opened, open, close } = useOpenedPhoto();
  const viewed = useViewed(opened !== undefined, grid);
  useEarlyLightbox();
  const nameOf = useNames(photos.length, stayOf, newIds, favourites.ids);
  /** The photos before which those of another stay, or of another day, stand. */
  const firsts = useMemo(() => {
    const isFirst = (photo: Photo, index: number, all: readonly Photo[]) =>
      stayOf(photo) !== (all[index - 1] && stayOf(all[index - 1] as Photo));
    return new Set(days.flatMap(({ photos }) => photos.filter(isFirst)));
  }, [days, stayOf]);
  const overlay = useCallback(
    (photo: Photo) => (
      <TileMarks
        stay={only === undefined && firsts.has(photo) ? stayOf(photo).name?.short : undefined}
        isNew={newIds.has(photo.id)}
        isFavourite={favourites.ids.has(photo.id)}
      />
    ),
    [newIds, favourites, stayOf, only, firsts],
  );
  const groups = useMemo(
    () => days.map((day) => groupOf(day, weekdayOf(day.jour, locale), filter === 'all')),
    [days, locale, filter],
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
  const [latest] = days;
  return (
    <GalleryProvider value={shared}>
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
                  photos={photos}
                  days={days}
                  isWhole={filter === 'all'}
                  onPlay={() => open(first.id, true)}
                />
              )}
              {!first && filter !== 'all' && <NothingLeft filter={filter} />}
              {isRunning && filter === 'all' && latest && latest.jour < today && (
                <p className="text-sm">
                  Pas encore de photo aujourd’hui{'\u202f'}; les dernières{'\u202f'}:{' '}
                  {weekdayOf(latest.jour, locale)}.
                </p>
              )}
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
        {ticks.isTicking && <SelectionBar ticked={photos.filter(({ id }) => ticks.ticked.has(id))} />}
      </section>
      {/* After a reload, the opened photo may only come with the rest of the list. */}
      {opened && (gallery.isWhole || photos.some(({ id }) => id === opened.photo)) && (
        <OpenedPhoto photos={photos} opened={opened} onView={viewed} onClose={close} />
      )}
    </GalleryProvider>
  );
}

function revealFirst(grid: RefObject<GridHandle | null>, [first]: readonly Photo[]): void {
  if (first) grid.current?.reveal(first.id);
}

function groupOf(day: Day, title: string, isWhole: boolean): GridGroup {
  return {
    id: day.jour,
    title,
    photos: day.photos,
    actions: <DayBar day={day} title={title} isWhole={isWhole} />,
    intro: day.notes.length > 0 && (
      <WordsOfDay words={day.notes.map(({ stay, mot }) => ({ mot, of: stay.name?.short }))} />
    ),
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
  /** Short name of its stay, where photos of several are shown and those of another one come before it. */
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
