import { TEXT_SIZES, useTextSize } from '#features/photos/web/textSize.ts';

/** A− and A+: how large the texts of this page are, remembered by the device. */
export function TextSizeControl() {
  const [size, keep] = useTextSize();
  const step = TEXT_SIZES.indexOf(size);
  const move = (by: -1 | 1) => {
    const next = TEXT_SIZES[step + by];
    if (next) keep(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons are no fields of a form
    <div role="group" aria-label="Taille des textes" className="-mr-2 flex items-center">
      <button
        type="button"
        className="round-button text-base font-semibold"
        aria-disabled={step === 0}
        onClick={() => move(-1)}
      >
        <span aria-hidden="true">A−</span>
        <span className="sr-only">Textes plus petits</span>
      </button>
      <button
        type="button"
        className="round-button text-xl font-semibold"
        aria-disabled={step === TEXT_SIZES.length - 1}
        onClick={() => move(1)}
      >
        <span aria-hidden="true">A+</span>
        <span className="sr-only">Textes plus grands</span>
      </button>
      <span role="status" className="sr-only">
        Taille des textes{'\u202f'}: {size}
      </span>
    </div>
  );
}
