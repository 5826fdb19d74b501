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
export function guardHistory(handler: (event: PopStateEvent) => void): () => void {
  guard = handler;
  return () => {
    guard = undefined;
  };
}
