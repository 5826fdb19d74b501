import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';

/**
 * The photos that are shown. Those that arrive while somebody looks further down wait, so that nothing moves under
 * their eyes, until they come back to the top; those that were taken down are gone at once. `head`: what stands over
 * the photos.
 */
export function useShownPhotos(
  photos: readonly Photo[],
  isWhole: boolean,
  head: RefObject<HTMLElement | null>,
) {
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
