import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useFavourites, useNewSince } from '#features/photos/web/keepsakes.ts';
import { useStayPhotos, type Viewer } from '#features/photos/web/useStayPhotos.ts';
import { dayWordsQuestion } from '#features/stays/web/stay/questions.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { daysOf } from './DayBar.tsx';
import type { Filter } from './FilterBar.tsx';

const NONE: readonly Photo[] = [];
/** Time, in ms, for which photos wait for the words of their days. */
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
    /** Photos must not move when the words come, which are therefore waited for, if not for long. */
    isReady: data !== undefined && (!words.isPending || isLate),
    isWhole,
    days,
    /** Those that the filter leaves. */
    photos: filtered,
    /** All that may be seen, those that wait to be shown too. */
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

/** The photos that families see: directors and staff, who know of all, look as one of them here. */
function seenByFamilies(photos: readonly Photo[], now: string): readonly Photo[] {
  const isSeen = ({ gestion, statut, publiee_le, fichiers }: Photo) =>
    fichiers !== null && (!gestion || (statut === 'publiee' && publiee_le !== null && publiee_le <= now));
  return photos.every(isSeen) ? photos : photos.filter(isSeen);
}

/** The publication of the latest one; blank when there is none. */
function latestPublication(photos: readonly Photo[]): string {
  return photos.reduce(
    (latest, { publiee_le }) => (publiee_le && publiee_le > latest ? publiee_le : latest),
    '',
  );
}

/**
 * The photos that are shown. Those that arrive while somebody looks further down wait, so that nothing moves under
 * their eyes, until they come back to the top; those that were taken down are gone at once. `head`: what stands over
 * the photos.
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
    const look = () => {
      if (!accepted || (head.current?.getBoundingClientRect().bottom ?? 1) > 0) accept();
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [photos, isWhole, accepted, waiting, head]);

  return {
    shown,
    /** How many have arrived and are not shown yet. */
    waiting,
  };
}
