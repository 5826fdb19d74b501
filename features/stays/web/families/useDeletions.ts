import type { Child } from '#features/stays/calls.ts';
import { type NamedStay, stayLabel } from '#features/stays/web/stays.ts';
import { call } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { childrenIn, nameOf } from './ChildForm.tsx';
import { useChildrenAgain } from './questions.ts';

/** Takes one child off a stay, or all of them, after a question. `onGone`: what had the focus may be gone. */
export function useDeletions(stay: NamedStay, onGone: () => void) {
  const confirm = useConfirm();
  const { locale } = useSite();
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const askAgain = useChildrenAgain(stay.id);

  const erase = (work: () => Promise<{ message: string }>) =>
    run(async () => {
      try {
        say((await work()).message);
        onGone();
      } finally {
        // After a refusal too: somebody else may have been faster.
        await askAgain();
      }
    }, 'Erreur lors de la suppression');

  return {
    isBusy,
    /** True when it is gone. */
    async remove(child: Child): Promise<boolean> {
      const isSure = await confirm({
        question: `Supprimer ${nameOf(child)} de ce séjour\u202f?`,
        consequence: 'L’enfant et les adresses de sa famille seront effacés définitivement.',
        yes: 'Supprimer',
      });
      return isSure && erase(() => call('DELETE /stagiaire/delete/:id', { params: { id: child.id } }));
    },
    /** The same of all of them, who are `count`. */
    async removeAll(count: number): Promise<boolean> {
      const { nom_stage: sejour, date_debut: dateDebut, date_fin: dateFin } = stay;
      const isSure = await confirm({
        question: 'Êtes-vous sûr de vouloir supprimer tous les stagiaires pour ce séjour ?',
        consequence: `${stayLabel(stay, locale)}. Seront effacés définitivement\u202f: ${childrenIn(count)}, avec les adresses des familles.`,
        yes: 'Supprimer',
        word: 'SUPPRIMER',
      });
      return (
        isSure && erase(() => call('DELETE /deletePaxBySejour', { body: { sejour, dateDebut, dateFin } }))
      );
    },
  };
}
