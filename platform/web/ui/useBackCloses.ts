import { useEffect, useRef } from 'react';

/**
 * Has Back close what lies over a page for as long as it is drawn. The answer closes it as Back does: the history is then
 * as it was before.
 */
export function useBackCloses(onClosed: () => void): () => void {
  const latest = useRef(onClosed);
  useEffect(() => {
    latest.current = onClosed;
  });
  useEffect(() => {
    // The router's own state once more: to it, this is the same place.
    window.history.pushState(window.history.state, '');
    const onPop = () => latest.current();
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, []);
  return () => window.history.back();
}
