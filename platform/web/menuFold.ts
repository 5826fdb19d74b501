import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/** Whether the menu of the portal is folded to its icons, as this device remembers it. */

const KEY = 'menu-replie';
/** The choice for this visit, used where the browser refuses storage. */
let latest = false;
const { tell, subscribe } = createListeners();

function read(): boolean {
  try {
    return window.localStorage.getItem(KEY) === '1';
  } catch {
    return latest;
  }
}

function keep(isFolded: boolean): void {
  latest = isFolded;
  try {
    if (isFolded) window.localStorage.setItem(KEY, '1');
    else window.localStorage.removeItem(KEY);
  } catch {
    // Storage is refused: the choice lasts until the page is left.
  }
  tell();
}

/** Whether the menu is folded, and how to change it. */
export function useMenuFold(): [boolean, (isFolded: boolean) => void] {
  return [useSyncExternalStore(subscribe, read, () => false), keep];
}
