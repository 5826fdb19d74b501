import { CalendarClock, Heart, TriangleAlert, WifiOff } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Photo } from '#features/photos/calls.ts';
import type { GridGroup } from '#features/photos/web/grid/layout.ts';
import { type GridHandle, PhotoGrid } from '#features/photos/web/grid/PhotoGrid.tsx';
import { TEXT_SIZES, useTextSize } from '#features/photos/web/textSize.ts';
import type { StaySession } from '#features/stays/web/sessions.ts';
import { useEndOfVisit } from '#features/stays/web/stay/StayFrame.tsx';
import { daysBetween } from '#platform/shared/time.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { dayOf, weekdayOf } from '#platform/web/ui/texts.ts';
import { type Day, DayBar, DayWord } from './DayBar.tsx';
import { type Filter, FilterBar, GalleryTools, NothingLeft } from './GalleryTools.tsx';
import { OpenedPhoto } from './OpenedPhoto.tsx';
import { FloatingButton, SelectionBar } from './SelectionBar.tsx';
import { useGallery } from './useGallery.ts';
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
                  stageId={stageId}
                  days={days}
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
  const photos = seen.filter((photo) => photo.jour === jour);
  return photos.length - photos.findIndex((photo) => photo.id === id);
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

/** Placeholder shown while the photos load. */
function GallerySkeleton() {
  return (
    <div role="status" className="mx-auto w-full max-w-5xl px-4">
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
  return {
    opened: readOpened(state),
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

interface GalleryHeadProps {
  lastDay: string;
  /** True when the last request failed: the photos shown may be out of date. */
  isOffline: boolean;
  children: ReactNode;
}

/** Header above the photos: until when they stay, and what can be done with them. */
function GalleryHead({ lastDay, isOffline, children }: GalleryHeadProps) {
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-2 px-4 sm:gap-3 sm:pb-2">
      <div className="flex flex-wrap items-center justify-between gap-x-1">
        <h2 id="photos" className="max-sm:text-xl">
          Les photos du séjour
        </h2>
        <TextSizeControl />
      </div>
      <UntilBanner lastDay={lastDay} />
      <div role="status" className="empty:hidden">
        {isOffline && (
          <p className="flex items-center gap-2 font-semibold">
            <WifiOff aria-hidden="true" className="size-5 shrink-0 text-coral" />
            Le site ne répond pas{'\u202f'}: de nouvelles photos peuvent manquer ici.
          </p>
        )}
      </div>
      {children}
    </div>
  );
}

/** A− and A+ buttons for the text size of this page, remembered by the device. */
function TextSizeControl() {
  const [size, keep] = useTextSize();
  const step = TEXT_SIZES.indexOf(size);
  const move = (by: -1 | 1) => {
    const next = TEXT_SIZES[step + by];
    if (next) keep(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons are no fields of a form
    <div role="group" aria-label="Taille des textes" className="-mr-2 flex items-center">
      <button
        type="button"
        className="round-button text-base font-semibold"
        aria-disabled={step === 0}
        onClick={() => move(-1)}
      >
        <span aria-hidden="true">A−</span>
        <span className="sr-only">Textes plus petits</span>
      </button>
      <button
        type="button"
        className="round-button text-xl font-semibold"
        aria-disabled={step === TEXT_SIZES.length - 1}
        onClick={() => move(1)}
      >
        <span aria-hidden="true">A+</span>
        <span className="sr-only">Textes plus grands</span>
      </button>
      <span role="status" className="sr-only">
        Taille des textes{'\u202f'}: {size}
      </span>
    </div>
  );
}

/** Number of days before the last one at which the reminder becomes urgent. */
const LAST_DAYS = 7;

/** Until when the photos stay; shown prominently in their last week, so that nobody misses it. */
function UntilBanner({ lastDay }: { lastDay: string }) {
  const { locale, today } = useSite();
  const left = daysBetween(today, lastDay);
  const day = dayOf(lastDay, locale, 'UTC');
  if (left > LAST_DAYS) {
    return (
      <p className="flex items-start gap-2 text-quiet max-sm:-mt-2 max-sm:text-sm">
        <CalendarClock aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
        <span>Jusqu’au {day}, puis effacées</span>
      </p>
    );
  }
  return (
    <div className="flex items-start gap-3 rounded-[14px] bg-sun p-4 text-on-sun">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
      <div>
        <p className="font-semibold">{leftText(left)}</p>
        <p>
          Elles seront ensuite effacées{'\u202f'}: téléchargez celles que vous voulez garder avant le {day} au
          soir.
        </p>
      </div>
    </div>
  );
}

function leftText(left: number): string {
  if (left <= 0) return 'Dernier jour pour voir les photos';
  return left === 1
    ? 'Plus qu’un jour pour voir les photos'
    : `Plus que ${left}\u00a0jours pour voir les photos`;
}
