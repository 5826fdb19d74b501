import { useEffect } from 'react';
import { createPreference } from '#platform/web/preference.ts';

/** How large texts are on the pages of families, as this device remembers it. */

export const TEXT_SIZES = ['normale', 'grande', 'très grande'] as const;

const useKeptSize = createPreference('taille-des-textes', TEXT_SIZES, 'normale');

/** The size of texts while the page that calls this is shown, and how to change it. */
export function useTextSize(): ReturnType<typeof useKeptSize> {
  const [size, keep] = useKeptSize();
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.texte = String(TEXT_SIZES.indexOf(size));
    return () => {
      delete dataset.texte;
    };
  }, [size]);
  return [size, keep];
}
