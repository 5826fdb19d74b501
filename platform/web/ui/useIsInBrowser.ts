import { useSyncExternalStore } from 'react';

/** False on the server and during hydration, true afterwards. */
export function useIsInBrowser(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
