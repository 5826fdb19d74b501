import { useEffect, useSyncExternalStore } from 'react';
import { createListeners } from '#platform/web/listeners.ts';

/** How large texts are on the pages of families, as this device remembers it. */

export const TEXT_SIZES = ['normale', 'grande', 'très grande'] as const;
type TextSize = (typeof TEXT_SIZES)[number];

const KEY = 'taille-des-textes';
/** The size for this visit, used where the browser refuses storage. */
let latest: TextSize = 'normale';
const { tell, subscribe } = createListeners();

function read(): TextSize {
  try {
    const kept = window.localStorage.getItem(KEY);
    return TEXT_SIZES.find((size) => size === kept) ?? latest;
  } catch {
    return latest;
  }
}

function keep(size: TextSize): void {
  latest = size;
  try {
    window.localStorage.setItem(KEY, size);
  } catch {
    // Storage is refused: the size lasts until the page is left.
  }
  tell();
}

/** The size of texts while the page that calls this is shown, and how to change it. */
export function useTextSize(): [TextSize, (size: TextSize) => void] {
  const size = useSyncExternalStore(subscribe, read, () => 'normale' as const);
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.texte = String(TEXT_SIZES.indexOf(size));
    return () => {
      delete dataset.texte;
    };
  }, [size]);
  return [size, keep];
}
