import { useRef, useState } from 'react';
import type { ItemKind } from '#features/content/shared/kind.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import type { AnyItem } from './calls.ts';

export type Choice = ReturnType<typeof useChoice>;

/** The item chosen in a dropdown, and the kind’s own words when something is asked for and none is. */
export function useChoice(kind: ItemKind, items: readonly AnyItem[], first?: number) {
  const [id, setId] = useState(first);
  const [isMissed, setMissed] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const { warn } = useNotices();
  // Gone from the list, it is chosen no longer.
  const chosen = items.find((item) => item.id === id);
  return {
    chosen,
    /** Around the dropdown, to find it. */
    place,
    error: isMissed && !chosen ? kind.texts.nothingChosen : undefined,
    choose(item: AnyItem | undefined): void {
      setMissed(false);
      setId(item?.id);
    },
    /** Does `work` with what is chosen, or says that nothing is. */
    withChosen(work: (item: AnyItem) => void): void {
      if (chosen) {
        work(chosen);
        return;
      }
      setMissed(true);
      warn(kind.texts.nothingChosen);
      place.current?.querySelector('select')?.focus();
    },
  };
}
