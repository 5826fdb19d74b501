import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { groupBy } from '#platform/web/groupBy.ts';
import { createNeeded } from '#platform/web/needed.ts';
import { useSite } from '#platform/web/site.tsx';
import { follow } from '#platform/web/ui/inBrowser.tsx';
import { dayInYear } from '#platform/web/ui/texts.ts';
import { type Favourites, withIds } from './keepsakes.ts';
import { type Keeping, keepingOf } from './save.tsx';
import { type DayNote, type GalleryStay, useFeeds } from './useFeeds.ts';

/** The photos that are ticked, to do something with all of them at once. */
interface Ticks {
  /** True while a press ticks photos instead of opening them. */
  isTicking: boolean;
  ticked: ReadonlySet<number>;
  tick(ids: readonly number[], isTicked: boolean): void;
  /** Begins with these photos ticked. */
  begin(ids?: readonly number[]): void;
  end(): void;
}

/** What the parts of a gallery share. Those inside the groups, which are not rebuilt with it, read it from context too. */
interface Shared {
  ticks: Ticks;
  favourites: Favourites;
  stayOf(photo: Photo): GalleryStay;
  keepingOf(photo: Photo): Keeping | undefined;
}

const NO_IDS: ReadonlySet<number> = new Set();
export const [GalleryProvider, useShared] = createNeeded<Shared>('GalleryProvider');

function useTicks(photos: readonly Photo[]): Ticks {
  const [kept, setKept] = useState<ReadonlySet<number>>();
  // A photo that was taken down, or that the filter hides, is no longer ticked.
  const ticked = useMemo(
    () => (kept ? new Set(photos.flatMap(({ id }) => (kept.has(id) ? [id] : []))) : NO_IDS),
    [kept, photos],
  );
  const tick = useCallback((ids: readonly number[], isTicked: boolean) => {
    setKept((known = NO_IDS) => withIds(known, ids, isTicked));
  }, []);
  const begin = useCallback((ids: readonly number[] = []) => setKept(new Set(ids)), []);
  const end = useCallback(() => setKept(undefined), []);
  return useMemo(
    () => ({ isTicking: kept !== undefined, ticked, tick, begin, end }),
    [kept, ticked, tick, begin, end],
  );
}

/** Accessible names of photos: « Photo 12 sur 300, 8 juillet, Été à Oléron, favorite : le grand feu ». */
export function useNames(
  total: number,
  stayOf: (photo: Photo) => GalleryStay,
  newIds = NO_IDS,
  favourites = NO_IDS,
): (photo: Photo, place: number) => string {
  const { locale } = useSite();
  return useCallback(
    (photo, place) => {
      const { id, jour, legende } = photo;
      const facts = [
        `Photo ${place + 1} sur ${total}`,
        dayInYear(jour, locale),
        ...(stayOf(photo).name ? [stayOf(photo).name?.whole] : []),
        ...(newIds.has(id) ? ['nouvelle'] : []),
        ...(favourites.has(id) ? ['favorite'] : []),
      ].join(', ');
      return legende ? `${facts}\u202f: ${legende}` : facts;
    },
    [total, stayOf, newIds, favourites, locale],
  );
}

const NONE: readonly Photo[] = [];

export type Filter = 'all' | 'new' | 'favourites';

/** The photos of the stays as their families see them, by day, and what this device remembers of them. */
export function useGallery(
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
  const ticks = useTicks(filtered);
  /** Number of a photo in its day of its stay, counted from the first one taken. */
  const numberOf = (photo: Photo) => {
    const day = ofPhoto.get(photo.id)?.seen.filter(({ jour }) => jour === photo.jour) ?? NONE;
    return 1 + day.findIndex(({ id }) => id === photo.id);
  };
  const isPart = !isWhole && filter === 'all' && only === undefined;
  return {
    stays: stays.filter(({ stageId }) => only === undefined || stageId === only),
    shared: {
      ticks,
      favourites,
      stayOf,
      keepingOf: (photo: Photo) => keepingOf(photo, numberOf(photo), stayOf(photo)),
    },
    isReady,
    failed,
    isOffline,
    isWhole,
    days,
    /** The photos that pass the filter. */
    photos: filtered,
    /** The photos that are shown, but for the filter. */
    shown,
    waiting,
    showWaiting: arrived.showWaiting,
    newIds,
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
    return follow(window, { scroll: update }, { passive: true });
  }, [isWhole, accepted, waiting, showWaiting, head]);

  return {
    shown,
    /** The photos that have arrived and are not shown yet. */
    waiting,
    showWaiting,
  };
}

export interface Day {
  jour: string;
  /** The words of the directors about the day, one a stay at most. */
  notes: readonly DayNote[];
  photos: readonly Photo[];
}

/** Groups photos by day, the latest day first; with `isAll`, includes days that have words but no photo. */
function daysOf(photos: readonly Photo[], notes: readonly DayNote[], isAll: boolean): Day[] {
  const byDay = groupBy(photos, ({ jour }) => jour);
  const told = isAll ? notes.map(({ jour }) => jour) : [];
  return [...new Set([...byDay.keys(), ...told])]
    .sort()
    .reverse()
    .map((jour) => ({
      jour,
      notes: notes.filter((note) => note.jour === jour),
      photos: byDay.get(jour) ?? [],
    }));
}
