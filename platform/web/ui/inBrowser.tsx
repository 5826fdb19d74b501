import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';

/** False on the server and during hydration, true afterwards. */
export function useIsInBrowser(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}

/**
 * Whether the server has rendered this component, and the browser brought it to life; false for what the browser adds
 * later. The same at every render, so that nothing is rendered again for it.
 */
export function useIsRendered(): boolean {
  const [kept] = useState<{ isInBrowser?: boolean }>(() => ({}));
  return !useSyncExternalStore(
    () => () => {},
    // Asked while the page comes alive, React would otherwise find another value, and render at once, without slices.
    () => (kept.isInBrowser ??= true),
    () => (kept.isInBrowser = false),
  );
}

/** False at first, then true: what becomes of it is rendered in slices, between which the browser handles input. */
export function useIsAlive(): boolean {
  const [isAlive, setAlive] = useState(false);
  useEffect(() => startTransition(() => setAlive(true)), []);
  return isAlive;
}

/** A note beside a button that does not work without scripts. */
export function NeedsScript() {
  return (
    <noscript>
      <p className="font-semibold">
        Pour utiliser cette partie du site, activez JavaScript dans votre navigateur.
      </p>
    </noscript>
  );
}

type Handlers = {
  [E in keyof (WindowEventMap & DocumentEventMap)]?: (event: (WindowEventMap & DocumentEventMap)[E]) => void;
};

/** Follows events of the page; returns the function that ends it, for an effect. */
export function follow(
  target: EventTarget,
  handlers: Handlers,
  options?: AddEventListenerOptions,
): () => void {
  const all = Object.entries(handlers) as [string, EventListener][];
  for (const [name, handler] of all) target.addEventListener(name, handler, options);
  return () => {
    for (const [name, handler] of all) target.removeEventListener(name, handler, options);
  };
}
