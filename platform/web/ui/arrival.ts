import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useConfirmLeaving } from './dialogs.tsx';

/* Where the work of a panel leads. */

/** Returns a function that makes the button of a notice, which leads to an address of this site. */
export function useLeading() {
  const confirmLeaving = useConfirmLeaving();
  const navigate = useNavigate();
  return (label: string, address: string) => ({
    label,
    run: async () => {
      if (await confirmLeaving()) navigate(address);
    },
  });
}

/** Ref for the heading of content that has just appeared: it takes the focus, unless told not to, and scrolls to the top. */
export function useArrivalFocus(isTaken = true) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isTaken) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, [isTaken]);
  return heading;
}
