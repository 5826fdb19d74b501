import { useCallback } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useSite } from '#platform/web/site.tsx';
import { dayInYear } from '#platform/web/ui/texts.ts';

const NONE: ReadonlySet<number> = new Set();

/** « Photo 12 sur 300, 8 juillet, favorite : le grand feu »: what photos are called for whoever does not see them. */
export function useNames(
  total: number,
  newIds = NONE,
  favourites = NONE,
): (photo: Photo, place: number) => string {
  const { locale } = useSite();
  return useCallback(
    ({ id, jour, legende }, place) => {
      const facts = [
        `Photo ${place + 1} sur ${total}`,
        dayInYear(jour, locale),
        ...(newIds.has(id) ? ['nouvelle'] : []),
        ...(favourites.has(id) ? ['favorite'] : []),
      ].join(', ');
      return legende ? `${facts}\u202f: ${legende}` : facts;
    },
    [total, newIds, favourites, locale],
  );
}
