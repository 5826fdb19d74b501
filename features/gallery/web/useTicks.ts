import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useSite } from '#platform/web/site.tsx';
import { dayInYear } from '#platform/web/ui/texts.ts';
import type { GalleryStay } from './useFeeds.ts';

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

const NONE: ReadonlySet<number> = new Set();
const TicksContext = createContext<Ticks | undefined>(undefined);
export const TicksProvider = TicksContext.Provider;

/** Reads the ticks from context, for components inside the groups, which are not rebuilt at each tick. */
export function useGivenTicks(): Ticks {
  const ticks = useContext(TicksContext);
  if (!ticks) throw new Error('no TicksProvider above');
  return ticks;
}

export function useTicks(photos: readonly Photo[]): Ticks {
  const [kept, setKept] = useState<ReadonlySet<number>>();
  // A photo that was taken down, or that the filter hides, is no longer ticked.
  const ticked = useMemo(
    () => (kept ? new Set(photos.flatMap(({ id }) => (kept.has(id) ? [id] : []))) : NONE),
    [kept, photos],
  );
  const tick = useCallback((ids: readonly number[], isTicked: boolean) => {
    setKept((known) => {
      const next = new Set(known);
      for (const id of ids) {
        if (isTicked) next.add(id);
        else next.delete(id);
      }
      return next;
    });
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
  newIds = NONE,
  favourites = NONE,
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
