import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { hasUnsaved, useConfirmLeaving } from './ui/unsaved.ts';

/**
 * Asks for confirmation before a link, Back, Forward, a reload or a closed tab leaves an unsaved form. It acts before
 * the router: links are caught in the capture phase, Back and Forward by a listener registered earlier.
 */
export function useLeaveGuard(): void {
  const confirmLeaving = useConfirmLeaving();
  const navigate = useNavigate();
  const { key } = useLocation();
  /** Position of this page in the history, as the router counts it (`idx`). */
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
      // An entry that the router did not make: an anchor within this page.
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

/** The link of a plain click that would replace this page by another of the site. */
function leadingAway(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return undefined;
  const link = (event.target as Element).closest('a');
  if (!link?.href || link.target === '_blank' || link.hasAttribute('download')) return undefined;
  const isHere = link.pathname + link.search === window.location.pathname + window.location.search;
  return link.origin === window.location.origin && !isHere ? link : undefined;
}

/** The handler that receives Back and Forward before the router. */
let guard: ((event: PopStateEvent) => void) | undefined;

/**
 * Registers the listener of Back and Forward. To be called before the router is made: listeners of the window run
 * in the order of registration, capturing or not.
 */
export function listenBeforeRouter(): void {
  window.addEventListener('popstate', (event) => guard?.(event));
}

/** Hands Back and Forward to `handler` before the router. Returns a function that undoes this. */
function guardHistory(handler: (event: PopStateEvent) => void): () => void {
  guard = handler;
  return () => {
    guard = undefined;
  };
}
