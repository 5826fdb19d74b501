import { useEffect, useRef } from 'react';

/** Gives the focus to the content of the page, where the focused element is gone, without scrolling. */
export function focusContent(): void {
  document.getElementById('contenu')?.focus({ preventScroll: true });
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
