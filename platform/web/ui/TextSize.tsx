import { useEffect } from 'react';
import { createPreference } from '#platform/web/preference.ts';
import { RoundButton } from './Button.tsx';

/** A− and A+ buttons for the text size of the pages that have them, remembered by the device. */
export function TextSizeControl() {
  const [size, keep] = useTextSize();
  const step = TEXT_SIZES.indexOf(size);
  const move = (by: -1 | 1) => {
    const next = TEXT_SIZES[step + by];
    if (next) keep(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons are no fields of a form
    <div role="group" aria-label="Taille des textes" className="flex items-center">
      <RoundButton
        label="Textes plus petits"
        className="text-base font-semibold"
        aria-disabled={step === 0}
        onClick={() => move(-1)}
      >
        <span aria-hidden="true">A−</span>
      </RoundButton>
      <RoundButton
        label="Textes plus grands"
        className="text-xl font-semibold"
        aria-disabled={step === TEXT_SIZES.length - 1}
        onClick={() => move(1)}
      >
        <span aria-hidden="true">A+</span>
      </RoundButton>
      <span role="status" className="sr-only">
        Taille des textes{'\u202f'}: {size}
      </span>
    </div>
  );
}

const TEXT_SIZES = ['normale', 'grande', 'très grande', 'la plus grande'] as const;

/** How large texts are on the pages that have the buttons, as this device remembers it. */
const useKeptSize = createPreference('taille-des-textes', TEXT_SIZES, 'normale');

/** The size of texts while the page that calls this is shown, and how to change it. */
function useTextSize(): ReturnType<typeof useKeptSize> {
  const [size, keep] = useKeptSize();
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (size !== 'normale') dataset.texte = String(TEXT_SIZES.indexOf(size));
    return () => {
      delete dataset.texte;
    };
  }, [size]);
  return [size, keep];
}
