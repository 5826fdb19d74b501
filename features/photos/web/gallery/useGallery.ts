import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useFavourites, useNewSince } from '#features/photos/web/keepsakes.ts';
import { useStayPhotos } from '#features/photos/web/useStayPhotos.ts';
import type { Viewer } from '#features/stays/web/sessions.ts';
import { dayWordsQuestion } from '#features/stays/web/stays.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { daysOf } from './DayBar.tsx';
import type { Filter } from './GalleryTools.tsx';

const NONE: readonly Photo[] = [];
/** Longest time, in ms, for which the photos wait for the words of the days. */
const WORDS_MS = 2_000;

/** The photos of a stay as its families see them, by day, and what this device remembers of them. */
export function useGallery(stageId: number, as: Viewer, filter: Filter, head: RefObject<HTMLElement | null>) {
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
  const { shown, waiting } = useShownPhotos(seen, isWhole, head);
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
    waiting,
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
 * The photos that are shown. New photos that arrive while the viewer is scrolled down wait until the viewer is back at
 * the top, so that nothing moves; photos that were taken down disappear at once. `head`: the element above the photos.
 */
function useShownPhotos(photos: readonly Photo[], isWhole: boolean, head: RefObject<HTMLElement | null>) {
  const [accepted, setAccepted] = useState<ReadonlySet<number>>();
  const shown = useMemo(
    () => (accepted ? photos.filter(({ id }) => accepted.has(id)) : photos),
    [photos, accepted],
  );
  const waiting = photos.length - shown.length;

  useEffect(() => {
    if (!isWhole || (accepted && waiting === 0)) return;
    const accept = () => setAccepted(new Set(photos.map(({ id }) => id)));
    const update = () => {
      if (!accepted || (head.current?.getBoundingClientRect().bottom ?? 1) > 0) accept();
    };
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, [photos, isWhole, accepted, waiting, head]);

  return {
    shown,
    /** Number of photos that have arrived and are not shown yet. */
    waiting,
  };
}
