import { useEffect, useMemo, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { asListed, useStayPhotos } from '#features/photos/web/useStayPhotos.ts';
import type { StaySession, Viewer } from '#features/stays/web/sessions.ts';
import { useEndOfVisit } from '#features/stays/web/stay/StayFrame.tsx';
import { dayWordsQuestion } from '#features/stays/web/stays.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { type Favourites, useFavourites, useNewSince } from './keepsakes.ts';

export interface GalleryStay {
  stageId: number;
  as: Viewer;
  /** Undefined: the viewer is staff. */
  session: StaySession | undefined;
  /** The last day on which its photos can be seen. */
  lastDay: string;
  /** Its name and a short form of it, where several stays are shown; undefined for the only one. */
  name?: { whole: string; short: string } | undefined;
  /** False: changes arrive each minute instead of at once, as browsers allow few open connections. */
  isLive?: boolean;
}

export interface DayNote {
  stay: GalleryStay;
  jour: string;
  mot: string;
}

type Feed = ReturnType<typeof useFeed>;

const NONE: readonly Photo[] = [];
/** Longest time, in ms, for which the photos wait for the words of the days. */
const WORDS_MS = 2_000;

function useFeed(stay: GalleryStay) {
  const { stageId, as, session } = stay;
  const query = useStayPhotos(stageId, as, stay.isLive);
  useEndOfVisit(session, query.error);
  const words = useQuestion(dayWordsQuestion(stageId, as), { every: () => 5 * 60_000 });
  const { data, dataUpdatedAt } = query;
  const all = data?.photos ?? NONE;
  const seen = useMemo(
    () => seenByFamilies(all, new Date(dataUpdatedAt).toISOString()),
    [all, dataUpdatedAt],
  );
  const isWhole = data?.isWhole ?? false;
  const favourites = useFavourites(stageId);
  const since = useNewSince(stageId, isWhole ? latestPublication(seen) : undefined);
  return { stay, query, words, seen, isWhole, favourites, since };
}

/** The photos of one stay, or of several as one list, and what this device remembers of them. */
export function useFeeds(stays: readonly GalleryStay[]) {
  const feeds = useEach(stays, useFeed);
  const isLate = useIsLater(WORDS_MS);
  const queries = feeds.map(({ query }) => query);
  // As many dependencies at each render, as there are always as many stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that is read of `feeds`
  const ofPhoto = useMemo(
    () => new Map(feeds.flatMap((feed) => feed.seen.map(({ id }) => [id, feed] as const))),
    [...feeds.flatMap(({ stay, seen, since, favourites }) => [stay, seen, since, favourites])],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that is read of `feeds`
  const seen = useMemo(() => merged(feeds), [...feeds.flatMap(({ seen, isWhole }) => [seen, isWhole])]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that is read of `feeds`
  const notes = useMemo(() => notesOf(feeds), [...feeds.flatMap(({ stay, words }) => [stay, words.data])]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ofPhoto` changes with what is read of `feeds`
  const favourites = useMemo(() => together(feeds, ofPhoto), [ofPhoto]);
  return {
    /** The photos that families may see. */
    seen,
    /** Number of photos in all; more than in `seen` while the rest is still loading. */
    total: queries.reduce((sum, { data }) => sum + (data?.total ?? 0), 0),
    /** True once each list has come whole, or cannot come. */
    isWhole: feeds.every(({ isWhole, query }) => isWhole || query.isError),
    /** True once the photos can be shown; they wait briefly for the words of the days, so as not to move later. */
    isReady:
      queries.some(({ data }) => data !== undefined) &&
      queries.every(({ data, isError }) => data !== undefined || isError) &&
      (isLate || feeds.every(({ words }) => !words.isPending)),
    /** The query of the first stay whose list did not come, where none did. */
    failed: queries.every(({ data, isError }) => isError && data === undefined) ? queries[0] : undefined,
    /** True when the last request for one of the stays failed. */
    isOffline: queries.some(({ isError }) => isError),
    /** What is known of the stay of a photo, by the id of the photo. */
    ofPhoto,
    notes,
    favourites,
  };
}

type Listed = Pick<Feed, 'seen' | 'isWhole' | 'query'>;

/**
 * The photos of several stays in the order of the list. While a list comes in parts, those of the others wait that come
 * after its last one: nothing comes in between later.
 */
function merged(feeds: readonly Listed[]): readonly Photo[] {
  const [only, ...others] = feeds;
  if (others.length === 0) return only?.seen ?? NONE;
  const ends = feeds.flatMap(({ isWhole, query }) => (isWhole ? [] : (query.data?.photos.at(-1) ?? [])));
  return feeds
    .flatMap(({ seen }) => seen)
    .filter((photo) => ends.every((end) => asListed(photo, end) <= 0))
    .sort(asListed);
}

function notesOf(feeds: readonly Feed[]): DayNote[] {
  return feeds.flatMap(({ stay, words }) =>
    (words.data ?? []).map(({ jour, mot }) => ({ stay, jour, mot: mot.trim() })).filter(({ mot }) => mot),
  );
}

function together(feeds: readonly Feed[], ofPhoto: ReadonlyMap<number, Feed>): Favourites {
  return {
    ids: new Set(feeds.flatMap(({ favourites }) => [...favourites.ids])),
    put: (ids, isFavourite) => {
      for (const feed of feeds) {
        const own = ids.filter((id) => ofPhoto.get(id) === feed);
        if (own.length > 0) feed.favourites.put(own, isFavourite);
      }
    },
  };
}

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
    fichiers !== null &&
    (!gestion || (PHOTO_STATES[statut].isPublic && publiee_le !== null && publiee_le <= now));
  return photos.every(isSeen) ? photos : photos.filter(isSeen);
}

function latestPublication(photos: readonly Photo[]): string {
  return photos.reduce(
    (latest, { publiee_le }) => (publiee_le && publiee_le > latest ? publiee_le : latest),
    '',
  );
}

/**
 * Calls a hook for each item of a list. The list must not grow or shrink while the component is mounted: whoever shows the
 * component gives it a key made of the list.
 */
export function useEach<T, R>(list: readonly T[], useOne: (item: T) => R): R[] {
  // biome-ignore lint/correctness/useHookAtTopLevel: as many calls, in the same order, at each render
  return list.map((item) => useOne(item));
}
