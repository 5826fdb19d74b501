import { useEffect, useRef } from 'react';

/** For the heading of what has just come: it takes the focus, at the top of the window. */
export function useArrivalFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, []);
  return heading;
}
