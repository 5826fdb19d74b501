import { useSyncExternalStore } from 'react';

/** False on the server and during hydration, true afterwards. */
export function useIsInBrowser(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
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
