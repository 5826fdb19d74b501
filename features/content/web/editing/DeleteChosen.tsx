import type { ItemKind } from '#features/content/shared/kind.ts';
import type { Choice } from './useChoice.ts';
import { useDeletion } from './useDeletion.ts';

/** The button under a dropdown that takes away what is chosen in it. */
export function DeleteChosen({ kind, choice }: { kind: ItemKind; choice: Choice }) {
  const { isBusy, remove } = useDeletion(kind);
  return (
    <button
      type="button"
      className="button danger"
      aria-disabled={isBusy}
      onClick={() => choice.withChosen((item) => remove(item, () => choice.choose(undefined)))}
    >
      Supprimer
    </button>
  );
}
