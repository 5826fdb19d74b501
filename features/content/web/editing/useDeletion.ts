import { useQueryClient } from '@tanstack/react-query';
import { BIN_DAYS, type ItemKind, titleOf } from '#features/content/shared/kind.ts';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { type AnyItem, deleteItem, restoreItem } from './calls.ts';

/** Deletes an item after a question, and offers to take it back; `onRestored` hears of it when that is done. */
export function useDeletion(kind: ItemKind, onRestored: () => void = () => {}) {
  const confirm = useConfirm();
  const answers = useQueryClient();
  const { say } = useNotices();
  const { isBusy, run } = useAction();

  const restore = (id: number) =>
    run(async () => {
      say((await restoreItem(kind, id)).message);
      onRestored();
      await answers.invalidateQueries();
    }, 'Erreur lors de la restauration');

  async function remove(item: AnyItem, onDeleted: () => void): Promise<void> {
    const { confirmDeletion, consequence = '' } = kind.texts;
    const isSure = await confirm({
      question: confirmDeletion,
      consequence: `«\u00a0${titleOf(kind, item)}\u00a0» ira dans la corbeille et pourra en revenir pendant ${BIN_DAYS} jours. ${consequence}`,
      yes: 'Supprimer',
    });
    if (!isSure) return;
    await run(async () => {
      const { message } = await deleteItem(kind, item.id);
      onDeleted();
      say(message, { label: 'Annuler la suppression', run: () => restore(item.id) });
    }, 'Erreur lors de la suppression');
    // After a refusal too: somebody else may have been faster.
    await answers.invalidateQueries();
  }
  return { isBusy, remove, restore };
}
