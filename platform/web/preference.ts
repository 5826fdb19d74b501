import { useSyncExternalStore } from 'react';
import { createListeners } from './session.ts';

/** A choice among a few, as this device remembers it. */
export function createPreference<T extends string>(key: string, values: readonly T[], first: T) {
  /** The choice for this visit, used where the browser refuses storage. */
  let latest = first;
  const { tell, subscribe } = createListeners();

  function read(): T {
    try {
      const kept = window.localStorage.getItem(key);
      return values.find((value) => value === kept) ?? latest;
    } catch {
      return latest;
    }
  }

  function keep(value: T): void {
    latest = value;
    try {
      window.localStorage.setItem(key, value);
    } catch {
      // Storage is refused: the choice lasts until the page is left.
    }
    tell();
  }

  return (): [T, (value: T) => void] => [useSyncExternalStore(subscribe, read, () => first), keep];
}
