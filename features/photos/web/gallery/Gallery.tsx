import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import type { GridGroup } from '#features/photos/web/grid/layout.ts';
import { type GridHandle, PhotoGrid } from '#features/photos/web/grid/PhotoGrid.tsx';
import { useEndOfVisit } from '#features/stays/web/stay/StayFrame.tsx';
import type { StaySession } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { type Day, DayBar, DayWord } from './DayBar.tsx';
import { type Filter, FilterBar, NothingLeft } from './FilterBar.tsx';
import { GalleryHead } from './GalleryHead.tsx';
import { GallerySkeleton } from './GallerySkeleton.tsx';
import { GalleryTools } from './GalleryTools.tsx';
import { OpenedPhoto } from './OpenedPhoto.tsx';
import { FloatingButton, SelectionBar } from './SelectionBar.tsx';
import { TextSizeControl } from './TextSizeControl.tsx';
import { TileMarks } from './TileMarks.tsx';
import { useGallery } from './useGallery.ts';
import { useOpenedPhoto } from './useOpenedPhoto.ts';
import { TicksProvider, useNames, useTicks } from './useTicks.ts';

interface GalleryProps {
  stageId: number;
  /** None: staff look. */
  session: StaySession | undefined;
  /** The day on which the photos are seen for the last time. */
  lastDay: string;
  /** Said while there is no photo. */
  nothing: ReactNode;
}

/** The photos of a stay by day, for its families: to look at, to keep, and to have taken down. */
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

  if (!gallery.isReady && !(query.isError && query.data === undefined)) return <GallerySkeleton />;
  if (!gallery.isReady) {
    return (
      <div className="mx-auto w-full max-w-5xl px-4">
        <LoadState query={query} failed="Les photos n’ont pas pu être chargées.">
          {() => null}
        </LoadState>
      </div>
    );
  }
  const [latest] = photos;
  return (
    <TicksProvider value={ticks}>
      <section aria-labelledby="photos" className="gallery">
        <div ref={head}>
          {gallery.counts.all === 0 ? (
            <div className="mx-auto flex w-full max-w-5xl flex-col gap-1 px-4">
              <div className="self-end">
                <TextSizeControl />
              </div>
              {nothing}
            </div>
          ) : (
            <GalleryHead lastDay={lastDay} isOffline={query.isError}>
              <FilterBar filter={filter} counts={gallery.counts} onChoose={setFilter} />
              {latest && (
                <GalleryTools
                  {...{ stageId, days }}
                  isWhole={filter === 'all'}
                  onTick={ticks.isTicking ? ticks.end : ticks.begin}
                  onPlay={() => open(latest.id, true)}
                />
              )}
              {!latest && filter !== 'all' && <NothingLeft filter={filter} />}
            </GalleryHead>
          )}
        </div>
        <div className="gallery-photos">
          <PhotoGrid
            groups={groups}
            nameOf={nameOf}
            overlay={overlay}
            onOpen={({ id }) => open(id)}
            ticking={ticks.isTicking ? { ticked: ticks.ticked, onTick: ticks.tick } : undefined}
            handle={grid}
          />
        </div>
        <FloatingButton
          waiting={gallery.waiting}
          onTop={() => head.current?.scrollIntoView({ block: 'start', behavior: 'instant' })}
        />
        {ticks.isTicking && (
          <SelectionBar
            {...{ stageId, as, favourites }}
            ticked={photos.filter(({ id }) => ticks.ticked.has(id))}
            numberOf={numberOf}
            onEnd={ticks.end}
          />
        )}
      </section>
      {/* After a reload it may come with the rest of the list. */}
      {opened && (gallery.isWhole || photos.some(({ id }) => id === opened.photo)) && (
        <OpenedPhoto
          {...{ stageId, as, photos, opened, favourites, numberOf }}
          onView={viewed}
          onClose={close}
        />
      )}
    </TicksProvider>
  );
}

function groupOf(day: Day, stageId: number, title: string, isWhole: boolean): GridGroup {
  return {
    id: day.jour,
    title,
    photos: day.photos,
    actions: <DayBar {...{ stageId, day, title, isWhole }} />,
    intro: day.mot && <DayWord mot={day.mot} />,
  };
}

/** Which one of its day a photo is, from the first that was taken. */
function numberIn(seen: readonly Photo[], { id, jour }: Photo): number {
  const photos = seen.filter((photo) => photo.jour === jour);
  return photos.length - photos.findIndex((photo) => photo.id === id);
}

/** Leads back to the photo that was open last, once it is closed. */
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
