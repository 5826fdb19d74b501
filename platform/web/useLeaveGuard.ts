import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { hasUnsaved, useConfirmLeaving } from './ui/unsaved.ts';

/**
 * Asks before a link, Back, Forward, a reload or a closed tab leaves a form that nobody has saved. Stands before
 * the router, which has no say in it: links are caught on their way down, Back and Forward before it hears.
 */
export function useLeaveGuard(): void {
  const confirmLeaving = useConfirmLeaving();
  const navigate = useNavigate();
  const { key } = useLocation();
  /** Where in the history this page is, as the router counts. */
  const place = useRef(0);
  const latest = useRef({ confirmLeaving, navigate });

  useEffect(() => {
    latest.current = { confirmLeaving, navigate };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what tells a new place
  useEffect(() => {
    place.current = placeIn(window.history.state) ?? place.current;
  }, [key]);

  useEffect(() => {
    let isPuttingBack = false;
    let mayPass = false;
    const ask = () => latest.current.confirmLeaving();
    const onClick = (event: MouseEvent) => {
      const link = leadingAway(event);
      if (!link || !hasUnsaved()) return;
      event.preventDefault();
      event.stopPropagation();
      ask().then((isYes) => {
        if (isYes) latest.current.navigate(link.pathname + link.search + link.hash);
      });
    };
    const onPop = (event: PopStateEvent) => {
      if (isPuttingBack) {
        isPuttingBack = false;
        event.stopImmediatePropagation();
        return;
      }
      const there = placeIn(event.state);
      // No page of the router's: a place within this one.
      if (there === undefined) return;
      const steps = there - place.current;
      if (mayPass || steps === 0 || !hasUnsaved()) {
        mayPass = false;
        return;
      }
      event.stopImmediatePropagation();
      isPuttingBack = true;
      window.history.go(-steps);
      ask().then((isYes) => {
        if (!isYes) return;
        mayPass = true;
        window.history.go(steps);
      });
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault();
    };
    document.addEventListener('click', onClick, true);
    const unguard = guardHistory(onPop);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      unguard();
      window.removeEventListener('beforeunload', onUnload);
    };
  }, []);
}

function placeIn(state: unknown): number | undefined {
  return state && typeof state === 'object' && 'idx' in state ? Number(state.idx) : undefined;
}

/** The link of a plain click that would take the place of this page. */
function leadingAway(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return undefined;
  const link = (event.target as Element).closest('a');
  if (!link?.href || link.target === '_blank' || link.hasAttribute('download')) return undefined;
  const isHere = link.pathname + link.search === window.location.pathname + window.location.search;
  return link.origin === window.location.origin && !isHere ? link : undefined;
}

/** Whoever wants to hear of Back and Forward before the router does. */
let guard: ((event: PopStateEvent) => void) | undefined;

/**
 * Called before the router is made: what listens to the window hears in the order of its coming, whether it
 * asked to capture or not.
 */
export function listenBeforeRouter(): void {
  window.addEventListener('popstate', (event) => guard?.(event));
}

/** Hands Back and Forward to `handler` first; the answer takes the wish back. */
function guardHistory(handler: (event: PopStateEvent) => void): () => void {
  guard = handler;
  return () => {
    guard = undefined;
  };
}
