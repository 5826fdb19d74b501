import { PHOTO_BIN_DAYS } from '#features/photos/shared/terms.ts';
import type { Wish } from '#platform/web/ui/dialogs.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import { useDecisions } from './decisions.tsx';

/** Returns a function that puts photos into the bin, and says so in a notice that takes it back. Throws `CallError`. */
export function useDiscard(): (ids: readonly number[]) => Promise<void> {
  const { discard, putBack } = useDecisions();
  const { run } = useAction();
  const { say } = useNotices();
  return async (ids) => {
    const undo = () => run(async () => say(await putBack(ids)), 'Erreur lors du rétablissement des photos');
    say(await discard(ids), { label: 'Annuler la suppression', run: undo });
  };
}

export function discardWish(count: number): Wish {
  const [them, are] = count > 1 ? ['les', 'Elles restent'] : ['la', 'Elle reste'];
  return {
    question: `Supprimer ${count > 1 ? `ces ${count} photos` : 'cette photo'}\u202f?`,
    consequence: `Les familles ne ${them} voient plus. ${are} ${PHOTO_BIN_DAYS} jours dans la corbeille, d’où vous pouvez ${them} rétablir.`,
    yes: 'Supprimer',
  };
}
