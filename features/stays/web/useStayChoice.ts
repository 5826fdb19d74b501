import { useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { replaceAddress } from '#platform/web/history.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import type { NamedStay } from './stays.ts';

export const NOTHING_CHOSEN = 'Veuillez sélectionner un séjour.';

/**
 * The stay chosen in a dropdown, with an error in the site's own words when a choice is required but missing. The
 * caller keeps the id, in a state or in the URL.
 */
export function useStayChoice<S extends NamedStay>(
  stays: readonly S[],
  [id, setId]: readonly [number | undefined, (id: number | undefined) => void],
  nothingChosen = NOTHING_CHOSEN,
) {
  const [isMissed, setMissed] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const { warn, clear } = useNotices();
  // A stay that left the list is no longer chosen.
  const chosen = stays.find((stay) => stay.id === id);
  const miss = () => {
    setMissed(true);
    warn(nothingChosen);
    place.current?.querySelector('select')?.focus();
  };
  return {
    chosen,
    /** Ref around the dropdown, used to move the focus to it. */
    place,
    error: isMissed && !chosen ? nothingChosen : undefined,
    choose(stay: S | undefined): void {
      // The required choice is made.
      if (isMissed) clear();
      setMissed(false);
      setId(stay?.id);
    },
    /** Reports that no stay is chosen. */
    miss,
    /** Calls `work` with the chosen stay, or reports that none is chosen. */
    withChosen(work: (stay: S) => void): void {
      if (chosen) work(chosen);
      else miss();
    },
  };
}

/**
 * Id of the stay named in the URL, and a function to choose another. Choosing changes the URL without the router, for
 * which it would be a new page that takes the focus from the dropdown. The choice ends with the next navigation of the
 * router, even to the same panel.
 */
export function useChosenStay(): [number | undefined, (id: number | undefined) => void] {
  const { search, key } = useLocation();
  const [choice, setChoice] = useState<{ key: string; id: number | undefined }>();
  const named = Number(new URLSearchParams(search).get('sejour'));
  const choose = (id: number | undefined) => {
    setChoice({ key, id });
    const address = new URL(window.location.href);
    if (id) address.searchParams.set('sejour', String(id));
    else address.searchParams.delete('sejour');
    replaceAddress(address);
  };
  return [choice?.key === key ? choice.id : named || undefined, choose];
}
