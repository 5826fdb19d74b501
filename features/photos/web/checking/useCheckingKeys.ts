import { type RefObject, useEffect, useRef } from 'react';

export type CheckingAct = 'publish' | 'refuse' | 'undo';

/**
 * Decides by keys, wherever the focus is but in a field or in a question asked over the photos. No letter alone: whoever
 * speaks to the computer would decide by a word.
 */
export function useCheckingKeys(acts: Record<CheckingAct, () => void>): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const act = actOf(event);
      if (!act || !(target instanceof Element)) return;
      const isElsewhere =
        target !== document.body && target.closest('dialog') !== place.current?.closest('dialog');
      if (isElsewhere || target.closest('input, textarea, select')) return;
      event.preventDefault();
      // A key held down is no decision.
      if (!event.repeat) latest.current[act]();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return place;
}

function actOf({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): CheckingAct | undefined {
  if (altKey || shiftKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'z' ? 'undo' : undefined;
  if (key === 'ArrowRight') return 'publish';
  return key === 'ArrowLeft' ? 'refuse' : undefined;
}
