import { useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useNotices } from '#platform/web/ui/notices.tsx';
import type { NamedStay } from './stays.ts';

export const NOTHING_CHOSEN = 'Veuillez sélectionner un séjour.';

/**
 * The stay chosen in a dropdown, and the site's own words when one is asked for and none is. The id is kept by the
 * caller, in a state or in the address.
 */
export function useStayChoice<S extends NamedStay>(
  stays: readonly S[],
  [id, setId]: readonly [number | undefined, (id: number | undefined) => void],
  nothingChosen = NOTHING_CHOSEN,
) {
  const [isMissed, setMissed] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const { warn, clear } = useNotices();
  // Gone from the list, it is chosen no longer.
  const chosen = stays.find((stay) => stay.id === id);
  const miss = () => {
    setMissed(true);
    warn(nothingChosen);
    place.current?.querySelector('select')?.focus();
  };
  return {
    chosen,
    /** Around the dropdown, to find it. */
    place,
    error: isMissed && !chosen ? nothingChosen : undefined,
    choose(stay: S | undefined): void {
      // What was asked for is there now.
      if (isMissed) clear();
      setMissed(false);
      setId(stay?.id);
    },
    /** Says that nothing is chosen. */
    miss,
    /** Does `work` with what is chosen, or says that nothing is. */
    withChosen(work: (stay: S) => void): void {
      if (chosen) work(chosen);
      else miss();
    },
  };
}

/**
 * Id of the stay that the address names, and how to choose another. The address alone changes then: to the router
 * it would be a new page, which takes the focus from the dropdown. Where the router goes next, to this very panel
 * too, the choice is over.
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
    window.history.replaceState(window.history.state, '', address);
  };
  return [choice?.key === key ? choice.id : named || undefined, choose];
}
