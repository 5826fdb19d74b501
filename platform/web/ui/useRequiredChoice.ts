import { useRef, useState } from 'react';
import { useNotices } from './notices.tsx';

/**
 * The item chosen in a dropdown, with an error in the site's own words when a choice is required but missing. The
 * caller keeps the id, in a state or in the URL. `onMade` is called when a choice that was missing is made.
 */
export function useRequiredChoice<T extends { id: number }>(
  items: readonly T[],
  [id, setId]: readonly [number | undefined, (id: number | undefined) => void],
  nothingChosen: string,
  onMade?: () => void,
) {
  const [isMissed, setMissed] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const { warn } = useNotices();
  // An item that left the list is no longer chosen.
  const chosen = items.find((item) => item.id === id);
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
    choose(item: T | undefined): void {
      if (isMissed) onMade?.();
      setMissed(false);
      setId(item?.id);
    },
    /** Reports that nothing is chosen. */
    miss,
    /** Calls `work` with the chosen item, or reports that nothing is chosen. */
    withChosen(work: (item: T) => void): void {
      if (chosen) work(chosen);
      else miss();
    },
  };
}

/** The ticked ids after some were ticked or unticked. */
export function withTicks(
  ids: readonly number[],
  some: readonly number[],
  isTicked: boolean,
): readonly number[] {
  return isTicked ? [...new Set([...ids, ...some])] : ids.filter((id) => !some.includes(id));
}
